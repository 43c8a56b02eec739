import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { createLogger } from '#server/platform/logger.ts';
import { refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';

const said: Record<string, unknown>[] = [];
const log = createLogger({
  level: 'warn',
  destination: { write: (line) => void said.push(JSON.parse(line)) },
});
const server = await testServer({
  config: { trustProxy: ['10.0.0.0/8', '2001:db8:f::/48', 'fe80::/10', '127.0.0.1'] },
  deps: { log },
});
let tests = 0;
beforeEach(() => {
  said.length = 0;
  // More than an hour apart, since the server remembers when it logged last.
  tests += 1;
  server.clock.advance({ hours: 2 * tests });
});

const proxy = '10.0.0.1';
const attempt = { phone: '09170000000', password: 'wrong word' };
const from = (header: string, address = proxy) => ({ headers: { 'x-forwarded-for': header }, address });

const newestSender = async () =>
  (await server.main.listAudit()).find(({ action }) => action === 'sign_in_failed')?.ipAddress;

/** The address that a failed sign-in was logged with. */
async function seen(header: string, address = proxy) {
  await refused(server.visitor.signIn(attempt, from(header, address)), 401);
  return newestSender();
}

describe('an entry of X-Forwarded-For that names an address', () => {
  it.each([
    ['with a port', '203.0.113.77:51008', '203.0.113.77'],
    ['with an empty port', '203.0.113.77:', '203.0.113.77'],
    ['with a hidden port', '203.0.113.77:_gate-1', '203.0.113.77'],
    ['of IPv6', '2001:DB8::1', '2001:db8::1'],
    ['of IPv6 in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['of IPv6 with a port', '[2001:db8::1]:443', '2001:db8::1'],
    ['of IPv6 that ends like a port', '2001:db8::1:443', '2001:db8::1:443'],
    ['of IPv6 with a zone', 'fe81::1%eth0, 2001:db8:f::2%eth0', 'fe81::1'],
    ['of IPv6 with a zone, as a URL has it', '[2001:db8::7%25en0]:443', '2001:db8::7'],
    ['of IPv4 within IPv6', '::ffff:203.0.113.77', '203.0.113.77'],
    ['of IPv4 within IPv6, with a port', '[::FFFF:203.0.113.77]:8080', '203.0.113.77'],
    ['in quotes', '"203.0.113.77"', '203.0.113.77'],
    ['in quotes, with a port', '"[2001:db8::1]:443"', '2001:db8::1'],
    ['in quotes, with needless backslashes', '"203\\.0.113.77"', '203.0.113.77'],
    ['spelled as in Forwarded', 'for=203.0.113.77', '203.0.113.77'],
    ['spelled as in Forwarded, with more', 'proto=https;For="[2001:db8::1]:443";by=10.0.0.1', '2001:db8::1'],
    ['between spaces', ' \t 203.0.113.77:51008 \t', '203.0.113.77'],
    ['after empty parts', ', ,203.0.113.77', '203.0.113.77'],
    ['before empty parts', '203.0.113.77:1,, ,', '203.0.113.77'],
    ['after what cannot be read', 'unknown, "x, 203.0.113.77:51008', '203.0.113.77'],
    ['behind two named proxies', 'spoofed, 203.0.113.77:1, 10.0.0.9:80, [2001:db8:f::2]:80', '203.0.113.77'],
    ['of a client that is in a named range itself', '10.0.0.3:1, 10.0.0.2:2', '10.0.0.3'],
    ['after very many', `${'198.51.100.1, '.repeat(700)}203.0.113.77`, '203.0.113.77'],
    ['before very many named proxies', `203.0.113.77${', 10.0.0.2:80'.repeat(700)}`, '203.0.113.77'],
  ])('%s is read', async (_how, header, address) => {
    expect(await seen(header)).toBe(address);
    expect(said).toEqual([]);
  });
});

const unreadable: [what: string, header: string, nearest: string][] = [
  ['nobody', '', proxy],
  ['nobody, by commas', ' , ,', proxy],
  ['unknown', 'unknown', proxy],
  ['a hidden name', '_hidden', proxy],
  ['a hidden name in quotes', '"_SEVKISEK"', proxy],
  ['a name', 'office.example.com', proxy],
  ['a socket', 'unix:', proxy],
  ['nothing before the last proxy', 'unknown, 10.0.0.2:80', '10.0.0.2'],
  ['a client’s own claim', '203.0.113.77, unknown', proxy],
  ['an open quotation mark', '"203.0.113.77', proxy],
  ['an address with leading zeros', '203.000.113.007', proxy],
  ['a short address', '10.1', proxy],
  ['IPv4 in brackets', '[203.0.113.77]', proxy],
  ['open brackets', '[2001:db8::1', proxy],
  ['a port that is too long', '203.0.113.77:123456', proxy],
  ['a range', '203.0.113.0/24', proxy],
  ['two at once', 'for=203.0.113.77;for=203.0.113.78', proxy],
  ['two by a space', '203.0.113.77 203.0.113.78', proxy],
  ['a fake of brackets', `[${':'.repeat(9_000)}`, proxy],
];

describe('a header of a named proxy that names nobody', () => {
  it.each(unreadable)('(%s) counts as the proxy’s own address', async (_what, header, nearest) => {
    expect(await seen(header)).toBe(nearest);
    expect(said).toHaveLength(1);
  });

  it('or none at all beside others that it sends counts so too: only X-Forwarded-For is believed', async () => {
    const headers = { forwarded: 'for=203.0.113.77', 'x-real-ip': '203.0.113.77' };
    await refused(server.visitor.signIn(attempt, { headers, address: proxy }), 401);
    expect(await newestSender()).toBe(proxy);
    expect(said).toHaveLength(1);
    const ipAddress = '203.0.113.0/24';
    await refused(
      server.main.addAllowedIp({ ipAddress }, { headers, address: proxy }),
      409,
      'sender_not_named',
    );
  });

  it.each(unreadable)('(%s) is refused for staff where a list is set', async (_what, header) => {
    await server.main.addAllowedIp({ ipAddress: '10.0.0.0/8' }, { address: proxy });
    await server.main.listMembers(undefined, from('10.7.7.7:51008'));
    await refused(server.main.listMembers(undefined, from(header)), 403, 'ip_not_allowed');
    const signIn = { username: 'admin', password: mainAdminPassword };
    await refused(server.visitor.signIn(signIn, from(header)), 403, 'ip_not_allowed');
    await refused(
      server.visitor.signIn({ ...signIn, password: 'a wrong word' }, from(header)),
      403,
      'ip_not_allowed',
    );
    // Borrowers are not restricted.
    await refused(server.visitor.signIn(attempt, from(header)), 401);
  });

  it('cannot begin a list, and the sentence says why', async () => {
    const body = { ipAddress: '203.0.113.0/24' };
    const told = await refused(server.main.addAllowedIp(body, from('unknown')), 409, 'sender_not_named');
    expect(told.message).toContain('X-Forwarded-For');
    expect(await server.main.listAllowedIps()).toEqual([]);
    await server.main.addAllowedIp(body, from('198.51.100.9:51008'));
    const entries = await server.main.listAllowedIps(from('198.51.100.9:51009'));
    expect(entries.map(({ ipAddress }) => ipAddress)).toEqual(['203.0.113.0/24', '198.51.100.9']);
  });

  it('shares the limits of the proxy, and an address that is read has its own', async () => {
    const register = (index: number, header: string) =>
      server.visitor
        .register(
          { phone: `0918${1_000_000 + index}`, password: 'a password', fullName: 'Ana Reyes' },
          from(header),
        )
        .answer();
    const shared = Array.from({ length: limits.registrationsPerAddressPerHour }, (_, index) =>
      register(index, ['unknown', '_hidden', ''][index % 3] ?? ''),
    );
    expect(new Set((await Promise.all(shared)).map(({ status }) => status))).toEqual(new Set([201]));
    expect((await register(900, 'unknown')).status).toBe(429);
    expect((await register(901, '203.0.113.77:51008')).status).toBe(201);
  });

  it('is logged once an hour, with its shape and nothing of what it says', async () => {
    const header = 'Secret, 203.0.113.77:51008 x, [2001:db8::1';
    await seen(header);
    await seen('unknown');
    expect(said).toEqual([
      expect.objectContaining({
        level: 'warn',
        proxy,
        shape: 'aaaaaa, 999.9.999.99:99999 a, [9999:aa9::9',
        msg: expect.stringMatching(/TRUST_PROXY.*X-Forwarded-For/),
      }),
    ]);
    server.clock.advance({ hours: 1 });
    await seen(`${'Näme\u0080'.repeat(60)}, unknown`);
    expect(said).toHaveLength(2);
    expect(String(said[1]?.shape)).toMatch(/^….{100}$/);
    expect(String(said[1]?.shape)).toMatch(/^…[a?, ]+, aaaaaaa$/);
  });

  it('of a stranger is not read at all', async () => {
    expect(await seen('203.0.113.77:51008', '192.0.2.1')).toBe('192.0.2.1');
    expect(said.map(({ shape }) => shape)).toEqual([undefined]);
  });
});

it('believes a proxy by its own address in any form: with a zone, and within IPv6', async () => {
  expect(await seen('203.0.113.77:51008', 'fe80::1%eth0')).toBe('203.0.113.77');
  expect(await seen('203.0.113.78:51008', '::ffff:10.0.0.1')).toBe('203.0.113.78');
  expect(await seen('unknown', 'fe80::1%eth0')).toBe('fe80::1');
});

it('reads several headers of one name as one, from the last', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const request = http.request(
      { port, host: '127.0.0.1', method: 'POST', path: '/api/auth/login', agent: false },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      },
    );
    request.on('error', reject);
    request.setHeader('content-type', 'application/json');
    request.setHeader('x-forwarded-for', ['198.51.100.1', '203.0.113.77:51008', '"10.0.0.2:80"']);
    request.end(JSON.stringify(attempt));
  });
  expect(answer).toBe(401);
  expect(await newestSender()).toBe('203.0.113.77');
});

describe('the name of a request', () => {
  const named = 'edge-7f3a9c21';
  const idOf = async (remoteAddress: string, id: string) => {
    const headers = { 'x-request-id': id };
    const response = await server.app.inject({ url: '/api/user/profile', remoteAddress, headers });
    return response.headers['x-request-id'];
  };

  it('is the one that our proxy gave it, in the answer and in the log', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const own = await passingServer({
      config: { trustProxy: ['10.0.0.0/8'] },
      deps: { database: server.database, log: createLogger({ level: 'info', destination }) },
    });
    const headers = { 'x-request-id': named };
    const response = await own.app.inject({ url: '/api/user/profile', remoteAddress: proxy, headers });
    expect(response.headers['x-request-id']).toBe(named);
    expect(lines.map((line) => JSON.parse(line).reqId)).toEqual([named]);
  });

  it('is ours where a stranger gave one, or a proxy one that is no name', async () => {
    const ours = /^[0-9a-f-]{36}$/;
    expect(await idOf('203.0.113.9', named)).toMatch(ours);
    for (const id of ['short', 'with a space in it', 'x'.repeat(101)])
      expect(await idOf(proxy, id), id).toMatch(ours);
  });
});
