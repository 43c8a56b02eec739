import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { servicingTerms } from '#contract/contract-terms.ts';
import type { QuoteDocument } from '#contract/loan.ts';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { parseManilaDate } from '#domain/calendar.ts';
import { type WalletMovement, walletMovements } from '#domain/journal.ts';
import { parsePesos } from '#domain/money.ts';
import { foldEdition, foldEvents, type LoanEvent } from '#domain/servicing.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import { hashOfAgreement, hashOfBorrower } from '#server/services/contract-service.ts';
import { eventOf } from '#server/services/loan-event.ts';
import { allMovements, storedPosition } from '#server/services/loan-event-record.ts';
import { frozenQuoteOf } from '#server/services/quote-service.ts';
import { hashOfTexts, type LoanEventRow, movementRow, wrongInChain } from '#server/store/loan-event-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import type { Payment } from '#server/store/payment-store.ts';
import {
  accounts,
  auditSeals,
  instalments,
  journalMovements,
  ledgerEntries,
  lenders,
  loanBorrowers,
  loanEvents,
  loanMovements,
  loanPositions,
  loans,
  loanTerms,
  payments,
} from '#server/store/schema.ts';
import { momentText, type SealedTable } from '#server/store/sealed-columns.ts';
import { fits, keptRows, readLostRows, readSealed, type Which } from '#server/store/sealed-rows.ts';
import {
  entryLines,
  findNewestSeal,
  hashRowSeals,
  keptTables,
  type NotedSeal,
  readPositions,
  type Seal,
  sealHash,
} from './audit-seals.ts';

export type Fault = { table: string; id: string; accountId: number | null; what: string };

export const fault = (
  table: string,
  id: number | string,
  what: string,
  accountId: number | null = null,
): Fault => ({
  table,
  id: String(id),
  accountId,
  what,
});

export type CheckedPage<Place> = { rows: number; next: Place | undefined; faults: Fault[] };

/** Below every id, even forged ones. */
export const lowestId = Number.MIN_SAFE_INTEGER;

/**
 * Checks rows in SQL: `judged` gives each one's `id`, `account_id`, and in `what` what is wrong with it. Every check
 * holds at any moment, so checks may run one after another on a busy server: an entry against the one before it, an
 * account's end against its newest entry, a withdrawal against its entries. Together they prove that each balance is
 * the sum of its entries.
 */
async function readPage(reader: Reader, table: string, judged: SQL, key = sql`array[id]`) {
  const { rows } = await reader.execute<{ count: number; last: string[] | null; faults: Fault[] | null }>(sql`
    select count(*)::int as count, max(${key}) as last,
           json_agg(json_build_object('table', ${table}::text, 'id', id::text, 'accountId', account_id, 'what', what)
                    order by ${key}) filter (where what is not null) as faults
      from (${judged}) judged`);
  const [{ count = 0, last = null, faults = null } = {}] = rows;
  return { rows: count, last: (last ?? []).map(Number), faults: faults ?? [] };
}

/** The limit is a literal, so that the planner knows it and uses the index. */
const rowsOf = (table: string, which: Which): SQL =>
  'ids' in which
    ? sql`(select * from ${sql.raw(table)} where id = any(${sql.param(which.ids)}::bigint[]))`
    : sql`(select * from ${sql.raw(table)} where id > ${which.afterId}::bigint order by id limit ${sql.raw(String(which.limit))})`;

const checkById =
  (table: string, judged: (rows: SQL) => SQL) =>
  async (reader: Reader, which: Which): Promise<CheckedPage<number>> => {
    const { last, ...page } = await readPage(reader, table, judged(rowsOf(table, which)));
    return { ...page, next: last[0] };
  };

export type EntryPlace = { accountId: number; sequence: number };

/** Hashes an entry as `moveMoney` in `ledger-store.ts` does. */
export const entryHash = sql`encode(sha256(convert_to(concat_ws(chr(10), previous_hash, account_id, sequence, type,
  amount_centavos, balance_after_centavos, actor_id, coalesce(withdrawal_id::text, ''),
  ${momentText(sql`created_at`)}, reason, loan_event_id), 'UTF8')), 'hex')`;

/** Judges ledger entries, each with `last_sequence`, `last_hash` and `last_balance` of the one before it. */
const judgeEntry = sql`
  case
    when sequence <> coalesce(last_sequence, 0) + 1
      then format('it is entry %s of its account, and entry %s before it is missing', sequence, sequence - 1)
    when previous_hash <> coalesce(last_hash, '') then 'it does not continue the entry before it'
    when hash <> ${entryHash} then 'its values do not match its hash'
    when balance_after_centavos <> coalesce(last_balance, 0) + amount_centavos
      then 'its balance is not the one before plus its amount'
    when sequence = 1 and (select accounts.id from accounts where accounts.id = account_id) is null
      then 'its account is missing'
    when withdrawal_id is not null
         and (select withdrawals.id from withdrawals where withdrawals.id = withdrawal_id) is null
      then 'its withdrawal is missing'
  end`;

/** Every entry, account by account; the entry at `from`, where the page before ended, is only compared with. */
export async function checkLedgers(
  reader: Reader,
  from: EntryPlace | null,
  limit: number,
): Promise<CheckedPage<EntryPlace>> {
  const place = sql`(${from?.accountId ?? lowestId}::bigint, ${from?.sequence ?? 0}::int)`;
  const judged = sql`
    select id, account_id, sequence, case when (account_id, sequence) <> ${place} then ${judgeEntry} end as what
      from (
        select *, lag(sequence) over chain as last_sequence, lag(hash) over chain as last_hash,
               lag(balance_after_centavos) over chain as last_balance
          from ledger_entries
         where (account_id, sequence) >= ${place}
        window chain as (partition by account_id order by sequence)
         order by account_id, sequence
         limit ${sql.raw(String(limit))}
      ) entries`;
  const page = await readPage(reader, 'ledger_entries', judged, sql`array[account_id, sequence]`);
  const [accountId, sequence] = page.last;
  return {
    rows: page.rows - (from === null ? 0 : 1),
    // A page that is not full is the last: it holds at least the entry at `from`.
    next:
      page.rows < limit || accountId === undefined || sequence === undefined
        ? undefined
        : { accountId, sequence },
    faults: page.faults,
  };
}

/** Entries by their ids, each beside the one before it in its account. */
export const checkEntries = checkById(
  'ledger_entries',
  (rows) => sql`
    select id, account_id, ${judgeEntry} as what
      from (
        select entries.*, earlier.sequence as last_sequence, earlier.hash as last_hash,
               earlier.balance_after_centavos as last_balance
          from ${rows} entries
          left join lateral (
            select sequence, hash, balance_after_centavos
              from ledger_entries
             where account_id = entries.account_id and sequence < entries.sequence
             order by sequence desc
             limit 1
          ) earlier on true
      ) entries`,
);

const pesos = (amountCentavos: string) =>
  sql.raw(`to_char(${amountCentavos} / 100.0, 'FM9999999999999990.00')`);

/** Each account, deleted ones included, ends as its newest ledger entry does. */
export const checkHeads = checkById(
  'accounts',
  (rows) => sql`
    select id, id as account_id,
           case
             when newest_sequence < ledger_sequence
               then format('its newest ledger entry is missing: there are %s of %s', newest_sequence, ledger_sequence)
             when newest_sequence > ledger_sequence
               then format('its ledger has %s entries where %s were written', newest_sequence, ledger_sequence)
             when newest_balance <> balance_centavos
               then format('its balance is %s, and its ledger comes to %s', ${pesos('balance_centavos')},
                           ${pesos('newest_balance')})
             when newest_hash <> ledger_hash then 'it does not end in the hash of its newest ledger entry'
           end as what
      from (
        select accounts.id, ledger_sequence, balance_centavos, ledger_hash,
               coalesce(newest.sequence, 0) as newest_sequence,
               coalesce(newest.balance_after_centavos, 0) as newest_balance,
               coalesce(newest.hash, '') as newest_hash
          from ${rows} accounts
          left join lateral (
            select sequence, balance_after_centavos, hash
              from ledger_entries
             where account_id = accounts.id
             order by sequence desc
             limit 1
          ) newest on true
      ) heads`,
);

/** Each withdrawal has one debit of its amount, and one refund exactly if it is rejected. */
export const checkWithdrawals = checkById(
  'withdrawals',
  (rows) => sql`
    select id, account_id,
           case
             when debits = 0 then 'its debit is missing in the ledger'
             when debits > 1 then 'it was debited more than once'
             when right_debits <> debits then 'its debit is of another amount or account'
             when status = 'rejected' and refunds = 0 then 'it is rejected, and its refund is missing in the ledger'
             when status <> 'rejected' and refunds > 0 then 'it was refunded and is not rejected'
             when refunds > 1 then 'it was refunded more than once'
             when right_refunds <> refunds then 'its refund is of another amount or account'
           end as what
      from ${rows} requests
      left join lateral (
        select count(*) filter (where type = 'withdrawal') as debits,
               count(*) filter (where type = 'withdrawal' and account_id = requests.account_id
                                  and amount_centavos = -requests.amount_centavos) as right_debits,
               count(*) filter (where type = 'withdrawal_refund') as refunds,
               count(*) filter (where type = 'withdrawal_refund' and account_id = requests.account_id
                                  and amount_centavos = requests.amount_centavos) as right_refunds
          from ledger_entries
         where withdrawal_id = requests.id
      ) entries on true`,
);

/** Only loans taken over from elsewhere, which have no rate, may lack terms. */
export const checkLoansHaveTerms = checkById(
  'loans',
  (rows) => sql`
    select id, account_id,
           case when monthly_rate_basis_points is not null
                     and not exists (select from loan_terms where loan_id = rows.id)
             then 'it has no terms that anybody agreed to'
           end as what
      from ${rows} rows`,
);

/** The append-only tables: the migrations give each of them two triggers. */
export const appendOnlyTables = [
  ...['ledger_entries', 'audit_entries', 'loan_terms', 'audit_seals', 'consents', 'loan_acceptances'],
  ...['row_seals', 'book_keys', 'loan_events', 'lenders'],
];

/** Where an erasure may remove personal data (migrations `texts_erasable` and `log_without_references`). */
const refusingFor = {
  loan_events: 'refuse_change_of_event',
  audit_entries: 'refuse_change_of_entry',
} as const;

/** Makes the functions refuse: anything else in its place lets changes through. */
const raise = `RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only'; END`;
const refusals = {
  refuse_change: `BEGIN ${raise}`,
  refuse_change_of_event: `DECLARE free text[] := array['reference', 'reason', 'format', 'text_salt', 'text_hash', 'previous_hash', 'hash']; BEGIN IF TG_OP = 'UPDATE' THEN IF to_jsonb(NEW) - free = to_jsonb(OLD) - free AND (NEW.reference IS NULL OR NEW.reference = OLD.reference) AND (NEW.reason = '' OR NEW.reason = OLD.reason) THEN RETURN NEW; END IF; END IF; ${raise}`,
  refuse_change_of_entry: `BEGIN IF TG_OP = 'UPDATE' THEN IF to_jsonb(NEW) - 'after' = to_jsonb(OLD) - 'after' AND NEW.after = OLD.after - 'reference' THEN RETURN NEW; END IF; END IF; ${raise}`,
};

const triggers = appendOnlyTables.flatMap((table) => {
  const refusing = refusingFor[table as keyof typeof refusingFor] ?? 'refuse_change';
  const made = (name: string, when: string, each: string, refusal: keyof typeof refusals) => ({
    name,
    text: `CREATE TRIGGER ${name} BEFORE ${when} ON ${table} FOR EACH ${each} EXECUTE FUNCTION ${refusal}()`,
    source: refusals[refusal],
  });
  return [
    made(`${table}_append_only`, 'DELETE OR UPDATE', 'ROW', refusing),
    made(`${table}_no_truncate`, 'TRUNCATE', 'STATEMENT', 'refuse_change'),
  ];
});

/** Triggers that no longer do what the migrations made them for. */
export async function checkTriggers(reader: Reader): Promise<Fault[]> {
  const { rows } = await reader.execute<{ name: string; text: string; isOn: boolean; source: string }>(sql`
    select tgname as name, pg_get_triggerdef(pg_trigger.oid, true) as text, tgenabled in ('O', 'A') as "isOn",
           trim(regexp_replace(prosrc, '\\s+', ' ', 'g')) as source
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal`);
  return triggers.flatMap(({ name, text, source }) => {
    const found = rows.find((row) => row.name === name);
    const isAsMade = found?.text === text && found.source === source;
    if (found?.isOn && isAsMade) return [];
    const wrong = found?.isOn ? 'it is not as the migrations made it' : 'it is disabled';
    return [fault('trigger', name, `${found ? wrong : 'it is missing'}: its table is not append-only`)];
  });
}

export type TermsPlace = { loanId: number; version: number };

export type WhichTerms = { after: TermsPlace } | { loanIds: readonly number[] };

/** A version of terms with its loan, null if that is missing, and the parties that it names. */
type TermsInBooks = Awaited<ReturnType<typeof readTerms>>[number];

const termsPageRows = 100;

function readTerms(reader: Reader, which: WhichTerms) {
  const read = reader
    .select({
      terms: loanTerms,
      loan: loans,
      lender: lenders.facts,
      borrower: loanBorrowers,
      /** When the borrower was erased, whose row is then missing rightly. */
      erasedAt: accounts.erasedAt,
      /** The version before this one in the table, 0 for none. */
      versionBefore: sql<number>`coalesce((select max(version) from loan_terms earlier
        where earlier.loan_id = ${loanTerms.loanId} and earlier.version < ${loanTerms.version}), 0)`,
      isNewest: sql<boolean>`not exists (select from loan_terms later
        where later.loan_id = ${loanTerms.loanId} and later.version > ${loanTerms.version})`,
    })
    .from(loanTerms)
    .leftJoin(loans, eq(loans.id, loanTerms.loanId))
    .leftJoin(accounts, eq(accounts.id, loans.accountId))
    .leftJoin(lenders, eq(lenders.hash, sql`${loanTerms.agreement} ->> 'lenderHash'`))
    .leftJoin(
      loanBorrowers,
      and(eq(loanBorrowers.loanId, loanTerms.loanId), eq(loanBorrowers.version, loanTerms.version)),
    )
    .where(
      'after' in which
        ? sql`(${loanTerms.loanId}, ${loanTerms.version}) > (${which.after.loanId}::bigint, ${which.after.version}::int)`
        : inArray(loanTerms.loanId, [...which.loanIds]),
    )
    .orderBy(asc(loanTerms.loanId), asc(loanTerms.version));
  return 'after' in which ? read.limit(termsPageRows) : read;
}

/** Versions of loan terms: those after a place, or all of some loans. */
export async function checkTerms(reader: Reader, which: WhichTerms): Promise<CheckedPage<TermsPlace>> {
  const versions = await readTerms(reader, which);
  const faults = versions.flatMap((found) => {
    const { loanId, version } = found.terms;
    const what = wrongInTerms(found) ?? wrongInAgreement(found);
    return what ? [fault('loan_terms', `${loanId}, version ${version}`, what, found.loan?.accountId)] : [];
  });
  return { rows: versions.length, next: versions.at(-1)?.terms, faults };
}

function wrongInTerms({ terms, loan, versionBefore, isNewest }: TermsInBooks): string | undefined {
  const { version, hash } = terms;
  const quote: Partial<QuoteDocument> = terms.quote;
  if (canonicalHash(quote) !== hash) return 'their quote does not match their hash';
  if (versionBefore !== version - 1) return `version ${version - 1} is missing`;
  if (!loan) return 'their loan is missing';
  if (!isNewest) return undefined;
  const isAsAgreed =
    parsePesos(quote.amount ?? '') === loan.amountCentavos && quote.termMonths === loan.termMonths;
  if (!isAsAgreed) return 'their loan has another amount or term';
  const isPaidAsAgreed =
    Math.round((quote.interestRate ?? 0) * 100) === loan.monthlyRateBasisPoints &&
    parsePesos(quote.monthlyPayment ?? '') === loan.monthlyPaymentCentavos;
  return isPaidAsAgreed ? undefined : 'their loan has another rate or monthly payment';
}

function wrongInAgreement({ terms, lender, borrower, erasedAt }: TermsInBooks): string | undefined {
  const { hash, agreement, agreementHash } = terms;
  if (!agreement) return undefined;
  if (hashOfAgreement(hash, agreement) !== agreementHash) return 'their agreement does not match its hash';
  if (canonicalHash(lender) !== agreement.lenderHash) return 'they name another lender than was agreed';
  if (!borrower) return erasedAt ? undefined : 'nobody is named as their borrower';
  return hashOfBorrower(borrower) === agreement.borrowerHash
    ? undefined
    : 'they name another borrower than was agreed';
}

const sealsPageRows = 4;

type CheckedSeal = {
  number: number;
  entryCount: number;
  what: string | null;
  changed: { id: string; what: string }[] | null;
  /** Null if the seal before is missing. */
  positions: string | null;
  before: string | null;
};

/** A seal's entries that are not as it found them. One from which the server removed a reference has its own seal. */
function changedEntries(): SQL {
  // Line by line only where the whole differs.
  const linesOf = (lines: SQL) => sql`
    select split_part(line, ' ', 1) as entry_id, line from unnest(string_to_array(${lines}, chr(10))) line
     where entries is distinct from entry_hashes`;
  return sql`
    select json_agg(json_build_object('id', entry_id, 'what', case
             when found.line is null then 'it was sealed and is missing'
             when sealed.line is null then 'it was put in after its neighbours were sealed'
             else 'it is not as it was sealed'
           end) order by length(entry_id), entry_id) as changed
      from (${linesOf(sql`entry_hashes`)}) sealed full join (${linesOf(sql`entries`)}) found using (entry_id)
     where case
             when sealed.line is null or found.line is null then true
             when sealed.line = found.line then false
             else not exists (select from row_seals where table_name = 'audit_entries' and row_id = entry_id::bigint)
           end`;
}

/** The seals after this number. Each covers all entries and row seals since the seal before, so an inserted one shows. */
export async function checkSeals(
  reader: Reader,
  afterNumber: number,
  limit: number = sealsPageRows,
): Promise<CheckedPage<number>> {
  const { rows } = await reader.execute<CheckedSeal>(sql`
    select number, entry_count as "entryCount", changed,
           case when number = coalesce(last_number, 0) + 1 then positions end as positions, last_positions as before,
           case
             when number <> coalesce(last_number, 0) + 1 then 'the seal before it is missing'
             when previous_hash <> coalesce(last_hash, '') then 'it does not continue the seal before it'
             when hash <> ${sealHash} then 'its values do not match its hash'
           end as what
      from (
        select *, lag(number) over chain as last_number, lag(hash) over chain as last_hash,
               lag(last_id) over chain as covered_id, lag(positions) over chain as last_positions
          from audit_seals
         where number >= ${afterNumber}::int
        window chain as (order by number)
         order by number
         limit ${limit}::int + 1
      ) seals
      left join lateral (
        select ${entryLines} as entries
          from audit_entries
         where id > case when number = 1 then 0 when last_number = number - 1 then covered_id else first_id - 1 end
           and id <= last_id
      ) covered on true
      left join lateral (${changedEntries()}) others on true
     where number > ${afterNumber}::int
     order by number`);
  const faults: Fault[] = [];
  for (const { number, what, changed, positions, before } of rows) {
    if (what) faults.push(fault('audit_seals', number, what));
    for (const entry of changed ?? [])
      faults.push(fault('audit_entries', entry.id, `${entry.what} (seal ${number})`));
    const sealed = readPositions(positions).get('row_seals');
    const afterId = readPositions(before).get('row_seals')?.highestId ?? lowestId;
    if (!sealed || (await hashRowSeals(reader, { afterId, throughId: sealed.highestId })) === sealed.hash)
      continue;
    const range = `${Math.max(afterId + 1, 1)} to ${sealed.highestId}`;
    faults.push(fault('row_seals', range, `they are not as seal ${number} found them`));
  }
  const entryCounts = rows.map(({ entryCount }) => entryCount);
  return { rows: entryCounts.reduce((sum, count) => sum + count, 0), next: rows.at(-1)?.number, faults };
}

/** Seals that were noted elsewhere. */
export async function checkNoted(reader: Reader, noted: readonly NotedSeal[]): Promise<Fault[]> {
  const { number, hash } = auditSeals;
  const numbers = noted.map((one) => one.number);
  const seals = await reader.select({ number, hash }).from(auditSeals).where(inArray(number, numbers));
  return noted.flatMap((one) => {
    const seal = seals.find((found) => found.number === one.number);
    if (seal?.hash === one.hash) return [];
    const what = seal
      ? 'it is not the one that was noted'
      : 'it was noted and is missing: these are the books of an earlier moment';
    return [fault('audit_seals', one.number, what)];
  });
}

/** Where counting the rows of a table has come to. */
export type CountPlace = { afterId: number; found: number };

/**
 * The rows of a table up to a seal's position, or since another seal's: none can be added there any more, so pages of different
 * moments add up.
 */
export async function checkCount(
  reader: Reader,
  { table, seal, since }: { table: string; seal: Seal; since?: Seal | undefined },
  place: CountPlace,
  limit: number,
): Promise<CheckedPage<CountPlace>> {
  const position = seal.positions.get(table);
  if (!position) return { rows: 0, next: undefined, faults: [] };
  const { rows } = await reader.execute<{ count: number; last: string | null }>(sql`
    select count(*)::int as count, max(id) as last
      from (select id from ${sql.identifier(table)}
             where id > ${place.afterId}::bigint and id <= ${position.highestId}::bigint
             order by id limit ${limit}::int) page`);
  const { count, last } = onlyRow(rows);
  const found = place.found + count;
  if (count === limit) return { rows: count, next: { afterId: Number(last), found }, faults: [] };
  const before = since?.positions.get(table);
  const counted = position.count - (before?.count ?? 0);
  if (found === counted) return { rows: count, next: undefined, faults: [] };
  const difference = Math.abs(found - counted);
  const words = difference === 1 ? '1 row' : `${difference} rows`;
  const said = found < counted ? `${words} of ${counted} missing` : `${words} more than the ${counted}`;
  const what = `${said} that seal ${seal.number} counted${before ? ` since seal ${since?.number}` : ''}`;
  return { rows: count, next: undefined, faults: [fault(table, `up to ${position.highestId}`, what)] };
}

/** Sequences that were set back: behind the table's newest row, or the newest one sealed. */
export async function checkSequences(reader: Reader): Promise<Fault[]> {
  const sealed = readPositions((await findNewestSeal(reader))?.positions);
  const parts = keptTables.map(
    (table) => sql`
      select ${table}::text as table, greatest(max(id), ${sealed.get(table)?.highestId ?? 0}::bigint) as id,
             (select last_value from ${sql.identifier(`${table}_id_seq`)}) as last
        from ${sql.identifier(table)}`,
  );
  const { rows } = await reader.execute<{ table: string; id: string }>(
    sql`select * from (${sql.join(parts, sql` union all `)}) tables where id > last`,
  );
  return rows.map(({ table, id }) => fault(table, id, 'the sequence has not given this number'));
}

export async function checkSealedRows(
  reader: Reader,
  secrets: SecretBox,
  name: SealedTable,
  which: Which,
): Promise<CheckedPage<number>> {
  const rows = await readSealed(reader, name, which);
  const wrong = rows.filter(({ text, seal }) => !fits(secrets, name, text, seal));
  const faults = wrong.map(({ text, seal }) => {
    const what = seal ? 'it is not as the server wrote it' : 'it was not written by the server';
    if (name === 'allowed_ips') return fault(name, '(the whole list)', what);
    const [sealedRow = ''] = text.split('\n');
    const [id, owner, version] = JSON.parse(sealedRow) as unknown[];
    if (name === 'loan_acceptances') return fault(name, `${id}, version ${owner}`, what);
    if (name === 'loan_terms') return fault(name, `${owner}, version ${version}`, what);
    if (name === 'files') return fault(name, String(owner), what, Number(version));
    const isOwned = name === 'loans' || name === 'withdrawals' || name === 'consents';
    return fault(name, String(id), what, isOwned ? Number(owner) : null);
  });
  if ('ids' in which && keptRows.includes(name)) {
    const there = new Set(rows.map(({ id }) => Number(id)));
    const gone = which.ids.filter((id) => !there.has(id));
    faults.push(...gone.map((id) => lostRow(name, id)));
  }
  const last = 'ids' in which || rows.length < which.limit ? undefined : rows.at(-1);
  return { rows: rows.length, next: last && Number(last.id), faults };
}

const lostRow = (name: SealedTable, id: number | string) =>
  fault(name, name === 'loan_terms' ? `no. ${id}` : id, 'it was sealed and is missing');

export async function checkLostRows(reader: Reader): Promise<Fault[]> {
  const lost = await readLostRows(reader);
  return lost.map(({ name, id }) => lostRow(name, id));
}

export const loansPageRows = 20;

/**
 * Each disbursed loan's chain of events, and what follows from them: position, instalments, payments, wallet movements.
 */
export async function checkDisbursedLoans(reader: Reader, which: Which): Promise<CheckedPage<number>> {
  const read = reader
    .select({ stored: loanPositions, accountId: loans.accountId, erasedAt: accounts.erasedAt })
    .from(loanPositions)
    .leftJoin(loans, eq(loans.id, loanPositions.loanId))
    .leftJoin(accounts, eq(accounts.id, loans.accountId))
    .where(
      'ids' in which
        ? inArray(loanPositions.loanId, [...which.ids])
        : gt(loanPositions.loanId, which.afterId),
    )
    .orderBy(asc(loanPositions.loanId));
  const positions = await ('ids' in which ? read : read.limit(loansPageRows));
  const ids = positions.map(({ stored }) => stored.loanId);
  const ofLoans = inArray(loanEvents.loanId, ids);
  const events = await reader.select().from(loanEvents).where(ofLoans).orderBy(loanEvents.sequence);
  const terms = await reader.select().from(loanTerms).where(inArray(loanTerms.loanId, ids));
  const rows = await reader.select().from(instalments).where(inArray(instalments.loanId, ids));
  const paid = await reader.select().from(payments).where(inArray(payments.loanId, ids));
  const inMonths = await readMovements(reader, ids);
  const eventIds = events.map(({ id }) => id);
  const moved = await reader.select().from(ledgerEntries).where(inArray(ledgerEntries.loanEventId, eventIds));

  const faults = positions.flatMap(({ stored, accountId, erasedAt }) => {
    const { loanId } = stored;
    const isOwn = (row: { loanId: number }) => row.loanId === loanId;
    const own = events.filter(isOwn);
    const version = terms.find((one) => isOwn(one) && one.version === stored.termsVersion);
    const wrong = (table: string, id: string, what: string | undefined) =>
      what === undefined ? [] : [fault(table, id, what, accountId)];
    const eachEvent = (whatOf: (event: (typeof own)[number], index: number) => string | undefined) =>
      own.flatMap((event, index) =>
        wrong('loan_events', `${loanId}, event ${event.sequence}`, whatOf(event, index)),
      );
    const broken = eachEvent(
      (event, index) => wrongInChain(event, own[index - 1]) ?? wrongInTexts(event, erasedAt !== null),
    );
    const quote = version && readableQuote(version);
    if (!quote || own.length === 0) {
      const what = 'its events or its terms are missing or cannot be read';
      return [...broken, ...wrong('loan_positions', String(loanId), what)];
    }
    const servicing = servicingTerms(quote, stored.disbursedOn);
    const folded = storedPosition(foldEvents(servicing, own.map(eventOf)), stored.termsVersion, own);
    const columns: Record<string, unknown> = stored;
    // The next start folds again what an earlier edition wrote; until then only its seal is checked.
    const isOfThisEdition = stored.foldEdition === foldEdition;
    const changed = Object.entries(folded.stored)
      .filter(([name, value]) => isOfThisEdition && columns[name] !== value)
      .map(([name, value]) => `${name} is ${columns[name]}, and its events come to ${value}`);
    const rowsOfLoan = rows.filter(isOwn);
    const otherRow = folded.instalments.find((made) => {
      const row = rowsOfLoan.find(({ number }) => number === made.number);
      const figures = ['amount', 'interest', 'principal', 'paid', 'left'] as const;
      return row?.dueDate !== made.dueDate || figures.some((name) => row[`${name}Centavos`] !== made[name]);
    });
    const isOtherPlan =
      isOfThisEdition && (otherRow !== undefined || rowsOfLoan.length !== folded.instalments.length);
    const planRow = `${loanId}, row ${otherRow?.number ?? rowsOfLoan.length}`;
    const movements = expectedWalletMovements(own.map(eventOf), terms.filter(isOwn));
    const months = isOfThisEdition ? wrongInMonths(inMonths, servicing, terms.filter(isOwn), own) : undefined;
    return [
      ...broken,
      ...wrong('loan_movements', String(loanId), months),
      ...wrong('loan_positions', String(loanId), changed[0]),
      ...wrong('instalments', planRow, isOtherPlan ? 'it is not what the loan’s events come to' : undefined),
      ...paid
        .filter(isOwn)
        .flatMap((payment) => wrong('payments', String(payment.id), wrongInPayment(payment, own))),
      ...eachEvent(({ id, sequence }) => {
        const due = movements.filter(({ ofEvent }) => ofEvent === sequence);
        const made = moved.filter(({ loanEventId }) => loanEventId === id);
        const isMade = ({ type, amount }: (typeof due)[number]) =>
          made.some(
            (one) => one.type === type && one.amountCentavos === amount && one.accountId === accountId,
          );
        const isSame = due.length === made.length && due.every(isMade);
        return isSame ? undefined : 'what it moved in the wallet is not what the ledger has';
      }),
    ];
  });
  return { rows: positions.length, next: ids.at(-1), faults };
}

const readMovements = async (reader: Reader, ids: readonly number[]) => ({
  movements: await reader.select().from(loanMovements).where(inArray(loanMovements.loanId, ids)),
  booked: await reader.select().from(journalMovements).where(inArray(journalMovements.loanId, ids)),
});

/** Compares what the reports of months add up of a loan with what its events come to. */
function wrongInMonths(
  stored: Awaited<ReturnType<typeof readMovements>>,
  servicing: ServicingTerms,
  versions: readonly LoanTermsVersion[],
  own: readonly LoanEventRow[],
): string | undefined {
  const loanId = own[0]?.loanId ?? 0;
  const made = allMovements(servicing, versions.filter(readableQuote), own);
  const isSame = <Row extends { loanId: number }>(all: readonly Row[], due: readonly Row[]) => {
    const ofLoan = all.filter((row) => row.loanId === loanId);
    return (
      ofLoan.length === due.length && due.every((row) => ofLoan.some((one) => isDeepStrictEqual(one, row)))
    );
  };
  const due = made.movements.map((one) => movementRow(loanId, one));
  return isSame(stored.movements, due) && isSame(stored.booked, made.booked)
    ? undefined
    : 'they are not what the loan’s events come to';
}

/** Loans that have events and no position. */
export async function checkEventsHavePosition(reader: Reader, which: Which): Promise<CheckedPage<number>> {
  const some =
    'ids' in which
      ? sql`where loan_id = any(${sql.param(which.ids)}::bigint[]) group by loan_id`
      : sql`where loan_id > ${which.afterId}::bigint group by loan_id order by loan_id limit ${sql.raw(String(which.limit))}`;
  const { last, ...page } = await readPage(
    reader,
    'loan_events',
    sql`select loan_id as id, null::bigint as account_id,
               case when not exists (select from loan_positions where loan_positions.loan_id = loans.loan_id)
                 then 'its position is missing' end as what
          from (select loan_id from loan_events ${some}) loans`,
  );
  return { ...page, next: last[0] };
}

/** Payments that count without a receipt number, and neither wait for one nor were taken over, or with one that was never given. */
export const checkReceipts = checkById(
  'payments',
  (rows) => sql`
    select rows.id, null::bigint as account_id,
           case
             when rows.status in ('confirmed', 'reversed') and receipt_serial is null and old_number is null
                  and waiting.id is null
               then 'it counts without a receipt number'
             when receipt_serial is not null and waiting.id is not null
               then 'it waits for a receipt number, and has one'
             when receipt_serial > coalesce(last_serial, 0) then 'it has a receipt number that was not given'
           end as what
      from ${rows} rows
      join loans on loans.id = loan_id
      left join receipt_numbers on receipt_numbers.year = receipt_year
      left join unnumbered_receipts waiting on waiting.payment_id = rows.id`,
);

/** Payments whose receipt does not follow another. */
export const checkReceiptBefore = checkById(
  'payments',
  (rows) => sql`
    select id, null::bigint as account_id,
           case when receipt_serial > 1
                     and not exists (select from payments earlier
                                      where earlier.receipt_year = rows.receipt_year
                                        and earlier.receipt_serial = rows.receipt_serial - 1)
             then 'the receipt before it is missing' end as what
      from ${rows} rows`,
);

/** A receipt's year and serial. */
export type ReceiptPlace = { year: number; serial: number };

/**
 * The receipts after a place: each number that was given has one. Numbers are only ever added, so pages of different moments
 * prove a year gapless.
 */
export async function checkNumbers(
  reader: Reader,
  { year: atYear, serial }: ReceiptPlace,
  limit: number,
): Promise<CheckedPage<ReceiptPlace>> {
  const { rows } = await reader.execute<{ year: number; serial: number; last: number; count: number }>(sql`
    select year, serial, last, (select count(*)::int from payments
                                 where receipt_year = year and receipt_serial > serial and receipt_serial <= last) as count
      from (
        select year, serial, least(last_serial, serial + ${limit}::int) as last
          from (select year, last_serial, case when year = ${atYear}::int then ${serial}::int else 0 end as serial
                  from receipt_numbers
                 where year > ${atYear}::int or (year = ${atYear}::int and last_serial > ${serial}::int)
                 order by year limit 1) given
      ) numbers`);
  const [found] = rows;
  if (!found) return { rows: 0, next: undefined, faults: [] };
  const { year, serial: from, last, count } = found;
  const what = `the numbers ${from + 1} to ${last} were given, and ${count} receipts have them`;
  const faults = count === last - from ? [] : [fault('receipt_numbers', year, what)];
  return { rows: 0, next: { year, serial: last }, faults };
}

/** The newest receipt of each year. */
export async function checkNewestNumbers(reader: Reader): Promise<Fault[]> {
  const { rows } = await reader.execute<{ year: number; serial: number }>(sql`
    select year, last_serial as serial from receipt_numbers
     where last_serial > 0
       and not exists (select from payments where receipt_year = year and receipt_serial = last_serial)`);
  return rows.map(({ year, serial }) =>
    fault('receipt_numbers', year, `its newest receipt, ${serial}, is missing`),
  );
}

/** Undefined if the terms were changed, which the check of the terms reports. */
function readableQuote(version: LoanTermsVersion) {
  try {
    return frozenQuoteOf(version);
  } catch {
    return undefined;
  }
}

function expectedWalletMovements(
  events: readonly LoanEvent[],
  versions: readonly LoanTermsVersion[],
): WalletMovement[] {
  const frozen = versions
    .toSorted((one, other) => one.version - other.version)
    .map(readableQuote)
    .filter((quote) => quote?.disbursedOn !== undefined);
  const starts = events.flatMap(({ kind, sequence }) => (kind === 'disbursement' ? [sequence] : []));
  return starts.flatMap((start, index) => {
    const [quote, end = Number.POSITIVE_INFINITY] = [frozen[index], starts[index + 1]];
    const own = events.filter(({ sequence }) => sequence >= start && sequence < end);
    const disbursedOn = parseManilaDate(quote?.disbursedOn ?? '');
    return quote && disbursedOn ? walletMovements(servicingTerms(quote, disbursedOn), own) : [];
  });
}

function wrongInTexts(event: LoanEventRow, isErased: boolean): string | undefined {
  const { textSalt, textHash, reference, reason } = event;
  // In format 1 the event's own hash covers the texts.
  if (textHash === null) return undefined;
  if (textSalt !== null) {
    return textHash === hashOfTexts({ ...event, textSalt }) ? undefined : 'its texts do not match their hash';
  }
  return isErased && reference === null && reason === '' ? undefined : 'its texts are missing';
}

function wrongInPayment(payment: Payment, events: readonly LoanEventRow[]): string | undefined {
  const receipts = events.filter(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment.id);
  const [receipt] = receipts;
  const counts = payment.status === 'confirmed' || payment.status === 'reversed';
  if (!receipt) return counts ? 'its receipt is missing among the loan’s events' : undefined;
  if (!counts) return `it is ${payment.status}, and has a receipt among the loan’s events`;
  const isSame =
    receipt.amountCentavos === payment.amountCentavos &&
    receipt.valueDate === payment.valueDate &&
    receipt.channel === payment.channel &&
    receipts.length === 1;
  if (!isSame) return 'it is not what its receipt says';
  const isReversed = events.some(({ kind, undoes }) => kind === 'reversal' && undoes === receipt.sequence);
  if (isReversed === (payment.status === 'reversed')) return undefined;
  return isReversed ? 'its receipt is reversed, and it is not' : 'it is reversed, and its receipt is not';
}
