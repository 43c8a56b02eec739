import type { ServicingTerms } from './amortisation.ts';
import { addDays, type ManilaDate, monthsBetween } from './calendar.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';

/** How an instalment runs late. Sums are centavos unpaid times the part of a month that they were, not yet rounded. */
export type Lateness = {
  dueDate: ManilaDate;
  graceEnd: ManilaDate;
  /** What counts for good: before the last deferral, or once the instalment is paid. */
  fixed: bigint;
  /** Since the due date; counts only beyond the grace days. */
  running: bigint;
  /** Up to where `running` is added up, in parts of a month from the due date. */
  countedTo: number;
  isStopped: boolean;
  /** The days behind `fixed` and behind `running`, to explain the charge line by line. */
  fixedSpans: UnpaidSpan[];
  runningSpans: UnpaidSpan[];
};

/** How much of an instalment was unpaid from one day to the next change. */
export type UnpaidSpan = { dueDate: ManilaDate; from: ManilaDate; to: ManilaDate; unpaid: Centavos };

/** Days of months of 28, 29, 30 and 31 days are all whole numbers of such parts. */
const PARTS_OF_MONTH = 377_580;

const WHOLE_RATE = 10_000;

export function latenessFrom(
  terms: ServicingTerms,
  dueDate: ManilaDate,
  fixed = 0n,
  fixedSpans: UnpaidSpan[] = [],
): Lateness {
  return {
    dueDate,
    graceEnd: addDays(dueDate, terms.graceDays),
    fixed,
    running: 0n,
    countedTo: 0,
    isStopped: false,
    fixedSpans,
    runningSpans: [],
  };
}

/** Counts what was unpaid up to a day, on which it changes. */
export function countUnpaid(lateness: Lateness, date: ManilaDate, unpaid: Centavos): void {
  if (lateness.isStopped || date <= lateness.dueDate) return;
  const until = partsOfMonth(lateness.dueDate, date);
  lateness.running += BigInt(unpaid) * BigInt(until - lateness.countedTo);
  lateness.countedTo = until;
  lateness.runningSpans.push(nextSpan(lateness, date, unpaid));
}

/** The unrounded sum on a day, with what is unpaid since the last change. */
export function lateSum(lateness: Lateness, date: ManilaDate, unpaid: Centavos): bigint {
  const { dueDate, graceEnd, fixed, running, countedTo, isStopped } = lateness;
  if (isStopped || date <= graceEnd) return fixed;
  return fixed + running + BigInt(unpaid) * BigInt(partsOfMonth(dueDate, date) - countedTo);
}

/** The days that the sum on a day is made of, oldest first. */
export function lateSpans(lateness: Lateness, date: ManilaDate, unpaid: Centavos): UnpaidSpan[] {
  const { fixedSpans, runningSpans } = lateness;
  if (lateness.isStopped || date <= lateness.graceEnd) return fixedSpans;
  return [...fixedSpans, ...runningSpans, nextSpan(lateness, date, unpaid)].filter(
    (span) => span.unpaid > 0 && span.from < span.to,
  );
}

function nextSpan({ dueDate, runningSpans }: Lateness, to: ManilaDate, unpaid: Centavos): UnpaidSpan {
  return { dueDate, from: runningSpans.at(-1)?.to ?? dueDate, to, unpaid };
}

/** What a stretch alone comes to; the charge itself is rounded and capped once, on the sum. */
export function chargeOfSpan(terms: ServicingTerms, { dueDate, from, to, unpaid }: UnpaidSpan): Centavos {
  const parts = partsOfMonth(dueDate, to) - partsOfMonth(dueDate, from);
  return chargeOf(terms, BigInt(unpaid) * BigInt(parts));
}

/** Ends the late charge of an instalment as it stands on a day: paid, settled or written off. */
export function stopLateness(lateness: Lateness, date: ManilaDate, unpaid: Centavos): void {
  lateness.fixed = lateSum(lateness, date, unpaid);
  lateness.fixedSpans = lateSpans(lateness, date, unpaid);
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

/** The most that an instalment's charge can come to. */
export function lateChargeCap({ monthlyPaymentCentavos, lateChargeCap: cap }: ServicingTerms): Centavos {
  const most = BigInt(monthlyPaymentCentavos) * BigInt(cap);
  return centavos(Number(roundHalfUpDivide(most, BigInt(WHOLE_RATE))));
}

function partsOfMonth(from: ManilaDate, to: ManilaDate): number {
  const { months, days, monthDays } = monthsBetween(from, to);
  return months * PARTS_OF_MONTH + days * (PARTS_OF_MONTH / monthDays);
}
