import { limits } from './limits.ts';

declare const basisPointsBrand: unique symbol;

/** A rate in hundredths of a percent: 250 is 2.5 %. Whether per month or per year, the name beside it says. */
export type BasisPoints = number & { readonly [basisPointsBrand]: true };

/** Plain digits with at most two decimals: what a whole number of basis points can hold. */
const PERCENT_SHAPE = /^(\d+)(?:\.(\d{1,2}))?$/;

/** Declares that a number is a count of basis points. Throws a RangeError unless it is 0, 1, 2, … */
export function basisPoints(count: number): BasisPoints {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`Not a whole number of basis points: ${count}`);
  }
  return (count === 0 ? 0 : count) as BasisPoints;
}

/** A rate as percent without superfluous zeros: 250 → "2.5", 50 → "0.5", 200 → "2". */
export function percentText(rate: BasisPoints): string {
  const decimals = String(rate % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  const whole = String(Math.floor(rate / 100));
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/**
 * Reads a percentage such as "2.5" (setting LOAN_MONTHLY_RATE, contract section 10) into basis points.
 * Undefined when it is not plain digits with at most two decimals, or above the highest rate in `limits`.
 */
export function parsePercent(text: string): BasisPoints | undefined {
  const match = PERCENT_SHAPE.exec(text);
  if (!match) return undefined;
  const [, wholeDigits = '', decimals = ''] = match;
  const count = Number(wholeDigits) * 100 + Number(decimals.padEnd(2, '0'));
  return count <= limits.loanRateMaxBasisPoints ? basisPoints(count) : undefined;
}

/**
 * A computed percentage as it is shown, with two decimals. Always by way of the six that are agreed to and kept, so that
 * a figure worked out on the screen and the same one read from a contract can never round to different sides.
 */
export function shownPercent(percent: number | string): string {
  return fixedPercentText(Number(fixedPercentText(Number(percent), 6)), 2);
}

/**
 * A computed percentage with a fixed number of decimals: six on the wire, two on the screen (contract section 7).
 * A negative that rounds to nothing is "0.00", never "-0.00".
 */
export function fixedPercentText(percent: number, decimals: number): string {
  const text = percent.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}
