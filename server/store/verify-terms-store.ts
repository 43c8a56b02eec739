import { sql } from 'drizzle-orm';
import type { Reader } from '#server/platform/database/database.ts';

/** A version of a loan's terms beside the loan itself. */
export type TermsInBooks = {
  loanId: number;
  version: number;
  accountId: number | null;
  quote: unknown;
  hash: string;
  /** The version before this one in the table, 0 for none. */
  versionBefore: number;
  isNewest: boolean;
  /** Null when the loan itself is gone. */
  loanAmountCentavos: number | null;
  loanTermMonths: number | null;
};

type TermsRow = {
  loan_id: string;
  version: number;
  account_id: string | null;
  quote: unknown;
  hash: string;
  version_before: number;
  is_newest: boolean;
  amount_centavos: string | null;
  term_months: number | null;
};

/** The versions after this place, loan by loan, at most `limit`. */
export async function readTermsInBooks(
  reader: Reader,
  after: { loanId: number; version: number },
  limit: number,
): Promise<TermsInBooks[]> {
  const { rows } = await reader.execute<TermsRow>(sql`
    select loan_id, version, loans.account_id, quote, hash, loans.amount_centavos, loans.term_months,
           coalesce((select max(earlier.version) from loan_terms earlier
                      where earlier.loan_id = terms.loan_id and earlier.version < terms.version), 0) as version_before,
           not exists (select from loan_terms later
                        where later.loan_id = terms.loan_id and later.version > terms.version) as is_newest
      from (
        select *
          from loan_terms
         where (loan_id, version) > (${after.loanId}::bigint, ${after.version}::int)
         order by loan_id, version
         limit ${limit}::int
      ) terms
      left join loans on loans.id = terms.loan_id
     order by loan_id, version`);
  return rows.map((row) => ({
    loanId: Number(row.loan_id),
    version: row.version,
    accountId: numberOrNull(row.account_id),
    quote: row.quote,
    hash: row.hash,
    versionBefore: row.version_before,
    isNewest: row.is_newest,
    loanAmountCentavos: numberOrNull(row.amount_centavos),
    loanTermMonths: row.term_months,
  }));
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));
