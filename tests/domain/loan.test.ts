import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applicationProgress,
  applicationSteps,
  currentLoan,
  isKnownLoanStatus,
  knownLoanStatuses,
  loanStatusesWith,
  mainLoan,
  monthlyPayment,
  normaliseLoanStatus,
} from '#domain/loan.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import { recordNumber } from '#domain/record-number.ts';

describe('monthlyPayment', () => {
  it.each([
    [150_000_00, 250, 12, '16250.00'],
    [2_000_000_00, 250, 48, '91666.67'],
    [500_000_00, 50, 6, '85833.33'],
    [350_000_00, 250, 36, '18472.22'],
    [150_000_00, 250, 6, '28750.00'],
    [10_000_000_00, 250, 60, '416666.67'],
    [150_000_00, 0, 7, '21428.57'],
    // 1.05 over 6 months at 0 % is 17.5 centavos: the half goes up.
    [1_05, 0, 6, '0.18'],
    [1_04, 0, 6, '0.17'],
  ])('%i centavos at %i basis points over %i months: %s', (amount, rate, termMonths, expected) => {
    const payment = monthlyPayment({
      amountCentavos: centavos(amount),
      monthlyRate: basisPoints(rate),
      termMonths,
    });
    expect(pesosText(payment)).toBe(expected);
  });

  it.each([0, -6, 6.5, Number.NaN])('refuses a term of %d months', (termMonths) => {
    const terms = { amountCentavos: centavos(150_000_00), monthlyRate: basisPoints(250), termMonths };
    expect(() => monthlyPayment(terms)).toThrow(RangeError);
  });

  it('repays the principal with its interest to within half a centavo a row', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000_00 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 6, max: 60 }),
        (amount, rate, termMonths) => {
          const payment = monthlyPayment({
            amountCentavos: centavos(amount),
            monthlyRate: basisPoints(rate),
            termMonths,
          });
          const debtInTenThousandths = BigInt(amount) * BigInt(10_000 + rate * termMonths);
          const twiceError = 2n * (BigInt(payment) * BigInt(termMonths) * 10_000n - debtInTenThousandths);
          const row = BigInt(termMonths) * 10_000n;
          expect(twiceError > -row && twiceError <= row).toBe(true);
        },
      ),
    );
  });
});

describe('normaliseLoanStatus', () => {
  it.each([
    ['pending', 'pending'],
    ['Approved', 'approved'],
    ['Account Issue', 'account_issue'],
    ['account_issue', 'account_issue'],
    ['  On hold ', 'on_hold'],
    ['on  hold', 'on_hold'],
    ['For re-check 2', 'for_re-check_2'],
    ['Piña', 'piña'],
    ['PIN\u0303A', 'piña'],
    ['ok', 'ok'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['n\u0303'.repeat(40), 'ñ'.repeat(40)],
  ])('stores %j as %j', (typed, stored) => {
    expect(normaliseLoanStatus(typed)).toBe(stored);
  });

  it.each([
    '',
    ' ',
    'a',
    ' a ',
    'a'.repeat(41),
    '--',
    '_ _',
    'on/hold',
    'on.hold',
    "denied'; drop",
    '<b>ok</b>',
    'on\thold',
    'on\nhold',
    'ok\u0000',
    'ok 👍',
    'аpproved',
    'İİ',
  ])('refuses %j', (typed) => {
    expect(normaliseLoanStatus(typed)).toBeUndefined();
  });

  it('is idempotent, and yields only what may be stored', () => {
    const nearlyAllowed = fc.string({
      unit: fc.constantFrom(...'abzAZ09 _-ñÑß.İéK'.split('')),
      maxLength: 45,
    });
    fc.assert(
      fc.property(fc.oneof(nearlyAllowed, fc.string({ unit: 'grapheme' })), (typed) => {
        const stored = normaliseLoanStatus(typed);
        if (stored === undefined) return;
        expect(stored).not.toMatch(/[\sA-Z]/);
        expect([...stored].length).toBeGreaterThanOrEqual(2);
        expect([...stored].length).toBeLessThanOrEqual(40);
        expect(normaliseLoanStatus(stored)).toBe(stored);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves every known status as it is', () => {
    for (const status of knownLoanStatuses) {
      expect(normaliseLoanStatus(status)).toBe(status);
      expect(isKnownLoanStatus(status)).toBe(true);
    }
    expect(isKnownLoanStatus('on_hold')).toBe(false);
  });
});

describe('loan statuses', () => {
  it('offers four and knows seven', () => {
    expect(loanStatusesWith('isOffered')).toEqual(['pending', 'approved', 'denied', 'account_issue']);
    expect(knownLoanStatuses).toEqual([
      'pending',
      'approved',
      'denied',
      'account_issue',
      'rejected',
      'active',
      'completed',
    ]);
  });
});

describe('which loan is shown', () => {
  const loans = (...statuses: string[]) => statuses.map((status, index) => ({ status, index }));

  it.each([
    [['pending', 'approved', 'active'], 0, 1],
    [['pending', 'active', 'approved'], 0, 1],
    [['active'], 0, 0],
    [['denied', 'pending'], 0, 0],
    [['completed', 'denied', 'approved'], 0, 2],
    [['approved_later', 'inactive', 'pending'], 0, 0],
  ])('of %j the current is %i, the main %i', (statuses, current, main) => {
    expect(currentLoan(loans(...statuses))?.index).toBe(current);
    expect(mainLoan(loans(...statuses))?.index).toBe(main);
  });

  it('is none when there are none', () => {
    expect(currentLoan([])).toBeUndefined();
    expect(mainLoan([])).toBeUndefined();
  });
});

describe('the number of a loan', () => {
  it.each([
    [2026, 123, 'LN-2026-000123'],
    [2026, 1, 'LN-2026-000001'],
    [2027, 999_999, 'LN-2027-999999'],
    [2027, 1_000_000, 'LN-2027-1000000'],
  ])('%i, %i: %s', (year, sequence, expected) => {
    expect(recordNumber('LN', year, sequence)).toBe(expected);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the sequence %d', (sequence) => {
    expect(() => recordNumber('LN', 2026, sequence)).toThrow(RangeError);
  });
});

describe('the steps of an application', () => {
  it.each([
    ['pending', 'under_review', 'waiting', 1],
    ['account_issue', 'under_review', 'action_needed', 1],
    ['on_hold', 'under_review', 'waiting', 1],
    ['approved', 'decision', 'positive', 3],
    ['denied', 'decision', 'negative', 3],
    ['rejected', 'decision', 'negative', 3],
    // Set by hand: nothing says that money went out.
    ['active', 'decision', 'positive', 3],
    ['completed', 'decision', 'positive', 3],
  ])('%s is at %s, %s, with %i done', (status, step, standing, doneCount) => {
    expect(applicationProgress(status).step).toBe(step);
    expect(applicationProgress(status)).toEqual({
      step,
      standing,
      done: applicationSteps.slice(0, doneCount),
    });
  });

  it.each([
    ['approved', 'released', 'positive'],
    ['pending', 'released', 'positive'],
    ['on_hold', 'released', 'positive'],
    ['active', 'released', 'positive'],
    ['account_issue', 'released', 'action_needed'],
    ['denied', 'decision', 'negative'],
    ['rejected', 'decision', 'negative'],
  ])('%s with its money paid out is at %s, %s, with all done', (status, step, standing) => {
    expect(applicationProgress(status, true)).toEqual({ step, standing, done: applicationSteps });
  });
});
