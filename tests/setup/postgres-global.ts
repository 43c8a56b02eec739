import { startPostgresServer } from './postgres-server.ts';

/** Vitest's global setup: a run with `TEST_ENGINE=postgres` and no server of its own gets one. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_ENGINE !== 'postgres' || process.env.TEST_DATABASE_URL) return undefined;
  const server = await startPostgresServer();
  // Workers are started after this and inherit it.
  process.env.TEST_DATABASE_URL = server.url;
  return server.stop;
}
