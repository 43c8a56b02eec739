import * as z from 'zod/mini';
import { type CurrencyCode, currencies } from '#domain/exchange.ts';
import { momentReply } from './fields.ts';

/** Units of each currency on offer for one peso; any others are dropped. */
export const rateTable = z.object(
  Object.fromEntries(currencies.map(({ code }) => [code, z.number().check(z.positive())])) as Record<
    CurrencyCode,
    z.ZodMiniNumber<number>
  >,
);

/** §exchange-rates. */
export const ExchangeRatesReply = z.object({
  base: z.literal('PHP'),
  rates: rateTable,
  source: z.enum(['live', 'fallback']),
  /** When the rate service was asked. */
  asOf: momentReply,
});
export type ExchangeRates = z.output<typeof ExchangeRatesReply>;
