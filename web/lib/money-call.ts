import { useCallback, useEffect, useRef, useState } from 'react';
import type { Endpoint, Reply, Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, call } from './call.ts';
import { CallError, NetworkError } from './call-error.ts';
import { sessionEnded } from './token.ts';

/** It could not be found out whether the request went through. Sending the same again is safe: see `unsettled`. */
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
type Keyed<Request> = { key: string; request: Request };

/**
 * Requests whose outcome is not known, by what was asked for. Asked for again, even from a form that was closed and
 * opened anew, the first request goes out once more under its key: the server then answers instead of doing it twice.
 */
const unsettled = new Map<string, Keyed<unknown>>();
sessionEnded.listen(() => unsettled.clear());

/** 128 random bits; `crypto.randomUUID` is missing where the page is not served over HTTPS. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

const isUnknown = (error: unknown) =>
  error instanceof NetworkError || (error instanceof CallError && error.status >= 500);

/** In a replay, being asked to sign in or to wait says nothing about the first request either. */
const isUnknownInReplay = (error: unknown) =>
  isUnknown(error) ||
  (error instanceof CallError &&
    (error.status === 429 || error.status === 401 || error.code === 'account_suspended'));

function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timeout);
      removeEventListener('online', done);
      resolve();
    };
    const timeout = setTimeout(done, delayMs);
    addEventListener('online', done);
  });
}

type SettleOptions<Request, Answer> = {
  request: Request;
  /**
   * Names what is asked for. Two requests of one identity are one wish, so the second of them waits for the outcome of
   * the first, whatever else they say.
   */
  identity: string;
  send: (request: Request, key: string) => Promise<Answer>;
  onChecking: () => void;
  /** True once nobody waits any more: a replay must not move money minutes after its form was closed. */
  isGone: () => boolean;
};

/**
 * Sends a money request and, when its answer is lost, replays it under the same key until the outcome is known. Where an
 * earlier request of this identity is not settled yet, that one is sent in its place: its outcome is the answer.
 */
export async function settle<Request, Answer>({
  request,
  identity,
  send,
  onChecking,
  isGone,
}: SettleOptions<Request, Answer>): Promise<Answer> {
  const earlier = unsettled.get(identity) as Keyed<Request> | undefined;
  const sent = earlier ?? { key: freshKey(), request };
  const forget = () => {
    if (unsettled.get(identity)?.key === sent.key) unsettled.delete(identity);
  };
  let lost: unknown;
  for (const delayMs of [0, ...limits.moneyCheckDelaysMs]) {
    if (delayMs > 0) await wait(delayMs);
    if (lost !== undefined && isGone()) break;
    try {
      const answer = await send(sent.request, sent.key);
      forget();
      return answer;
    } catch (error) {
      const isReplay = earlier !== undefined || lost !== undefined;
      if (!(isReplay ? isUnknownInReplay(error) : isUnknown(error))) {
        forget();
        throw error;
      }
      lost = error;
      unsettled.set(identity, sent);
      onChecking();
      if (error instanceof CallError && (error.status === 401 || error.status === 403)) break;
    }
  }
  throw new UnsettledError(lost);
}

const wholeBody = (body: unknown) => body;

/**
 * Calls an endpoint that moves money or applies for it. One idempotency key a submit; a lost connection or a 5xx is
 * never taken for a failure. `send` resolves with the reply, throws `CallError` when the server refused, and
 * `UnsettledError` when the outcome stayed unknown (the state is then `unsettled`, and sending again is safe).
 *
 * `identityOf` says what of the body is asked for, where the rest may be another when somebody asks again for the same:
 * a quote has another day in it after midnight. It must stay the same function. Without it, all of the body is.
 */
export function useMoneyCall<Row extends Endpoint & { idempotent: true }>(
  row: Row,
  identityOf: (body: Sent<Row, 'body'>) => unknown = wholeBody,
): { state: MoneyCallState; send: (...given: CallArguments<Row>) => Promise<Reply<Row>> } {
  const [state, setState] = useState<MoneyCallState>('idle');
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  const send = useCallback(
    async (...[options]: CallArguments<Row>): Promise<Reply<Row>> => {
      setState('sending');
      const request = (options ?? {}) as CallOptions<Row> & { params?: unknown; body: Sent<Row, 'body'> };
      try {
        const reply = await settle({
          request,
          identity: JSON.stringify([row.method, row.path, request.params, identityOf(request.body)]),
          send: (given, idempotencyKey) =>
            call(row, ...([{ ...given, idempotencyKey }] as unknown as CallArguments<Row>)),
          onChecking: () => setState('checking'),
          isGone: () => gone.current,
        });
        setState('idle');
        return reply;
      } catch (error) {
        setState(error instanceof UnsettledError ? 'unsettled' : 'idle');
        throw error;
      }
    },
    [row, identityOf],
  );
  return { state, send };
}
