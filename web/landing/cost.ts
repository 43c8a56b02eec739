import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { basisPoints, shownPercent } from '#domain/rates.ts';

/** The terms offered as keys, in months. */
export const offeredTerms = [12, 24, 36, limits.loanTermMaxMonths] as const;

/** What the calculator starts with. */
export const startLoan = { amountCentavos: centavos(350_000_00), termMonths: 36 };

/** The two loans that stand there without script: the smallest over a year, and the largest over the longest term. */
export const sampleLoans = [
  { amountCentavos: centavos(limits.loanAmountMinCentavos), termMonths: limits.loanTermDefaultMonths },
  { amountCentavos: centavos(limits.loanAmountMaxCentavos), termMonths: limits.loanTermMaxMonths },
];

// No figure shown here depends on the day; months are equal (contract section 7).
const anyDay = parseManilaDate('2026-01-01') as ManilaDate;

/** The whole cost of a loan at this installation's rate, in basis points a month. */
export function costOf(amountCentavos: number, termMonths: number, monthlyRate: number) {
  const quote = quoteLoan({
    amountCentavos: centavos(amountCentavos),
    termMonths,
    monthlyRate: basisPoints(monthlyRate),
    startDate: anyDay,
  });
  return { ...quote, effectiveMonthlyPercent: shownPercent(quote.effectiveMonthlyRatePercent) };
}
