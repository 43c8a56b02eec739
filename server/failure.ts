import type { ErrorCode } from '#contract/errors.ts';

/**
 * What may go along with a failure's code. `fields` holds one sentence a field of the request; `present` what of the
 * record stood in the way, in its wire form.
 */
export type FailureDetails = {
  message?: string;
  fields?: Record<string, string>;
  present?: Record<string, string | number | null>;
  retryAfterSeconds?: number;
};

/**
 * A failure that the caller is told about: its code decides the status and the sentence (`contract/errors.ts`).
 * Thrown, it undoes the transaction it is thrown in.
 */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(code);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details);
}

/**
 * A failure whose effects must stay: a wrong one-time code has used up a try, whatever the answer. Returned, not
 * thrown, so that the transaction commits.
 */
export class KeptFailure {
  readonly failure: Failure;

  constructor(code: ErrorCode, details?: FailureDetails) {
    this.failure = new Failure(code, details);
  }
}
