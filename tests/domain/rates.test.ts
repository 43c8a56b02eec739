import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { basisPoints, fixedPercentText, parsePercent, percentText, shownPercent } from '#domain/rates.ts';

describe('percent texts', () => {
  it.each([
    ['2.5', 250, '2.5'],
    ['0.5', 50, '0.5'],
    ['2', 200, '2'],
    ['2.50', 250, '2.5'],
    ['0.05', 5, '0.05'],
    ['10.25', 1025, '10.25'],
    ['0', 0, '0'],
    ['100', 10_000, '100'],
  ])('%s is %i basis points and prints as %s', (text, expected, printed) => {
    const rate = parsePercent(text);
    expect(rate).toBe(expected);
    expect(percentText(basisPoints(expected))).toBe(printed);
  });

  it.each([
    '',
    '2,5',
    '2.5%',
    ' 2.5',
    '-1',
    '+1',
    '1e1',
    '2.555',
    '.5',
    '2.',
    'NaN',
    'Infinity',
    '0x2',
    '100.01',
  ])('refuses %j', (text) => {
    expect(parsePercent(text)).toBeUndefined();
  });

  it('holds the default rates (§loan-rate)', () => {
    expect(percentText(basisPoints(limits.loanRateBorrowerDefaultBasisPoints))).toBe('2.5');
    expect(percentText(basisPoints(limits.loanRateStaffDefaultBasisPoints))).toBe('0.5');
    expect(percentText(basisPoints(limits.lateChargeBasisPointsPerMonth))).toBe('2');
  });

  it('reads back whatever it printed', () => {
    fc.assert(
      fc.property(fc.nat(limits.loanRateMaxBasisPoints), (count) => {
        expect(parsePercent(percentText(basisPoints(count)))).toBe(count);
      }),
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s basis points', (count) => {
    expect(() => basisPoints(count)).toThrow(RangeError);
  });
});

describe('fixedPercentText', () => {
  it.each([
    [3.6666723902914504, 6, '3.666672'],
    [3.6666723902914504, 2, '3.67'],
    [0, 2, '0.00'],
    [-0.0000001, 6, '0.000000'],
    [-0.004, 2, '0.00'],
    [-1.5, 2, '-1.50'],
  ])('%d with %i decimals is %s', (percent, decimals, expected) => {
    expect(fixedPercentText(percent, decimals)).toBe(expected);
  });
});

describe('shownPercent', () => {
  it('is the same for a fresh figure and for the one stored with six decimals', () => {
    expect(fixedPercentText(4.12499996, 2)).toBe('4.12');
    expect(shownPercent(4.12499996)).toBe('4.13');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1000, noNaN: true }), (percent) => {
        expect(shownPercent(percent)).toBe(shownPercent(fixedPercentText(percent, 6)));
      }),
    );
  });
});
