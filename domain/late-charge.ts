import type { ServicingTerms } from './amortisation.ts';
import { addDays, type ManilaDate, monthsBetween } from './calendar.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';

export type Lateness = {
  dueDate: ManilaDate;
  graceEnd: ManilaDate;
  /** Final: before the last deferral, or once the instalment is paid. */
  fixed: readonly UnpaidSpan[];
  /** From the due date to the last change; charged only if the grace days have passed. */
  running: UnpaidSpan[];
  isStopped: boolean;
};

/**
 * The amount of an instalment that was unpaid between two changes. `sum`: these centavos times the part of a month, not
 * yet rounded.
 */
export type UnpaidSpan = {
  dueDate: ManilaDate;
  from: ManilaDate;
  to: ManilaDate;
  unpaid: Centavos;
  sum: bigint;
};

/** A common multiple: days of months of 28, 29, 30 and 31 days are whole numbers of these parts. */
const PARTS_OF_MONTH = 377_580;

const WHOLE_RATE = 10_000;

export function latenessFrom(
  terms: ServicingTerms,
  dueDate: ManilaDate,
  fixed: readonly UnpaidSpan[] = [],
): Lateness {
  return { dueDate, graceEnd: addDays(dueDate, terms.graceDays), fixed, running: [], isStopped: false };
}

export function countUnpaid(lateness: Lateness, date: ManilaDate, unpaid: Centavos): void {
  if (lateness.isStopped || date <= lateness.dueDate) return;
  lateness.running.push(nextSpan(lateness, date, unpaid));
}

/** The periods that make up the late charge on a day, oldest first. `unpaid` is what is left since the last change. */
export function lateSpans(lateness: Lateness, date: ManilaDate, unpaid: Centavos): readonly UnpaidSpan[] {
  const { graceEnd, fixed, running, isStopped } = lateness;
  if (isStopped || date <= graceEnd) return fixed;
  return [...fixed, ...running, nextSpan(lateness, date, unpaid)].filter(({ sum }) => sum > 0n);
}

function nextSpan({ dueDate, running }: Lateness, to: ManilaDate, unpaid: Centavos): UnpaidSpan {
  const from = running.at(-1)?.to ?? dueDate;
  const parts = partsOfMonth(dueDate, to) - partsOfMonth(dueDate, from);
  return { dueDate, from, to, unpaid, sum: BigInt(unpaid) * BigInt(parts) };
}

/** Fixes the late charge of an instalment on the day it is paid, settled or written off. */
export function stopLateness(lateness: Lateness, date: ManilaDate, unpaid: Centavos): void {
  lateness.fixed = lateSpans(lateness, date, unpaid);
  lateness.isStopped = true;
}

/** The charge for periods, capped and rounded once, so it can differ from the sum of single charges. */
export function chargeOf(terms: ServicingTerms, spans: readonly UnpaidSpan[]): Centavos {
  const sum = spans.reduce((total, span) => total + span.sum, 0n);
  if (sum === 0n) return centavos(0);
  const charge = sum * BigInt(terms.lateChargeRate);
  const cap = BigInt(terms.monthlyPaymentCentavos) * BigInt(terms.lateChargeCap) * BigInt(PARTS_OF_MONTH);
  return centavos(
    Number(roundHalfUpDivide(charge < cap ? charge : cap, BigInt(WHOLE_RATE * PARTS_OF_MONTH))),
  );
}

export function lateChargeCap({ monthlyPaymentCentavos, lateChargeCap: cap }: ServicingTerms): Centavos {
  const most = BigInt(monthlyPaymentCentavos) * BigInt(cap);
  return centavos(Number(roundHalfUpDivide(most, BigInt(WHOLE_RATE))));
}

function partsOfMonth(from: ManilaDate, to: ManilaDate): number {
  if (from === to) return 0;
  const { months, days, monthDays } = monthsBetween(from, to);
  return months * PARTS_OF_MONTH + days * (PARTS_OF_MONTH / monthDays);
}
