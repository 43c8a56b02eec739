import type { Locator, Page } from 'playwright-core';
import { gate } from '#tests/setup/gate.ts';

export const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true });

export const dialogOf = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name, exact: true });

/** The dialog that a press opens. */
export async function opened(opener: Locator, name: string): Promise<Locator> {
  await opener.click();
  const dialog = dialogOf(opener.page(), name);
  await dialog.waitFor();
  return dialog;
}

/** A part of the page by its heading or label. */
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** A borrower's toasts, in either language. */
export const toastRegion = (page: Page) => page.getByRole('region', { name: /\(F8\)$/ });

/** Waits for a toast by its title and, when given, the sentence under it. */
export async function expectToast(page: Page, title: string, description?: string | RegExp): Promise<void> {
  const toast = toastRegion(page).getByRole('listitem').filter({ hasText: title });
  await toast.getByText(title, { exact: true }).waitFor();
  if (description !== undefined) await toast.getByText(description, { exact: true }).waitFor();
}

/** Leaves the dialog that says what happened, and what comes next. */
export const leaveDone = (page: Page): Promise<void> =>
  page.getByRole('button', { name: /^(Done|Tapos)$/ }).click();

/**
 * From the next load on, a PDF is shown as text and what is printed is counted: the viewer and the dialog belong to the
 * browser, and a headless one may have neither.
 */
export async function countPrinted(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true, configurable: true });
    const { createObjectURL } = URL;
    URL.createObjectURL = (file) =>
      createObjectURL(
        file instanceof Blob && file.type === 'application/pdf'
          ? new Blob([file], { type: 'text/plain' })
          : file,
      );
    // Each frame has its own.
    window.print = () => top?.document.body.append(`Printed ${location.protocol} `);
  });
}

/** How many papers were printed since `countPrinted`. */
export const printedCount = async (page: Page): Promise<number> =>
  ((await page.locator('body').textContent()) ?? '').split('Printed blob:').length - 1;

/** How many toasts are on the screen. */
export const toastCount = (page: Page): Promise<number> => toastRegion(page).getByRole('listitem').count();

/** Finds any kind of field by its label; exactly, so that 'Password' is not 'Current password'. */
export const field = (scope: Page | Locator, name: string): Locator =>
  scope.getByLabel(name, { exact: true }).and(scope.locator('input, select, textarea'));

/** Returns what a screen reader adds to a field's name: its hint and what is wrong with it. */
export const descriptionOf = (element: Locator): Promise<string> =>
  element.evaluate((node) =>
    (node.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim(),
  );

/** The token that the browser keeps between visits. */
export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('token'));

/** Lets requests to an address wait until the returned function is called. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const { open: release, passed: released } = gate();
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Lets requests to an address fail, as when the records cannot be reached, until the returned function is called. */
export async function breakDown(page: Page, address: string, status = 503): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.fulfill({ status, json: { message: 'Out of reach.', code: 'database_unavailable' } }),
  );
  return () => page.unroute(address);
}

/**
 * Lets the server hear what is sent to an address, and loses its answers until `mend`, or the first ones only. `keys` are
 * the idempotency keys that were sent along.
 */
export async function loseAnswers(page: Page, address: string, first = Number.POSITIVE_INFINITY) {
  const keys: (string | null)[] = [];
  let isBroken = true;
  await page.route(address, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    keys.push(await request.headerValue('idempotency-key'));
    if (!isBroken || keys.length > first) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  return {
    keys,
    mend() {
      isBroken = false;
    },
  };
}

/** The browser says this about `loseAnswers`. */
export const lostAnswer = /ERR_CONNECTION_RESET/;

/** The browser says this about `breakDown`. */
export const outOfReach = /status of 503/;
