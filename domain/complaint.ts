import { addDays, type ManilaDate, manilaDate } from './calendar.ts';
import { limits } from './limits.ts';

export const complaintCategories = ['collection', 'amount', 'service', 'privacy', 'other'] as const;

export type ComplaintCategory = (typeof complaintCategories)[number];

/** `withdrawn`: its borrower took it back. */
export const complaintStatuses = ['open', 'acknowledged', 'resolved', 'withdrawn'] as const;

export type ComplaintStatus = (typeof complaintStatuses)[number];

/** Nobody acts on these any more. */
export const finalComplaintStatuses = ['resolved', 'withdrawn'] as const satisfies readonly ComplaintStatus[];

export const isFinalComplaint = (status: ComplaintStatus): boolean =>
  (finalComplaintStatuses as readonly ComplaintStatus[]).includes(status);

/** Complaints about these keep collectors silent at first. */
export const silencingCategories = ['collection', 'amount'] as const satisfies readonly ComplaintCategory[];

/**
 * The days, past and coming, on which nobody tries to collect from a borrower: the first thirty of each complaint, whatever
 * became of it, but no more than thirty in any ninety. A complaint that was taken back silences no day from then on; the days
 * that it did silence stay spent, so that a new complaint every month gains nothing.
 */
export function silentDays(
  complaints: readonly { createdAt: Date; withdrawnAt: Date | null }[],
): ReadonlySet<ManilaDate> {
  const covered = new Map<ManilaDate, boolean>();
  for (const { createdAt, withdrawnAt } of complaints) {
    const since = manilaDate(createdAt);
    const end = addDays(since, limits.complaintSilenceDays - 1);
    const withdrawnOn = withdrawnAt ? manilaDate(withdrawnAt) : end;
    for (let day = since; day <= end && day <= withdrawnOn; day = addDays(day, 1))
      covered.set(day, covered.get(day) || !withdrawnAt);
  }
  const spent: ManilaDate[] = [];
  const silent = new Set<ManilaDate>();
  for (const day of [...covered.keys()].toSorted()) {
    const from = addDays(day, 1 - limits.complaintSilenceWindowDays);
    const recent = spent.slice(-limits.complaintSilenceDays).filter((one) => one >= from);
    if (recent.length >= limits.complaintSilenceDays) continue;
    spent.push(day);
    if (covered.get(day)) silent.add(day);
  }
  return silent;
}

/**
 * Returns the days by which a complaint has to be acknowledged and resolved: two and thirty days after it (RA
 * 11765, SEC MC 5 s. 2023). `dueOn` is the next of the two that is open, null once nothing is left to do.
 */
export function complaintClock(
  { status, createdAt }: { status: ComplaintStatus; createdAt: Date },
  today: ManilaDate,
) {
  const since = manilaDate(createdAt);
  const acknowledgeBy = addDays(since, limits.complaintAcknowledgedWithinDays);
  const resolveBy = addDays(since, limits.complaintResolvedWithinDays);
  const dueOn = isFinalComplaint(status) ? null : status === 'open' ? acknowledgeBy : resolveBy;
  return { acknowledgeBy, resolveBy, dueOn, isOverdue: dueOn !== null && dueOn < today };
}
