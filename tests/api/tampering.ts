import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/database.ts';
import { verifyAndTell } from '#server/verify-command.ts';

/** Changes the database as a superuser can, past triggers and foreign keys. */
export async function tamper(database: Database, change: SQL): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    const { rowCount } = await tx.execute(change);
    if (rowCount !== 1) throw new Error(`the tampering met ${rowCount} rows instead of one`);
  });
}

/** What `npm run verify` prints and whether it ends well. */
export async function verify(database: Database) {
  const lines: string[] = [];
  const isWell = await verifyAndTell({ database }, (line) => void lines.push(line));
  const wrong = lines.filter((line) => line.startsWith('Wrong: '));
  return { isWell, lines, wrong, last: lines.at(-1) ?? '' };
}
