import { areUsableRates, currencies, type ExchangeRates, fallbackRates } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { type Clock, minuteMs } from './clock.ts';
import type { Logger } from './logger.ts';

export type CurrentRates = {
  base: 'PHP';
  /** Units of each currency for one peso. */
  rates: ExchangeRates;
  source: 'live' | 'fallback';
  /** When the rate service was asked. */
  asOf: Date;
};

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

/** Throws for a base other than the peso, a missing rate, and one so far from the last known that it must be wrong. */
function readRates(text: string, lastKnown: ExchangeRates): ExchangeRates {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('the rate service answered no object');
  const own = (name: string): unknown =>
    Object.hasOwn(answer, name) ? Reflect.get(answer, name) : undefined;
  const base = own('base_code') ?? own('base');
  if (base !== undefined && base !== 'PHP') throw new Error('the rate service answered for another currency');
  const rates = own('rates') ?? own('conversion_rates');
  if (!areUsableRates(rates)) throw new Error('the rate service answered no usable rates');
  const offered = currencies.map(({ code }) => [code, rates[code]] as const);
  for (const [code, rate] of offered) {
    const change = rate / lastKnown[code];
    if (change > limits.rateChangeMaxFactor || change < 1 / limits.rateChangeMaxFactor) {
      throw new Error(`the rate service answered ${rate} for ${code}, where ${lastKnown[code]} was known`);
    }
  }
  return Object.fromEntries(offered) as ExchangeRates;
}
