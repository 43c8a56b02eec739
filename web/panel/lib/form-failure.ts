import type { ErrorCode } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import { CallError } from '#web/lib/call-error.ts';
import type { ContractForm } from '#web/lib/form.ts';

/** Errors about a single field that the server does not name. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  phone_taken: 'phone',
  already_registered: 'phone',
  email_taken: 'email',
  ip_already_listed: 'ipAddress',
};

/**
 * Overrides the server's message for staff: 'You already have an account' suits the person registering, not staff
 * registering somebody else.
 */
export const staffSentence = (error: unknown): string | undefined =>
  error instanceof CallError && error.code === 'already_registered' ? en.errors.phone_taken : undefined;

export function showFormFailure<Values extends object>(form: ContractForm<Values>, error: unknown): void {
  if (form.showServerErrors(error) || !(error instanceof CallError) || error.code === undefined) return;
  const field = fieldOfCode[error.code];
  if (field === undefined || !Object.hasOwn(form.getValues(), field)) return;
  const message = staffSentence(error) ?? error.message;
  form.setError(field as keyof Values & string, { message }, { shouldFocus: true });
}
