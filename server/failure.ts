import { type ErrorCode, failures } from '#contract/errors.ts';
import { en, type ValidationKey } from '#contract/wording/en.ts';

/** `fields`: a sentence for each wrong field. `present`: the stored values that caused the failure, in wire form. */
export type FailureDetails = {
  message?: string;
  fields?: Record<string, string>;
  present?: Record<string, string | number | null>;
  retryAfterSeconds?: number;
  /** If the endpoint maps this code to another status. */
  status?: 401 | 409;
};

/** The code decides status and sentence (`contract/errors.ts`). Throwing it rolls the transaction back. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;

  get status(): number {
    return this.details.status ?? failures[this.code].status;
  }

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

export function refuseField(field: string, rule: ValidationKey): never {
  const message = en.validation[rule];
  return fail('validation_failed', { message, fields: { [field]: message } });
}

/** Returned, not thrown, so that the transaction commits: a wrong one-time code uses up a try. */
export class KeptFailure extends Failure {}
