import * as z from 'zod/mini';
import type { Lender } from '#contract/lender.ts';
import {
  type PaymentForm,
  type PaymentsQuery,
  type PaymentUpdate,
  type PrintedReceipt,
  receipt as receiptReply,
} from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { formatManilaDate, type ManilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso, pesosText } from '#domain/money.ts';
import { recordNumber } from '#domain/record-number.ts';
import {
  countsAtOnce,
  foldEvents,
  type PaymentChannel,
  type PaymentStatus,
  paymentChannels,
  referenceKey,
  refundToReturn,
  standingOn,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { type ListPage, readNamesOf } from '#server/store/account-store.ts';
import { lockSamePictures } from '#server/store/document-store.ts';
import {
  changePayment,
  findLoanOfReference,
  findLoanProvedBy,
  findPayment,
  insertPayment,
  numberPayment,
  type Payment,
  readPaymentPage,
} from '#server/store/payment-store.ts';
import { fileUrl } from './account-view.ts';
import { audit } from './audit-service.ts';
import { auditedTask, closeRequests, mayAnotherDecide, requireRole } from './four-eyes.ts';
import {
  type Author,
  aloneToday,
  applicationOf,
  type EventDraft,
  isLongAgo,
  type LoanWork,
  latestDayOf,
  lockServicedLoan,
  marksOf,
  recordEvent,
  valueDateOf,
} from './loan-events-service.ts';
import { tellBorrower } from './notice-service.ts';
import { requireAttachable } from './profile-service.ts';
import { type Awaiting, isAwaiting, kept, loanStep, type Trial } from './run-loan-step.ts';
import type { Staff } from './session-service.ts';
import { pagesOf } from './staff-list-service.ts';

export type PaymentRecord = z.output<typeof PaymentForm>;

const PaymentTask = z.object({
  /** Absent while a payment is only previewed. */
  paymentId: z.optional(z.number()),
  amountCentavos: kept.amount,
  channel: z.enum(paymentChannels),
  valueDate: kept.day,
  isSettlement: z.boolean(),
});
type PaymentTask = z.output<typeof PaymentTask>;

/** Makes a receipt of a payment, which counts from its value date on. */
const booking = {
  task: PaymentTask,
  draft: async ({ tx }: LoanWork<Reader>, task: PaymentTask): Promise<EventDraft> => {
    const { paymentId, amountCentavos, channel, valueDate, isSettlement } = task;
    const payment = paymentId === undefined ? undefined : await findPayment(tx, paymentId);
    if (payment && payment.status !== 'submitted')
      fail('payment_final', { present: { status: payment.status } });
    return {
      kind: 'receipt',
      ...{ amountCentavos, channel, valueDate, isSettlement },
      ...(payment && { paymentId: payment.id, reason: payment.reason }),
    };
  },
  run: async (work: LoanWork, task: PaymentTask, author: Author, trial: Trial): Promise<Payment> => {
    const { deps, tx, staff, serviced } = work;
    const payment = await paymentOf(tx, task);
    const { valueDate } = task;
    const now = deps.clock.now();
    const application = applicationOf(trial);
    const issue = await issueOf(work, payment, trial);
    // What covers an earlier refund stays as credit; only the rest goes into the wallet.
    const owedBefore = refundToReturn(foldEvents(trial.terms, serviced.events));
    const returned = centavos(Math.min(application.credit, owedBefore));
    const credit = centavos(application.credit - returned);
    await recordEvent(work, author, trial.draft, trial);
    // Taken last: while this transaction holds the year's row, no other receipt gets a number.
    const booked = await numberPayment(tx, payment.id, {
      status: 'confirmed',
      valueDate,
      application: { ...receiptReply.parse(application), issue },
      receiptYear: manilaYear(now),
      confirmedBy: staff.id,
      updatedAt: now,
    });
    const number = receiptNumberOf(booked);
    await audit(deps, tx, staff, {
      action: 'payment_confirmed',
      on: { loan: payment.loanId },
      after: {
        paymentId: payment.id,
        receipt: number,
        amount: pesosText(payment.amountCentavos),
        channel: payment.channel,
        valueDate,
        ...marksOf(author),
      },
    });
    await tellBorrower(deps, tx, serviced.loan.accountId, 'payment_received', {
      loanNumber: serviced.loan.loanNumber,
      amount: formatPeso(payment.amountCentavos),
      date: formatManilaDate(valueDate),
      receipt: number ?? '',
      ...(returned > 0 && { returned: formatPeso(returned) }),
      ...(credit > 0 && { credit: formatPeso(credit) }),
      ...(payment.channel === 'wallet' && { reason: payment.reason }),
    });
    return booked;
  },
};

async function issueOf(
  { deps, tx, staff }: LoanWork,
  { channel, recordedBy, accountId }: Payment,
  { terms, all }: Trial,
): Promise<NonNullable<PrintedReceipt['issue']>> {
  const date = latestDayOf(deps, terms);
  const { account } = standingOn(foldEvents(terms, all, date), date);
  const { principalLeft, interestLeft, lateChargesOwed, refundToReturn, dueNow } = account;
  const { nextDueDate, nextDueAmount } = account;
  const nameOf = await readNamesOf(tx, [recordedBy, staff.id]);
  const last = all.at(-1);
  return {
    date,
    place: placeOf(deps.config.lender, channel),
    recordedBy: recordedBy === accountId ? null : nameOf(recordedBy),
    confirmedBy: recordedBy === staff.id ? null : nameOf(staff.id),
    left: pesosText(centavos(principalLeft + interestLeft + lateChargesOwed + refundToReturn)),
    lateCharges: pesosText(lateChargesOwed),
    toReturn: pesosText(refundToReturn),
    dueNow: pesosText(dueNow),
    toWallet: pesosText(last?.kind === 'refund' ? last.amountCentavos : centavos(0)),
    next: nextDueDate && { date: nextDueDate, amount: pesosText(nextDueAmount) },
  };
}

/** Cash is taken at a branch: which one is not known where there are several. Else it is the lender's own address. */
function placeOf({ name, address, branches = [] }: Lender, channel: PaymentChannel): string {
  if (channel !== 'cash' || branches.length === 0) return `${name}, ${address}`;
  const [branch, ...others] = branches;
  return others.length > 0 ? name : [name, branch?.name, branch?.address].join(', ');
}

/** A payment recorded by staff. Cash and money from the wallet count without confirmation. */
export const payment = loanStep({
  ...booking,
  kind: 'payment',
  asker: 'cashier',
  async plan({ deps, tx, staff, serviced }, form: Omit<PaymentRecord, 'reason'>): Promise<PaymentTask> {
    const { amount: amountCentavos, channel, reference, settlement: isSettlement = false } = form;
    const valueDate = valueDateOf(deps, serviced, form.valueDate);
    const key = reference && referenceKey(reference);
    const known = key ? await findLoanOfReference(tx, channel, key) : undefined;
    if (known) fail('payment_known', { message: records.paymentKnown(known) });
    if (form.proofUrl) await requireProof(deps, tx, staff, proofId(form.proofUrl));
    return { amountCentavos, channel, valueDate, isSettlement };
  },
  needsApproval(work, { channel, valueDate, amountCentavos }, trial) {
    if (!countsAtOnce(channel)) return false;
    if (channel === 'wallet' || isLongAgo(work.deps, valueDate)) return true;
    // A payment of an earlier day changes the allocation of later ones, so all credit that it causes counts.
    const before = foldEvents(trial.terms, work.serviced.events);
    const credit = trial.fold.credited - before.credited;
    const isSettled = trial.fold.settledOn !== undefined && before.settledOn === undefined;
    const alone = receiptsAloneToday(work, trial);
    return (
      isSettled ||
      amountCentavos + alone.cash > limits.cashAloneMaxCentavos ||
      (credit > 0 && credit + alone.credit > limits.creditAloneMaxCentavos)
    );
  },
});

type Decided = { payment: Payment; valueDate?: ManilaDate | undefined; reason?: string | undefined };

const ConfirmationTask = z.extend(PaymentTask, { paymentId: z.number(), isSameDay: z.boolean() });

/** Confirms a payment, possibly with another value date. An earlier day than recorded takes one more person. */
export const confirmation = loanStep<Decided, z.output<typeof ConfirmationTask>, Payment>({
  kind: 'confirmation',
  asker: 'approver',
  task: ConfirmationTask,
  async plan({ deps, tx, staff, serviced }, { payment, valueDate }) {
    const { id: paymentId, status, recordedBy, amountCentavos, channel, isSettlement } = payment;
    if (status !== 'submitted') fail('payment_final', { present: { status } });
    if (recordedBy === staff.id) await requireNobodyElse(tx, { askedBy: staff.id, paymentId });
    const day = valueDateOf(deps, serviced, valueDate ?? payment.valueDate);
    return {
      paymentId,
      amountCentavos,
      channel,
      valueDate: day,
      isSettlement,
      isSameDay: day === payment.valueDate,
    };
  },
  draft: booking.draft,
  needsApproval: ({ deps }, { valueDate, isSameDay }) => !isSameDay && isLongAgo(deps, valueDate),
  async run(work, task, author, trial) {
    const { recordedBy } = await paymentOf(work.tx, task);
    // The recorder and the confirmer are the two people, or one person alone.
    const isOwn = recordedBy === author.actorId;
    const two = isOwn ? { isAlone: true } : { actorId: recordedBy, approverId: author.actorId };
    return booking.run(work, task, author.approverId === undefined ? { ...author, ...two } : author, trial);
  },
});

/** What this person received on the loan today without anybody else: the limits of one person are for a whole day. */
function receiptsAloneToday(work: LoanWork<Reader>, { fold }: Trial) {
  const own = aloneToday(work).filter(({ kind }) => kind === 'receipt');
  const refunds = aloneToday(work).filter(({ kind, isAuto }) => kind === 'refund' && isAuto);
  const credits = fold.receipts.filter(({ ofEvent }) => own.some(({ sequence }) => sequence === ofEvent));
  return {
    cash: own.reduce(
      (sum, { channel, amountCentavos }) => sum + (channel === 'cash' ? (amountCentavos ?? 0) : 0),
      0,
    ),
    credit: Math.max(
      credits.reduce((sum, { credit }) => sum + credit, 0),
      refunds.reduce((sum, { amountCentavos }) => sum + (amountCentavos ?? 0), 0),
    ),
  };
}

/**
 * Records a payment. Cash and money from the wallet count at once, unless they take a second person; other payments
 * wait for confirmation by somebody else. Fails with `not_found`, `not_disbursed`, `payment_known`,
 * `insufficient_funds` and `role_missing`.
 */
export async function recordPayment(work: LoanWork, form: PaymentRecord): Promise<Payment | Awaiting> {
  const { deps, tx, staff, serviced } = work;
  const { channel, reference, reason = '' } = form;
  if (channel === 'wallet' && !reason) refuseField('reason', 'reasonRequired');
  const prepared = await payment.prepare(work, form);
  const { valueDate, isSettlement, amountCentavos } = prepared.task;
  const now = deps.clock.now();
  const proofFileId = form.proofUrl === undefined ? null : await lockProof(deps, tx, staff, form.proofUrl);
  const recorded = await insertPayment(tx, {
    loanId: serviced.loan.id,
    accountId: serviced.loan.accountId,
    ...{ amountCentavos, channel, valueDate, isSettlement, reason },
    reference: reference ?? null,
    referenceKey: (reference && referenceKey(reference)) || null,
    proofFileId,
    status: 'submitted',
    recordedBy: staff.id,
    createdAt: now,
    updatedAt: now,
  });
  await audit(deps, tx, staff, {
    action: 'payment_recorded',
    on: { loan: recorded.loanId },
    after: { paymentId: recorded.id, amount: pesosText(amountCentavos), channel, valueDate },
  });
  if (!countsAtOnce(channel)) return recorded;
  const { id: paymentId } = recorded;
  const draft = { ...prepared.trial.draft, paymentId, reason };
  return payment.finish(work, {
    ...prepared,
    task: { ...prepared.task, paymentId },
    trial: { ...prepared.trial, draft },
  });
}

const proofId = (url: string) => /^\/api\/files\/([\w-]+)$/.exec(url)?.[1] ?? '';

/**
 * The proof of a payment: uploaded by the person who records it, and not the proof of another payment. Fails with
 * `foreign_document` and with `validation_failed`, naming the other payment's loan.
 */
async function requireProof(deps: Deps, handle: Reader, { account }: Staff, id: string): Promise<void> {
  await requireAttachable(deps, handle, account, [id], { isLocking: false });
  const loanNumber = await findLoanProvedBy(handle, id);
  if (loanNumber === undefined) return;
  const message = records.proofUsed(loanNumber);
  fail('validation_failed', { message, fields: { proofUrl: message } });
}

/** Checked again: another payment may have used the picture, or the same one uploaded twice, before it was locked. */
async function lockProof(deps: Deps, tx: Tx, staff: Staff, url: string): Promise<string> {
  const id = proofId(url);
  await lockSamePictures(tx, id);
  await requireProof(deps, tx, staff, id);
  return id;
}

/**
 * Confirms or rejects a waiting payment, or reverses a confirmed one. Fails with `not_found`, `payment_final`,
 * `already_reversed`, `own_request` and `role_missing`.
 */
export async function updatePayment(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  id: number,
  { status, valueDate, reason }: z.output<typeof PaymentUpdate>,
) {
  const { loanId } = (await findPayment(tx, id)) ?? fail('not_found');
  // Whatever became of its loan, a payment can be rejected.
  const work = { deps, tx, staff, serviced: await lockServicedLoan(tx, loanId, status === 'rejected') };
  // Read again: somebody may have decided it before the loan was locked.
  const payment = await paymentOf(tx, { paymentId: id });
  switch (status) {
    case 'confirmed': {
      const done = await confirmation.take(work, { payment, valueDate });
      if (!isAwaiting(done)) await closeRequestsOf(work, id, 'approved');
      return done;
    }
    case 'reversed':
      if (!reason) refuseField('reason', 'reasonRequired');
      return paymentReversal.take(work, { payment, valueDate, reason });
    case 'rejected':
      requireRole(staff, 'approver');
      if (payment.recordedBy === staff.id) await requireNobodyElse(tx, { askedBy: staff.id, paymentId: id });
      await closeRequestsOf(work, id, 'rejected', reason);
      return rejectPayment(work, payment, reason);
  }
}

/** Fails with `own_request` if the decider asked for it or recorded it, while somebody else may decide. */
export async function requireNobodyElse(
  handle: Reader,
  request: { askedBy: number; paymentId?: number | undefined },
): Promise<void> {
  if (await mayAnotherDecide(handle, request)) fail('own_request', { message: records.ownRequest });
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
  handle: Reader,
  { paymentId }: { paymentId?: number | undefined },
): Promise<Payment> {
  return (paymentId === undefined ? undefined : await findPayment(handle, paymentId)) ?? fail('not_found');
}

/** Fails with `validation_failed` without a reason, which the borrower reads, and with `payment_final`. */
export async function rejectPayment(
  { deps, tx, staff, serviced: { loan } }: LoanWork,
  { id, status, amountCentavos }: Payment,
  reason: string | undefined,
): Promise<Payment> {
  if (status !== 'submitted') fail('payment_final', { present: { status } });
  if (!reason) refuseField('reason', 'reasonRequired');
  const rejected = await changePayment(tx, id, { status: 'rejected', reason, updatedAt: deps.clock.now() });
  await audit(deps, tx, staff, {
    action: 'payment_rejected',
    on: { loan: loan.id },
    after: { paymentId: id, amount: pesosText(amountCentavos) },
  });
  await tellBorrower(deps, tx, loan.accountId, 'payment_rejected', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(amountCentavos),
    reason,
  });
  return rejected;
}

/** Reverses a receipt. The refund of its credit stays, and is owed. */
export const paymentReversal = loanStep({
  kind: 'payment_reversal',
  asker: 'cashier',
  task: z.object({
    paymentId: z.number(),
    amountCentavos: kept.amount,
    valueDate: kept.day,
    reason: z.string(),
  }),
  plan: ({ deps, serviced }, { payment, valueDate, reason = '' }: Decided) => ({
    paymentId: payment.id,
    amountCentavos: payment.amountCentavos,
    valueDate: valueDateOf(deps, serviced, valueDate),
    reason,
  }),
  async draft({ tx, serviced: { rows } }, { paymentId, valueDate, reason }) {
    const { status } = await paymentOf(tx, { paymentId });
    if (status === 'reversed') fail('already_reversed', { present: { status } });
    if (status !== 'confirmed') fail('payment_final', { present: { status } });
    const receipt = rows.find((row) => row.kind === 'receipt' && row.paymentId === paymentId);
    if (!receipt) throw new Error(`payment ${paymentId} was confirmed without a receipt`);
    return { kind: 'reversal', valueDate, undoes: receipt.sequence, reason };
  },
  needsApproval: () => true,
  async run(work, task, author, trial) {
    const { deps, tx, staff, serviced } = work;
    const payment = await paymentOf(tx, task);
    await recordEvent(work, author, trial.draft, trial);
    const { loan } = serviced;
    const reversed = await changePayment(tx, payment.id, { status: 'reversed', updatedAt: deps.clock.now() });
    await audit(deps, tx, staff, {
      action: 'payment_reversed',
      on: { loan: loan.id },
      after: { ...auditedTask(task), receipt: receiptNumberOf(payment), ...marksOf(author) },
    });
    await tellBorrower(deps, tx, loan.accountId, 'payment_reversed', {
      loanNumber: loan.loanNumber,
      amount: formatPeso(payment.amountCentavos),
      receipt: receiptNumberOf(payment) ?? '',
      reason: task.reason,
    });
    return reversed;
  },
});

/** Everybody's payments, newest first, page by page: inputs of `PaymentReply`. */
export function listPayments(deps: Deps, query: z.output<typeof PaymentsQuery>) {
  const { from, to, receivedOn, by } = query;
  const channel = query.channel === 'all' ? undefined : query.channel;
  const read = async (reader: Reader, page: ListPage<PaymentStatus>) => {
    const rows = await readPaymentPage(reader, { ...page, channel, from, to, receivedOn, by });
    const people = rows.flatMap(({ payment }) => [payment.recordedBy, payment.confirmedBy]);
    const nameOf = await readNamesOf(reader, people);
    return rows.map(({ payment, loanNumber, member }) => ({
      ...viewPayment(payment),
      loanNumber,
      user: member,
      recordedByName: nameOf(payment.recordedBy),
      confirmedByName: payment.confirmedBy === null ? null : nameOf(payment.confirmedBy),
    }));
  };
  return pagesOf(deps, query, read, ({ id }) => id);
}

/** Input of `PaymentReply`. */
export function viewPayment(payment: Payment) {
  return {
    ...payment,
    amount: payment.amountCentavos,
    settlement: payment.isSettlement,
    proofUrl: fileUrl(payment.proofFileId),
    receiptNumber: receiptNumberOf(payment),
  };
}

export function receiptNumberOf({ receiptYear, receiptSerial }: Payment): string | null {
  return receiptYear === null || receiptSerial === null
    ? null
    : recordNumber('AR', receiptYear, receiptSerial);
}
