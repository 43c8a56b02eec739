import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import { accessNotices } from '#domain/member.ts';
import {
  onlyRow,
  prepared,
  type Reader,
  sendUnawaited,
  type Tx,
} from '#server/platform/database/database.ts';
import { blanks } from './packed-columns.ts';
import { accounts, notifications } from './schema.ts';

type NewNotification = typeof notifications.$inferInsert;

/** A message that nobody waits for but the end of the transaction. */
export const tell = (tx: Tx, notification: NewNotification): void =>
  sendUnawaited(tx, telling(tx, notification));

const telling = prepared((tx: Tx) =>
  tx.insert(notifications).values(blanks('accountId', 'type', 'title', 'message', 'details', 'createdAt')),
);

export const insertNotification = async (tx: Tx, notification: NewNotification) =>
  onlyRow(await tx.insert(notifications).values(notification).returning());

export const readNotifications = (handle: Reader, accountId: number) =>
  handle
    .select()
    .from(notifications)
    .where(eq(notifications.accountId, accountId))
    .orderBy(desc(notifications.id))
    .limit(limits.ownListMaxRows);

/** Has an account's owner told of changed access at the next visit, from the first message that they have not closed. */
export async function noteAccessNews(tx: Tx, accountId: number, at: Date): Promise<void> {
  const since = sql`coalesce(${accounts.accessNewsSince}, ${at.toISOString()}::timestamptz)`;
  await tx.update(accounts).set({ accessNewsSince: since }).where(eq(accounts.id, accountId));
}

/** The same from the first one after this message; what came while it was read is shown next. */
export async function closeAccessNews(tx: Tx, accountId: number, lastId: number): Promise<void> {
  const next = tx
    .select({ at: notifications.createdAt })
    .from(notifications)
    .where(
      and(
        eq(notifications.accountId, accountId),
        gt(notifications.id, lastId),
        inArray(notifications.type, [...accessNotices]),
      ),
    )
    .orderBy(asc(notifications.id))
    .limit(1);
  await tx
    .update(accounts)
    .set({ accessNewsSince: sql`(${next})` })
    .where(eq(accounts.id, accountId));
}
