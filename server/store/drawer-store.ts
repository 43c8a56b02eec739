import { and, eq, gte, inArray, isNull, lt, or } from 'drizzle-orm';
import { addDays, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { drawerMovements, drawers } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';

export type DrawerRow = typeof drawers.$inferSelect;
export type DrawerMovementRow = typeof drawerMovements.$inferSelect;

const isOpen = isNull(drawers.closedAt);

export const insertDrawer = (tx: Tx, drawer: typeof drawers.$inferInsert): Promise<DrawerRow> =>
  insertSealed(tx, drawers, drawer);

export const changeDrawer = (tx: Tx, id: number, change: Partial<DrawerRow>): Promise<DrawerRow> =>
  updateSealed(tx, drawers, id, change);

export const insertDrawerMovement = (
  tx: Tx,
  movement: typeof drawerMovements.$inferInsert,
): Promise<DrawerMovementRow> => insertSealed(tx, drawerMovements, movement);

export const findDrawer = (reader: Reader, id: number): Promise<DrawerRow | undefined> =>
  firstOf(reader.select().from(drawers).where(eq(drawers.id, id)));

export const findOpenDrawer = (reader: Reader, accountId: number): Promise<DrawerRow | undefined> =>
  firstOf(
    reader
      .select()
      .from(drawers)
      .where(and(eq(drawers.accountId, accountId), isOpen)),
  );

/** The drawers that are open, or that were opened or closed on a Manila day; the oldest first. */
export function readDrawers(reader: Reader, of: 'open' | ManilaDate): Promise<DrawerRow[]> {
  if (of === 'open') return reader.select().from(drawers).where(isOpen).orderBy(drawers.id);
  const [from, to] = [startOfManilaDay(of), startOfManilaDay(addDays(of, 1))];
  const opened = and(gte(drawers.openedAt, from), lt(drawers.openedAt, to));
  const closed = and(gte(drawers.closedAt, from), lt(drawers.closedAt, to));
  return reader.select().from(drawers).where(or(opened, closed)).orderBy(drawers.id);
}

export const readDrawerMovements = (
  reader: Reader,
  drawerIds: readonly number[],
): Promise<DrawerMovementRow[]> =>
  reader
    .select()
    .from(drawerMovements)
    .where(inArray(drawerMovements.drawerId, [...drawerIds]))
    .orderBy(drawerMovements.id);

/** The drawer into which the cash of a payment went; undefined if none did, as before there were drawers. */
export async function findDrawerOfPayment(reader: Reader, paymentId: number): Promise<DrawerRow | undefined> {
  const found = await firstOf(
    reader
      .select({ drawer: drawers })
      .from(drawerMovements)
      .innerJoin(drawers, eq(drawers.id, drawerMovements.drawerId))
      .where(and(eq(drawerMovements.paymentId, paymentId), eq(drawerMovements.kind, 'taken'))),
  );
  return found?.drawer;
}
