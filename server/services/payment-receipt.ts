import * as z from 'zod/mini';
import type { Lender } from '#contract/lender.ts';
import { type PrintedReceipt, receipt as receiptReply } from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { type PaymentChannel, paymentChannels } from '#domain/payment.ts';
import { leftToPay, refundToReturn } from '#domain/servicing.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readRaisers } from '#server/store/access-change-store.ts';
import { lockWithStaff, readNamesOf } from '#server/store/account-store.ts';
import {
  changePayment,
  findLoanOfReference,
  findPayment,
  type Payment,
} from '#server/store/payment-store.ts';
import type { EventDraft } from './loan-event.ts';
import { recordEvent } from './loan-event-record.ts';
import { appliedReceiptOf, type Effect, standingAfter } from './loan-event-trial.ts';
import { type Trial, taskFields } from './loan-step.ts';
import { awaitNumber } from './receipt-service.ts';
import { type LoanContext, type LoanWork, latestDayOf } from './serviced-loan.ts';

export const paymentTaskSchema = z.object({
  /** Absent while a payment is only previewed. */
  paymentId: z.optional(z.number()),
  amountCentavos: taskFields.amount,
  channel: z.enum(paymentChannels),
  valueDate: taskFields.day,
  isSettlement: z.boolean(),
  /** The borrower reads it. */
  note: z.optional(z.string()),
});

export type PaymentTask = z.output<typeof paymentTaskSchema>;

/** The receipt of a payment, which counts from its value date on. */
export async function draftReceipt({ reader }: LoanContext, task: PaymentTask): Promise<EventDraft> {
  const { paymentId, amountCentavos, channel, valueDate, isSettlement } = task;
  if (paymentId !== undefined) {
    const payment = await paymentOf(reader, { paymentId });
    requireUndecided(payment);
    await requireNewReference(reader, payment);
  }
  return { kind: 'receipt', amountCentavos, channel, valueDate, isSettlement };
}

/** Confirms the payment with a receipt, which then waits for the year's next number (§receipt-numbers). */
export async function recordReceipt(work: LoanWork, trial: Trial<PaymentTask>): Promise<Payment> {
  const { deps, tx, actor } = work;
  const { task, author, before } = trial;
  const payment = await paymentOf(tx, task);
  if (payment.channel === 'wallet') await lockRaisers(work);
  const { valueDate, amountCentavos, note } = task;
  const isCorrected = amountCentavos !== payment.amountCentavos;
  const now = deps.clock.now();
  const receipt = appliedReceiptOf(trial);
  const issue = await factsAtIssue(work, payment, trial);
  // The part that covers an earlier refund stays as credit; only the rest goes into the wallet.
  const returned = centavos(Math.min(receipt.credit, refundToReturn(before)));
  // It is as much as the refund of the trial, and the message to the borrower says it.
  const credit = centavos(receipt.credit - returned);
  // No draft names its payment, since one that is being recorded has no id yet. The event does, so that a reversal finds it.
  const draft = { ...trial.draft, paymentId: payment.id, reason: payment.reason };
  await recordEvent(work, author, { ...trial, draft });
  const confirmed = await changePayment(tx, payment.id, {
    status: 'confirmed',
    valueDate,
    amountCentavos,
    note: note ?? null,
    sentCentavos: isCorrected ? payment.amountCentavos : null,
    application: { ...receiptReply.parse(receipt), issue },
    confirmedBy: actor.id,
    updatedAt: now,
  });
  awaitNumber(work, confirmed, { author, credit, returned });
  return confirmed;
}

/** Payments and withdrawals from the wallets that one person raised by hand count one after the other (§own-payments). */
async function lockRaisers({ deps, tx, serviced: { loan } }: LoanWork): Promise<void> {
  const raisers = await readRaisers(tx, loan.accountId, accessChangesSince(deps.clock.now()));
  if (raisers.length > 0) await lockWithStaff(tx, loan.accountId, raisers);
}

/** Reads the figures and names that the receipt prints, as they are when it is issued. */
async function factsAtIssue(
  { deps, tx, actor }: LoanWork,
  { channel, recordedBy, accountId }: Payment,
  effect: Effect,
): Promise<NonNullable<PrintedReceipt['issue']>> {
  const { account } = standingAfter(deps, effect);
  const { lateChargesOwed, refundToReturn, dueNow } = account;
  const { nextDueDate, nextDueAmount } = account;
  const nameOf = await readNamesOf(tx, [recordedBy, actor.id]);
  return {
    date: latestDayOf(deps, effect.terms),
    place: placeOf(deps.config.lender, channel),
    recordedBy: recordedBy === accountId ? null : nameOf(recordedBy),
    confirmedBy: recordedBy === actor.id ? null : nameOf(actor.id),
    left: pesosText(leftToPay(account)),
    lateCharges: pesosText(lateChargesOwed),
    toReturn: pesosText(refundToReturn),
    dueNow: pesosText(dueNow),
    toWallet: pesosText(effect.refund?.amountCentavos ?? centavos(0)),
    next: nextDueDate && { date: nextDueDate, amount: pesosText(nextDueAmount) },
  };
}

/**
 * Returns where the money was paid. Cash is taken at a branch; where there are several, nobody knows at
 * which. Other money goes to the lender's own address.
 */
function placeOf({ name, address, branches = [] }: Lender, channel: PaymentChannel): string {
  if (channel !== 'cash' || branches.length === 0) return `${name}, ${address}`;
  const [branch, ...others] = branches;
  return others.length > 0 ? name : [name, branch?.name, branch?.address].join(', ');
}

/** Fails with `payment_known`, naming to staff the loan on which a payment with this reference counts. */
export async function requireNewReference(
  reader: Reader,
  payment: Parameters<typeof findLoanOfReference>[1],
) {
  const known = payment.referenceKey === null ? undefined : await findLoanOfReference(reader, payment);
  if (known) fail('payment_known', { message: records.paymentKnown(known) });
}

export function requireUndecided({ status }: Payment): void {
  if (status !== 'submitted') fail('payment_final', { present: { status } });
}

/** Fails with `not_found`, also for a task whose payment is not stored yet. */
export async function paymentOf(
  reader: Reader,
  { paymentId }: { paymentId?: number | undefined },
): Promise<Payment> {
  return (paymentId === undefined ? undefined : await findPayment(reader, paymentId)) ?? fail('not_found');
}
