import { useEffect, useRef, useState } from 'react';
import type { Endpoint, Reply, Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, call, freshKey } from './call.ts';
import { CallError, NetworkError } from './call-error.ts';
import { sessionEnded } from './token.ts';

/** The outcome is unknown. Sending the same request again is safe: see `kept`. */
export class UnsettledError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the request is not known', { cause });
    this.name = 'UnsettledError';
  }
}

export type MoneyCallState =
  | 'idle'
  | 'sending'
  /** The reply was lost; the request is being replayed under its key to learn the outcome. */
  | 'checking'
  /** Replaying did not tell either: claim neither success nor failure. */
  | 'unsettled';

/** A request as it was sent: for a repeated key the server accepts only identical content. */
type Keyed<Request> = {
  key: string;
  request: Request;
  /** A reply was lost, so it may have gone through. */
  isLost: boolean;
};

/**
 * Requests under way or with an unknown outcome, by identity. Submitting the same again, even from a reopened form,
 * resends the first request under its key, so the server replies without doing it twice.
 */
const kept = new Map<string, Keyed<unknown>>();
sessionEnded.listen(() => kept.clear());

/** True if our server answered, and not a proxy in front of it. */
const isOurs = ({ data }: CallError) => typeof data?.code === 'string';

/** No reply, or a proxy reports none: the only cases in which a request is replayed (§lost-answers). */
const isLost = (error: unknown) =>
  error instanceof NetworkError ||
  (error instanceof CallError && !isOurs(error) && (error.status === 502 || error.status === 504));

/** The request was refused unseen, which says nothing about an earlier attempt. */
const isNoOutcome = (error: unknown) =>
  error instanceof CallError &&
  (error.status >= 500 ||
    error.status === 429 ||
    error.status === 401 ||
    error.code === 'account_suspended' ||
    error.code === 'ip_not_allowed');

/** The work may have been done despite the failure: a commit may have lost its reply (decision 017). */
const mayBeDone = (error: unknown) =>
  error instanceof CallError &&
  (error.code === 'database_unavailable' ||
    error.code === 'answer_failed' ||
    (error.status >= 500 && !isOurs(error)));

/** Ends early when the connection returns or the signal aborts. */
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
   * Identifies what is being asked for. A second request with the same identity awaits the outcome of the first,
   * however they differ otherwise.
   */
  identity: string;
  send: (request: Request, key: string, signal: AbortSignal) => Promise<Answer>;
  /** Called when the reply was lost; `stop` gives up looking for it. */
  onChecking: (stop: () => void) => void;
};

/**
 * Sends a money request. Any reply from our server is final, including 5xx. If the reply is lost, the request is
 * replayed under its key for a few seconds to learn the outcome. If an earlier request of this identity is unsettled,
 * that one is sent instead and its outcome is the result.
 */
export async function settle<Request, Answer>(options: SettleOptions<Request, Answer>): Promise<Answer> {
  const { request, identity, send, onChecking } = options;
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

type IdempotentEndpoint = Endpoint & { idempotent: true };

type IdentityOf<Row extends IdempotentEndpoint> = (body: Sent<Row, 'body'>) => unknown;

const requestOf = <Row extends IdempotentEndpoint>([options]: CallArguments<Row>) =>
  (options ?? {}) as CallOptions<Row> & { params?: unknown; body: Sent<Row, 'body'> };

const identityIn = <Row extends IdempotentEndpoint>(
  row: Row,
  given: CallArguments<Row>,
  identityOf: IdentityOf<Row> = (body) => body,
): string => {
  const { params, body } = requestOf(given);
  return JSON.stringify([row.method, row.path, params, identityOf(body)]);
};

/**
 * Calls an endpoint that moves money or applies for a loan, with one idempotency key per submit. Throws `CallError` if
 * the server refused or failed, and `UnsettledError` if the reply was lost and not recovered: sending the same again is
 * then safe.
 *
 * `identityOf` picks the parts of the body that identify the request, where the rest may differ on a retry: after
 * midnight a quote has another date. Defaults to the whole body.
 */
export function sendMoney<Row extends IdempotentEndpoint>(
  row: Row,
  given: CallArguments<Row>,
  onChecking: (stop: () => void) => void,
  identityOf?: IdentityOf<Row>,
): Promise<Reply<Row>> {
  return settle({
    request: requestOf(given),
    identity: identityIn(row, given, identityOf),
    send: (request, idempotencyKey, signal) =>
      call(row, ...([{ ...request, idempotencyKey, signal }] as unknown as CallArguments<Row>)),
    onChecking,
  });
}

type Now = {
  state: MoneyCallState;
  /** Gives up looking for a lost reply; present while that runs. */
  stop?: (() => void) | undefined;
};

/** `sendMoney` for a form: exposes its progress and stops looking for a lost reply on unmount. */
export function useMoneyCall<Row extends IdempotentEndpoint>(
  row: Row,
  identityOf?: IdentityOf<Row>,
): Now & {
  send: (...given: CallArguments<Row>) => Promise<Reply<Row>>;
  /** True if this asks once more what was asked before, without an answer that tells its outcome. */
  isRepeat: (...given: CallArguments<Row>) => boolean;
} {
  const [now, setNow] = useState<Now>({ state: 'idle' });
  const gone = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, []);

  async function send(...given: CallArguments<Row>): Promise<Reply<Row>> {
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
  }
  const isRepeat = (...given: CallArguments<Row>) => kept.has(identityIn(row, given, identityOf));
  return { ...now, send, isRepeat };
}
