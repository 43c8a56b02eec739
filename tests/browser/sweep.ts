import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { limits } from '#domain/limits.ts';
import { screens, soon, type TestBrowser } from '#tests/setup/browser.ts';
import { expectNoSidewaysScroll, expectWhole } from '#tests/setup/browser-checks.ts';
import { picturesDir, takePictures } from '#tests/setup/pictures.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { expectToast, toastRegion } from './screen.ts';

type Way = {
  /** Whose session; a visitor's otherwise. */
  who?: { token: string } | undefined;
  /** Before the page is asked for, such as an answer that is held back. */
  before?: (page: Page) => Promise<unknown>;
  /** From the page to the state. */
  steps?: (page: Page, words: Wording) => Promise<unknown>;
  /** Complaints that the browser rightly makes on the way. */
  expects?: readonly RegExp[];
};

export type State = ReturnType<typeof state>;

/** One thing that a borrower may have on the screen, how it comes about, and what can then be read there. */
export const state = (
  name: string,
  path: string,
  shows: (words: Wording) => string | RegExp,
  way: Way = {},
) => ({ name, path, shows, ...way });

const wordsIn = { en, fil };
const languages = ['en', 'fil'] as const;

/**
 * Each language on both phones, in the light and in the dark. What a phone's width changes and what the colours change
 * is not the same, so the two go together; the other language has them the other way round.
 */
const looks = {
  en: [
    { phone: 'phone', colorScheme: 'light' },
    { phone: 'small', colorScheme: 'dark' },
  ],
  fil: [
    { phone: 'phone', colorScheme: 'dark' },
    { phone: 'small', colorScheme: 'light' },
  ],
} as const;

/** Where two columns begin there is the least room for each; and a laptop. */
const wideScreens = { en: { width: 900, height: 800 }, fil: screens.desktop } as const;

/**
 * A test for each of the states: in both languages, on both phones, in the light and in the dark it is whole and
 * readable (WCAG 2.2 AA, nothing scrolls sideways or is cut off, room for thumbs), on a wide screen nothing is cut off
 * either, and it stays what it is meanwhile.
 * A clean console and requests to no other origin are what `testBrowser` asks of every page. `npm test` takes one of the four
 * looks for every third state, in turn; `npm run torture` and the pictures take all of them.
 */
export function sweep(browser: TestBrowser, states: readonly State[]): void {
  const takesAll = isTorture || picturesDir;
  for (const [index, state] of (takesAll ? states : sampleOf(states)).entries()) {
    it(state.name, async () => {
      const walked = languages.filter((_, at) => takesAll || at === index % 2);
      await Promise.all(
        walked.map((language) => {
          const lookedAt = looks[language].filter((_, at) => takesAll || at === (index >> 1) % 2);
          return walk(browser, state, language, lookedAt);
        }),
      );
    });
  }
}

type Look = (typeof looks)[keyof typeof looks][number];

async function walk(
  browser: TestBrowser,
  state: State,
  language: keyof typeof wordsIn,
  lookedAt: readonly Look[],
): Promise<void> {
  const { path, who, before, steps, shows, expects } = state;
  const words = wordsIn[language];
  const page = await browser.visit({ language, token: who?.token, expects });
  await before?.(page);
  await page.goto(path);
  await steps?.(page, words);
  const shown = page.getByText(shows(words)).filter({ visible: true });
  await soon(() => shown.count()).toBeGreaterThan(0);
  const lang = path.includes('lang=fil') ? 'fil' : language;
  expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  for (const { phone, colorScheme } of lookedAt) {
    await page.setViewportSize(screens[phone]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await named(`${language}, ${phone}, ${colorScheme}`, expectWhole(page));
  }
  await page.setViewportSize(wideScreens[language]);
  await named(`${language}, wide`, expectNoSidewaysScroll(page));
  await takePictures(page, 'borrower', language);
  // Else what was looked at last may have been another state.
  expect(await shown.count(), language).toBeGreaterThan(0);
}

/** Says where it was that a check failed. */
async function named(where: string, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    if (error instanceof Error) error.message = `${where}: ${error.message}`;
    throw error;
  }
}

/** Waits for a toast and stops its time, as who reads slowly does with F8 (§toasts). */
export async function keepToast(page: Page, title: string): Promise<void> {
  await expectToast(page, title);
  const list = toastRegion(page).getByRole('list');
  await list.evaluate((node) =>
    node.addEventListener('toast.viewportPause', () => node.setAttribute('data-kept', '')),
  );
  // The key's listener may come a moment after the toast; one who presses it too early presses it again.
  await soon(async () => {
    await list.blur();
    await page.keyboard.press('F8');
    return list.getAttribute('data-kept');
  }).toBe('');
}

/** Lets the server's answer arrive changed: for states that are only other data. */
export async function alter<Body>(page: Page, address: string, change: (body: Body) => unknown) {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
}

/** Presses a button by its name. */
export const press = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click();

/** Lets an answer be lost, and nothing come of asking again. */
export async function loseAnswerOnce(page: Page, address: string): Promise<void> {
  let isFirst = true;
  await page.route(address, async (route) => {
    if (isFirst) await route.abort('connectionreset');
    isFirst = false;
  });
}

/** Lets a lost answer be looked for as long as somebody looks at that; before the page is asked for. */
export const keepChecking = (page: Page): Promise<unknown> =>
  page.addInitScript((checkMs) => {
    const plain = window.setTimeout;
    const patient = (work: TimerHandler, afterMs?: number, ...rest: unknown[]) =>
      plain(work, afterMs === checkMs ? 60 * checkMs : afterMs, ...rest);
    window.setTimeout = patient as typeof window.setTimeout;
  }, limits.moneyCheckMs);

/** Lets the page's time pass until a text is there; `page.clock.install()` belongs before it. */
export async function fastForwardUntil(page: Page, text: string): Promise<void> {
  await soon(async () => {
    await page.clock.fastForward('00:20');
    return page.getByText(text).count();
  }).toBeGreaterThan(0);
}
