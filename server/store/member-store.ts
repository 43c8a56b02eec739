import { and, eq, getTableColumns, gt, isNotNull, isNull, lt, lte, not, or, sql } from 'drizzle-orm';
import type { MemberStatus } from '#domain/member.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { type Account, isFoundBy } from './account-store.ts';
import { type FilesToAttach, isThere } from './document-store.ts';
import type { KeptSpan } from './kept-span.ts';
import { packed } from './packed-columns.ts';
import { accounts, files } from './schema.ts';

export type AccountPage = {
  /** Whom the list holds; everybody when it is absent. */
  role?: 'admin' | 'member' | undefined;
  status?: MemberStatus | undefined;
  /** See `isFoundBy`. */
  search?: string | undefined;
  /** The id that the page before ended with. */
  before?: number | undefined;
  limit: number;
};

/** A page of the accounts that are not deleted, newest first. */
export async function readAccountPage(handle: Tx | Reader, page: AccountPage): Promise<Account[]> {
  const { role, status, search, before, limit } = page;
  const rows = await handle
    .select({ account: packed(getTableColumns(accounts)) })
    .from(accounts)
    .where(
      and(
        isNull(accounts.deletedAt),
        role === undefined ? undefined : role === 'admin' ? accounts.isAdmin : not(accounts.isAdmin),
        status === undefined ? undefined : eq(accounts.status, status),
        search === undefined ? undefined : isFoundBy(search),
        before === undefined ? undefined : lt(accounts.id, before),
      ),
    )
    // The members' index is declared `desc nulls last`; a plain `desc` means nulls first and would pass it by.
    .orderBy(role === 'member' ? sql`${accounts.id} desc nulls last` : sql`${accounts.id} desc`)
    .limit(limit);
  return rows.map(({ account }) => account);
}

/** Counts a try of the one-time code, before it is compared. Answers how many there were, this one included. */
export async function countOtpTry(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx
    .update(accounts)
    .set({ otpWrongTries: sql`${accounts.otpWrongTries} + 1` })
    .where(eq(accounts.id, accountId))
    .returning({ count: accounts.otpWrongTries });
  if (!row) throw new Error('a counted try was not returned');
  return row.count;
}

/**
 * Which of these files staff may attach to a member: the member's own uploads and those that an admin made on their
 * behalf. Locked until they are attached.
 */
export async function lockAttachableFiles(
  tx: Tx,
  memberId: number,
  wanted: FilesToAttach,
): Promise<Set<string>> {
  if (wanted.ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: files.id })
    .from(files)
    .innerJoin(accounts, eq(accounts.id, files.accountId))
    .where(and(isThere(wanted), or(eq(files.accountId, memberId), accounts.isAdmin)))
    .for('update', { of: files });
  return new Set(rows.map(({ id }) => id));
}

/** Erases the readable copies of passwords issued up to the span or after it; the passwords themselves go on working. */
export async function eraseIssuedPasswords(tx: Tx, { from, to }: KeptSpan): Promise<number> {
  const { issuedPasswordAt, issuedPasswordSealed } = accounts;
  const isOver = or(lte(issuedPasswordAt, from), gt(issuedPasswordAt, to));
  const rows = await tx
    .update(accounts)
    .set({ issuedPasswordSealed: null, issuedPasswordAt: null })
    .where(and(isNotNull(issuedPasswordSealed), isOver))
    .returning({ id: accounts.id });
  return rows.length;
}
