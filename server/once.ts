import type { Tx } from '#server/platform/database/database.ts';

/** The first answer to an `Idempotency-Key`, given again: its status and its reply as it went over the wire. */
export class Replayed {
  readonly status: number;
  readonly reply: unknown;

  constructor(status: number, reply: unknown) {
    this.status = status;
    this.reply = reply;
  }
}

/**
 * Runs work in one transaction. With an `Idempotency-Key` the key, the effect and the answer are committed together,
 * so that whatever dies when, a retry finds either nothing or the whole (§idempotency).
 *
 * The answer is kept as it was returned from `work`: what must not lie in the database readable, such as a code, is
 * added to it afterwards.
 */
export type Once = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | Replayed>;
