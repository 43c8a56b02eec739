import * as z from 'zod/mini';
import type { Lender } from '#contract/lender.ts';
import {
  type PaymentForm,
  type PaymentUpdate,
  type PrintedReceipt,
  receipt as receiptReply,
} from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import {
  bouncedReason,
  channelMaxCentavos,
  countsAtOnce,
  type PaymentChannel,
  paymentChannels,
  referenceKey,
} from '#domain/payment.ts';
import { leftToPay, refundToReturn } from '#domain/servicing.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readAccessChanges, readRaisers } from '#server/store/access-change-store.ts';
import { lockWithStaff, readNamesOf, readStaffWith } from '#server/store/account-store.ts';
import { lockSamePictures } from '#server/store/document-store.ts';
import type { LoanEventRow } from '#server/store/loan-event-store.ts';
import {
  changePayment,
  countWaitingPayments,
  findLoanOfReference,
  findLoanProvedBy,
  findPayment,
  insertPayment,
  isByBorrower,
  type Payment,
} from '#server/store/payment-store.ts';
import { aloneToday, exceedsDayLimitAlone } from './done-alone.ts';
import { handBackCash, moveCash } from './drawer-service.ts';
import {
  AwaitsApproval,
  auditedTask,
  closeRequests,
  mayAsk,
  requireRole,
  requireTurn,
  turnOf,
} from './four-eyes.ts';
import { type EventDraft, marksOf } from './loan-event.ts';
import { recordEvent } from './loan-event-record.ts';
import { appliedReceiptOf, type Effect, standingAfter } from './loan-event-trial.ts';
import { type LoanStep, recordStep, type Trial, takeStep, taskFields, tryStep } from './loan-step.ts';
import { tellBorrower } from './notice-service.ts';
import { findBorrower, readFormerOwnersOf } from './own-account.ts';
import { receiptNumberOf } from './payment-view.ts';
import { requireAttachable } from './profile-service.ts';
import { awaitNumber, numberReceiptsIn } from './receipt-service.ts';
import {
  auditLoan,
  isLongAgo,
  type LoanContext,
  type LoanWork,
  latestDayOf,
  lockForWork,
  requireDisbursed,
  valueDateOf,
} from './serviced-loan.ts';
import type { Act, Caller, Staff } from './session-service.ts';

export type PaymentRecord = z.output<typeof PaymentForm>;

const PaymentTask = z.object({
  /** Absent while a payment is only previewed. */
  paymentId: z.optional(z.number()),
  amountCentavos: taskFields.amount,
  channel: z.enum(paymentChannels),
  valueDate: taskFields.day,
  isSettlement: z.boolean(),
  /** The borrower reads it. */
  note: z.optional(z.string()),
});
export type PaymentTask = z.output<typeof PaymentTask>;

/** The receipt of a payment, which counts from its value date on. */
export async function draftReceipt({ reader }: LoanContext, task: PaymentTask): Promise<EventDraft> {
  const { paymentId, amountCentavos, channel, valueDate, isSettlement } = task;
  if (paymentId !== undefined) {
    const payment = await paymentOf(reader, { paymentId });
    requireUndecided(payment);
    await requireUnknown(reader, payment);
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
  const issue = await issueOf(work, payment, trial);
  // The part that covers an earlier refund stays as credit; only the rest goes into the wallet.
  const returned = centavos(Math.min(receipt.credit, refundToReturn(before)));
  const credit = centavos(receipt.credit - returned);
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

async function issueOf(
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

/** A payment recorded by staff. Cash and money from the wallet count without confirmation. */
export const paymentStep: LoanStep<Omit<PaymentRecord, 'reason'>, PaymentTask, Payment> = {
  kind: 'payment',
  role: 'cashier',
  task: PaymentTask,
  async plan({ deps, reader, actor, serviced }, form) {
    const { amount: amountCentavos, channel, reference, settlement: isSettlement = false } = form;
    const valueDate = valueDateOf(deps, serviced, form.valueDate);
    requireDisbursed(serviced);
    await requireUnknown(reader, { channel, referenceKey: keyOf(reference) });
    if (form.proofUrl) await requireProof(deps, reader, actor, proofId(form.proofUrl));
    return { amountCentavos, channel, valueDate, isSettlement };
  },
  draft: draftReceipt,
  needsSecondPerson(work, { channel, valueDate, amountCentavos }, effect) {
    if (!countsAtOnce(channel)) return false;
    if (channel === 'wallet' || isLongAgo(work.deps, valueDate)) return true;
    return (
      exceedsLoanLimitAlone(work, amountCentavos, effect, (receipt) => receipt.channel === 'cash') ||
      exceedsDayLimitAlone(work, 'cash', amountCentavos)
    );
  },
  record: recordReceipt,
};

/** Returns the reference as it is compared; null for a channel that has none. */
export const keyOf = (reference: string | null | undefined) => (reference && referenceKey(reference)) || null;

/** Fails with `payment_known`, naming to staff the loan on which a payment with this reference counts. */
async function requireUnknown(reader: Reader, payment: Parameters<typeof findLoanOfReference>[1]) {
  const known = payment.referenceKey === null ? undefined : await findLoanOfReference(reader, payment);
  if (known) fail('payment_known', { message: records.paymentKnown(known) });
}

type Decided = {
  payment: Payment;
  valueDate?: ManilaDate | undefined;
  amount?: Centavos | undefined;
  note?: string | undefined;
  reason?: string | undefined;
  cashReturned?: boolean | undefined;
};

const ConfirmationTask = z.extend(PaymentTask, {
  paymentId: z.number(),
  isSameDay: z.boolean(),
  /** Absent in requests from the time when borrowers could not send a cash slip. */
  isCashSlip: z.optional(z.boolean()),
});

/**
 * Confirms a payment, possibly with another value date, and a borrower's own with another amount. A
 * confirmation beyond the limits of one person (§four-eyes) takes one person more.
 */
export const confirmationStep: LoanStep<Decided, z.output<typeof ConfirmationTask>, Payment> = {
  kind: 'confirmation',
  // A cashier, who may record cash, also confirms the cash that a borrower handed in.
  role: ({ isCashSlip }) => (isCashSlip ? 'cashier' : 'approver'),
  isDecision: true,
  barred: raisersOf,
  task: ConfirmationTask,
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
    // The recorder and the confirmer are the two people, or one person alone.
    const { recordedBy } = payment;
    const isOwn = recordedBy === author.actorId;
    const two = isOwn ? author : { ...author, actorId: recordedBy, approverId: author.actorId };
    return recordReceipt(work, { ...trial, author: two });
  },
};

/** True if the borrower sent the slip of a cash payment (§own-payments). */
const isCashSlip = (payment: Sender): boolean => payment.channel === 'cash' && isByBorrower(payment);

const confirmerOf = (payment: Sender) => (isCashSlip(payment) ? 'cashier' : 'approver');

type Sender = Pick<Payment, 'channel' | 'recordedBy' | 'accountId'>;

export function requireUndecided({ status }: Payment): void {
  if (status !== 'submitted') fail('payment_final', { present: { status } });
}

/**
 * Fails for a payment that cannot have come with another amount: only money that a borrower sent from
 * elsewhere can.
 */
function requireCorrectable(payment: Payment, amountCentavos: Centavos): void {
  if (!isByBorrower(payment) || payment.channel === 'wallet') refuseField('amount', 'amountNotCorrectable');
  if (amountCentavos > channelMaxCentavos(payment.channel)) refuseField('amount', 'instapayMax');
}

/** Bars the employees who raised by hand the wallet that a borrower pays from. */
export async function raisersOf({ deps, reader }: Pick<LoanContext, 'deps' | 'reader'>, payment?: Sender) {
  if (payment?.channel !== 'wallet' || !isByBorrower(payment)) return {};
  const barred = await readRaisers(reader, payment.accountId, accessChangesSince(deps.clock.now()));
  return { barred, told: { message: records.ownRaisePays } };
}

/**
 * True if the actor has lately changed the account's phone, password, code or bank: they may be acting as the
 * borrower.
 */
async function hasChangedAccess(deps: Deps, reader: Reader, actorId: number, accountId: number) {
  const changes = await readAccessChanges(reader, accountId, accessChangesSince(deps.clock.now()));
  return changes.some((change) => change.actorId === actorId && change.what !== 'balance');
}

/**
 * True if a receipt is more than one person may bring in, together with those that they brought in on the loan today
 * without a second: the limits of one person are for a whole day. `counts` names those that the amount adds up with.
 */
function exceedsLoanLimitAlone(
  work: LoanContext,
  amountCentavos: Centavos,
  { before, after }: Effect,
  counts: (receipt: LoanEventRow) => boolean,
): boolean {
  // A payment of an earlier day changes the allocation of later ones, so all the credit that it causes
  // counts.
  const credit = after.credited - before.credited;
  const isSettled = after.settledOn !== undefined && before.settledOn === undefined;
  const own = aloneToday(work);
  const receipts = own.filter(({ kind }) => kind === 'receipt');
  const amountOf = (rows: readonly LoanEventRow[]) => sum(rows.map((row) => row.amountCentavos ?? 0));
  const credited = sum(
    after.receipts
      .filter(({ ofEvent }) => receipts.some(({ sequence }) => sequence === ofEvent))
      .map((receipt) => receipt.credit),
  );
  const refunded = amountOf(own.filter(({ kind, isAuto }) => kind === 'refund' && isAuto));
  return (
    isSettled ||
    amountCentavos + amountOf(receipts.filter(counts)) > limits.cashAloneMaxCentavos ||
    (credit > 0 && credit + Math.max(credited, refunded) > limits.creditAloneMaxCentavos)
  );
}

/**
 * Records a payment. Cash and money from the wallet count at once, unless they take a second person; other payments
 * wait for confirmation by somebody else.
 */
export async function recordPayment(work: LoanWork, form: PaymentRecord): Promise<Payment | AwaitsApproval> {
  const { channel, reason = '' } = form;
  if (channel === 'wallet' && !reason) refuseField('reason', 'reasonRequired');
  const trial = await tryStep(paymentStep, work, form);
  const { isAlone } = trial.author;
  const stored = await storePayment({ ...work, isAlone }, trial.task, form);
  if (!countsAtOnce(channel)) return stored;
  return recordStep(paymentStep, work, { ...trial, task: { ...trial.task, paymentId: stored.id } });
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
    referenceKey: keyOf(reference),
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

const proofId = (url: string) => /^\/api\/files\/([\w-]+)$/.exec(url)?.[1] ?? '';

/**
 * The proof of a payment: uploaded by the person who records it, and not the proof of another payment. Fails with
 * `foreign_document` and with `validation_failed`, naming to staff the other payment's loan.
 */
async function requireProof(deps: Deps, reader: Reader, { account }: Caller, id: string): Promise<void> {
  await requireAttachable(deps, reader, account, [id], { isLocking: false, field: 'proofUrl' });
  const loanNumber = await findLoanProvedBy(reader, id);
  if (loanNumber === undefined) return;
  if (!account.isAdmin) refuseField('proofUrl', 'proofUsed');
  const message = records.proofUsed(loanNumber);
  fail('validation_failed', { message, fields: { proofUrl: message } });
}

/** Checked again: another payment may have used the picture, or the same one uploaded twice, before it was locked. */
async function lockProof({ deps, tx, actor }: Act, url: string): Promise<string> {
  const id = proofId(url);
  await lockSamePictures(tx, id);
  await requireProof(deps, tx, actor, id);
  return id;
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

export async function paymentOf(
  reader: Reader,
  { paymentId }: { paymentId?: number | undefined },
): Promise<Payment> {
  return (paymentId === undefined ? undefined : await findPayment(reader, paymentId)) ?? fail('not_found');
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

const ReversalTask = z.object({
  paymentId: z.number(),
  amountCentavos: taskFields.amount,
  valueDate: taskFields.day,
  reason: z.string(),
  note: z.optional(z.string()),
  isCashReturned: z.optional(z.boolean()),
});

/** Reverses a receipt. The refund of its credit stays, and is owed. The borrower reads the note; the reason is for staff. */
export const paymentReversalStep: LoanStep<Decided, z.output<typeof ReversalTask>, Payment> = {
  kind: 'payment_reversal',
  role: 'cashier',
  task: ReversalTask,
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
  if (!mayAsk(account, 'approver') && !mayAsk(account, 'cashier')) return total(groups);
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
    if (mayAsk(account, role) && turnOf(employee, able[role], bars) !== 'refused') own.push(group);
  }
  return total(own);
}
