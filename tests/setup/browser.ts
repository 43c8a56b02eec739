import fs from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
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
  /** Lets the page without a network answer. Elsewhere it would fetch what a test wants to answer itself. */
  worksOffline?: boolean;
  /** Motion is off otherwise, so that nothing is looked at half-way. */
  moves?: boolean;
  /**
   * Complaints that the browser will rightly make in this test, such as an answer 401.
   * Anything else fails the test.
   */
  expects?: readonly RegExp[];
};

export type TestBrowser = {
  /** A page of a visitor's own: nothing is shared with another visitor's. Closed when the test ends. */
  visit(options?: VisitOptions): Promise<Page>;
  /** The same, with this address opened. */
  open(path: string, options?: VisitOptions): Promise<Page>;
};

/** A page that one visitor after another has for a test. */
type Seat = {
  origin: string;
  hasTouch: boolean;
  context: BrowserContext;
  page: Page;
  complaints: string[];
  expects: readonly RegExp[];
  /** Takes back what its visitor had listen or run there. */
  undo: (() => unknown)[];
  /** True if its visitor did something else that the next one would still meet. */
  isSpent: boolean;
};

/** Calls whose effect stays with a page, or reaches beyond it. */
const lasting = new Set<string | symbol>([
  'context',
  'clock',
  'exposeBinding',
  'exposeFunction',
  'once',
  'setExtraHTTPHeaders',
]);

/** Pages live for seconds: optimising their scripts takes a fifth of their processor time, and does not pay. */
const shortLived = '--js-flags=--max-optimized-bytecode-size=0 --no-maglev';

/** Beyond this nobody would believe that the app still works. */
const patienceMs = 15_000;

/** The files of a worker share it: starting one takes a second. */
let launched: Promise<Browser> | undefined;
/** So do they share its empty pages: starting one and loading the app there for the first time takes most of a second. */
const free: Seat[] = [];
const lastingOrigins = new Set<string>();

/** The pages of an origin are good for the next file too. */
export const keepPagesOf = (origin: string) => void lastingOrigins.add(origin);

async function sharedBrowser(): Promise<Browser> {
  if (!(await launched)?.isConnected()) {
    free.length = 0;
    launched = chromium.launch({ executablePath: findChromium(), args: [...chromiumFlags, shortLived] });
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
  const taken: Seat[] = [];
  afterEach(async ({ task }) => {
    const leaving = taken.splice(0);
    const isFailed = task.result?.state === 'fail';
    if (isFailed) await keepPictures(leaving, task.name);
    await Promise.all(
      leaving.map(async (seat) => {
        if (!isFailed && (await isCleared(seat))) free.push(seat);
        else await seat.context.close();
      }),
    );
    expect(leaving.flatMap(unexpected)).toEqual([]);
  });
  afterAll(async () => {
    const stale = free.filter(({ origin }) => !lastingOrigins.has(origin));
    for (const seat of stale) free.splice(free.indexOf(seat), 1);
    await Promise.all(stale.map(({ context }) => context.close()));
  });
  async function visit({ expects = [], ...options }: VisitOptions = {}): Promise<Page> {
    const origin = typeof serverOrigin === 'string' ? serverOrigin : serverOrigin();
    const hasTouch = options.screen !== 'desktop';
    const at = free.findIndex((seat) => seat.origin === origin && seat.hasTouch === hasTouch);
    const isNew = at < 0 || options.javaScriptEnabled === false || options.worksOffline === true;
    const seat = isNew ? await openSeat(browser, origin, options) : (free.splice(at, 1)[0] as Seat);
    taken.push(Object.assign(seat, { complaints: [], expects }));
    if (!isNew) await prepare(seat.page, options);
    return noticed(seat);
  }
  return {
    visit,
    async open(path, options) {
      const page = await visit(options);
      await page.goto(path);
      return page;
    },
  };
}

/** Asks again and again until the answer is the expected one, as a person would wait for it. */
export const soon = <Value>(question: () => Value | Promise<Value>) => expect.poll(question);

/** Returns what the app keeps in the browser. */
const storedOf = ({ language, token }: VisitOptions) =>
  Object.entries({ language, token }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );

const mediaOf = ({ colorScheme = 'light', moves }: VisitOptions) =>
  ({ colorScheme, reducedMotion: moves ? 'no-preference' : 'reduce' }) as const;

async function openSeat(browser: Browser, origin: string, options: VisitOptions): Promise<Seat> {
  const { screen = 'phone', javaScriptEnabled, worksOffline } = options;
  const hasTouch = screen !== 'desktop';
  const context = await browser.newContext({
    baseURL: origin,
    viewport: screens[screen],
    hasTouch,
    ...mediaOf(options),
    locale: 'en-PH',
    javaScriptEnabled,
    serviceWorkers: worksOffline ? 'allow' : 'block',
    storageState: { cookies: [], origins: [{ origin, localStorage: storedOf(options) }] },
  });
  context.setDefaultTimeout(patienceMs);
  const seat: Seat = {
    origin,
    hasTouch,
    context,
    page: await context.newPage(),
    complaints: [],
    expects: [],
    undo: [],
    isSpent: false,
  };
  seat.isSpent = javaScriptEnabled === false || worksOffline === true;
  watch(seat, origin);
  return seat;
}

/** The page as its visitor has it: what lasts longer than the visit is noticed. */
function noticed(seat: Seat): Page {
  const { page, undo } = seat;
  const noted = {
    on(...[event, listener]: Parameters<Page['on']>) {
      page.on(event, listener);
      undo.push(() => page.off(event, listener));
    },
    async addInitScript(...parameters: Parameters<Page['addInitScript']>) {
      const script = await page.addInitScript(...parameters);
      undo.push(() => script.dispose());
    },
  };
  return new Proxy(page, {
    get(_, name) {
      if (lasting.has(name)) seat.isSpent = true;
      const value = Reflect.get(Object.hasOwn(noted, name) ? noted : page, name);
      return typeof value === 'function' ? value.bind(page) : value;
    },
  });
}

/**
 * Leaves nothing for the next visitor but a warm cache; false where that cannot be. The page stays at its origin, and so
 * in its process: starting one takes longer than most tests spend in it.
 */
async function isCleared({ context, page, undo, isSpent }: Seat): Promise<boolean> {
  if (isSpent || context.pages().length > 1) return false;
  try {
    for (const takeBack of undo.splice(0)) await takeBack();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      location.replace('about:blank');
    });
    await page.waitForURL('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearCookies();
    await page.mouse.move(-1, -1);
    return true;
  } catch {
    return false;
  }
}

/** A page that was cleared becomes the next visitor's. */
async function prepare(page: Page, options: VisitOptions): Promise<void> {
  await page.setViewportSize(screens[options.screen ?? 'phone']);
  await page.emulateMedia(mediaOf(options));
  await page.evaluate((stored) => {
    localStorage.clear();
    for (const { name, value } of stored) localStorage.setItem(name, value);
  }, storedOf(options));
}

function watch(seat: Seat, origin: string): void {
  const { context } = seat;
  context.on('weberror', (error) => seat.complaints.push(`threw: ${error.error().stack ?? error.error()}`));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    seat.complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin)
      seat.complaints.push(`left the origin: ${request.url()}`);
  });
}

const unexpected = ({ complaints, expects }: Seat) =>
  complaints.filter((complaint) => !expects.some((pattern) => pattern.test(complaint)));

/** Keeps what a failed test's pages showed, under `.cache/browser/`. */
async function keepPictures(seats: readonly Seat[], testName: string): Promise<void> {
  const folder = path.join(cacheDir, 'browser');
  fs.mkdirSync(folder, { recursive: true });
  const pages = seats.flatMap(({ context }) => context.pages());
  for (const [index, page] of pages.entries()) {
    const name = `${testName.replaceAll(/[^\w]+/g, '-').slice(0, 100)}-${index + 1}.png`;
    // A page that hangs has no picture, and the failure is told all the same.
    await page.screenshot({ path: path.join(folder, name), timeout: 5_000 }).catch(() => undefined);
  }
}
