import { type SQL, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';

/**
 * What is sealed with the key: the columns that somebody with SQL could steal by, or hide a theft. A row's seal is an
 * HMAC of them, written in the transaction that changed the row, so the key never reaches the database. An account's
 * holds the end of its ledger, and so the whole chain; that of loan terms or of an audit seal holds their hash.
 */
const sealedColumns = {
  accounts: [
    ...['id', 'is_admin', 'status', 'phone_key', 'email_key', 'password_hash', 'deleted_at'],
    ...['bank_name', 'bank_account_number', 'staff_changed_access_at', 'credit_without_loan_at'],
    ...['balance_centavos', 'ledger_sequence', 'ledger_hash'],
  ],
  loans: [
    ...['id', 'account_id', 'loan_number', 'amount_centavos', 'term_months', 'monthly_rate_basis_points'],
    ...['monthly_payment_centavos', 'status', 'released_at', 'released_centavos', 'created_at', 'deleted_at'],
  ],
  loan_terms: ['id', 'loan_id', 'version', 'hash', 'issued_by', 'issued_at'],
  /** Known by the number of the terms. */
  loan_acceptances: ['loan_id', 'version', 'hash', 'accepted_at'],
  withdrawals: [
    ...['id', 'account_id', 'withdrawal_number', 'amount_centavos', 'bank_name', 'bank_account_number'],
    ...['status', 'created_at', 'processed_at', 'is_released_alone'],
  ],
  consents: ['id', 'account_id', 'purpose', 'language', 'wording', 'created_at'],
  audit_seals: ['number', 'hash'],
  book_keys: ['id', 'fingerprint', 'sealed_at'],
  /** The whole list is one row, 0: an entry more or fewer is another list. */
  allowed_ips: ['ip_address'],
};

export type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as SealedTable[];

/** Of the tables whose rows are known by a column of their own. */
type PlainTable = Exclude<SealedTable, 'allowed_ips' | 'loan_acceptances'>;
const idOf = (name: PlainTable) => sealedColumns[name][0] ?? 'id';

/** A moment as JavaScript writes it, with its milliseconds and in UTC. */
export function momentText(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** What is sealed of a row of the table, which the statement calls `row`. */
function textOf(name: SealedTable, row: string = name): SQL {
  const values = sealedColumns[name].map((column) => {
    const value = sql.raw(`${row}.${column}`);
    return column.endsWith('_at') ? momentText(value) : value;
  });
  return sql`json_build_array(${sql.join(values, sql`, `)})::text`;
}

const newestMac = (name: SealedTable, id: SQL) =>
  sql`(select mac from row_seals where table_name = ${sql.raw(`'${name}'`)} and row_id = ${id} order by row_seals.id desc nulls last limit 1)`;

/** What a statement that writes rows has to return of each, beside what its caller wants: see `noteSeals`. */
export function sealFields(name: PlainTable) {
  const id = sql.raw(`${name}.${idOf(name)}`);
  return {
    sealId: sql<string>`${id}`,
    sealText: sql<string>`${textOf(name)}`,
    /** The row as the statement found it; null when it is new. */
    sealBefore: sql<
      string | null
    >`(select ${textOf(name, 'old')} from ${sql.raw(name)} old where ${sql.raw(`old.${idOf(name)}`)} = ${id})`,
    sealMac: sql<string | null>`${newestMac(name, id)}`,
  };
}

type SealFields = { sealId: string; sealText: string; sealBefore: string | null; sealMac: string | null };

/** A row that this transaction changes: as it was found, with its seal, and as it is left; no `text`: yet to be read. */
type Noted = {
  name: SealedTable;
  id: number;
  before: string | null;
  mac: string | null;
  text: string | undefined;
};
const notedIn = new WeakMap<Tx, Map<string, Noted>>();

function note(tx: Tx, row: Noted): void {
  const noted = notedIn.get(tx);
  if (!noted) throw new Error('the books are changed in a transaction that does not seal them');
  const key = `${row.name} ${row.id}`;
  // What counts is how the transaction found it, and how it leaves it.
  noted.set(key, { ...(noted.get(key) ?? row), text: row.text });
}

/** Has rows that were written sealed when the transaction ends, and answers them without the fields for it. */
export function noteSeals<Row extends SealFields>(
  tx: Tx,
  name: SealedTable,
  rows: readonly Row[],
): Omit<Row, keyof SealFields>[] {
  return rows.map(({ sealId, sealText, sealBefore, sealMac, ...row }) => {
    note(tx, { name, id: Number(sealId), before: sealBefore, mac: sealMac, text: sealText });
    return row;
  });
}

/** The same for rows that are new, by their ids. */
export function noteNewRows(tx: Tx, name: SealedTable, ids: readonly number[]): void {
  for (const id of ids) note(tx, { name, id, before: null, mac: null, text: undefined });
}

/** The same for the allow-list, which the caller has locked and not changed yet. */
export async function noteAllowedIps(tx: Tx): Promise<void> {
  const [list] = await readSealed(tx, 'allowed_ips', { afterId: -1, limit: 1 });
  if (list) note(tx, { name: 'allowed_ips', id: 0, before: list.text, mac: list.mac, text: undefined });
}

/**
 * Does a transaction's work and seals the rows it changed, in one more statement. A row that did not fit its seal when it
 * was found is left as it is: the next honest change must not make a forged one good.
 */
export async function sealingRows<T>(tx: Tx, secrets: SecretBox, work: (tx: Tx) => Promise<T>): Promise<T> {
  const noted = new Map<string, Noted>();
  notedIn.set(tx, noted);
  try {
    const result = await work(tx);
    if (noted.size > 0) await writeSeals(tx, secrets, [...noted.values()]);
    return result;
  } finally {
    notedIn.delete(tx);
  }
}

async function writeSeals(tx: Tx, secrets: SecretBox, noted: readonly Noted[]): Promise<void> {
  const changed = noted.filter(({ before, text }) => text === undefined || text !== before);
  const isTrue = ({ name, before, mac }: Noted) => before === null || mac === macOf(secrets, name, before);
  const sealable: Noted[] = changed.filter(isTrue);
  for (const one of changed.filter((row) => !isTrue(row))) {
    // Another transaction may have sealed it between this one's statement and its lock.
    const [present] = await readMacs(tx, one.name, [one.id]);
    if (isTrue({ ...one, mac: present?.mac ?? null })) sealable.push(one);
  }
  await insertSeals(tx, secrets, await withTexts(tx, sealable));
}

/** Reads the texts that no statement has returned. */
async function withTexts(tx: Tx, noted: readonly Noted[]): Promise<SealedRow[]> {
  const known = noted.flatMap(({ name, id, text }) => (text === undefined ? [] : [{ name, id, text }]));
  const names = new Set(noted.filter(({ text }) => text === undefined).map(({ name }) => name));
  for (const name of names) {
    const ids = noted.filter((one) => one.name === name && one.text === undefined).map(({ id }) => id);
    const { rows } = await tx.execute<{ id: string; text: string }>(
      sql`select id, text from (${allTexts(name)}) texts where id = any(${sql.param(ids)}::bigint[])`,
    );
    known.push(...rows.map(({ id, text }) => ({ name, id: Number(id), text })));
  }
  return known;
}

type SealedRow = { name: SealedTable; id: number; text: string };

async function insertSeals(tx: Tx, secrets: SecretBox, rows: readonly SealedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = (values: unknown[]) => sql`${sql.param(values)}`;
  await tx.execute(sql`
    insert into row_seals (table_name, row_id, mac)
    select * from unnest(${column(rows.map(({ name }) => name))}::text[],
                         ${column(rows.map(({ id }) => id))}::bigint[],
                         ${column(rows.map(({ name, text }) => macOf(secrets, name, text)))}::text[])`);
}

const macOf = (secrets: SecretBox, name: SealedTable, text: string) =>
  secrets.fingerprint(text, `row of ${name}`);

/** Every row's `id` and `text`. */
function allTexts(name: SealedTable): SQL {
  if (name === 'allowed_ips') {
    return sql`select 0::bigint as id, coalesce(json_agg(ip_address order by ip_address), '[]')::text as text from allowed_ips`;
  }
  if (name === 'loan_acceptances') {
    return sql`select terms.id, ${textOf(name)} as text
      from loan_acceptances join loan_terms terms
        on terms.loan_id = loan_acceptances.loan_id and terms.version = loan_acceptances.version`;
  }
  return sql`select ${sql.raw(idOf(name))}::bigint as id, ${textOf(name)} as text from ${sql.raw(name)}`;
}

async function readMacs(reader: Reader, name: SealedTable, ids: readonly number[]) {
  const { rows } = await reader.execute<{ id: string; mac: string | null }>(sql`
    select id, ${newestMac(name, sql`ids.id`)} as mac from unnest(${sql.param(ids)}::bigint[]) as ids(id)`);
  return rows;
}

async function readSealed(
  reader: Reader,
  name: SealedTable,
  { afterId, limit }: { afterId: number; limit: number },
) {
  const { rows } = await reader.execute<{ id: string; text: string; mac: string | null }>(sql`
    select id, text, ${newestMac(name, sql`texts.id`)} as mac
      from (select * from (${allTexts(name)}) every where id > ${afterId}::bigint order by id limit ${limit}::int) texts
     order by id`);
  return rows;
}

const rowsAtATime = 2_000;

/** Seals every row that there is as it stands: on the day from which on a key is used. */
export async function sealAllRows(tx: Tx, secrets: SecretBox): Promise<void> {
  for (const name of sealedTables) {
    let afterId = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const rows = await readSealed(tx, name, { afterId, limit: rowsAtATime });
      await insertSeals(
        tx,
        secrets,
        rows.map(({ id, text }) => ({ name, id: Number(id), text })),
      );
      if (rows.length < rowsAtATime) break;
      afterId = Number(rows.at(-1)?.id);
    }
  }
}

export type RowSealFinding = { text: string; fault: 'unsealed' | 'changed' };

/** The rows of a table after this id, held against their seals. */
export async function checkRowSeals(
  reader: Reader,
  secrets: SecretBox,
  name: SealedTable,
  afterId: number,
  limit: number,
) {
  const rows = await readSealed(reader, name, { afterId, limit });
  const findings = rows.flatMap(({ text, mac }): RowSealFinding[] => {
    if (mac === macOf(secrets, name, text)) return [];
    return [{ text, fault: mac === null ? 'unsealed' : 'changed' }];
  });
  return { rows: rows.length, next: rows.length < limit ? undefined : Number(rows.at(-1)?.id), findings };
}

/** Of each table the newest row that was sealed, where there is none such any more. */
export async function readLostRows(reader: Reader): Promise<{ name: SealedTable; id: number }[]> {
  const parts = sealedTables.map(
    (name) => sql`
      select ${name}::text as name, sealed.id
        from (select max(row_id) as id from row_seals where table_name = ${sql.raw(`'${name}'`)}) sealed
       where sealed.id is not null and not exists (select from (${allTexts(name)}) present where present.id = sealed.id)`,
  );
  const { rows } = await reader.execute<{ name: SealedTable; id: string }>(sql.join(parts, sql` union all `));
  return rows.map(({ name, id }) => ({ name, id: Number(id) }));
}
