/**
 * Such as `LN-2026-000123`. Beyond 999,999 in a year it grows by a digit instead of wrapping. Throws a RangeError
 * unless year and sequence are positive integers.
 */
export function recordNumber(prefix: 'LN' | 'WD' | 'AR', year: number, sequence: number): string {
  for (const part of [year, sequence]) {
    if (!Number.isSafeInteger(part) || part < 1) {
      throw new RangeError(`Not a part of a record number: ${part}`);
    }
  }
  return `${prefix}-${String(year).padStart(4, '0')}-${String(sequence).padStart(6, '0')}`;
}
