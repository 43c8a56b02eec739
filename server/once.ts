import type { Endpoint } from '#contract/endpoint.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The stored first answer to an `Idempotency-Key`: status and reply as sent. */
export class Replayed {
  readonly status: number;
  readonly reply: unknown;

  constructor(status: number, reply: unknown) {
    this.status = status;
    this.reply = reply;
  }
}

/**
 * Runs work in one transaction. With an `Idempotency-Key`, the key, the effect and the answer are committed together,
 * so a retry finds either nothing or everything, whatever crashed in between (§idempotency).
 *
 * The answer is kept as `work` returned it. What must not be stored readable, such as a code, is added afterwards.
 */
export type Once = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | Replayed>;

/** The status of a success: what waits for a second person is accepted, not done. */
export function statusOf(row: Endpoint, result: unknown): number {
  const isAwaiting = typeof result === 'object' && result !== null && 'approval' in result;
  return isAwaiting ? 202 : (row.status ?? 200);
}
