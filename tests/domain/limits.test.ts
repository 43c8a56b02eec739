import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { centavos, formatWholePeso } from '#domain/money.ts';

const rules = readFileSync('docs/rules.md', 'utf8').replaceAll(/\s+/g, ' ');

const pesos = (amount: number) => formatWholePeso(centavos(amount));
const words = ['nought', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (count: number) => words[count] ?? String(count);

/** These sentences of the rules are written with the constants: who changes a number changes the rule that promises it. */
const promises: (readonly [name: string, sentence: string])[] = [
  [
    'amount and term of a loan',
    `${pesos(limits.loanAmountMinCentavos)} to ${pesos(limits.loanAmountMaxCentavos)} for ` +
      `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months, with a purpose of at least ` +
      `${word(limits.purposeMinLength)} characters; the form begins at ${pesos(limits.loanAmountDefaultCentavos)} and ` +
      `${limits.loanTermDefaultMonths} months, the slider moves by ${pesos(limits.loanAmountStepCentavos)}.`,
  ],
  [
    'amount and term that staff may set',
    `amount (up to ${pesos(limits.staffLoanAmountMaxCentavos)}) and term (${limits.loanTermMinMonths} to ` +
      `${limits.staffLoanTermMaxMonths} months)`,
  ],
  [
    'the first instalment',
    `the first ${word(limits.firstInstalmentAfterMonths)} months after the application`,
  ],
  ['a withdrawal', `At least ${pesos(limits.withdrawalMinCentavos)}, to a bank account`],
  ['a code', `${word(limits.otpLength).replace(/^./, (first) => first.toUpperCase())} digits that staff set`],
  ['a password', `At least ${word(limits.passwordMinLength)} characters, compared in NFC`],
  ['a score', `staff enter ${limits.staffCreditScoreMin} to ${limits.staffCreditScoreMax}.`],
  [
    'the main admin',
    `The admin with number ${limits.mainAdminId} or the phone \`${limits.mainAdminPhone}\`.`,
  ],
  ['the converter', `₱${limits.converterDefaultAmount.toLocaleString('en')} and US dollars to begin with`],
  ['the chart of rates', `within ${limits.chartVariationPercent} % of today's rate`],
  [
    'a toast',
    `One at a time, for ${word(limits.toastMs / 1000)} seconds, above the tabs on a phone; swiping right by ` +
      `${limits.toastSwipePx} px closes it`,
  ],
  ['what was read', `what nobody uses is forgotten after ${word(limits.cacheMinutes)} minutes`],
  ['the panel', `made for desktops, ${limits.panelMinWidthPx} px wide`],
];

describe('the promised numbers', () => {
  it.each(promises)('of %s are those of the rules', (_, sentence) => {
    expect(rules).toContain(sentence);
  });

  // The product's specification sets these, and no sentence of the rules repeats them. Whoever changes one changes what
  // other clients and older installations keep to.
  it('that no rule says are as they were', () => {
    expect(limits).toMatchObject({
      phoneMinLength: 10,
      fullNameMinLength: 2,
      addressMinLength: 10,
      countryOfWorkMinLength: 2,
      referenceNameMinLength: 2,
      referencePhoneMinLength: 10,
      bankNameMinLength: 1,
      bankAccountNumberMinLength: 10,
      chartDays: 7,
      signInRedirectMs: 500,
      toastRemoveMs: 1_000_000,
      tooltipOpenMs: 700,
      tooltipSkipMs: 300,
    });
  });

  it('let the slider reach both ends', () => {
    const { loanAmountMinCentavos, loanAmountMaxCentavos, loanAmountStepCentavos } = limits;
    expect((loanAmountMaxCentavos - loanAmountMinCentavos) % loanAmountStepCentavos).toBe(0);
  });
});
