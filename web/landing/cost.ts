import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { basisPoints, shownPercent } from '#domain/rates.ts';

/** The sample loans without script: the smallest over a year, the largest over the longest term. */
export const sampleLoans = [
  { amountCentavos: centavos(limits.loanAmountMinCentavos), termMonths: limits.loanTermDefaultMonths },
  { amountCentavos: centavos(limits.loanAmountMaxCentavos), termMonths: limits.loanTermMaxMonths },
];

// No figure here depends on the date: the quote counts equal months (§effective-rate).
const anyDay = parseManilaDate('2026-01-01') as ManilaDate;

/** The figures of a loan as they are shown. `monthlyRate` is in basis points. */
export function shownCost(amountCentavos: number, termMonths: number, monthlyRate: number) {
  const quote = quoteLoan({
    amountCentavos: centavos(amountCentavos),
    termMonths,
    monthlyRate: basisPoints(monthlyRate),
    startDate: anyDay,
  });
  return {
    monthly: formatPeso(quote.monthlyPaymentCentavos),
    total: formatPeso(quote.totalPaymentCentavos),
    cost: formatPeso(quote.costOfCreditCentavos),
    monthlyPercent: shownPercent(quote.effectiveMonthlyRatePercent),
  };
}
