import { getTableColumns, getTableName, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { onlyRow, type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared, statement, type Writable } from '#server/platform/database/prepared.ts';
import { readPages } from '#server/platform/read-pages.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import { blanks } from './packed-columns.ts';
import { idOf, type PlainTable, type SealedTable, sealedTables, textOf } from './sealed-columns.ts';

// A statement that writes a sealed row returns its `sealFields`, and `noteSeals` notes them; `sealingRows` seals what was noted at
// the end of the transaction. `insertSealed` and `updateSealed` do both for one row.

/** A row's newest seal: its number, a space, and the HMAC. */
const newestSeal = (name: SealedTable, id: SQL) =>
  sql`(select row_seals.id || ' ' || mac from row_seals where table_name = ${sql.raw(`'${name}'`)} and row_id = ${id} order by row_seals.id desc nulls last limit 1)`;

/** Returns the columns that a statement has to return for `noteSeals` when it writes rows. */
export function sealFields(name: PlainTable) {
  const id = sql.raw(`${name}.${idOf(name)}`);
  return {
    sealId: sql<string>`${id}`,
    sealText: sql<string>`${textOf(name)}`,
    /** The row before the statement; null if it is new. */
    sealBefore: sql<
      string | null
    >`(select ${textOf(name, 'old')} from ${sql.raw(name)} old where ${sql.raw(`old.${idOf(name)}`)} = ${id})`,
    sealFound: sql<string | null>`${newestSeal(name, id)}`,
    /** Drawn while the row is locked, so that a later seal has a higher number. */
    sealNumber: sql<string>`nextval('row_seals_id_seq')`,
  };
}

type SealColumns = ReturnType<typeof sealFields>;
export type SealFields = { [Name in keyof SealColumns]: SealColumns[Name]['_']['type'] };

/** A row changed in this transaction: before with its seal, and after, unless that is still to be read. */
type Noted = {
  name: SealedTable;
  id: number;
  before: string | null;
  found: string | null;
  left: Left | undefined;
};
type Left = { text: string; sealNumber: string };
/** The keys are table and id; `coming` are the statements still running. */
type Notes = { rows: Map<string, Noted>; coming: Promise<unknown>[] };
const notesOf = new WeakMap<Tx, Notes>();

function notesIn(tx: Tx): Notes {
  const notes = notesOf.get(tx);
  if (!notes) throw new Error('the books are changed in a transaction that does not seal them');
  return notes;
}

function note(tx: Tx, row: Noted): void {
  const { rows } = notesIn(tx);
  const key = `${row.name} ${row.id}`;
  // Keep the first `before` and the last `left`.
  rows.set(key, { ...(rows.get(key) ?? row), left: row.left });
}

/** Notes rows whose statement is sent unawaited. */
export function noteSealsOf(tx: Tx, name: SealedTable, writing: Promise<readonly SealFields[]>): void {
  const noting = writing.then((rows) => noteSeals(tx, name, rows));
  sendUnawaited(tx, noting);
  notesIn(tx).coming.push(noting);
}

/** Marks written rows to be sealed at the end of the transaction, and returns them without the seal fields. */
export function noteSeals<Row extends SealFields>(
  tx: Tx,
  name: SealedTable,
  rows: readonly Row[],
): Omit<Row, keyof SealFields>[] {
  return rows.map(({ sealId, sealText: text, sealBefore: before, sealFound: found, sealNumber, ...row }) => {
    note(tx, { name, id: Number(sealId), before, found, left: { text, sealNumber } });
    return row;
  });
}

const nameOf = (table: PgTable) => getTableName(table) as PlainTable;
const written = (table: PgTable) => ({ ...getTableColumns(table), ...sealFields(nameOf(table)) });
export const writtenAnew = (table: PgTable) => ({
  ...written(table),
  sealBefore: sql<null>`null`,
  sealFound: sql<null>`null`,
});

type Write = (tx: Tx, values: Record<string, unknown>) => Promise<SealFields[]>;
const writes = new Map<string, Write>();

/** A prepared statement that writes these columns of a table. */
function writeOf(
  verb: string,
  table: PgTable,
  columns: readonly string[],
  write: (tx: Tx, values: Record<string, Placeholder>) => Writable<SealFields[]>,
): Write {
  const key = [verb, getTableName(table), ...columns].join(' ');
  const known = writes.get(key) ?? prepared((tx: Tx) => write(tx, blanks(...columns)));
  writes.set(key, known);
  return known;
}

const columnsOf = (row: object) =>
  Object.entries(row).flatMap(([column, value]) => (value === undefined ? [] : [column]));

export async function insertSealed<Table extends PgTable>(
  tx: Tx,
  table: Table,
  row: Table['$inferInsert'],
): Promise<Table['$inferSelect']> {
  const insert = writeOf('insert', table, columnsOf(row), (handle, values) =>
    handle.insert<PgTable>(table).values(values).returning(writtenAnew(table)),
  );
  return onlyRow(noteSeals(tx, nameOf(table), await insert(tx, row)));
}

export async function updateSealed<Table extends PgTable>(
  tx: Tx,
  table: Table,
  id: number,
  change: Partial<Table['$inferInsert']>,
): Promise<Table['$inferSelect']> {
  const name = nameOf(table);
  const isIt = sql`${sql.raw(`${name}.${idOf(name)}`)} = ${sql.placeholder('sealId')}`;
  const update = writeOf('update', table, columnsOf(change), (handle, values) =>
    handle.update<PgTable>(table).set(values).where(isIt).returning(written(table)),
  );
  return onlyRow(noteSeals(tx, name, await update(tx, { ...change, sealId: id })));
}

export async function updateEachSealed<Table extends PgTable>(
  tx: Tx,
  table: Table,
  which: SQL | undefined,
  change: PgUpdateSetSource<Table>,
): Promise<Table['$inferSelect'][]> {
  const rows = await tx.update<PgTable>(table).set(change).where(which).returning(written(table));
  return noteSeals(tx, nameOf(table), rows);
}

export function noteNewRows(tx: Tx, name: SealedTable, ids: readonly number[]): void {
  for (const id of ids) note(tx, { name, id, before: null, found: null, left: undefined });
}

/** Notes the allow-list, which the caller has locked and not changed yet. */
export async function noteAllowedIps(tx: Tx): Promise<void> {
  const [list] = await readSealed(tx, 'allowed_ips', { ids: [0] });
  if (list) note(tx, { name: 'allowed_ips', id: 0, before: list.text, found: list.seal, left: undefined });
}

/**
 * Runs a transaction's work and seals the rows it changed, in one more statement. A row whose seal was
 * already wrong is not sealed again, or the next honest change would hide a forgery.
 */
export async function sealingRows<T>(tx: Tx, secrets: SecretBox, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { rows: noted, coming }: Notes = { rows: new Map(), coming: [] };
  notesOf.set(tx, { rows: noted, coming });
  try {
    const result = await work(tx);
    await Promise.all(coming);
    if (noted.size > 0) await writeSeals(tx, secrets, [...noted.values()]);
    return result;
  } finally {
    notesOf.delete(tx);
  }
}

async function writeSeals(tx: Tx, secrets: SecretBox, noted: readonly Noted[]): Promise<void> {
  const wasTrue = ({ name, before, found }: Noted) => before === null || fits(secrets, name, before, found);
  const sealable: Noted[] = [];
  for (const one of noted) {
    if (one.left?.text === one.before) continue;
    // Another transaction may have sealed it between this one's statement and its lock.
    if (wasTrue(one) || wasTrue({ ...one, found: await readSeal(tx, one.name, one.id) })) sealable.push(one);
  }
  const rows = sealable.flatMap(({ name, id, left }) => (left ? [{ name, id, ...left }] : []));
  for (const name of new Set(sealable.map((one) => one.name))) {
    const ids = sealable.filter((one) => one.name === name && !one.left).map(({ id }) => id);
    if (ids.length > 0)
      rows.push(...(await readToSeal(tx, name, sql`id = any(${sql.param(ids)}::bigint[])`)));
  }
  if (rows.length > 0) sendUnawaited(tx, insertSeals(tx, secrets, rows));
}

type RowToSeal = Left & { name: SealedTable; id: number };

async function readToSeal(tx: Tx, name: SealedTable, which: SQL): Promise<RowToSeal[]> {
  // An insert takes this lock before it draws a number. Counting the rows waits for
  // transactions that hold one.
  await tx.execute(sql`lock table row_seals in row exclusive mode`);
  const { rows } = await tx.execute<{ id: string; text: string; number: string }>(sql`
    select id, text, nextval('row_seals_id_seq') as number from (${allTexts(name)}) texts where ${which}`);
  return rows.map(({ id, text, number: sealNumber }) => ({ name, id: Number(id), text, sealNumber }));
}

const insertingSeals = prepared((tx: Tx) =>
  statement(
    tx,
    sql`insert into row_seals (id, table_name, row_id, mac)
    select * from unnest(${sql.placeholder('numbers')}::bigint[], ${sql.placeholder('names')}::text[],
                         ${sql.placeholder('ids')}::bigint[], ${sql.placeholder('macs')}::text[])`,
  ),
);

const insertSeals = (tx: Tx, secrets: SecretBox, rows: readonly RowToSeal[]) =>
  insertingSeals(tx, {
    numbers: rows.map(({ sealNumber }) => sealNumber),
    names: rows.map(({ name }) => name),
    ids: rows.map(({ id }) => id),
    macs: rows.map(({ name, text, sealNumber }) => macOf(secrets, name, text, sealNumber)),
  });

const macOf = (secrets: SecretBox, name: SealedTable, text: string, sealNumber: string) =>
  secrets.fingerprint(`${sealNumber} ${text}`, `row of ${name}`);

/** True if a row's text is as its seal says; false without a seal. */
export function fits(secrets: SecretBox, name: SealedTable, text: string, seal: string | null): boolean {
  const [sealNumber = '', mac] = seal?.split(' ') ?? [];
  return mac === macOf(secrets, name, text, sealNumber);
}

const sealedOnly: Partial<Record<SealedTable, SQL>> = {
  // Files of an earlier version are sealed at the next start.
  files: sql` where files.format > 1 or exists (select from row_seals where table_name = 'files' and row_id = files.number)`,
  audit_entries: sql` where id in (select row_id from row_seals where table_name = 'audit_entries')`,
};

function allTexts(name: SealedTable): SQL {
  if (name === 'allowed_ips') {
    return sql`select 0::bigint as id, coalesce(json_agg(ip_address order by ip_address), '[]')::text as text from allowed_ips`;
  }
  if (name === 'loan_acceptances') {
    return sql`select terms.id, ${textOf(name)} as text
      from loan_acceptances join loan_terms terms
        on terms.loan_id = loan_acceptances.loan_id and terms.version = loan_acceptances.version`;
  }
  const known = sealedOnly[name] ?? sql``;
  return sql`select ${sql.raw(idOf(name))}::bigint as id, ${textOf(name)} as text from ${sql.raw(name)}${known}`;
}

async function readSeal(reader: Reader, name: SealedTable, id: number): Promise<string | null> {
  const { rows } = await reader.execute<{ seal: string | null }>(
    sql`select ${newestSeal(name, sql`${id}::bigint`)} as seal`,
  );
  return rows[0]?.seal ?? null;
}

/** The rows after an id, in its order, or those with these ids. */
export type Which = { afterId: number; limit: number } | { ids: readonly number[] };

/** Some rows of a table as they are sealed, each with its newest seal, or null. */
export async function readSealed(reader: Reader, name: SealedTable, which: Which) {
  const some =
    'ids' in which
      ? sql`where id = any(${sql.param(which.ids)}::bigint[])`
      : sql`where id > ${which.afterId}::bigint order by id limit ${which.limit}::int`;
  const { rows } = await reader.execute<{ id: string; text: string; seal: string | null }>(sql`
    select id, text, ${newestSeal(name, sql`texts.id`)} as seal
      from (select * from (${allTexts(name)}) every ${some}) texts
     order by id`);
  return rows;
}

/** Seals after a number, in their order: the rows that the server wrote since. */
export async function readSealsAfter(reader: Reader, afterId: number, limit: number) {
  const { rows } = await reader.execute<{ id: string; name: SealedTable; rowId: string }>(sql`
    select id, table_name as name, row_id as "rowId"
      from row_seals where id > ${afterId}::bigint order by id limit ${limit}::int`);
  return rows.map(({ id, name, rowId }) => ({ id: Number(id), name, rowId: Number(rowId) }));
}

/** The seals with these numbers, of those that are there. */
export async function readSealsOf(reader: Reader, ids: readonly number[]) {
  const { rows } = await reader.execute<{ name: SealedTable; rowId: string }>(sql`
    select table_name as name, row_id as "rowId"
      from row_seals where id = any(${sql.param(ids)}::bigint[])`);
  return rows.map(({ name, rowId }) => ({ name, rowId: Number(rowId) }));
}

/** The highest id of a table's rows among the seals up to this one; undefined if there is none. */
export async function readHighestSealed(reader: Reader, name: SealedTable, throughId: number) {
  const { rows } = await reader.execute<{ id: string | null }>(sql`
    select max(row_id) as id from row_seals where table_name = ${name} and id <= ${throughId}::bigint`);
  const { id } = onlyRow(rows);
  return id === null ? undefined : Number(id);
}

const rowsAtATime = 2_000;

/** Seals every row on the day when a key is first used. */
export async function sealAllRows(tx: Tx, secrets: SecretBox): Promise<void> {
  for (const name of sealedTables) {
    const read = (afterId = Number.MIN_SAFE_INTEGER) =>
      readToSeal(tx, name, sql`id > ${afterId}::bigint order by id limit ${rowsAtATime}::int`);
    for await (const rows of readPages(read, ({ id }) => id, rowsAtATime))
      await insertSeals(tx, secrets, rows);
  }
}

/** Tables whose sealed rows stay. Files are deleted when unused, and a person's with the person; checks by a restore. */
export const keptRows: readonly SealedTable[] = sealedTables.filter(
  (name) => name !== 'files' && name !== 'book_checks',
);

/** The newest sealed row of each table, if it no longer exists. */
export async function readLostRows(reader: Reader): Promise<{ name: SealedTable; id: string }[]> {
  const parts = keptRows.map(
    (name) => sql`
      select ${name}::text as name, sealed.id
        from (select max(row_id) as id from row_seals where table_name = ${sql.raw(`'${name}'`)}) sealed
       where sealed.id is not null and not exists (select from (${allTexts(name)}) present where present.id = sealed.id)`,
  );
  const { rows } = await reader.execute<{ name: SealedTable; id: string }>(sql.join(parts, sql` union all `));
  return rows;
}
