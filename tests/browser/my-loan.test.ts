import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { addDays, addMonths, formatManilaDate, manilaDate } from '#domain/calendar.ts';
import { disbursedLoan } from '#tests/api/lending.ts';
import { soon, testBrowser } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { expectWalkable, press } from './keyboard.ts';

const server = await listeningServer();
const browser = await testBrowser(server.origin);

const today = manilaDate(new Date());
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function visit({ token }: TestBorrower, path = '/my-loan'): Promise<Page> {
  const page = await browser.visit({ token });
  await page.goto(path);
  return page;
}

/** A loan whose first instalment was due 40 days ago, and the second ten. */
async function lateBorrower() {
  const borrower = await server.verifiedBorrower();
  const loan = await disbursedLoan(server, borrower, { date: addMonths(addDays(today, -40), -2) });
  const { account } = (
    await server.succeed(api.readLoanAccount, { token: borrower.token, params: { id: loan.id } })
  ).body;
  return { borrower, loan, account };
}

const shown = (amount: string) =>
  `₱${Number(amount).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

describe('a disbursed loan', () => {
  it('says the same on its card, in the wallet, in its messages, on My loan and in its schedule', async () => {
    const { borrower, loan, account } = await lateBorrower();
    const { principalLeft, interestLeft, lateChargesOwed, dueNow } = account;
    const left = shown(String(Number(principalLeft) + Number(interestLeft) + Number(lateChargesOwed)));
    const page = await visit(borrower, '/loan-app');
    const card = region(page, `Loan ${loan.loanNumber}`);
    await card.getByText(left).waitFor();
    await card.getByText(`${shown(dueNow)} due since`).waitFor();
    await card.getByRole('link', { name: 'My loan' }).click();
    const next = region(page, 'Next payment');
    await next.getByText(shown(dueNow)).waitFor();
    await next.getByText(left).waitFor();
    await page.getByRole('link', { name: 'WALLET' }).click();
    const preview = region(page, 'Loan preview');
    await preview.getByText(left).waitFor();
    await preview.getByText(shown(dueNow)).waitFor();
    await region(page, 'Latest message').getByRole('link', { name: 'My loan' }).click();
    await soon(() => new URL(page.url()).search).toBe(`?loan=${loan.loanNumber}`);
    await region(page, 'Late charges')
      .getByText(/^Began on/)
      .waitFor();
    await page.getByRole('link', { name: 'PROFILE' }).click();
    await page.getByRole('button', { name: 'Payment schedule' }).click();
    const schedule = page.getByRole('dialog', { name: 'Payment schedule' });
    await schedule.getByText(left).waitFor();
    await schedule.getByText('count from the day of disbursement').waitFor();
    expect(await schedule.getByText('Overdue').count()).toBe(2);
  });

  it('is the same again after a payment, once asked to refresh', async () => {
    const { borrower, loan, account } = await lateBorrower();
    const page = await visit(borrower);
    await region(page, 'Receipts').getByText('No payments yet').waitFor();
    await server.succeed(api.recordPayment, {
      token: await server.signInMainAdmin(),
      params: { id: loan.id },
      body: { amount: account.dueNow, channel: 'cash' },
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await region(page, 'Receipts').getByText(shown(account.dueNow)).waitFor();
    await expect.poll(() => region(page, 'Next payment').textContent()).not.toContain('Overdue');
    await region(page, 'Late charges').getByText('It grows no more.').first().waitFor();
  });
});

describe('what a borrower may keep', () => {
  it('is each receipt, the statement in both languages, and once it is paid off the certificate', async () => {
    const { borrower, loan } = await lateBorrower();
    const page = await visit(borrower);
    const papers = region(page, 'Papers');
    await papers.getByRole('button', { name: 'Statement', exact: true }).waitFor();
    expect(await page.getByText('Clearance certificate').count()).toBe(0);
    await server.succeed(api.recordPayment, {
      token: await server.signInMainAdmin(),
      params: { id: loan.id },
      body: { amount: 250_000, channel: 'cash', settlement: true },
    });
    await page.reload();
    const save = async (scope: Locator, name: string) => {
      const asked = page.waitForEvent('download');
      await scope.getByRole('button', { name, exact: true }).click();
      return (await asked).suggestedFilename();
    };
    const { loanNumber } = loan;
    expect(await save(papers, 'Clearance certificate')).toBe(`${loanNumber}-clearance.pdf`);
    expect(await save(papers, 'Certificate in Filipino')).toBe(`${loanNumber}-clearance-fil.pdf`);
    expect(await save(papers, 'Statement')).toBe(`${loanNumber}-statement.pdf`);
    expect(await save(papers, 'Statement as CSV')).toBe(`${loanNumber}-statement.csv`);
    expect(await save(papers, 'Statement in Filipino')).toBe(`${loanNumber}-statement-fil.pdf`);
    expect(await save(region(page, 'Receipts'), 'Download receipt')).toMatch(/^AR-\d{4}-\d{6}\.pdf$/);
  });
});

describe('printing', () => {
  /** A page that counts what is printed, with a loan that was settled. */
  async function settledPage(setUp?: () => void) {
    const { borrower, loan } = await lateBorrower();
    await server.succeed(api.recordPayment, {
      token: await server.signInMainAdmin(),
      params: { id: loan.id },
      body: { amount: 250_000, channel: 'cash', settlement: true },
    });
    const page = await browser.visit({ token: borrower.token });
    await page.addInitScript(() => {
      // The dialog itself belongs to the browser; each frame has its own.
      window.print = () => top?.document.body.append(`Printed ${location.protocol} `);
    });
    if (setUp) await page.addInitScript(setUp);
    await page.goto('/my-loan');
    const print = (name: string, about: string) =>
      region(page, name).getByRole('button', { name: 'Print', description: about, exact: true });
    return { page, print };
  }

  it('takes one click for a receipt, the statement and the certificate', async () => {
    const { page, print } = await settledPage();
    const printed = async () => (await page.locator('body').textContent())?.split('Printed blob:').length;
    await region(page, 'Receipts').getByRole('button', { name: 'Print' }).click();
    await soon(printed).toBe(2);
    await print('Papers', 'Statement').click();
    await soon(printed).toBe(3);
    await print('Papers', 'Clearance certificate').click();
    await soon(printed).toBe(4);
    expect(await page.locator('iframe').count()).toBe(1);
  });

  it('opens the paper in a tab where the browser shows no PDF', async () => {
    const { page, print } = await settledPage(() => {
      Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false });
    });
    const opened = page.waitForEvent('popup');
    await print('Papers', 'Statement').click();
    expect((await opened).url()).toMatch(/^blob:/);
  });
});

describe('paying everything', () => {
  it('is worked out for the day that is chosen, by date and by slider, and is read out', async () => {
    const { borrower, loan } = await lateBorrower();
    const page = await visit(borrower);
    const box = region(page, 'If I pay everything');
    const slider = box.getByRole('slider', { name: 'Days from today' });
    const date = box.getByLabel('Pay everything on', { exact: true });
    const expectDay = async (days: number) => {
      const day = addDays(today, days);
      const { token } = borrower;
      const { body } = await server.succeed(api.readSettlement, {
        token,
        params: { id: loan.id },
        query: { date: day },
      });
      await box.getByText(shown(body.amount), { exact: true }).waitFor();
      await box.getByText(shown(body.rebate), { exact: true }).waitFor();
      expect(await date.inputValue()).toBe(day);
      await soon(() => slider.getAttribute('aria-valuetext')).toContain(shown(body.amount));
      await soon(() => box.getByRole('status').textContent()).toContain(
        days === 0 ? '' : formatManilaDate(day),
      );
    };
    await expectDay(0);
    await tabTo(page, slider);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expectDay(2);
    await page.keyboard.press('End');
    await expectDay(30);
    await date.fill(addDays(today, 7));
    await expectDay(7);
    await date.fill(addDays(today, 31));
    await box.getByRole('alert').getByText('Please choose a day within the next 30 days').waitFor();
  });
});

describe('by keyboard alone', () => {
  it.each(['phone', 'small'] as const)('nothing is out of reach on the %s', async (screen) => {
    const { borrower } = await lateBorrower();
    const page = await browser.visit({ token: borrower.token, screen });
    await page.goto('/my-loan');
    const howToPay = page.getByRole('button', { name: 'How to pay' });
    await howToPay.waitFor();
    await expectWalkable(page);
    await tabTo(page, howToPay);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'How to pay' });
    await dialog.getByText('Bank Transfer').waitFor();
    await expectWalkable(page);
    await page.keyboard.press('Escape');
    await soon(() => hasFocus(howToPay)).toBe(true);
  });

  it('a long schedule opens and closes, and another loan is chosen', async () => {
    const borrower = await server.verifiedBorrower();
    const long = { date: addMonths(today, -3), amount: 600_000, termMonths: 36 };
    const { loanNumber } = await disbursedLoan(server, borrower, long);
    await disbursedLoan(server, borrower, { date: today });
    const page = await visit(borrower);
    await page.getByLabel('Loan', { exact: true }).selectOption(loanNumber);
    const rows = region(page, 'Instalments').locator('tbody').getByRole('row');
    const all = page.getByRole('button', { name: 'All 36' });
    await all.waitFor();
    expect(await rows.count()).toBe(12);
    await press(page, all);
    expect(await rows.count()).toBe(36);
    await press(page, page.getByRole('button', { name: 'Fewer' }));
    expect(await rows.count()).toBe(12);
  });
});
