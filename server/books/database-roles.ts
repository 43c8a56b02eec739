import { sql } from 'drizzle-orm';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { appendOnlyTables } from './verify-store.ts';

/** The role of a connection, and whether it can do with the tables whatever it likes. */
export async function readRole(reader: Reader): Promise<{ name: string; ownsTables: boolean }> {
  const { rows } = await reader.execute<{ name: string; owns: boolean }>(sql`
    select current_user as name,
           exists (select from pg_class
                    where relkind in ('r', 'S') and relnamespace = 'public'::regnamespace
                      and pg_has_role(current_user, relowner, 'MEMBER')) as owns`);
  const [row] = rows;
  if (!row) throw new Error('the database does not say who is connected');
  return { name: row.name, ownsTables: row.owns };
}

/** Any number will do, so long as nothing else in the database locks it. */
const grantLock = 4_173_004;

/** Lets a role read and write the tables, and only add to those that may only grow. */
export async function grantTables(owner: Database, role: string): Promise<void> {
  const to = sql.identifier(role);
  await owner.transaction(async (tx) => {
    // Processes that start together would change the same rights at once, which PostgreSQL refuses.
    await tx.execute(sql`select pg_advisory_xact_lock(${grantLock})`);
    const statements = [
      sql`grant usage on schema public, drizzle to ${to}`,
      sql`grant select on all tables in schema drizzle to ${to}`,
      sql`revoke all on all tables in schema public from ${to}`,
      sql`grant select, insert, update, delete on all tables in schema public to ${to}`,
      sql`grant usage, select on all sequences in schema public to ${to}`,
      sql`revoke update, delete on ${sql.raw(appendOnlyTables.join(', '))} from ${to}`,
    ];
    for (const statement of statements) await tx.execute(statement);
  });
}
