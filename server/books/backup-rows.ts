import { type SQL, sql } from 'drizzle-orm';
import {
  beginSnapshot,
  beginWork,
  type Database,
  type Reader,
  type Tx,
} from '#server/platform/database/database.ts';

export type Table = { name: string; columns: Column[]; key: string[] };
type Column = { name: string; type: string };

type Sequence = { name: string; next: string };

const rowsAtATime = 1_000;

/**
 * Every table from the catalogue, referenced ones first, so that rows can be inserted in this order. Without the columns
 * that the database writes from others.
 */
export async function readTables(reader: Reader): Promise<Table[]> {
  const { rows } = await reader.execute<Table & { parents: string[] }>(sql`
    select tables.relname as name,
           (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
              from pg_attribute
             where attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
           (select json_agg(attname order by array_position(indkey::smallint[], attnum))
              from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
             where indrelid = tables.oid and indisprimary) as key,
           (select coalesce(json_agg(parent.relname), '[]')
              from pg_constraint join pg_class parent on parent.oid = confrelid
             where conrelid = tables.oid and contype = 'f' and confrelid <> conrelid) as parents
      from pg_class tables
     where tables.relkind = 'r' and tables.relnamespace = 'public'::regnamespace
     order by tables.relname`);
  const sorted: Table[] = [];
  const isIn = (name: string) => sorted.some((table) => table.name === name);
  while (sorted.length < rows.length) {
    const next = rows.find(({ name, parents }) => !isIn(name) && parents.every(isIn));
    if (!next) throw new Error('tables refer to one another in a circle');
    sorted.push({ name: next.name, columns: next.columns, key: next.key });
  }
  return sorted;
}

/**
 * Reads a table's rows in key order, in a transaction. A line is a JSON array of texts and nulls,
 * the same on every engine.
 */
export async function* readRowLines(reader: Reader, table: Table): AsyncGenerator<string[]> {
  await reader.execute(sql`declare copied_rows no scroll cursor for
    select ${lineOf(table)} as line from ${sql.identifier(table.name)} order by ${keyOf(table)}`);
  for (;;) {
    const { rows } = await reader.execute<{ line: string }>(
      sql`fetch ${sql.raw(String(rowsAtATime))} from copied_rows`,
    );
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < rowsAtATime) break;
  }
  await reader.execute(sql`close copied_rows`);
}

function lineOf({ columns }: Table): SQL {
  const values = columns.map(({ name }) => sql`${sql.identifier(name)}::text`);
  return sql`json_build_array(${sql.join(values, sql`, `)})::text`;
}

/** Text keys sort by bytes: collations differ between servers. */
function keyOf({ columns, key }: Table): SQL {
  const isText = (name: string) => columns.some((column) => column.name === name && column.type === 'text');
  const parts = key.map((name) =>
    isText(name) ? sql`${sql.identifier(name)} collate "C"` : sql`${sql.identifier(name)}`,
  );
  return sql.join(parts, sql`, `);
}

export async function insertRowLines(tx: Tx, table: Table, lines: readonly string[]): Promise<void> {
  const names = table.columns.map(({ name }) => sql`${sql.identifier(name)}`);
  const values = table.columns.map(({ type }, index) => sql.raw(`(line ->> ${index})::${type}`));
  await tx.execute(sql`
    insert into ${sql.identifier(table.name)} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} from json_array_elements(${`[${lines.join(',')}]`}::json) as lines(line)`);
}

export async function lockTables(tx: Tx, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => sql`${sql.identifier(name)}`);
  await tx.execute(sql`lock table ${sql.join(names, sql`, `)} in access exclusive mode`);
}

export async function findFilledTable(reader: Reader, tables: readonly Table[]): Promise<string | undefined> {
  for (const { name } of tables) {
    const { rows } = await reader.execute(sql`select 1 from ${sql.identifier(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

export async function readSequences(reader: Reader): Promise<Sequence[]> {
  const { rows } = await reader.execute<{ name: string }>(sql`
    select relname as name
      from pg_class
     where relkind = 'S' and relnamespace = 'public'::regnamespace
     order by relname`);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    // `pg_sequences` has no last value for a sequence restarted and not used since.
    const state = await reader.execute<{ next: string }>(
      sql`select (last_value + is_called::int)::text as next from ${sql.identifier(name)}`,
    );
    sequences.push({ name, next: state.rows[0]?.next ?? '1' });
  }
  return sequences;
}

/** Rolled back with the transaction, unlike `setval`. */
export async function restartSequences(tx: Tx, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, next } of sequences) {
    const start = sql.raw(String(BigInt(next)));
    await tx.execute(sql`alter sequence ${sql.identifier(name)} restart with ${start}`);
  }
}

/** After a bulk insert: otherwise autovacuum would begin minutes later, under the first users. */
export async function vacuumTables(database: Database): Promise<void> {
  await database.upkeep((session) => session.execute(sql`vacuum (analyze)`));
}

/** Reads without time limits. The embedded engine serves nobody else meanwhile: keep it short there. */
export const inSnapshot = <T>(database: Database, work: (reader: Reader) => Promise<T>) =>
  database.longTransaction(beginSnapshot, work);

/** Works without time limits, and runs once. */
export const inOneLongTransaction = <T>(database: Database, work: (tx: Tx) => Promise<T>) =>
  database.longTransaction(beginWork, work);
