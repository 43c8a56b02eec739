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

/** What people wait for, as the element that has it; where the page has it from the start, its first paint. */
const pages = [
  { name: 'landing', path: '/', content: undefined, screen: 'phone', as: undefined, goal: '≤ 1.2' },
  { name: 'sign-in', path: '/app-login', content: 'form input', screen: 'phone', as: undefined, goal: '≤ 2' },
  {
    name: 'home',
    path: '/loan-app',
    content: '[id^=loan-title]',
    screen: 'phone',
    as: 'borrower',
    goal: '≤ 2.5',
  },
  {
    name: 'panel',
    path: '/management/members',
    content: '[data-row-id]',
    screen: 'desktop',
    as: 'staff',
    goal: '≤ 2.5',
  },
] as const;

type Visit = {
  origin: string;
  path: string;
  content: string | undefined;
  screen: keyof typeof screens;
  token: string | undefined;
};

declare global {
  // Set by `watchContent`, in the page.
  var contentAt: number | undefined;
}

/** Runs in the page before anything else there. */
function watchContent(content: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(content)) return;
    observer.disconnect();
    // The frame that has it is on screen when the next task runs.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        globalThis.contentAt = performance.now();
      };
      port2.postMessage(undefined);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** How long slow phones of as many members and loans wait for the first sight of a page, nothing cached. */
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
      for (const { name, goal, as, ...page } of pages) {
        const visit = { ...page, origin: server.origin, token: as && tokens[as] };
        rows.push(await measurePage(browser, visit, { name, goal, rounds }));
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
  { name, goal, rounds }: { name: string; goal: string; rounds: number },
): Promise<Row> {
  const { files, bytes } = await load(browser, visit);
  const bare = await serveBarePage(bytes);
  try {
    const { product, limit } = await inTurn(rounds, {
      product: async () => (await load(browser, visit)).ms,
      limit: async () =>
        (await load(browser, { ...visit, origin: bare.origin, path: '/', content: undefined })).ms,
    });
    const what = `${name}: ${files} files, ${Math.round(bytes / 1000)} kB until then`;
    return { what, product, limit, limitIs: 'one file of as many bytes', unit: 'ms', goal };
  } finally {
    bare.stop();
  }
}

/** The time until the content is on screen, and what had come by then. */
async function load(browser: Browser, { origin, path, content, screen, token }: Visit) {
  const localStorage = token === undefined ? [] : [{ name: 'token', value: token }];
  const context = await browser.newContext({
    baseURL: origin,
    viewport: screens[screen],
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  try {
    // The loader that runs this file marks functions by a helper that the page has not.
    await context.addInitScript('globalThis.__name = (named) => named');
    if (content !== undefined) await context.addInitScript(watchContent, content);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const finished: { at: number; bytes: number }[] = [];
    let startedAt: number | undefined;
    devtools.on('Network.requestWillBeSent', ({ timestamp }) => {
      startedAt ??= timestamp;
    });
    devtools.on('Network.loadingFinished', ({ timestamp, encodedDataLength }) => {
      finished.push({ at: (timestamp - (startedAt ?? 0)) * 1_000, bytes: encodedDataLength });
    });
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.emulateNetworkConditions', network);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
    await page.goto(path);
    const contentAt = () =>
      performance.getEntriesByName('first-contentful-paint').length === 0 ? undefined : globalThis.contentAt;
    const paintedAt = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const seen = await page.waitForFunction(content === undefined ? paintedAt : contentAt);
    const ms = Number(await seen.jsonValue());
    const before = finished.filter(({ at }) => at <= ms);
    return { ms, files: before.length, bytes: before.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await context.close();
  }
}

/** A page that has nothing but a line of text, after as many bytes that do nothing. */
async function serveBarePage(bytes: number) {
  const [start, end] = ['<!doctype html><title>Bare</title><!--', '--><h1>Bare</h1>'];
  const filling = randomBytes(bytes).toString('base64').slice(0, bytes);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(start + filling + end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
