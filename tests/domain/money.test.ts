import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centavos,
  formatPeso,
  formatWholePeso,
  parsePesos,
  pesosText,
  roundHalfUpDivide,
} from '#domain/money.ts';

const mostCentavos = Number.MAX_SAFE_INTEGER;
const anyCentavos = fc.maxSafeInteger().map(centavos);
const anyPaidCentavos = fc.maxSafeNat().map(centavos);

describe('centavos', () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, mostCentavos + 1, -0.01])('refuses %s', (count) => {
    expect(() => centavos(count)).toThrow(RangeError);
  });

  it('has only one zero', () => {
    expect(Object.is(centavos(-0), 0)).toBe(true);
  });
});

describe('parsePesos', () => {
  it.each([
    ['150000', 150_000_00],
    ['150000.5', 150_000_50],
    ['150000.00', 150_000_00],
    ['150000.05', 150_000_05],
    ['0', 0],
    ['0.01', 1],
    ['0150000', 150_000_00],
    ['90071992547409.91', mostCentavos],
    [150_000, 150_000_00],
    [2_000_000, 2_000_000_00],
    [0.1, 10],
    [0.29, 29],
    [1.15, 115],
    [4.35, 435],
    [1_000.01, 1_000_01],
    [-0, 0],
  ])('reads %j as %i centavos', (input, expected) => {
    expect(parsePesos(input)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.234',
    '150000.000',
    '1,000',
    '₱1000',
    ' 1000',
    '1000 ',
    '1 000',
    '1000\n',
    '+1000',
    '-1000',
    '-0',
    '1e3',
    '1E3',
    '1e400',
    '0x10',
    '0b1',
    'NaN',
    'Infinity',
    '-Infinity',
    '1_000',
    '1.2.3',
    '١٢٣',
    '\uff11\uff10\uff10\uff10',
    '90071992547409.92',
    '9'.repeat(400),
  ])('refuses the text %j', (input) => {
    expect(parsePesos(input)).toBeUndefined();
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    -0.01,
    0.1 + 0.2,
    1.005,
    1e-7,
    1e21,
    1e300,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    Number.MAX_SAFE_INTEGER,
  ])('refuses the number %s', (input) => {
    expect(parsePesos(input)).toBeUndefined();
  });

  it('reverses pesosText, as text and as a JSON number', () => {
    fc.assert(
      fc.property(anyPaidCentavos, (amount) => {
        expect(parsePesos(pesosText(amount))).toBe(amount);
        // Half of the range: there a double tells every centavo from the next.
        const half = centavos(Math.floor(amount / 2));
        expect(parsePesos(Number(pesosText(half)))).toBe(half);
      }),
    );
  });

  it('yields a non-negative safe integer for whatever text it accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.stringMatching(/^[0-9.e+-]{1,12}$/)), (input) => {
        const amount = parsePesos(input);
        if (amount === undefined) return;
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(amount).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('money in words', () => {
  it.each([
    [0, '0.00', '₱0.00', '₱0'],
    [5, '0.05', '₱0.05', '₱0.05'],
    [10, '0.10', '₱0.10', '₱0.10'],
    [99_999, '999.99', '₱999.99', '₱999.99'],
    [100_000, '1000.00', '₱1,000.00', '₱1,000'],
    [150_000_00, '150000.00', '₱150,000.00', '₱150,000'],
    [2_000_000_00, '2000000.00', '₱2,000,000.00', '₱2,000,000'],
    [4_400_000_16, '4400000.16', '₱4,400,000.16', '₱4,400,000.16'],
    [-12_500_00, '-12500.00', '-₱12,500.00', '-₱12,500'],
    [-1, '-0.01', '-₱0.01', '-₱0.01'],
    [mostCentavos, '90071992547409.91', '₱90,071,992,547,409.91', '₱90,071,992,547,409.91'],
  ])('%i centavos', (count, wire, read, whole) => {
    const amount = centavos(count);
    expect(pesosText(amount)).toBe(wire);
    expect(formatPeso(amount)).toBe(read);
    expect(formatWholePeso(amount)).toBe(whole);
  });

  it('reads the same without sign and separators', () => {
    fc.assert(
      fc.property(anyCentavos, (amount) => {
        expect(formatPeso(amount).replace(/[₱,]/g, '')).toBe(pesosText(amount));
        expect(formatPeso(amount)).toMatch(/^-?₱\d{1,3}(,\d{3})*\.\d\d$/);
      }),
    );
  });
});

describe('roundHalfUpDivide', () => {
  it.each([
    [0n, 2n, 0n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [5n, 10n, 1n],
    [4n, 10n, 0n],
    [-1n, 2n, 0n],
    [-3n, 2n, -1n],
    [-2n, 3n, -1n],
    [-4n, 2n, -2n],
  ])('%i / %i is %i', (numerator, denominator, expected) => {
    expect(roundHalfUpDivide(numerator, denominator)).toBe(expected);
  });

  it.each([0n, -1n])('refuses the denominator %i', (denominator) => {
    expect(() => roundHalfUpDivide(1n, denominator)).toThrow(RangeError);
  });

  it('is never off by more than a half, and rounds a half up', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
        const twiceError = 2n * (roundHalfUpDivide(numerator, denominator) * denominator - numerator);
        expect(twiceError > -denominator && twiceError <= denominator).toBe(true);
      }),
    );
  });
});
