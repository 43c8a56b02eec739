import { readFileSync } from 'node:fs';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { limits } from '#domain/limits.ts';
import { quoteLoan } from '#domain/quote.ts';
import { basisPoints, fixedPercentText } from '#domain/rates.ts';

export type CaseEvent = {
  seq: number | string;
  kind: string;
  date: string;
  amount?: string;
  months?: number;
  channel?: string;
  settlement?: boolean;
  reverses?: number;
  auto?: boolean;
};

export type WorkedCase = {
  id: string;
  title: string;
  loan: { amount: string; termMonths: number; monthlyRateBp: number; disbursedOn: string };
  policy: { lateChargeBp: number; graceDays: number; lateChargeCapBp: number; coolingOffDays: number };
  terms: object;
  events: CaseEvent[];
  checkpoints: {
    asOf: string;
    account: object;
    instalments: object[];
    receipts: object[];
    settlement?: object;
  }[];
  walletLedger: { type: string; amount: string; balanceAfter: string; ofEvent: number | string }[];
  journal: { ofEvent: number | string; lines: { account: string; debit: string; credit: string }[] }[];
};

export const { cases } = JSON.parse(
  readFileSync(new URL('./servicing-cases.json', import.meta.url), 'utf8'),
) as { cases: WorkedCase[] };

const policyOfToday = {
  lateChargeRate: basisPoints(limits.lateChargeBasisPointsPerMonth),
  graceDays: limits.lateChargeGraceDays as number,
  lateChargeCap: basisPoints(limits.lateChargeCapBasisPoints),
  coolingOffDays: limits.coolingOffDays as number,
};

/** The terms of a loan as the product quotes it, with the policy of today unless told otherwise. */
export function termsFrom(
  loan: Parameters<typeof quoteLoan>[0],
  policy: typeof policyOfToday = policyOfToday,
): ServicingTerms {
  const { amountCentavos, monthlyPaymentCentavos, effectiveMonthlyRatePercent } = quoteLoan(loan);
  const effectiveMonthlyRate = fixedPercentText(effectiveMonthlyRatePercent, 6);
  const { termMonths, startDate } = loan;
  return { amountCentavos, termMonths, monthlyPaymentCentavos, effectiveMonthlyRate, startDate, ...policy };
}
