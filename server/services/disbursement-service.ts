import type { output } from 'zod/mini';
import { servicingPolicy, servicingTerms } from '#contract/contract-terms.ts';
import type { DisbursementForm } from '#contract/servicing.ts';
import { addMonths, formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { formatPeso, pesosText } from '#domain/money.ts';
import { instalmentSchedule } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { findAccount, lockAccount } from '#server/store/account-store.ts';
import { wasReleasedByHand } from '#server/store/ledger-store.ts';
import { changeLoan, type Loan } from '#server/store/loan-store.ts';
import { areTermsUnagreed } from '#server/store/loan-terms-store.ts';
import { audit } from './audit-service.ts';
import { issueTerms } from './contract-service.ts';
import { auditedTask, type Plan, requireRole, type Task, withFourEyes } from './four-eyes.ts';
import { frozenAmount } from './loan-papers.ts';
import {
  type Author,
  agreedQuote,
  type EventDraft,
  type LoanWork,
  lockServicedLoan,
  recordEvent,
  valueDateOf,
} from './loan-servicing.ts';
import { tellBorrower } from './notice-service.ts';
import type { Staff } from './session-service.ts';

type Disbursement = output<typeof DisbursementForm>;

export type DisbursementTask = Task & Disbursement & { kind: 'disbursement'; date: ManilaDate };

/**
 * Pays an approved loan out, or takes over one that was paid out before. Its terms are frozen anew with the due dates counted
 * from that day. Fails with `not_found`, `already_disbursed`, `loan_not_approved`, `terms_not_agreed`,
 * `already_credited`, and `role_missing`.
 */
export async function disburseLoan(deps: Deps, tx: Tx, staff: Staff, loanId: number, form: Disbursement) {
  const work = { deps, tx, staff, serviced: await lockServicedLoan(tx, loanId) };
  const plan = await planDisbursement(work, form);
  return withFourEyes(work, plan, (author) => runDisbursement(work, plan.task, author));
}

/** Fails as `disburseLoan` does. */
export async function planDisbursement(
  work: LoanWork<Reader>,
  { channel, date: given, reference }: Disbursement,
): Promise<Plan<DisbursementTask>> {
  requireRole(work.staff, 'encoder');
  const today = manilaDate(work.deps.clock.now());
  const date = given ?? today;
  if (date > today) refuseField('date', 'dateInFuture');
  if (channel === 'wallet' && date !== today) refuseField('date', 'walletPaysToday');
  if (channel === 'direct' && !reference) refuseField('reference', 'referenceRequired');
  const task: DisbursementTask = { kind: 'disbursement', channel, date, reference };
  await requireDisbursable(work, task);
  return { task, takesTwo: true };
}

/** Does what was asked for. Fails as asking does, for things may have changed since. */
export async function runDisbursement(work: LoanWork, task: DisbursementTask, author: Author) {
  const { deps, tx, staff, serviced } = work;
  // Whoever leaves at this moment either has the loan or is gone.
  if (!(await lockAccount(tx, serviced.loan.accountId))) fail('not_found');
  await requireDisbursable(work, task);
  const { channel } = task;
  const at = deps.clock.now();
  const draft = disbursementDraft(work, task);
  const date = draft.valueDate;
  const { loan } = serviced;
  serviced.terms = await freezeTermsFrom(deps, tx, loan, date, author);
  await recordEvent(work, author, draft);
  const amount = serviced.terms.amountCentavos;
  serviced.loan = await changeLoan(tx, loan.id, {
    status: 'active',
    updatedAt: at,
    ...(channel === 'wallet' && { releasedAt: at, releasedCentavos: amount }),
  });
  await audit(deps, tx, staff, {
    action: 'loan_disbursed',
    on: { loan: loan.id },
    before: { status: loan.status },
    after: { ...auditedTask(task), date, amount: pesosText(amount), ...marksOf(author) },
  });
  await tellBorrower(deps, tx, loan.accountId, 'loan_disbursed', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(amount),
    channel,
    date: formatManilaDate(date),
    firstDueDate: formatManilaDate(addMonths(date, limits.firstInstalmentAfterMonths)),
    monthlyPayment: formatPeso(serviced.terms.monthlyPaymentCentavos),
    contractOf: String(loan.id),
  });
  return serviced;
}

export function disbursementDraft({ deps, serviced }: LoanWork<Reader>, task: DisbursementTask): EventDraft {
  const { channel, date, reference } = task;
  const cancelled = serviced.rows.findLast(({ kind }) => kind === 'cancellation');
  return {
    kind: 'disbursement',
    // What was asked for yesterday reaches the wallet on the day that it is agreed to.
    valueDate: channel === 'wallet' ? manilaDate(deps.clock.now()) : date,
    channel,
    reference,
    undoes: cancelled?.sequence ?? 0,
  };
}

export const marksOf = ({ approverId, actorId, isAlone }: Author) => ({
  ...(approverId !== undefined && { askedBy: actorId }),
  ...(isAlone && { onePerson: true }),
});

/** Fails with what stands in the way of paying the loan out, apart from roles. */
export async function requireDisbursable({ tx, serviced }: LoanWork<Reader>, { channel }: DisbursementTask) {
  const { loan, stored } = serviced;
  // First of all, so that an answer never depends on how far a loan had come when its borrower left.
  if (!(await findAccount(tx, loan.accountId))) fail('not_found');
  if (stored && stored.state !== 'cancelled') fail('already_disbursed');
  if (!loanStatusFacts(loan.status).isPayable) fail('loan_not_approved');
  if (await areTermsUnagreed(tx, loan.id)) fail('terms_not_agreed');
  if (channel === 'wallet' && (await wasReleasedByHand(tx, loan))) fail('already_credited');
}

/**
 * The agreed quote with its dates counted from the day of disbursement and with how the loan is serviced, as a new version.
 * A loan taken over from other books gets the figures that it has there.
 */
async function freezeTermsFrom(deps: Deps, tx: Tx, loan: Loan, startDate: ManilaDate, author: Author) {
  const { quote: agreed, version, newest } = await agreedQuote(tx, loan);
  const { servicing: _, disbursedOn: __, ...figures } = agreed;
  const rows = instalmentSchedule({
    monthlyPaymentCentavos: frozenAmount(agreed.monthlyPayment),
    termMonths: agreed.termMonths,
    startDate,
  });
  const quote = {
    ...figures,
    firstDueDate: rows[0]?.dueDate ?? startDate,
    lastDueDate: rows.at(-1)?.dueDate ?? startDate,
    schedule: agreed.schedule.map((row, index) => ({ ...row, dueDate: rows[index]?.dueDate ?? row.dueDate })),
    servicing: newest?.agreement?.servicing ?? servicingPolicy,
    disbursedOn: startDate,
  };
  await issueTerms(deps, tx, loan, {
    version: version + 1,
    quote,
    hash: canonicalHash(quote),
    issuedBy: author.actorId,
    ...(newest && { dates: newest }),
  });
  return servicingTerms(quote, startDate);
}

/**
 * Takes a disbursement back while the wallet still holds all of it. Fails with `not_disbursed`, `not_in_wallet`,
 * `already_withdrawn`, with `has_payments` once something was paid, and with `refund_to_return`.
 */
export async function cancelDisbursement(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  loanId: number,
  { reason }: { reason: string },
) {
  const serviced = await lockServicedLoan(tx, loanId);
  const { loan } = serviced;
  const work = { deps, tx, staff, serviced };
  const author: Author = { actorId: staff.account.id, isAlone: false };
  await recordEvent(work, author, { ...cancellationDraft(work), reason });
  serviced.loan = await changeLoan(tx, loan.id, {
    releasedAt: null,
    releasedCentavos: null,
    updatedAt: deps.clock.now(),
  });
  await audit(deps, tx, staff, {
    action: 'disbursement_cancelled',
    on: { loan: loan.id },
    after: { amount: pesosText(loan.amountCentavos) },
  });
  await tellBorrower(deps, tx, loan.accountId, 'disbursement_cancelled', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(loan.amountCentavos),
    reason,
  });
  return serviced;
}

/** Fails as `cancelDisbursement` does. */
export function cancellationDraft({ deps, staff, serviced }: LoanWork<Reader>): EventDraft {
  requireRole(staff, 'encoder');
  const { stored, rows } = serviced;
  if (!stored || stored.state === 'cancelled') fail('not_disbursed');
  const disbursed = rows.findLast(({ kind }) => kind === 'disbursement');
  if (disbursed?.channel !== 'wallet') fail('not_in_wallet');
  const undone = new Set(rows.map(({ undoes }) => undoes));
  const isPaidOn = rows.some(
    ({ kind, sequence }) => kind === 'receipt' && sequence > disbursed.sequence && !undone.has(sequence),
  );
  if (isPaidOn) fail('has_payments');
  return {
    kind: 'cancellation',
    valueDate: valueDateOf(deps, serviced, undefined),
    undoes: disbursed.sequence,
  };
}
