import { addDays, type ManilaDate, manilaDate } from './calendar.ts';
import { limits } from './limits.ts';

export const complaintCategories = ['collection', 'amount', 'service', 'privacy', 'other'] as const;

export type ComplaintCategory = (typeof complaintCategories)[number];

export const complaintStatuses = ['open', 'acknowledged', 'resolved'] as const;

export type ComplaintStatus = (typeof complaintStatuses)[number];

/** Complaints about these keep collectors silent at first. */
export const silencingCategories = ['collection', 'amount'] as const satisfies readonly ComplaintCategory[];

/**
 * By when a complaint has to be acknowledged and resolved: two and thirty days (RA 11765, SEC MC 5 s. 2023). `dueOn` is the next
 * of the two that is open, null once it is resolved.
 */
export function complaintClock(
  { status, createdAt }: { status: ComplaintStatus; createdAt: Date },
  today: ManilaDate,
) {
  const since = manilaDate(createdAt);
  const acknowledgeBy = addDays(since, limits.complaintAcknowledgedWithinDays);
  const resolveBy = addDays(since, limits.complaintResolvedWithinDays);
  const dueOn = status === 'resolved' ? null : status === 'open' ? acknowledgeBy : resolveBy;
  return { acknowledgeBy, resolveBy, dueOn, isOverdue: dueOn !== null && dueOn < today };
}
