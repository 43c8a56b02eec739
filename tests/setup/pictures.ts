import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where `npm run pictures` wants its pictures. A run of the tests wants none. */
export const picturesDir = process.env.PICTURES_DIR;

/** Phones, a tablet and a laptop for borrowers; a tablet, a small, a usual and a large screen for staff. In pixels. */
const sizes = {
  borrower: [
    { width: 320, height: 640 },
    { width: 390, height: 844 },
    { width: 768, height: 1024 },
    { width: 1366, height: 850 },
  ],
  staff: [
    { width: 768, height: 1024 },
    { width: 1024, height: 768 },
    { width: 1366, height: 850 },
    { width: 1920, height: 1080 },
  ],
} as const;

const schemes = ['light', 'dark'] as const;

/** How often the test that is running has been here: it may pass through several states. */
const taken = new Map<string, number>();

/**
 * Keeps what the page shows in each size, in the light and in the dark, for a person to look at, under
 * `<width>-<light or dark>/`. A borrower's page is taken to its end, a dialog and the panel as they are seen.
 */
export async function takePictures(page: Page, whose: keyof typeof sizes, language: string): Promise<void> {
  if (!picturesDir) return;
  const { testPath = '', currentTestName = '' } = expect.getState();
  const name = currentTestName.replaceAll(' > ', ' - ').replaceAll('/', ' ');
  // Two files may have a test of one name.
  const test = `${path.basename(testPath, '.test.ts')} - ${name}`;
  const count = (taken.get(test + language) ?? 0) + 1;
  taken.set(test + language, count);
  const before = page.viewportSize();
  const isOver = (await page.locator('dialog[open], [role=menu]').count()) > 0;
  for (const { width, height } of sizes[whose]) {
    await page.setViewportSize({ width, height });
    if (whose === 'borrower' && !isOver) {
      // Not the driver's own picture of a whole page: it lays the page out anew, and strips that snap lose their place.
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: whole });
    }
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const file = `${test}, ${count}, ${language}.png`;
      await page.screenshot({ path: path.join(picturesDir, `${width}-${colorScheme}`, file) });
    }
  }
  if (before) await page.setViewportSize(before);
}
