import type { QueryConfig, QueryResult } from 'pg';

/** What Drizzle's node-postgres driver sends: text alone, or text with a statement name and a row mode. */
export type SqlQuery = string | (QueryConfig & { rowMode?: 'array' });

/** One connection, lent until `release`. */
export type SqlClient = {
  query(query: SqlQuery, values?: unknown[]): Promise<QueryResult>;
  /** Gives the connection back. An open transaction is undone; a `broken` connection is thrown away. */
  release(broken?: boolean): void;
};

/** What both engines are to the rest of the house: connections, in the shape of node-postgres. */
export type SqlEngine = {
  /** One session for everybody: who keeps it for long keeps everybody waiting. */
  readonly hasOneSession: boolean;
  /** Resolves, with the reason, when it will never answer again in this process; absent where that cannot happen. */
  readonly stopped?: Promise<string>;
  connect(): Promise<SqlClient>;
  /** A connection without time limits, for migrations and other upkeep. */
  connectForUpkeep(): Promise<SqlClient>;
  /** Waits for lent connections to come back, then closes. */
  close(): Promise<void>;
};

/** The part of a logger that the database needs; pino and Fastify's logger have it. */
export type DatabaseLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;
