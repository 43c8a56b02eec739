import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { advisoryLocks, type Database, type Reader } from '#server/platform/database/database.ts';

/**
 * Applies the migrations in `folder` (written by `drizzle-kit generate`), all or none. Processes that start together
 * run one after the other, and the later ones find nothing to do.
 */
export async function migrateDatabase(database: Database, folder: string): Promise<void> {
  await database.upkeep(async (session) => {
    await session.execute(sql`select pg_advisory_lock(${advisoryLocks.migrations})`);
    try {
      await migrate(session, { migrationsFolder: folder });
    } finally {
      await session.execute(sql`select pg_advisory_unlock(${advisoryLocks.migrations})`);
    }
  });
}

type Journal = { entries: { tag: string; when: number }[] };

const readJournal = (folder: string): Journal =>
  JSON.parse(readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8'));

export const hasMigration = (folder: string, name: string): boolean =>
  readJournal(folder).entries.some(({ tag }) => tag === name);

/** Like `migrateDatabase`, but only up to the migration of this name. */
export async function migrateUpTo(database: Database, folder: string, name: string): Promise<void> {
  const journal = readJournal(folder);
  const last = journal.entries.findIndex(({ tag }) => tag === name);
  const part = mkdtempSync(path.join(os.tmpdir(), 'hiram-migrations-'));
  try {
    const entries = journal.entries.slice(0, last + 1);
    for (const { tag } of entries) cpSync(path.join(folder, `${tag}.sql`), path.join(part, `${tag}.sql`));
    mkdirSync(path.join(part, 'meta'));
    writeFileSync(path.join(part, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    await migrateDatabase(database, part);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** The name of the database's newest migration. Throws if `folder` does not have it. */
export async function readMigration(reader: Reader, folder: string): Promise<string> {
  const { rows } = await reader.execute<{ made: string }>(
    sql`select max(created_at) as made from drizzle.__drizzle_migrations`,
  );
  const found = readJournal(folder).entries.find(({ when }) => when === Number(rows[0]?.made));
  if (!found) throw new Error('the database has had a migration that this version does not know');
  return found.tag;
}
