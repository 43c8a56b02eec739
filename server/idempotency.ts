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
 * The answer is kept as `work` returned it. A value that must not be stored readable, such as a code, is added afterwards.
 */
export type Once<Act> = {
  <T>(work: (act: Act) => Promise<T>): Promise<T | Replayed>;
  /** Returns the answer that the key already has, for work that first looks at what it changes, such as the password. */
  earlier(): Promise<Replayed | undefined>;
};
