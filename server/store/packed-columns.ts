import { type GetColumnData, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

export const blanks = <Name extends string>(...names: Name[]): Record<Name, Placeholder> =>
  Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as never;

/** True in a prepared statement if a column is one of the numbers that this placeholder stands for. */
export const isAmong = (column: PgColumn, name: string): SQL =>
  sql`${column} = any(${sql.placeholder(name)}::bigint[])`;

export const firstOf = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> =>
  (await rows)[0];

type Columns = Record<string, PgColumn>;
type RowOf<Picked extends Columns> = { [Name in keyof Picked]: GetColumnData<Picked[Name]> };

/**
 * Several columns as one: a JSON array in the database, an object with the columns' own types here. For pages of long
 * lists: the embedded engine's and the driver's work for each value takes half the time this way.
 */
export function packed<Picked extends Columns>(columns: Picked): SQL<RowOf<Picked>> {
  const entries = Object.entries(columns);
  const list = sql.join(
    entries.map(([, column]) => sql`${column}`),
    sql`, `,
  );
  // V8 reads an object parsed with its keys twice as fast as one that got them one by one.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(entries.map(([name]) => [name, null]))));
  const unpack = (values: readonly unknown[]) => {
    const row = { ...blank };
    entries.forEach(([name, column], index) => {
      const value = values[index];
      if (value !== null) row[name] = column.mapFromDriverValue(value);
    });
    return row as RowOf<Picked>;
  };
  return sql`json_build_array(${list})`.mapWith(unpack) as SQL<RowOf<Picked>>;
}

/** The packed rows of a subquery, as a list that may be empty: `from` is its clauses after the columns, `order` its order. */
export function packedRows<Picked extends Columns>(
  columns: Picked,
  from: SQL,
  order: SQL,
): SQL<RowOf<Picked>[]> {
  const row = packed(columns);
  const unpack = (rows: readonly (readonly unknown[])[]) => rows.map((values) => unpacked(row, values));
  return sql`(select coalesce(json_agg(${row} order by ${order}), '[]') ${from})`.mapWith(unpack) as SQL<
    RowOf<Picked>[]
  >;
}

/** One packed row of a subquery, or null. */
export function packedRow<Picked extends Columns>(columns: Picked, from: SQL): SQL<RowOf<Picked> | null> {
  const row = packed(columns);
  return sql`(select ${row} ${from})`.mapWith((values) => unpacked(row, values)) as SQL<RowOf<Picked> | null>;
}

/** Drizzle keeps the reading of a column in a property that its types hide. */
const unpacked = <Row>(row: SQL<Row>, values: readonly unknown[]): Row =>
  (
    row as unknown as { decoder: { mapFromDriverValue(values: readonly unknown[]): Row } }
  ).decoder.mapFromDriverValue(values);
