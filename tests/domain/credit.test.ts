import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditBand, creditTrendPercent } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';

describe('credit bands', () => {
  it.each([
    [0, 'bad', 1],
    [499, 'bad', 1],
    [500, 'average', 2],
    [599, 'average', 2],
    [600, 'good', 3],
    [749, 'good', 3],
    [750, 'perfect', 5],
    [1000, 'perfect', 5],
    [1001, 'unknown', 0],
    [-1, 'unknown', 0],
    [Number.NaN, 'unknown', 0],
    [Number.POSITIVE_INFINITY, 'unknown', 0],
    [null, 'unknown', 0],
    [undefined, 'unknown', 0],
  ])('%s is %s with %i stars', (score, key, stars) => {
    expect(creditBand(score)).toEqual({ key, stars });
  });

  it('starts everybody as average', () => {
    expect(limits.creditScoreDefault).toBe(500);
    expect(creditBand(limits.creditScoreDefault).key).toBe('average');
  });
});

describe('creditTrendPercent', () => {
  it.each([
    [undefined, 500, '0.00'],
    [null, 500, '0.00'],
    [0, 500, '0.00'],
    [500, 500, '0.00'],
    [500, 520, '4.00'],
    [520, 500, '-3.85'],
    [300, 850, '183.33'],
    [850, 300, '-64.71'],
    [600, 601, '0.17'],
    [500, 0, '-100.00'],
  ])('from %s to %i: %s', (previous, current, expected) => {
    expect(creditTrendPercent(previous, current)).toBe(expected);
  });

  it('has two decimals, the right sign, and no negative zero', () => {
    const score = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(score, score, (previous, current) => {
        const text = creditTrendPercent(previous, current);
        expect(text).toMatch(/^-?\d+\.\d\d$/);
        expect(text).not.toBe('-0.00');
        expect(Math.abs(Number(text) - ((current - previous) / previous) * 100)).toBeLessThan(0.005 + 1e-9);
      }),
    );
  });
});
