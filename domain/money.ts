declare const centavosBrand: unique symbol;

/** Philippine money in centavos: a safe integer, negative for ledger debits. */
export type Centavos = number & { readonly [centavosBrand]: true };

const DECIMAL_SHAPE = /^(\d+)(?:\.(\d{1,2}))?$/;

export function centavos(count: number): Centavos {
  if (!Number.isSafeInteger(count)) {
    throw new RangeError(`Not a whole number of centavos: ${count}`);
  }
  // Normalises -0, which prints as 0 but differs in Object.is.
  return (count === 0 ? 0 : count) as Centavos;
}

export const sum = (amounts: readonly number[]): Centavos =>
  centavos(amounts.reduce((total, amount) => total + amount, 0));

/**
 * Parses pesos from a request (§money): a number, or a string such as "150000.5". Undefined for anything
 * else: signs, exponents, NaN, Infinity, hexadecimal, spaces, more than two decimals (so 0.1 + 0.2 too), or more
 * centavos than a safe integer holds.
 */
export function parsePesos(input: number | string): Centavos | undefined {
  // A number goes through its shortest decimal text: no float arithmetic on money, and 1e21 and 1e-7 fail on the
  // exponent.
  const count = parseHundredths(String(input));
  return count === undefined ? undefined : centavos(count);
}

/** Parses what `pesosText` writes, which may be below zero. */
export function parseSignedPesos(text: string): Centavos | undefined {
  if (!text.startsWith('-')) return parsePesos(text);
  const amount = parsePesos(text.slice(1));
  return amount === undefined ? undefined : centavos(-amount);
}

/** Plain digits with at most two decimals, in hundredths: "2.5" is 250. Undefined beyond a safe integer. */
export function parseHundredths(text: string): number | undefined {
  const [, whole, decimals = ''] = DECIMAL_SHAPE.exec(text) ?? [];
  const count = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return Number.isSafeInteger(count) ? count : undefined;
}

/** The wire format: "150000.00" (§money). */
export function pesosText(amountCentavos: Centavos): string {
  return hundredthsText(amountCentavos);
}

/** Writes a count with two decimals: 250 → "2.50". */
export function hundredthsText(count: number): string {
  const digits = String(Math.abs(count)).padStart(3, '0');
  return `${count < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The display format: "₱150,000.00". */
export function formatPeso(amountCentavos: Centavos): string {
  return groupThousands(pesosText(amountCentavos), '₱');
}

/** `1234567.8` as `1,234,567.8`. */
export function groupThousands(text: string, sign = ''): string {
  return text.replace(/\d+/, (whole) => sign + whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}

/** Formats a limit in a sentence: "₱150,000", with centavos only if there are any. */
export function formatWholePeso(amountCentavos: Centavos): string {
  return formatPeso(amountCentavos).replace(/\.00$/, '');
}

/**
 * numerator / denominator, rounded half up (towards plus infinity). All rounding of money happens here. Throws a
 * RangeError unless the denominator is positive.
 */
export function roundHalfUpDivide(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) {
    throw new RangeError(`A divisor of money is positive: ${denominator}`);
  }
  const dividend = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = dividend / divisor;
  // BigInt division truncates towards zero; a negative result needs the floor.
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}
