import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillInBulk } from '#tests/bench/bulk-fill.ts';
import { soon } from '#tests/setup/browser.ts';
import { picturesDir, takePictures } from '#tests/setup/pictures.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button } from './screen.ts';
import { expectPanelFits, expectReadable, exportCsv, openPanel } from './staff.ts';

/** Each page of the panel with nothing on it, with one row, with a screen full, and with more than are ever drawn. */

const { server, browser } = await listeningServer();

/** More than are ever drawn. Pictures show as many as a large lender has. */
const many = picturesDir ? 100_000 : 700;
/** The patience of other tests, unless there is that much to arrive. */
const manyTimeoutMs = picturesDir ? 900_000 : undefined;
const manyInWords = many.toLocaleString('en');

const fill = (members: number, loans: number, withdrawals: number) =>
  fillInBulk(server.deps, { members, loans, withdrawals });

const lists = [
  { path: 'members', none: 'No members found', noun: 'member' },
  { path: 'borrowing', none: 'No loan applications found', noun: 'loan' },
  { path: 'withdrawal', none: 'No withdrawal requests found', noun: 'withdrawal' },
] as const;

const open = async (path: string): Promise<Page> =>
  openPanel(browser, path, { token: await server.signInMainAdmin() });

const foot = (page: Page, text: string) =>
  page.locator('main').getByText(text, { exact: true }).waitFor({ timeout: manyTimeoutMs });
const drawnRows = (page: Page) => page.locator('[data-row-id]').count();

/** On a wide screen the list is as wide as there is room. */
async function expectRoomUsed(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const free = () =>
    page.evaluate(() => {
      const main = document.querySelector('main');
      const table = document.querySelector('[role=table]');
      return main && table ? main.clientWidth - table.getBoundingClientRect().width : Number.NaN;
    });
  // The padding of the page at both sides.
  await soon(free).toBe(48);
}

describe.each(picturesDir ? lists : sampleOf(lists))('$path', ({ path, none, noun }) => {
  it('with nothing on it says so, fits, and has nothing to export', async () => {
    const page = await open(path);
    await page.getByText(none, { exact: true }).waitFor();
    await foot(page, `0 ${noun}s`);
    expect(await button(page, 'Export CSV').isDisabled()).toBe(true);
    await expectPanelFits(page);
    await expectReadable(page);
  });

  it('with one row, and with a search that fits none, fits', async () => {
    await fill(1, 1, 1);
    const page = await open(path);
    await foot(page, `1 ${noun}`);
    await expectPanelFits(page);
    await expectRoomUsed(page);
    await takePictures(page, 'staff', 'en');
    await page.getByRole('searchbox').fill('nobody is called so');
    await page.getByText(none, { exact: true }).waitFor();
    await foot(page, `0 of 1 ${noun}`);
    await expectPanelFits(page);
    await button(page, 'Clear search and filter').click();
    await foot(page, `1 ${noun}`);
  });

  it('with a screen full fits, and is readable', async () => {
    await fill(30, 30, 30);
    const page = await open(path);
    await foot(page, `30 ${noun}s`);
    await expectPanelFits(page);
    await expectReadable(page);
  });

  it('with many draws only those in sight, finds while one types, and exports all that is shown', {
    timeout: manyTimeoutMs,
  }, async () => {
    await fill(many, many, many);
    const page = await open(path);
    await foot(page, `${manyInWords} ${noun}s`);
    await expectPanelFits(page);
    await takePictures(page, 'staff', 'en');
    await page.setViewportSize({ width: 1920, height: 4_000 });
    await soon(() => drawnRows(page)).toBeGreaterThan(40);
    expect(await drawnRows(page)).toBeLessThanOrEqual(60);
    await page.setViewportSize({ width: 1366, height: 850 });
    await page.getByRole('table').evaluate((table) => table.scrollTo({ top: table.scrollHeight / 2 }));
    await page.locator(`[aria-rowindex="${many / 2 + 2}"]`).waitFor();
    await takePictures(page, 'staff', 'en');

    await page.getByRole('searchbox').fill('maria');
    const shown = page.locator('main p[role=status]').filter({ hasText: ` of ${manyInWords} ${noun}s` });
    const count = Number((await shown.textContent())?.split(' ')[0]?.replaceAll(',', ''));
    expect(count).toBeGreaterThan(5);
    await soon(() => new URL(page.url()).search).toBe('?search=maria');
    const { lines } = await exportCsv(page);
    // A head, the rows, and the end of the last line.
    expect(lines).toHaveLength(count + 2);
    expect(lines.slice(1, -1).every((line) => /maria/i.test(line))).toBe(true);
  });
});

it('what is typed goes to the address bar with the next choice, though the typing has not come to rest', async () => {
  await fill(30, 0, 0);
  const page = await open('members');
  await foot(page, '30 members');
  await page.getByRole('searchbox').fill('a');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('active');
  await soon(() => new URL(page.url()).search).toBe('?search=a&status=active');
  await page.reload();
  await soon(() => page.getByRole('searchbox').inputValue()).toBe('a');
});
