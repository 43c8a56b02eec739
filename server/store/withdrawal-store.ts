import { and, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { onlyRow, prepared, type Reader, statement, type Tx } from '#server/platform/database/database.ts';
import { accountsFoundBy, holds, listedMember } from './account-store.ts';
import { packed } from './packed-columns.ts';
import { insertSealed, updateEachSealed } from './row-seal-store.ts';
import { accounts, auditEntries, isAccessEntry, withdrawals } from './schema.ts';

export type Withdrawal = typeof withdrawals.$inferSelect;
export type NewWithdrawal = typeof withdrawals.$inferInsert;

export const insertWithdrawal = (tx: Tx, withdrawal: NewWithdrawal): Promise<Withdrawal> =>
  insertSealed(tx, withdrawals, withdrawal);

const starting = prepared((tx: Tx) =>
  statement<{ number: string; isHeldLonger: boolean }>(
    tx,
    sql`select nextval('withdrawal_numbers') as number,
      exists (select from ${auditEntries}
               where target_id = ${sql.placeholder('accountId')}::bigint
                 and created_at >= ${sql.placeholder('since')}::timestamptz
                 and ${isAccessEntry} and action = 'withdrawals_held') as "isHeldLonger"`,
  ),
);

/** The number of an account's next withdrawal, and whether its withdrawals were put on the long hold since a moment. */
export async function startWithdrawal(tx: Tx, accountId: number, since: Date) {
  const { number, isHeldLonger } = onlyRow(
    (await starting(tx, { accountId, since: since.toISOString() })).rows,
  );
  return { number: Number(number), isHeldLonger };
}

// The indexes are declared `desc nulls last`; a plain `desc` means nulls first and would pass them by.
const newestFirst = sql`${withdrawals.id} desc nulls last`;

export async function readWithdrawalsOf(handle: Reader, accountId: number): Promise<Withdrawal[]> {
  return handle
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.accountId, accountId))
    .orderBy(newestFirst)
    .limit(limits.ownListMaxRows);
}

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
export async function readWithdrawalPage(handle: Reader, { status, search, before, limit }: WithdrawalPage) {
  return handle
    .select({ withdrawal: packed(getTableColumns(withdrawals)), member: packed(listedMember) })
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

export async function findWithdrawal(handle: Reader, id: number) {
  const [row] = await handle
    .select({ withdrawal: withdrawals, member: listedMember })
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
  const isThere = and(eq(withdrawals.id, move.id), eq(withdrawals.status, move.from));
  const change = { status: move.to, processedAt, updatedAt: move.at };
  const moved = { ...change, ...(isReleasedAlone && { isReleasedAlone }) };
  return (await updateEachSealed(tx, withdrawals, isThere, moved)).length > 0;
}
