import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '#contract/routes.ts';
import { loadWebApp, withFacts } from '#server/http/web-app.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { passingServer, startTestServer, type TestServer } from '#tests/setup/test-server.ts';
import { smallBuild } from './small-build.ts';

const script = `console.log(${JSON.stringify('x'.repeat(5_000))});`;
const places = smallBuild({
  'web/assets/app-1a2b3c.js': script,
  'web/assets/app-1a2b3c.js.br': brotliCompressSync(script),
  'web/robots.txt': 'User-agent: *\n',
  'landing/assets.json': '{"scripts":["/assets/landing.js"]}',
  'landing/landing.mjs': `export const renderFirstSight = (_facts, sight) => '<p>' + sight + '</p>';
    export const renderLanding = ({ lender, language, assets, monthlyRate }) =>
    '<!doctype html><html lang="' + language + '"><head></head>' + lender.name + ' at ' + monthlyRate + assets.scripts[0] + '</html>';`,
});

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    web: await loadWebApp(places, { lender: sampleLender, monthlyRate: 250 }),
  });
});

afterAll(() => server.close());

type Ask = { method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'; headers?: Record<string, string> };
const get = (url: string, { method = 'GET', headers = {} }: Ask = {}) =>
  server.app.inject({ url, method, headers });

it('every page is in the lender’s own colour, if it has one', async () => {
  const facts = { lender: { ...sampleLender, colour: '#5b2a86' }, monthlyRate: 250 };
  const own = await loadWebApp(places, facts);
  for (const page of [own.index, own.landing.en, own.landing.fil]) {
    expect(page.plain.body.toString()).toContain('<style>:root{--color-leaf:#5b2a86;');
  }
  expect((await get('/loan-app')).body).not.toContain('--color-leaf:');
});

describe('the landing page', () => {
  it('is rendered at start, in both languages', async () => {
    const english = await get('/');
    expect([english.statusCode, english.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(english.body).toBe(
      `<!doctype html><html lang="en"><head></head>${sampleLender.name} at 250/assets/landing.js</html>`,
    );
    expect((await get('/?lang=fil')).body).toContain('<html lang="fil">');
    for (const odd of ['/?lang=xx', '/?lang=', '/?lang=fil&lang=en', '/?register=true']) {
      expect((await get(odd)).body).toContain('<html lang="en">');
    }
  });

  it('is revalidated at each visit', async () => {
    const first = await get('/');
    expect(first.headers['cache-control']).toBe('no-cache');
    const etag = String(first.headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/', { headers: { 'if-none-match': known } });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const changed = await get('/?lang=fil', { headers: { 'if-none-match': etag } });
    expect(changed.statusCode).toBe(200);
  });
});

describe('the app’s page', () => {
  it.each(Object.values(paths).filter((screen) => screen !== '/'))('is at %s', async (screen) => {
    for (const url of [screen, `${screen}?register=true`, `${screen}/`, screen.toUpperCase()]) {
      const { statusCode, body } = await get(url);
      expect([statusCode, body.includes('<title>App</title>')], url).toEqual([200, true]);
    }
  });

  it.each([
    ['/app-login', 'sign-in'],
    ['/login', 'sign-in'],
    ['/app-login?register=true', 'register'],
    ['/login?register=true', 'sign-in'],
    ['/loan-app', 'borrower'],
    ['/wallet?register=true', 'borrower'],
    ['/management', '/management'],
    ['/management/today', '/management/today'],
    ['/management/loans/7', undefined],
    ['/admin-login', undefined],
    ['/nothing', undefined],
  ])('at %s begins with what is seen first: %s', async (url, sight) => {
    const { body } = await get(url);
    expect(/<body><p>(.*)<\/p>/.exec(body)?.[1]).toBe(sight);
  });

  it.each([
    '/nothing',
    '/management/nothing',
    '/wallet/x',
    '/index.html',
    '/assets/old-9z9z9z.js',
    '/.env',
    '/..%2f..%2fpackage.json',
    '/assets/../../landing/assets.json',
    '/%00',
  ])('is at %s too, but as a 404', async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).toContain('<title>App</title>');
  });

  it('carries the installation’s facts', async () => {
    const { body } = await get('/loan-app');
    const json = /<script type="application\/json" id="installation">(.*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual({ lender: sampleLender, monthlyRate: 250 });
  });

  it('cannot be broken by their content', () => {
    const name = "</script><script>alert('$&')</script><!--";
    const html = withFacts('<head></head>', { lender: { ...sampleLender, name }, monthlyRate: 250 });
    expect(html.match(/<script/g)).toHaveLength(1);
    const json = /<script[^>]*>(.*)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(json).lender.name).toBe(name);
    // A page that has a place for them gets them there.
    const again = withFacts(html, { lender: sampleLender, monthlyRate: 99 });
    expect(again.match(/id="installation"/g)).toHaveLength(1);
    expect(again).toContain('"monthlyRate":99');
  });

  it('comes in the encoding that the browser accepts', async () => {
    const plain = (await get('/wallet')).body;
    const asked = async (encoding: string) => get('/wallet', { headers: { 'accept-encoding': encoding } });
    const br = await asked('gzip, deflate, br, zstd');
    expect([br.headers['content-encoding'], brotliDecompressSync(br.rawPayload).toString()]).toEqual([
      'br',
      plain,
    ]);
    const gzip = await asked('gzip, br;q=0');
    expect([gzip.headers['content-encoding'], gunzipSync(gzip.rawPayload).toString()]).toEqual([
      'gzip',
      plain,
    ]);
    const none = await asked('identity');
    expect([none.headers['content-encoding'], none.body]).toEqual([undefined, plain]);
    expect(new Set([br, gzip, none].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers } of [br, gzip, none]) expect(headers.vary).toContain('accept-encoding');
  });
});

it('tells who is told of a hole, from the lender’s file', async () => {
  const { statusCode, headers, body } = await get('/.well-known/security.txt');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toContain(`Contact: mailto:${sampleLender.supportEmail}\n`);
  const expires = /^Expires: (.*)$/m.exec(body)?.[1] ?? '';
  expect(Date.parse(expires)).toBeGreaterThan(server.clock.now().getTime());
});

describe('files', () => {
  it('with a hash in their name are kept for a year', async () => {
    const plain = await get('/assets/app-1a2b3c.js');
    expect([plain.statusCode, plain.body]).toEqual([200, script]);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/javascript/),
      vary: 'accept-encoding',
    });
    const br = await get('/assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'br' } });
    expect([br.headers['content-encoding'], brotliDecompressSync(br.rawPayload).toString()]).toEqual([
      'br',
      script,
    ]);
    expect(br.headers['content-type']).toMatch(/javascript/);
    // There is no .gz beside it: the plain one serves.
    const gzip = await get('/assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'gzip' } });
    expect([gzip.headers['content-encoding'], gzip.body]).toEqual([undefined, script]);
  });

  it('without one are revalidated', async () => {
    const { statusCode, headers } = await get('/robots.txt');
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(
      (await get('/robots.txt', { headers: { 'if-none-match': String(headers.etag) } })).statusCode,
    ).toBe(304);
  });

  it('are not served under their compressed names', async () => {
    expect((await get('/assets/app-1a2b3c.js.br')).statusCode).toBe(404);
  });
});

describe('other methods', () => {
  it('HEAD is answered without a body', async () => {
    for (const url of ['/', '/wallet', '/assets/app-1a2b3c.js', '/robots.txt']) {
      const { statusCode, body, headers } = await get(url, { method: 'HEAD' });
      expect([statusCode, body], url).toEqual([200, '']);
      expect(Number(headers['content-length']), url).toBeGreaterThan(0);
    }
    expect((await get('/nothing', { method: 'HEAD' })).statusCode).toBe(404);
  });

  it.each(['POST', 'DELETE'] as const)('%s is refused in JSON', async (method) => {
    for (const url of ['/', '/wallet', '/nothing']) {
      const response = await get(url, { method });
      expect([response.statusCode, response.json().code]).toEqual([404, 'not_found']);
    }
  });
});

it('the app can be installed, with the lender’s name, colour and icon', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1"/></svg>';
  const lender = { ...sampleLender, tradeName: 'Sample Loans', colour: '#5b2a86', logo: '/lender/0123.svg' };
  const logo = { file: 'logo.svg', path: lender.logo, contentType: 'image/svg+xml', bytes: Buffer.from(svg) };
  const own = await passingServer({
    config: { lenderPictures: [logo] },
    web: await loadWebApp(places, { lender, monthlyRate: 250 }),
  });
  const response = await own.app.inject('/manifest.webmanifest');
  expect(response.headers['content-type']).toMatch(/^application\/manifest\+json/);
  const { icons, ...manifest } = response.json();
  expect(manifest).toMatchObject({
    name: 'Sample Loans',
    theme_color: '#5b2a86',
    display: 'standalone',
    start_url: '/loan-app',
  });
  for (const { src, sizes } of icons) {
    const icon = await own.app.inject(src);
    expect(icon.headers['content-type']).toBe('image/png');
    // A PNG begins with its size.
    const [width, height] = [16, 20].map((at) => icon.rawPayload.readUInt32BE(at));
    expect(`${width}x${height}`).toBe(sizes);
  }
});

it('an unknown path under /api is never the app’s page', async () => {
  for (const url of ['/api', '/api/', '/api/nothing', '/api/admin/nothing?x=1']) {
    const response = await get(url, { headers: { accept: 'text/html' } });
    expect([response.statusCode, response.json().code], url).toEqual([404, 'not_found']);
  }
});

it('every page has a content policy', async () => {
  for (const url of ['/', '/wallet', '/nothing', '/assets/app-1a2b3c.js', '/api/nothing']) {
    const { headers } = await get(url);
    expect(headers['content-security-policy'], url).toContain("default-src 'none'");
    expect(headers['content-security-policy'], url).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(headers['x-content-type-options'], url).toBe('nosniff');
  }
});

describe('a lender’s own name and logos', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const logo = {
    file: 'logo.svg',
    path: '/lender/0123.svg',
    contentType: 'image/svg+xml',
    bytes: Buffer.from(svg),
  };

  it('are served as inert pictures, cached by browsers, and nothing else in their folder is', async () => {
    const own = await passingServer({ config: { lenderPictures: [logo] } });
    const { statusCode, headers, body } = await own.app.inject(logo.path);
    expect([statusCode, body]).toEqual([200, svg]);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    });
    for (const other of [
      '/lender/',
      '/lender/logo.svg',
      '/lender/..%2flender.json',
      '/lender/../package.json',
    ])
      expect((await own.app.inject(other)).statusCode, other).toBe(404);
  });

  it('are the title and the icon of the app’s page before its script runs', () => {
    const page = '<head><title>Hiram</title><link rel="icon" href="/assets/favicon.svg"></head>';
    const withName = (tradeName: string) =>
      withFacts(page, { lender: { ...sampleLender, tradeName, logo: logo.path }, monthlyRate: 250 });
    expect(withName('Santos & Sons </title>')).toContain('<title>Santos &amp; Sons &lt;/title></title>');
    expect(withName('Santos')).toContain('<link rel="icon" href="/lender/0123.svg">');
    expect(withFacts(page, { lender: sampleLender, monthlyRate: 250 })).toContain('/assets/favicon.svg');
  });
});
