import { setTimeout as sleep } from 'node:timers/promises';
import { holdBooksToKey } from '#server/books/book-key.ts';
import type { Say } from '#server/books/console-text.ts';
import { Refusal } from '#server/books/console-text.ts';
import { grantTables, readRole } from '#server/books/database-roles.ts';
import type { Config } from './config.ts';
import { createDeps, type Deps, type OpenDeps } from './deps.ts';
import { findPlaces } from './places.ts';
import { isDatabaseUnavailable, openDatabase } from './platform/database/database.ts';
import { systemRandomness } from './platform/randomness.ts';
import { createSecretBox, findSecretKey, type SecretBox, withoutSecrets } from './platform/secret-box.ts';
import { ensureMainAdmin } from './services/first-start-service.ts';
import { migrateDatabase } from './store/migrate.ts';

const waitForDatabaseMs = 30_000;
const betweenTriesMs = 1_000;

/**
 * Opens the database that a server begins with: tables up to date, books sealed with the key here, and a main admin.
 * A generated password must be shown: it can never be read again.
 */
export async function openInstallation(
  config: Config,
  say: Say,
  showPassword: (password: string) => void = (password) => say(mainAdminPasswordLine(password)),
): Promise<OpenDeps> {
  const open = await openMigrated(config, say, { secrets: findSecretBox(config) });
  try {
    await holdBooksToKey(open.deps);
    const { generatedPassword } = await ensureMainAdmin(open.deps);
    if (generatedPassword !== undefined) showPassword(generatedPassword);
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Opens the database with its tables up to date, and changes nothing else in it. */
export async function openMigrated(config: Config, say: Say, parts: Partial<Deps> = {}): Promise<OpenDeps> {
  const open = await createDeps(config, parts);
  try {
    await whenDatabaseAnswers(open.deps, say);
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** With the key that is here; none is made, because the right one may be on its way. */
export function findSecretBox({ secretKey, dataDir }: Config): SecretBox {
  const key = findSecretKey({ setting: secretKey, dataDir });
  return key ? createSecretBox(key, systemRandomness) : withoutSecrets;
}

export const mainAdminPasswordLine = (password: string) =>
  `The main admin signs in at /admin-login as "admin" with the password ${password} (shown only this once).`;

/** Migrates. A database server that starts together with this one may need a moment. */
async function whenDatabaseAnswers(deps: Deps, say: Say): Promise<void> {
  const { database } = deps;
  const startedMs = performance.now();
  let hasSaid = false;
  let hasStopped = false;
  void database.stopped?.then(() => {
    hasStopped = true;
  });
  for (;;) {
    try {
      return await bringTablesUpToDate(deps);
    } catch (error) {
      const isOver = hasStopped || performance.now() - startedMs > waitForDatabaseMs;
      if (!isDatabaseUnavailable(error) || isOver) throw error;
    }
    if (!hasSaid) say('Waiting for the database …');
    hasSaid = true;
    await sleep(betweenTriesMs);
  }
}

/** As the role that owns the tables where there is one, which then lets the server's role do what the server does. */
async function bringTablesUpToDate({ config, database, log }: Deps): Promise<void> {
  const { migrations } = findPlaces();
  const { databaseOwnerUrl, dataDir } = config;
  if (databaseOwnerUrl === undefined) return migrateDatabase(database, migrations);
  const owner = await openDatabase({ databaseUrl: databaseOwnerUrl, dataDir, log, maxConnections: 1 });
  try {
    await migrateDatabase(owner, migrations);
    const role = await database.read(readRole);
    if (role.ownsTables) {
      throw new Refusal(
        `The role ${role.name} of DATABASE_URL can change what it likes: name one that is no superuser, owns no table and is no member of the role of DATABASE_OWNER_URL.`,
      );
    }
    await grantTables(owner, role.name);
  } finally {
    await owner.close();
  }
}
