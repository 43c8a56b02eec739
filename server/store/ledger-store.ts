import { asc, eq, sql } from 'drizzle-orm';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { noteSeals, type SealFields, sealFields } from './row-seal-store.ts';
import { ledgerEntries } from './schema.ts';

export type LedgerEntry = typeof ledgerEntries.$inferSelect;

export type LedgerType =
  | 'admin_adjustment'
  | 'disbursement'
  | 'correction'
  | 'withdrawal'
  | 'withdrawal_refund'
  | 'disbursement_reversal'
  | 'loan_payment'
  | 'loan_payment_reversal'
  | 'loan_refund';

/** A movement of money into an account (positive) or out of it (negative). */
export type MoneyMove = {
  accountId: number;
  amountCentavos: number;
  type: LedgerType;
  /** Who moved it. */
  actorId: number;
  /** Why, in a few words; one line. */
  reason: string;
  /** The withdrawal that a `withdrawal` or `withdrawal_refund` belongs to. */
  withdrawalId?: number;
  /** The loan event that it comes from. */
  loanEventId?: number;
  /** When given, the money moves only from exactly this balance. */
  expectedBalanceCentavos?: number;
  /** A refund reaches a deleted account too: its books go on. Nothing else does. */
  evenIfDeleted?: boolean;
  at: Date;
};

/** The account's money after a movement. */
export type MoneyMoved = { balanceCentavos: number; sequence: number; hash: string };

type MovedRow = SealFields & { balance: string; hash: string; sequence: number };

/**
 * Moves money: balance, the account's end of the hash chain and the ledger entry change in one statement, or nothing
 * does (§balance). Undefined when it would take more than there is, when the balance is not the
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
export async function moveMoney(tx: Tx, move: MoneyMove): Promise<MoneyMoved | undefined> {
  const withdrawalId = move.withdrawalId ?? null;
  const loanEventId = move.loanEventId ?? null;
  const at = move.at.toISOString();
  const { sealId, sealText, sealFound, sealNumber } = sealFields('accounts');
  const { rows } = await tx.execute<MovedRow>(sql`
    with before as (
      select id, ledger_hash as previous_hash, ledger_sequence + 1 as sequence, ${sealText} as seal_before,
             balance_centavos + ${move.amountCentavos}::bigint as balance_after
        from accounts
       where id = ${move.accountId}
         and (deleted_at is null or ${move.evenIfDeleted ?? false}::boolean)
         and balance_centavos + ${move.amountCentavos}::bigint >= 0
         and balance_centavos = coalesce(${move.expectedBalanceCentavos ?? null}::bigint, balance_centavos)
         for no key update
    ), moved as (
      update accounts
         set balance_centavos = before.balance_after,
             ledger_sequence = before.sequence,
             ledger_hash = encode(sha256(convert_to(concat_ws(chr(10),
               before.previous_hash, before.id, before.sequence, ${move.type}::text, ${move.amountCentavos}::bigint,
               before.balance_after, ${move.actorId}::bigint, coalesce(${withdrawalId}::bigint::text, ''), ${at}::text,
               ${move.reason}::text, ${loanEventId}::bigint), 'UTF8')), 'hex'),
             updated_at = ${at}::timestamptz
        from before
       where accounts.id = before.id
      returning accounts.id, before.previous_hash, accounts.ledger_sequence, accounts.balance_centavos,
                accounts.ledger_hash, ${sealId} as "sealId", ${sealText} as "sealText",
                before.seal_before as "sealBefore", ${sealFound} as "sealFound", ${sealNumber} as "sealNumber"
    ), written as (
      insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id,
                                  withdrawal_id, loan_event_id, reason, created_at, previous_hash, hash)
      select id, ledger_sequence, ${move.type}::text, ${move.amountCentavos}::bigint, balance_centavos,
             ${move.actorId}::bigint, ${withdrawalId}::bigint, ${loanEventId}::bigint, ${move.reason}::text, ${at}::timestamptz, previous_hash,
             ledger_hash
        from moved
    )
    select balance_centavos as balance, ledger_sequence as sequence, ledger_hash as hash,
           "sealId", "sealText", "sealBefore", "sealFound", "sealNumber"
      from moved`);
  const [row] = noteSeals(tx, 'accounts', rows);
  return row && { balanceCentavos: Number(row.balance), sequence: row.sequence, hash: row.hash };
}

/** The next number of a sequence. One taken by a transaction that is undone is never given again. */
export async function nextNumber(tx: Tx, sequence: 'loan_numbers' | 'withdrawal_numbers'): Promise<number> {
  const { rows } = await tx.execute<{ next: string }>(sql`select nextval(${sequence}) as next`);
  return Number(onlyRow(rows).next);
}

/** Whether staff have put a loan's money into its borrower's wallet themselves since they approved it. */
export async function wasReleasedByHand(
  handle: Tx | Reader,
  loan: { id: number; accountId: number; releasedAt: Date | null; createdAt: Date },
): Promise<boolean> {
  if (loan.releasedAt) return true;
  const { rows } = await handle.execute(sql`
    select from ledger_entries
     where account_id = ${loan.accountId}::bigint and type = 'disbursement' and loan_event_id is null
       and created_at >= coalesce(
         (select max(created_at) from audit_entries
           where target_type = 'loan' and target_id = ${loan.id}::bigint and action = 'loan_status_changed'
             and after ->> 'status' = 'approved'),
         ${loan.createdAt.toISOString()}::timestamptz)
     limit 1`);
  return rows.length > 0;
}

export async function readLedger(handle: Reader, accountId: number): Promise<LedgerEntry[]> {
  return handle
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.accountId, accountId))
    .orderBy(asc(ledgerEntries.sequence));
}
