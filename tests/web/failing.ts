import { expect } from 'vitest';
import { CallError } from '#web/lib/call-error.ts';

/** Returns what a call that must fail threw. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (answer) => expect.fail(`it answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

export async function refusalOf(work: Promise<unknown>): Promise<CallError> {
  const error = await failureOf(work);
  if (error instanceof CallError) return error;
  return expect.fail(`it is no refusal: ${error}`);
}
