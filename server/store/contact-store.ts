import { and, desc, eq, gte, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import { silencingCategories } from '#domain/complaint.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { insertSealed, updateSealed } from './row-seal-store.ts';
import { accounts, complaintMessages, complaints, contacts, loans } from './schema.ts';

export type Contact = typeof contacts.$inferSelect;
export type Complaint = typeof complaints.$inferSelect;

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

export const insertComplaint = (tx: Tx, complaint: typeof complaints.$inferInsert): Promise<Complaint> =>
  insertSealed(tx, complaints, complaint);

export const changeComplaint = (tx: Tx, id: number, change: Partial<Complaint>): Promise<Complaint> =>
  updateSealed(tx, complaints, id, change);

export const insertComplaintMessage = (tx: Tx, message: typeof complaintMessages.$inferInsert) =>
  insertSealed(tx, complaintMessages, message);

/** A complaint locked until the transaction ends. */
export const lockComplaint = (tx: Tx, id: number): Promise<Complaint | undefined> =>
  firstOf(tx.select().from(complaints).where(eq(complaints.id, id)).for('no key update'));

/** Complaints that nobody acknowledged, or resolved, in time: those opened before these moments. */
export const countOverdueComplaints = (
  handle: Reader,
  { openedBefore, everBefore }: { openedBefore: Date; everBefore: Date },
): Promise<number> =>
  handle.$count(
    complaints,
    and(
      ne(complaints.status, 'resolved'),
      or(
        and(eq(complaints.status, 'open'), lt(complaints.createdAt, openedBefore)),
        lt(complaints.createdAt, everBefore),
      ),
    ),
  );

const listed = {
  complaint: complaints,
  loanNumber: loans.loanNumber,
  user: { id: accounts.id, fullName: accounts.fullName, phone: accounts.phone, erasedAt: accounts.erasedAt },
};

/** Complaints with who complained: one, somebody's, or those of a status; the oldest that are open first. */
export function readComplaints(
  handle: Reader,
  of: { id: number } | { accountId: number } | { status: 'unresolved' | 'all' | Complaint['status'] },
) {
  const which =
    'id' in of
      ? eq(complaints.id, of.id)
      : 'accountId' in of
        ? eq(complaints.accountId, of.accountId)
        : of.status === 'all'
          ? undefined
          : of.status === 'unresolved'
            ? ne(complaints.status, 'resolved')
            : eq(complaints.status, of.status);
  return handle
    .select(listed)
    .from(complaints)
    .innerJoin(accounts, eq(accounts.id, complaints.accountId))
    .leftJoin(loans, eq(loans.id, complaints.loanId))
    .where(which)
    .orderBy(sql`${complaints.status} = 'resolved'`, complaints.id);
}

export const readComplaintMessages = (handle: Reader, ids: readonly number[]) =>
  handle
    .select({ message: complaintMessages, isStaff: accounts.isAdmin })
    .from(complaintMessages)
    .innerJoin(accounts, eq(accounts.id, complaintMessages.authorId))
    .where(inArray(complaintMessages.complaintId, [...ids]))
    .orderBy(complaintMessages.id);
