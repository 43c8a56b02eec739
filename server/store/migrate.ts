import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import {
  advisoryLocks,
  beginWork,
  type Database,
  type Reader,
  type Tx,
} from '#server/platform/database/database.ts';
import { lockBooksToRaise } from './edition-store.ts';

/** Missing in Drizzle's types. */
type Internals = { dialect: PgDialect; session: PgSession };
type Work = (tx: Tx) => Promise<unknown>;

/**
 * Applies the migrations in `folder` (written by `drizzle-kit generate`), all or none, or only those up to `last`.
 * Processes that start together run one after the other, and the later ones find nothing to do.
 */
export async function migrateDatabase(database: Database, folder: string, last?: string): Promise<void> {
  const end = readJournal(folder).find(({ tag }) => tag === last);
  if (last !== undefined && !end) throw new Error(`there is no migration ${last}`);
  const until = end?.when ?? Number.POSITIVE_INFINITY;
  const files = readMigrationFiles({ migrationsFolder: folder });
  const wanted = files.filter(({ folderMillis }) => folderMillis <= until);
  // The lock ends with the transaction, so it holds through a pooler too.
  await database.longTransaction(beginWork, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.migrations})`);
    if (last === undefined) await lockBooksToRaise(tx);
    const { dialect, session } = tx as unknown as Internals;
    const inThis = Object.assign(Object.create(session), { transaction: (work: Work) => work(tx) });
    await dialect.migrate(wanted, inThis, { migrationsFolder: folder });
  });
}

const readJournal = (folder: string): { tag: string; when: number }[] =>
  JSON.parse(readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8')).entries;

export const hasMigration = (folder: string, name: string): boolean =>
  readJournal(folder).some(({ tag }) => tag === name);

/** The name of the database's newest migration. Throws if `folder` does not have it. */
export async function readMigration(reader: Reader, folder: string): Promise<string> {
  const { rows } = await reader.execute<{ made: string }>(
    sql`select max(created_at) as made from drizzle.__drizzle_migrations`,
  );
  const found = readJournal(folder).find(({ when }) => when === Number(rows[0]?.made));
  if (!found) throw new Error('the database has had a migration that this version does not know');
  return found.tag;
}
