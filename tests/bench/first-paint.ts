import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { screens } from '#tests/setup/browser.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { chromiumFlags } from '#tests/setup/chromium-flags.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { findChromium } from '../../scripts/machine-tools.mjs';
import { readMembers, signIn } from './callers.ts';
import { inTurn, type Row } from './figures.ts';
import { borrowerPassword, withInstallation } from './installation.ts';

/** A cheap phone on a slow network, as Lighthouse has it. */
const network = { latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8, offline: false };
const slowerProcessor = 4;

/** Each with what is on it once it has what people came for. */
const pages = [
  { name: 'landing', path: '/', content: 'h1', as: undefined },
  { name: 'sign-in', path: '/app-login', content: 'form input', as: undefined },
  { name: 'home', path: '/loan-app', content: '[id^=loan-title]', as: 'borrower' },
  { name: 'wallet', path: '/wallet', content: '[aria-label="Latest message"] :is(p, h2)', as: 'borrower' },
  { name: 'members', path: '/management/members', content: '[data-row-id]', as: 'staff' },
] as const;

type Visit = { origin: string; path: string; content: string; token: string | undefined };

/** When the largest thing of a page is on a slow phone's screen, of as many members and loans, nothing cached. */
export async function measureFirstPaint(rounds: number): Promise<Row[]> {
  const counts = { members: 200, loans: 200, withdrawals: 200 };
  return withInstallation('embedded', counts, async (installation) => {
    const [person] = await readMembers(installation, 1);
    if (!person) throw new Error('there is no member');
    const server = await startBuiltServer({ isMeasured: true, dataDir: installation.dataDir });
    const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
    try {
      const tokenOf = async (body: Parameters<typeof signIn>[2]) =>
        (await signIn(server, person.id, body)).replace('Bearer ', '');
      const tokens = {
        borrower: await tokenOf({ phone: person.phone, password: borrowerPassword }),
        staff: await tokenOf({ username: 'admin', password: mainAdminPassword }),
      };
      const rows: Row[] = [];
      for (const { name, as, ...page } of pages) {
        const visit = { ...page, origin: server.origin, token: as && tokens[as] };
        rows.push(await measurePage(browser, visit, { name, rounds }));
      }
      return rows;
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

async function measurePage(
  browser: Browser,
  visit: Visit,
  { name, rounds }: { name: string; rounds: number },
): Promise<Row> {
  const { files, bytes, pageBytes } = await load(browser, visit);
  const bare = await serveBarePage(pageBytes, bytes - pageBytes);
  try {
    const { product, limit } = await inTurn(rounds, {
      product: async () => (await load(browser, visit)).ms,
      limit: async () =>
        (await load(browser, { ...visit, origin: bare.origin, path: '/', content: 'h1', token: undefined }))
          .ms,
    });
    const what = `${name}: ${files} files, ${Math.round(bytes / 1000)} kB in all`;
    return {
      what,
      product,
      limit,
      limitIs: 'a page and a script of as many bytes',
      unit: 'ms',
      goal: '≤ 1.3',
    };
  } finally {
    bare.stop();
  }
}

/** When the largest thing was on screen, and what has come once the page is at rest. */
async function load(browser: Browser, { origin, path, content, token }: Visit) {
  const localStorage = token === undefined ? [] : [{ name: 'token', value: token }];
  const context = await browser.newContext({
    baseURL: origin,
    viewport: screens.phone,
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const finished: number[] = [];
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => finished.push(encodedDataLength));
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.emulateNetworkConditions', network);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
    await page.goto(path);
    await page.locator(content).first().waitFor();
    await page.waitForLoadState('networkidle');
    const ms = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
          ).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          });
        }),
    );
    const [pageBytes = 0] = finished;
    return { ms, files: finished.length, bytes: finished.reduce((sum, bytes) => sum + bytes, 0), pageBytes };
  } finally {
    await context.close();
  }
}

/** A page of so many bytes that do nothing, whose script of as many as the rest of the product's draws one line of text. */
async function serveBarePage(pageBytes: number, scriptBytes: number) {
  const filling = (bytes: number) => randomBytes(Math.max(0, bytes)).toString('base64').slice(0, bytes);
  const icon = '<link rel="icon" href="data:,">';
  const files: Record<string, [type: string, text: string]> = {
    '/': [
      'text/html',
      `<!doctype html><title>Bare</title>${icon}<!--${filling(pageBytes)}--><body><script src="/a.js"></script>`,
    ],
    '/a.js': ['text/javascript', `/*${filling(scriptBytes)}*/document.body.innerHTML = '<h1>Bare</h1>';`],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
