import type { QuoteDocument } from '#contract/loan.ts';
import { addMonths, type ManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import type { QuoteFigures } from './quote-preview.tsx';

/** The server's quote as the lines of the screen take it. */
export function figuresOf(quote: QuoteDocument): QuoteFigures {
  return {
    amountCentavos: amount(quote.amount),
    termMonths: quote.termMonths,
    monthlyRate: rate(quote.interestRate),
    monthlyPaymentCentavos: amount(quote.monthlyPayment),
    totalPaymentCentavos: amount(quote.totalPayment),
    costOfCreditCentavos: amount(quote.costOfCredit),
    upfrontChargesCentavos: amount(quote.upfrontCharges),
    netProceedsCentavos: amount(quote.netProceeds),
    effectiveMonthlyRatePercent: Number(quote.effectiveMonthlyRate),
    simpleAnnualRatePercent: Number(quote.simpleAnnualRate),
    effectiveAnnualRatePercent: Number(quote.effectiveAnnualRate),
    firstDueDate: day(quote.firstDueDate),
    lastDueDate: day(quote.lastDueDate),
    lateChargeRate: rate(quote.lateChargeRate),
  };
}

/**
 * The day from which a quote's due dates count: today, unless this phone's calendar is wrong. Months of different length
 * give the same due date, so the day cannot always be told from the dates alone.
 */
export function startOf({ firstDueDate }: QuoteFigures): ManilaDate {
  const today = manilaDate(new Date());
  const { firstInstalmentAfterMonths: months } = limits;
  return addMonths(today, months) === firstDueDate ? today : addMonths(firstDueDate, -months);
}

function amount(text: string): Centavos {
  return parsePesos(text) ?? unreadable(text);
}

function day(text: string): ManilaDate {
  return parseManilaDate(text) ?? unreadable(text);
}

const rate = (percent: number) => basisPoints(Math.round(percent * 100));

function unreadable(text: string): never {
  throw new Error(`a quote holds what cannot be read: ${text}`);
}
