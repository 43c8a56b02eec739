import { desc, eq } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { notifications } from './schema.ts';

export type NewNotification = typeof notifications.$inferInsert;

export async function insertNotification(tx: Tx, notification: NewNotification) {
  const [row] = await tx.insert(notifications).values(notification).returning();
  if (!row) throw new Error('an inserted notification was not returned');
  return row;
}

/** An account's messages, newest first. */
export async function readNotifications(handle: Tx | Reader, accountId: number) {
  return handle
    .select()
    .from(notifications)
    .where(eq(notifications.accountId, accountId))
    .orderBy(desc(notifications.id))
    .limit(limits.ownListMaxRows);
}
