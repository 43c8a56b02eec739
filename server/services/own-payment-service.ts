import type { output } from 'zod/mini';
import type { OwnPaymentForm } from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, pesosText } from '#domain/money.ts';
import { isLive } from '#domain/payment.ts';
import { leftToPay, standingOn } from '#domain/servicing.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import { fail, refuseField } from '#server/failure.ts';
import { hourMs } from '#server/platform/clock.ts';
import { readRaisers, sumLeftRaisedWallets } from '#server/store/access-change-store.ts';
import { lockWithStaff } from '#server/store/account-store.ts';
import { findLoan } from '#server/store/loan-store.ts';
import {
  changePayment,
  findPayment,
  isByBorrower,
  type Payment,
  readPaymentsOf,
} from '#server/store/payment-store.ts';
import { closeRequests } from './four-eyes.ts';
import { tryEvent } from './loan-event-trial.ts';
import type { Trial } from './loan-step.ts';
import { draftReceipt, type PaymentTask, recordReceipt, requireUndecided } from './payment-receipt.ts';
import { referenceKeyOf, storePayment } from './payment-service.ts';
import {
  auditLoan,
  type LoanContext,
  type LoanWork,
  lockForWork,
  requireDisbursed,
  valueDateOf,
} from './serviced-loan.ts';
import { type Act, lockOwnAccount } from './session-service.ts';
import { countToday } from './tries-service.ts';

type OwnPayment = output<typeof OwnPaymentForm>;

/** The borrower's loan, locked, and then their account, which may have been suspended since the guard checked. */
async function lockOwnLoan(act: Act, loanId: number): Promise<LoanWork> {
  const own = await findLoan(act.tx, loanId);
  if (own?.loan.accountId !== act.actor.id) fail('not_found');
  const work = await lockForWork(act, loanId);
  await lockOwnAccount(act);
  return work;
}

/** Works out what the payment would do. Fails with everything that refuses it, except for its proof. */
async function tryOwnPayment(work: LoanContext, form: OwnPayment): Promise<Trial<PaymentTask>> {
  const { amount, channel, paidOn, settlement = false } = form;
  const { deps, reader, serviced } = work;
  const { loan } = serviced;
  const { stored } = requireDisbursed(serviced);
  if (stored.state === 'settled' || stored.state === 'completed') fail('loan_closed');
  const isFromWallet = channel === 'wallet';
  const task = {
    amountCentavos: amount,
    channel,
    isSettlement: isFromWallet && settlement,
    valueDate: valueDateOf(deps, serviced, isFromWallet ? undefined : paidOn, 'paidOn'),
  };
  const others = await readPaymentsOf(reader, loan.id);
  const undecided = others.filter((other) => other.status === 'submitted' && isByBorrower(other));
  if (undecided.length >= limits.undecidedPaymentsMax)
    fail('too_many_payments', { retryAfterSeconds: hourMs / 1000 });
  const key = isFromWallet ? null : referenceKeyOf(form.reference);
  const isSame = (other: Payment) => other.channel === channel && other.referenceKey === key;
  if (key && others.some((other) => isLive(other.status) && isSame(other))) fail('payment_known');
  const effect = await tryEvent(work, await draftReceipt(work, task));
  const { account } = standingOn(effect.before, task.valueDate);
  // It would come straight back into the wallet.
  if (isFromWallet && amount > leftToPay(account)) refuseField('amount', 'aboveOwed');
  const waits = !isFromWallet || (await isRaisedByHand(work, amount));
  return { ...effect, task, author: { actorId: work.actor.id, isAlone: false }, waits };
}

/** True if a second person has to confirm: too much has left the wallets that somebody raised by hand, this one among them. */
async function isRaisedByHand(
  { deps, reader, tx, serviced }: LoanContext,
  amountCentavos: Centavos,
): Promise<boolean> {
  const since = accessChangesSince(deps.clock.now());
  const raisers = await readRaisers(reader, serviced.loan.accountId, since);
  if (tx && raisers.length > 0) await lockWithStaff(tx, serviced.loan.accountId, raisers);
  for (const raiser of raisers) {
    const left = await sumLeftRaisedWallets(reader, raiser, since);
    if (left + amountCentavos > limits.leavesRaisedWalletsMaxCentavos) return true;
  }
  return false;
}

/**
 * Stores a payment that the borrower made elsewhere, for staff to confirm, or makes one from the wallet. The
 * latter counts at once unless staff raised the wallet by hand (§own-payments).
 */
export async function payOwnLoan(act: Act, loanId: number, form: OwnPayment) {
  const work = await lockOwnLoan(act, loanId);
  const trial = await tryOwnPayment(work, form);
  await countToday(act, 'payment');
  const { reference, proofUrl } = form;
  const sent = form.channel === 'wallet' ? {} : { reference, proofUrl };
  const stored = await storePayment(work, trial.task, sent);
  if (trial.waits) return stored;
  return recordReceipt(work, { ...trial, task: { ...trial.task, paymentId: stored.id } });
}

/** Works out what a payment from the wallet would do. Fails as the payment would. */
export async function previewOwnPayment(work: LoanContext, form: Pick<OwnPayment, 'amount' | 'settlement'>) {
  const trial = await tryOwnPayment(work, { ...form, channel: 'wallet' });
  return { trial, waitsFor: trial.waits ? ('confirmation' as const) : null };
}

/** Withdraws a payment that the borrower reported. One that staff recorded is not found. */
export async function withdrawOwnPayment(
  act: Act,
  { id: loanId, paymentId }: { id: number; paymentId: number },
) {
  const { deps, tx } = act;
  const work = await lockOwnLoan(act, loanId);
  const payment = await findPayment(tx, paymentId);
  if (payment?.loanId !== loanId || !isByBorrower(payment)) fail('not_found');
  requireUndecided(payment);
  await closeRequests(work, { paymentId });
  await auditLoan(work, 'payment_withdrawn', { paymentId, amount: pesosText(payment.amountCentavos) });
  // Nobody looks at its photo any more: housekeeping removes it.
  const updatedAt = deps.clock.now();
  await changePayment(tx, paymentId, { status: 'withdrawn', proofFileId: null, updatedAt });
  return { message: records.paymentWithdrawn };
}
