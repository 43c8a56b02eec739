import type { ErrorBody, ErrorCode } from '#contract/errors.ts';
import { core } from '#contract/wording/en-sign-in.ts';

/** A reply from elsewhere (a proxy) may have none of the fields. */
export type ErrorData = Partial<ErrorBody>;

/** The server answered with an error (§error-texts). */
export class CallError extends Error {
  readonly status: number;
  /** Undefined if the body was not JSON. */
  readonly data: ErrorData | undefined;
  /** The reply's own code: a proxy may send one of its own. */
  readonly code: ErrorCode | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The message is the status, since the reply had no text. */
  isMute = false;

  constructor(status: number, message: string, data?: ErrorData, retryAfter?: string | null) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.data = data;
    this.code = typeof data?.code === 'string' ? data.code : undefined;
    this.retryAfterSeconds = Number(retryAfter) || undefined;
  }
}

/**
 * True if our own server says that a token is no longer good. The error page of a proxy or a hotel's Wi-Fi
 * does not (§start-of-a-visit), nor does a wrong code of the second step.
 */
export const refusesToken = ({ status, data, code }: CallError): boolean =>
  (status === 401 || status === 403) && data !== undefined && code !== 'wrong_code';

export const lossOf = ({ code }: CallError) => (code === 'session_idle' ? 'idle' : 'expired');

/** The server's code for a failure; undefined for any other error. */
export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof CallError ? error.code : undefined;

/** No usable answer: no connection, a lost one, or something between us and the server replied instead. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super(core.shell.noConnection, { cause });
    this.name = 'NetworkError';
  }
}

/** The caller cancelled; not something to report. */
export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/**
 * The message (§error-texts): the JSON's `message`, else the status text; if the body is not JSON, status code and
 * body text; if there is no body, status code and status text.
 */
export function callErrorOf(
  status: number,
  statusText: string,
  text: string | undefined,
  retryAfter?: string | null,
): CallError {
  const plain = statusText || core.shell.requestFailed;
  const make = (message: string, data?: ErrorData) => new CallError(status, message, data, retryAfter);
  const mute = (message: string, data?: ErrorData) => Object.assign(make(message, data), { isMute: true });
  if (text === undefined || text === '') return mute(`${status}: ${plain}`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return make(`${status}: ${text}`);
  }
  if (typeof data !== 'object' || data === null) return mute(plain);
  const body: ErrorData = data;
  return typeof body.message === 'string' && body.message ? make(body.message, body) : mute(plain, body);
}
