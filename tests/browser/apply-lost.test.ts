import type { Locator, Page, Route } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { expectToast, field, leaveDone } from './screen.ts';

const dayMs = 24 * 60 * 60 * 1000;
let daysAhead = 0;
beforeEach(() => {
  daysAhead = 0;
});

const { server, browser } = await listeningServer({
  deps: { clock: { now: () => new Date(Date.now() + daysAhead * dayMs) } },
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: en.apply.title });
const submit = (dialog: Locator) => dialog.getByRole('button', { name: en.apply.submit });

async function review(dialog: Locator): Promise<void> {
  await field(dialog, en.apply.purpose).fill('A sewing machine');
  await dialog.getByRole('button', { name: en.apply.review }).click();
  await submit(dialog).waitFor();
}

const lostAnswers = {
  'had arrived': async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  },
  'had not arrived': (route: Route) => route.abort('connectionreset'),
};

/** Applies where no answer comes back, gives up waiting for one, and reviews the same application a day later. */
async function applyOverMidnight(lose: (route: Route) => Promise<void>) {
  const borrower = await server.verifiedBorrower();
  const expects = [/ERR_CONNECTION_RESET/, /status of 409/];
  const page = await browser.visit({ token: borrower.token, expects });
  const dialog = dialogOf(page);
  const sent: { key: string | null; body: { agreedQuoteHash?: unknown } }[] = [];
  await page.route('**/api/loans', async (route) => {
    const request = route.request();
    sent.push({ key: await request.headerValue('idempotency-key'), body: request.postDataJSON() });
    if (daysAhead === 0) return lose(route);
    return route.continue();
  });
  await page.goto('/dashboard');
  await review(dialog);
  await submit(dialog).click();
  await dialog.getByText(en.shell.checking).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  daysAhead = 1;
  await page.getByRole('button', { name: en.dashboard.apply }).click();
  await review(dialog);
  const lost = sent.length;
  const loans = async () => await borrower.listOwnLoans();
  return { page, dialog, lost, sent, loans };
}

it('an application that had arrived before midnight is not made again after it', async () => {
  const { page, dialog, lost, sent, loans } = await applyOverMidnight(lostAnswers['had arrived']);
  await submit(dialog).click();
  await expectToast(page, en.apply.submitted, en.apply.submittedText);
  await dialog.waitFor({ state: 'hidden' });
  expect(sent[lost]).toEqual(sent[0]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  const made = await loans();
  expect(made).toHaveLength(1);
  await leaveDone(page);
  await page.getByRole('region', { name: `Loan ${made[0]?.loanNumber}` }).waitFor();
});

it.runIf(isTorture)('one that had not arrived is shown with its new cost, and then made once', async () => {
  const { page, dialog, lost, sent, loans } = await applyOverMidnight(lostAnswers['had not arrived']);
  await submit(dialog).click();
  await expectToast(page, en.apply.failed, en.errors.quote_changed);
  expect(sent[lost]).toEqual(sent[0]);
  expect(await loans()).toEqual([]);

  await submit(dialog).click();
  await expectToast(page, en.apply.submitted);
  const made = await loans();
  expect(made).toHaveLength(1);
  expect(sent.at(-1)?.key).not.toBe(sent[0]?.key);
  expect(sent.at(-1)?.body.agreedQuoteHash).not.toBe(sent[0]?.body.agreedQuoteHash);
});
