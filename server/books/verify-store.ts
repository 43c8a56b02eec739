import { inArray, type SQL, sql } from 'drizzle-orm';
import type { LoanAgreement } from '#contract/loan.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { LoanBorrower } from '#server/store/loan-terms-store.ts';
import { momentText } from '#server/store/row-seal-store.ts';
import { auditSeals } from '#server/store/schema.ts';
import { entryLines, sealHash } from './audit-seal-store.ts';

/**
 * The checks of the books, a page a statement. Every check holds at any moment by itself, so they may be made one after
 * another while the house goes on: an entry against the one before it, an account's head against its newest entry, a
 * withdrawal against its entries. Together they say that each balance is the sum of its entries: every entry's balance
 * is the one before plus its amount, from nothing on, and the account's is the last entry's.
 */
/** How many rows a page has: written into the statement, so that the planner knows it and walks the index. */
const rowsAtMost = (limit: number) => sql.raw(String(limit));

/** What a page found: how many rows it looked at, where the next page begins, and the rows that are wrong. */
export type CheckedPage<Next, Finding> = { rows: number; next: Next | undefined; findings: Finding[] };

export type EntryFinding = { id: number; accountId: number; sequence: number; fault: EntryFault };
export type EntryFault =
  | 'entry_before_missing'
  | 'previous_hash'
  | 'hash'
  | 'balance_after'
  | 'account_missing'
  | 'withdrawal_missing';

/** An entry's place in the books: its account, then its number there. */
export type EntryPlace = { accountId: number; sequence: number };

/** Before every id, whatever somebody has planted. */
export const lowestId = Number.MIN_SAFE_INTEGER;

/** Accounts after one id up to and including another; no end for the last range. */
export type AccountRange = { afterId: number; throughId: number | null };

/** All ids there may be, in so many ranges of about as many accounts each. */
export async function readAccountRanges(reader: Reader, count: number): Promise<AccountRange[]> {
  const fractions = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count);
  const { rows } = await reader.execute<{ bounds: string[] | null }>(sql`
    select percentile_disc(${`{${fractions.join(',')}}`}::float8[]) within group (order by id) as bounds from accounts`);
  const bounds = [...new Set((rows[0]?.bounds ?? []).map(Number))];
  return [lowestId, ...bounds].map((afterId, index) => ({ afterId, throughId: bounds[index] ?? null }));
}

/**
 * Ledger entries of some accounts, from their first on or from the place where the page before ended: the entry there
 * is only looked back at.
 */
export async function checkEntries(
  reader: Reader,
  from: EntryPlace | null,
  { afterId, throughId }: AccountRange,
  limit: number,
): Promise<CheckedPage<EntryPlace, EntryFinding>> {
  const start = from ?? { accountId: afterId + 1, sequence: 0 };
  const end = throughId === null ? sql`` : sql`and account_id <= ${throughId}::bigint`;
  const isFirst = sql`(account_id, sequence) = (${start.accountId}::bigint, ${start.sequence}::int)`;
  const { rows, last, findings } = await readPage<EntryFinding>(
    reader,
    sql`
    select ${page(sql`array[account_id, sequence]`, sql`'id', id, 'accountId', account_id, 'sequence', sequence, 'fault', fault`)}
      from (
        select id, account_id, sequence,
               case
                 when ${isFirst} then null
                 when sequence <> coalesce(last_sequence, 0) + 1 then 'entry_before_missing'
                 when previous_hash <> coalesce(last_hash, '') then 'previous_hash'
                 when hash <> ${entryHash} then 'hash'
                 when balance_after_centavos <> coalesce(last_balance, 0) + amount_centavos then 'balance_after'
                 when sequence = 1 and (select accounts.id from accounts where accounts.id = account_id) is null
                   then 'account_missing'
                 when withdrawal_id is not null
                      and (select withdrawals.id from withdrawals where withdrawals.id = withdrawal_id) is null
                   then 'withdrawal_missing'
               end as fault
          from (
            select *, lag(sequence) over chain as last_sequence, lag(hash) over chain as last_hash,
                   lag(balance_after_centavos) over chain as last_balance
              from ledger_entries
             where (account_id, sequence) >= (${start.accountId}::bigint, ${start.sequence}::int) ${end}
            window chain as (partition by account_id order by sequence)
             order by account_id, sequence
             limit ${rowsAtMost(limit)}
          ) entries
      ) judged`,
  );
  const [accountId, sequence] = last;
  return {
    rows: rows - (from === null ? 0 : 1),
    next: accountId === undefined || sequence === undefined ? undefined : { accountId, sequence },
    findings,
  };
}

/** As `moveMoney` in `ledger-store.ts` wrote it. */
export const entryHash = sql`encode(sha256(convert_to(concat_ws(chr(10), previous_hash, account_id, sequence, type,
  amount_centavos, balance_after_centavos, actor_id, coalesce(withdrawal_id::text, ''),
  ${momentText(sql`created_at`)}, reason, loan_event_id), 'UTF8')), 'hex')`;

/** What an account says of its newest entry, and what that one says. */
export type HeadFinding = {
  accountId: number;
  sequence: number;
  balanceCentavos: number;
  newestSequence: number;
  newestBalanceCentavos: number;
};

/** The accounts after this id, deleted ones too. */
export async function checkHeads(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<CheckedPage<number, HeadFinding>> {
  const { rows, last, findings } = await readPage<HeadFinding>(
    reader,
    sql`
    select ${page(
      sql`array[id]`,
      sql`'accountId', id, 'sequence', ledger_sequence, 'balanceCentavos', balance_centavos,
          'newestSequence', newest_sequence, 'newestBalanceCentavos', newest_balance`,
    )}
      from (
        select id, ledger_sequence, balance_centavos, newest_sequence, newest_balance,
               case
                 when (ledger_sequence, balance_centavos, ledger_hash)
                      <> (newest_sequence, newest_balance, newest_hash) then 'head'
               end as fault
          from (
            select accounts.id, ledger_sequence, balance_centavos, ledger_hash,
                   coalesce(newest.sequence, 0) as newest_sequence,
                   coalesce(newest.balance_after_centavos, 0) as newest_balance,
                   coalesce(newest.hash, '') as newest_hash
              from (select * from accounts where id > ${afterId}::bigint order by id limit ${rowsAtMost(limit)}) accounts
              left join lateral (
                select sequence, balance_after_centavos, hash
                  from ledger_entries
                 where account_id = accounts.id
                 order by sequence desc
                 limit 1
              ) newest on true
          ) heads
      ) judged`,
  );
  return { rows, next: last[0], findings };
}

export type WithdrawalFinding = { id: number; accountId: number; fault: WithdrawalFault };
export type WithdrawalFault =
  | 'debit_missing'
  | 'debit_twice'
  | 'debit_wrong'
  | 'refund_missing'
  | 'refund_unasked'
  | 'refund_twice'
  | 'refund_wrong';

/** The withdrawals after this id: one debit of the amount each, and one refund of it exactly when rejected. */
export async function checkWithdrawals(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<CheckedPage<number, WithdrawalFinding>> {
  const { rows, last, findings } = await readPage<WithdrawalFinding>(
    reader,
    sql`
    select ${page(sql`array[id]`, sql`'id', id, 'accountId', account_id, 'fault', fault`)}
      from (
        select id, account_id,
               case
                 when debits = 0 then 'debit_missing'
                 when debits > 1 then 'debit_twice'
                 when right_debits <> debits then 'debit_wrong'
                 when status = 'rejected' and refunds = 0 then 'refund_missing'
                 when status <> 'rejected' and refunds > 0 then 'refund_unasked'
                 when refunds > 1 then 'refund_twice'
                 when right_refunds <> refunds then 'refund_wrong'
               end as fault
          from (select * from withdrawals where id > ${afterId}::bigint order by id limit ${rowsAtMost(limit)}) requests
          left join lateral (
            select count(*) filter (where type = 'withdrawal') as debits,
                   count(*) filter (where type = 'withdrawal' and account_id = requests.account_id
                                      and amount_centavos = -requests.amount_centavos) as right_debits,
                   count(*) filter (where type = 'withdrawal_refund') as refunds,
                   count(*) filter (where type = 'withdrawal_refund' and account_id = requests.account_id
                                      and amount_centavos = requests.amount_centavos) as right_refunds
              from ledger_entries
             where withdrawal_id = requests.id
          ) entries on true
      ) judged`,
  );
  return { rows, next: last[0], findings };
}

/** One row for a page, so that no more than the faults and the place to go on from travels. */
function page(key: SQL, details: SQL): SQL {
  return sql`count(*)::int as count, max(${key}) as last,
    json_agg(json_build_object(${details}) order by ${key}) filter (where fault is not null) as findings`;
}

async function readPage<Finding>(reader: Reader, statement: SQL) {
  const { rows } = await reader.execute<{
    count: number;
    last: string[] | null;
    findings: Finding[] | null;
  }>(statement);
  const { count = 0, last, findings } = rows[0] ?? {};
  return { rows: count, last: (last ?? []).map(Number), findings: findings ?? [] };
}

/** The tables that may only grow: the migrations give each of them two triggers. */
export const appendOnlyTables = [
  ...['ledger_entries', 'audit_entries', 'loan_terms', 'audit_seals', 'consents', 'loan_acceptances'],
  ...['row_seals', 'book_keys', 'loan_events', 'lenders'],
];

const appendOnly = (table: string) => ({
  [`${table}_append_only`]: `CREATE TRIGGER ${table}_append_only BEFORE DELETE OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  [`${table}_no_truncate`]: `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
});

/** What makes the function refuse: anything else in its place lets changes through. */
const refusal =
  /^BEGIN RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME USING ERRCODE = '\w+', CONSTRAINT = TG_TABLE_NAME \|\| '_append_only'; END$/;

export type TriggerFinding = { name: string; fault: 'missing' | 'disabled' | 'changed' };

/** The triggers that the migrations made and that no longer do what they were made for. */
export async function checkTriggers(reader: Reader): Promise<TriggerFinding[]> {
  const { rows } = await reader.execute<{ name: string; text: string; is_on: boolean; source: string }>(sql`
    select tgname as name, pg_get_triggerdef(pg_trigger.oid, true) as text, tgenabled in ('O', 'A') as is_on,
           prosrc as source
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal`);
  const expected = Object.entries(Object.assign({}, ...appendOnlyTables.map(appendOnly)));
  return expected.flatMap(([name, text]): TriggerFinding[] => {
    const found = rows.find((row) => row.name === name);
    if (!found) return [{ name, fault: 'missing' }];
    if (!found.is_on) return [{ name, fault: 'disabled' }];
    const isAsMade = found.text === text && refusal.test(found.source.replace(/\s+/g, ' ').trim());
    return isAsMade ? [] : [{ name, fault: 'changed' }];
  });
}

/** The hashes of these seals, of those that there are. */
export async function readSealHashes(
  reader: Reader,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await reader.execute<{ number: number; hash: string }>(
    sql`select number, hash from ${auditSeals} where ${inArray(auditSeals.number, [...numbers])}`,
  );
  return new Map(rows.rows.map(({ number, hash }) => [number, hash]));
}

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

/** The versions after this place, loan by loan, at most `limit`. */
export async function readTermsInBooks(
  reader: Reader,
  after: { loanId: number; version: number },
  limit: number,
): Promise<TermsInBooks[]> {
  // As float8 a number arrives as one; a bigint would be text.
  const { rows } = await reader.execute<TermsInBooks>(sql`
    select loan_id::float8 as "loanId", version, loans.account_id::float8 as "accountId", quote, hash,
           loans.amount_centavos::float8 as "loanAmountCentavos", loans.term_months as "loanTermMonths",
           loans.monthly_rate_basis_points as "loanRateBasisPoints",
           loans.monthly_payment_centavos::float8 as "loanPaymentCentavos",
           coalesce((select max(earlier.version) from loan_terms earlier
                      where earlier.loan_id = terms.loan_id and earlier.version < terms.version), 0) as "versionBefore",
           not exists (select from loan_terms later
                        where later.loan_id = terms.loan_id and later.version > terms.version) as "isNewest"
      from (
        select *
          from loan_terms
         where (loan_id, version) > (${after.loanId}::bigint, ${after.version}::int)
         order by loan_id, version
         limit ${limit}::int
      ) terms
      left join loans on loans.id = terms.loan_id
     order by loan_id, version`);
  return rows;
}

/** What a version fixes beside its quote, with the parties that it has only hashes of. */
export type AgreementInBooks = {
  loanId: number;
  version: number;
  accountId: number | null;
  hash: string;
  agreement: LoanAgreement;
  agreementHash: string;
  lender: unknown;
  borrower: Omit<LoanBorrower, 'loanId' | 'version'> | null;
  /** Whether the borrower's row is rightly gone. */
  isErased: boolean;
};

/** Those of the versions after this place, loan by loan, at most `limit`. */
export async function readAgreementsInBooks(
  reader: Reader,
  after: { loanId: number; version: number },
  limit: number,
): Promise<AgreementInBooks[]> {
  const { rows } = await reader.execute<AgreementInBooks>(sql`
    select loan_id::float8 as "loanId", version, loans.account_id::float8 as "accountId", hash, agreement,
           agreement_hash as "agreementHash",
           (select facts from lenders where lenders.hash = agreement ->> 'lenderHash') as "lender",
           (select json_build_object('fullName', full_name, 'phone', phone, 'email', email, 'address', address,
                                     'salt', salt)
              from loan_borrowers
             where loan_borrowers.loan_id = terms.loan_id and loan_borrowers.version = terms.version) as "borrower",
           exists (select from accounts where accounts.id = loans.account_id and erased_at is not null) as "isErased"
      from (
        select *
          from loan_terms
         where agreement is not null and (loan_id, version) > (${after.loanId}::bigint, ${after.version}::int)
         order by loan_id, version
         limit ${limit}::int
      ) terms
      left join loans on loans.id = terms.loan_id
     order by loan_id, version`);
  return rows;
}

/** Of the loans after this id those without terms, but for the ones taken over from elsewhere, which have no rate. */
export async function readLoansWithoutTerms(reader: Reader, afterId: number, limit: number) {
  const { rows } = await reader.execute<{ id: number; accountId: number; isBare: boolean }>(sql`
    select id::float8 as id, account_id::float8 as "accountId",
           monthly_rate_basis_points is not null
             and not exists (select from loan_terms where loan_id = loans.id) as "isBare"
      from loans
     where loans.id > ${afterId}::bigint
     order by loans.id
     limit ${limit}::int`);
  return { rows: rows.length, next: rows.at(-1)?.id, findings: rows.filter(({ isBare }) => isBare) };
}

export type SealFault = 'seal_before_missing' | 'previous_hash' | 'hash';

/** A seal as it was read again. `written` and `found` are its entries' lines, given only when they differ. */
export type CheckedSeal = {
  number: number;
  entryCount: number;
  fault: SealFault | null;
  written: string | null;
  found: string | null;
};

/**
 * The seals after this number, in their order: fewer than `limit`, because the one of this number is looked back at. A
 * seal speaks for every entry after the last one of the seal before, so an entry that was slipped in
 * between shows too.
 */
export async function checkSeals(
  reader: Reader,
  { fromNumber, limit }: { fromNumber: number; limit: number },
): Promise<CheckedSeal[]> {
  const { rows } = await reader.execute<CheckedSeal>(sql`
    select number, entry_count as "entryCount", fault,
           case when is_different then entry_hashes end as written,
           case when is_different then entries end as found
      from (
        select number, entry_count, entry_hashes, entries, entries is distinct from entry_hashes as is_different,
               case
                 when number <> coalesce(last_number, 0) + 1 then 'seal_before_missing'
                 when previous_hash <> coalesce(last_hash, '') then 'previous_hash'
                 when hash <> ${sealHash} then 'hash'
               end as fault
          from (
            select *, lag(number) over (order by number) as last_number, lag(hash) over (order by number) as last_hash,
                   lag(last_id) over (order by number) as covered_id
              from audit_seals
             where number >= ${fromNumber}::int
             order by number
             limit ${limit}::int
          ) seals
          left join lateral (
            select ${entryLines} as entries
              from audit_entries
             where id > case when number = 1 then 0 when last_number = number - 1 then covered_id else first_id - 1 end
               and id <= last_id
          ) covered on true
         where number > ${fromNumber}::int
      ) judged
     order by number`);
  return rows;
}
