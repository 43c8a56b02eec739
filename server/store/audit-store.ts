import { and, desc, eq, lt } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { accounts, auditEntries } from './schema.ts';

export type NewAuditEntry = typeof auditEntries.$inferInsert;

export async function insertAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await tx.insert(auditEntries).values(entry);
}

/** A page of the log, newest first; `before` is the id that the page before ended with. */
export async function readAuditPage(handle: Tx | Reader, page: { before?: number; limit: number }) {
  return handle
    .select({
      entry: auditEntries,
      actorName: accounts.fullName,
      actorPhone: accounts.phone,
      actorEmail: accounts.email,
    })
    .from(auditEntries)
    .leftJoin(accounts, eq(accounts.id, auditEntries.actorId))
    .where(and(page.before === undefined ? undefined : lt(auditEntries.id, page.before)))
    .orderBy(desc(auditEntries.id))
    .limit(page.limit);
}
