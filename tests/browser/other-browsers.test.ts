import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '#contract/routes.ts';
import { manilaDate } from '#domain/calendar.ts';
import { applicant, fundedBorrower, releaseLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { type Alteration, alterPage } from './altered-pages.ts';
import { apply, beSentToTheProfile, phone, register, verify, withdraw } from './main-path.ts';
import { expectToast } from './screen.ts';
import { rowOf } from './staff.ts';

const { server, browser } = await listeningServer();

async function signInAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectToast(page, 'Login failed');
  await page.getByRole('textbox', { name: 'Password' }).fill('bangka sa dagat');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('/loan-app');
}

/** Registers, verifies, applies and withdraws; staff do their part meanwhile. */
async function goTheMainPath(page: Page): Promise<void> {
  await register(page);
  await beSentToTheProfile(page);
  await verify(page);
  await apply(page);
  const [loan] = await server.main.listLoans();
  if (!loan) throw new Error('nobody applied');
  await releaseLoan(server, loan);
  const code = await server.setCode(loan.userId);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await withdraw(page, { code, balance: '₱512,345.50' });
  await page
    .getByRole('region', { name: 'Wallet balance' })
    .getByText('₱507,345.50', { exact: true })
    .waitFor();
}

const expectNothingBroken = async (page: Page) =>
  expect(await page.getByText('This page could not be shown').count()).toBe(0);

/** Texts with a digit that page translation would touch. */
const touchedFigures = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      const isLeft = parentElement?.closest('[translate=no], script, style, noscript, #first-sight');
      if (nodeValue && /\d/.test(nodeValue) && !isLeft) found.push(nodeValue);
    }
    return found;
  });

const panelPages = [
  'management',
  'today',
  'borrowing',
  'withdrawals',
  'payments',
  'collections',
  'approvals',
  'complaints',
  'reports',
  'settings',
  'audit',
] as const;

describe('a page that is altered', () => {
  it.each(sampleOf(['replaced', 'moved', 'before', 'after', 'disturbed'] as const, 5))(
    'goes on where texts are %s, with the figures of the moment',
    async (how) => {
      const page = await browser.visit({ expects: [/status of 401/] });
      await page.addInitScript(alterPage, how);
      await goTheMainPath(page);
      await expectNothingBroken(page);
      for (const path of ['/loan-app', '/my-loan', '/profile', '/wallet', '/help', '/account', '/']) {
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await soon(() => touchedFigures(page)).toEqual([]);
      }
      await page.goto('/loan-app');
      await signInAgain(page);
      await expectNothingBroken(page);
    },
  );

  it('goes on in the panel, whose lists are sorted, searched and scrolled', async () => {
    const token = await server.signInMainAdmin();
    const { borrower } = await applicant(server);
    for (let count = 0; count < 3; count += 1) await server.registerBorrower();
    const page = await browser.visit({ token, screen: 'desktop' });
    await page.addInitScript(alterPage, 'replaced' as Alteration);
    for (const name of panelPages) {
      await page.goto(paths[name]);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await soon(() => touchedFigures(page)).toEqual([]);
      await expectNothingBroken(page);
    }
    await page.goto('/management');
    const search = page.getByRole('searchbox').first();
    await search.fill('Maria Clara');
    await rowOf(page, 'Maria Clara Santos').first().waitFor();
    await search.fill('');
    await page.getByRole('columnheader').getByRole('button').first().click();
    await server.main.updateMember(borrower.id, { fullName: 'Maria Clara Reyes' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rowOf(page, 'Maria Clara Reyes').waitFor();
    await expectNothingBroken(page);
  });
});

describe('storage that throws', () => {
  it.each(sampleOf(['full', 'denied']))('keeps the main path whole: %s', async (how) => {
    const page = await browser.visit();
    await page.addInitScript((isDenied) => {
      const refuse = () => {
        throw new DOMException('not here', isDenied ? 'SecurityError' : 'QuotaExceededError');
      };
      Storage.prototype.setItem = refuse;
      if (!isDenied) return;
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { configurable: true, get: refuse });
    }, how === 'denied');
    await goTheMainPath(page);
    await expectNothingBroken(page);
  });
});

/** The page's clock is wrong by so much. */
async function shiftClock(page: Page, days: number): Promise<void> {
  await page.addInitScript((shiftMs) => {
    const { now } = Date;
    Date.now = () => now() + shiftMs;
    window.Date = new Proxy(Date, {
      construct: (target, given) => Reflect.construct(target, given.length ? given : [target.now()]),
    });
  }, days * 86_400_000);
}

describe('a phone whose clock is wrong', () => {
  it.each(sampleOf([-3, 365]))(
    "by %i days has the server's day on its main path, and in what is sent",
    async (days) => {
      const page = await browser.visit();
      await shiftClock(page, days);
      await goTheMainPath(page);
      const today = manilaDate(new Date());
      await page.goto('/my-loan');
      await page.getByRole('button', { name: 'How to pay' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'I have paid' }).click();
      const paidOn = page.locator('input[type=date]').first();
      expect(await paidOn.inputValue()).toBe(today);
      expect(await paidOn.getAttribute('max')).toBe(today);
    },
  );

  it.each(sampleOf([-3, 365], 2))(
    "by %i days leaves the reports of staff at the server's day",
    async (days) => {
      const page = await browser.visit({ token: await server.signInMainAdmin(), screen: 'desktop' });
      await shiftClock(page, days);
      await page.goto('/management/reports');
      const day = page.locator('input[type=date]').first();
      await soon(() => day.getAttribute('max')).toBe(manilaDate(new Date()));
    },
  );
});

describe('the language of a first visit', () => {
  const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

  it.each(
    sampleOf(
      [
        { first: 'fil', starts: 'fil' },
        { first: 'tl-PH', starts: 'fil' },
        { first: 'tlh', starts: 'en' },
        { first: 'ceb', starts: 'en' },
      ],
      2,
    ),
  )('$first starts in $starts', async ({ first, starts }) => {
    const page = await browser.visit();
    await page.addInitScript((language) => {
      Object.defineProperty(Navigator.prototype, 'language', { configurable: true, get: () => language });
    }, first);
    await page.goto('/app-login');
    await page.getByRole('textbox').first().waitFor();
    expect(await languageOf(page)).toBe(starts);
    await page.goto('/');
    await soon(() => languageOf(page)).toBe(starts);
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBeNull();
    await page.goto('/?lang=en');
    await page.goto('/app-login');
    await page.getByRole('textbox').first().waitFor();
    expect(await languageOf(page)).toBe('en');
  });
});

describe('the wallet, opened directly', () => {
  const reads = ['/api/user/profile', '/api/loans/user', '/api/notifications', '/api/withdrawals'];

  function countReads(page: Page) {
    const counts = new Map<string, number>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    });
    return counts;
  }

  it('reads each thing once, and profile and loans again when one comes back to it', async () => {
    const borrower = await fundedBorrower(server);
    const page = await browser.visit({ token: borrower.token });
    const counts = countReads(page);
    await page.goto('/wallet');
    await page.getByRole('button', { name: 'Show balance' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(
      [...counts.values()].every((count) => count === 1),
      JSON.stringify([...counts]),
    ).toBe(true);
    expect(counts.size).toBeGreaterThanOrEqual(reads.length);
    await page.getByRole('link', { name: 'HOME' }).click();
    await page.waitForURL('/loan-app');
    await page.waitForLoadState('networkidle');
    const before = new Map(counts);
    await page.getByRole('link', { name: 'WALLET' }).click();
    for (const path of ['/api/user/profile', '/api/loans/user'])
      await soon(() => counts.get(path)).toBe((before.get(path) ?? 0) + 1);
  });

  it('does not ask again by itself for what could not be read', async () => {
    const borrower = await fundedBorrower(server);
    const page = await browser.visit({ token: borrower.token, expects: [/status of 503/] });
    let asked = 0;
    await page.route('**/api/withdrawals', (route) => {
      asked += 1;
      return route.fulfill({ status: 503, json: { code: 'database_unavailable', message: 'Try again.' } });
    });
    await page.goto('/wallet');
    await page
      .getByRole('button', { name: 'Try again' })
      .or(page.getByRole('button', { name: 'Retry' }))
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toBe(1);
  });
});
