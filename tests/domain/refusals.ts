import type { ServicingTerms } from '#domain/amortisation.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import * as rules from '#domain/event-refusal.ts';
import { foldEvents, type LoanEvent } from '#domain/servicing.ts';

/** Why an event is refused after these. */
export const refusalOf = (
  terms: ServicingTerms,
  events: readonly LoanEvent[],
  event: LoanEvent,
  recordedOn: ManilaDate,
) => rules.refusalOf(foldEvents(terms, events), events, event, recordedOn);

/** The refund that the last of these events requires. */
export function refundOf(terms: ServicingTerms, events: readonly LoanEvent[], cause: LoanEvent) {
  const earlier = events.filter(({ sequence }) => sequence < cause.sequence);
  return rules.refundOf(foldEvents(terms, earlier), foldEvents(terms, events), events, cause);
}
