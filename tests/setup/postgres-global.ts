import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

/** Vitest's global setup: where PostgreSQL is asked for and none is named, the run gets one. */
export default async function setup({ config }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const engine = config.env?.TEST_ENGINE ?? process.env.TEST_ENGINE;
  if (engine !== 'postgres' || process.env.TEST_DATABASE_URL) return undefined;
  const server = await startPostgresServer();
  // Workers are started after this and inherit it.
  process.env.TEST_DATABASE_URL = server.url;
  return server.stop;
}
