import type { QueryConfig, QueryResult } from 'pg';

/** A query as Drizzle's node-postgres driver sends it: text, or text with a statement name and a row mode. */
export type SqlQuery = string | (QueryConfig & { rowMode?: 'array' });

/** A connection, lent until `release`. */
export type SqlClient = {
  query(query: SqlQuery, values?: unknown[]): Promise<QueryResult>;
  /** An open transaction is rolled back; a `broken` connection is discarded. */
  release(broken?: boolean): void;
};

export type ConnectionLoad = { inUse: number; waiting: number };

/** A provider of connections in the shape of node-postgres; both engines are one. */
export type SqlEngine = {
  /** One session for everybody: holding it for long blocks everybody else. */
  readonly hasOneSession: boolean;
  /** Resolves, with the reason, if it will never answer again in this process; absent if that cannot happen. */
  readonly stopped?: Promise<string>;
  /** Transactions that write wait beyond this number, so that reads keep a connection. */
  readonly writersAtOnce: number;
  connect(): Promise<SqlClient>;
  /** Connects without time limits, for migrations and other upkeep. */
  connectForUpkeep(): Promise<SqlClient>;
  /** How many connections are lent, and how many callers wait for one. */
  load(): ConnectionLoad;
  /** Waits for lent connections, then closes. */
  close(): Promise<void>;
};

export type DatabaseLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

/** Time limits and upkeep intervals, in milliseconds. */
export const timings = {
  /** For a connection, free or new. */
  acquireMs: 5_000,
  /** For one statement on PostgreSQL. The embedded engine cannot interrupt one. */
  statementMs: 15_000,
  /** For a row or table that another transaction locks. */
  lockMs: 5_000,
  /** For a transaction that sends nothing. */
  idleInTransactionMs: 15_000,
  /** For any answer at all: the network has lost the server. Longer than `statementMs`. */
  silenceMs: 20_000,
  /** Then an unused pooled connection is closed. */
  idleConnectionMs: 30_000,
  /** For a replica to reach the primary's position. */
  replicaFollowsMs: 250,
  /** A failed replica is left alone this long. */
  replicaRestMs: 3_000,
  /** For the readiness check. */
  readyMs: 2_000,
  /** Then the embedded engine lets the event loop serve others. */
  yieldEveryMs: 8,

  maintenanceTickMs: 60_000,
  checkpointEveryMs: 5 * 60_000,
  vacuumEveryMs: 30 * 60_000,
  /** Upkeep waits for an idle moment for this many ticks; then it queues like other work. */
  maintenanceMaxPostponed: 5,
} as const;

export type Timings = Record<keyof typeof timings, number>;
