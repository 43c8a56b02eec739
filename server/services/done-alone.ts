import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { reversedAmong } from '#domain/servicing.ts';
import { lockWithStaff } from '#server/store/account-store.ts';
import { readDoneAlone } from '#server/store/loan-event-store.ts';
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
 * True if this amount takes one person above what they may take in today without a second one, over all loans (§one-day).
 * A lock on the person makes simultaneous payments wait for each other.
 */
export async function exceedsDayLimitAlone(
  { deps, reader, tx, actor, serviced: { loan } }: LoanContext,
  what: 'cash' | 'confirmed',
  amountCentavos: number,
): Promise<boolean> {
  if (tx) await lockWithStaff(tx, loan.accountId, [actor.id]);
  const [done] = await readDoneAlone(reader, manilaDate(deps.clock.now()), actor.id);
  const { cash = 0, confirmed = 0, waived = 0 } = done ?? {};
  return what === 'cash'
    ? cash + amountCentavos > limits.cashAloneADayMaxCentavos
    : confirmed + waived + amountCentavos > limits.confirmedAloneADayMaxCentavos;
}
