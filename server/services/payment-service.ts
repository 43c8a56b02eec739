import type { output } from 'zod/mini';
import {
  type PaymentForm,
  type PaymentsQuery,
  type PaymentUpdate,
  receipt as printedReceipt,
} from '#contract/servicing.ts';
import { records } from '#contract/wording/records.ts';
import { formatManilaDate, type ManilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { formatPeso, pesosText } from '#domain/money.ts';
import { recordNumber } from '#domain/record-number.ts';
import { type PaymentStatus, referenceKey } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { countApprovers, type ListPage, readNamesOf } from '#server/store/account-store.ts';
import { closeApprovalOf } from '#server/store/approval-store.ts';
import {
  changePayment,
  findPayment,
  insertPayment,
  numberPayment,
  type Payment,
  readPaymentPage,
} from '#server/store/payment-store.ts';
import { fileUrl } from './account-view.ts';
import { audit } from './audit-service.ts';
import { marksOf } from './disbursement-service.ts';
import { auditedTask, requireNotOwnAccount, requireRole, type Task, withFourEyes } from './four-eyes.ts';
import {
  type Author,
  applicationOf,
  type EventDraft,
  foldWith,
  isLongAgo,
  type LoanWork,
  lockServicedLoan,
  type Outcome,
  recordEvent,
  type ServicedLoan,
  valueDateOf,
} from './loan-servicing.ts';
import { tellBorrower } from './notice-service.ts';
import { requireAttachable } from './profile-service.ts';
import type { Staff } from './session-service.ts';
import { pagesOf } from './staff-list-service.ts';

export type RecordedPayment = output<typeof PaymentForm>;
export type PaymentTask = Task & { kind: 'payment'; paymentId: number };
export type PaymentReversalTask = Task & {
  kind: 'payment_reversal';
  paymentId: number;
  valueDate: ManilaDate;
  reason: string;
};

/**
 * Writes down that money was paid on a loan. Cash and money from the wallet count at once, unless they take a second person;
 * the rest waits for somebody else to confirm it. Fails with `not_found`, `not_disbursed`, `payment_known`,
 * `insufficient_funds` and `role_missing`.
 */
export async function recordPayment(deps: Deps, tx: Tx, staff: Staff, loanId: number, form: RecordedPayment) {
  const serviced = await lockServicedLoan(tx, loanId);
  const work = { deps, tx, staff, serviced };
  const { channel } = form;
  const { receipt, outcome, counts, takesTwo } = planPayment(work, form);
  const { valueDate } = receipt;
  if (channel === 'wallet' && !form.reason) refuseField('reason', 'reasonRequired');
  const now = deps.clock.now();
  const payment = await insertPayment(tx, {
    loanId,
    accountId: serviced.loan.accountId,
    amountCentavos: form.amount,
    channel,
    reference: form.reference ?? null,
    referenceKey: (form.reference && referenceKey(form.reference)) || null,
    valueDate,
    isSettlement: form.settlement ?? false,
    reason: form.reason ?? '',
    proofFileId: form.proofUrl === undefined ? null : await lockProof(deps, tx, staff, form.proofUrl),
    status: 'submitted',
    recordedBy: staff.account.id,
    createdAt: now,
    updatedAt: now,
  });
  await audit(deps, tx, staff, {
    action: 'payment_recorded',
    on: { loan: loanId },
    after: { paymentId: payment.id, amount: pesosText(form.amount), channel, valueDate },
  });
  if (!counts) return payment;
  const task: PaymentTask = { kind: 'payment', paymentId: payment.id };
  return withFourEyes(work, { task, takesTwo }, (author) => bookPayment(work, payment, author, outcome));
}

/**
 * The receipt that a payment would be, and whether it counts without being confirmed. Fails as `recordPayment` does, apart
 * from what only the database knows.
 */
export function planPayment(
  { deps, staff, serviced }: LoanWork<Reader>,
  form: Omit<RecordedPayment, 'reason'>,
) {
  requireRole(staff, 'cashier');
  const { amount, channel } = form;
  const valueDate = valueDateOf(deps, serviced, form.valueDate);
  const isSettlement = form.settlement ?? false;
  const receipt = receiptOf({ amountCentavos: amount, channel, valueDate, isSettlement });
  const outcome = foldWith(serviced, receipt);
  const expected = applicationOf(outcome);
  const takesTwo =
    isLongAgo(deps, valueDate) ||
    (channel === 'cash' &&
      (amount > limits.cashAloneMaxCentavos ||
        expected.settles ||
        expected.credit > limits.creditAloneMaxCentavos));
  return { receipt, outcome, counts: channel === 'cash' || channel === 'wallet', takesTwo };
}

/** The picture that proves a payment, which whoever records it has just uploaded. Fails with `foreign_document`. */
async function lockProof(deps: Deps, tx: Tx, { account }: Staff, url: string): Promise<string> {
  const [, id = ''] = /^\/api\/files\/([\w-]+)$/.exec(url) ?? [];
  await requireAttachable(deps, tx, account, [id]);
  return id;
}

/** Makes a receipt of a payment that waits: it counts from its value date on. `planned` is the fold with it. */
export async function bookPayment(
  work: LoanWork,
  payment: Payment,
  author: Author,
  planned?: Outcome,
): Promise<Payment> {
  const { deps, tx, staff, serviced } = work;
  if (payment.status !== 'submitted') fail('payment_final');
  const now = deps.clock.now();
  const draft = { ...receiptOf(payment), paymentId: payment.id, reason: payment.reason };
  const outcome = planned ?? foldWith(serviced, draft);
  const application = applicationOf(outcome);
  await recordEvent(work, author, draft, outcome);
  // Last of all, since everybody else's receipts wait for who takes a number.
  const booked = await numberPayment(tx, payment.id, {
    status: 'confirmed',
    valueDate: payment.valueDate,
    application: printedReceipt.parse(application),
    receiptYear: manilaYear(now),
    confirmedBy: staff.account.id,
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
      valueDate: payment.valueDate,
      ...marksOf(author),
    },
  });
  await tellBorrower(deps, tx, serviced.loan.accountId, 'payment_received', {
    loanNumber: serviced.loan.loanNumber,
    amount: formatPeso(payment.amountCentavos),
    date: formatManilaDate(payment.valueDate),
    receipt: number ?? '',
    ...(application.credit > 0 && { credit: formatPeso(application.credit) }),
    ...(payment.channel === 'wallet' && { reason: payment.reason }),
  });
  return booked;
}

/**
 * Confirms or rejects a payment that waits, or reverses one that counted. Fails with `not_found`, `payment_final`,
 * `already_reversed`, `own_request` and `role_missing`.
 */
export async function updatePayment(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  id: number,
  update: output<typeof PaymentUpdate>,
) {
  const found = (await findPayment(tx, id)) ?? fail('not_found');
  const work = { deps, tx, staff, serviced: await lockServicedLoan(tx, found.loanId) };
  // Read again: whoever held the loan may have decided it.
  const payment = (await findPayment(tx, id)) ?? fail('not_found');
  if (update.status === 'reversed') {
    const task = planReversal(work, payment, update);
    if (!update.reason) refuseField('reason', 'reasonRequired');
    return withFourEyes(work, { task, takesTwo: true }, (author) =>
      reversePayment(work, payment, task, author),
    );
  }
  requireRole(staff, 'approver');
  if (payment.status !== 'submitted') fail('payment_final', { present: { status: payment.status } });
  await closeApprovalOf(tx, id, {
    decision: update.status === 'confirmed' ? 'approved' : 'rejected',
    decidedBy: staff.account.id,
    decidedAt: deps.clock.now(),
    reason: update.reason ?? '',
  });
  if (update.status === 'rejected') return rejectPayment(work, payment, update.reason);
  const { valueDate, isOwn } = await planConfirmation(work, payment, update.valueDate);
  const author = {
    actorId: payment.recordedBy,
    ...(!isOwn && { approverId: staff.account.id }),
    isAlone: isOwn,
  };
  return bookPayment(work, { ...payment, valueDate }, author);
}

/** Fails as confirming a payment does. `isOwn`: whoever recorded it is alone in confirming it. */
export async function planConfirmation(
  work: LoanWork<Reader>,
  payment: Payment,
  valueDate: ManilaDate | undefined,
) {
  const { deps, tx, staff, serviced } = work;
  requireRole(staff, 'approver');
  if (payment.status !== 'submitted') fail('payment_final', { present: { status: payment.status } });
  const isOwn = payment.recordedBy === staff.account.id;
  if (isOwn && (await countApprovers(tx)) > 1) fail('own_request', { message: records.ownRequest });
  await requireNotOwnAccount(work);
  return { valueDate: valueDateOf(deps, serviced, valueDate ?? payment.valueDate), isOwn };
}

/** Fails as reversing a payment does, which always takes two. */
export function planReversal(
  { deps, staff, serviced }: LoanWork<Reader>,
  payment: Payment,
  { valueDate, reason = '' }: { valueDate?: ManilaDate | undefined; reason?: string | undefined },
): PaymentReversalTask {
  requireRole(staff, 'cashier');
  const present = { status: payment.status };
  if (payment.status === 'reversed') fail('already_reversed', { present });
  if (payment.status !== 'confirmed') fail('payment_final', { present });
  const day = valueDateOf(deps, serviced, valueDate);
  return { kind: 'payment_reversal', paymentId: payment.id, valueDate: day, reason };
}

/** Fails with `validation_failed` without a reason: the borrower reads it. */
export async function rejectPayment(
  { deps, tx, staff, serviced: { loan } }: LoanWork,
  payment: Payment,
  reason: string | undefined,
): Promise<Payment> {
  if (!reason) refuseField('reason', 'reasonRequired');
  const rejected = await changePayment(tx, payment.id, {
    status: 'rejected',
    reason,
    updatedAt: deps.clock.now(),
  });
  await audit(deps, tx, staff, {
    action: 'payment_rejected',
    on: { loan: loan.id },
    after: { paymentId: payment.id, amount: pesosText(payment.amountCentavos) },
  });
  await tellBorrower(deps, tx, loan.accountId, 'payment_rejected', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(payment.amountCentavos),
    reason,
  });
  return rejected;
}

/** Takes a receipt back. The refund of what it had left over stays, and is owed. */
export async function reversePayment(
  work: LoanWork,
  payment: Payment,
  task: PaymentReversalTask,
  author: Author,
): Promise<Payment> {
  const { deps, tx, staff, serviced } = work;
  if (payment.status === 'reversed') fail('already_reversed');
  await recordEvent(work, author, reversalDraft(serviced, payment, task));
  const { loan } = serviced;
  const reversed = await changePayment(tx, payment.id, { status: 'reversed', updatedAt: deps.clock.now() });
  await audit(deps, tx, staff, {
    action: 'payment_reversed',
    on: { loan: loan.id },
    after: {
      ...auditedTask(task),
      receipt: receiptNumberOf(payment),
      amount: pesosText(payment.amountCentavos),
      ...marksOf(author),
    },
  });
  await tellBorrower(deps, tx, loan.accountId, 'payment_reversed', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(payment.amountCentavos),
    receipt: receiptNumberOf(payment) ?? '',
    reason: task.reason,
  });
  return reversed;
}

export function reversalDraft(
  { rows }: ServicedLoan,
  { id }: Payment,
  { valueDate, reason }: PaymentReversalTask,
): EventDraft {
  const receipt = rows.find(({ kind, paymentId }) => kind === 'receipt' && paymentId === id);
  if (!receipt) throw new Error(`payment ${id} was confirmed without a receipt`);
  return { kind: 'reversal', valueDate, undoes: receipt.sequence, reason };
}

/** Everybody's payments, newest first, page by page: inputs of `PaymentReply`. */
export function listPayments(deps: Deps, query: output<typeof PaymentsQuery>) {
  const { from, to } = query;
  const channel = query.channel === 'all' ? undefined : query.channel;
  const read = async (reader: Reader, page: ListPage<PaymentStatus>) => {
    const rows = await readPaymentPage(reader, { ...page, channel, from, to });
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

/** `AR-2026-000123`; null until there is one. */
export function receiptNumberOf({ receiptYear, receiptSerial }: Payment): string | null {
  return receiptYear === null || receiptSerial === null
    ? null
    : recordNumber('AR', receiptYear, receiptSerial);
}

type Paid = Pick<Payment, 'amountCentavos' | 'channel' | 'valueDate' | 'isSettlement'>;

export const receiptOf = ({ amountCentavos, channel, valueDate, isSettlement }: Paid) =>
  ({ kind: 'receipt', amountCentavos, channel, valueDate, isSettlement }) satisfies EventDraft;
