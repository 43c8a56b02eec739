import { addMonths, type ManilaDate, MONTHS_PER_YEAR } from './calendar.ts';
import { limits } from './limits.ts';
import { type LoanTerms, monthlyPayment } from './loan.ts';
import { type Centavos, centavos, sum } from './money.ts';
import { basisPoints } from './rates.ts';

export type Instalment = {
  number: number;
  dueDate: ManilaDate;
  amountCentavos: Centavos;
};

export type Quote = ReturnType<typeof quoteLoan>;

/** Good for ten decimals of a percentage; the wire carries six. */
const RATE_TOLERANCE = 1e-14;

/** Bisecting [-0.99, 1] down to the tolerance takes 48 steps; the rest is for wider brackets. */
const MAX_HALVINGS = 200;

/**
 * Cost, schedule and effective rates of a loan (§quote, §schedule). `startDate` is the day in Manila on which the loan
 * is made. All instalments are equal, and the total is their sum. `…Percent` are unrounded. `monthlyPaymentCentavos` is
 * given for a loan taken over from other books.
 */
export function quoteLoan(request: LoanTerms & { startDate: ManilaDate; monthlyPaymentCentavos?: Centavos }) {
  const { amountCentavos, monthlyRate, termMonths, startDate } = request;
  const monthlyPaymentCentavos =
    request.monthlyPaymentCentavos ?? monthlyPayment({ amountCentavos, monthlyRate, termMonths });
  const totalPaymentCentavos = centavos(monthlyPaymentCentavos * termMonths);
  const upfrontChargesCentavos = centavos(limits.loanUpfrontChargesCentavos);
  const netProceedsCentavos = centavos(amountCentavos - upfrontChargesCentavos);
  const effectiveRate = effectiveMonthlyRate({ monthlyPaymentCentavos, netProceedsCentavos, termMonths });
  const { firstInstalmentAfterMonths } = limits;
  return {
    amountCentavos,
    monthlyRate,
    termMonths,
    monthlyPaymentCentavos,
    totalPaymentCentavos,
    costOfCreditCentavos: centavos(totalPaymentCentavos - amountCentavos),
    upfrontChargesCentavos,
    netProceedsCentavos,
    effectiveMonthlyRatePercent: effectiveRate * 100,
    simpleAnnualRatePercent: effectiveRate * MONTHS_PER_YEAR * 100,
    effectiveAnnualRatePercent: Math.expm1(MONTHS_PER_YEAR * Math.log1p(effectiveRate)) * 100,
    firstDueDate: addMonths(startDate, firstInstalmentAfterMonths),
    lastDueDate: addMonths(startDate, firstInstalmentAfterMonths + termMonths - 1),
    schedule: instalmentSchedule({ monthlyPaymentCentavos, termMonths, startDate }),
    lateChargeRate: basisPoints(limits.lateChargeBasisPointsPerMonth),
  };
}

/**
 * One instalment a month; number k is due k+1 months after the start, clamped to the end of the month (§schedule).
 */
export function instalmentSchedule(loan: {
  monthlyPaymentCentavos: Centavos;
  termMonths: number;
  startDate: ManilaDate;
}): Instalment[] {
  return Array.from({ length: loan.termMonths }, (_, index) => ({
    number: index + 1,
    dueDate: addMonths(loan.startDate, limits.firstInstalmentAfterMonths + index),
    amountCentavos: loan.monthlyPaymentCentavos,
  }));
}

/** Counts down from the sum of all instalments, so that the last one leaves zero. */
export function leftToPay<Row>(rows: readonly Row[], amountOf: (row: Row) => Centavos) {
  const totalCentavos = sum(rows.map(amountOf));
  let left: number = totalCentavos;
  const payments = rows.map((row) => {
    left -= amountOf(row);
    return { ...row, leftCentavos: centavos(left) };
  });
  return { totalCentavos, payments };
}

/**
 * The effective interest rate per month as a fraction: the i at which the present value of the instalments equals the
 * net proceeds (Truth in Lending Act, RA 3765; §effective-rate). Negative if rounding leaves the instalments short
 * of the principal, as at a nominal rate of 0.
 *
 * Found by bisection: the present value strictly falls as i rises, so unlike Newton's method this cannot diverge, and
 * with the closed-form sum it costs some fifty cheap steps at any term.
 */
function effectiveMonthlyRate(loan: {
  monthlyPaymentCentavos: Centavos;
  netProceedsCentavos: Centavos;
  termMonths: number;
}): number {
  // A principal of a centavo or so over many months rounds to instalments of 0: everything is lost.
  if (loan.monthlyPaymentCentavos <= 0) return -1;
  const target = loan.netProceedsCentavos / loan.monthlyPaymentCentavos;
  const isTooLow = (rate: number) => annuityValue(rate, loan.termMonths) > target;
  let low = -0.99;
  let high = 1;
  for (let widening = 0; widening < MAX_HALVINGS && isTooLow(high); widening += 1) high *= 2;
  for (let halving = 0; halving < MAX_HALVINGS && high - low > RATE_TOLERANCE; halving += 1) {
    const middle = (low + high) / 2;
    if (isTooLow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The present value of `termMonths` payments of 1, the first in month 2, at the monthly rate i: the geometric sum v² +
 * v³ + … in closed form, with v = 1/(1+i). log1p and expm1 keep precision for i near zero.
 */
function annuityValue(monthlyRate: number, termMonths: number): number {
  if (monthlyRate === 0) return termMonths;
  const logGrowth = Math.log1p(monthlyRate);
  const ordinaryAnnuity = -Math.expm1(-termMonths * logGrowth) / monthlyRate;
  const monthsBeforeAnnuity = limits.firstInstalmentAfterMonths - 1;
  return ordinaryAnnuity * Math.exp(-monthsBeforeAnnuity * logGrowth);
}
