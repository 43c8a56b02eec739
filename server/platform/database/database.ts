import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedEngine, openMemoryEngine } from './embedded-engine.ts';
import { createPostgresEngine } from './postgres-engine.ts';
import type { DatabaseLog, SqlEngine } from './sql-engine.ts';
import { createDatabase, type Database, type RetryPause } from './transactions.ts';

export { constraintOf, isDatabaseUnavailable } from './database-errors.ts';
export type { Database, Reader, Tx } from './transactions.ts';

export type DatabaseSettings = {
  /** PostgreSQL instead of the embedded engine. */
  databaseUrl?: string | undefined;
  /** Where the embedded engine keeps its directory `database`. */
  dataDir: string;
  /** The embedded engine without a directory, gone with the process. */
  memory?: boolean | undefined;
  maxConnections?: number | undefined;
  log: DatabaseLog;
};

const pauseBaseMs = 8;
const pauseMaxMs = 250;

/**
 * Opens the database that the settings name. The embedded engine is ready when it returns, and throws when another
 * process uses `dataDir`; PostgreSQL is first contacted by the first statement.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  return createDatabase(await openEngine(settings), jitteredPause);
}

async function openEngine({
  databaseUrl,
  dataDir,
  memory,
  maxConnections,
  log,
}: DatabaseSettings): Promise<SqlEngine> {
  if (databaseUrl)
    return createPostgresEngine({ databaseUrl, log, ...(maxConnections ? { maxConnections } : {}) });
  if (memory) return openMemoryEngine({ log });
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return openEmbeddedEngine({ directory: path.join(dataDir, 'database'), log });
}

/** A random wait under a bound that doubles, so that those who collided do not meet again. */
export const jitteredPause: RetryPause = async (attempt) => {
  await sleep(Math.random() * Math.min(pauseMaxMs, pauseBaseMs * 2 ** attempt));
};
