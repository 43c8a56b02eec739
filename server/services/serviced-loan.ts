import { servicingTerms } from '#contract/contract-terms.ts';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { rateOf } from '#domain/loan.ts';
import { sum } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { type LoanEvent, leftToPay, position } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import {
  type LoanEventRow,
  type LoanPositionRow,
  readLoanEvents,
  readLoanPositions,
} from '#server/store/loan-event-store.ts';
import { findLoan, type Loan, lockLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import {
  findNewestTerms,
  type LoanTermsVersion,
  readDisbursedTerms,
} from '#server/store/loan-terms-store.ts';
import { type AuditAction, audit } from './audit-service.ts';
import { eventOf } from './loan-event.ts';
import { freezeQuote, frozenQuoteOf } from './quote-service.ts';
import type { Act, Caller } from './session-service.ts';

/**
 * A loan with the terms it was disbursed on and its events since. A step that records an event updates it in place, so
 * that the reply shows the loan after it.
 */
export type ServicedLoan = {
  loan: Loan;
  /** Undefined until the first disbursement. */
  stored: LoanPositionRow | undefined;
  terms: ServicingTerms | undefined;
  eventRows: LoanEventRow[];
  /** The same events, as the domain folds them. */
  events: LoanEvent[];
};

/**
 * Everything that planning a step on a loan needs. A preview has no `tx`. The actor is an employee, or the borrower who
 * pays.
 */
export type LoanContext = { deps: Deps; reader: Reader; tx?: Tx; actor: Caller; serviced: ServicedLoan };

/** Everything that taking a step on a loan needs: `tx` holds the loan's lock, and is also the reader. */
export type LoanWork = LoanContext & {
  tx: Tx;
  /** For the log: one person does what takes two. */
  isAlone?: boolean;
};

export async function lockForWork(act: Act, loanId: number, evenDeleted?: boolean): Promise<LoanWork> {
  const { tx } = act;
  return { ...act, reader: tx, serviced: await lockServicedLoan(tx, loanId, evenDeleted) };
}

/** Logs what is done to the loan. */
export const auditLoan = (
  work: LoanWork,
  action: AuditAction,
  after: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> => audit(work, action, { loan: work.serviced.loan.id }, { before, after });

/** The loan, locked until the transaction ends. Fails with `not_found`. */
export async function lockServicedLoan(tx: Tx, loanId: number, evenDeleted?: boolean): Promise<ServicedLoan> {
  // One connection answers both in turn, so the rows are read once the loan is locked.
  const [loan, read] = await Promise.all([lockLoan(tx, loanId, evenDeleted), readAccountRows(tx, [loanId])]);
  return loan ? servicedLoan(loan, accountRowsOf(loan, read)) : fail('not_found');
}

/**
 * Finds a loan with its borrower and its events. Fails with `not_found` for other borrowers, as if it did not exist.
 * `evenDeleted`: an agreed contract stays readable after its loan is deleted.
 */
export async function findServicedLoan(
  reader: Reader,
  caller: Caller,
  loanId: number,
  { evenDeleted = false } = {},
) {
  const found = await findLoan(reader, loanId, evenDeleted);
  const isReadable = found && (caller.account.isAdmin || found.loan.accountId === caller.id);
  if (!isReadable || (found.loan.deletedAt && !(await wasLoanApproved(reader, found.loan))))
    fail('not_found');
  const accountRows = accountRowsOf(found.loan, await readAccountRows(reader, [loanId]));
  return { ...found, serviced: servicedLoan(found.loan, accountRows) };
}

/** Reads several loans, by id, with as many statements as one takes. Loans that were never disbursed are left out. */
export async function readServicedLoans(
  reader: Reader,
  loans: readonly Loan[],
): Promise<Map<number, ServicedLoan>> {
  if (loans.length === 0) return new Map();
  const ids = loans.map(({ id }) => id);
  const read = await readAccountRows(reader, ids);
  const serviced = loans.map((loan) => servicedLoan(loan, accountRowsOf(loan, read)));
  return new Map(serviced.flatMap((one) => (one.stored ? [[one.loan.id, one]] : [])));
}

const readAccountRows = (reader: Reader, loanIds: readonly number[]) =>
  Promise.all([
    readLoanPositions(reader, loanIds),
    readLoanEvents(reader, loanIds),
    readDisbursedTerms(reader, loanIds),
  ]);

function accountRowsOf(
  { id }: Loan,
  [positions, events, versions]: Awaited<ReturnType<typeof readAccountRows>>,
): AccountRows {
  const isIts = ({ loanId }: { loanId: number }) => loanId === id;
  return {
    position: positions.find(isIts),
    events: events.filter(isIts),
    disbursedTerms: versions.find(isIts),
  };
}

/** The stored rows that a loan's account is folded from. There are none before the first release. */
type AccountRows = {
  position: LoanPositionRow | null | undefined;
  events: LoanEventRow[];
  disbursedTerms: LoanTermsVersion | null | undefined;
};

export function servicedLoan(
  loan: Loan,
  { position: stored, events: eventRows, disbursedTerms: version }: AccountRows,
): ServicedLoan {
  if (!stored) return { loan, stored: undefined, terms: undefined, eventRows: [], events: [] };
  if (!version) throw new Error(`loan ${loan.id} was disbursed on terms that are not there`);
  const terms = servicingTerms(frozenQuoteOf(version), stored.disbursedOn);
  return { loan, stored, terms, eventRows, events: eventRows.map(eventOf) };
}

/** Folds a disbursed loan up to a day; undefined if it was never disbursed. */
export const positionOn = ({ terms, events, stored }: ServicedLoan, today: ManilaDate) =>
  terms && stored ? position(terms, events, laterOf(terms.startDate, today)) : undefined;

/** A disbursed loan on a day, for a list of loans. */
export function standingOf(loan: ServicedLoan, today: ManilaDate) {
  const found = positionOn(loan, today);
  if (!found || !loan.stored) return undefined;
  const { account, instalments, receipts, asOf } = found;
  // A settlement is not split over instalments, so what it paid is added to them.
  const settling = receipts.filter(({ settles }) => settles);
  return {
    dueDates: instalments.map(({ dueDate }) => dueDate),
    account: {
      ...account,
      disbursedOn: loan.stored.disbursedOn,
      dueSince: account.daysPastDue > 0 ? addDays(asOf, -account.daysPastDue) : null,
      paid: sum([
        ...instalments.map(({ paid }) => paid),
        ...settling.map(({ amount, credit, lateCharges }) => amount - credit - lateCharges),
      ]),
      leftToPay: leftToPay(account),
    },
  };
}

/**
 * Reads the cost that the borrower agreed to. A loan taken over from other books has no frozen terms here: its cost is
 * computed, with the instalment that was agreed there.
 */
export async function agreedQuote(reader: Reader, loan: Loan) {
  const newest = await findNewestTerms(reader, loan.id);
  if (newest) return { quote: frozenQuoteOf(newest), version: newest.version, newest };
  const quote = quoteLoan({
    amountCentavos: loan.amountCentavos,
    monthlyRate: rateOf(loan),
    termMonths: loan.termMonths,
    startDate: manilaDate(loan.createdAt),
    monthlyPaymentCentavos: loan.monthlyPaymentCentavos,
  });
  return { quote: freezeQuote(quote).quote, version: 0 };
}

/** The terms of a loan that is released on this day: what its own contract says, not what a new one would. */
export async function agreedTerms(reader: Reader, loan: Loan, startDate: ManilaDate) {
  const { quote, newest } = await agreedQuote(reader, loan);
  return servicingTerms(quote, startDate, quote.servicing ?? newest?.agreement?.servicing);
}

/** The terms of each disbursement of one loan, in order. */
export const livesOf = (versions: readonly LoanTermsVersion[]): ServicingTerms[] =>
  versions.flatMap((version) => {
    const quote = frozenQuoteOf(version);
    const startDate = quote.disbursedOn && parseManilaDate(quote.disbursedOn);
    return startDate ? [servicingTerms(quote, startDate)] : [];
  });

/** A value date, from the disbursement to today. Fails with `validation_failed`. */
export function valueDateOf(
  deps: Deps,
  { terms }: ServicedLoan,
  given: ManilaDate | undefined,
  field = 'valueDate',
): ManilaDate {
  const latest = latestDayOf(deps, terms);
  const date = given ?? latest;
  if (date > latest) refuseField(field, 'dateInFuture');
  if (terms && date < terms.startDate) refuseField(field, 'dateBeforeDisbursement');
  return date;
}

/** Terms and position of a loan whose money went out and was not taken back. Fails with `not_disbursed`. */
export function requireDisbursed({ terms, stored }: Pick<ServicedLoan, 'terms' | 'stored'>) {
  if (!terms || !stored || stored.state === 'cancelled') fail('not_disbursed');
  return { terms, stored };
}

/** Today; if the loan was disbursed while the clock was ahead, that day. */
export function latestDayOf(deps: Deps, terms: ServicingTerms | undefined): ManilaDate {
  const today = manilaDate(deps.clock.now());
  return terms ? laterOf(terms.startDate, today) : today;
}

export const laterOf = (one: ManilaDate, other: ManilaDate) => (one > other ? one : other);

/** True if a value date is so long ago that it takes a second person (§four-eyes). */
export function isLongAgo(deps: Deps, date: ManilaDate): boolean {
  return date < addDays(manilaDate(deps.clock.now()), -limits.valueDateAloneDays);
}
