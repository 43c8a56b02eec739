import { is, Param, type Query, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Reader } from './database.ts';

type Written<Rows> = { params?: unknown[]; execute(values: Record<string, unknown>): Promise<Rows> };
export type Writable<Rows> = { prepare(name: string): Written<Rows> };

let statementsWritten = 0;

/**
 * A statement of frequent requests. Its SQL is written once, with `sql.placeholder` for the values: Drizzle takes
 * longer to write a query than PostgreSQL to answer it. Its name lets a connection reuse the plan; never prepare a
 * query whose best plan depends on its values.
 */
export function prepared<Values extends Record<string, unknown>, Rows, Handle extends Reader = Reader>(
  write: (handle: Handle) => Writable<Rows>,
): (handle: Handle, values: Values) => Promise<Rows> {
  let written: Written<Rows> | undefined;
  return (handle, values) => {
    if (!written) {
      statementsWritten += 1;
      written = write(handle).prepare(`hiram_${statementsWritten}`);
      written.params = written.params?.map(keepingNull);
    }
    const { $client: client } = handle as unknown as { $client: PoolClient };
    // It takes the client before its first await.
    return Object.assign(written, { client }).execute(values);
  };
}

/** Drizzle encodes null in a placeholder for the column: as JSON it would be the text `null`. */
function keepingNull(param: unknown): unknown {
  if (!is(param, Param)) return param;
  const { value, encoder } = param;
  return new Param(value, {
    mapToDriverValue: (given) => (given === null ? null : encoder.mapToDriverValue(given)),
  });
}

const dialect = new PgDialect();

/** Missing in Drizzle's types. */
type Session<Result> = {
  prepareQuery(query: Query, fields: undefined, name: string, isArray: boolean): Written<Result>;
};

/** SQL without Drizzle's builder, for `prepared`. */
export function statement<Row extends QueryResultRow>(handle: Reader, text: SQL): Writable<QueryResult<Row>> {
  const { session } = handle as unknown as { session: Session<QueryResult<Row>> };
  return { prepare: (name) => session.prepareQuery(dialect.sqlToQuery(text), undefined, name, false) };
}
