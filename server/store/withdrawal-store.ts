import { and, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import type { ManilaDate } from '#domain/calendar.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { prepared, statement } from '#server/platform/database/prepared.ts';
import { isOneFoundBy, type ListPage, listedMember } from './account-store.ts';
import { firstOf, packed } from './packed-columns.ts';
import { accounts, auditEntries, isAccessEntry, isBankChange, ledgerEntries, withdrawals } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';
import { isWithinDays } from './spans.ts';

const { bankNameFolded, ...keptColumns } = getTableColumns(withdrawals);
export type Withdrawal = Omit<typeof withdrawals.$inferSelect, 'bankNameFolded'>;
export type NewWithdrawal = typeof withdrawals.$inferInsert;

export const insertWithdrawal = (tx: Tx, withdrawal: NewWithdrawal): Promise<Withdrawal> =>
  insertSealed(tx, withdrawals, withdrawal);

const starting = prepared((tx: Tx) =>
  statement<{ number: string; isHeldLonger: boolean; isBankNew: boolean; isBankMoved: boolean }>(
    tx,
    sql`select nextval('withdrawal_numbers') as number,
      exists (select from ${auditEntries}
               where target_id = ${sql.placeholder('accountId')}::bigint
                 and created_at >= ${sql.placeholder('since')}::timestamptz
                 and ${isAccessEntry} and action = 'withdrawals_held') as "isHeldLonger",
      exists (select from ${auditEntries}
               where target_id = ${sql.placeholder('accountId')}::bigint and ${isAccessEntry}
                 and action = 'profile_updated' and ${isBankChange}
                 and created_at > coalesce(
                   (select ledger_entries.created_at from ${ledgerEntries}
                     where ledger_entries.account_id = ${sql.placeholder('accountId')}::bigint
                       and amount_centavos > 0 and type <> 'withdrawal_refund'
                     order by sequence desc limit 1), '-infinity')) as "isBankNew",
      exists (select from ${auditEntries}
               where target_id = ${sql.placeholder('accountId')}::bigint and ${isAccessEntry} and ${isBankChange}
                 and after ? 'wasVerified'
                 and created_at > ${sql.placeholder('heldSince')}::timestamptz) as "isBankMoved"`,
  ),
);

/**
 * The next withdrawal number of an account, whether its withdrawals were put on the long hold since a moment, whether its owner
 * changed the bank details since the wallet's last credit, not counting refunds of rejected withdrawals, and whether anybody
 * changed those of an account that had been verified after `heldSince`.
 */
export async function numberWithdrawal(
  tx: Tx,
  accountId: number,
  { since, heldSince }: { since: Date; heldSince: Date },
) {
  const moments = { since: since.toISOString(), heldSince: heldSince.toISOString() };
  const { rows } = await starting(tx, { accountId, ...moments });
  const { number, ...holds } = onlyRow(rows);
  return { number: Number(number), ...holds };
}

/** The withdrawals that wait to be sent, with what tells whose account each is. */
export function readWaitingWithdrawals(reader: Reader) {
  const { isAdmin, email, phone, bankAccountNumber } = accounts;
  return reader
    .select({
      withdrawal: packed(keptColumns),
      borrower: { id: accounts.id, isAdmin, email, phone, bankAccountNumber },
    })
    .from(withdrawals)
    .innerJoin(accounts, eq(accounts.id, withdrawals.accountId))
    .where(inArray(withdrawals.status, ['pending', 'approved']));
}

// The indexes are declared `desc nulls last`; a plain `desc` means nulls first and would not use them.
const newestFirst = sql`${withdrawals.id} desc nulls last`;

const searched = [sql`lower(${withdrawals.withdrawalNumber})`, bankNameFolded];

export const isCompletedOn = (day: ManilaDate) => isWithinDays(withdrawals.completedAt, day, day);

type WithdrawalPage = ListPage<WithdrawalStatus> & { completedOn?: ManilaDate | undefined };

/** Everybody's withdrawals with their members, deleted ones too. */
export function readWithdrawalPage(
  reader: Reader,
  { status, search, before, limit, completedOn }: WithdrawalPage,
) {
  return reader
    .select({ withdrawal: packed(keptColumns), member: packed(listedMember) })
    .from(withdrawals)
    .innerJoin(accounts, eq(accounts.id, withdrawals.accountId))
    .where(
      and(
        status === undefined ? undefined : eq(withdrawals.status, status),
        completedOn === undefined ? undefined : isCompletedOn(completedOn),
        search === undefined
          ? undefined
          : isOneFoundBy(reader, { search }, withdrawals.accountId, ...searched),
        before === undefined ? undefined : lt(withdrawals.id, before),
      ),
    )
    .orderBy(status === undefined ? sql`${withdrawals.id} desc` : newestFirst)
    .limit(limit);
}

export const findWithdrawal = (reader: Reader, id: number) =>
  firstOf(
    reader
      .select({ withdrawal: withdrawals, member: listedMember })
      .from(withdrawals)
      .innerJoin(accounts, eq(accounts.id, withdrawals.accountId))
      .where(eq(withdrawals.id, id)),
  );

/** Locked until the transaction ends: of two decisions at once the second sees the first. */
export const lockWithdrawal = (tx: Tx, id: number): Promise<Withdrawal | undefined> =>
  firstOf(tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for('no key update'));

type WithdrawalChange = Partial<
  Pick<
    Withdrawal,
    'status' | 'processedAt' | 'completedAt' | 'isReleasedAlone' | 'bankReference' | 'updatedAt'
  >
>;

/** `processedAt` and `completedAt` belong to `completed` alone. */
export const changeWithdrawal = (tx: Tx, id: number, change: WithdrawalChange) =>
  updateSealed(tx, withdrawals, id, change);
