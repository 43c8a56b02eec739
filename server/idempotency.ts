import type { Endpoint } from '#contract/endpoint.ts';

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
export type Once<Act> = {
  <T>(work: (act: Act) => Promise<T>): Promise<T | Replayed>;
  /** Returns the answer that the key already has, for work that first looks at what it changes, such as the password. */
  earlier(): Promise<Replayed | undefined>;
};

/** The result of work that waits for a second person: the open request, instead of what was asked for. */
export class Awaiting<Approval> {
  readonly approval: Approval;

  constructor(approval: Approval) {
    this.approval = approval;
  }
}

/** The status of a success: what waits is accepted, not done. */
export const statusOf = (row: Endpoint, result: unknown): number =>
  result instanceof Awaiting ? 202 : (row.status ?? 200);
