import type * as z from 'zod/mini';
import type { PaymentForm } from '#contract/servicing.ts';
import { pesosText } from '#domain/money.ts';
import { countsAtOnce, referenceKey } from '#domain/payment.ts';
import { refuseField } from '#server/failure.ts';
import { insertPayment, isByBorrower, type Payment } from '#server/store/payment-store.ts';
import { exceedsDayLimitAlone, exceedsLoanLimitAlone } from './done-alone.ts';
import { moveCash } from './drawer-service.ts';
import type { AwaitsApproval } from './four-eyes.ts';
import { finishStep, type LoanStep, tryStep } from './loan-step.ts';
import { lockProof, proofId, requireProof } from './payment-proof.ts';
import {
  draftReceipt,
  type PaymentTask,
  paymentTaskSchema,
  recordReceipt,
  requireNewReference,
} from './payment-receipt.ts';
import { auditLoan, isLongAgo, type LoanWork, requireDisbursed, valueDateOf } from './serviced-loan.ts';

export type PaymentRecord = z.output<typeof PaymentForm>;

/** A payment recorded by staff. Cash and money from the wallet count without confirmation. */
export const paymentStep: LoanStep<Omit<PaymentRecord, 'reason'>, PaymentTask, Payment> = {
  kind: 'payment',
  role: 'cashier',
  task: paymentTaskSchema,
  async plan({ deps, reader, actor, serviced }, form) {
    const { amount: amountCentavos, channel, reference, settlement: isSettlement = false } = form;
    const valueDate = valueDateOf(deps, serviced, form.valueDate);
    requireDisbursed(serviced);
    await requireNewReference(reader, { channel, referenceKey: referenceKeyOf(reference) });
    if (form.proofUrl) await requireProof(deps, reader, actor, proofId(form.proofUrl));
    return { amountCentavos, channel, valueDate, isSettlement };
  },
  draft: draftReceipt,
  async needsSecondPerson(work, { channel, valueDate, amountCentavos }, effect) {
    if (!countsAtOnce(channel)) return false;
    if (channel === 'wallet' || isLongAgo(work.deps, valueDate)) return true;
    return (
      exceedsLoanLimitAlone(work, amountCentavos, effect, (receipt) => receipt.channel === 'cash') ||
      (await exceedsDayLimitAlone(work, 'cash', amountCentavos))
    );
  },
  record: recordReceipt,
};

/** Returns the reference as it is compared; null for a channel that has none. */
export const referenceKeyOf = (reference: string | null | undefined) =>
  (reference && referenceKey(reference)) || null;

/**
 * Records a payment. Cash and money from the wallet count at once, unless they take a second person; other payments
 * wait for confirmation by somebody else.
 */
export async function recordPayment(work: LoanWork, form: PaymentRecord): Promise<Payment | AwaitsApproval> {
  const { channel, reason = '' } = form;
  if (channel === 'wallet' && !reason) refuseField('reason', 'reasonRequired');
  const trial = await tryStep(paymentStep, work, form);
  // It marks the log's entry of the recording; the author carries it on to the receipt's.
  const { isAlone } = trial.author;
  const stored = await storePayment({ ...work, isAlone }, trial.task, form);
  if (!countsAtOnce(channel)) return stored;
  return finishStep(paymentStep, work, { ...trial, task: { ...trial.task, paymentId: stored.id } });
}

/** The payment as its recorder wrote it, undecided. */
export async function storePayment(
  work: LoanWork,
  { amountCentavos, channel, valueDate, isSettlement }: PaymentTask,
  { reference, proofUrl, reason = '' }: Pick<PaymentRecord, 'reference' | 'proofUrl' | 'reason'>,
): Promise<Payment> {
  const { deps, tx, actor, serviced } = work;
  const now = deps.clock.now();
  const proofFileId = proofUrl === undefined ? null : await lockProof(work, proofUrl);
  const recorded = await insertPayment(tx, {
    loanId: serviced.loan.id,
    accountId: serviced.loan.accountId,
    amountCentavos,
    channel,
    valueDate,
    isSettlement,
    reason,
    proofFileId,
    reference: reference ?? null,
    referenceKey: referenceKeyOf(reference),
    status: 'submitted',
    recordedBy: actor.id,
    createdAt: now,
    updatedAt: now,
  });
  const after = { paymentId: recorded.id, amount: pesosText(amountCentavos), channel, valueDate };
  await auditLoan(work, 'payment_recorded', after);
  if (channel === 'cash' && !isByBorrower(recorded))
    await moveCash(work, actor.id, { kind: 'taken', amountCentavos, paymentId: recorded.id });
  return recorded;
}
