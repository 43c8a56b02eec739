import type { Locator, Page } from 'playwright-core';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { button } from './screen.ts';

/** How somebody works: with the mouse, or with nothing but the keyboard. */
export type Hand = {
  press: (target: Locator) => Promise<void>;
  /** Presses a button of a row in a list. */
  pressIn: (row: Locator, name: string) => Promise<void>;
  type: (target: Locator, text: string) => Promise<void>;
  pick: (radio: Locator) => Promise<void>;
};

const maxSteps = 80;

/** Goes on with one key until something is reached. */
async function walk(page: Page, key: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${maxSteps} times ${key} do not lead there`);
}

const mouse: Hand = {
  press: (target) => target.click(),
  pressIn: (row, name) => button(row, name).click(),
  type: (target, text) => target.fill(text),
  pick: (radio) => radio.check(),
};

function keyboard(page: Page): Hand {
  const reach = async (target: Locator) => {
    await target.waitFor();
    await walk(page, 'Tab', () => hasFocus(target));
  };
  return {
    async press(target) {
      await reach(target);
      await page.keyboard.press('Enter');
    },

    /** Only the row that the keyboard is on has buttons to tab to; the arrows lead from row to row. */
    async pressIn(row, name) {
      await row.waitFor();
      await walk(page, 'Tab', () =>
        page.evaluate(() => document.activeElement?.matches('[role=row]:not(dialog *)') ?? false),
      );
      await page.keyboard.press('Home');
      await walk(page, 'ArrowDown', () => hasFocus(row));
      await walk(page, 'Tab', () => hasFocus(button(row, name)));
      await page.keyboard.press('Enter');
    },

    async type(target, text) {
      await reach(target);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },

    async pick(radio) {
      await walk(page, 'Tab', () =>
        page.evaluate(() => document.activeElement?.matches('[type=radio]') ?? false),
      );
      await walk(page, 'ArrowDown', () => radio.isChecked());
    },
  };
}

export const handOf = (page: Page, kind: 'mouse' | 'keyboard'): Hand =>
  kind === 'mouse' ? mouse : keyboard(page);
