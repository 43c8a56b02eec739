import type { LoanAccount } from '#contract/servicing.ts';
import { type MatTile, withNext } from '#domain/mat.ts';
import type { Centavos } from '#domain/money.ts';
import { sentOf } from './loan-standing.ts';
import { amountOf, sumOf } from './pesos.ts';

// These facts are in the loan's account only. Home makes do with the account's summary in the loan.

/** Everything that is left to pay: instalments, late charges, and what was refunded and is to come back. */
export function leftToPayOf({ account }: Pick<LoanAccount, 'account'>): Centavos {
  const { principalLeft, interestLeft, lateChargesOwed, refundToReturn } = account;
  return sumOf([principalLeft, interestLeft, lateChargesOwed, refundToReturn]);
}

/**
 * True if the late charge of an instalment still grows. An instalment moved to a later day is no longer late,
 * and its charge stays as it is.
 */
export const isChargeGrowing = (
  { account, asOf, instalments }: LoanAccount,
  { number, charge, cap }: LoanAccount['lateCharges'][number],
): boolean =>
  account.state !== 'written_off' &&
  charge !== cap &&
  instalments.some((row) => row.number === number && amountOf(row.left) > 0 && row.dueDate < asOf);

/**
 * Draws a loan's mat. Payments that wait for confirmation are on the tiles that they would reach: what is due first, then
 * late charges, then later instalments.
 */
export function accountMatOf({ account, asOf, instalments, submitted }: LoanAccount): MatTile[] {
  let sent: number = sentOf({ submitted });
  let extras = amountOf(account.lateChargesOwed) + amountOf(account.refundToReturn);
  return withNext(
    instalments.map(({ dueDate, left, status }) => {
      if (amountOf(left) === 0) return 'paid';
      if (dueDate > asOf) {
        sent -= extras;
        extras = 0;
      }
      const isReached = sent > 0;
      sent -= amountOf(left);
      return isReached ? 'sent' : status === 'overdue' ? 'late' : 'bare';
    }),
  );
}

/**
 * Returns the number of months by which unpaid instalments were moved in all since
 * the loan was last released.
 */
export const deferredMonthsOf = ({ events }: Pick<LoanAccount, 'events'>): number =>
  events
    .slice(events.findLastIndex(({ kind }) => kind === 'disbursement') + 1)
    .reduce(
      (sum, { kind, isReversed, months }) =>
        sum + (kind === 'deferral' && !isReversed && months !== null ? months : 0),
      0,
    );
