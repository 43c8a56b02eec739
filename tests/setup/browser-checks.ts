import fs from 'node:fs';
import type { RunOnly } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Its short form: every document that is judged has to read it. */
const axeSource = fs.readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

const accessibilityRules: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
/**
 * The rules that look at colours. All others look at elements, their text and whether they
 * are visible, or at sizes.
 */
const colourRules = ['color-contrast', 'link-in-text-block'];
const rulesOfColours: RunOnly = { type: 'rule', values: colourRules };
const rulesOfLooks: RunOnly = {
  type: 'rule',
  values: [...colourRules, 'target-size', 'scrollable-region-focusable'],
};
const maxTabs = 80;

declare global {
  // In the page, once its source has run there.
  var axe: typeof import('axe-core') | undefined;
  // The page that was judged last, and in which size.
  var judged: { present: string; size: string } | undefined;
}

/**
 * No violation of WCAG 2.2 A or AA that a machine can find, in the page as it stands. Where only colours or sizes have
 * changed since the page was judged last, the rules that see neither would say the same: half of the time is saved.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await stillness(page);
  const isThere = await page.evaluate(() => globalThis.axe !== undefined);
  if (!isThere) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async ([allRules, rulesOfLooks, rulesOfColours]) => {
      const visible = [...document.querySelectorAll('*')].map((element) =>
        Number(element.checkVisibility({ visibilityProperty: true })),
      );
      const present = `${visible.join('')}${document.documentElement.outerHTML}`;
      const size = `${innerWidth} × ${innerHeight}`;
      const { judged } = globalThis;
      const isResized = judged?.size !== size;
      const runOnly = judged?.present !== present ? allRules : isResized ? rulesOfLooks : rulesOfColours;
      // Colours cannot be judged over a picture: the faint weave gives way to the colour that it is drawn on.
      const plain = document.createElement('style');
      plain.textContent =
        '*, ::before, ::after { background-image: none !important; transition: none !important }';
      document.head.append(plain);
      const results = await globalThis.axe?.run({
        runOnly,
        resultTypes: ['violations'],
      });
      plain.remove();
      globalThis.judged = { present, size };
      return results?.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      );
    },
    [accessibilityRules, rulesOfLooks, rulesOfColours] as const,
  );
  expect(violations).toEqual([]);
}

/** Waits until no transition or animation with an end is under way: colours are judged when they have arrived. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}

/**
 * Nothing is wider than its place: neither the page nor an open dialog scrolls sideways, and no line of text is cut off. A
 * tooltip follows a window that became narrower a moment later.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect.poll(() => tooWideIn(page)).toEqual([]);
}

const tooWideIn = (page: Page) =>
  page.evaluate(() => {
    const overflow = (element: Element) => getComputedStyle(element).overflowX;
    const places = [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] *')];
    const scrolling = places.filter(
      (place) =>
        place.scrollWidth > place.clientWidth &&
        (place === document.documentElement || /auto|scroll/.test(overflow(place))),
    );

    /** How far an element's content may reach to the right: to the edge of the first ancestor that cuts it off. */
    function edgeOf(element: Element | null): number {
      if (!element) return innerWidth;
      const box = element.getBoundingClientRect();
      const { clipPath, overflowX, textOverflow } = getComputedStyle(element);
      const isForReadersOnly = box.width <= 1 || clipPath !== 'none';
      if (isForReadersOnly || textOverflow === 'ellipsis' || /auto|scroll/.test(overflowX)) return Infinity;
      return overflowX === 'visible' ? edgeOf(element.parentElement) : Math.min(box.right, innerWidth);
    }
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!text.textContent?.trim() || !parent?.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      if (range.getBoundingClientRect().right > edgeOf(parent) + 1) cut.push(`cut off: ${text.textContent}`);
    }
    return [...scrolling.map((place) => `scrolls: ${place.outerHTML.slice(0, 160)}`), ...cut];
  });

/** Everything to press is large enough for a thumb (44 px); links within a line of text are not meant. */
export async function expectRoomForThumbs(page: Page, leastPx = 44): Promise<void> {
  const tooSmall = await page.evaluate((least) => {
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    return [...scope.querySelectorAll<HTMLElement>('button, select, input:not([type=radio]), textarea')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      .filter(({ box }) => box.height < least - 0.5)
      .map(({ element, box }) => `${box.height} px: ${element.outerHTML.slice(0, 160)}`);
  }, leastPx);
  expect(tooSmall).toEqual([]);
}

/** Goes from one control to the next with Tab until the wanted one has the focus, and shows that it has. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let tabs = 0; tabs < maxTabs; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus(wanted)) {
      expect(await wanted.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
      return;
    }
  }
  throw new Error(`${maxTabs} times Tab do not lead to ${wanted}`);
}

/** True if the keyboard's keys go to this element. */
export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement);

/** All of these at once, for a borrower's page or the dialog that is open on it. */
export async function expectWhole(page: Page): Promise<void> {
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForThumbs(page);
}
