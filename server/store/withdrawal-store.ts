import { and, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { accountsFoundBy, holds } from './account-store.ts';
import { packed } from './packed-columns.ts';
import { noteSeals, sealFields } from './row-seal-store.ts';
import { accounts, withdrawals } from './schema.ts';

/** A row of `withdrawals`. */
export type Withdrawal = typeof withdrawals.$inferSelect;
export type NewWithdrawal = typeof withdrawals.$inferInsert;

type Handle = Tx | Reader;

/** The next number of the sequence. A number taken by a transaction that is undone is never given again. */
export async function nextWithdrawalSequence(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ sequence: string }>(
    sql`select nextval('withdrawal_numbers') as sequence`,
  );
  const [row] = rows;
  if (!row) throw new Error('the sequence of withdrawal numbers gave none');
  return Number(row.sequence);
}

const written = { ...getTableColumns(withdrawals), ...sealFields('withdrawals') };

export async function insertWithdrawal(tx: Tx, withdrawal: NewWithdrawal): Promise<Withdrawal> {
  const rows = await tx.insert(withdrawals).values(withdrawal).returning(written);
  const [row] = noteSeals(tx, 'withdrawals', rows);
  if (!row) throw new Error('an inserted withdrawal was not returned');
  return row;
}

// The indexes are declared `desc nulls last`; a plain `desc` means nulls first and would pass them by.
const newestFirst = sql`${withdrawals.id} desc nulls last`;

/** An account's withdrawals, newest first. */
export async function readWithdrawalsOf(handle: Handle, accountId: number): Promise<Withdrawal[]> {
  return handle
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.accountId, accountId))
    .orderBy(newestFirst)
    .limit(limits.ownListMaxRows);
}

/** What the staff's list shows of the member beside a withdrawal. */
const member = {
  id: accounts.id,
  fullName: accounts.fullName,
  email: accounts.email,
  phone: accounts.phone,
  balanceCentavos: accounts.balanceCentavos,
  creditScore: accounts.creditScore,
  otpCodeSealed: accounts.otpCodeSealed,
  otpExpiresAt: accounts.otpExpiresAt,
};

export type WithdrawalPage = {
  status?: WithdrawalStatus | undefined;
  /** Looked for in number, bank and member, in lower case and letter for letter. */
  search?: string | undefined;
  before?: number | undefined;
  limit: number;
};

/**
 * A page of everybody's withdrawals with their members, deleted ones too, newest first; `before` is the id that the
 * page before ended with.
 */
export async function readWithdrawalPage(handle: Handle, { status, search, before, limit }: WithdrawalPage) {
  return handle
    .select({ withdrawal: packed(getTableColumns(withdrawals)), member: packed(member) })
    .from(withdrawals)
    .innerJoin(accounts, eq(accounts.id, withdrawals.accountId))
    .where(
      and(
        status === undefined ? undefined : eq(withdrawals.status, status),
        search === undefined
          ? undefined
          : or(
              holds(sql`lower(${withdrawals.withdrawalNumber})`, search),
              holds(sql`lower(${withdrawals.bankName})`, search),
              inArray(withdrawals.accountId, accountsFoundBy(handle, search)),
            ),
        before === undefined ? undefined : lt(withdrawals.id, before),
      ),
    )
    .orderBy(status === undefined ? sql`${withdrawals.id} desc` : newestFirst)
    .limit(limit);
}

/** A withdrawal with its member, or undefined. */
export async function findWithdrawal(handle: Handle, id: number) {
  const [row] = await handle
    .select({ withdrawal: withdrawals, member })
    .from(withdrawals)
    .innerJoin(accounts, eq(accounts.id, withdrawals.accountId))
    .where(eq(withdrawals.id, id));
  return row;
}

/** A withdrawal locked until the transaction ends: of two decisions at once the second sees the first. */
export async function lockWithdrawal(tx: Tx, id: number): Promise<Withdrawal | undefined> {
  const [row] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for('no key update');
  return row;
}

/**
 * Moves a locked withdrawal from one status to another. False when it no longer has the status it is moved from.
 * `processedAt` belongs to `completed` alone.
 */
export async function moveWithdrawal(
  tx: Tx,
  move: {
    id: number;
    from: WithdrawalStatus;
    to: WithdrawalStatus;
    processedAt: Date | null;
    isReleasedAlone?: boolean;
    at: Date;
  },
): Promise<boolean> {
  const { processedAt, isReleasedAlone } = move;
  const rows = await tx
    .update(withdrawals)
    .set({
      status: move.to,
      processedAt,
      updatedAt: move.at,
      ...(isReleasedAlone && { isReleasedAlone }),
    })
    .where(and(eq(withdrawals.id, move.id), eq(withdrawals.status, move.from)))
    .returning(sealFields('withdrawals'));
  return noteSeals(tx, 'withdrawals', rows).length > 0;
}
