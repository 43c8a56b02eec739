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
  /** The answer to "are you there?". */
  readyMs: 2_000,
  /** After so long in one go the embedded engine lets the event loop serve others. */
  breathMs: 8,

  maintenanceTickMs: 60_000,
  checkpointEveryMs: 5 * 60_000,
  vacuumEveryMs: 30 * 60_000,
  /** Upkeep waits for an idle moment, but not for ever: after so many ticks it queues like any other. */
  maintenanceMaxPostponed: 5,
} as const;
