import { and, desc, eq, gte, sql } from 'drizzle-orm';
import type { AccessPart } from '#domain/withdrawal.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { accounts, auditEntries, isAccessEntry, ledgerEntries } from './schema.ts';

type Handle = Tx | Reader;

/**
 * Who changed what of the access to an account's money since a moment, the newest of each first. Read from the log and the
 * ledger, which nobody can change. What a withdrawal takes and its rejection gives back is nobody's change of the balance.
 */
export async function readAccessChanges(handle: Handle, accountId: number, since: Date) {
  const from = since.toISOString();
  const { rows } = await handle.execute<{
    what: AccessPart;
    actorId: string | null;
    actorName: string | null;
    isStaff: boolean | null;
    at: string;
  }>(sql`
    select what, changes.actor_id as "actorId", max(changes.created_at)::text as at, accounts.is_admin as "isStaff",
           coalesce(nullif(accounts.full_name, ''), accounts.email, accounts.phone) as "actorName"
      from (
        select case action when 'password_issued' then 'password' when 'otp_set' then 'code' else 'bank' end as what,
               actor_id, created_at
          from ${auditEntries}
         where target_type = 'account' and target_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
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
  return rows.map(({ actorId, at, ...change }) => ({
    ...change,
    actorId: actorId === null ? null : Number(actorId),
    at: new Date(at),
  }));
}

/** When an account's withdrawals were last put on the long hold, or undefined. */
export async function findLongHold(
  handle: Handle,
  accountId: number,
  since: Date,
): Promise<Date | undefined> {
  const [held] = await handle
    .select({ at: auditEntries.createdAt })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.targetId, accountId),
        gte(auditEntries.createdAt, since),
        isAccessEntry,
        sql`${auditEntries.action} = 'withdrawals_held'`,
      ),
    )
    .orderBy(desc(auditEntries.createdAt))
    .limit(1);
  return held?.at;
}
