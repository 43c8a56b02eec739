import { and, desc, eq, gte, inArray, isNotNull, lt, ne, or } from 'drizzle-orm';
import { silencingCategories } from '#domain/complaint.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { complaints, contacts } from './schema.ts';
import { insertSealed } from './sealed-rows.ts';

export type Contact = typeof contacts.$inferSelect;

export const insertContact = (tx: Tx, contact: typeof contacts.$inferInsert): Promise<Contact> =>
  insertSealed(tx, contacts, contact);

export const readContactsOf = (reader: Reader, loanId: number): Promise<Contact[]> =>
  reader.select().from(contacts).where(eq(contacts.loanId, loanId)).orderBy(desc(contacts.id));

/** The newest of each of these loans before a moment. */
export async function readNewestContacts(
  reader: Reader,
  loanIds: readonly number[],
  before: Date,
): Promise<Map<number | null, Contact>> {
  const rows = await reader
    .selectDistinctOn([contacts.loanId])
    .from(contacts)
    .where(and(inArray(contacts.loanId, [...loanIds]), lt(contacts.createdAt, before)))
    .orderBy(contacts.loanId, desc(contacts.id));
  return new Map(rows.map((contact) => [contact.loanId, contact]));
}

/** All promises on these loans before a moment, the oldest first. */
export const readPromises = (reader: Reader, loanIds: readonly number[], before: Date) =>
  reader
    .select({
      loanId: contacts.loanId,
      promiseDate: contacts.promiseDate,
      promiseCentavos: contacts.promiseCentavos,
      createdAt: contacts.createdAt,
    })
    .from(contacts)
    .where(
      and(
        inArray(contacts.loanId, [...loanIds]),
        isNotNull(contacts.promiseDate),
        lt(contacts.createdAt, before),
      ),
    )
    .orderBy(contacts.id);

/** An incoming contact that was recorded against the guard counts too: nobody else saw who came to whom. */
const isAttempt = or(ne(contacts.outcome, 'incoming'), contacts.isAgainstGuard);

/** Attempts by staff to reach these borrowers since a moment, on any loan. */
export const readAttempts = (reader: Reader, accountIds: readonly number[], since: Date) =>
  reader
    .select({ accountId: contacts.accountId, actorId: contacts.actorId, at: contacts.createdAt })
    .from(contacts)
    .where(and(inArray(contacts.accountId, [...accountIds]), gte(contacts.createdAt, since), isAttempt));

/** All complaints of these borrowers that silence collectors, or did. */
export const readSilencingComplaints = (reader: Reader, accountIds: readonly number[]) =>
  reader
    .select({
      accountId: complaints.accountId,
      status: complaints.status,
      createdAt: complaints.createdAt,
      withdrawnAt: complaints.withdrawnAt,
    })
    .from(complaints)
    .where(
      and(inArray(complaints.accountId, [...accountIds]), inArray(complaints.category, silencingCategories)),
    );
