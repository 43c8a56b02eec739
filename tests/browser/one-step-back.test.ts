import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { fullProfile, type TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, dialogOf, field, opened } from './screen.ts';

/** §one-step-back: Back closes what is on top, and only that; what was typed there is kept. */
const { server, browser } = await listeningServer();

const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

/** Goes back or forward like the phone's own keys. Pressed on a page that has settled, as a person would. */
async function goBack(page: Page) {
  await page.waitForTimeout(50);
  await page.evaluate(() => history.back());
}
async function goForward(page: Page) {
  await page.waitForTimeout(50);
  await page.evaluate(() => history.forward());
}

/** Help, then the page: where one gets when no entry of a sheet is left over. */
async function arriveAt(path: string, borrower: TestBorrower, tab?: string): Promise<Page> {
  const page = await browser.open('/help', borrower);
  await page.getByRole('heading', { name: en.shell.help, level: 1 }).waitFor();
  await page.getByRole('link', { name: tab ?? 'WALLET' }).click();
  await soon(() => pathOf(page)).toBe(path);
  return page;
}

async function expectBackLeaves(page: Page) {
  await goBack(page);
  await soon(() => pathOf(page)).toBe('/help');
}

async function richBorrower() {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 50_000);
  return borrower;
}

const today = manilaDate(new Date());
async function lateBorrower() {
  const borrower = await server.verifiedBorrower();
  await disbursedLoan(server, borrower, {
    date: addMonths(addDays(today, -40), -2),
    payments: [{ amount: 1_000, channel: 'cash' }],
  });
  await server.fund(borrower.id, 200_000);
  return borrower;
}

const { withdrawal, apply: applying, typed } = en;

async function toTheCode(page: Page) {
  const dialog = await opened(button(page, withdrawal.start), withdrawal.title);
  await field(dialog, withdrawal.amount).fill('5000');
  await button(dialog, withdrawal.continue).click();
  await dialogOf(page, withdrawal.codeTitle).waitFor();
}

describe('Back in a withdrawal', () => {
  it('leads from the code to the amount, then to the wallet, then on', async () => {
    const page = await arriveAt('/wallet', await richBorrower());
    await toTheCode(page);
    await goBack(page);
    const amount = field(dialogOf(page, withdrawal.title), withdrawal.amount);
    await soon(() => amount.inputValue()).toBe('5,000');
    await goForward(page);
    await dialogOf(page, withdrawal.codeTitle).waitFor();
    await goBack(page);
    await soon(() => amount.inputValue()).toBe('5,000');
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    expect(pathOf(page)).toBe('/wallet');
    await goForward(page);
    await soon(() => amount.inputValue()).toBe('5,000');
    await page.getByText(typed.kept).waitFor();
    await button(page, typed.startOver).click();
    expect(await amount.inputValue()).toBe('');
    expect(await page.getByText(typed.kept).count()).toBe(0);
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectBackLeaves(page);
  });

  it.each(['Cancel', 'Escape'])('%s in the code discards the request and leaves no entry', async (way) => {
    const page = await arriveAt('/wallet', await richBorrower());
    await toTheCode(page);
    if (way === 'Cancel') await button(dialogOf(page, withdrawal.codeTitle), 'Cancel').click();
    else await page.keyboard.press('Escape');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    const dialog = await opened(button(page, withdrawal.start), withdrawal.title);
    expect(await field(dialog, withdrawal.amount).inputValue()).toBe('');
    await button(dialog, 'Close').click();
    await expectBackLeaves(page);
  });

  it('a reload opens the page, with nothing left over in the history', async () => {
    const page = await arriveAt('/wallet', await richBorrower());
    await toTheCode(page);
    await page.reload();
    const dialog = await opened(button(page, withdrawal.start), withdrawal.title);
    expect(await field(dialog, withdrawal.amount).inputValue()).toBe('5,000');
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectBackLeaves(page);
  });
});

describe('Back in an application', () => {
  async function toTheReview(page: Page) {
    const dialog = await opened(button(page, en.dashboard.apply), applying.title);
    await field(dialog, applying.exactAmount).fill('250000');
    await field(dialog, applying.purpose).fill('A sewing machine');
    await button(dialog, applying.review).click();
    await button(dialog, applying.submit).waitFor();
    return dialog;
  }

  it('leads from the review to the form, then to the page, with all that was typed', async () => {
    const page = await arriveAt('/loan-app', await richBorrower(), 'HOME');
    const dialog = await toTheReview(page);
    await goBack(page);
    await soon(() => field(dialog, applying.exactAmount).inputValue()).toBe('250,000');
    await goForward(page);
    await button(dialog, applying.submit).waitFor();
    await page.keyboard.press('Escape');
    await soon(() => field(dialog, applying.purpose).inputValue()).toBe('A sewing machine');
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await page.reload();
    const again = await opened(button(page, en.dashboard.apply), applying.title);
    expect(await field(again, applying.exactAmount).inputValue()).toBe('250,000');
    expect(await field(again, applying.purpose).inputValue()).toBe('A sewing machine');
    await again.getByText(typed.kept).waitFor();
    await button(again, 'Close').click();
    await expectBackLeaves(page);
  });

  it('at /dashboard a reload in the review opens the form again, and Back the page', async () => {
    const page = await arriveAt('/wallet', await server.verifiedBorrower());
    await page.getByRole('link', { name: en.dashboard.apply }).first().click();
    const dialog = dialogOf(page, applying.title);
    await field(dialog, applying.purpose).fill('A sewing machine');
    await button(dialog, applying.review).click();
    await button(dialog, applying.submit).waitFor();
    await page.reload();
    await soon(() => field(dialog, applying.purpose).inputValue()).toBe('A sewing machine');
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    expect(pathOf(page)).toBe('/loan-app');
    await goBack(page);
    await soon(() => pathOf(page)).toBe('/wallet');
    await expectBackLeaves(page);
  });

  it('nothing is kept of one that was sent', async () => {
    const page = await arriveAt('/loan-app', await richBorrower(), 'HOME');
    const dialog = await toTheReview(page);
    await button(dialog, applying.submit).click();
    await button(page, 'Done').click();
    expect(await page.evaluate(() => sessionStorage.getItem('typed'))).toBeNull();
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectBackLeaves(page);
  });
});

describe('Back in the guided form', () => {
  it('Back, Forward and reload keep answers and part, and Start over empties it', async () => {
    const borrower = await server.registerBorrower();
    const page = await browser.open('/profile', borrower);
    await button(page, 'Start').click();
    const form = page.getByRole('region', { name: en.profile.personal });
    expect(await field(form, 'Country of work').inputValue()).toBe('Philippines');
    await field(form, 'Address').fill(fullProfile.address);
    await field(form, 'Monthly salary').fill('40000');
    await button(form, 'Continue').click();
    await field(form, 'Reference name').fill('Jo');
    await page.reload();
    await soon(() => field(form, 'Reference name').inputValue()).toBe('Jo');
    expect(pathOf(page)).toBe('/profile?step=about&part=2');
    await goBack(page);
    await soon(() => field(form, 'Address').inputValue()).toBe(fullProfile.address);
    await goForward(page);
    await soon(() => field(form, 'Reference name').inputValue()).toBe('Jo');
    await button(form, typed.startOver).click();
    // The first part is empty again, and the address says so.
    await field(form, 'Address').waitFor();
    expect(await field(form, 'Address').inputValue()).toBe('');
    await soon(() => pathOf(page)).toBe('/profile?step=about&part=1');
  });

  it('the dialog with all the questions begins with the answers, and gives them back', async () => {
    const borrower = await server.registerBorrower();
    const page = await browser.open('/profile?step=about', borrower);
    const form = page.getByRole('region', { name: en.profile.personal });
    await field(form, 'Address').fill(fullProfile.address);
    const all = await opened(
      button(page, `${en.profile.edit}: ${en.profile.allAtOnce}`),
      en.profile.personal,
    );
    expect(await field(all, 'Address').inputValue()).toBe(fullProfile.address);
    expect(await field(all, 'Country of work').inputValue()).toBe('Philippines');
    await field(all, 'Monthly salary').fill('41000');
    await goBack(page);
    await soon(() => field(form, 'Monthly salary').inputValue()).toBe('41,000');
    expect(pathOf(page)).toBe('/profile?step=about');
  });
});

describe('Back in any sheet', () => {
  const sheets: [name: string, open: (page: Page) => Promise<unknown>, path: string, tab: string][] = [
    ['the menu', (page) => button(page, en.shell.openMenu).click(), '/wallet', 'WALLET'],
    [
      'messages',
      async (page) => {
        await button(page, en.shell.openMenu).click();
        await page.getByRole('link', { name: en.shell.messages, exact: true }).click();
        await dialogOf(page, en.shell.messages).waitFor();
      },
      '/wallet',
      'WALLET',
    ],
    ['Pay from wallet', (page) => button(page, en.payment.fromWallet).first().click(), '/wallet', 'WALLET'],
    ['View personal information', (page) => button(page, en.profile.view).click(), '/profile', 'PROFILE'],
    ['Edit personal information', (page) => button(page, en.profile.edit).click(), '/profile', 'PROFILE'],
    ['the contract', (page) => button(page, en.papers.contract).click(), '/profile', 'PROFILE'],
    ['How to pay', (page) => button(page, en.payment.howToPay).click(), '/loan-app', 'HOME'],
  ];
  const ways: [name: string, close: (page: Page) => Promise<unknown>][] = [
    ['Back', goBack],
    ['Escape', (page) => page.keyboard.press('Escape')],
  ];

  it.each(sampleOf(sheets, 6))(
    'closes only that, and leaves nothing over: %s',
    async (_, open, path, tab) => {
      const page = await arriveAt(path, await lateBorrower(), tab);
      for (const [, close] of ways) {
        await open(page);
        await page.getByRole('dialog').waitFor();
        await close(page);
        await soon(() => page.getByRole('dialog').count()).toBe(0);
        expect(pathOf(page)).toBe(path);
      }
      await goForward(page);
      await page.waitForTimeout(300);
      expect(pathOf(page).split('?')[0]).toBe(path);
      if ((await page.getByRole('dialog').count()) > 0) await goBack(page);
      await soon(() => page.getByRole('dialog').count()).toBe(0);
      await open(page);
      await page.getByRole('dialog').waitFor();
      await page.reload();
      await page.waitForLoadState('networkidle');
      if ((await page.getByRole('dialog').count()) > 0) await goBack(page);
      await soon(() => page.getByRole('dialog').count()).toBe(0);
      expect(pathOf(page)).toBe(path);
      await expectBackLeaves(page);
    },
  );

  it('a link in the menu takes the place of its entry', async () => {
    const page = await arriveAt('/wallet', await richBorrower());
    await button(page, en.shell.openMenu).click();
    await page.getByRole('link', { name: en.shell.profile, exact: true }).click();
    await soon(() => pathOf(page)).toBe('/profile');
    await goBack(page);
    await soon(() => pathOf(page)).toBe('/wallet');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectBackLeaves(page);
  });

  it('leads from what was paid to how to pay, with what was typed', async () => {
    const page = await arriveAt('/loan-app', await lateBorrower(), 'HOME');
    const how = await opened(button(page, en.payment.howToPay), en.payment.howToPay);
    const paid = await opened(button(how, en.pay.havePaid), en.pay.havePaid);
    await field(paid, en.pay.referenceNumber).fill('GC 1234567');
    await goBack(page);
    await how.waitFor();
    await button(how, en.pay.havePaid).click();
    expect(await field(paid, en.pay.referenceNumber).inputValue()).toBe('GC 1234567');
    await page.keyboard.press('Escape');
    await how.waitFor();
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectBackLeaves(page);
  });

  it('leads from the contract of a message to the messages', async () => {
    const page = await arriveAt('/wallet', await lateBorrower());
    await button(page, en.shell.openMenu).click();
    await page.getByRole('link', { name: en.shell.messages, exact: true }).click();
    const messages = dialogOf(page, en.shell.messages);
    await messages.getByRole('link', { name: en.dashboard.openContract }).first().click();
    await soon(() => page.getByRole('dialog').count()).toBe(2);
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(1);
    await messages.waitFor();
    await goBack(page);
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    expect(pathOf(page)).toBe('/wallet');
    await expectBackLeaves(page);
  });
});
