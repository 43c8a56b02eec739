import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from '#server/platform/database/database.ts';
import type { SealedTable } from './sealed-columns.ts';
import { noteNewRows } from './sealed-rows.ts';

/** Reserves ids of a table, ascending, for rows that refer to one another before they are written. */
export async function drawIds(tx: Tx, table: PgTable, count: number): Promise<number[]> {
  // Takes an insert's lock: sealing waits for transactions that hold an id (`audit-seals.ts`).
  await tx.execute(sql`lock table ${table} in row exclusive mode`);
  return drawNumbers(tx, `pg_get_serial_sequence('${getTableName(table)}', 'id')`, count);
}

export async function drawNumbers(tx: Tx, sequence: string, count: number): Promise<number[]> {
  const { rows } = await tx.execute<{ number: string }>(
    sql`select nextval(${sql.raw(sequence)}) as number from generate_series(1, ${count}::int)`,
  );
  return rows.map(({ number }) => Number(number));
}

/** Rows of one statement. A column that only some of them name is null in the others. */
export async function insertMany<Table extends PgTable>(
  tx: Tx,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  if (rows.length === 0) return;
  const given = new Set(rows.flatMap((row) => Object.keys(row)));
  const all: Record<string, PgColumn> = getTableColumns(table);
  const columns = [...given].flatMap((name) => {
    const column = all[name];
    return column
      ? [{ column, values: rows.map((row) => wireForm(column, row[name as keyof typeof row])) }]
      : [];
  });
  const names = columns.map(({ column }) => sql.identifier(column.name));
  await tx.execute(sql`
    insert into ${table} (${sql.join(names, sql`, `)})
    select * from unnest(${sql.join(
      columns.map(({ column, values }) => listOf(values, column.getSQLType().replace('serial', 'int'))),
      sql`, `,
    )})`);
}

export async function insertManySealed<Table extends PgTable>(
  tx: Tx,
  table: Table,
  rows: readonly (Table['$inferInsert'] & { id: number })[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  noteNewRows(tx, getTableName(table) as SealedTable, ids);
  await insertMany(tx, table, rows);
}

const wireForm = (column: PgColumn, value: unknown) =>
  value === null || value === undefined ? null : column.mapToDriverValue(value);

/** One parameter for a whole column; Drizzle would make one of each value. */
export const listOf = (values: readonly unknown[], type: string): SQL =>
  sql`${sql.param(values)}::${sql.raw(type)}[]`;
