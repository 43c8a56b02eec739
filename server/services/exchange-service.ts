import type { Deps } from '#server/deps.ts';

/** Currency units for one peso, live or built-in: input of `ExchangeRatesReply` (§exchange-rates). Never fails. */
export async function readExchangeRates(deps: Deps) {
  const { base, rates, source, asOf } = await deps.rates.current();
  return { base, rates: { ...rates }, source, asOf };
}
