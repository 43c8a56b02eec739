import fs from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { findChromium } from '../../scripts/machine-tools.mjs';
import { cacheDir } from '../../scripts/project.mjs';
import { chromiumFlags } from './chromium-flags.ts';

/** A borrower's phone, the smallest there is (also a larger one at 200 % zoom), and a staff member's screen. */
export const screens = {
  phone: { width: 390, height: 844 },
  small: { width: 320, height: 640 },
  desktop: { width: 1366, height: 850 },
} as const;

export type VisitOptions = {
  screen?: keyof typeof screens;
  colorScheme?: 'light' | 'dark';
  language?: 'en' | 'fil';
  /** Whose session the browser holds. */
  token?: string;
  javaScriptEnabled?: boolean;
  /** Motion is off otherwise, so that nothing is looked at half-way. */
  moves?: boolean;
  /** What the browser will rightly complain about in this test, such as an answer 401. Anything else fails the test. */
  expects?: readonly RegExp[];
};

export type TestBrowser = {
  /** A page of a visitor's own: nothing is shared with another visitor's. Closed when the test ends. */
  visit(options?: VisitOptions): Promise<Page>;
};

type Visitor = { context: BrowserContext; complaints: string[]; expects: readonly RegExp[] };

/** Beyond this nobody would believe that the app still works. */
const patienceMs = 15_000;

/** The files of a worker share it: starting one takes a second. */
let launched: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  if (!(await launched)?.isConnected()) {
    launched = chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  }
  return launched as Promise<Browser>;
}

/**
 * The browser of a whole test file. A test fails when one of its pages throws, writes an error to the console (broken
 * security policies and failed requests among them), or asks anything of another origin than the server's.
 * Call it at the top of the file, below the server that it visits; where that starts later, its origin is asked for
 * with every visit.
 */
export async function testBrowser(serverOrigin: string | (() => string)): Promise<TestBrowser> {
  const browser = await sharedBrowser();
  const visitors: Visitor[] = [];
  afterEach(async ({ task }) => {
    const leaving = visitors.splice(0);
    if (task.result?.state === 'fail') await keepPictures(leaving, task.name);
    await Promise.all(leaving.map(({ context }) => context.close()));
    expect(leaving.flatMap(unexpected)).toEqual([]);
  });
  return {
    async visit(options = {}) {
      const origin = typeof serverOrigin === 'string' ? serverOrigin : serverOrigin();
      const context = await openContext(browser, origin, options);
      const visitor: Visitor = { context, complaints: [], expects: options.expects ?? [] };
      visitors.push(visitor);
      watch(visitor, origin);
      return context.newPage();
    },
  };
}

/** Asks again and again until the answer is the expected one, as a person would wait for it. */
export const soon = <Value>(question: () => Value | Promise<Value>) => expect.poll(question);

async function openContext(browser: Browser, origin: string, options: VisitOptions): Promise<BrowserContext> {
  const { screen = 'phone', colorScheme = 'light', language, token, javaScriptEnabled, moves } = options;
  const stored = Object.entries({ language, token }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const context = await browser.newContext({
    baseURL: origin,
    viewport: screens[screen],
    hasTouch: screen !== 'desktop',
    colorScheme,
    locale: 'en-PH',
    reducedMotion: moves ? 'no-preference' : 'reduce',
    javaScriptEnabled,
    storageState: { cookies: [], origins: [{ origin, localStorage: stored }] },
  });
  context.setDefaultTimeout(patienceMs);
  return context;
}

function watch({ context, complaints }: Visitor, origin: string): void {
  context.on('weberror', (error) => complaints.push(`threw: ${error.error().stack ?? error.error()}`));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) complaints.push(`left the origin: ${request.url()}`);
  });
}

const unexpected = ({ complaints, expects }: Visitor) =>
  complaints.filter((complaint) => !expects.some((pattern) => pattern.test(complaint)));

/** What a failed test's pages showed, under `.cache/browser/`. */
async function keepPictures(visitors: readonly Visitor[], testName: string): Promise<void> {
  const folder = path.join(cacheDir, 'browser');
  fs.mkdirSync(folder, { recursive: true });
  const pages = visitors.flatMap(({ context }) => context.pages());
  for (const [index, page] of pages.entries()) {
    const name = `${testName.replaceAll(/[^\w]+/g, '-').slice(0, 100)}-${index + 1}.png`;
    // A page that hangs has no picture, and the failure is told all the same.
    await page.screenshot({ path: path.join(folder, name), timeout: 5_000 }).catch(() => undefined);
  }
}
