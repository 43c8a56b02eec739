import { and, eq, gte, sql } from 'drizzle-orm';
import type { Centavos } from '#domain/money.ts';
import type { AccessPart } from '#domain/withdrawal.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import { accounts, auditEntries, isAccessEntry, isBankChange, ledgerEntries, withdrawals } from './schema.ts';

/**
 * Who changed which part of the access to an account's money since a moment, the newest change of each first. Read from
 * the append-only log and ledger. A withdrawal and the refund of a rejected one are no change of the balance.
 */
export async function readAccessChanges(handle: Reader, accountId: number, since: Date) {
  const from = since.toISOString();
  const { rows } = await handle.execute<{
    what: AccessPart;
    actorId: number | null;
    actorName: string | null;
    isStaff: boolean | null;
    at: string;
  }>(sql`
    select what, changes.actor_id::float8 as "actorId", max(changes.created_at)::text as at, accounts.is_admin as "isStaff",
           coalesce(nullif(accounts.full_name, ''), accounts.email, accounts.phone) as "actorName"
      from (
        select what, actor_id, created_at
          from ${auditEntries},
               lateral (values ('password', action = 'password_issued'), ('code', action = 'otp_set'),
                               ('phone', after -> 'changed' ? 'phone'), ('bank', ${isBankChange}))
                 as parts (what, is_changed)
         where is_changed and target_type = 'account' and target_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
           and ${isAccessEntry} and action <> 'withdrawals_held'
        union all
        select 'balance', actor_id, created_at
          from ${ledgerEntries}
         where account_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
           and type not in ('withdrawal', 'withdrawal_refund')
      ) changes
      left join ${accounts} on accounts.id = changes.actor_id
     group by what, changes.actor_id, accounts.id
     order by max(changes.created_at) desc, what`);
  return rows.map(({ at, ...change }) => ({ ...change, at: new Date(at) }));
}

const isRaise = sql.raw(
  `amount_centavos > 0 and loan_event_id is null and type in ('admin_adjustment', 'correction', 'disbursement')`,
);

export async function readRaises(handle: Reader, accountId: number, since: Date) {
  const { rows } = await handle.execute<{
    actorId: number;
    actorName: string;
    amount: Centavos;
    at: string;
  }>(sql`
    select actor_id::float8 as "actorId", amount_centavos::float8 as amount, ledger_entries.created_at::text as at,
           coalesce(nullif(accounts.full_name, ''), accounts.email, accounts.phone) as "actorName"
      from ${ledgerEntries} join ${accounts} on accounts.id = actor_id
     where account_id = ${accountId}::bigint and ${isRaise}
       and ledger_entries.created_at >= ${since.toISOString()}::timestamptz
     order by sequence desc`);
  return rows.map(({ at, ...raise }) => ({ ...raise, at: new Date(at) }));
}

/** Centavos of withdrawals that this person completed since then, from wallets that they raised by hand since then. */
export async function sumCompletedOfRaised(handle: Reader, actorId: number, since: Date): Promise<number> {
  const from = sql`${since.toISOString()}::timestamptz`;
  const { rows } = await handle.execute<{ sum: string }>(sql`
    select coalesce(sum(withdrawals.amount_centavos), 0) as sum
      from ${auditEntries} join ${withdrawals} on withdrawals.id = target_id
     where actor_id = ${actorId}::bigint and target_type = 'withdrawal' and action = 'withdrawal_status_changed'
       and after ->> 'status' = 'completed' and audit_entries.created_at >= ${from}
       and exists (select from ${ledgerEntries}
                    where ledger_entries.account_id = withdrawals.account_id
                      and ledger_entries.actor_id = ${actorId}::bigint and ${isRaise}
                      and ledger_entries.created_at >= ${from})`);
  return Number(onlyRow(rows).sum);
}

export async function areHeldLonger(handle: Reader, accountId: number, since: Date): Promise<boolean> {
  const { targetId, action, createdAt } = auditEntries;
  const isHold = sql`${isAccessEntry} and ${action} = 'withdrawals_held'`;
  return (await handle.$count(auditEntries, and(eq(targetId, accountId), gte(createdAt, since), isHold))) > 0;
}
