import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { bothEngines } from '#tests/setup/test-database.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';

const metricsToken = 'a-token-for-metrics';

describe.each(bothEngines)('on %s', async (engine) => {
  const server = await testServer({ engine, config: { metricsToken } });

  const get = (
    url: string,
    { address = '127.0.0.1', headers = {} }: { address?: string; headers?: Record<string, string> } = {},
  ) => server.app.inject({ url, remoteAddress: address, headers });

  describe('health', () => {
    it('is reported while the process lives', async () => {
      const response = await get('/healthz', { address: '198.51.100.1' });
      expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it('says whether the database answers', async () => {
      expect((await get('/readyz')).statusCode).toBe(200);
      const away = await passingServer({
        deps: { database: { ...server.database, isReady: async () => false } },
      });
      const response = await away.app.inject({ url: '/readyz' });
      expect([response.statusCode, response.json().code]).toEqual([503, 'database_unavailable']);
      expect((await away.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    });

    it('answers HEAD', async () => {
      const response = await server.app.inject({ method: 'HEAD', url: '/healthz' });
      expect([response.statusCode, response.body]).toEqual([200, '']);
    });
  });

  describe('metrics', () => {
    it('count the complaints whose clock has run out', async () => {
      const borrower = await server.registerBorrower();
      await borrower.complain({ category: 'service', message: 'Nobody answers the telephone' });
      expect((await get('/metrics')).body).toContain('\ncomplaints_overdue 0\n');
      server.clock.advance({ days: limits.complaintAcknowledgedWithinDays + 1 });
      expect((await get('/metrics')).body).toContain('\ncomplaints_overdue 1\n');
    });

    it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
      'are for this machine: %s',
      async (address) => {
        const response = await get('/metrics', { address });
        expect(response.statusCode).toBe(200);
        expect(response.headers['content-type']).toMatch(/^text\/plain/);
      },
    );

    it('count requests by the pattern of their path', async () => {
      await get('/api/loans/123456/schedule');
      await get('/api/made-up/path');
      const { body } = await get('/metrics');
      expect(body).toContain(
        'http_requests_total{method="GET",route="/api/loans/:id/schedule",status="401"} 1',
      );
      expect(body).not.toContain('123456');
      expect(body).not.toContain('made-up');
    });

    it.each([
      ['from elsewhere', { address: '198.51.100.1' }],
      ['from elsewhere in IPv6', { address: '2001:db8::1' }],
      ['through a proxy', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
      ['through a proxy of the newer kind', { headers: { forwarded: 'for=127.0.0.1' } }],
      ['with the mark of a proxy', { headers: { via: '1.1 cache' } }],
      ['with an address that a proxy names', { headers: { 'x-real-ip': '127.0.0.1' } }],
      ['with a host that a proxy was asked for', { headers: { 'x-forwarded-host': 'localhost' } }],
      ['by TLS that ended at a proxy', { headers: { 'x-forwarded-proto': 'https' } }],
      ['through a network of proxies', { headers: { 'cf-connecting-ip': '127.0.0.1' } }],
      ['with a wrong token', { address: '198.51.100.1', headers: { authorization: 'Bearer wrong' } }],
      ['with an empty token', { address: '198.51.100.1', headers: { authorization: 'Bearer ' } }],
    ])('are not there %s', async (_, from) => {
      const response = await get('/metrics', from);
      expect([response.statusCode, response.json().code]).toEqual([404, 'not_found']);
    });

    it('are served to whoever has the token, from anywhere', async () => {
      const headers = { authorization: `Bearer ${metricsToken}`, 'x-forwarded-for': '198.51.100.1' };
      expect((await get('/metrics', { address: '10.0.0.1', headers })).statusCode).toBe(200);
    });

    it('need a token that is set', async () => {
      const plain = await passingServer({ deps: { database: server.database } });
      for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer']) {
        const response = await plain.app.inject({
          url: '/metrics',
          remoteAddress: '198.51.100.1',
          headers: { authorization },
        });
        expect(response.statusCode).toBe(404);
      }
    });
  });
});
