import type { ServicingTerms } from './amortisation.ts';
import { addDays, type ManilaDate, monthsBetween } from './calendar.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';

/** How an instalment runs late. Sums are centavos unpaid times the part of a month that they were, not yet rounded. */
export type Lateness = {
  graceEnd: ManilaDate;
  /** What counts for good: before the last deferral, or once the instalment is paid. */
  fixed: bigint;
  /** Since the due date; counts only beyond the grace days. */
  running: bigint;
  /** Up to where `running` is added up, in parts of a month from the due date. */
  countedTo: number;
  isStopped: boolean;
};

/** Days of months of 28, 29, 30 and 31 days are all whole numbers of such parts. */
const PARTS_OF_MONTH = 377_580;

const WHOLE_RATE = 10_000;

export function latenessFrom(terms: ServicingTerms, dueDate: ManilaDate, fixed = 0n): Lateness {
  return {
    graceEnd: addDays(dueDate, terms.graceDays),
    fixed,
    running: 0n,
    countedTo: 0,
    isStopped: false,
  };
}

/** Counts what was unpaid up to a day, on which it changes. */
export function countUnpaid(
  lateness: Lateness,
  dueDate: ManilaDate,
  date: ManilaDate,
  unpaid: Centavos,
): void {
  if (lateness.isStopped || date <= dueDate) return;
  const until = partsOfMonth(dueDate, date);
  lateness.running += BigInt(unpaid) * BigInt(until - lateness.countedTo);
  lateness.countedTo = until;
}

/** The unrounded sum on a day, with what is unpaid since the last change. */
export function lateSum(lateness: Lateness, dueDate: ManilaDate, date: ManilaDate, unpaid: Centavos): bigint {
  if (lateness.isStopped || date <= lateness.graceEnd) return lateness.fixed;
  const sinceChange = BigInt(unpaid) * BigInt(partsOfMonth(dueDate, date) - lateness.countedTo);
  return lateness.fixed + lateness.running + sinceChange;
}

/** Ends the late charge of an instalment as it stands on a day: paid, settled or written off. */
export function stopLateness(
  lateness: Lateness,
  dueDate: ManilaDate,
  date: ManilaDate,
  unpaid: Centavos,
): void {
  lateness.fixed = lateSum(lateness, dueDate, date, unpaid);
  lateness.isStopped = true;
}

/** The charge that a sum comes to, capped and rounded once. */
export function chargeOf(terms: ServicingTerms, sum: bigint): Centavos {
  if (sum === 0n) return centavos(0);
  const charge = sum * BigInt(terms.lateChargeRate);
  const cap = BigInt(terms.monthlyPaymentCentavos) * BigInt(terms.lateChargeCap) * BigInt(PARTS_OF_MONTH);
  return centavos(
    Number(roundHalfUpDivide(charge < cap ? charge : cap, BigInt(WHOLE_RATE * PARTS_OF_MONTH))),
  );
}

function partsOfMonth(from: ManilaDate, to: ManilaDate): number {
  const { months, days, monthDays } = monthsBetween(from, to);
  return months * PARTS_OF_MONTH + days * (PARTS_OF_MONTH / monthDays);
}
