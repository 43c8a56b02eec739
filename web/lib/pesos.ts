import { type Centavos, centavos, parsePesos, parseSignedPesos } from '#domain/money.ts';

/** An amount of the API, which writes pesos as text. Zero if it is none, as while a field is typed. */
export const amountOf = (pesos: string | number): Centavos => parsePesos(pesos) ?? centavos(0);

export const sumOf = (amounts: readonly string[]): Centavos =>
  centavos(amounts.reduce((sum, amount) => sum + amountOf(amount), 0));

/** The same of an amount that may be below zero, such as interest that is given back. */
export const signedAmountOf = (pesos: string): Centavos => parseSignedPesos(pesos) ?? centavos(0);
