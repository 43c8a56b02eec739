import * as z from 'zod/mini';
import { momentReply } from './fields.ts';

/** Currency units per peso (§exchange-rates). */
export const ExchangeRatesReply = z.object({
  base: z.literal('PHP'),
  rates: z.record(z.string(), z.number()),
  source: z.enum(['live', 'fallback']),
  asOf: momentReply,
});
export type ExchangeRates = z.output<typeof ExchangeRatesReply>;
