import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { centavos, formatWholePeso } from '#domain/money.ts';

describe('the promised numbers', () => {
  it('are as documented', () => {
    expect(limits).toMatchObject({
      loanTermMinMonths: 6,
      loanTermMaxMonths: 48,
      loanTermDefaultMonths: 12,
      staffLoanTermMaxMonths: 60,
      firstInstalmentAfterMonths: 2,
      otpLength: 6,
      phoneMinLength: 10,
      passwordMinLength: 6,
      fullNameMinLength: 2,
      purposeMinLength: 3,
      addressMinLength: 10,
      countryOfWorkMinLength: 2,
      referenceNameMinLength: 2,
      referencePhoneMinLength: 10,
      bankNameMinLength: 1,
      bankAccountNumberMinLength: 10,
      staffCreditScoreMin: 300,
      staffCreditScoreMax: 850,
      mainAdminId: 3,
      mainAdminPhone: 'admin',
      converterDefaultAmount: 1000,
      chartDays: 7,
      chartVariationPercent: 2,
      signInRedirectMs: 500,
      toastMs: 5_000,
      toastRemoveMs: 1_000_000,
      toastSwipePx: 50,
      tooltipOpenMs: 700,
      tooltipSkipMs: 300,
      cacheMinutes: 5,
      panelMinWidthPx: 1024,
    });
  });

  it.each([
    ['loanAmountMinCentavos', '₱150,000'],
    ['loanAmountMaxCentavos', '₱2,000,000'],
    ['loanAmountStepCentavos', '₱10,000'],
    ['loanAmountDefaultCentavos', '₱150,000'],
    ['staffLoanAmountMaxCentavos', '₱10,000,000'],
    ['withdrawalMinCentavos', '₱1,000'],
  ] as const)('%s reads %s', (name, text) => {
    expect(formatWholePeso(centavos(limits[name]))).toBe(text);
  });

  it('let the slider reach both ends', () => {
    const { loanAmountMinCentavos, loanAmountMaxCentavos, loanAmountStepCentavos } = limits;
    expect((loanAmountMaxCentavos - loanAmountMinCentavos) % loanAmountStepCentavos).toBe(0);
  });
});
