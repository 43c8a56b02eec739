import { useCallback, useEffect, useRef, useState } from 'react';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, call } from './call.ts';
import { CallError, NetworkError } from './call-error.ts';
import { sessionEnded } from './token.ts';

/** It could not be found out whether the request went through. Sending the same again is safe: see `keyOf`. */
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

/** Keys of requests whose outcome is not known, by what was asked. */
const unsettledKeys = new Map<string, string>();
sessionEnded.listen(() => unsettledKeys.clear());

/**
 * The key for a submit. A request that is sent again with the same content while the outcome of the first is unknown
 * keeps its key, even from a form that was closed and opened anew: the server then answers instead of doing it twice.
 */
const keyOf = (request: string) => unsettledKeys.get(request) ?? freshKey();

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

type SettleOptions<Answer> = {
  send: (key: string) => Promise<Answer>;
  /** Names the request by its content. */
  request: string;
  onChecking: () => void;
  /** True once nobody waits any more: a replay must not move money minutes after its form was closed. */
  isGone: () => boolean;
};

/** Sends a money request and, when its answer is lost, replays it under the same key until the outcome is known. */
export async function settle<Answer>({
  send,
  request,
  onChecking,
  isGone,
}: SettleOptions<Answer>): Promise<Answer> {
  const key = keyOf(request);
  let lost: unknown;
  for (const delayMs of [0, ...limits.moneyCheckDelaysMs]) {
    if (delayMs > 0) await wait(delayMs);
    if (lost !== undefined && isGone()) break;
    try {
      const answer = await send(key);
      unsettledKeys.delete(request);
      return answer;
    } catch (error) {
      if (
        !(lost === undefined && !unsettledKeys.has(request) ? isUnknown(error) : isUnknownInReplay(error))
      ) {
        unsettledKeys.delete(request);
        throw error;
      }
      lost = error;
      unsettledKeys.set(request, key);
      onChecking();
      if (error instanceof CallError && (error.status === 401 || error.status === 403)) break;
    }
  }
  throw new UnsettledError(lost);
}

/**
 * Calls an endpoint that moves money or applies for it. One idempotency key a submit; a lost connection or a 5xx is
 * never taken for a failure. `send` resolves with the reply, throws `CallError` when the server refused, and
 * `UnsettledError` when the outcome stayed unknown (the state is then `unsettled`, and sending again is safe).
 */
export function useMoneyCall<Row extends Endpoint & { idempotent: true }>(
  row: Row,
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
      const given = (options ?? {}) as CallOptions<Row> & { params?: unknown; body?: unknown };
      try {
        const reply = await settle<Reply<Row>>({
          send: (idempotencyKey) =>
            call(row, ...([{ ...given, idempotencyKey }] as unknown as CallArguments<Row>)),
          request: JSON.stringify([row.method, row.path, given.params, given.body]),
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
    [row],
  );
  return { state, send };
}
