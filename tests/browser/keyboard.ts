import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';

/** Where a walk with Tab stopped. */
type Stop = {
  /** The element's name to tell it by: its words, or what stands in for them. */
  name: string;
  /** Faults for a person who goes by the keyboard; empty if there are none. */
  faults: readonly string[];
};

declare global {
  /** In the page: every control and every element that Tab has led to so far. */
  var keyboardWalk: { seen: Set<Element>; last?: Element; isOver: boolean } | undefined;
}

const mostStops = 120;

/** Goes through the page, or the dialog on top of it, with Tab until it has come round, and tells of every stop. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> {
  const stops: Stop[] = [];
  await page.evaluate(() => {
    globalThis.keyboardWalk = { seen: new Set(), isOver: false };
  });
  for (let count = 0; count < mostStops; count += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(lookAtFocus);
    if (stop === 'over') return stops;
    if (stop !== 'away') stops.push(stop);
  }
  throw new Error(`${mostStops} times ${key} do not lead round`);
}

/** In the page: where the focus is now. `away` is the browser's own bars, `over` a place that was seen before. */
function lookAtFocus(): Stop | 'away' | 'over' {
  const walk = globalThis.keyboardWalk;
  const element = document.activeElement;
  if (!walk) throw new Error('the walk has not begun');
  if (!element || element === document.body || element === document.documentElement) {
    // Behind the last control and before the first: twice there means that there is nothing else.
    if (walk.isOver) return 'over';
    walk.isOver = walk.seen.size > 0;
    return 'away';
  }
  // The marks that hand the focus on to toasts stand a moment longer than these, and sooner when both move into a dialog.
  if (element.matches('[role=region] > span:empty') && !document.querySelector('[role=region] li'))
    return 'away';
  // A date field has stops within: day, month, year and the calendar.
  if (element === walk.last && element.matches('[type=date]')) return 'away';
  walk.last = element;
  if (walk.seen.has(element)) return 'over';
  walk.seen.add(element);
  const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? ((element as HTMLInputElement).labels?.[0]?.textContent || element.textContent)}`;
  const faults: string[] = [];
  const top = [...document.querySelectorAll('dialog[open]')].at(-1);
  if (top && !top.contains(element)) faults.push('is outside the dialog');
  // The calendar in a date field draws its own ring, and the field is not told.
  if (!element.matches(':focus-visible, [type=date]')) faults.push('shows no focus');

  // An element counts as covered if something lies over all of it: the bar at the foot, or a dialog's
  // buttons that stay in sight.
  const shown = element.matches('.sr-only') ? (element.closest('label') ?? element) : element;
  const box = shown.getBoundingClientRect();
  const isInView =
    box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.width > 0;
  if (!isInView) faults.push('is out of sight');
  else {
    const heights = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => box.top + box.height * part);
    const isSeen = heights.some((y) => {
      const x = box.left + box.width / 2;
      const drawn = document.elementFromPoint(x, y);
      return drawn && (shown.contains(drawn) || drawn.contains(shown));
    });
    if (!isSeen) faults.push('is covered');
  }
  return { name, faults };
}

/** In the page: the controls of the page, or of the dialog on top of it, that no stop of the walk was at. */
function findMissed(): string[] {
  const walk = globalThis.keyboardWalk;
  const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const controls = scope.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  // Only one of several radios takes the focus, and the empty marks around toasts only hand it on.
  const others = ':disabled, [type=radio]:not(:checked), span:empty';
  return [...controls]
    .filter((control) => !walk?.seen.has(control) && !control.matches(others))
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => control.outerHTML.slice(0, 160));
}

/** In the page: the marks around toasts where there are none; nobody would see where the focus is on them. */
const countIdleMarks = (): number =>
  document.querySelector('[role=region] li')
    ? 0
    : document.querySelectorAll('[role=region] > span:empty').length;

/**
 * Tab leads to every control of the page, or of the dialog on top of it, and to nothing else; wherever it leads, the
 * focus is seen. Back goes the same way.
 */
export async function expectWalkable(page: Page): Promise<void> {
  const stops = await walk(page, 'Tab');
  expect(stops.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(await page.evaluate(findMissed)).toEqual([]);
  const back = await walk(page, 'Shift+Tab');
  expect(back.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(await page.evaluate(findMissed)).toEqual([]);
  await soon(() => page.evaluate(countIdleMarks)).toBe(0);
}

/** True if the keyboard's keys go to something within this. */
export const holdsFocus = (scope: Locator): Promise<boolean> =>
  scope.evaluate((node) => node.contains(document.activeElement));

/** Goes to a control with Tab and presses a key on it. */
export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Opens a dialog from its control: the focus goes into it, finds everything there, and does not leave it. */
export async function openDialog(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await press(page, opener);
  await dialog.waitFor();
  await soon(() => holdsFocus(dialog)).toBe(true);
}

/** Esc closes a dialog, and the focus is back where it was opened. */
export async function closeDialog(page: Page, dialog: Locator, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await hasFocus(opener)).toBe(true);
}
