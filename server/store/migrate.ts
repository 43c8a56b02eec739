import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Database } from '#server/platform/database/database.ts';

/** Any number will do, so long as nothing else in the database locks it. */
const migrationLock = 4_173_001;

/**
 * Brings the tables up to date with the migrations in `folder` (what `drizzle-kit generate` writes). Processes that
 * start together go one after the other, and the later ones find nothing to do. All migrations apply, or none.
 */
export async function migrateDatabase(database: Database, folder: string): Promise<void> {
  await database.upkeep(async (session) => {
    await session.execute(sql`select pg_advisory_lock(${migrationLock})`);
    try {
      await migrate(session, { migrationsFolder: folder });
    } finally {
      await session.execute(sql`select pg_advisory_unlock(${migrationLock})`);
    }
  });
}
