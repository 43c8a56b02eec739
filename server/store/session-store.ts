import { and, eq, gt, isNull, lt, ne, or } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { accounts, sessions } from './schema.ts';

type NewSession = typeof sessions.$inferInsert;

/** A session with its account, whatever state either is in; what that means is the service's to say. */
export async function findSession(handle: Tx | Reader, tokenHash: string) {
  const [row] = await handle
    .select({ session: sessions, account: accounts })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.tokenHash, tokenHash), isNull(accounts.deletedAt)));
  return row;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.insert(sessions).values(session);
}

export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

/** Ends an account's sessions at once, on every server process; `except` is the one that asked for it. */
export async function deleteSessionsOf(tx: Tx, accountId: number, except?: string): Promise<void> {
  const ofAccount = eq(sessions.accountId, accountId);
  await tx
    .delete(sessions)
    .where(except === undefined ? ofAccount : and(ofAccount, ne(sessions.tokenHash, except)));
}

/** Marks an account's sessions as ended by a suspension: 403 while it lasts, 401 afterwards. */
export async function endSessionsOf(tx: Tx, accountId: number, endedAt: Date): Promise<void> {
  await tx.update(sessions).set({ endedAt }).where(eq(sessions.accountId, accountId));
}

/** Also those that began after `future`: the clock had been ahead, and they would last for too long. */
export async function deleteExpiredSessions(tx: Tx, now: Date, future: Date): Promise<void> {
  await tx.delete(sessions).where(or(lt(sessions.expiresAt, now), gt(sessions.createdAt, future)));
}
