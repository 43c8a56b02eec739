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

/** How long the database may take, and how often its upkeep runs. Milliseconds throughout. */
export const timings = {
  /** Waiting for a connection, free or new. */
  acquireMs: 5_000,
  /** One statement on the PostgreSQL server. The embedded engine cannot interrupt a statement. */
  statementMs: 15_000,
  /** Waiting for a row or table that another transaction holds. */
  lockMs: 5_000,
  /** A transaction that holds its connection and sends nothing. */
  idleInTransactionMs: 15_000,
  /** No answer at all, not even an error: the network has swallowed the server. Longer than `statementMs`. */
  silenceMs: 20_000,
  /** An unused pooled connection is closed. */
  idleConnectionMs: 30_000,
  /** Waiting for a replica to follow what the primary had committed; its answers to "how far are you?" on the way. */
  replicaFollowsMs: 250,
  /** A replica that failed is left alone for so long. */
  replicaRestMs: 3_000,
  /** The answer to "are you there?". */
  readyMs: 2_000,
  /** After so long in one go the embedded engine lets the event loop serve others. */
  yieldEveryMs: 8,

  maintenanceTickMs: 60_000,
  checkpointEveryMs: 5 * 60_000,
  vacuumEveryMs: 30 * 60_000,
  /** Upkeep waits for an idle moment, but not for ever: after so many ticks it queues like any other. */
  maintenanceMaxPostponed: 5,
} as const;

export type Timings = Record<keyof typeof timings, number>;
