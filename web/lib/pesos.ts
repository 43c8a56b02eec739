import { type Centavos, centavos, parsePesos } from '#domain/money.ts';

/** An amount of the API, which writes pesos as text. Zero if it is none, as while a field is typed. */
export const amountOf = (pesos: string | number): Centavos => parsePesos(pesos) ?? centavos(0);

export const sumOf = (amounts: readonly string[]): Centavos =>
  centavos(amounts.reduce((sum, amount) => sum + amountOf(amount), 0));
