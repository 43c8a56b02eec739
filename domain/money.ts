declare const centavosBrand: unique symbol;

/** An amount of Philippine money in centavos: a safe integer, negative where a ledger entry takes money away. */
export type Centavos = number & { readonly [centavosBrand]: true };

const CENTAVOS_PER_PESO = 100;

/** Plain decimal digits with at most two places: no sign, exponent, hexadecimal, group separator or space. */
const PESOS_SHAPE = /^(\d+)(?:\.(\d{1,2}))?$/;

/** Declares that a number is a count of centavos. Throws a RangeError unless it is a safe integer. */
export function centavos(count: number): Centavos {
  if (!Number.isSafeInteger(count)) {
    throw new RangeError(`Not a whole number of centavos: ${count}`);
  }
  // -0 would print as 0 and yet differ from it in Object.is: there is only one zero of money.
  return (count === 0 ? 0 : count) as Centavos;
}

/**
 * Reads pesos as a request may send them (contract section 1): a number, or a string such as "150000.5".
 * Anything else is undefined: a sign, an exponent, NaN, Infinity, hexadecimal, spaces, more than two decimals
 * (so also 0.1 + 0.2), or more than a safe integer of centavos can hold.
 */
export function parsePesos(input: number | string): Centavos | undefined {
  // A number is judged by its shortest decimal text, so 1e21 and 1e-7 fail by their exponent and no float
  // ever meets an amount.
  const match = PESOS_SHAPE.exec(String(input));
  if (!match) return undefined;
  const [, wholeDigits = '', decimals = ''] = match;
  const count = Number(wholeDigits) * CENTAVOS_PER_PESO + Number(decimals.padEnd(2, '0'));
  return Number.isSafeInteger(count) ? centavos(count) : undefined;
}

/** The form on the wire: "150000.00" (contract section 1). */
export function pesosText(amountCentavos: Centavos): string {
  const { sign, whole, decimals } = splitPesos(amountCentavos);
  return `${sign}${whole}.${decimals}`;
}

/** The form people read: "₱150,000.00". */
export function formatPeso(amountCentavos: Centavos): string {
  const { sign, whole, decimals } = splitPesos(amountCentavos);
  return `${sign}₱${groupThousands(whole)}.${decimals}`;
}

/** The form for limits within a sentence: "₱150,000", with centavos only where there are some. */
export function formatWholePeso(amountCentavos: Centavos): string {
  return formatPeso(amountCentavos).replace(/\.00$/, '');
}

/**
 * numerator / denominator to the nearest integer, a half going up (towards plus infinity).
 * The one place where the product rounds money. Throws a RangeError unless the denominator is positive.
 */
export function roundHalfUpDivide(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) {
    throw new RangeError(`A divisor of money is positive: ${denominator}`);
  }
  const dividend = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = dividend / divisor;
  // BigInt division cuts towards zero; below zero the floor lies one lower.
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

function splitPesos(amountCentavos: Centavos): { sign: string; whole: string; decimals: string } {
  const digits = String(Math.abs(amountCentavos)).padStart(3, '0');
  return { sign: amountCentavos < 0 ? '-' : '', whole: digits.slice(0, -2), decimals: digits.slice(-2) };
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
