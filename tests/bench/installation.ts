import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SeedCounts } from '#server/books/seed.ts';
import { type Config, readConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { openInstallation } from '#server/open-database.ts';
import { startPostgresServer } from '#tests/setup/postgres-server.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { fillInBulk } from './bulk-fill.ts';

export type Engine = 'postgres' | 'embedded';

/** An installation of the bench's own, on a database as durable as a real one. */
export type Installation = {
  dataDir: string;
  /** For a server on it. */
  settings: Record<string, string>;
  config: Config;
  /** Of its PostgreSQL. */
  databaseUrl: string;
  filledMs: number;
  /** Opens it in this process. The embedded engine has room for one process only. */
  open<Result>(work: (deps: Deps) => Promise<Result>): Promise<Result>;
};

export const borrowerPassword = 'a password for the bench only';

/** Makes an installation, fills it in bulk, and removes it again. */
export async function withInstallation<Result>(
  engine: Engine,
  counts: SeedCounts,
  use: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-bench-'));
  const postgres = engine === 'postgres' ? await startPostgresServer({ fsync: true }) : undefined;
  const settings: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
  const config = readConfig({
    MAIN_ADMIN_PASSWORD: mainAdminPassword,
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    ...settings,
  });
  const open = async <Opened>(work: (deps: Deps) => Promise<Opened>) => {
    const { deps, close } = await openInstallation(config, () => {});
    try {
      return await work(deps);
    } finally {
      await close();
    }
  };
  try {
    const startMs = performance.now();
    await open(async (deps) => fillInBulk(deps, counts, await deps.passwords.hash(borrowerPassword)));
    const filledMs = performance.now() - startMs;
    return await use({ dataDir, settings, config, databaseUrl: postgres?.url ?? '', filledMs, open });
  } finally {
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
