import type { LoanAccount } from '#contract/servicing.ts';
import type { Centavos } from '#domain/money.ts';
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
