import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hash } from '@node-rs/argon2';
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
  /** The address of its PostgreSQL. */
  databaseUrl: string;
  filledMs: number;
  /** Opens it in this process, perhaps on another database. The embedded engine has room for one process only. */
  open<Result>(work: (deps: Deps) => Promise<Result>, databaseUrl?: string): Promise<Result>;
};

export const borrowerPassword = 'a password for the bench only';

/** Looked at in no time: whoever measures something else signs in with it. */
const cheapHash = () => hash(borrowerPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** Makes an installation, fills it in bulk, and removes it again. */
export async function withInstallation<Result>(
  engine: Engine,
  { passwordHash, ...counts }: SeedCounts & { passwordHash?: string },
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
  const open = async <Opened>(work: (deps: Deps) => Promise<Opened>, databaseUrl = config.databaseUrl) => {
    const { deps, close } = await openInstallation({ ...config, databaseUrl }, () => {});
    try {
      return await work(deps);
    } finally {
      await close();
    }
  };
  try {
    const startMs = performance.now();
    await open(async (deps) => fillInBulk(deps, counts, passwordHash ?? (await cheapHash())));
    const filledMs = performance.now() - startMs;
    return await use({ dataDir, settings, config, databaseUrl: postgres?.url ?? '', filledMs, open });
  } finally {
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
