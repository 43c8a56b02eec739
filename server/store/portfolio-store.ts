import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Today } from '#contract/collection.ts';
import { addDays, endOfManilaDay, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Centavos } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import { type Bucket, bucketStarts, buckets, type StoredLoanState } from '#domain/servicing.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import { isProfileComplete } from './account-store.ts';
import { isTakenOver } from './receipt-store.ts';
import {
  accounts,
  contacts,
  instalments,
  loanEvents,
  loanPositions,
  loans,
  loanTerms,
  payments,
  withdrawals,
} from './schema.ts';
import { isPastDue, isWithinDays } from './spans.ts';
import { isCompletedOn } from './withdrawal-store.ts';

const bucketOf = (day: ManilaDate) => {
  const reached = buckets.toReversed().map((bucket) => {
    return sql`when ${isPastDue(day, bucketStarts[bucket])} then ${bucket}::text`;
  });
  return sql`case ${sql.join(reached, sql` `)} else 'current' end`;
};

/** Loans of one state and bucket: how many, and sums of centavos, with how many of them are part of each. */
export type PortfolioLine = { state: StoredLoanState; bucket: Bucket } & Record<
  'loans' | 'principal' | 'overdue' | 'overdueLoans' | 'today' | 'todayLoans' | 'soon' | 'soonLoans' | 'lost',
  number
>;

/**
 * The open and written-off loans on a day by state and bucket, from what was written with each event (§portfolio): one
 * line has their number and the principal left, another what is due. The oldest unpaid day of a loan says whether it is
 * overdue, and no two of its instalments are due within a week of each other: nothing has to be added up loan by loan.
 */
export async function readPortfolioLines(reader: Reader, day: ManilaDate): Promise<PortfolioLine[]> {
  const { rows } = await reader.execute<PortfolioLine>(sql`
    with standing as not materialized (
      select * from ${loanPositions}
       where state = 'written_off'
          or state = 'open' and (principal_left_centavos > 0 or refund_to_return_centavos > 0
                                 or oldest_due_on is null or ${isPastDue(day, 0)})),
    line as (
      select state, oldest_due_on, count(*) as loans, sum(principal_left_centavos) as principal,
             sum(written_off_centavos) as lost, case when ${isPastDue(day)} then count(*) else 0 end as overdue_loans,
             0 as overdue, 0 as today, 0 as today_loans, 0 as soon, 0 as soon_loans
        from standing group by 1, 2
      union all
      select state, oldest_due_on, 0, 0, 0, 0,
             sum(left_centavos) filter (where due_date < ${day}::date),
             sum(left_centavos) filter (where due_date = ${day}::date), count(*) filter (where due_date = ${day}::date),
             sum(left_centavos) filter (where due_date > ${day}::date), count(*) filter (where due_date > ${day}::date)
        from ${instalments} join standing using (loan_id)
       where left_centavos > 0 and due_date <= ${addDays(day, limits.dueSoonDays)}::date
         and ${isPastDue(day, -limits.dueSoonDays)} group by 1, 2)
    select state, ${bucketOf(day)} as bucket, sum(loans)::int as loans,
           sum(principal)::float8 as principal, sum(lost)::float8 as lost,
           coalesce(sum(overdue), 0)::float8 as overdue, sum(overdue_loans)::int as "overdueLoans",
           coalesce(sum(today), 0)::float8 as today, sum(today_loans)::int as "todayLoans",
           coalesce(sum(soon), 0)::float8 as soon, sum(soon_loans)::int as "soonLoans"
      from line group by 1, 2`);
  return rows;
}

export type Counted = { count: number; amount: Centavos };

const countedWhere = (
  which: SQL,
  amount: SQL,
) => sql`json_build_object('count', count(*) filter (where ${which}),
  'amount', coalesce(sum(${amount}) filter (where ${which}), 0))`;

/**
 * Applications that wait for a decision, and approved loans that wait for their release. Each one's position is looked up:
 * as a join, all positions would be read.
 */
export async function readWaitingLoans(reader: Reader) {
  const { rows } = await reader.execute<{ pending: Counted; approved: Counted }>(sql`
    select ${countedWhere(sql`status = 'pending'`, sql`amount_centavos`)} as pending,
           ${countedWhere(sql`status = 'approved'`, sql`amount_centavos`)} as approved
      from ${loans} where deleted_at is null and status in ('pending', 'approved') and released_at is null
       and coalesce((select state from ${loanPositions} p where p.loan_id = loans.id), 'cancelled') = 'cancelled'`);
  return onlyRow(rows);
}

/** The newest promise of each loan that has one, with whether it is broken on a day: as `promiseState` says. */
const promisesOn = (day: ManilaDate) => sql`
  select loan_id, promise_date, promise_date < ${day}::date and promise_centavos > coalesce((
           select sum(e.amount_centavos) from ${loanEvents} e
            where e.loan_id = newest.loan_id and e.kind = 'receipt' and e.value_date <= promise_date
              and e.value_date >= ((newest.created_at at time zone 'UTC') + interval '8 hours')::date
              and not exists (select from ${loanEvents} r
                               where r.loan_id = e.loan_id and r.kind = 'reversal' and r.undoes = e.sequence)), 0) as is_broken
    from (select distinct on (loan_id) loan_id, promise_date, promise_centavos, created_at from ${contacts} where promise_date is not null
           order by loan_id, id desc nulls last) newest`;

/**
 * The loans in arrears on a day, in the order in which staff see to them: broken promises first, then the longest past due.
 * A promise is judged by what `loan-account` shows: receipts that count, from the day it was made to its own.
 */
export async function readArrears(
  reader: Reader,
  { day, state, bucket }: { day: ManilaDate; state: StoredLoanState; bucket: Bucket | undefined },
): Promise<number[]> {
  const { rows } = await reader.execute<{ id: string }>(sql`
    with unpaid as (
      select loan_id, sum(left_centavos)::float8 as overdue
        from ${instalments} where left_centavos > 0 and due_date < ${day}::date group by loan_id)
    select positions.loan_id as id
      from ${loanPositions} positions
      join unpaid using (loan_id)
      left join (${promisesOn(day)}) promise using (loan_id)
     where state = ${state} and ${isPastDue(day)} and ${bucket === undefined ? sql`true` : sql`${bucketOf(day)} = ${bucket}`}
     order by coalesce(is_broken, false) desc, oldest_due_on, overdue desc, positions.loan_id`);
  return rows.map(({ id }) => Number(id));
}

/** Released loans after this id, the lowest ids first; those that are not over by now, or all of them. */
export const readReleasedLoans = (
  reader: Reader,
  { afterId, limit, isOpen }: { afterId: number; limit: number; isOpen: boolean },
) =>
  reader
    .select(getTableColumns(loans))
    .from(loanPositions)
    .innerJoin(loans, eq(loans.id, loanPositions.loanId))
    .where(
      and(
        gt(loanPositions.loanId, afterId),
        isNull(loans.deletedAt),
        isOpen ? inArray(loanPositions.state, ['open', 'written_off']) : undefined,
      ),
    )
    .orderBy(asc(loanPositions.loanId))
    .limit(limit);

export type Collected = Counted & {
  channel: PaymentChannel;
  /** Null: borrowers themselves. */
  recordedBy: number | null;
  confirmedBy: number | null;
  isTakenOver: boolean;
} & Record<'principal' | 'interest' | 'lateCharges' | 'credit', number>;

/** Centavos of an amount in pesos that a printed receipt has. */
const printed = (part: string) => sql`sum(round((p.application ->> ${part})::numeric * 100))::float8`;

/** The payments that got their receipt number on a day, as they were printed, by channel and people. */
export async function readCollected(reader: Reader, day: ManilaDate): Promise<Collected[]> {
  // Materialized: else the planner may go through all receipts by payment to find those of one day.
  const { rows } = await reader.execute<Collected>(sql`
    with printed as materialized (
      select payment_id from ${loanEvents} where ${isWithinDays(loanEvents.createdAt, day, day)} and kind = 'receipt')
    select p.channel, nullif(p.recorded_by, p.account_id)::float8 as "recordedBy",
           p.confirmed_by::float8 as "confirmedBy", ${isTakenOver('p')} as "isTakenOver",
           count(*)::int as count, sum(p.amount_centavos)::float8 as amount,
           ${printed('principal')} as principal, ${printed('interest')} as interest,
           ${printed('lateCharges')} as "lateCharges", ${printed('credit')} as credit
      from printed join ${payments} p on p.id = payment_id
     group by 1, 2, 3, 4 order by 1, 2, 3`);
  return rows;
}

/**
 * Reads the other movements of a day by the server's clock: receipts reversed, credit given back, loans
 * released, money sent out.
 */
export async function readMoved(reader: Reader, day: ManilaDate) {
  // A release says no amount: it is that of the terms in force.
  const released = sql`coalesce((select round((quote ->> 'amount')::numeric * 100) from ${loanTerms} t
     where t.loan_id = e.loan_id and t.issued_at <= e.created_at order by version desc limit 1), l.amount_centavos)`;
  const { rows } = await reader.execute<
    Record<'reversed' | 'refunded' | 'disbursed' | 'withdrawals', Counted>
  >(sql`
    with moved as (
      select case e.kind when 'reversal' then 'reversed' when 'refund' then 'refunded' else 'disbursed' end as what,
             case e.kind when 'reversal' then undone.amount_centavos when 'refund' then e.amount_centavos else ${released} end as amount
        from ${loanEvents} e join ${loans} l on l.id = e.loan_id
        left join ${loanEvents} undone on undone.loan_id = e.loan_id and e.kind = 'reversal' and undone.sequence = e.undoes
       where e.created_at >= ${startOfManilaDay(day).toISOString()}::timestamptz
         and e.created_at < ${endOfManilaDay(day).toISOString()}::timestamptz
         and (e.kind = 'refund' or e.kind = 'reversal' and undone.kind = 'receipt'
              or e.kind = 'disbursement' and e.channel in ('wallet', 'direct'))
      union all
      select 'withdrawals', amount_centavos from ${withdrawals}
       where ${isCompletedOn(day)})
    select ${sql.join(
      ['reversed', 'refunded', 'disbursed', 'withdrawals'].map(
        (what) => sql`${countedWhere(sql`what = ${what}`, sql`amount`)} as ${sql.identifier(what)}`,
      ),
      sql`, `,
    )} from moved`);
  return onlyRow(rows);
}

/** Events by the day on which they were recorded, oldest first, after the last one read. */
export const readEventsRecorded = (reader: Reader, { from, to, after, limit }: RecordedPage) =>
  reader
    .select({
      id: loanEvents.id,
      loan: loans,
      createdAt: loanEvents.createdAt,
      valueDate: loanEvents.valueDate,
      sequence: loanEvents.sequence,
      kind: loanEvents.kind,
    })
    .from(loanEvents)
    .innerJoin(loans, eq(loans.id, loanEvents.loanId))
    .where(
      and(
        isWithinDays(loanEvents.createdAt, from, to),
        after &&
          or(
            gt(loanEvents.createdAt, after.createdAt),
            and(eq(loanEvents.createdAt, after.createdAt), gt(loanEvents.id, after.id)),
          ),
      ),
    )
    .orderBy(asc(loanEvents.createdAt), asc(loanEvents.id))
    .limit(limit);

export type RecordedEvent = { id: number; createdAt: Date };
type RecordedPage = { from: ManilaDate; to: ManilaDate; after: RecordedEvent | undefined; limit: number };

type WaitingCounts = Omit<
  Today['waiting'],
  | 'toDecide'
  | 'toRelease'
  | 'requests'
  | 'paymentsToConfirm'
  | 'withdrawalsToSend'
  | 'complaints'
  | 'complaintsOverdue'
>;

/**
 * Counts, in one statement, the work that waits for staff with the role (§today); loans to release
 * are counted with the portfolio. Every complete profile has a selfie; asking for it apart lets
 * PostgreSQL use the index of these.
 */
export async function readWaitingCounts(reader: Reader, day: ManilaDate): Promise<WaitingCounts> {
  const count = (what: SQL) => sql`(select count(*)::int from ${what})`;
  const { rows } = await reader.execute<WaitingCounts>(sql`
    select ${count(sql`${accounts} where code_requested_at is not null and deleted_at is null`)} as "codesAskedFor",
           ${count(sql`(${promisesOn(day)}) promise join ${loanPositions} using (loan_id)
              where state = 'open' and ${isPastDue(day)} and is_broken
                and not exists (select from ${contacts} later where later.loan_id = promise.loan_id
                   and ((later.created_at at time zone 'UTC') + interval '8 hours')::date > promise.promise_date)`)} as "brokenPromises",
           ${count(sql`${accounts} where not is_admin and deleted_at is null and status = 'pending' and selfie_file_id is not null and ${isProfileComplete}`)} as "membersComplete",
           ${count(sql`${accounts} where phone_share <> 0 and not is_admin`)} as "phonesShared"`);
  return onlyRow(rows);
}
