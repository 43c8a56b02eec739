import { and, asc, eq, gt, inArray, max, sql } from 'drizzle-orm';
import { accessNotices, staffNotice } from '#domain/member.ts';
import { onlyRow, type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { blanks } from './packed-columns.ts';
import { accounts, notifications } from './schema.ts';

type NewNotification = typeof notifications.$inferInsert;

/** Sends the notice unawaited: only the end of the transaction waits for it. */
export const tell = (tx: Tx, notification: NewNotification): void =>
  sendUnawaited(tx, telling(tx, notification));

const telling = prepared((tx: Tx) =>
  tx.insert(notifications).values(blanks('accountId', 'type', 'title', 'message', 'details', 'createdAt')),
);

export const insertNotification = async (tx: Tx, notification: NewNotification) =>
  onlyRow(await tx.insert(notifications).values(notification).returning());

const newestFirst = sql`${notifications.id} desc nulls last`;

export async function findNewestOfType(reader: Reader, accountId: number, type: string) {
  const isOf = and(eq(notifications.accountId, accountId), eq(notifications.type, type));
  const [newest] = await reader
    .select({ id: max(notifications.id) })
    .from(notifications)
    .where(isOf);
  return newest?.id;
}

/** Reads the notices to a borrower about the status of these loans, newest first. */
export async function readStatusNotices(reader: Reader, accountId: number, loanNumbers: readonly string[]) {
  if (loanNumbers.length === 0) return [];
  const loanNumber = sql<string>`${notifications.details} ->> 'loanNumber'`;
  return reader
    .select({ loanNumber, details: notifications.details, createdAt: notifications.createdAt })
    .from(notifications)
    .where(
      and(
        eq(notifications.accountId, accountId),
        eq(notifications.type, 'loan_status_changed'),
        inArray(loanNumber, [...loanNumbers]),
      ),
    )
    .orderBy(newestFirst);
}

/** Shows notices of changed access at the owner's next visit, from the first one they have not closed. */
export async function noteAccessNews(tx: Tx, accountId: number, at: Date): Promise<void> {
  const since = sql`coalesce(${accounts.accessNewsSince}, ${at.toISOString()}::timestamptz)`;
  await tx.update(accounts).set({ accessNewsSince: since }).where(eq(accounts.id, accountId));
}

/** Closes them up to this message; later ones are shown next. */
export async function closeAccessNews(tx: Tx, accountId: number, lastId: number): Promise<void> {
  const next = tx
    .select({ at: notifications.createdAt })
    .from(notifications)
    .where(
      and(
        eq(notifications.accountId, accountId),
        gt(notifications.id, lastId),
        inArray(notifications.type, [...accessNotices, staffNotice]),
      ),
    )
    .orderBy(asc(notifications.id))
    .limit(1);
  await tx
    .update(accounts)
    .set({ accessNewsSince: sql`(${next})` })
    .where(eq(accounts.id, accountId));
}
