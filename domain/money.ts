declare const centavosBrand: unique symbol;

/** Philippine money in centavos: a safe integer, negative for ledger debits. */
export type Centavos = number & { readonly [centavosBrand]: true };

const CENTAVOS_PER_PESO = 100;

const PESOS_SHAPE = /^(\d+)(?:\.(\d{1,2}))?$/;

export function centavos(count: number): Centavos {
  if (!Number.isSafeInteger(count)) {
    throw new RangeError(`Not a whole number of centavos: ${count}`);
  }
  // Normalises -0, which prints as 0 but differs in Object.is.
  return (count === 0 ? 0 : count) as Centavos;
}

/**
 * Parses pesos from a request (§money): a number, or a string such as "150000.5". Undefined for anything
 * else: signs, exponents, NaN, Infinity, hexadecimal, spaces, more than two decimals (so 0.1 + 0.2 too), or more
 * centavos than a safe integer holds.
 */
export function parsePesos(input: number | string): Centavos | undefined {
  // A number goes through its shortest decimal text: no float arithmetic on money, and 1e21 and 1e-7 fail on the
  // exponent.
  const match = PESOS_SHAPE.exec(String(input));
  if (!match) return undefined;
  const [, wholeDigits = '', decimals = ''] = match;
  const count = Number(wholeDigits) * CENTAVOS_PER_PESO + Number(decimals.padEnd(2, '0'));
  return Number.isSafeInteger(count) ? centavos(count) : undefined;
}

/** The wire format: "150000.00" (§money). */
export function pesosText(amountCentavos: Centavos): string {
  const { sign, whole, decimals } = splitPesos(amountCentavos);
  return `${sign}${whole}.${decimals}`;
}

/** The display format: "₱150,000.00". */
export function formatPeso(amountCentavos: Centavos): string {
  const { sign, whole, decimals } = splitPesos(amountCentavos);
  return `${sign}₱${groupThousands(whole)}.${decimals}`;
}

/** For limits in sentences: "₱150,000", with centavos only if there are any. */
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

function splitPesos(amountCentavos: Centavos): { sign: string; whole: string; decimals: string } {
  const digits = String(Math.abs(amountCentavos)).padStart(3, '0');
  return { sign: amountCentavos < 0 ? '-' : '', whole: digits.slice(0, -2), decimals: digits.slice(-2) };
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
