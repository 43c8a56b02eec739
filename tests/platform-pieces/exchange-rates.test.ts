import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fallbackRates } from '#domain/exchange.ts';
import { createRateService } from '#server/platform/exchange-rates.ts';

const liveRates = {
  USD: 0.017,
  EUR: 0.015,
  GBP: 0.013,
  JPY: 2.5,
  AUD: 0.026,
  CAD: 0.023,
  SGD: 0.022,
  HKD: 0.13,
};

const minuteMs = 60_000;

/** A rate service of our own, with a clock that the test turns. `asked` counts the requests that reached it. */
async function start(answer: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  let nowMs = Date.parse('2026-11-20T04:00:00Z');
  const warnings: unknown[] = [];
  const service = createRateService({
    url: `http://127.0.0.1:${port}/v6/latest/PHP`,
    clock: { now: () => new Date(nowMs) },
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
  });
  return {
    service,
    warnings,
    asked: () => asked,
    passMinutes: (minutes: number) => {
      nowMs += minutes * minuteMs;
    },
  };
}

const json =
  (body: unknown): RequestListener =>
  (_, response) =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));

describe('the rate service', () => {
  it.each([
    ['rates', { result: 'success', base_code: 'PHP', rates: { PHP: 1, ...liveRates, XYZ: 9 } }],
    ['rates with base', { base: 'PHP', date: '2026-11-20', rates: liveRates }],
    ['conversion_rates', { base_code: 'PHP', conversion_rates: liveRates }],
  ])('reads an answer with %s and keeps the currencies on offer', async (_, body) => {
    const { service, warnings } = await start(json(body));
    expect(await service.current()).toEqual({
      base: 'PHP',
      rates: liveRates,
      source: 'live',
      asOf: new Date('2026-11-20T04:00:00Z'),
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a missing currency', { rates: { ...liveRates, HKD: undefined } }],
    ['a rate of zero', { rates: { ...liveRates, USD: 0 } }],
    ['a negative rate', { rates: { ...liveRates, USD: -1 } }],
    ['a rate as text', { rates: { ...liveRates, USD: '0.018' } }],
    ['an infinite rate', `{"rates":${JSON.stringify(liveRates).replace('0.017', '1e999')}}`],
    ['a rate that nobody would believe', { rates: { ...liveRates, USD: 0.0059 } }],
    ['a rate three times as high', { rates: { ...liveRates, JPY: 8 } }],
    ['another base', { base_code: 'USD', rates: liveRates }],
    ['no rates', { result: 'error' }],
    ['null', 'null'],
    ['a page', '<!doctype html>'],
    ['nothing', ''],
    ['a flood', JSON.stringify({ rates: liveRates, filler: 'x'.repeat(300_000) })],
  ])('falls back on %s', async (_, body) => {
    const { service, warnings } = await start(json(body));
    expect(await service.current()).toMatchObject({ rates: fallbackRates, source: 'fallback' });
    expect(warnings).toHaveLength(1);
  });

  it('falls back on an error status and on a broken connection', async () => {
    const broken: RequestListener[] = [
      (_, response) => response.writeHead(500).end(JSON.stringify({ rates: liveRates })),
      (request) => request.socket.destroy(),
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('{"rates":');
        setTimeout(() => response.destroy(), 10);
      },
    ];
    for (const answer of broken) {
      const { service } = await start(answer);
      expect((await service.current()).source).toBe('fallback');
    }
  });

  it('asks the configured address, and follows no redirect', async () => {
    const { service, asked } = await start((request, response) => {
      if (request.url === '/elsewhere') return response.end(JSON.stringify({ rates: liveRates }));
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await service.current()).source).toBe('fallback');
    expect(asked()).toBe(1);
  });

  it('waits at most three seconds, even for a body that trickles', async () => {
    const { service } = await start((_, response) => {
      response.write('{"rates":');
      const trickle = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(trickle));
    });
    const startMs = performance.now();
    expect((await service.current()).source).toBe('fallback');
    const waitedMs = performance.now() - startMs;
    expect(waitedMs).toBeGreaterThan(2_900);
    expect(waitedMs).toBeLessThan(10_000);
  });

  it('asks once for simultaneous callers, and once an hour', async () => {
    const { service, asked, passMinutes } = await start(json({ rates: liveRates }));
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => service.current()))).size).toBe(1);
    expect(asked()).toBe(1);
    passMinutes(59);
    await service.current();
    expect(asked()).toBe(1);
    passMinutes(1);
    expect((await service.current()).asOf).toEqual(new Date('2026-11-20T05:00:00Z'));
    expect(asked()).toBe(2);
  });

  it('does not hammer a service that fails: the next try is an hour later', async () => {
    let isUp = false;
    const { service, asked, passMinutes } = await start((request, response) =>
      isUp ? json({ rates: liveRates })(request, response) : response.writeHead(503).end(),
    );
    for (let call = 0; call < 5; call += 1) expect((await service.current()).source).toBe('fallback');
    expect(asked()).toBe(1);
    isUp = true;
    passMinutes(59);
    expect((await service.current()).source).toBe('fallback');
    passMinutes(1);
    expect((await service.current()).source).toBe('live');
    expect(asked()).toBe(2);
  });

  it('asks again after the clock was set back', async () => {
    const { service, asked, passMinutes } = await start(json({ rates: liveRates }));
    await service.current();
    passMinutes(-24 * 60);
    await service.current();
    expect(asked()).toBe(2);
  });

  it('never throws, not even when the address is nonsense', async () => {
    const service = createRateService({
      url: 'nonsense',
      clock: { now: () => new Date(0) },
      log: { warn: () => {} },
    });
    expect((await service.current()).source).toBe('fallback');
  });
});
