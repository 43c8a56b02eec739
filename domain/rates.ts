import { limits } from './limits.ts';
import { hundredthsText, parseHundredths, roundHalfUpDivide } from './money.ts';

declare const basisPointsBrand: unique symbol;

/** A rate in hundredths of a percent: 250 is 2.5 %. Names say per month or per year. */
export type BasisPoints = number & { readonly [basisPointsBrand]: true };

export function basisPoints(count: number): BasisPoints {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`Not a whole number of basis points: ${count}`);
  }
  return (count === 0 ? 0 : count) as BasisPoints;
}

/** Percent without trailing zeros: 250 → "2.5", 50 → "0.5", 200 → "2". */
export function percentText(rate: BasisPoints): string {
  return hundredthsText(rate).replace(/\.?0+$/, '');
}

/**
 * Parses a percentage such as "2.5" (the setting LOAN_MONTHLY_RATE). Undefined unless it is plain
 * digits with at most two decimals and no higher than the highest rate in `limits`.
 */
export function parsePercent(text: string): BasisPoints | undefined {
  const count = parseHundredths(text);
  return count !== undefined && count <= limits.loanRateMaxBasisPoints ? basisPoints(count) : undefined;
}

/**
 * A computed percentage with two decimals. Rounds from the six agreed decimals, so that a computed figure and the same
 * one read from a contract round alike.
 */
export function shownPercent(percent: number | string): string {
  return fixedPercentText(Number(fixedPercentText(Number(percent), 6)), 2);
}

/** A part of a whole in percent, with two decimals; "0.00" of nothing. */
export function sharePercent(part: number, whole: number): string {
  if (whole === 0) return '0.00';
  return hundredthsText(Number(roundHalfUpDivide(BigInt(part) * 10_000n, BigInt(whole))));
}

/** Six decimals on the wire, two on screen (§effective-rate). Never "-0.00". */
export function fixedPercentText(percent: number, decimals: number): string {
  const text = percent.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}
