import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadWebApp } from '#server/http/web-app.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts';
import { smallBuild } from './small-build.ts';

const places = smallBuild({
  'web/assets/app-1a2b3c.js': 'export {};',
  'landing/assets.json': '{}',
  'landing/landing.mjs': `export const renderFirstSight = (_facts, sight) => '<p>' + sight + '</p>';
    export const renderLanding = () => '<!doctype html><html></html>';`,
});

let server: TestServer;
let fileUrl: string;
let borrowerToken: string;
let adminToken: string;

beforeAll(async () => {
  const web = await loadWebApp(places, { lender: sampleLender, monthlyRate: 250 });
  server = await startTestServer({ web, config: { trustProxy: ['10.9.9.9'] } });
  borrowerToken = (await server.verifiedBorrower()).token;
  fileUrl = (await server.upload(borrowerToken)).url;
  adminToken = await server.signInMainAdmin();
});

afterAll(() => server.close());

type Kind = {
  url: () => string;
  token?: () => string;
  headers?: Record<string, string>;
  /** Sent with POST. */
  body?: object;
  status: number;
};

const borrower = () => borrowerToken;

/** Every kind of answer there is, by what it is. */
const kinds: Record<string, Kind> = {
  'the landing page': { url: () => '/', status: 200 },
  'a screen of the app': { url: () => '/wallet', status: 200 },
  'a page that is not there': { url: () => '/nothing', status: 404 },
  'a script': { url: () => '/assets/app-1a2b3c.js', status: 200 },
  'personal data': { url: () => '/api/user/profile', token: borrower, status: 200 },
  'the archive of somebody’s data': {
    url: () => '/api/user/data.zip',
    token: borrower,
    body: { password: 'borrower password' },
    status: 200,
  },
  'a document': { url: () => fileUrl, token: borrower, status: 200 },
  'a list row by row': {
    url: () => '/api/admin/users',
    token: () => adminToken,
    headers: { accept: 'application/x-ndjson' },
    status: 200,
  },
  'what anybody may ask': { url: () => '/api/exchange-rates', status: 200 },
  'the page of the API': { url: () => '/api/docs', status: 200 },
  'a refusal': { url: () => '/api/user/profile', status: 401 },
  'a refusal of a role': { url: () => '/api/admin/users', token: borrower, status: 403 },
  'an endpoint by another spelling': { url: () => '/%61pi/user/profile', token: borrower, status: 200 },
  'an unknown path of the API': { url: () => '/api/nothing', status: 404 },
  'the bare API path': { url: () => '/api', status: 404 },
  'an address that is none': { url: () => '/api/files/%zz', status: 404 },
  health: { url: () => '/healthz', status: 200 },
};

/** Refused before anything else is known, a proxy in front of us included. It is JSON in two words. */
const unreadable = 'an address that is none';

const ask = ({ url, token, headers, body }: Kind, from = '127.0.0.1') =>
  server.app.inject({
    ...(body && { method: 'POST', payload: body }),
    url: url(),
    remoteAddress: from,
    headers: { ...(token ? { authorization: `Bearer ${token()}` } : {}), ...headers },
  });

describe.each(Object.entries(kinds))('%s', (name, kind) => {
  it('carries the security headers', async () => {
    const { statusCode, headers } = await ask(kind);
    expect(statusCode).toBe(kind.status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), '),
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    // The only frames are of papers that the page made itself, to print them.
    expect(policy).not.toMatch(/(frame|child|object)-src(?! blob:(;|$))/);
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|nonce|data:|blob:|\*)/);
    if (name === 'a document') expect(policy).toMatch(/; sandbox$/);
    else if (name !== unreadable)
      expect(policy).toContain("require-trusted-types-for 'script';trusted-types offline-page");
    expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
  });

  it('is cached only when it is the same for everybody', async () => {
    const { headers } = await ask(kind);
    const kept = /^\/(api|%61pi)/.test(kind.url()) || kind.url() === '/healthz' ? 'no-store' : 'no-cache';
    expect(headers['cache-control']).toBe(name === 'a script' ? 'public, max-age=31536000, immutable' : kept);
  });

  if (name === unreadable) return;
  it('promises TLS only when it came by TLS', async () => {
    const https = { ...kind, headers: { ...kind.headers, 'x-forwarded-proto': 'https' } };
    expect((await ask(kind)).headers['strict-transport-security']).toBeUndefined();
    // Whoever is not a proxy of ours may claim anything.
    expect((await ask(https)).headers['strict-transport-security']).toBeUndefined();
    expect((await ask(https, '10.9.9.9')).headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('signing out', () => {
  it('clears the browser’s cache, and nothing else does', async () => {
    const borrower = await server.registerBorrower();
    const signedOut = await borrower.signOut().success();
    expect(signedOut.headers['clear-site-data']).toBe('"cache"');
    // Everybody can provoke a 401; the app's files would be fetched anew each time.
    const refused = await borrower.readProfile().answer();
    expect([refused.status, refused.headers['clear-site-data']]).toEqual([401, undefined]);
    const again = await borrower.signOut().answer();
    expect([again.status, again.headers['clear-site-data']]).toEqual([401, undefined]);
  });
});

it('a request that cannot be parsed gets the security headers too', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const address = server.app.server.address() as net.AddressInfo;
  const answer = await new Promise<string>((resolve, reject) => {
    let said = '';
    const socket = net.connect(address.port, '127.0.0.1', () => socket.write('GET / HTTP/9\r\n\r\n'));
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('X-Content-Type-Options: nosniff\r\n');
  expect(answer).toContain('Cache-Control: no-store\r\n');
});
