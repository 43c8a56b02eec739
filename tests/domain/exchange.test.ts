import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import {
  cleanAmountInput,
  currencies,
  defaultCurrencyCode,
  fallbackRates,
  formatRate,
  simulateTrend,
} from '#domain/exchange.ts';

const today: ManilaDate = manilaDate(new Date('2026-11-20T04:00:00Z'));

describe('currencies and fallback rates', () => {
  it('are as promised', () => {
    expect(currencies.map(({ code }) => code)).toEqual([
      'USD',
      'EUR',
      'GBP',
      'JPY',
      'AUD',
      'CAD',
      'SGD',
      'HKD',
    ]);
    expect(fallbackRates).toEqual({
      USD: 0.018,
      EUR: 0.016,
      GBP: 0.014,
      JPY: 2.65,
      AUD: 0.027,
      CAD: 0.024,
      SGD: 0.024,
      HKD: 0.141,
    });
    expect(defaultCurrencyCode).toBe('USD');
  });

  it('give each currency its own symbol and a flag', () => {
    expect(new Set(currencies.map(({ symbol }) => symbol)).size).toBe(currencies.length);
    for (const { code, flag } of currencies) {
      expect(flag).toMatch(/^\p{Regional_Indicator}{2}$/u);
      // A flag emoji spells the country that a currency code begins with.
      const spelled = [...flag].map((sign) => String.fromCharCode((sign.codePointAt(0) ?? 0) - 0x1f1e6 + 65));
      expect(code.slice(0, 2)).toBe(spelled.join(''));
    }
  });
});

describe('the converter', () => {
  it.each([
    ['1000', '1000'],
    ['1,000.50', '1000.50'],
    ['1.2.3', '1.23'],
    ['..5', '.5'],
    ['12a3', '123'],
    ['-5', '5'],
    ['1e3', '13'],
    ['₱ 1 000', '1000'],
    ['.', '.'],
    ['5.', '5.'],
    ['abc', ''],
    ['', ''],
  ])('keeps of %j: %j', (typed, kept) => {
    expect(cleanAmountInput(typed)).toBe(kept);
  });

  it('keeps every digit in order, at most one point, and is idempotent', () => {
    const typing = fc.string({ unit: fc.constantFrom(...'0123456789.,-e '.split('')) });
    fc.assert(
      fc.property(fc.oneof(typing, fc.string()), (typed) => {
        const kept = cleanAmountInput(typed);
        expect(kept).toMatch(/^[0-9]*\.?[0-9]*$/);
        expect(kept.replace('.', '')).toBe(typed.replace(/[^0-9]/g, ''));
        expect(cleanAmountInput(kept)).toBe(kept);
      }),
    );
  });

  it.each([
    [0.018, '0.018'],
    [2.65, '2.65'],
    [0.0172891234, '0.017289'],
    [1, '1'],
    [10, '10'],
    [100.5, '100.5'],
    [0.0000006, '0.000001'],
    [0, '0'],
  ])('shows the rate %d as %s', (rate, text) => {
    expect(formatRate(rate)).toBe(text);
  });
});

describe('the simulated trend', () => {
  it('is seven days in a row, ending today at the current rate', () => {
    const points = simulateTrend({ rate: 0.018, today, random: () => 0 });
    expect(points.map(({ formatted_date }) => formatted_date)).toEqual([
      '14 Nov',
      '15 Nov',
      '16 Nov',
      '17 Nov',
      '18 Nov',
      '19 Nov',
      '20 Nov',
    ]);
    expect(points.at(0)?.rate).toBeCloseTo(0.018 * 0.98, 12);
    expect(points.at(-1)).toEqual({ date: '2026-11-20', rate: 0.018, formatted_date: '20 Nov' });
    expect(simulateTrend({ rate: 1, today, random: () => 0.5, language: 'fil' }).at(-1)?.formatted_date).toBe(
      '20 Nob',
    );
  });

  it('stays within two percent and varies', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.array(chance, { minLength: 7, maxLength: 7 }),
        (rate, chances) => {
          const draws = [...chances];
          const points = simulateTrend({ rate, today, random: () => draws.pop() ?? 0 });
          expect(points).toHaveLength(7);
          points.forEach((point, index) => {
            expect(daysBetween(point.date, today)).toBe(6 - index);
            expect(Math.abs(point.rate / rate - 1)).toBeLessThanOrEqual(0.02 + 1e-12);
          });
        },
      ),
    );
  });
});
