import type { Browser, Page } from 'playwright-core';

/** The long lists of the panel. */
export const panelLists = [
  { path: 'members', name: 'Members', address: '/api/admin/users' },
  { path: 'borrowing', name: 'Borrowing List', address: '/api/admin/loans' },
  { path: 'withdrawal', name: 'Withdrawal List', address: '/api/admin/withdrawals' },
] as const;

export type PanelList = (typeof panelLists)[number];

/** The search is typed key by key. Each leaves fewer of the sample's rows than the one before. */
const typed = ['m', 'a', 'r', 'i', 'a', ' s', 'a', 'n'];

/** The time that a staff member waits, in milliseconds; the worst of the visits, or of the keys typed. */
export type ListFigures = {
  /** From the click on the sidebar's link, and from typing the address, to the first rows on the screen. */
  firstRowsMs: number;
  firstRowsColdMs: number;
  wholeListMs: number;
  rowsInPage: number;
  searchMs: number;
  middleMs: number;
  sortMs: number;
  /** The longest time in which the page could not answer, while the list arrived and while it was exported. */
  readingFreezeMs: number;
  exportMs: number;
  exportFreezeMs: number;
  exportBytes: number;
};

declare global {
  // Set by `watchPage`, in the page.
  var bench: Bench;
}

type Bench = {
  firstRowAt: number | undefined;
  longestTaskMs: number;
  mostRows: number;
  /** How long the letter that was typed last has waited for its rows. */
  answered: Promise<number>;
};

/** Runs in the page before anything else there. */
function watchPage(): void {
  globalThis.bench = { firstRowAt: undefined, longestTaskMs: 0, mostRows: 0, answered: Promise.resolve(0) };
  const look = () => {
    const { length } = document.querySelectorAll('[data-row-id]');
    if (length === 0) return;
    globalThis.bench.firstRowAt ??= performance.now();
    globalThis.bench.mostRows = Math.max(globalThis.bench.mostRows, length);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) {
      globalThis.bench.longestTaskMs = Math.max(globalThis.bench.longestTaskMs, duration);
    }
  }).observe({ type: 'longtask' });
}

const isWhole = (page: Page) =>
  page
    .locator('main')
    .getByText(/^[\d,]+ (members|loans|withdrawals)$/)
    .waitFor({ timeout: 120_000 });

/** Visits one list in a browser of its own and does there what staff do. */
export async function visitList(
  browser: Browser,
  { origin, token }: { origin: string; token: string },
  list: PanelList,
): Promise<ListFigures> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1920, height: 1080 },
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'token', value: token }] }] },
  });
  context.setDefaultTimeout(60_000);
  // The loader that runs this file marks functions by a helper that the page has not.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(watchPage);
  const page = await context.newPage();
  try {
    return await figuresOf(page, list);
  } finally {
    await context.close();
  }
}

async function figuresOf(page: Page, list: PanelList): Promise<ListFigures> {
  await page.goto(`/management/${list.path}`);
  await page.locator('[data-row-id]').first().waitFor();
  const firstRowsColdMs = await page.evaluate(() => globalThis.bench.firstRowAt ?? Number.NaN);

  // And as staff come to it all day: from another page of the panel.
  await page.goto('/management/settings');
  const link = page.getByRole('link', { name: list.name, exact: true });
  await link.waitFor();
  await page.waitForLoadState('networkidle');
  const clickedAt = await link.evaluate((element: HTMLElement) => {
    Object.assign(globalThis.bench, { firstRowAt: undefined, longestTaskMs: 0 });
    const now = performance.now();
    element.click();
    return now;
  });
  await page.locator('[data-row-id]').first().waitFor();
  const firstRowAt = await page.evaluate(() => globalThis.bench.firstRowAt ?? Number.NaN);
  await isWhole(page);
  const wholeAt = await page.evaluate(() => performance.now());
  const readingFreezeMs = await longestTask(page);

  const middleMs = await scrollToMiddle(page);
  await page.getByRole('table').evaluate((table) => table.scrollTo({ top: 0 }));
  const searchMs = await typeSearch(page);
  await page.getByRole('searchbox').fill('');
  await isWhole(page);
  const sortMs = await sortByMember(page);
  await longestTask(page);
  const { exportMs, exportBytes } = await exportList(page);
  const exportFreezeMs = await longestTask(page);
  return {
    firstRowsMs: firstRowAt - clickedAt,
    firstRowsColdMs,
    wholeListMs: wholeAt - clickedAt,
    rowsInPage: await page.evaluate(() => globalThis.bench.mostRows),
    searchMs,
    middleMs,
    sortMs,
    readingFreezeMs,
    exportMs,
    exportFreezeMs,
    exportBytes,
  };
}

/** The longest task since the last time this was asked. */
async function longestTask(page: Page): Promise<number> {
  // The browser tells of a long task after it.
  await page.waitForTimeout(150);
  return page.evaluate(() => {
    const { longestTaskMs } = globalThis.bench;
    globalThis.bench.longestTaskMs = 0;
    return longestTaskMs;
  });
}

/** From the jump of the scroll bar to the rows of the middle on the screen. */
function scrollToMiddle(page: Page): Promise<number> {
  return page.getByRole('table').evaluate(
    (table) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        table.scrollTo({ top: table.scrollHeight / 2 });
        const middle = table.getBoundingClientRect();
        const look = () => {
          const row = document
            .elementFromPoint(middle.x + middle.width / 2, middle.y + middle.height / 2)
            ?.closest('[aria-rowindex]');
          const index = Number(row?.getAttribute('aria-rowindex'));
          const half = Number(table.getAttribute('aria-rowcount')) / 2;
          if (Math.abs(index - half) < 100) resolve(performance.now() - startedAt);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

/** Types the words letter by letter, each when the last one's rows are there. Answers the slowest letter. */
async function typeSearch(page: Page): Promise<number> {
  await page.getByRole('searchbox').focus();
  let slowest = 0;
  for (const letter of typed) {
    await page.evaluate(watchSearch);
    await page.keyboard.type(letter);
    slowest = Math.max(slowest, await page.evaluate(() => globalThis.bench.answered));
    await page.waitForTimeout(200);
  }
  return slowest;
}

/** In the page: from the next letter to the foot that tells how many rows are shown, drawn together with them. */
function watchSearch(): void {
  let typedAt: number | undefined;
  const onInput = () => {
    typedAt ??= performance.now();
  };
  document.addEventListener('input', onInput, { capture: true, once: true });
  const foot = document.querySelector('main p[role=status]');
  const before = foot?.textContent;
  globalThis.bench.answered = new Promise((resolve) => {
    const look = () => {
      if (typedAt !== undefined && foot?.textContent !== before) resolve(performance.now() - typedAt);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** From the click on the first column's head to the rows in their new order. */
function sortByMember(page: Page): Promise<number> {
  return page
    .getByRole('columnheader')
    .getByRole('button')
    .first()
    .evaluate(
      (head: HTMLElement) =>
        new Promise<number>((resolve) => {
          const first = () => document.querySelector('[data-row-id]')?.textContent;
          const before = first();
          const startedAt = performance.now();
          head.click();
          const look = () => {
            if (first() !== before) resolve(performance.now() - startedAt);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
    );
}

async function exportList(page: Page): Promise<{ exportMs: number; exportBytes: number }> {
  const startedAt = performance.now();
  const coming = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await coming).path();
  const exportMs = performance.now() - startedAt;
  const { statSync } = await import('node:fs');
  return { exportMs, exportBytes: statSync(file).size };
}
