import { addMonths, type ManilaDate, monthsBetween } from './calendar.ts';
import { limits } from './limits.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';
import type { BasisPoints } from './rates.ts';

/** The agreed cost of a loan and how it is serviced, frozen on the day of disbursement. */
export type ServicingTerms = {
  amountCentavos: Centavos;
  termMonths: number;
  monthlyPaymentCentavos: Centavos;
  /** Percent a month with six decimals, as agreed: "3.666672". */
  effectiveMonthlyRate: string;
  /** Due dates count from this day, the day of disbursement. */
  startDate: ManilaDate;
  /** Per month, on the unpaid part of an overdue instalment. */
  lateChargeRate: BasisPoints;
  graceDays: number;
  /** The maximum late charge of one instalment, as a share of it. */
  lateChargeCap: BasisPoints;
  coolingOffDays: number;
};

export type Amortisation = ReturnType<typeof amortise>;

type Fraction = { numerator: bigint; denominator: bigint };

/** A percentage with six decimals as a fraction: 1 is 100 %. */
const RATE_UNIT = 100_000_000n;

/**
 * The instalments of a loan, each split into interest and principal so that they add up to exactly the cost and the
 * amount, and the present value in centavos of those still to come on each monthly day from the start.
 */
export function amortise(terms: ServicingTerms) {
  const { amountCentavos, monthlyPaymentCentavos, termMonths, startDate } = terms;
  const { firstInstalmentAfterMonths } = limits;
  const growth = RATE_UNIT + rateOf(terms);
  const instalment = BigInt(monthlyPaymentCentavos);
  const lastMonth = firstInstalmentAfterMonths + termMonths - 1;
  const valueOfLater: Fraction[] = [];
  let later: Fraction = { numerator: 0n, denominator: 1n };
  for (let month = lastMonth; month >= 0; month -= 1) {
    valueOfLater.unshift(later);
    const due = month >= firstInstalmentAfterMonths ? instalment : 0n;
    const worth = later.numerator + due * later.denominator;
    // Instalments of zero are worth zero, even at a rate of −100 %.
    if (worth === 0n) continue;
    later = { numerator: worth * RATE_UNIT, denominator: later.denominator * growth };
  }
  let principalLeft = BigInt(amountCentavos);
  const rows = valueOfLater.slice(firstInstalmentAfterMonths).map((value, index) => {
    const balance = roundHalfUpDivide(value.numerator, value.denominator);
    const leftAfter = balance < principalLeft ? balance : principalLeft;
    const principal = principalLeft - leftAfter;
    principalLeft = leftAfter;
    return {
      dueDate: addMonths(startDate, firstInstalmentAfterMonths + index),
      interest: centavos(Number(instalment - principal)),
      principal: centavos(Number(principal)),
    };
  });
  return { rows, valueOfLater };
}

/**
 * The present value on a day of the instalments agreed to be due later: discounted by compound interest to the next
 * monthly day, and from there by simple interest over the days of that month.
 */
export function presentValueOfLater(terms: ServicingTerms, plan: Amortisation, date: ManilaDate): Centavos {
  const { months, days, monthDays } = monthsBetween(terms.startDate, date);
  if (days === 0) {
    const later = plan.valueOfLater[months];
    return later ? centavos(Number(roundHalfUpDivide(later.numerator, later.denominator))) : centavos(0);
  }
  const nextMonth = months + 1;
  const afterNext = plan.valueOfLater[nextMonth];
  if (!afterNext) return centavos(0);
  const dueThen = nextMonth >= limits.firstInstalmentAfterMonths ? BigInt(terms.monthlyPaymentCentavos) : 0n;
  const length = BigInt(monthDays);
  const simpleGrowth = RATE_UNIT * length + rateOf(terms) * BigInt(monthDays - days);
  const value = roundHalfUpDivide(
    (afterNext.numerator + dueThen * afterNext.denominator) * RATE_UNIT * length,
    afterNext.denominator * simpleGrowth,
  );
  return centavos(Number(value));
}

function rateOf({ effectiveMonthlyRate }: ServicingTerms): bigint {
  if (!/^-?\d+\.\d{6}$/.test(effectiveMonthlyRate)) {
    throw new RangeError(`Not a percentage with six decimals: ${effectiveMonthlyRate}`);
  }
  return BigInt(effectiveMonthlyRate.replace('.', ''));
}
