import { and, eq, gte, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { Centavos } from '#domain/money.ts';
import type { AccessPart } from '#domain/withdrawal.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import {
  accounts,
  auditEntries,
  isAccessEntry,
  isBankChange,
  isOwnNoMore,
  isRaise,
  ledgerEntries,
  loanAcceptances,
  loanEvents,
  loans,
  loanTerms,
  payments,
  withdrawals,
} from './schema.ts';

/**
 * Finds who changed which part of the access to an account's money since a moment, the newest change of each
 * first. The append-only log and ledger tell it. A withdrawal and the refund of a rejected one do not count
 * as changes of the balance.
 */
export async function readAccessChanges(reader: Reader, accountId: number, since: Date) {
  const from = since.toISOString();
  const { rows } = await reader.execute<{
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

/** Reads which of these accounts this employee changed since a moment, their access or their money. */
export async function readAccountsChangedBy(
  reader: Reader,
  actorId: number,
  { accountIds, since }: { accountIds: readonly number[]; since: Date },
): Promise<Set<number>> {
  if (accountIds.length === 0) return new Set();
  const among = sql`any(${sql.param(accountIds)}::bigint[])`;
  const from = sql`${since.toISOString()}::timestamptz`;
  const { rows } = await reader.execute<{ id: number }>(sql`
    select target_id::float8 as id from ${auditEntries}
     where target_type = 'account' and target_id = ${among} and actor_id = ${actorId}::bigint
       and created_at >= ${from} and ${isAccessEntry}
    union
    select account_id::float8 from ${ledgerEntries}
     where account_id = ${among} and actor_id = ${actorId}::bigint and created_at >= ${from}`);
  return new Set(rows.map(({ id }) => id));
}

export async function readRaises(reader: Reader, accountId: number, since: Date) {
  const { rows } = await reader.execute<{
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

/** The employees who raised a wallet by hand since then. */
export const readRaisers = async (reader: Reader, accountId: number, since: Date): Promise<number[]> => [
  ...new Set((await readRaises(reader, accountId, since)).map(({ actorId }) => actorId)),
];

/**
 * Centavos that have left, since then, all wallets that this person has raised by hand since then: withdrawals that were
 * completed, by whomever, and payments from the wallet that count.
 */
export async function sumLeftRaisedWallets(reader: Reader, raiserId: number, since: Date): Promise<number> {
  const from = sql`${since.toISOString()}::timestamptz`;
  const { rows } = await reader.execute<{ sum: string }>(sql`
    with raised as materialized (
      select distinct account_id from ${ledgerEntries}
       where actor_id = ${raiserId}::bigint and ${isRaise} and created_at >= ${from})
    select coalesce(sum(amount_centavos), 0) as sum from (
      select amount_centavos from ${withdrawals} join raised using (account_id)
       where status = 'completed' and coalesce(completed_at, processed_at) >= ${from}
      union all
      select paid.amount_centavos
        from ${payments} paid join raised using (account_id)
        join ${loanEvents} receipt on receipt.payment_id = paid.id and receipt.kind = 'receipt'
       where paid.channel = 'wallet' and paid.status = 'confirmed' and receipt.created_at >= ${from}
    ) moved`);
  return Number(onlyRow(rows).sum);
}

export type ChangeBeforeAgreement = {
  loanId: number;
  what: 'password' | 'phone';
  actorId: number;
  actorName: string;
  at: Date;
};

/**
 * Finds the staff who changed the borrower's password or phone in the `accessChangeDays` before the newest
 * terms of these loans were agreed to, by acceptance or application; the newest first. The password that an
 * account began with counts for an acceptance only.
 */
export async function readChangesBeforeAgreement(
  reader: Reader,
  loanIds: readonly number[],
): Promise<ChangeBeforeAgreement[]> {
  if (loanIds.length === 0) return [];
  const { rows } = await reader.execute<Omit<ChangeBeforeAgreement, 'at'> & { at: string }>(sql`
    select loan.id::float8 as "loanId", what, staff.id::float8 as "actorId", max(entry.created_at)::text as at,
           coalesce(nullif(staff.full_name, ''), staff.email, staff.phone) as "actorName"
      from ${loans} loan
      join ${accounts} borrower on borrower.id = loan.account_id
      cross join lateral (
        select coalesce(accepted.accepted_at, terms.issued_at) as at, accepted.version is not null as is_accepted
          from ${loanTerms} terms
          left join ${loanAcceptances} accepted on accepted.loan_id = terms.loan_id and accepted.version = terms.version
         where terms.loan_id = loan.id and (accepted.version is not null or terms.issued_by = loan.account_id)
         order by terms.version desc limit 1) agreed
      join (select target_id, target_type, actor_id, created_at, what
              from ${auditEntries},
                   lateral (values ('password', action = 'password_issued'), ('phone', after -> 'changed' ? 'phone')) as parts (what, is_changed)
             where is_changed and ${isAccessEntry}) entry
        on entry.target_type = 'account' and entry.target_id = loan.account_id
           and entry.created_at <= agreed.at and entry.created_at > agreed.at - ${`${limits.accessChangeDays} days`}::interval
           and (agreed.is_accepted or entry.created_at > borrower.created_at + interval '1 minute')
      join ${accounts} staff on staff.id = entry.actor_id and staff.is_admin
     where loan.id in (${sql.join(
       loanIds.map((id) => sql`${id}::bigint`),
       sql`, `,
     )})
     group by loan.id, what, staff.id
     order by max(entry.created_at) desc, what`);
  return rows.map(({ at, ...change }) => ({ ...change, at: new Date(at) }));
}

/** The employees whose own account these borrowers' were, until a change of the profile since a moment (§own-account). */
export async function readFormerOwners(reader: Reader, accountIds: readonly number[], since: Date) {
  if (accountIds.length === 0) return [];
  const { rows } = await reader.execute<{ accountId: number; staffId: number }>(sql`
    select distinct target_id::float8 as "accountId", staff_id::float8 as "staffId"
      from ${auditEntries}, lateral jsonb_array_elements_text(after -> 'wasOwnOf') as former (staff_id)
     where ${isOwnNoMore} and target_type = 'account' and created_at >= ${since.toISOString()}::timestamptz
       and target_id = any(${sql.param(accountIds)}::bigint[])`);
  return rows;
}

/**
 * True if anybody, the owner included, changed the phone, the password or the bank details of an account
 * since a moment. The entries of an account are few, and found by its index.
 */
export async function wasAccessChanged(reader: Reader, accountId: number, since: Date): Promise<boolean> {
  const { targetType, targetId, action, createdAt } = auditEntries;
  const isPassword = sql`${action} in ('password_issued', 'own_password_changed')`;
  const isPhone = sql`${action} in ('member_updated', 'profile_updated') and ${auditEntries.after} -> 'changed' ? 'phone'`;
  const isChange = sql`(${isPassword} or ${isPhone} or ${isBankChange})`;
  const isOwn = and(eq(targetType, 'account'), eq(targetId, accountId), gte(createdAt, since));
  return (await reader.$count(auditEntries, and(isOwn, isChange))) > 0;
}

export async function areHeldLonger(reader: Reader, accountId: number, since: Date): Promise<boolean> {
  const { targetId, action, createdAt } = auditEntries;
  const isHold = sql`${isAccessEntry} and ${action} = 'withdrawals_held'`;
  return (await reader.$count(auditEntries, and(eq(targetId, accountId), gte(createdAt, since), isHold))) > 0;
}
