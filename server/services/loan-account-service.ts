import type { output } from 'zod/mini';
import type { LoanPreviewForm, OwnPaymentPreviewForm } from '#contract/servicing.ts';
import { addDays, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { centavos, sum } from '#domain/money.ts';
import { countsAtOnce } from '#domain/payment.ts';
import { closedSince, daysPastDue, lateChargeReasons, position, settlementOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { dayMs } from '#server/platform/clock.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { readChangesBeforeAgreement } from '#server/store/access-change-store.ts';
import { type Account, findAccount, readNamesOf } from '#server/store/account-store.ts';
import { readOpenApprovals } from '#server/store/approval-store.ts';
import { readEntriesOfLoan } from '#server/store/audit-store.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { readStatusNotices } from '#server/store/notification-store.ts';
import { readOwnLoans } from '#server/store/own-loans-store.ts';
import { findPayment, isByBorrower, type Payment, readPaymentsOf } from '#server/store/payment-store.ts';
import { viewUser } from './account-view.ts';
import { previewDecision } from './approval-service.ts';
import { readReleaseWarnings } from './disbursement-service.ts';
import { standingAfter } from './loan-event-trial.ts';
import { type LoanStep, type Trial, tryStep } from './loan-step.ts';
import { loanSteps } from './loan-step-table.ts';
import { textHash } from './notice-service.ts';
import { previewOwnPayment } from './own-payment-service.ts';
import { readPossibleDoubles, viewPayment } from './payment-view.ts';
import {
  agreedTerms,
  findServicedLoan,
  type LoanContext,
  latestDayOf,
  requireDisbursed,
  type ServicedLoan,
} from './serviced-loan.ts';
import type { Caller } from './session-service.ts';

/** Input of `LoanAccountReply`: the loan at the end of a day, today by default. */
export async function readLoanAccount(deps: Deps, caller: Caller, loanId: number, asOf?: ManilaDate) {
  return deps.database.snapshot(async (reader) => {
    const { serviced } = await findServicedLoan(reader, caller, loanId);
    return viewLoanAccount(deps, reader, caller, serviced, asOf);
  });
}

/** Returns the amount that settles the loan on a day: input of `SettlementReply`. */
export async function readSettlement(deps: Deps, caller: Caller, loanId: number, given?: ManilaDate) {
  const { serviced } = await deps.database.snapshot((reader) => findServicedLoan(reader, caller, loanId));
  const { terms } = requireDisbursed(serviced);
  const today = latestDayOf(deps, terms);
  const date = given ?? today;
  if (date > addDays(today, limits.settlementAheadDays)) refuseField('date', 'settlementTooFarAhead');
  if (date < terms.startDate) refuseField('date', 'dateBeforeDisbursement');
  return settlementOn(terms, serviced.events, date) ?? fail('loan_closed');
}

/** The account within the transaction that has just changed it. */
export async function viewLoanAccount(
  deps: Deps,
  reader: Reader,
  caller: Caller,
  serviced: ServicedLoan,
  asOf: ManilaDate = latestDayOf(deps, serviced.terms),
) {
  const { loan, eventRows, stored } = serviced;
  // A loan that is not disbursed has the agreed instalments, counted from the application.
  const terms = serviced.terms ?? (await agreedTerms(reader, loan, manilaDate(loan.createdAt)));
  const isStaff = caller.account.isAdmin;
  const payments = await readPaymentsOf(reader, loan.id);
  const doublesOf = await readPossibleDoubles(reader, isStaff ? payments : []);
  const actors = eventRows.flatMap(({ actorId, approverId }) => [actorId, approverId]);
  const people = isStaff ? [...actors, ...payments.map(({ recordedBy }) => recordedBy)] : [];
  const nameOf = await readNamesOf(reader, people);
  const reversed = new Set(
    eventRows.flatMap(({ kind, undoes }) => (kind === 'disbursement' ? [] : [undoes])),
  );
  return {
    ...position(terms, serviced.events, asOf),
    loanId: loan.id,
    loanNumber: loan.loanNumber,
    disbursedOn: stored?.disbursedOn ?? null,
    closedOn: closedSince(terms, serviced.events, asOf) ?? null,
    servicing: {
      lateChargeRate: terms.lateChargeRate / 100,
      graceDays: terms.graceDays,
      lateChargeCapPercent: terms.lateChargeCap / 100,
      coolingOffDays: terms.coolingOffDays,
    },
    lateCharges: lateChargeReasons(terms, serviced.events, asOf),
    payments: payments.map((payment) => {
      const { reason, proofUrl, recordedBy, ...view } = viewPayment(payment);
      const forStaff = { reason, proofUrl, recordedBy, by: nameOf(recordedBy), ...doublesOf(payment) };
      return isStaff ? { ...view, ...forStaff } : view;
    }),
    submitted: payments.filter(isShownAsSent(deps)).map((payment) => {
      const { id, amountCentavos: amount, valueDate: paidOn, channel, reference, status, note } = payment;
      return { id, amount, paidOn, channel, reference, status, note: note ?? undefined };
    }),
    events: eventRows.map(({ reason, reference, isAlone, ...row }) => ({
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
    ...(isStaff && { loan: await viewLoanForStaff(deps, reader, loan) }),
  };
}

function isShownAsSent({ clock }: Deps) {
  const since = clock.now().getTime() - limits.rejectedPaymentShownDays * dayMs;
  return (payment: Payment) =>
    isByBorrower(payment) &&
    (payment.status === 'submitted' ||
      (payment.status === 'rejected' && payment.updatedAt.getTime() > since));
}

async function viewLoanForStaff(deps: Deps, reader: Reader, loan: Loan) {
  const waiting = await readOpenApprovals(reader, loan.id);
  const member = await findAccount(reader, loan.accountId);
  const told = await readStatusNotices(reader, loan.accountId, [loan.loanNumber]);
  const changes = await readChangesBeforeAgreement(reader, [loan.id]);
  const entries = await readEntriesOfLoan(reader, 'loan_status_changed', loan.id);
  const [decided] = entries;
  const { fullName = '', phone = '', balanceCentavos = 0, status = 'active' } = member ?? {};
  const nameOf = await readNamesOf(
    reader,
    entries.flatMap(({ actorId }) => actorId ?? []),
  );
  // The log has a reason's hash only: its words are with the notice, and are erased with the person.
  const wordsOf = new Map(
    told.flatMap(({ details }) =>
      details?.reason ? [[textHash(deps, details.reason), details.reason]] : [],
    ),
  );
  const denials = entries.filter(({ after }) => loanStatusFacts(String(after?.status)).isTurnedDown);
  const newest = told[0]?.details;
  return {
    ...loan,
    reason: (newest?.statusCode === loan.status && newest.reason) || null,
    // The release sets a status too, without such an entry.
    decided:
      decided?.actorId && decided.after?.status === loan.status
        ? { by: nameOf(decided.actorId), at: decided.createdAt }
        : null,
    denials: denials.map(({ actorId, createdAt, after }) => ({
      by: actorId === null ? '' : nameOf(actorId),
      at: createdAt,
      reason: wordsOf.get(String(after?.reasonHash)) ?? null,
    })),
    ...(loan.status === 'pending' && member && { checks: await checksOf(deps, reader, loan, member) }),
    amount: loan.amountCentavos,
    monthlyPayment: loan.monthlyPaymentCentavos,
    waiting: waiting.length,
    ...(changes.length > 0 && { changesBeforeAgreement: changes }),
    user: { id: loan.accountId, fullName, phone, balance: centavos(balanceCentavos), status },
  };
}

/** Facts that staff look at before they approve an application (§before-an-approval). */
async function checksOf({ clock }: Deps, reader: Reader, loan: Loan, member: Account) {
  const today = manilaDate(clock.now());
  const others = (await readOwnLoans(reader, member.id)).filter((other) => other.loan.id !== loan.id);
  const numbersOf = (fits: (other: (typeof others)[number]) => boolean) =>
    others.filter(fits).map((other) => other.loan.loanNumber);
  return {
    isActivated: member.status === 'active',
    isVerified: viewUser(member).isVerified,
    isOwnReference: phoneKey(member.referencePhone ?? '') === member.phoneKey,
    undecided: numbersOf((other) => other.loan.status === 'pending'),
    overdue: numbersOf(
      ({ position }) => position?.state === 'open' && daysPastDue(position.oldestDueOn, today) > 0,
    ),
  };
}

type LoanStepForm =
  | output<typeof LoanPreviewForm>
  | (output<typeof OwnPaymentPreviewForm> & { step: 'own_payment' });

/** Input of `LoanPreviewReply`: what a step would do, folded and not written. Fails as the step would. */
export async function previewLoan(deps: Deps, actor: Caller, loanId: number, step: LoanStepForm) {
  return deps.database.snapshot(async (reader) => {
    const { loan, serviced } = await findServicedLoan(reader, actor, loanId);
    const { trial, waitsFor } = await previewForm({ deps, reader, actor, serviced }, step);
    const agreed = serviced.terms ?? (await agreedTerms(reader, loan, manilaDate(loan.createdAt)));
    const balance = (await findAccount(reader, loan.accountId))?.balanceCentavos ?? 0;
    const today = latestDayOf(deps, serviced.terms);
    const { event, walletMovements } = trial;
    const before = position(agreed, serviced.events, today);
    const after = standingAfter(deps, trial);
    const receipt = trial.after.receipts.find(({ ofEvent }) => ofEvent === event.sequence);
    const walletAfter = centavos(sum(walletMovements.map(({ amount }) => amount)) + balance);
    return {
      date: event.date,
      waitsFor,
      isAlone: trial.author.isAlone,
      before: { account: before.account, instalments: before.instalments, walletBalance: centavos(balance) },
      after: { ...after, walletBalance: walletAfter },
      ...(receipt && { receipt }),
      ...(event.kind === 'disbursement' && (await readReleaseWarnings(reader, [loan.id]))(loan.id)),
    };
  });
}

type Previewed = { trial: Trial<unknown>; waitsFor: 'approval' | 'confirmation' | null };

async function previewForm(work: LoanContext, form: LoanStepForm): Promise<Previewed> {
  const { reader, serviced } = work;
  switch (form.step) {
    case 'disbursement':
      return previewStep(loanSteps.disbursement, work, form);
    case 'cancellation':
      return previewStep(loanSteps.cancellation, work, { reason: '' });
    case 'payment': {
      const previewed = await previewStep(loanSteps.payment, work, form);
      return countsAtOnce(form.channel) ? previewed : { ...previewed, waitsFor: 'confirmation' };
    }
    case 'payment_update': {
      const { valueDate, amount } = form;
      const payment = await findPayment(reader, form.paymentId);
      if (payment?.loanId !== serviced.loan.id) fail('not_found');
      if (form.status === 'reversed')
        return previewStep(loanSteps.payment_reversal, work, { payment, valueDate });
      return previewStep(loanSteps.confirmation, work, { payment, valueDate, amount });
    }
    case 'own_payment':
      return previewOwnPayment(work, form);
    case 'action':
      return previewStep(loanSteps[form.kind], work, { ...form, reason: '' });
    case 'approval':
      return previewDecision(work, form.approvalId);
  }
}

async function previewStep<Form, Task extends object>(
  step: LoanStep<Form, Task, object>,
  work: LoanContext,
  form: Form,
): Promise<Previewed> {
  const trial = await tryStep(step, work, form);
  return { trial, waitsFor: trial.waits ? 'approval' : null };
}
