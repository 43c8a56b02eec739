import type { output } from 'zod/mini';
import type { LoanApplication } from '#contract/loan.ts';
import type { LoansQuery, LoanUpdate } from '#contract/staff-loan.ts';
import { type DateLanguage, manilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { contradictsRelease, plainLoanStatus, rateOf } from '#domain/loan.ts';
import { type Centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import { percentText } from '#domain/rates.ts';
import { recordNumber } from '#domain/record-number.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import { type ListPage, readStaffWith } from '#server/store/account-store.ts';
import { nextLoanNumber } from '#server/store/ledger-store.ts';
import { readLoanPositions } from '#server/store/loan-event-store.ts';
import {
  changeLoan,
  countUndecided,
  countUndecidedByBorrower,
  findListedLoan,
  insertLoan,
  type Loan,
  lockLoan,
  readLoanPage,
  wasLoanApproved,
} from '#server/store/loan-store.ts';
import { findNewestTerms } from '#server/store/loan-terms-store.ts';
import { readOwnLoans } from '#server/store/own-loans-store.ts';
import { viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { issueTerms } from './contract-service.ts';
import { requireLoanUnchanged } from './edit-conflict.ts';
import { closeRequests, hasAuthority, requireRole, requireRoleFor, turnOf } from './four-eyes.ts';
import { markAgreedAfterChange, type ShortQuote, viewLoan, viewStaffLoan } from './loan-view.ts';
import { tellBorrower, textHash } from './notice-service.ts';
import { findBorrower, isOwnAccount, readFormerOwnersOf } from './own-account.ts';
import { freezeQuote, quoteAt } from './quote-service.ts';
import { servicedLoan, standingOf } from './serviced-loan.ts';
import { type Act, lockOwnAccount, type Staff } from './session-service.ts';
import { pagesOf, withCodes } from './staff-list-service.ts';
import { countMessageTo, countToday } from './tries-service.ts';

/**
 * Stores an application and freezes its quote (§applying). `quote_changed`: since the agreed quote, midnight or a new
 * rate has changed it. `language` is the form's, for the record of consent.
 */
export async function applyForLoan(
  act: Act,
  application: output<typeof LoanApplication>,
  language: DateLanguage | null,
) {
  const { deps, tx } = act;
  const account = await lockOwnAccount(act);
  if (!viewUser(account).isVerified) fail('verification_required');

  const openMax = Math.ceil(limits.undecidedApplicationsMax * deps.config.rateLimitScale);
  if ((await countUndecided(tx, account.id)) >= openMax) fail('too_many_open');
  await countToday(act, 'application');

  const now = deps.clock.now();
  const quote = quoteAt(deps, application, now);
  const frozen = freezeQuote(quote);
  const { agreedQuoteHash } = application;
  if (agreedQuoteHash !== undefined && agreedQuoteHash !== frozen.hash) fail('quote_changed');
  const loan = await insertLoan(tx, {
    accountId: account.id,
    loanNumber: recordNumber('LN', manilaYear(now), await nextLoanNumber(tx)),
    amountCentavos: quote.amountCentavos,
    termMonths: quote.termMonths,
    monthlyRateBasisPoints: quote.monthlyRate,
    monthlyPaymentCentavos: quote.monthlyPaymentCentavos,
    purpose: application.purpose,
    createdAt: now,
    updatedAt: now,
  });
  await issueTerms(act, loan, { version: 1, ...frozen, issuedBy: account.id });
  const after = { loanNumber: loan.loanNumber, version: 1, ...auditedTerms(quote) };
  await audit(act, 'loan_applied', { loan: loan.id }, { after });
  await recordConsent(act, account.id, 'application', language);
  const dueDates = quote.schedule.map(({ dueDate }) => dueDate);
  return viewLoan(loan, { version: 1, quote: frozen.quote, dueDates });
}

function auditedTerms(quote: Quote) {
  return {
    amount: pesosText(quote.amountCentavos),
    termMonths: quote.termMonths,
    interestRate: percentText(quote.monthlyRate),
    monthlyPayment: pesosText(quote.monthlyPaymentCentavos),
  };
}

export async function listOwnLoans(deps: Deps, accountId: number, before: number | undefined) {
  const today = manilaDate(deps.clock.now());
  const rows = await deps.database.read((reader) => readOwnLoans(reader, accountId, before));
  return rows.map(({ loan, terms, isUnagreed, told, ...accountRows }) => {
    const standing = standingOf(servicedLoan(loan, accountRows), today);
    return viewLoan(loan, terms as ShortQuote | null, {
      ...(standing && { standing }),
      isUnagreed,
      ...(told?.details?.statusCode === loan.status && {
        denied: { at: told.createdAt, reason: told.details?.reason ?? null },
      }),
    });
  });
}

/** Counts the applications that this employee may decide; all of them for staff without a role for it. */
export async function countMyApplications(
  deps: Deps,
  reader: Reader,
  { id, account }: Staff,
): Promise<number> {
  const groups = await countUndecidedByBorrower(reader);
  const total = (some: typeof groups) => sum(some.map(({ count }) => count));
  // One approves, the other may deny.
  const deciding = (['approver', 'encoder'] as const).filter((role) => hasAuthority(account, role));
  if (deciding.length === 0) return total(groups);
  const able = await Promise.all(deciding.map((role) => readStaffWith(reader, role)));
  const people = groups.map(({ accountId }) => accountId);
  const asBorrower = await readFormerOwnersOf(deps, reader, people);
  const employee = { ...account, id };
  const own = groups.filter((group) => {
    const borrower = asBorrower({ ...group, id: group.accountId });
    return able.some((staff) => turnOf(employee, staff, { borrower }) !== 'refused');
  });
  return total(own);
}

export function listLoans(deps: Deps, staff: Staff, query: output<typeof LoansQuery>) {
  const { pastDue, dueFrom, dueTo, userId, appliedIn, outcome } = query;
  const today = manilaDate(deps.clock.now());
  const atLeast = pastDue === undefined ? undefined : { day: today, days: pastDue };
  const filters = { dueFrom, dueTo, userId, appliedIn, outcome, pastDue: atLeast };
  const read = async (reader: Reader, page: ListPage) =>
    markAgreedAfterChange(reader, await readLoanPage(reader, { ...page, ...filters }));
  const pages = pagesOf(deps, query, read, ({ loan }) => loan.id);
  return withCodes(deps, staff, pages, (row, showsCode) => viewStaffLoan(deps, row, showsCode));
}

/**
 * Changes a loan's status, its amount and term, or both (§loan-status, §editing-terms). New terms are a new version of
 * the contract, not agreed until the borrower accepts it. No money moves, whatever the status. The reply has no code,
 * because it is stored for retries.
 */
export async function updateLoan(act: Act<Staff>, id: number, update: output<typeof LoanUpdate>) {
  const { deps, tx, actor: staff } = act;
  const loan = (await lockLoan(tx, id)) ?? fail('not_found');
  requireLoanUnchanged(loan, update);
  const borrower = await findBorrower(deps, tx, loan.accountId);
  const isAlone = borrower !== undefined && isOwnAccount({ ...staff.account, id: staff.id }, borrower);
  const edit: Edit = { ...act, isAlone, loan };
  const { status, reason } = update;
  // Somebody else may have just set the same status; the reason must not be lost.
  if (status !== undefined && (status !== loan.status || reason !== undefined)) {
    await requireRoleFor(tx, staff, borrower, status === 'approved' ? 'approver' : 'encoder');
    if (status !== loan.status && contradictsRelease(status)) await requireNotDisbursed(tx, id);
    // It decides nothing: it only sends the reason.
    if (status === loan.status) await countMessageTo(act, loan.accountId);
    await changeStatus(edit, status, reason);
  }
  const amountCentavos = update.amount ?? loan.amountCentavos;
  const termMonths = update.termMonths ?? loan.termMonths;
  if (amountCentavos !== loan.amountCentavos || termMonths !== loan.termMonths) {
    await requireRoleFor(tx, staff, borrower, 'encoder');
    await requireNotReleased(tx, loan);
    await changeTerms(edit, { amountCentavos, termMonths });
  }
  const changed = await findListedLoan(tx, id);
  if (!changed) throw new Error('a locked loan vanished');
  return viewStaffLoan(deps, onlyRow(await markAgreedAfterChange(tx, [changed])));
}

type Edit = Act<Staff> & { loan: Loan };

/** The reason is personal data: only the message has it, and is erased with the person. The log has its hash. */
async function changeStatus(edit: Edit, status: string, reason: string | undefined) {
  const { deps, tx, loan } = edit;
  await changeLoan(tx, loan.id, { status, updatedAt: deps.clock.now() });
  const after = {
    status,
    ...(reason !== undefined && { changed: ['reason'], reasonHash: textHash(deps, reason) }),
  };
  await audit(edit, 'loan_status_changed', { loan: loan.id }, { before: { status: loan.status }, after });
  await tellBorrower(edit, loan.accountId, 'loan_status_changed', {
    loanNumber: loan.loanNumber,
    status: plainLoanStatus(status),
    statusCode: status,
    ...(reason !== undefined && { reason }),
  });
}

async function changeTerms(
  edit: Edit,
  terms: { amountCentavos: Centavos; termMonths: number },
): Promise<void> {
  const { deps, tx, actor: staff, loan } = edit;
  const now = deps.clock.now();
  // A loan taken over without a rate gets the rate of its new contract.
  const monthlyRate = rateOf(loan);
  const quote = quoteLoan({ ...terms, monthlyRate, startDate: manilaDate(loan.createdAt) });
  const { monthlyPaymentCentavos } = quote;
  if (monthlyPaymentCentavos === 0) refuseField('amount', 'instalmentNothing');
  const newest = await findNewestTerms(tx, loan.id);
  const version = (newest?.version ?? 0) + 1;
  if (version > limits.contractVersionsMax) fail('too_many_versions');
  await changeLoan(tx, loan.id, {
    ...terms,
    monthlyRateBasisPoints: monthlyRate,
    monthlyPaymentCentavos,
    updatedAt: now,
  });
  await issueTerms(edit, loan, { version, ...freezeQuote(quote), issuedBy: staff.id });
  const before = {
    amount: pesosText(loan.amountCentavos),
    termMonths: loan.termMonths,
    monthlyPayment: pesosText(loan.monthlyPaymentCentavos),
    version: newest?.version ?? null,
  };
  await audit(
    edit,
    'loan_terms_changed',
    { loan: loan.id },
    { before, after: { ...auditedTerms(quote), version } },
  );
  await tellBorrower(edit, loan.accountId, 'loan_terms_changed', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(quote.amountCentavos),
    termMonths: String(quote.termMonths),
    monthlyPayment: formatPeso(monthlyPaymentCentavos),
    contractOf: String(loan.id),
  });
}

/** §deleting-a-loan. Terms and log stay. An approved loan has a contract, so only the main admin may delete it. */
export async function deleteLoan(act: Act<Staff>, id: number): Promise<void> {
  const { deps, tx, actor: staff } = act;
  const loan = (await lockLoan(tx, id)) ?? fail('not_found');
  const wasApproved = await wasLoanApproved(tx, loan);
  const borrower = await findBorrower(deps, tx, loan.accountId);
  const isAlone = !wasApproved && (await requireRoleFor(tx, staff, borrower, 'encoder'));
  await requireNotReleased(tx, loan);
  if (wasApproved) requireRole(staff, 'main_admin');
  const now = deps.clock.now();
  await changeLoan(tx, id, { deletedAt: now, updatedAt: now });
  await closeRequests(act, { loanId: id });
  const { loanNumber, status, termMonths } = loan;
  const before = { loanNumber, status, amount: pesosText(loan.amountCentavos), termMonths };
  await audit({ ...act, isAlone }, 'loan_deleted', { loan: id }, { before });
  await tellBorrower(act, loan.accountId, 'loan_deleted', {
    loanNumber,
    ...(wasApproved && { contractOf: String(id) }),
  });
}

/** Neither disbursed nor, in an earlier version, released by hand. */
async function requireNotReleased(reader: Reader, { id, releasedAt }: Loan): Promise<void> {
  await requireNotDisbursed(reader, id);
  if (releasedAt !== null) fail('loan_disbursed');
}

async function requireNotDisbursed(reader: Reader, id: number): Promise<void> {
  const [position] = await readLoanPositions(reader, [id]);
  if (position && position.state !== 'cancelled') fail('loan_disbursed');
}
