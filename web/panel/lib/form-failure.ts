import type { ErrorCode } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import { CallError } from '#web/lib/call-error.ts';
import type { ContractForm } from '#web/lib/form.ts';

/** Failures that are about one field, though the server names none. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  phone_taken: 'phone',
  already_registered: 'phone',
  email_taken: 'email',
  ip_already_listed: 'ipAddress',
};

/**
 * What staff are told of a failure instead of the server's message: a taken phone is 'You already have an account' to
 * who registers, and not to staff who register somebody else.
 */
export const staffSentence = (error: unknown): string | undefined =>
  error instanceof CallError && error.code === 'already_registered' ? en.errors.phone_taken : undefined;

/** Puts what the server refused beside its field, with the focus on it; does nothing when it is about no field. */
export function showFormFailure<Values extends object>(form: ContractForm<Values>, error: unknown): void {
  if (form.showServerErrors(error) || !(error instanceof CallError) || error.code === undefined) return;
  const field = fieldOfCode[error.code];
  if (field === undefined || !Object.hasOwn(form.getValues(), field)) return;
  const message = staffSentence(error) ?? error.message;
  form.setError(field as keyof Values & string, { message }, { shouldFocus: true });
}
