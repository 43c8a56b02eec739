import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { addDays, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { finalComplaintStatuses } from '#domain/complaint.ts';
import { limits } from '#domain/limits.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { accounts, complaintMessages, complaints, loans, oneOf } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';

export type Complaint = typeof complaints.$inferSelect;

export const insertComplaint = (tx: Tx, complaint: typeof complaints.$inferInsert): Promise<Complaint> =>
  insertSealed(tx, complaints, complaint);

export const changeComplaint = (tx: Tx, id: number, change: Partial<Complaint>): Promise<Complaint> =>
  updateSealed(tx, complaints, id, change);

export const insertComplaintMessage = (tx: Tx, message: typeof complaintMessages.$inferInsert) =>
  insertSealed(tx, complaintMessages, message);

export const lockComplaint = (tx: Tx, id: number): Promise<Complaint | undefined> =>
  firstOf(tx.select().from(complaints).where(eq(complaints.id, id)).for('no key update'));

/** Spelled out, so that PostgreSQL uses the index of these. */
const isUnresolved = sql`${complaints.status} not in (${oneOf(finalComplaintStatuses)})`;

const listed = {
  complaint: complaints,
  loanNumber: loans.loanNumber,
  user: { id: accounts.id, fullName: accounts.fullName, phone: accounts.phone, erasedAt: accounts.erasedAt },
};

/** Complaints with who complained: one, somebody's, or those of a status; the oldest first. */
export function readComplaints(
  reader: Reader,
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
            ? isUnresolved
            : eq(complaints.status, of.status);
  return reader
    .select(listed)
    .from(complaints)
    .innerJoin(accounts, eq(accounts.id, complaints.accountId))
    .leftJoin(loans, eq(loans.id, complaints.loanId))
    .where(which)
    .orderBy(complaints.id);
}

export const hasUnresolvedComplaint = async (
  reader: Reader,
  accountId: number,
  about: readonly Complaint['category'][],
): Promise<boolean> =>
  (await reader.$count(
    complaints,
    and(eq(complaints.accountId, accountId), isUnresolved, inArray(complaints.category, [...about])),
  )) > 0;

/** Overdue complaints; the SQL form of `complaintClock`. */
export function overdueComplaints(day: ManilaDate): SQL {
  const daysAgo = (days: number) => sql`${startOfManilaDay(addDays(day, -days)).toISOString()}::timestamptz`;
  return sql`${complaints} where ${isUnresolved} and created_at < case status when 'open'
    then ${daysAgo(limits.complaintAcknowledgedWithinDays)}
    else ${daysAgo(limits.complaintResolvedWithinDays)} end`;
}

export async function countOverdueComplaints(reader: Reader, day: ManilaDate): Promise<number> {
  const counted = sql`select count(*)::int as count from ${overdueComplaints(day)}`;
  return onlyRow((await reader.execute<{ count: number }>(counted)).rows).count;
}

export const readComplaintMessages = (reader: Reader, ids: readonly number[]) =>
  reader
    .select({ message: complaintMessages, isStaff: accounts.isAdmin })
    .from(complaintMessages)
    .innerJoin(accounts, eq(accounts.id, complaintMessages.authorId))
    .where(inArray(complaintMessages.complaintId, [...ids]))
    .orderBy(complaintMessages.id);
