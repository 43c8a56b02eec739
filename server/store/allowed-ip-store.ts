import { asc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { noteAllowedIps } from './row-seal-store.ts';
import { allowedIps } from './schema.ts';

/** A row of the allow-list. */
export type AllowedIpRow = typeof allowedIps.$inferSelect;

/** The whole allow-list, oldest entry first. */
export async function readAllowedIps(handle: Tx | Reader): Promise<AllowedIpRow[]> {
  return handle.select().from(allowedIps).orderBy(asc(allowedIps.id));
}

/** The same, before it is changed: every other change of it waits until this transaction ends; readers go on. */
export async function lockAllowedIps(tx: Tx): Promise<AllowedIpRow[]> {
  await tx.execute(sql`lock table ${allowedIps} in share row exclusive mode`);
  await noteAllowedIps(tx);
  return readAllowedIps(tx);
}

export async function insertAllowedIp(
  tx: Tx,
  entry: { ipAddress: string; description: string | null; createdAt: Date },
): Promise<AllowedIpRow> {
  const [row] = await tx.insert(allowedIps).values(entry).returning();
  if (!row) throw new Error('an inserted address was not returned');
  return row;
}

export async function deleteAllowedIp(tx: Tx, id: number): Promise<void> {
  await tx.delete(allowedIps).where(eq(allowedIps.id, id));
}

export async function deleteAllAllowedIps(tx: Tx): Promise<void> {
  await tx.delete(allowedIps);
}
