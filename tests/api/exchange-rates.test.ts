import { afterEach, describe, expect, it, vi } from 'vitest';
import * as api from '#contract/api.ts';
import { fallbackRates } from '#domain/exchange.ts';
import { createRateService } from '#server/platform/exchange-rates.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  vi.unstubAllGlobals();
  await server?.close();
});

/** A server whose rate service is the real one, asking `answer` instead of the network. Counts how often it asks. */
async function serverAsking(answer: () => Promise<Response>) {
  let asked = 0;
  const clock = createTestClock();
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return answer();
  });
  const rates = createRateService({ url: 'https://rates.example/PHP', clock, log: { warn() {} } });
  server = await startTestServer({ deps: { rates, clock } });
  const { succeed } = server;
  return { clock, asked: () => asked, read: async () => (await succeed(api.readExchangeRates)).body };
}

const liveRates = { ...fallbackRates, USD: 0.0171, NOK: 0.18 };

describe('exchange rates', () => {
  it('are live where the rate service answers, asked once an hour', async () => {
    const { clock, read, asked } = await serverAsking(async () =>
      Response.json({ base_code: 'PHP', rates: liveRates }),
    );
    const first = await read();
    expect(first).toEqual({
      base: 'PHP',
      rates: { ...fallbackRates, USD: 0.0171 },
      source: 'live',
      asOf: '2026-03-10T04:00:00.000Z',
    });
    clock.advance({ minutes: 59 });
    expect(await read()).toEqual(first);
    expect(asked()).toBe(1);
    clock.advance({ minutes: 1 });
    expect((await read()).asOf).toBe('2026-03-10T05:00:00.000Z');
    expect(asked()).toBe(2);
  });

  it('are the built-in ones, with no failure, where it does not', async () => {
    const { read, asked } = await serverAsking(async () => {
      throw new Error('no network');
    });
    for (let time = 0; time < 3; time += 1) {
      expect(await read()).toMatchObject({ base: 'PHP', rates: fallbackRates, source: 'fallback' });
    }
    expect(asked()).toBe(1);
  });

  it('are the built-in ones where an answer cannot be used', async () => {
    const { read } = await serverAsking(async () =>
      Response.json({ base_code: 'PHP', rates: { ...liveRates, JPY: 0 } }),
    );
    expect((await read()).source).toBe('fallback');
  });
});
