import { and, desc, eq, gte, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { silencingCategories } from '#domain/complaint.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { insertSealed } from './row-seal-store.ts';
import { complaints, contacts } from './schema.ts';

export type Contact = typeof contacts.$inferSelect;

export const insertContact = (tx: Tx, contact: typeof contacts.$inferInsert): Promise<Contact> =>
  insertSealed(tx, contacts, contact);

export const readContactsOf = (handle: Reader, loanId: number): Promise<Contact[]> =>
  handle.select().from(contacts).where(eq(contacts.loanId, loanId)).orderBy(desc(contacts.id));

/** The newest of each of these loans before a moment: of all, or of those that came with a promise. */
export async function readNewestContacts(
  handle: Reader,
  loanIds: readonly number[],
  { before, isPromise }: { before: Date; isPromise: boolean },
): Promise<Map<number, Contact>> {
  const rows = await handle
    .selectDistinctOn([contacts.loanId])
    .from(contacts)
    .where(
      and(
        inArray(contacts.loanId, [...loanIds]),
        lt(contacts.createdAt, before),
        isPromise ? isNotNull(contacts.promiseDate) : undefined,
      ),
    )
    .orderBy(contacts.loanId, desc(contacts.id));
  return new Map(rows.map((contact) => [contact.loanId, contact]));
}

/**
 * The records by which the contact guard may forbid a contact: attempts by staff since a moment, on any loan, and unresolved
 * complaints that silence collectors.
 */
export const readContactObstacles = (handle: Reader, accountIds: readonly number[], since: Date) =>
  handle
    .select({ accountId: contacts.accountId, at: contacts.createdAt, isAttempt: sql<boolean>`true` })
    .from(contacts)
    .where(
      and(
        inArray(contacts.accountId, [...accountIds]),
        gte(contacts.createdAt, since),
        ne(contacts.outcome, 'incoming'),
      ),
    )
    .unionAll(
      handle
        .select({ accountId: complaints.accountId, at: complaints.createdAt, isAttempt: sql<boolean>`false` })
        .from(complaints)
        .where(
          and(
            inArray(complaints.accountId, [...accountIds]),
            ne(complaints.status, 'resolved'),
            inArray(complaints.category, silencingCategories),
          ),
        ),
    );
