import { type SQL, sql } from 'drizzle-orm';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { type ApplicationOutcome, loanStatusesWith } from '#domain/loan.ts';
import type { Centavos } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import { bucketStarts } from '#domain/servicing.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import type { Counted } from './portfolio-store.ts';
import { isTakenOver } from './receipt-store.ts';
import {
  auditEntries,
  instalments,
  journalMovements,
  loanEvents,
  loanMovements,
  loanPositions,
  loans,
  oneOf,
  payments,
} from './schema.ts';
import { isWithinDays } from './spans.ts';

/** The days of a report, both included. */
export type Days = { from: ManilaDate; to: ManilaDate };

const isDeleted = (loanId: SQL) =>
  sql`${loanId} in (select ${loans.id} from ${loans} where ${loans.deletedAt} is not null)`;

const within = (day: SQL, { from, to }: Days) => sql`${day} between ${from}::date and ${to}::date`;

const manilaDay = (moment: SQL) => sql`((${moment} at time zone 'UTC') + interval '8 hours')::date`;

const total = (what: SQL, which: SQL) => sql`coalesce(sum(${what}) filter (where ${which}), 0)::float8`;

/** The day of the first release that was ever recorded, by value date; undefined without one. */
export async function readFirstRelease(reader: Reader): Promise<ManilaDate | undefined> {
  const { rows } = await reader.execute<{ first: ManilaDate | null }>(
    sql`select min(value_date)::text as first from ${journalMovements}`,
  );
  return onlyRow(rows).first ?? undefined;
}

type Moved = Record<'start' | 'released' | 'cancelled' | 'received' | 'writtenOff' | 'end', Centavos>;
type LoansMoved = Record<
  'loansStart' | 'loansReleased' | 'loansCancelled' | 'loansWrittenOff' | 'loansEnd',
  number
>;

export type MonthMoved = Moved & LoansMoved;

/** These columns add up each part of what moved in the principal that is out, in centavos. */
const movedColumns = (days: Days) => {
  const value = sql`value_date`;
  const inMonth = within(value, days);
  const before = sql`value_date < ${days.from}::date`;
  const ofKind = (kind: string) => sql`kind = ${kind} and ${inMonth}`;
  const [principal, less] = [sql`principal_centavos`, sql`-principal_centavos`];
  return sql`${total(principal, before)} as start, ${total(principal, ofKind('released'))} as released,
           ${total(less, ofKind('cancelled'))} as cancelled, ${total(less, ofKind('received'))} as received,
           ${total(less, ofKind('written_off'))} as "writtenOff", coalesce(sum(principal_centavos), 0)::float8 as "end"`;
};

/** The movements of a month by value date, and what was out before and after it (§month). */
export async function readMonthMoved(reader: Reader, days: Days): Promise<MonthMoved> {
  const inMonth = within(sql`value_date`, days);
  const ofKind = (kind: string) => sql`kind = ${kind} and ${inMonth}`;
  const [count, less] = [sql`m.loans`, sql`-m.loans`];
  const { rows } = await reader.execute<MonthMoved>(sql`
    select ${movedColumns(days)},
           ${total(count, sql`value_date < ${days.from}::date`)} as "loansStart",
           ${total(count, ofKind('released'))} as "loansReleased", ${total(less, ofKind('cancelled'))} as "loansCancelled",
           ${total(less, ofKind('written_off'))} as "loansWrittenOff", coalesce(sum(m.loans), 0)::float8 as "loansEnd"
      from ${loanMovements} m
     where value_date <= ${days.to}::date and not ${isDeleted(sql`m.loan_id`)}`);
  return onlyRow(rows);
}

/** The payments of a month on loans that were written off before, whole: with interest, charges and credit in them. */
export async function readMonthRecovered(reader: Reader, days: Days): Promise<Counted> {
  const { rows } = await reader.execute<Counted>(sql`
    select count(*)::int as count, coalesce(sum(m.received_centavos), 0)::float8 as amount
      from ${loanMovements} lost join ${loanMovements} m on m.loan_id = lost.loan_id and m.number > lost.number
     where lost.kind = 'written_off' and m.kind = 'received' and ${within(sql`m.value_date`, days)}
       and not ${isDeleted(sql`m.loan_id`)}`);
  return onlyRow(rows);
}

export type MonthBooked = Record<'journal' | 'datedEarlier' | 'recordedLater', Centavos> &
  Record<'interest' | 'lateCharges', number>;

const bookedColumns = (days: Days) => {
  const recorded = within(sql`recorded_on`, days);
  const principal = sql`principal_centavos`;
  const isLater = sql`recorded_on > ${days.to}::date and ${within(sql`value_date`, days)}`;
  return sql`${total(principal, recorded)} as journal,
    ${total(principal, sql`${recorded} and value_date < ${days.from}::date`)} as "datedEarlier",
    ${total(principal, isLater)} as "recordedLater"`;
};

const isBookedIn = (days: Days) =>
  sql`(${within(sql`recorded_on`, days)} or ${within(sql`value_date`, days)})`;

/** Reads what the journal has of a month: `days` is all of it, also where it is not over yet. */
export async function readMonthBooked(reader: Reader, days: Days): Promise<MonthBooked> {
  const recorded = within(sql`recorded_on`, days);
  const { rows } = await reader.execute<MonthBooked>(sql`
    select ${bookedColumns(days)}, ${total(sql`interest_centavos`, recorded)} as interest,
           ${total(sql`late_charges_centavos`, recorded)} as "lateCharges"
      from ${journalMovements} where ${isBookedIn(days)}`);
  return onlyRow(rows);
}

export type MonthLoan = { loanId: number } & Moved &
  Record<'journal' | 'datedEarlier' | 'recordedLater', Centavos>;

/** The loans behind a month's figures: those with principal out before or after it, or with movements in it. */
export async function readMonthLoans(
  reader: Reader,
  { days, wholeMonth, afterId, limit }: { days: Days; wholeMonth: Days; afterId: number; limit: number },
): Promise<MonthLoan[]> {
  const { rows } = await reader.execute<MonthLoan>(sql`
    with page as (select ${loanPositions.loanId} as loan_id from ${loanPositions}
                   where ${loanPositions.loanId} > ${afterId}::bigint order by 1 limit ${limit}::int)
    select page.loan_id::float8 as "loanId", coalesce(start, 0) as start, coalesce(released, 0) as released,
           coalesce(cancelled, 0) as cancelled, coalesce(received, 0) as received,
           coalesce("writtenOff", 0) as "writtenOff", coalesce("end", 0) as "end", coalesce(journal, 0) as journal,
           coalesce("datedEarlier", 0) as "datedEarlier", coalesce("recordedLater", 0) as "recordedLater"
      from page
      left join lateral (select ${movedColumns(days)} from ${loanMovements} m
                          where m.loan_id = page.loan_id and value_date <= ${days.to}::date
                            and not exists (select from ${loans} l where l.id = page.loan_id and l.deleted_at is not null)) moved on true
      left join lateral (select ${bookedColumns(wholeMonth)} from ${journalMovements} j
                          where j.loan_id = page.loan_id and ${isBookedIn(wholeMonth)}) booked on true
     order by 1`);
  return rows;
}

/** Counts the payments that got their receipt number in these days, in the groups of the day reports. */
const collectedBy = (by: SQL, { from, to }: Days) => sql`
  with printed as materialized (
    select payment_id, created_at from ${loanEvents}
     where ${isWithinDays(loanEvents.createdAt, from, to)} and kind = 'receipt')
  select ${by} as by, count(*)::int as count, sum(p.amount_centavos)::float8 as amount
    from printed join ${payments} p on p.id = payment_id
   where not ${isTakenOver('p')} and p.channel <> 'wallet'
   group by 1 order by 1`;

/** Reads the sums that were collected in a month, by channel. */
export async function readMonthCollected(reader: Reader, days: Days) {
  const { rows } = await reader.execute<Counted & { by: PaymentChannel }>(collectedBy(sql`p.channel`, days));
  return rows.map(({ by: channel, ...counted }) => ({ channel, ...counted }));
}

/** Reads the sums that were collected on each day; days without a payment are left out. */
export async function readDaysCollected(reader: Reader, days: Days) {
  const day = sql`${manilaDay(sql`printed.created_at`)}::text`;
  const { rows } = await reader.execute<Counted & { by: ManilaDate }>(collectedBy(day, days));
  return rows;
}

export type MonthApplications = Record<'received' | 'approved' | 'denied' | 'released', number> & {
  medianDays: number | null;
};

/**
 * The applications made in a month, and what became of them by now. The last decision of staff counts, unless the application waits again;
 * the days are those to the first decision. Loans taken over were not applied for here.
 */
export async function readMonthApplications(reader: Reader, days: Days): Promise<MonthApplications> {
  const { rows } = await reader.execute<MonthApplications>(sql`
    select count(*)::int as received, count(*) filter (where outcome = 'approved')::int as approved,
           count(*) filter (where outcome = 'denied')::int as denied, count(*) filter (where is_released)::int as released,
           percentile_cont(0.5) within group (order by ${manilaDay(sql`first_at`)} - ${manilaDay(sql`created_at`)})
             filter (where outcome is not null and first_at is not null) as "medianDays"
      from (${decidedApplications(days)}) decided`);
  return onlyRow(rows);
}

/** The loans that were applied for in a month, or those of them with an outcome. */
export const idsOfApplications = (days: Days, outcome: ApplicationOutcome | undefined): SQL => {
  const which = {
    approved: sql`where outcome = 'approved'`,
    denied: sql`where outcome = 'denied'`,
    released: sql`where is_released`,
  };
  return sql`select id from (${decidedApplications(days)}) decided ${outcome ? which[outcome] : sql``}`;
};

function decidedApplications({ from, to }: Days): SQL {
  const [approving, denying] = [loanStatusesWith('isApproved'), loanStatusesWith('isTurnedDown')].map(oneOf);
  return sql`
    with made as (
      select id, status, created_at, released_at is not null or coalesce(
               (select state from ${loanPositions} p where p.loan_id = l.id), 'cancelled') <> 'cancelled' as is_released
        from ${loans} l
       where created_at >= ${sql`(${from}::timestamp - interval '8 hours') at time zone 'UTC'`}
         and created_at < ${sql`(${to}::timestamp + interval '16 hours') at time zone 'UTC'`}
         and deleted_at is null and old_number is null),
    decision as (
      select target_id, min(created_at) as first_at, (array_agg(after ->> 'status' order by id desc))[1] as last
        from ${auditEntries}
       where target_type = 'loan' and action = 'loan_status_changed' and target_id in (select id from made)
         and after ->> 'status' in (${approving}, ${denying})
       group by 1)
      select made.*, first_at, case when is_released or status in (${approving}) then 'approved'
               when status in (${denying}) then 'denied' when status in (${oneOf(loanStatusesWith('isUndecided'))}) then null
               when last in (${approving}) then 'approved' when last in (${denying}) then 'denied' end as outcome
        from made left join decision on target_id = id`;
}

type ByMonth = { month: string } & Record<'principal' | 'collected' | 'risk', number>;

/** More than so many days past due counts as at risk. */
const riskAfterDays = bucketStarts['31-60'];

/**
 * Reads what changed in each month: principal that is out, principal in loans more than 30 days past due, receipts. What was
 * before the first day is in the first month, except for receipts. From what is stored with each event, so no loan is folded.
 */
export async function readTrendMoved(reader: Reader, { from, to }: Days): Promise<ByMonth[]> {
  // The sums are taken by days first: a million rows have a thousand days, and naming a month costs more than adding.
  const { rows } = await reader.execute<ByMonth>(sql`
    with moved as (
      select value_date as day, sum(principal_centavos) as principal, sum(received_centavos) as collected, 0 as risk
        from ${loanMovements} m
       where value_date <= ${to}::date and not ${isDeleted(sql`m.loan_id`)} group by 1),
    late as (
      select principal_left_centavos as amount, greatest(value_date, oldest_due_on + ${riskAfterDays}::int) as since, until_date as until
        from ${loanMovements} m
       where oldest_due_on <= ${addDays(to, -riskAfterDays)}::date
         and greatest(value_date, oldest_due_on + ${riskAfterDays}::int) < coalesce(until_date, 'infinity'::date)
         and not ${isDeleted(sql`m.loan_id`)}),
    change as (
      select * from moved
      union all select since, 0, 0, sum(amount) from late where since <= ${to}::date group by 1
      union all select until, 0, 0, -sum(amount) from late where until <= ${to}::date group by 1)
    select to_char(greatest(day, ${from}::date), 'YYYY-MM') as month, sum(principal)::float8 as principal,
           ${total(sql`collected`, sql`day >= ${from}::date`)} as collected, sum(risk)::float8 as risk
      from change group by 1`);
  return rows;
}

/** Reads what fell due in each month, paid or not, by the due dates of now; nothing of loans that were cancelled. */
export async function readTrendDue(reader: Reader, { from, to }: Days) {
  const { rows } = await reader.execute<{ month: string; due: number }>(sql`
    select to_char(due_date, 'YYYY-MM') as month, sum(amount)::float8 as due
      from (select due_date, sum(amount_centavos) as amount from ${instalments} i join ${loanPositions} p using (loan_id)
             where ${within(sql`due_date`, { from, to })} and p.state <> 'cancelled' and not ${isDeleted(sql`i.loan_id`)}
             group by 1) days
     group by 1`);
  return rows;
}

/** Reads what is left of the instalments of open loans that fall due in so many weeks from a day, by the number of the week. */
export async function readExpected(reader: Reader, { from, to }: Days) {
  const { rows } = await reader.execute<{ week: number; amount: Centavos }>(sql`
    select (due_date - ${from}::date) / 7 as week, sum(left_centavos)::float8 as amount
      from ${instalments} i join ${loanPositions} p using (loan_id)
     where left_centavos > 0 and ${within(sql`due_date`, { from, to })} and p.state = 'open'
     group by 1`);
  return rows;
}
