import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { ContractLender } from '#contract/loan.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { firstOf, isAmong } from './packed-columns.ts';
import { lenders, loanAcceptances, loanBorrowers, loanPositions, loans, loanTerms } from './schema.ts';
import { insertSealed, noteNewRows } from './sealed-rows.ts';

export type LoanTermsVersion = typeof loanTerms.$inferSelect;
export type NewLoanTerms = typeof loanTerms.$inferInsert;

export type LoanBorrower = typeof loanBorrowers.$inferSelect;

/** Append-only. The caller holds the loan's lock. */
export async function insertLoanTerms(
  tx: Tx,
  terms: NewLoanTerms,
  lender: typeof lenders.$inferInsert,
  borrower: Omit<LoanBorrower, 'loanId' | 'version'>,
): Promise<void> {
  const { loanId, version } = terms;
  await insertLender(tx, lender);
  await insertSealed(tx, loanTerms, terms);
  await tx.insert(loanBorrowers).values({ loanId, version, ...borrower });
}

/** Once: most contracts name the same one. */
export const insertLender = (tx: Tx, lender: typeof lenders.$inferInsert) =>
  tx.insert(lenders).values(lender).onConflictDoNothing();

export async function findLender(reader: Reader, hash: string): Promise<ContractLender | undefined> {
  return (await firstOf(reader.select().from(lenders).where(eq(lenders.hash, hash))))?.facts;
}

/** All of them: a lender's name or address seldom changes. */
export const readLenders = (reader: Reader) => reader.select().from(lenders);

/** The borrowers named in the versions of these loans, as far as they are stored. */
export const readBorrowersOf = (reader: Reader, loanIds: readonly number[]): Promise<LoanBorrower[]> =>
  reader
    .select()
    .from(loanBorrowers)
    .where(inArray(loanBorrowers.loanId, [...loanIds]));

/** Undefined for a loan taken over from other books, whose contract is elsewhere. */
export const findNewestTerms = (reader: Reader, loanId: number): Promise<LoanTermsVersion | undefined> =>
  firstOf(readTermsOf(reader, loanId).limit(1));

const disbursedTerms = prepared((reader) =>
  reader
    .select({ terms: loanTerms })
    .from(loanPositions)
    .innerJoin(
      loanTerms,
      and(eq(loanTerms.loanId, loanPositions.loanId), eq(loanTerms.version, loanPositions.termsVersion)),
    )
    .where(isAmong(loanPositions.loanId, 'loanIds')),
);

export const readDisbursedTerms = async (reader: Reader, loanIds: readonly number[]) =>
  (await disbursedTerms(reader, { loanIds })).map(({ terms }) => terms);

export const readTermsOf = (reader: Reader, loanId: number) =>
  reader.select().from(loanTerms).where(eq(loanTerms.loanId, loanId)).orderBy(desc(loanTerms.version));

export const readTermsOfAll = (reader: Reader, loanIds: readonly number[]) =>
  reader
    .select()
    .from(loanTerms)
    .where(inArray(loanTerms.loanId, [...loanIds]))
    .orderBy(asc(loanTerms.loanId), asc(loanTerms.version));

export type LoanAcceptance = typeof loanAcceptances.$inferSelect;

/** The caller holds the loan's lock. */
export async function insertAcceptance(tx: Tx, acceptance: LoanAcceptance): Promise<void> {
  const termsId = sql<string>`(select id from loan_terms where loan_terms.loan_id = loan_acceptances.loan_id
    and loan_terms.version = loan_acceptances.version)`;
  const accepted = onlyRow(await tx.insert(loanAcceptances).values(acceptance).returning({ termsId }));
  noteNewRows(tx, 'loan_acceptances', [Number(accepted.termsId)]);
}

export const readAcceptancesOf = (reader: Reader, loanIds: readonly number[]): Promise<LoanAcceptance[]> =>
  reader
    .select()
    .from(loanAcceptances)
    .where(inArray(loanAcceptances.loanId, [...loanIds]));

/**
 * True if staff issued the newest terms of a row of `loans` and the borrower has not accepted them. A
 * disbursement changes only dates.
 */
export const hasUnagreedTerms = sql<boolean>`exists (
  select from loan_terms newest
   where newest.loan_id = loans.id and newest.issued_by <> loans.account_id and not newest.quote ? 'servicing'
     and newest.version = (select max(version) from loan_terms where loan_id = loans.id)
     and not exists (select from loan_acceptances accepted
                      where accepted.loan_id = newest.loan_id and accepted.version = newest.version))`;

export async function areTermsUnagreed(reader: Reader, loanId: number): Promise<boolean> {
  const [row] = await reader.select({ is: hasUnagreedTerms }).from(loans).where(eq(loans.id, loanId));
  return row?.is === true;
}
