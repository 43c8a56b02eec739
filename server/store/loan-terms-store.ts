import { desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { loanTerms } from './schema.ts';

/** A row of `loan_terms`: one version of what a borrower agreed to. */
export type LoanTermsVersion = typeof loanTerms.$inferSelect;
export type NewLoanTerms = typeof loanTerms.$inferInsert;

/** Rows are only ever added: the table refuses every change. The caller holds the lock of the loan. */
export async function insertLoanTerms(tx: Tx, terms: NewLoanTerms): Promise<LoanTermsVersion> {
  const [row] = await tx.insert(loanTerms).values(terms).returning();
  if (!row) throw new Error('inserted loan terms were not returned');
  return row;
}

/** The newest version, or undefined for a loan taken over from other books, whose contract lies elsewhere. */
export async function findNewestTerms(
  handle: Tx | Reader,
  loanId: number,
): Promise<LoanTermsVersion | undefined> {
  const [row] = await handle
    .select()
    .from(loanTerms)
    .where(eq(loanTerms.loanId, loanId))
    .orderBy(desc(loanTerms.version))
    .limit(1);
  return row;
}

/** Every version there has been, newest first. */
export async function readTermsOf(handle: Tx | Reader, loanId: number): Promise<LoanTermsVersion[]> {
  return handle.select().from(loanTerms).where(eq(loanTerms.loanId, loanId)).orderBy(desc(loanTerms.version));
}
