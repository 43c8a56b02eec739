import { sql } from 'drizzle-orm';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { applicationName } from '#server/platform/database/postgres-engine.ts';

/** Locks out everybody who writes to the books until the transaction ends, if it raises their edition. */
export async function lockBooksToRaise(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{ hasBooks: boolean }>(
    sql`select to_regclass('public.row_seals') is not null as "hasBooks"`,
  );
  if (!onlyRow(rows).hasBooks || (await readEdition(tx)) === booksEdition) return;
  await tx.execute(sql`lock table row_seals, audit_entries in share row exclusive mode`);
}

/** Lets the transaction write books of the edition that they have at this migration, as a restore does. */
export async function writeAsStored(tx: Tx): Promise<void> {
  const stored = await readEdition(tx);
  if (stored !== undefined)
    await tx.execute(sql`select set_config('hiram.edition', ${String(stored)}, true)`);
}

/** Undefined before the migration with which editions begin. */
export async function readEdition(reader: Reader): Promise<number | undefined> {
  const { rows: found } = await reader.execute<{ isThere: boolean }>(
    sql`select to_regclass('drizzle.books_edition') is not null as "isThere"`,
  );
  if (!onlyRow(found).isThere) return undefined;
  const { rows } = await reader.execute<{ edition: number }>(sql`select edition from drizzle.books_edition`);
  return onlyRow(rows).edition;
}

/** Counts the connections of servers of another edition. A pooler may keep one that nobody uses any more. */
export async function countOthers(reader: Reader): Promise<number> {
  const { rows } = await reader.execute<{ count: number }>(sql`
    select count(*)::int as count
      from pg_stat_activity
     where datname = current_database() and application_name like 'hiram%' and application_name <> ${applicationName}`);
  return onlyRow(rows).count;
}
