import type { Endpoint, Method, Reply, Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { createSignal } from '#web/ui/signal.ts';
import { type CallError, callErrorOf, lossOf, NetworkError, refusesToken } from './call-error.ts';
import { takeFirstReply } from './first-requests.ts';
import { setClock } from './lender.ts';
import { readToken, tokenLost } from './token.ts';

type Scalar = string | number;

type NeededPart<Name extends 'params' | 'body', Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Name extends 'params' ? { [Part in keyof Value]: Scalar } : Value };

type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** One per submit, for rows that honour it (§idempotency); a call without one gets its own. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** Bypasses every cache between here and the server. */
  fresh?: boolean;
};

/** `params` and `body` are required exactly where the row has them. */
export type CallOptions<Row extends Endpoint> = RequestOptions & {
  query?: Sent<Row, 'query'>;
} & NeededPart<'params', Sent<Row, 'params'>> &
  NeededPart<'body', Sent<Row, 'body'>>;

export type CallArguments<Row extends Endpoint> =
  Record<never, never> extends CallOptions<Row> ? [options?: CallOptions<Row>] : [options: CallOptions<Row>];

/** 128 random bits. `crypto.randomUUID` is missing on pages not served over HTTPS. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Fills in path parameters and drops empty query values. */
export function addressOf(path: string, params: Record<string, Scalar> = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${filled}?${search}` : filled;
}

/**
 * Calls an endpoint and parses its JSON. Throws `CallError` if the server refuses, `NetworkError` if there is no usable
 * answer, or the signal's AbortError.
 */
export async function call<Row extends Endpoint>(
  row: Row,
  ...options: CallArguments<Row>
): Promise<Reply<Row>> {
  return readJson(await fetchReply(row, ...options));
}

/** The raw response: for images, PDFs and newline-delimited lists. */
export function fetchReply<Row extends Endpoint>(
  row: Row,
  ...[options]: CallArguments<Row>
): Promise<Response> {
  const { params, query, ...given } = (options ?? {}) as RequestOptions & {
    params?: Record<string, Scalar>;
    query?: object;
    body?: unknown;
  };
  // Every reply that includes a password is audited as a disclosure, so ask for secrets only when one is to be shown.
  const headers = { ...(row.carriesSecrets && { Prefer: 'secrets=none' }), ...given.headers };
  // A proxy may send a PUT or DELETE again by itself.
  const idempotencyKey = given.idempotencyKey ?? (row.idempotent && freshKey());
  return send({
    ...given,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    method: row.method,
    address: addressOf(row.path, params, query),
    headers,
  });
}

/** GET of any same-origin path, the query client's default. */
export async function readPath(address: string, signal?: AbortSignal): Promise<unknown> {
  return readJson(await send({ method: 'GET', address, signal }));
}

type Request = RequestOptions & { method: Method; address: string; body?: unknown };

async function send({ method, address, body, signal, fresh, ...given }: Request): Promise<Response> {
  const token = readToken();
  const timer = startTimer(signal);
  let response: Response;
  try {
    const isPlainRead = method === 'GET' && !fresh;
    response = await ((isPlainRead ? takeFirstReply(address, token, timer.signal) : undefined) ??
      fetch(address, {
        method,
        credentials: 'include',
        cache: fresh ? 'no-store' : 'default',
        signal: timer.signal,
        headers: {
          ...given.headers,
          ...(given.idempotencyKey !== undefined && { 'Idempotency-Key': given.idempotencyKey }),
          ...(fresh && { 'Cache-Control': 'no-cache' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            // Recorded with consents: the language in which the person read what they agree to.
            'Content-Language': document.documentElement.lang,
          }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      }));
  } catch (error) {
    signal?.throwIfAborted();
    throw new NetworkError(error);
  } finally {
    timer.stop();
  }
  setClock(response.headers.get('Date'));
  if (response.ok) return response;
  const text = await response.text().catch(() => undefined);
  const { status, statusText } = response;
  const error = callErrorOf(status, statusText, text, response.headers.get('Retry-After'));
  tellTokenLoss(error, token);
  if (error.code === 'answer_failed') answerFailed.tell();
  throw error;
}

async function readJson<Value>(response: Response): Promise<Value> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException) throw error;
    // A success status without JSON: the connection broke, or a captive portal answered.
    throw new NetworkError(error);
  }
}

/**
 * Tells the session that its token was refused, unless the browser holds another one by now: a late answer to an old
 * session must not end the new one. A suspension is reported even just after signing out.
 */
export function tellTokenLoss(error: CallError, token: string | undefined): void {
  const held = readToken();
  if (token === undefined || (held !== undefined && held !== token) || !refusesToken(error)) return;
  if (error.status === 401 && held === token) tokenLost.tell(lossOf(error));
  if (error.status !== 403) return;
  if (error.code === 'account_suspended' || error.data?.accountStatus === 'suspended')
    tokenLost.tell('suspended');
}

/** The server may have done what was asked, and could not say so: what is shown may be old. */
export const answerFailed = createSignal<void>();

/** Browsers wait minutes on a dead radio link; this gives up earlier. */
function startTimer(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timeout = setTimeout(() => controller.abort(), limits.callTimeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return { signal: controller.signal, stop: () => clearTimeout(timeout) };
}
