import type { output } from 'zod/mini';
import { servicingTerms } from '#contract/contract-terms.ts';
import type { LoanPreviewForm } from '#contract/servicing.ts';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { refundOf } from '#domain/event-refusal.ts';
import { walletMovements } from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import {
  foldEvents,
  type LoanEvent,
  lateChargeReasons,
  position,
  referenceKey,
  settlementOn,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countApprovers, findAccount, readNamesOf } from '#server/store/account-store.ts';
import { readApprovals } from '#server/store/approval-store.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { findPayment, isReferenceKnown, readPaymentsOf } from '#server/store/payment-store.ts';
import { paymentOfTask, taskOf } from './approval-service.ts';
import {
  cancellationDraft,
  disbursementDraft,
  planDisbursement,
  requireDisbursable,
} from './disbursement-service.ts';
import { loanActionDraft, planLoanAction } from './loan-action-service.ts';
import { findReadableLoan } from './loan-papers.ts';
import {
  agreedQuote,
  type EventDraft,
  foldWith,
  type LoanWork,
  readServicedLoan,
  type ServicedLoan,
} from './loan-servicing.ts';
import {
  planConfirmation,
  planPayment,
  planReversal,
  receiptOf,
  reversalDraft,
  viewPayment,
} from './payment-service.ts';
import type { Caller, Staff } from './session-service.ts';

/**
 * Where a loan stands at the end of a day, today unless told otherwise: input of `LoanAccountReply`. For all but its borrower
 * and staff it is not there.
 */
export async function readLoanAccount(deps: Deps, reader: Caller, loanId: number, asOf?: ManilaDate) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  return deps.database.snapshot(async (handle) =>
    viewLoanAccount(deps, handle, reader, await readServicedLoan(handle, loan), asOf),
  );
}

/** What pays the whole loan off on a day: input of `SettlementReply`. Fails with `not_disbursed` and `loan_closed`. */
export async function readSettlement(deps: Deps, reader: Caller, loanId: number, given?: ManilaDate) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const today = manilaDate(deps.clock.now());
  const date = given ?? today;
  if (date > addDays(today, limits.settlementAheadDays)) refuseField('date', 'settlementTooFarAhead');
  const { terms, events, stored } = await deps.database.snapshot((handle) => readServicedLoan(handle, loan));
  if (!terms || stored?.state === 'cancelled') fail('not_disbursed');
  if (date < terms.startDate) refuseField('date', 'dateBeforeDisbursement');
  return settlementOn(terms, events, date) ?? fail('loan_closed');
}

/** The account as it is inside a transaction that has just changed it. */
export async function viewLoanAccount(
  deps: Deps,
  handle: Reader,
  reader: Caller,
  serviced: ServicedLoan,
  asOf: ManilaDate = manilaDate(deps.clock.now()),
) {
  const { loan, rows, stored } = serviced;
  // Not disbursed: its instalments as they were agreed, counted from the application.
  const terms =
    serviced.terms ?? servicingTerms((await agreedQuote(handle, loan)).quote, manilaDate(loan.createdAt));
  const isStaff = reader.account.isAdmin;
  const payments = await readPaymentsOf(handle, loan.id);
  const actors = rows.flatMap(({ actorId, approverId }) => [actorId, approverId]);
  const people = isStaff ? [...actors, ...payments.map(({ recordedBy }) => recordedBy)] : [];
  const nameOf = await readNamesOf(handle, people);
  const reversed = new Set(rows.flatMap(({ kind, undoes }) => (kind === 'disbursement' ? [] : [undoes])));
  return {
    ...position(terms, serviced.events, asOf),
    loanId: loan.id,
    loanNumber: loan.loanNumber,
    disbursedOn: stored?.disbursedOn ?? null,
    servicing: {
      lateChargeRate: terms.lateChargeRate / 100,
      graceDays: terms.graceDays,
      lateChargeCapPercent: terms.lateChargeCap / 100,
      coolingOffDays: terms.coolingOffDays,
    },
    lateCharges: lateChargeReasons(terms, serviced.events, asOf),
    payments: payments.map((payment) => {
      const { reason, proofUrl, recordedBy, ...view } = viewPayment(payment);
      return isStaff ? { ...view, reason, proofUrl, recordedBy, by: nameOf(recordedBy) } : view;
    }),
    events: rows.map(({ reason, reference, isAlone, ...row }) => ({
      ...row,
      date: row.valueDate,
      amount: row.amountCentavos,
      auto: row.isAuto,
      reverses: row.kind === 'disbursement' ? null : row.undoes,
      isReversed: reversed.has(row.sequence),
      ...(isStaff && {
        reason,
        reference,
        by: nameOf(row.actorId),
        ...(row.approverId !== null && { approvedBy: nameOf(row.approverId) }),
        isAlone,
      }),
    })),
    ...(isStaff && { loan: await viewLoanForStaff(handle, loan) }),
  };
}

async function viewLoanForStaff(handle: Reader, loan: Loan) {
  const waiting = await readApprovals(handle, { isOpen: true, loanId: loan.id });
  const member = await findAccount(handle, loan.accountId);
  return {
    status: loan.status,
    amount: loan.amountCentavos,
    termMonths: loan.termMonths,
    monthlyPayment: loan.monthlyPaymentCentavos,
    waiting: waiting.length,
    user: {
      id: loan.accountId,
      fullName: member?.fullName ?? '',
      phone: member?.phone ?? '',
      balance: centavos(member?.balanceCentavos ?? 0),
    },
  };
}

type LoanStep = output<typeof LoanPreviewForm>;

/** What a step would make of a loan, folded and not written: input of `LoanPreviewReply`. Fails as the step would. */
export async function previewLoan(deps: Deps, staff: Staff, loanId: number, step: LoanStep) {
  const { loan } = await findReadableLoan(deps, staff, loanId);
  return deps.database.snapshot(async (handle) => {
    const serviced = await readServicedLoan(handle, loan);
    const work = { deps, tx: handle, staff, serviced };
    const { draft, takesTwo, counts = true } = await draftOfStep(work, step);
    const { quote } = await agreedQuote(handle, loan);
    const agreed = serviced.terms ?? servicingTerms(quote, manilaDate(loan.createdAt));
    const balance = (await findAccount(handle, loan.accountId))?.balanceCentavos ?? 0;
    const today = manilaDate(deps.clock.now());
    const standing = (terms: ServicingTerms, events: readonly LoanEvent[], walletBalance: number) => {
      const { account, instalments } = position(terms, events, today);
      return { account, instalments, walletBalance: centavos(walletBalance) };
    };
    const before = standing(agreed, serviced.events, balance);
    if (draft.kind === 'disbursement') serviced.terms = servicingTerms(quote, draft.valueDate);
    const terms = serviced.terms ?? fail('not_disbursed');
    const { event, events, fold } = foldWith(serviced, draft);
    const over = event.kind === 'receipt' ? refundOf(terms, events, event, fold) : undefined;
    const refund = { kind: 'refund', sequence: event.sequence + 1, auto: true } as const;
    const all: LoanEvent[] = over
      ? [...events, { ...refund, date: over.date, amountCentavos: over.amount }]
      : events;
    const moved = walletMovements(terms, all).filter(({ ofEvent }) => ofEvent >= event.sequence);
    const balanceAfter = moved.reduce((sum, { amount }) => sum + amount, balance);
    if (balanceAfter < 0 && draft.kind === 'cancellation') fail('already_withdrawn');
    if (balanceAfter < 0) fail('insufficient_funds', { status: 409 });
    const receipt = foldEvents(terms, all).receipts.find(({ ofEvent }) => ofEvent === event.sequence);
    const hasTwo = (await countApprovers(handle)) > 1;
    return {
      date: event.date,
      waitsFor: !counts ? ('confirmation' as const) : takesTwo && hasTwo ? ('approval' as const) : null,
      isAlone: takesTwo && !hasTwo,
      before,
      after: standing(terms, all, balanceAfter),
      ...(receipt && { receipt }),
    };
  });
}

type DraftedStep = { draft: EventDraft; takesTwo: boolean; counts?: boolean };

async function draftOfStep(work: LoanWork<Reader>, form: LoanStep): Promise<DraftedStep> {
  const { tx, serviced } = work;
  switch (form.step) {
    case 'disbursement': {
      const { task, takesTwo } = await planDisbursement(work, form);
      return { draft: disbursementDraft(work, task), takesTwo };
    }
    case 'cancellation':
      return { draft: cancellationDraft(work), takesTwo: false };
    case 'payment': {
      const { receipt: draft, ...plan } = planPayment(work, form);
      const key = form.reference && referenceKey(form.reference);
      if (key && (await isReferenceKnown(tx, form.channel, key))) fail('payment_known');
      return { draft, ...plan };
    }
    case 'payment_update': {
      const payment = await findPayment(tx, form.paymentId);
      if (payment?.loanId !== serviced.loan.id) fail('not_found');
      if (form.status === 'reversed') {
        const task = planReversal(work, payment, form);
        return { draft: reversalDraft(serviced, payment, task), takesTwo: true };
      }
      const { valueDate, isOwn } = await planConfirmation(work, payment, form.valueDate);
      return { draft: receiptOf({ ...payment, valueDate }), takesTwo: isOwn };
    }
    case 'action': {
      const { task, takesTwo } = planLoanAction(work, { ...form, reason: '' });
      return { draft: loanActionDraft(serviced, task), takesTwo };
    }
    case 'approval':
      return { draft: await draftOfApproval(work, form.approvalId), takesTwo: true };
  }
}

/** What would be done if somebody said yes now; whoever asked may look at it too. */
async function draftOfApproval(work: LoanWork<Reader>, approvalId: number): Promise<EventDraft> {
  const { tx, serviced } = work;
  const ofLoan = await readApprovals(tx, { loanId: serviced.loan.id });
  const found = ofLoan.find(({ approval }) => approval.id === approvalId);
  if (!found) fail('not_found');
  const { decision } = found.approval;
  if (decision) fail('already_decided', { present: { decision } });
  const task = taskOf(found.approval);
  switch (task.kind) {
    case 'disbursement':
      await requireDisbursable(work, task);
      return disbursementDraft(work, task);
    case 'payment': {
      const payment = await paymentOfTask(tx, task);
      return payment.status === 'submitted' ? receiptOf(payment) : fail('payment_final');
    }
    case 'payment_reversal':
      return reversalDraft(serviced, await paymentOfTask(tx, task), task);
    default:
      return loanActionDraft(serviced, task);
  }
}
