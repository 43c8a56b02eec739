import * as z from 'zod/mini';
import { type ExchangeRatesReply, rateTable } from '#contract/exchange.ts';
import { currencies, type ExchangeRates, fallbackRates } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { type Clock, minuteMs } from './clock.ts';
import type { Logger } from './logger.ts';

type CurrentRates = z.input<typeof ExchangeRatesReply>;

/** §exchange-rates. */
export type RateService = ReturnType<typeof createRateService>;

/** Far more than a table of every currency; a third party's service may send anything. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** Asks at most once an hour; after a failure the built-in table is used until then. Callers share the answer. */
export function createRateService(parts: { url: string; clock: Clock; log: Pick<Logger, 'warn'> }) {
  const { url, clock, log } = parts;
  let newest: CurrentRates | undefined;
  let lastKnown: ExchangeRates = fallbackRates;
  let asking: Promise<CurrentRates> | undefined;

  const isFresh = (rates: CurrentRates) => {
    const ageMs = clock.now().getTime() - rates.asOf.getTime();
    // The clock was set back: ask again rather than wait for it.
    return ageMs >= 0 && ageMs < limits.rateServiceEveryMinutes * minuteMs;
  };

  const refresh = async (): Promise<CurrentRates> => {
    const asOf = clock.now();
    try {
      lastKnown = readRates(await download(url), lastKnown);
      newest = { base: 'PHP', rates: lastKnown, source: 'live', asOf };
    } catch (error) {
      log.warn({ err: error }, 'the rate service could not be read; the built-in rates are used');
      newest = { base: 'PHP', rates: fallbackRates, source: 'fallback', asOf };
    } finally {
      asking = undefined;
    }
    return newest;
  };

  return {
    /** Never throws. */
    async current(): Promise<CurrentRates> {
      if (newest && isFresh(newest)) return newest;
      asking ??= refresh();
      return asking;
    },
  };
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, {
    // Covers connecting, headers and body together.
    signal: AbortSignal.timeout(limits.rateServiceTimeoutMs),
    headers: { accept: 'application/json' },
    // The setting names the service; the service may not name another.
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the rate service answered ${response.status}`);
  return boundedText(response);
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the body, so the rest is never downloaded.
    if (length > ANSWER_MAX_BYTES) throw new Error('the answer of the rate service is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const peso = z.optional(z.literal('PHP'));

/** The reply of the rate services that may be configured. */
const Answer = z.object({
  base_code: peso,
  base: peso,
  rates: z.optional(rateTable),
  conversion_rates: z.optional(rateTable),
});

/** Throws for a base other than the peso, a missing rate, and one so far from the last known that it must be wrong. */
function readRates(text: string, lastKnown: ExchangeRates): ExchangeRates {
  const answer = Answer.parse(JSON.parse(text));
  const rates = answer.rates ?? answer.conversion_rates;
  if (!rates) throw new Error('the rate service answered no rates');
  for (const { code } of currencies) {
    const change = rates[code] / lastKnown[code];
    if (change > limits.rateChangeMaxFactor || change < 1 / limits.rateChangeMaxFactor) {
      throw new Error(
        `the rate service answered ${rates[code]} for ${code}, where ${lastKnown[code]} was known`,
      );
    }
  }
  return rates;
}
