import * as z from 'zod/mini';
import type { PaymentUpdate } from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { type Centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import { bouncedReason, channelMaxCentavos } from '#domain/payment.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readAccessChanges, readRaisers } from '#server/store/access-change-store.ts';
import { readStaffWith } from '#server/store/account-store.ts';
import type { LoanEventRow } from '#server/store/loan-event-store.ts';
import {
  changePayment,
  countWaitingPayments,
  findPayment,
  isByBorrower,
  type Payment,
} from '#server/store/payment-store.ts';
import { exceedsDayLimitAlone, exceedsLoanLimitAlone } from './done-alone.ts';
import { handBackCash, moveCash } from './drawer-service.ts';
import {
  AwaitsApproval,
  auditedTask,
  closeRequests,
  hasAuthority,
  requireRole,
  requireTurn,
  turnOf,
} from './four-eyes.ts';
import { marksOf } from './loan-event.ts';
import { recordEvent } from './loan-event-record.ts';
import { type LoanStep, takeStep, taskFields } from './loan-step.ts';
import { tellBorrower } from './notice-service.ts';
import { findBorrower, readFormerOwnersOf } from './own-account.ts';
import {
  draftReceipt,
  paymentOf,
  paymentTaskSchema,
  recordReceipt,
  requireUndecided,
} from './payment-receipt.ts';
import { receiptNumberOf } from './payment-view.ts';
import { numberReceiptsIn } from './receipt-service.ts';
import {
  auditLoan,
  isLongAgo,
  type LoanContext,
  type LoanWork,
  lockForWork,
  valueDateOf,
} from './serviced-loan.ts';
import type { Act, Staff } from './session-service.ts';

/** A payment with what is decided about it. */
type PaymentDecision = {
  payment: Payment;
  valueDate?: ManilaDate | undefined;
  amount?: Centavos | undefined;
  note?: string | undefined;
  reason?: string | undefined;
  /** Only a reversal has it. */
  cashReturned?: boolean | undefined;
};

const confirmationTaskSchema = z.extend(paymentTaskSchema, {
  paymentId: z.number(),
  isSameDay: z.boolean(),
  /** Absent in requests from the time when borrowers could not send a cash slip. */
  isCashSlip: z.optional(z.boolean()),
});

/**
 * Confirms a payment, possibly with another value date, and a borrower's own with another amount. A
 * confirmation beyond the limits of one person (§four-eyes) takes one person more.
 */
export const confirmationStep: LoanStep<PaymentDecision, z.output<typeof confirmationTaskSchema>, Payment> = {
  kind: 'confirmation',
  // A cashier, who may record cash, also confirms the cash that a borrower handed in.
  role: ({ isCashSlip }) => (isCashSlip ? 'cashier' : 'approver'),
  isDecision: true,
  barred: raisersOf,
  task: confirmationTaskSchema,
  async plan(work, { payment, valueDate, amount, note }) {
    const { id: paymentId, channel, isSettlement } = payment;
    requireUndecided(payment);
    const amountCentavos = amount ?? payment.amountCentavos;
    if (amountCentavos !== payment.amountCentavos) requireCorrectable(payment, amountCentavos);
    const day = valueDateOf(work.deps, work.serviced, valueDate ?? payment.valueDate);
    return {
      paymentId,
      amountCentavos,
      channel,
      valueDate: day,
      isSettlement,
      note,
      isSameDay: day === payment.valueDate,
      isCashSlip: isCashSlip(payment),
    };
  },
  draft: draftReceipt,
  async needsSecondPerson(work, { paymentId, valueDate, isSameDay, amountCentavos, channel }, effect) {
    const { deps, reader, actor, serviced } = work;
    const payment = await paymentOf(reader, { paymentId });
    const isOld = isLongAgo(deps, valueDate);
    if (!isByBorrower(payment) || channel === 'wallet') return isOld && !isSameDay;
    // Cash adds up with the other cash that the same person recorded.
    const isConfirmed = (receipt: LoanEventRow) =>
      channel === 'cash'
        ? receipt.channel === 'cash'
        : receipt.actorId === serviced.loan.accountId &&
          receipt.channel !== 'wallet' &&
          receipt.channel !== 'cash';
    return (
      isOld ||
      amountCentavos > payment.amountCentavos ||
      exceedsLoanLimitAlone(work, amountCentavos, effect, isConfirmed) ||
      (await exceedsDayLimitAlone(work, channel === 'cash' ? 'cash' : 'confirmed', amountCentavos)) ||
      (await hasChangedAccess(deps, reader, actor.id, serviced.loan.accountId))
    );
  },
  async record(work, trial) {
    const { task, author } = trial;
    const payment = await paymentOf(work.tx, task);
    if (isCashSlip(payment)) {
      const { paymentId, amountCentavos } = task;
      await moveCash(work, author.actorId, { kind: 'taken', amountCentavos, paymentId });
    }
    if (author.approverId !== undefined) return recordReceipt(work, trial);
    // The recorder and the confirmer sign it, or the confirmer alone where nobody else recorded it.
    const { recordedBy } = payment;
    const isOwn = recordedBy === author.actorId;
    const signedBy = isOwn ? author : { ...author, actorId: recordedBy, approverId: author.actorId };
    return recordReceipt(work, { ...trial, author: signedBy });
  },
};

/** True if the borrower sent the slip of a cash payment (§own-payments). */
const isCashSlip = (payment: PaymentOrigin): boolean => payment.channel === 'cash' && isByBorrower(payment);

const confirmerOf = (payment: PaymentOrigin) => (isCashSlip(payment) ? 'cashier' : 'approver');

/** The facts that tell where a payment came from. */
type PaymentOrigin = Pick<Payment, 'channel' | 'recordedBy' | 'accountId'>;

/**
 * Fails for a payment that cannot have come with another amount: only money that a borrower sent from
 * elsewhere can.
 */
function requireCorrectable(payment: Payment, amountCentavos: Centavos): void {
  if (!isByBorrower(payment) || payment.channel === 'wallet') refuseField('amount', 'amountNotCorrectable');
  if (amountCentavos > channelMaxCentavos(payment.channel)) refuseField('amount', 'instapayMax');
}

/** Bars the employees who raised by hand the wallet that a borrower pays from. */
export async function raisersOf(
  { deps, reader }: Pick<LoanContext, 'deps' | 'reader'>,
  payment?: PaymentOrigin,
) {
  if (payment?.channel !== 'wallet' || !isByBorrower(payment)) return {};
  const barred = await readRaisers(reader, payment.accountId, accessChangesSince(deps.clock.now()));
  return { barred, refusal: { message: records.ownRaisePays } };
}

/**
 * True if the actor has lately changed the account's phone, password, code or bank: they may be acting as the
 * borrower.
 */
async function hasChangedAccess(deps: Deps, reader: Reader, actorId: number, accountId: number) {
  const changes = await readAccessChanges(reader, accountId, accessChangesSince(deps.clock.now()));
  return changes.some((change) => change.actorId === actorId && change.what !== 'balance');
}

/** Confirms or rejects a waiting payment, or reverses a confirmed one. */
export async function updatePayment(
  act: Act<Staff>,
  id: number,
  { status, valueDate, amount, reason, note, cashReturned }: z.output<typeof PaymentUpdate>,
) {
  const { tx, actor: staff } = act;
  const { loanId } = (await findPayment(tx, id)) ?? fail('not_found');
  // A payment can be rejected even if its loan is deleted.
  const work = await lockForWork(act, loanId, status === 'rejected');
  // Read again: somebody may have decided it before the loan was locked.
  const payment = await paymentOf(tx, { paymentId: id });
  if (amount !== undefined && status !== 'confirmed') refuseField('amount', 'amountNotCorrectable');
  if (cashReturned && (status !== 'reversed' || payment.channel !== 'cash'))
    refuseField('cashReturned', 'cashReturnedOnlyReversed');
  switch (status) {
    case 'confirmed': {
      // The borrower reads why another amount counts.
      if (amount !== undefined && amount !== payment.amountCentavos && !note)
        refuseField('note', 'reasonRequired');
      const done = await takeStep(confirmationStep, work, { payment, valueDate, amount, note });
      if (!(done instanceof AwaitsApproval)) await closeRequestsOf(work, id, 'approved');
      return done;
    }
    case 'reversed':
      if (!reason) refuseField('reason', 'reasonRequired');
      return takeStep(paymentReversalStep, work, { payment, valueDate, reason, note, cashReturned });
    case 'rejected': {
      requireRole(staff, 'approver', ...(isCashSlip(payment) ? (['cashier'] as const) : []));
      const borrower = await findBorrower(work.deps, tx, payment.accountId);
      const bars = { borrower, makers: [payment.recordedBy] };
      const isAlone = await requireTurn(tx, staff, 'approver', bars);
      const rejecting = { ...work, isAlone };
      await closeRequestsOf(rejecting, id, 'rejected', reason);
      return rejectPayment(rejecting, payment, { reason, note });
    }
  }
}

/** A decided payment closes the requests about it: one to count it is decided with it, others become void. */
export async function closeRequestsOf(
  work: LoanWork,
  paymentId: number,
  decision: 'approved' | 'rejected',
  reason?: string,
): Promise<void> {
  await closeRequests(work, { paymentId, kind: 'payment' }, { decision, ...(reason && { reason }) });
  await closeRequests(work, { paymentId });
}

/** The borrower reads the note; the reason is for staff. */
export async function rejectPayment(
  work: LoanWork,
  payment: Payment,
  { reason, note }: Pick<z.output<typeof PaymentUpdate>, 'reason' | 'note'>,
): Promise<Payment> {
  const { deps, tx, serviced } = work;
  const { loan } = serviced;
  const { id, amountCentavos } = payment;
  requireUndecided(payment);
  if (payment.channel === 'cash') await handBackCash(work, payment);
  if (!note && !reason) refuseField(isByBorrower(payment) ? 'note' : 'reason', 'reasonRequired');
  const rejected = await changePayment(tx, id, {
    status: 'rejected',
    note,
    updatedAt: deps.clock.now(),
    ...(reason && { reason }),
  });
  await auditLoan(work, 'payment_rejected', { paymentId: id, amount: pesosText(amountCentavos) });
  await tellBorrower(work, loan.accountId, 'payment_rejected', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(amountCentavos),
    ...(note && { reason: note }),
  });
  return rejected;
}

const reversalTaskSchema = z.object({
  paymentId: z.number(),
  amountCentavos: taskFields.amount,
  valueDate: taskFields.day,
  reason: z.string(),
  note: z.optional(z.string()),
  isCashReturned: z.optional(z.boolean()),
});

/** Reverses a receipt. The refund of its credit stays, and is owed. The borrower reads the note; the reason is for staff. */
export const paymentReversalStep: LoanStep<PaymentDecision, z.output<typeof reversalTaskSchema>, Payment> = {
  kind: 'payment_reversal',
  role: 'cashier',
  task: reversalTaskSchema,
  plan: ({ deps, serviced }, { payment, valueDate, reason = '', note, cashReturned }) => ({
    paymentId: payment.id,
    amountCentavos: payment.amountCentavos,
    valueDate: valueDateOf(deps, serviced, valueDate),
    reason,
    note,
    ...(cashReturned && { isCashReturned: true }),
  }),
  async draft({ reader, serviced: { eventRows } }, { paymentId, valueDate, reason }) {
    const { status } = await paymentOf(reader, { paymentId });
    if (status === 'reversed') fail('already_reversed', { present: { status } });
    if (status !== 'confirmed') fail('payment_final', { present: { status } });
    const receipt = eventRows.find((row) => row.kind === 'receipt' && row.paymentId === paymentId);
    if (!receipt) throw new Error(`payment ${paymentId} was confirmed without a receipt`);
    return { kind: 'reversal', valueDate, undoes: receipt.sequence, reason };
  },
  needsSecondPerson: () => true,
  async record(work, trial) {
    const { deps, tx, serviced } = work;
    const { task, author } = trial;
    let payment = await paymentOf(tx, task);
    if (payment.receiptSerial === null) {
      await numberReceiptsIn(work);
      payment = await paymentOf(tx, task);
    }
    await recordEvent(work, author, trial);
    const { loan } = serviced;
    const { note, reason } = task;
    const updatedAt = deps.clock.now();
    const reversed = await changePayment(tx, payment.id, { status: 'reversed', note, updatedAt });
    if (task.isCashReturned) {
      const { id: paymentId, amountCentavos } = payment;
      await moveCash(work, author.actorId, { kind: 'reversed', amountCentavos, paymentId });
    }
    const after = { ...auditedTask(task), receipt: receiptNumberOf(payment), ...marksOf(author) };
    await auditLoan(work, 'payment_reversed', after);
    await tellBorrower(work, loan.accountId, 'payment_reversed', {
      loanNumber: loan.loanNumber,
      amount: formatPeso(payment.amountCentavos),
      receipt: receiptNumberOf(payment) ?? formatManilaDate(payment.valueDate),
      ...(note && { reason: note }),
      ...(payment.channel === 'cheque' && reason === bouncedReason && { bounced: 'yes' }),
    });
    return reversed;
  },
};

/**
 * Counts the payments that this employee may confirm. Somebody who may confirm none sees them all, as others'
 * work (§today).
 */
export async function countMyPayments(deps: Deps, reader: Reader, { id, account }: Staff): Promise<number> {
  const groups = await countWaitingPayments(reader);
  const total = (some: typeof groups) => sum(some.map(({ count }) => count));
  if (!hasAuthority(account, 'approver') && !hasAuthority(account, 'cashier')) return total(groups);
  const able = {
    approver: await readStaffWith(reader, 'approver'),
    cashier: await readStaffWith(reader, 'cashier'),
  };
  const people = groups.map(({ accountId }) => accountId);
  const asBorrower = await readFormerOwnersOf(deps, reader, people);
  const employee = { ...account, id };
  const own: typeof groups = [];
  for (const group of groups) {
    const role = confirmerOf(group);
    const borrower = asBorrower({ ...group, id: group.accountId });
    const bars = { borrower, makers: [group.recordedBy], ...(await raisersOf({ deps, reader }, group)) };
    if (hasAuthority(account, role) && turnOf(employee, able[role], bars) !== 'refused') own.push(group);
  }
  return total(own);
}
