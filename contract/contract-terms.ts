import type { ServicingTerms } from '#domain/amortisation.ts';
import { type DateLanguage, formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import type { QuoteDocument, ServicingPolicy } from './loan.ts';
import type { Wording } from './wording/en.ts';

/**
 * The rules of servicing for loans whose contract is issued today. The contract fixes them (§contract-terms).
 */
export const servicingPolicy: ServicingPolicy = {
  lateChargeRate: limits.lateChargeBasisPointsPerMonth / 100,
  graceDays: limits.lateChargeGraceDays,
  lateChargeCapPercent: limits.lateChargeCapBasisPoints / 100,
  coolingOffDays: limits.coolingOffDays,
  settlementMethod: 'present_value',
};

export function servicingTerms(
  quote: QuoteDocument,
  startDate: ManilaDate,
  policy: ServicingPolicy = quote.servicing ?? servicingPolicy,
): ServicingTerms {
  const percent = (value: number) => basisPoints(Math.round(value * 100));
  const amountOf = (text: string) => parsePesos(text) ?? centavos(0);
  return {
    amountCentavos: amountOf(quote.amount),
    termMonths: quote.termMonths,
    monthlyPaymentCentavos: amountOf(quote.monthlyPayment),
    effectiveMonthlyRate: quote.effectiveMonthlyRate,
    startDate,
    lateChargeRate: percent(policy.lateChargeRate),
    graceDays: policy.graceDays,
    lateChargeCap: percent(policy.lateChargeCapPercent),
    coolingOffDays: policy.coolingOffDays,
  };
}

/**
 * The terms of a contract, on screen and on paper. `policy` is null for contracts that did not say yet how a loan is
 * serviced.
 */
export function termSentences(
  words: Wording['contractText'],
  quote: QuoteDocument,
  agreed: { startDate: ManilaDate; language: DateLanguage; policy: ServicingPolicy | null },
): string[] {
  const { startDate, language, policy } = agreed;
  return [
    words.instalments({
      count: String(quote.termMonths),
      amount: formatPeso(parsePesos(quote.monthlyPayment) ?? centavos(0)),
    }),
    words.firstPayment({
      startDate: formatManilaDate(startDate, language),
      isDisbursed: quote.disbursedOn !== undefined,
    }),
    ...(policy
      ? [words.lateChargeRate(policy), words.lateChargeByDays(policy)]
      : [words.lateCharge({ percent: String(quote.lateChargeRate) })]),
    words.freePrepayment,
    ...(policy ? [words.earlySettlement, words.application] : []),
    words.noFees,
  ];
}
