import { records } from '#contract/wording/server-words.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { lockSamePictures } from '#server/store/document-store.ts';
import { findLoanProvedBy } from '#server/store/payment-store.ts';
import { requireAttachable } from './profile-service.ts';
import type { Act, Caller } from './session-service.ts';

export const proofId = (url: string) => /^\/api\/files\/([\w-]+)$/.exec(url)?.[1] ?? '';

/**
 * The proof of a payment: uploaded by the person who records it, and not the proof of another payment. Fails with
 * `foreign_document` and with `validation_failed`, naming to staff the other payment's loan.
 */
export async function requireProof(
  deps: Deps,
  reader: Reader,
  { account }: Caller,
  id: string,
): Promise<void> {
  await requireAttachable(deps, reader, account, [id], { isLocking: false, field: 'proofUrl' });
  const loanNumber = await findLoanProvedBy(reader, id);
  if (loanNumber === undefined) return;
  if (!account.isAdmin) refuseField('proofUrl', 'proofUsed');
  const message = records.proofUsed(loanNumber);
  fail('validation_failed', { message, fields: { proofUrl: message } });
}

/** Checked again: another payment may have used the picture, or the same one uploaded twice, before it was locked. */
export async function lockProof({ deps, tx, actor }: Act, url: string): Promise<string> {
  const id = proofId(url);
  await lockSamePictures(tx, id);
  await requireProof(deps, tx, actor, id);
  return id;
}
