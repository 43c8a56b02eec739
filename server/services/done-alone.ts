import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, sum } from '#domain/money.ts';
import { reversedAmong } from '#domain/servicing.ts';
import { lockWithStaff } from '#server/store/account-store.ts';
import { type LoanEventRow, readDoneAlone } from '#server/store/loan-event-store.ts';
import type { Effect } from './loan-event-trial.ts';
import type { LoanContext } from './serviced-loan.ts';

/** The steps that this person took alone on the loan today, without those that were reversed. */
export function aloneToday({ deps, actor, serviced: { loan, eventRows, events } }: LoanContext) {
  const today = manilaDate(deps.clock.now());
  const undone = reversedAmong(events);
  return eventRows.filter(({ sequence, actorId, approverId, createdAt }) => {
    // A borrower's own payment has the one person who confirmed it as its second.
    const isTheirs =
      actorId === loan.accountId ? approverId === actor.id : actorId === actor.id && !approverId;
    return isTheirs && manilaDate(createdAt) === today && !undone.has(sequence);
  });
}

/**
 * True if this receipt, with the employee's others on the loan today, exceeds the limits of one person, which are for a
 * whole day. `addsUpWith` selects the others that its amount is added to.
 */
export function exceedsLoanLimitAlone(
  work: LoanContext,
  amountCentavos: Centavos,
  { before, after }: Effect,
  addsUpWith: (receipt: LoanEventRow) => boolean,
): boolean {
  // A payment of an earlier day changes the allocation of later ones, so all the credit that it causes
  // counts.
  const credit = after.credited - before.credited;
  const isSettled = after.settledOn !== undefined && before.settledOn === undefined;
  const own = aloneToday(work);
  const receipts = own.filter(({ kind }) => kind === 'receipt');
  const amountOf = (rows: readonly LoanEventRow[]) => sum(rows.map((row) => row.amountCentavos ?? 0));
  const credited = sum(
    after.receipts
      .filter(({ ofEvent }) => receipts.some(({ sequence }) => sequence === ofEvent))
      .map((receipt) => receipt.credit),
  );
  const refunded = amountOf(own.filter(({ kind, isAuto }) => kind === 'refund' && isAuto));
  // The same credit may show as credited and as refunded: the larger of the two counts, not their sum.
  const earlierCredit = Math.max(credited, refunded);
  return (
    // A settlement gives a rebate, so it always takes two.
    isSettled ||
    amountCentavos + amountOf(receipts.filter(addsUpWith)) > limits.cashAloneMaxCentavos ||
    (credit > 0 && credit + earlierCredit > limits.creditAloneMaxCentavos)
  );
}

/**
 * True if this amount takes one person above what they may take in today without a second one, over all loans (§one-day).
 * A lock on the person makes simultaneous payments wait for each other.
 */
export async function exceedsDayLimitAlone(
  { deps, reader, tx, actor, serviced: { loan } }: LoanContext,
  what: 'cash' | 'confirmed',
  amountCentavos: number,
): Promise<boolean> {
  // A preview takes no lock.
  if (tx) await lockWithStaff(tx, loan.accountId, [actor.id]);
  const [done] = await readDoneAlone(reader, manilaDate(deps.clock.now()), actor.id);
  const { cash = 0, confirmed = 0, waived = 0 } = done ?? {};
  return what === 'cash'
    ? cash + amountCentavos > limits.cashAloneADayMaxCentavos
    : confirmed + waived + amountCentavos > limits.confirmedAloneADayMaxCentavos;
}
