import type { ServicingTerms } from './amortisation.ts';
import type { ManilaDate } from './calendar.ts';
import { limits } from './limits.ts';
import { type Centavos, centavos } from './money.ts';
import {
  deferredDueDate,
  eventsThatCount,
  foldEvents,
  isClosed,
  type LoanEvent,
  type LoanFold,
  lateChargesOwed,
  position,
} from './servicing.ts';

/** Why an event cannot be recorded on a loan as it stands. */
export type EventRefusal = NonNullable<ReturnType<typeof refusalOf>>;

/**
 * Why a new event is refused, by what only the loan's terms and events say; undefined when it may be recorded. Events are
 * judged on their value date and, where it matters, by all that is known since.
 */
export function refusalOf(terms: ServicingTerms, events: readonly LoanEvent[], event: LoanEvent) {
  const isOut =
    eventsThatCount(events).findLast(({ kind }) => kind === 'disbursement' || kind === 'cancellation')
      ?.kind === 'disbursement';
  if (event.kind === 'disbursement') return isOut ? 'already_disbursed' : undefined;
  if (!isOut) return 'not_disbursed';
  if (event.date < terms.startDate) return 'before_disbursement';
  switch (event.kind) {
    case 'receipt':
      return undefined;
    case 'reversal':
      return reversalRefusal(events, event.reverses);
    case 'refund':
      return event.amountCentavos > creditOn(terms, events, event.date) ? 'above_credit' : undefined;
    default:
  }
  const now = foldEvents(terms, events);
  if (isClosed(now, event.date)) return 'loan_closed';
  const then = foldEvents(terms, events, event.date);
  switch (event.kind) {
    case 'cancellation':
      return isInWallet(events) ? undefined : 'not_in_wallet';
    case 'waiver':
      return event.amountCentavos > lateChargesOwed(then, event.date) ? 'above_late_charges_owed' : undefined;
    case 'deferral':
      return deferralRefusal(now, then, event);
    case 'write_off':
      return now.writtenOff ? 'already_written_off' : undefined;
  }
}

/**
 * The refund that a receipt just recorded calls for: what it left over beyond what was refunded before, on the first day
 * from its own on which that is there. Undefined when nothing is over. `after` is the fold of the same events.
 */
export function refundOf(
  terms: ServicingTerms,
  events: readonly LoanEvent[],
  receipt: LoanEvent,
  after: LoanFold = foldEvents(terms, events),
): { date: ManilaDate; amount: Centavos } | undefined {
  if (after.credited === 0) return undefined;
  const before = foldEvents(
    terms,
    events.filter(({ sequence }) => sequence < receipt.sequence),
  );
  const amount = centavos(
    Math.max(0, Math.min(after.credited - before.credited, after.credited - after.refunded)),
  );
  if (amount === 0) return undefined;
  const days = after.receipts.map(({ date }) => date).filter((date) => date >= receipt.date);
  const date = days.find((day) => position(terms, events, day).account.credit >= amount);
  return { date: date ?? receipt.date, amount };
}

function deferralRefusal(now: LoanFold, then: LoanFold, { date, months }: LoanEvent & { kind: 'deferral' }) {
  const oldest = then.rows.find(({ left }) => left > 0);
  const isPossible =
    Number.isInteger(months) &&
    months >= 1 &&
    months <= limits.deferralMaxMonths &&
    now.deferrals < limits.deferralsMax &&
    oldest !== undefined &&
    deferredDueDate(then, oldest.number, months) >= date;
  return isPossible ? undefined : 'deferral_not_possible';
}

function reversalRefusal(events: readonly LoanEvent[], sequence: number) {
  const reversed = events.find((event) => event.sequence === sequence);
  if (!reversed) return 'no_such_event';
  if (!['receipt', 'waiver', 'deferral', 'write_off'].includes(reversed.kind)) return 'not_reversible';
  const isReversed = events.some((event) => event.kind === 'reversal' && event.reverses === sequence);
  return isReversed ? 'already_reversed' : undefined;
}

/** Credit that is there on a day and has not been given out since. */
function creditOn(terms: ServicingTerms, events: readonly LoanEvent[], date: ManilaDate): number {
  const then = foldEvents(terms, events, date);
  const now = foldEvents(terms, events);
  return Math.min(then.credited - then.refunded, now.credited - now.refunded);
}

function isInWallet(events: readonly LoanEvent[]): boolean {
  const released = events.findLast(({ kind }) => kind === 'disbursement');
  return released?.kind === 'disbursement' && released.channel === 'wallet';
}
