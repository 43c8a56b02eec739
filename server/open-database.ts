import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { formatManilaInstant } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { holdBooksToKey } from '#server/books/book-key.ts';
import { holdToEdition } from '#server/books/edition.ts';
import { refuseExported } from '#server/books/export-mark.ts';
import { appendOnlyTables } from '#server/books/verify-store.ts';
import { Refusal, type Say } from '#server/platform/console-text.ts';
import {
  advisoryLocks,
  type Database,
  onlyRow,
  openDatabase,
  type Reader,
} from '#server/platform/database/database.ts';
import { isDatabaseUnavailable, WrongSetting } from '#server/platform/database/database-errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import { findSecretBox } from '#server/platform/secret-box.ts';
import { ensureMainAdmin } from '#server/services/first-start-service.ts';
import { refoldLoans } from '#server/services/loan-event-record.ts';
import { readLastEntry } from '#server/store/audit-store.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { findBuildFolders } from './build-folders.ts';
import type { Config } from './config.ts';
import { createDeps, type Deps, type OpenDeps } from './deps.ts';
import { refuse } from './setting-error.ts';

const waitForDatabaseMs = 30_000;
const betweenTriesMs = 1_000;

/**
 * Opens an installation with tables up to date, books sealed with the present key, and a main admin, whose
 * password is shown only now.
 */
export async function openInstallation(
  config: Config,
  say: Say,
  showPassword: (password: string) => void = (password) => say(mainAdminPasswordLine(password)),
): Promise<OpenDeps> {
  if (config.databaseUrl === undefined) refuseExported(config.dataDir);
  const open = await openMigrated(config, say);
  return orClosed(open, async () => {
    await requireLaterThanStored(open.deps);
    await holdBooksToKey(open.deps);
    await refoldLoans(open.deps);
    const { generatedPassword } = await ensureMainAdmin(open.deps);
    if (generatedPassword !== undefined) showPassword(generatedPassword);
    return open;
  });
}

/** Closes what was opened if the work with it fails. */
export async function orClosed<Result>(
  opened: { close(): Promise<unknown> },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** A demo may not start before what is stored: that would be in the future. */
async function requireLaterThanStored({ config, database, clock }: Deps): Promise<void> {
  if (!config.demoDate) return;
  const last = await database.read(readLastEntry);
  if (!last || last.at.getTime() <= clock.now().getTime() + limits.clockSkewMs) return;
  const newest = `"${last.action}" of ${formatManilaInstant(last.at)}`;
  refuse('DEMO_DATE', `must be later than what is stored: the newest entry of the log is ${newest}`);
}

/** Opens the database with its tables up to date, and changes nothing else in it. */
export async function openMigrated(config: Config, say: Say): Promise<OpenDeps> {
  const open = await createDeps(config, { secrets: findSecretBox(config) });
  return orClosed(open, async () => {
    await whenDatabaseAnswers(open.deps, say);
    return open;
  });
}

export const mainAdminPasswordLine = (password: string) =>
  `The main admin signs in at /admin-login as "admin" with the password ${password} (shown only this once).`;

/** Migrates; a database server started together with this one may need a moment. */
async function whenDatabaseAnswers(deps: Deps, say: Say): Promise<void> {
  const { database } = deps;
  const startedMs = performance.now();
  let hasSaid = false;
  for (;;) {
    try {
      return await bringTablesUpToDate(deps, say);
    } catch (error) {
      if (error instanceof Error && error.cause instanceof WrongSetting) throw error.cause;
      // An embedded engine that does not answer has stopped for good.
      const isOver = database.hasOneSession || performance.now() - startedMs > waitForDatabaseMs;
      if (!isDatabaseUnavailable(error) || isOver) throw error;
    }
    if (!hasSaid) say('Waiting for the database …');
    hasSaid = true;
    await sleep(betweenTriesMs);
  }
}

/**
 * Migrates as the role that owns the tables, if one is set; it grants the server's
 * role what the server needs.
 */
async function bringTablesUpToDate({ config, database, log }: Deps, say: Say): Promise<void> {
  const { migrations } = findBuildFolders();
  const { databaseOwnerUrl, dataDir } = config;
  await requireEveryLetter(database, log);
  await holdToEdition(database, say);
  if (databaseOwnerUrl === undefined) return migrateDatabase(database, migrations);
  const owner = await openDatabase({ databaseUrl: databaseOwnerUrl, dataDir, log, maxConnections: 1 });
  try {
    const [served, owned] = await Promise.all([database, owner].map((one) => one.read(readName)));
    if (served !== owned) {
      refuse(
        'DATABASE_OWNER_URL',
        `names the database "${owned}", and DATABASE_URL the database "${served}"`,
      );
    }
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

/** One that has tables already goes on: only an administrator of PostgreSQL can move it to another encoding. */
async function requireEveryLetter(database: Database, log: Logger): Promise<void> {
  const { rows } = await database.read((reader) =>
    reader.execute<{ name: string; encoding: string; isEmpty: boolean }>(sql`
      select current_database() as name, current_setting('server_encoding') as encoding,
             to_regclass('public.accounts') is null as "isEmpty"`),
  );
  const { name, encoding, isEmpty } = onlyRow(rows);
  if (encoding === 'UTF8') return;
  const wrong = `The database ${name} has server_encoding "${encoding}", and must have "UTF8": make another with encoding 'UTF8' and template template0.`;
  if (isEmpty) throw new Refusal(wrong);
  log.warn({ encoding }, wrong);
}

async function readName(reader: Reader): Promise<string> {
  const { rows } = await reader.execute<{ name: string }>(sql`select current_database() as name`);
  return onlyRow(rows).name;
}

async function readRole(reader: Reader): Promise<{ name: string; ownsTables: boolean }> {
  const { rows } = await reader.execute<{ name: string; ownsTables: boolean }>(sql`
    select current_user as name,
           exists (select from pg_class
                    where relkind in ('r', 'S') and relnamespace = 'public'::regnamespace
                      and pg_has_role(current_user, relowner, 'MEMBER')) as "ownsTables"`);
  return onlyRow(rows);
}

async function grantTables(owner: Database, role: string): Promise<void> {
  const to = sql.identifier(role);
  await owner.transaction(async (tx) => {
    // PostgreSQL refuses concurrent grants, which processes that start together would make.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.grants})`);
    const statements = [
      sql`grant usage on schema public, drizzle to ${to}`,
      sql`grant select on all tables in schema drizzle to ${to}`,
      sql`revoke all on all tables in schema public from ${to}`,
      sql`grant select, insert, update, delete on all tables in schema public to ${to}`,
      sql`grant usage, select on all sequences in schema public to ${to}`,
      sql`revoke update, delete on ${sql.raw(appendOnlyTables.join(', '))} from ${to}`,
      // Triggers allow these updates only for an erasure and the new hashes after it.
      sql`grant update (reference, reason, format, text_salt, text_hash, previous_hash, hash) on loan_events to ${to}`,
      sql`grant update (after) on audit_entries to ${to}`,
    ];
    for (const statement of statements) await tx.execute(statement);
  });
}
