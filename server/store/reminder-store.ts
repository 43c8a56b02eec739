import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import type { MessageChannel } from '#domain/message.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { listOf } from './many-rows.ts';
import { accounts, instalments, loanPositions, loans, payments } from './schema.ts';

/**
 * The borrowers with an open loan that a reminder may be about on a day: an instalment that is due on one of these days from
 * its due date, or whose oldest unpaid one was. Only those who can be reached through one of these channels and want it.
 */
export async function readAccountsToRemind(
  reader: Reader,
  {
    day,
    offsets,
    channels,
  }: { day: ManilaDate; offsets: readonly number[]; channels: readonly MessageChannel[] },
): Promise<number[]> {
  const days = (which: (offset: number) => boolean) =>
    listOf(
      offsets.filter(which).map((offset) => addDays(day, -offset)),
      'date',
    );
  const { rows } = await reader.execute<{ id: number }>(sql`
    select accounts.id::float8 as id from ${accounts}
     where accounts.deleted_at is null and not is_admin and wants_reminders
       and (${channels.includes('sms')}::boolean and phone_confirmed_at is not null
            or ${channels.includes('email')}::boolean and email_confirmed_at is not null)
       and accounts.id in (
         select account_id from ${loanPositions} p join ${loans} l on l.id = p.loan_id
          where p.state = 'open' and l.deleted_at is null and p.oldest_due_on = any(${days((one) => one > 0)})
         union
         select account_id from ${instalments} i join ${loanPositions} p on p.loan_id = i.loan_id join ${loans} l on l.id = i.loan_id
          where i.left_centavos > 0 and i.due_date = any(${days((one) => one <= 0)})
            and p.state = 'open' and l.deleted_at is null)
     order by accounts.id`);
  return rows.map(({ id }) => id);
}

/** All released loans of these borrowers that are not deleted, with their states. */
export const readLoansToRemind = (reader: Reader, accountIds: readonly number[]) =>
  reader
    .select({ loan: loans, state: loanPositions.state })
    .from(loans)
    .innerJoin(loanPositions, eq(loanPositions.loanId, loans.id))
    .where(and(inArray(loans.accountId, [...accountIds]), isNull(loans.deletedAt)))
    .orderBy(asc(loans.id));

/** Reads the instalments that are not paid yet, the oldest first. */
export const readUnpaidInstalments = (reader: Reader, loanIds: readonly number[]) =>
  reader
    .select({
      loanId: instalments.loanId,
      number: instalments.number,
      dueDate: instalments.dueDate,
      left: instalments.leftCentavos,
    })
    .from(instalments)
    .where(and(inArray(instalments.loanId, [...loanIds]), gt(instalments.leftCentavos, 0 as never)))
    .orderBy(asc(instalments.loanId), asc(instalments.number));

/** Loans with a payment that the borrower reported and nobody has decided. */
export const readLoansWithOwnPayment = async (
  reader: Reader,
  loanIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    (
      await reader
        .selectDistinct({ loanId: payments.loanId })
        .from(payments)
        .where(
          and(
            inArray(payments.loanId, [...loanIds]),
            eq(payments.status, 'submitted'),
            eq(payments.recordedBy, payments.accountId),
          ),
        )
    ).map(({ loanId }) => loanId),
  );
