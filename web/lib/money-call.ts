import { useCallback, useEffect, useRef, useState } from 'react';
import type { Endpoint, Reply, Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, call } from './call.ts';
import { CallError, NetworkError } from './call-error.ts';
import { sessionEnded } from './token.ts';

/** It could not be found out whether the request went through. Sending the same again is safe: see `kept`. */
export class UnsettledError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the request is not known', { cause });
    this.name = 'UnsettledError';
  }
}

export type MoneyCallState =
  | 'idle'
  | 'sending'
  /** The answer was lost; the request is being replayed under its key to learn what became of it. */
  | 'checking'
  /** Even that did not tell. Neither a success nor a failure may be claimed. */
  | 'unsettled';

/** A request as it was sent: under a key, the server answers only the very same content again. */
type Keyed<Request> = {
  key: string;
  request: Request;
  /** An answer to it was lost: it may have gone through. */
  isLost: boolean;
};

/**
 * Requests that are under way or whose outcome is not known, by what was asked for. Asked for again, even from a form
 * that was closed and opened anew, the first request goes out once more under its key: the server then answers instead
 * of doing it twice.
 */
const kept = new Map<string, Keyed<unknown>>();
sessionEnded.listen(() => kept.clear());

/** 128 random bits; `crypto.randomUUID` is missing where the page is not served over HTTPS. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Whether our server answered, and not a proxy before it. */
const isOurs = ({ data }: CallError) => typeof data?.code === 'string';

/** No reply came, or a proxy says that it had none: only then is a request asked for again (contract section 11). */
const isLost = (error: unknown) =>
  error instanceof NetworkError ||
  (error instanceof CallError && !isOurs(error) && (error.status === 502 || error.status === 504));

/** A refusal to look at the request, which says nothing of an earlier sending of it. */
const isNoOutcome = (error: unknown) =>
  error instanceof CallError &&
  (error.status >= 500 ||
    error.status === 429 ||
    error.status === 401 ||
    error.code === 'account_suspended' ||
    error.code === 'ip_not_allowed');

/** A failure after which the work may be done all the same: a commit may have lost its answer (decision 017). */
const mayBeDone = (error: unknown) =>
  error instanceof CallError &&
  (error.code === 'database_unavailable' || (error.status >= 500 && !isOurs(error)));

/** Waits for so long, or until the connection is back or nobody wants to know any more. */
function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timeout);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timeout = setTimeout(done, delayMs);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

type SettleOptions<Request, Answer> = {
  request: Request;
  /**
   * Names what is asked for. Two requests of one identity are one wish, so the second of them waits for the outcome of
   * the first, whatever else they say.
   */
  identity: string;
  send: (request: Request, key: string, signal: AbortSignal) => Promise<Answer>;
  /** Called once the answer was lost; `stop` gives up looking for it. */
  onChecking: (stop: () => void) => void;
};

/**
 * Sends a money request. What our server answers is final, a 5xx too. Where the answer is lost the request is replayed
 * under its key, for a few seconds, to learn what became of it. Where an earlier request of this identity is not settled
 * yet, that one is sent in its place: its outcome is the answer.
 */
export async function settle<Request, Answer>({
  request,
  identity,
  send,
  onChecking,
}: SettleOptions<Request, Answer>): Promise<Answer> {
  const earlier = kept.get(identity) as Keyed<Request> | undefined;
  const sent = earlier ?? { key: freshKey(), request, isLost: false };
  kept.set(identity, sent);
  const forget = () => {
    if (kept.get(identity) === sent) kept.delete(identity);
  };
  const search = new AbortController();
  const { signal } = search;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let lost: unknown;
  for (const delayMs of [0, ...limits.moneyCheckDelaysMs]) {
    if (delayMs > 0) await wait(delayMs, signal);
    if (signal.aborted) break;
    try {
      const answer = await send(sent.request, sent.key, signal);
      clearTimeout(timeout);
      forget();
      return answer;
    } catch (error) {
      if (signal.aborted) break;
      if (!isLost(error)) {
        clearTimeout(timeout);
        if (sent.isLost && isNoOutcome(error)) throw new UnsettledError(error);
        if (!mayBeDone(error)) forget();
        throw error;
      }
      sent.isLost = true;
      lost = error;
      if (timeout === undefined) {
        timeout = setTimeout(() => search.abort(), limits.moneyCheckMs);
        onChecking(() => search.abort());
      }
    }
  }
  clearTimeout(timeout);
  throw new UnsettledError(lost);
}

const wholeBody = (body: unknown) => body;

type IdempotentEndpoint = Endpoint & { idempotent: true };

/**
 * Calls an endpoint that moves money or applies for it, with one idempotency key a submit. Resolves with the reply,
 * throws `CallError` when the server refused or failed, and `UnsettledError` when the answer was lost and not found:
 * sending the same again is then safe.
 *
 * `identityOf` says what of the body is asked for, where the rest may be another when somebody asks again for the same:
 * a quote has another day in it after midnight. Without it, all of the body is.
 */
export function sendMoney<Row extends IdempotentEndpoint>(
  row: Row,
  [options]: CallArguments<Row>,
  onChecking: (stop: () => void) => void,
  identityOf: (body: Sent<Row, 'body'>) => unknown = wholeBody,
): Promise<Reply<Row>> {
  const request = (options ?? {}) as CallOptions<Row> & { params?: unknown; body: Sent<Row, 'body'> };
  return settle({
    request,
    identity: JSON.stringify([row.method, row.path, request.params, identityOf(request.body)]),
    send: (given, idempotencyKey, signal) =>
      call(row, ...([{ ...given, idempotencyKey, signal }] as unknown as CallArguments<Row>)),
    onChecking,
  });
}

type Now = {
  state: MoneyCallState;
  /** Gives up looking for a lost answer; there while that goes on. */
  stop?: (() => void) | undefined;
};

/** `sendMoney` for a form: tells how far it is, and looks for nothing any more once the form is closed. */
export function useMoneyCall<Row extends IdempotentEndpoint>(
  row: Row,
  /** Must stay the same function. */
  identityOf?: (body: Sent<Row, 'body'>) => unknown,
): Now & { send: (...given: CallArguments<Row>) => Promise<Reply<Row>> } {
  const [now, setNow] = useState<Now>({ state: 'idle' });
  const gone = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, []);

  const send = useCallback(
    async (...given: CallArguments<Row>): Promise<Reply<Row>> => {
      setNow({ state: 'sending' });
      const { signal } = gone.current;
      const onChecking = (stop: () => void) => {
        setNow({ state: 'checking', stop });
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      };
      try {
        const reply = await sendMoney(row, given, onChecking, identityOf);
        setNow({ state: 'idle' });
        return reply;
      } catch (error) {
        setNow({ state: error instanceof UnsettledError ? 'unsettled' : 'idle' });
        throw error;
      }
    },
    [row, identityOf],
  );
  return { ...now, send };
}
