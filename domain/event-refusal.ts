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
  refundToReturn,
} from './servicing.ts';

export type EventRefusal = NonNullable<ReturnType<typeof refusalOf>>;

/**
 * Why a new event is refused, as far as the loan's terms and events tell; undefined if it may be recorded. Events are
 * judged on their value date and, where it matters, by everything recorded since; a deferral also on the day it is
 * recorded. `now` is the fold of `events`.
 */
export function refusalOf(
  now: LoanFold,
  events: readonly LoanEvent[],
  event: LoanEvent,
  recordedOn: ManilaDate,
) {
  const { terms } = now;
  const last = eventsThatCount(events).findLast(
    ({ kind }) => kind === 'disbursement' || kind === 'cancellation',
  );
  if (event.kind === 'disbursement') {
    if (last?.kind === 'disbursement') return 'already_disbursed';
    return terms.monthlyPaymentCentavos === 0 ? 'no_instalment' : undefined;
  }
  if (last?.kind !== 'disbursement') return 'not_disbursed';
  if (event.date < terms.startDate) return 'before_disbursement';
  switch (event.kind) {
    case 'receipt':
      return undefined;
    case 'reversal':
      return reversalRefusal(events, event.reverses);
    case 'refund':
      return event.amountCentavos > creditFrom(now, events, event.date) ? 'above_credit' : undefined;
    case 'waiver': {
      const owed = lateChargesOwed(foldEvents(terms, events, event.date), event.date);
      return event.amountCentavos > owed ? 'above_late_charges_owed' : undefined;
    }
    default:
  }
  if (isClosed(now, event.date)) return 'loan_closed';
  switch (event.kind) {
    case 'cancellation':
      if (refundToReturn(now) > 0) return 'refund_to_return';
      return last.channel === 'wallet' ? undefined : 'not_in_wallet';
    case 'deferral':
      return now.writtenOff
        ? 'loan_closed'
        : deferralRefusal(now, foldEvents(terms, events, event.date), event.months, recordedOn);
    case 'write_off':
      return now.writtenOff ? 'already_written_off' : undefined;
    default:
      return event satisfies never;
  }
}

/**
 * The refund that a newly recorded event requires, by the folds before and after it. Amount: new credit that no refund
 * has paid out yet. Date: the first day, from the event's own day on, on which paying it out leaves nothing to be
 * returned later. Undefined if the event made no credit.
 */
export function refundOf(
  before: LoanFold,
  after: LoanFold,
  events: readonly LoanEvent[],
  cause: LoanEvent,
): { date: ManilaDate; amount: Centavos } | undefined {
  if (after.credited <= after.refunded) return undefined;
  const amount = centavos(Math.min(after.credited - before.credited, after.credited - after.refunded));
  if (amount <= 0) return undefined;
  const steps = creditSteps(events, after);
  const first = steps[steps.findLastIndex(({ credit }) => credit < amount) + 1];
  return { date: first && first.date > cause.date ? first.date : cause.date, amount };
}

/** The credit left after each event that adds or refunds some; negative while a refund is to be returned. */
function creditSteps(events: readonly LoanEvent[], { receipts }: LoanFold) {
  const creditBy = new Map(receipts.map(({ ofEvent, credit }) => [ofEvent, credit]));
  let credit = 0;
  return eventsThatCount(events).flatMap((event) => {
    credit += event.kind === 'refund' ? -event.amountCentavos : (creditBy.get(event.sequence) ?? 0);
    return event.kind === 'refund' || event.kind === 'receipt' ? [{ date: event.date, credit }] : [];
  });
}

/** The credit that is left at the end of a day and of every later one. */
function creditFrom(now: LoanFold, events: readonly LoanEvent[], date: ManilaDate): number {
  const steps = creditSteps(events, now);
  const onTheDay = steps.findLast((step) => step.date <= date)?.credit ?? 0;
  return Math.min(onTheDay, ...steps.filter((step) => step.date > date).map(({ credit }) => credit));
}

function deferralRefusal(now: LoanFold, then: LoanFold, months: number, recordedOn: ManilaDate) {
  const oldest = then.rows.find(({ left }) => left > 0);
  const isPossible =
    Number.isInteger(months) &&
    months >= 1 &&
    months <= limits.deferralMaxMonths &&
    now.deferrals < limits.deferralsMax &&
    oldest !== undefined &&
    deferredDueDate(then, oldest.number, months) >= recordedOn;
  return isPossible ? undefined : 'deferral_not_possible';
}

function reversalRefusal(events: readonly LoanEvent[], sequence: number) {
  const reversed = events.find((event) => event.sequence === sequence);
  if (!reversed) return 'no_such_event';
  if (!['receipt', 'waiver', 'deferral', 'write_off'].includes(reversed.kind)) return 'not_reversible';
  const isReversed = events.some((event) => event.kind === 'reversal' && event.reverses === sequence);
  return isReversed ? 'already_reversed' : undefined;
}
