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
  loanRateBasisPoints: number | null;
  loanPaymentCentavos: number | null;
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
  monthly_rate_basis_points: number | null;
  monthly_payment_centavos: string | null;
};

/** The versions after this place, loan by loan, at most `limit`. */
export async function readTermsInBooks(
  reader: Reader,
  after: { loanId: number; version: number },
  limit: number,
): Promise<TermsInBooks[]> {
  const { rows } = await reader.execute<TermsRow>(sql`
    select loan_id, version, loans.account_id, quote, hash, loans.amount_centavos, loans.term_months,
           loans.monthly_rate_basis_points, loans.monthly_payment_centavos,
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
    loanRateBasisPoints: row.monthly_rate_basis_points,
    loanPaymentCentavos: numberOrNull(row.monthly_payment_centavos),
  }));
}

/** Of the loans after this id those without terms, but for the ones taken over from elsewhere, which have no rate. */
export async function readLoansWithoutTerms(reader: Reader, afterId: number, limit: number) {
  const { rows } = await reader.execute<{ id: string; account_id: string; is_bare: boolean }>(sql`
    select id, account_id,
           monthly_rate_basis_points is not null
             and not exists (select from loan_terms where loan_id = loans.id) as is_bare
      from loans
     where id > ${afterId}::bigint
     order by id
     limit ${limit}::int`);
  const findings = rows
    .filter((row) => row.is_bare)
    .map(({ id, account_id: accountId }) => ({ id: Number(id), accountId: Number(accountId) }));
  return { rows: rows.length, next: Number(rows.at(-1)?.id), findings };
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));
