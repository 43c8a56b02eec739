import { createDatabase, type Database } from '#server/platform/database/database.ts';
import { createPostgresEngine } from '#server/platform/database/postgres-engine.ts';
import type { SqlEngine } from '#server/platform/database/sql-engine.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { openEmptyEngine, silentLog } from '#tests/setup/test-database.ts';

export type Opened = { engine: SqlEngine; database: Database; close(): Promise<void> };

async function openEmbedded(): Promise<Opened> {
  const engine = await openEmptyEngine();
  const database = createDatabase(engine, async () => {});
  return { engine, database, close: () => database.close() };
}

async function openPostgres(): Promise<Opened> {
  const server = await startPostgresServer();
  const engine = createPostgresEngine({ databaseUrl: server.url, log: silentLog });
  const database = createDatabase(engine, async () => {});
  return {
    engine,
    database,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}

/** For `describe.each`: the same expectations on the embedded engine and on a PostgreSQL of the test's own. */
export const bothEngines = [
  { name: 'embedded', open: openEmbedded },
  ...(hasPostgres() ? [{ name: 'postgres', open: openPostgres }] : []),
];
