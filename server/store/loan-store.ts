import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { ManilaDate } from '#domain/calendar.ts';
import { type ApplicationOutcome, type LoanWork, loanStatusesWith, loanStatusFacts } from '#domain/loan.ts';
import { firstDayOf, lastDayOf, type ManilaMonth } from '#domain/month.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { isOneFoundBy, isProfileComplete, type ListPage, listedMember } from './account-store.ts';
import { isOfNamed, type Named } from './find-store.ts';
import { hasUnagreedTerms } from './loan-terms-store.ts';
import { idsOfApplications } from './month-store.ts';
import { firstOf, packed } from './packed-columns.ts';
import { accounts, auditEntries, instalments, loanPositions, loans } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';
import { isPastDue } from './spans.ts';

export const { oldNumberFolded, purposeFolded, ...keptColumns } = getTableColumns(loans);
export type Loan = Omit<typeof loans.$inferSelect, 'oldNumberFolded' | 'purposeFolded'>;
export type NewLoan = typeof loans.$inferInsert;
type LoanChange = Partial<Omit<NewLoan, 'id' | 'accountId' | 'loanNumber' | 'purpose' | 'createdAt'>> & {
  updatedAt: Date;
};

export const insertLoan = (tx: Tx, loan: NewLoan): Promise<Loan> => insertSealed(tx, loans, loan);

export function countUndecided(reader: Reader, accountId: number): Promise<number> {
  const isUndecided = and(
    eq(loans.accountId, accountId),
    inArray(loans.status, loanStatusesWith('isUndecided')),
    isNull(loans.deletedAt),
  );
  return reader.$count(loans, isUndecided);
}

/** True if somebody ever applied here, which only a verified account may. Deleted loans count; loans taken over do not. */
export const hasApplied = async (reader: Reader, accountId: number): Promise<boolean> =>
  (await reader.$count(loans, and(eq(loans.accountId, accountId), isNull(loans.oldNumber)))) > 0;

/**
 * Counts the applications without a decision, by borrower. Each account is looked up: as a join, all accounts would be
 * read for the few thousand that have applied.
 */
export function countUndecidedByBorrower(reader: Reader) {
  const undecided = reader
    .select({ accountId: loans.accountId, count: sql<number>`count(*)::int`.as('count') })
    .from(loans)
    .where(and(eq(loans.status, 'pending'), isNull(loans.deletedAt)))
    .groupBy(loans.accountId)
    .as('undecided');
  const { isAdmin, email, phone, bankAccountNumber } = accounts;
  const borrower = reader
    .select({ isAdmin, email, phone, bankAccountNumber })
    .from(accounts)
    .where(eq(accounts.id, undecided.accountId))
    .limit(1)
    .as('borrower');
  return reader
    .select({
      accountId: undecided.accountId,
      isAdmin: borrower.isAdmin,
      email: borrower.email,
      phone: borrower.phone,
      bankAccountNumber: borrower.bankAccountNumber,
      count: undecided.count,
    })
    .from(undecided)
    .innerJoinLateral(borrower, sql`true`);
}

/** Finds a loan with its account; a deleted loan only if `evenDeleted`. */
export const findLoan = (reader: Reader, id: number, evenDeleted = false) =>
  firstOf(
    reader
      .select({ loan: loans, account: accounts })
      .from(loans)
      .innerJoin(accounts, eq(accounts.id, loans.accountId))
      .where(and(eq(loans.id, id), evenDeleted ? undefined : isNull(loans.deletedAt))),
  );

/**
 * True if staff ever agreed to a loan, whatever its status says now: it was paid out, or
 * the log has an approval.
 */
export async function wasLoanApproved(reader: Reader, { id, status, releasedAt }: Loan): Promise<boolean> {
  if (loanStatusFacts(status).isApproved || releasedAt !== null) return true;
  const isApproval = and(
    eq(auditEntries.targetType, 'loan'),
    eq(auditEntries.targetId, id),
    eq(auditEntries.action, 'loan_status_changed'),
    inArray(sql`${auditEntries.after} ->> 'status'`, loanStatusesWith('isApproved')),
  );
  return (await reader.$count(auditEntries, isApproval)) > 0;
}

/** The loan that a message to a borrower is written down with: the newest that was released, else the newest. */
export async function findLoanOfContact(reader: Reader, accountId: number): Promise<number | undefined> {
  const isReleased = exists(
    reader.select({ id: loanPositions.loanId }).from(loanPositions).where(eq(loanPositions.loanId, loans.id)),
  );
  const found = await firstOf(
    reader
      .select({ id: loans.id })
      .from(loans)
      .where(and(eq(loans.accountId, accountId), isNull(loans.deletedAt)))
      .orderBy(desc(isReleased), desc(loans.id))
      .limit(1),
  );
  return found?.id;
}

/**
 * Locked until the transaction ends: simultaneous edits run one after the other. What belongs to a loan, such as its
 * payments, requests and borrower, is locked after it.
 */
export async function lockLoan(tx: Tx, id: number, evenDeleted = false): Promise<Loan | undefined> {
  const loan = await firstOf(locked(tx, { id }));
  return loan?.deletedAt && !evenDeleted ? undefined : loan;
}

const locked = prepared((tx) =>
  tx
    .select()
    .from(loans)
    .where(eq(loans.id, sql.placeholder('id')))
    .for('update'),
);

export const readLoansById = (reader: Reader, ids: readonly number[]): Promise<Loan[]> =>
  reader
    .select()
    .from(loans)
    .where(inArray(loans.id, [...ids]));

/** The loans of these people that were ever released, deleted ones left out. */
export const readReleasedOf = (reader: Reader, accountIds: readonly number[]) =>
  reader
    .select(keptColumns)
    .from(loans)
    .innerJoin(loanPositions, eq(loanPositions.loanId, loans.id))
    .where(and(inArray(loans.accountId, [...accountIds]), isNull(loans.deletedAt)));

export const lockLoansOf = (tx: Tx, accountId: number) =>
  tx
    .select({ id: loans.id })
    .from(loans)
    .where(eq(loans.accountId, accountId))
    .orderBy(asc(loans.id))
    .for('update');

export const changeLoan = (tx: Tx, id: number, change: LoanChange): Promise<Loan> =>
  updateSealed(tx, loans, id, change);

const searched = [sql`lower(${loans.loanNumber})`, oldNumberFolded, purposeFolded];

const listed = {
  loan: packed(keptColumns),
  member: packed({ ...listedMember, monthlySalaryCentavos: accounts.monthlySalaryCentavos }),
  isVerified: isProfileComplete.mapWith(Boolean),
  isUnagreed: hasUnagreedTerms,
  position: {
    state: loanPositions.state,
    oldestDueOn: loanPositions.oldestDueOn,
    principalLeftCentavos: loanPositions.principalLeftCentavos,
  },
};

export type ListedLoan = Awaited<ReturnType<typeof readLoanPage>>[number];

export type LoanFilters = {
  /** Loans at least so many days past due on a day. */
  pastDue?: { day: ManilaDate; days: number } | undefined;
  dueFrom?: ManilaDate | undefined;
  dueTo?: ManilaDate | undefined;
  userId?: number | undefined;
  named?: Named | undefined;
  /** The applications that the month's report counts, and among them those of one outcome. */
  appliedIn?: ManilaMonth | undefined;
  outcome?: ApplicationOutcome | undefined;
  /** Only loans that take a payment, or may be released. */
  work?: LoanWork | undefined;
};

const staffLoans = (reader: Reader) =>
  reader
    .select(listed)
    .from(loans)
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .leftJoin(loanPositions, eq(loanPositions.loanId, loans.id));

export const findListedLoan = (reader: Reader, id: number): Promise<ListedLoan | undefined> =>
  firstOf(staffLoans(reader).where(and(eq(loans.id, id), isNull(loans.deletedAt))));

const isOpen = inArray(loanPositions.state, ['open', 'written_off']);

const applicationsIn = (month: ManilaMonth, outcome: ApplicationOutcome | undefined) =>
  idsOfApplications({ from: firstDayOf(month), to: lastDayOf(month) }, outcome);

const takesWork: Record<LoanWork, SQL | undefined> = {
  payment: isOpen,
  release: and(inArray(loans.status, loanStatusesWith('isPayable')), isNull(loanPositions.loanId)),
};

export function readLoanPage(reader: Reader, page: ListPage & LoanFilters) {
  const { status, search, memberIds, before, limit, pastDue, dueFrom, dueTo, userId, named, work } = page;
  const { appliedIn, outcome } = page;
  const due = reader
    .select({ loanId: instalments.loanId })
    .from(instalments)
    .where(
      and(
        eq(instalments.loanId, loans.id),
        sql`${instalments.leftCentavos} > 0`,
        dueFrom === undefined ? undefined : gte(instalments.dueDate, dueFrom),
        dueTo === undefined ? undefined : lte(instalments.dueDate, dueTo),
      ),
    );
  return staffLoans(reader)
    .where(
      and(
        isNull(loans.deletedAt),
        status === undefined ? undefined : eq(loans.status, status),
        userId === undefined ? undefined : eq(loans.accountId, userId),
        pastDue && and(isOpen, isPastDue(pastDue.day, pastDue.days)),
        dueFrom === undefined && dueTo === undefined ? undefined : and(isOpen, exists(due)),
        search === undefined
          ? undefined
          : isOneFoundBy(reader, { search, memberIds }, loans.accountId, ...searched),
        appliedIn && inArray(loans.id, sql`(${applicationsIn(appliedIn, outcome)})`),
        work && takesWork[work],
        isOfNamed(named, { accountId: loans.accountId, loanId: loans.id }),
        before === undefined ? undefined : lt(loans.id, before),
      ),
    )
    .orderBy(desc(loans.id))
    .limit(limit);
}
