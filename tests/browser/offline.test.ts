import { describe, expect, it } from 'vitest';
import { fil } from '#contract/wording/fil.ts';
import { addDays, manilaDate } from '#domain/calendar.ts';
import { disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { button, dialogOf } from './screen.ts';

const { server, browser } = await standingServer();
const expects = [/ERR_INTERNET_DISCONNECTED|status of (?:401|403|503)/];

/** Tests end sessions, so each has a borrower of its own. */
async function withLoan() {
  const borrower = await server.verifiedBorrower();
  await disbursedLoan(server, borrower, { date: addDays(manilaDate(new Date()), -3) });
  return borrower;
}

const known = (page: Awaited<ReturnType<typeof browser.visit>>) =>
  page.evaluate(async () => (await (await caches.open('known')).match('/known'))?.json());

describe('without a network', () => {
  const open = async ({ token }: { token: string }) => {
    const page = await browser.visit({ token, worksOffline: true, expects });
    await page.goto('/loan-app');
    await soon(() => known(page)).toMatchObject({
      lines: ['Next payment: ₱16,250.00', expect.stringMatching(/^Due on /), expect.anything()],
    });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    return page;
  };

  it('each page says so, and what was last known; with one again the app is there', async () => {
    const page = await open(await withLoan());
    await page.context().setOffline(true);
    for (const path of ['/wallet', '/loan-app', '/']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'No connection' }).waitFor();
      expect(await page.locator('section').textContent()).toMatch(/^Next payment: ₱16,250.00Due on \d/);
    }
    await page.goto('/my-loan');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Next payment' }).first().waitFor();
    expect(await page.evaluate(async () => (await (await caches.open('known')).keys()).length)).toBe(1);
    expect(await page.evaluate(() => caches.keys())).toEqual(['known']);
  });

  it('nothing is known any more after signing out', async () => {
    const page = await open(await withLoan());
    await button(page, 'Open menu').click();
    await button(dialogOf(page, 'Menu'), 'Logout').click();
    await soon(() => page.evaluate(() => caches.keys())).toEqual([]);
    const left = () => page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }));
    await soon(left).toEqual([]);
    await page.context().setOffline(true);
    await page.goto('/app-login');
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    expect(await page.locator('section').count()).toBe(0);
  });

  it('nor after the server has refused the token', async () => {
    const suspended = await withLoan();
    const page = await open(suspended);
    await server.main.updateMember(suspended.id, { status: 'suspended' });
    await page.goto('/wallet');
    await soon(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});

it('the menu and, once, Home offer to install the app where the browser can', async () => {
  const { token } = await withLoan();
  const page = await browser.visit({ token, worksOffline: true });
  await page.addInitScript(() => {
    const offer = () => {
      const event = Object.assign(new Event('beforeinstallprompt'), {
        prompt: async () => Object.assign(window, { asked: true }),
      });
      dispatchEvent(event);
    };
    addEventListener('load', () => setTimeout(offer, 300));
  });
  await page.goto('/loan-app');
  await button(page, 'Not now').click();
  await page.reload();
  await page.getByRole('heading', { name: /LN-/ }).first().waitFor();
  await button(page, 'Open menu').click();
  await button(dialogOf(page, 'Menu'), 'Install the app').click();
  await soon(() => page.evaluate(() => 'asked' in window)).toBe(true);
  expect(await button(page, 'Not now').count()).toBe(0);
});

it('is told in Filipino to who reads it', async () => {
  const { token } = await withLoan();
  const page = await browser.visit({ worksOffline: true, language: 'fil', token, expects });
  await page.goto('/loan-app');
  await soon(() => known(page)).toMatchObject({ language: 'fil' });
  await page.context().setOffline(true);
  await page.goto('/loan-app');
  await page.getByRole('heading', { name: 'Walang koneksyon' }).waitFor();
  expect(await page.locator('section').textContent()).toContain(fil.install.nextPayment('₱16,250.00'));
});
