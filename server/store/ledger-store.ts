import { type SQL, sql } from 'drizzle-orm';
import type { Centavos } from '#domain/money.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { prepared, statement } from '#server/platform/database/prepared.ts';
import type { ledgerEntries } from './schema.ts';
import { noteSeals, type SealFields, sealFields } from './sealed-rows.ts';

export type LedgerEntry = typeof ledgerEntries.$inferSelect;

export type LedgerType = LedgerEntry['type'];

export type MoneyMove = {
  accountId: number;
  amountCentavos: number;
  type: LedgerType;
  actorId: number;
  reason: string;
  /** Present for a `withdrawal` or `withdrawal_refund`. */
  withdrawalNumber?: string;
  loanEventId?: number;
  /** If given, the money moves only from exactly this balance. */
  expectedBalanceCentavos?: number;
  /** A refund also reaches a deleted account, because its books continue. Nothing else does. */
  evenIfDeleted?: boolean;
  /** Clears the account's one-time code, which released the money. */
  usesUpCode?: boolean;
  at: Date;
};

const value = {
  accountId: sql`${sql.placeholder('accountId')}::bigint`,
  amount: sql`${sql.placeholder('amountCentavos')}::bigint`,
  type: sql`${sql.placeholder('type')}::text`,
  actorId: sql`${sql.placeholder('actorId')}::bigint`,
  reason: sql`${sql.placeholder('reason')}::text`,
  loanEventId: sql`${sql.placeholder('loanEventId')}::bigint`,
  expectedBalance: sql`${sql.placeholder('expectedBalanceCentavos')}::bigint`,
  evenIfDeleted: sql`${sql.placeholder('evenIfDeleted')}::boolean`,
  usesUpCode: sql`${sql.placeholder('usesUpCode')}::boolean`,
  at: sql.placeholder('at'),
};
const { sealId, sealText, sealFound, sealNumber } = sealFields('accounts');

const moving = prepared((tx: Tx) =>
  statement<SealFields>(
    tx,
    sql`
    with before as (
      select id, (select id from withdrawals where withdrawal_number = ${sql.placeholder('withdrawalNumber')}) as withdrawal_id,
             ledger_hash as previous_hash, ledger_sequence + 1 as sequence, ${sealText} as seal_before,
             balance_centavos + ${value.amount} as balance_after
        from accounts
       where id = ${value.accountId}
         and (deleted_at is null or ${value.evenIfDeleted})
         and balance_centavos + ${value.amount} >= 0
         and balance_centavos = coalesce(${value.expectedBalance}, balance_centavos)
         for no key update
    ), moved as (
      update accounts
         set balance_centavos = before.balance_after,
             ledger_sequence = before.sequence,
             ledger_hash = encode(sha256(convert_to(concat_ws(chr(10),
               before.previous_hash, before.id, before.sequence, ${value.type}, ${value.amount},
               before.balance_after, ${value.actorId}, coalesce(before.withdrawal_id::text, ''), ${value.at}::text,
               ${value.reason}, ${value.loanEventId}), 'UTF8')), 'hex'),
             otp_code_sealed = case when ${value.usesUpCode} then null else otp_code_sealed end,
             otp_expires_at = case when ${value.usesUpCode} then null else otp_expires_at end,
             otp_wrong_tries = case when ${value.usesUpCode} then 0 else otp_wrong_tries end,
             code_requested_at = case when ${value.usesUpCode} then null else code_requested_at end,
             updated_at = ${value.at}::timestamptz
        from before
       where accounts.id = before.id
      returning accounts.id, before.withdrawal_id, before.previous_hash, accounts.ledger_sequence, accounts.balance_centavos,
                accounts.ledger_hash, ${sealId} as "sealId", ${sealText} as "sealText",
                before.seal_before as "sealBefore", ${sealFound} as "sealFound", ${sealNumber} as "sealNumber"
    ), written as (
      insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id,
                                  withdrawal_id, loan_event_id, reason, created_at, previous_hash, hash)
      select id, ledger_sequence, ${value.type}, ${value.amount}, balance_centavos, ${value.actorId},
             withdrawal_id, ${value.loanEventId}, ${value.reason}, ${value.at}::timestamptz, previous_hash,
             ledger_hash
        from moved
    )
    select "sealId", "sealText", "sealBefore", "sealFound", "sealNumber" from moved`,
  ),
);

/**
 * Moves money: balance, the account's end of the hash chain and the ledger entry change in one statement, or nothing
 * does (§balance). False when it would take more than there is, when the balance is not the
 * expected one, or when the account is gone.
 *
 * `before` locks the row and reads its newest version, whatever the statement's snapshot says; everything after it
 * is computed from `before` alone, so simultaneous movements of one account come one after the other.
 *
 * The entry's hash is the SHA-256, in lower-case hexadecimal, of these ten values as UTF-8 text with a line feed
 * between them: previous hash (empty for the first entry), account id, sequence, type, amount in centavos with its
 * sign, balance after it in centavos, actor id, withdrawal id or nothing, moment as `2026-11-20T05:57:26.123Z`, reason. An
 * entry that comes from a loan event has that event's id as an eleventh.
 */
export async function moveMoney(tx: Tx, move: MoneyMove): Promise<boolean> {
  const { rows } = await moving(tx, {
    withdrawalNumber: null,
    loanEventId: null,
    expectedBalanceCentavos: null,
    evenIfDeleted: false,
    usesUpCode: false,
    ...move,
    at: move.at.toISOString(),
  });
  return noteSeals(tx, 'accounts', rows).length > 0;
}

/** A number taken by a transaction that rolls back is never used again. */
export async function nextLoanNumber(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ next: string }>(sql`select nextval('loan_numbers') as next`);
  return Number(onlyRow(rows).next);
}

/** Since when a loan has been approved, in SQL: of one never approved here, since the application. */
const approvedAt = (loanId: SQL, createdAt: SQL) => sql`coalesce(
  (select max(created_at) from audit_entries
    where target_type = 'loan' and target_id = ${loanId} and action = 'loan_status_changed' and after ->> 'status' = 'approved'),
  ${createdAt})`;

export type WalletCredit = {
  loanId: number;
  type: LedgerType;
  amount: Centavos;
  actorName: string;
  at: Date;
};

/** Credits to the borrower's wallet since each of these loans was approved, the newest first. */
export async function readCreditsSinceApproval(
  reader: Reader,
  loanIds: readonly number[],
): Promise<WalletCredit[]> {
  if (loanIds.length === 0) return [];
  const { rows } = await reader.execute<Omit<WalletCredit, 'at'> & { at: string }>(sql`
    select loan.id::float8 as "loanId", type, entry.amount_centavos::float8 as amount, entry.created_at::text as at,
           coalesce(nullif(actor.full_name, ''), actor.email, actor.phone) as "actorName"
      from loans loan
      join ledger_entries entry on entry.account_id = loan.account_id and entry.amount_centavos > 0
       and entry.created_at >= ${approvedAt(sql`loan.id`, sql`loan.created_at`)}
      join accounts actor on actor.id = entry.actor_id
     where loan.id in (${sql.join(
       loanIds.map((id) => sql`${id}::bigint`),
       sql`, `,
     )})
     order by entry.id desc`);
  return rows.map(({ at, ...credit }) => ({ ...credit, at: new Date(at) }));
}

/** True if staff have paid a loan out by a balance change since they approved it. */
export async function wasReleasedByHand(
  reader: Reader,
  loan: { id: number; accountId: number; releasedAt: Date | null; createdAt: Date },
): Promise<boolean> {
  if (loan.releasedAt) return true;
  const { rows } = await reader.execute(sql`
    select from ledger_entries
     where account_id = ${loan.accountId}::bigint and type = 'disbursement' and loan_event_id is null
       and created_at >= ${approvedAt(sql`${loan.id}::bigint`, sql`${loan.createdAt.toISOString()}::timestamptz`)}
     limit 1`);
  return rows.length > 0;
}
