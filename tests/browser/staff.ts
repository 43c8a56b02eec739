import fs from 'node:fs';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accounts } from '#server/store/schema.ts';
import { soon, type TestBrowser, type VisitOptions } from '#tests/setup/browser.ts';
import { expectNoAxeViolations, expectNoSidewaysScroll } from '#tests/setup/browser-checks.ts';
import { takePictures } from '#tests/setup/pictures.ts';
import type { TestAdmin, TestServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { button, descriptionOf } from './screen.ts';

/** The question that is asked before something that cannot be taken back. */
export const questionOf = (page: Page): Locator => page.getByRole('alertdialog');

/** The row of a list that holds this text, as long as it is in sight. */
export const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** The details beside a list. */
export const details = (page: Page): Locator => page.getByRole('complementary');

/** Stops the page's clock at a moment, and has the server's replies tell the same one: pages go by these. */
export async function setTime(page: Page, moment: Date): Promise<void> {
  await page.clock.setFixedTime(moment);
  await page.unroute('**/api/**');
  await page.route('**/api/**', async (route) => {
    // A page that has left meanwhile waits for no answer; a test whose page still waits fails by that.
    const answered = route
      .fetch()
      .then((response) =>
        route.fulfill({ response, headers: { ...response.headers(), date: moment.toUTCString() } }),
      );
    await answered.catch(() => undefined);
  });
}

/** Opens a page of the panel on a staff member's screen and waits for its heading. */
export async function openPanel(
  browser: TestBrowser,
  path: string,
  options: VisitOptions & { token: string },
): Promise<Page> {
  const page = await browser.open(`/management/${path}`, { screen: 'desktop', ...options });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Presses the button of a question once it is asked, and waits until it is answered. */
export async function answer(page: Page, name: string): Promise<void> {
  const question = questionOf(page);
  await button(question, name).click();
  await question.waitFor({ state: 'hidden' });
}

/** Whom staff add at the desk, as they fill in the form. */
export const newMember = {
  'Phone number': '0918 555 0101',
  'Full name': 'Tala Bautista',
  Address: '7 Rizal Avenue, Batangas City',
  'Country of work': 'Philippines',
  'Monthly salary': '21,500',
  'Reference name': 'Lakan Bautista',
  'Reference phone': '09185550102',
  'Bank name': 'Bank B',
  'Account number': '9876543210',
};

/** The figures over a list: each says how many rows it filters the list to, by a status in the address. */
export async function expectFigures(
  page: Page,
  figures: readonly (readonly [label: string, count: string, status: string | null])[],
): Promise<void> {
  for (const [label, count, status] of figures) {
    const figure = button(page, label);
    await soon(() => descriptionOf(figure)).toBe(count);
    await figure.click();
    await soon(() => new URL(page.url()).searchParams.get('status')).toBe(status);
    expect(await figure.getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('[aria-pressed="true"]').count()).toBe(1);
    await soon(() => page.locator('[data-row-id]').count()).toBe(Number(count));
  }
}

/** Approves a withdrawal from its row, and says yes when asked. */
export async function approveInRow(row: Locator): Promise<void> {
  await button(row, 'Approve').click();
  await button(row.page().getByRole('dialog'), 'Approve').click();
}

/** The body of the next request to an address, for what is sent and not only for what comes of it. */
export function nextBody(page: Page, method: string, address: string): Promise<unknown> {
  return page
    .waitForRequest((request) => request.method() === method && request.url().endsWith(address))
    .then((request) => request.postDataJSON());
}

/** Exports the list that is shown. */
export async function exportCsv(page: Page): Promise<{ name: string; text: string; lines: string[] }> {
  const coming = page.waitForEvent('download');
  await button(page, 'Export CSV').click();
  const download = await coming;
  const text = fs.readFileSync(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), text, lines: text.split('\r\n') };
}

/** Nothing is cut off on the narrowest screen that the panel is for, and its list needs no scrolling sideways. */
export async function expectPanelFits(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1024, height: 768 });
  const scrolling = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main, [role=table], aside, aside *')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
        .filter((place) => /auto|scroll/.test(getComputedStyle(place).overflowX))
        .map((place) => place.outerHTML.slice(0, 120)),
    );
  // The list chooses its columns anew, which takes a moment.
  await soon(scrolling).toEqual([]);
  await expectNoSidewaysScroll(page);
}

const looked = new WeakMap<Page, number>();

/**
 * The page as it stands can be read by everybody, in the light and in the dark: `npm test` looks at one thing of a visit in
 * four, in the one and the other by turns, `npm run torture` at each in both.
 */
export async function expectReadable(page: Page): Promise<void> {
  await takePictures(page, 'staff', 'en');
  const turn = looked.get(page) ?? 0;
  looked.set(page, turn + 1);
  for (const [index, colorScheme] of (['dark', 'light'] as const).entries()) {
    if (!isTorture && turn % 8 !== 4 * index) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectNoAxeViolations(page);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** The same of a dialog, which can then be left with Esc. */
export async function expectReadableAndLeave(page: Page, dialog: Locator): Promise<void> {
  await dialog.waitFor();
  await expectReadable(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** An ordinary admin who has set a password of their own, and so is not asked for one. */
export async function settledAdmin(
  server: TestServer,
  fields: Parameters<TestServer['createAdmin']>[0] = {},
): Promise<TestAdmin> {
  const admin = await server.createAdmin(fields);
  const password = 'a password of my own';
  await admin.changePassword({ currentPassword: admin.password, newPassword: password });
  return { ...admin, password };
}

/** Gives a member the number of an older system, as an import does: staff search by it. */
export const giveOldNumber = (server: TestServer, id: number, oldNumber: string): Promise<unknown> =>
  server.database.transaction((tx) =>
    tx.update(accounts).set({ oldNumber, searchText: oldNumber.toLowerCase() }).where(eq(accounts.id, id)),
  );
