import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Payment } from '#contract/servicing.ts';
import { addDays, addMonths, formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { borrowerWithLoan, disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { expectWalkable, press } from './keyboard.ts';
import { countPrinted, field, holdBack, printedCount, region } from './screen.ts';

const { server, browser } = await listeningServer();

const today = manilaDate(new Date());

async function visit({ token }: TestBorrower, path = '/my-loan'): Promise<Page> {
  const page = await browser.open(path, { token });
  return page;
}

/** A loan whose first instalment was due 40 days ago, and the second ten. */
async function lateBorrower() {
  const { borrower, loan } = await borrowerWithLoan(server, { date: addMonths(addDays(today, -40), -2) });
  const { account } = await borrower.readLoanAccount(loan.id);
  return { borrower, loan, account };
}

const accountOf = ({ token }: TestBorrower, { id }: { id: number }) => server.as(token).readLoanAccount(id);

/** In cash, which counts at once. */
async function pay({ id }: { id: number }, amount: number | string) {
  const paid = await server.main.recordPayment(id, { amount, channel: 'cash', settlement: false } as const);
  return paid as Payment;
}

/** Folded while something is overdue. */
async function openEverything(page: Page): Promise<Locator> {
  const box = region(page, 'If I pay everything');
  await box.locator('summary').click();
  return box;
}

const centavosOf = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100);

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
    await card.getByText(shown(dueNow), { exact: true }).waitFor();
    await card.getByRole('img', { name: '0 of 12 paid, 2 overdue' }).waitFor();
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
    await server.main.recordPayment(loan.id, { amount: account.dueNow, channel: 'cash' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await region(page, 'Receipts').getByText(shown(account.dueNow)).waitFor();
    await expect.poll(() => region(page, 'Next payment').textContent()).not.toContain('Overdue');
    await region(page, 'Late charges').getByText('It no longer grows.').first().waitFor();

    // Two instalments are paid, so the third is the next; the table has the parts of all.
    const split = region(page, 'Interest and principal');
    await split.getByRole('img', { name: /^Over 12 instalments, .*₱11,201.69 to ₱574.76/ }).waitFor();
    const third = (await server.as(borrower.token).readLoanAccount(loan.id)).instalments[2];
    await split
      .getByText(`Of the next instalment, ${shown(third?.interest ?? '')} is interest and`)
      .waitFor();
    await split.getByText('Show as a table').click();
    const rows = await split.getByRole('row').allTextContents();
    expect([rows.length, rows.at(-1)]).toEqual([13, expect.stringMatching(/574\.7615,675\.240\.00$/)]);
  });
});

describe('My loan', () => {
  it('is read anew each time that it is opened, and says when it was read', async () => {
    const { borrower, loan, account } = await lateBorrower();
    const page = await visit(borrower);
    await region(page, 'Receipts').getByText('No payments yet').waitFor();
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    await page.getByRole('link', { name: 'HOME' }).click();
    await region(page, `Loan ${loan.loanNumber}`).waitFor();
    await pay(loan, account.dueNow);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'My loan' }).click();
    await region(page, 'Receipts').getByText(shown(account.dueNow)).waitFor();
    const tab = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
    expect(await tab.allInnerTexts()).toEqual(['HOME']);
  });

  it('says what was refunded and is to be returned, where it is, and that nothing is paid off', async () => {
    const { borrower, loan } = await borrowerWithLoan(server, { date: addMonths(today, -2) });
    const { settlement } = await accountOf(borrower, loan);
    const paid = await pay(loan, Number(settlement?.amount) + 4_892.84);
    await server.main.updatePayment(paid.id, { status: 'reversed', reason: 'It bounced' } as const);
    const { account, settlement: now } = await accountOf(borrower, loan);
    expect(account).toMatchObject({ refundToReturn: '4892.84', dueNow: '21142.84' });

    const page = await visit(borrower);
    const next = region(page, 'Next payment');
    await next.getByText('₱21,142.84', { exact: true }).waitFor();
    await next.getByText('Please return ₱4,892.84. We credited it to your wallet').waitFor();
    await next.getByText('Left to pay, with the refund to return').waitFor();
    const parts = await next.locator('dl dd').allInnerTexts();
    expect(parts).toEqual(['₱16,250.00', '₱4,892.84']);
    await next.getByRole('button', { name: 'How to pay' }).click();
    await page.getByRole('radio', { name: 'Due now ₱21,142.84', checked: true }).waitFor();
    await page.keyboard.press('Escape');

    const box = await openEverything(page);
    const [costs, saves, ...terms] = (await box.locator('dl dd').allInnerTexts()).map(centavosOf);
    expect(costs).toBe(centavosOf(String(now?.amount)));
    expect(terms.reduce((sum, part) => sum + part, 0)).toBe(Number(costs) + Number(saves));
    expect(await page.getByText(/paid off|you owe nothing|clearance/i).count()).toBe(0);
    await page.getByRole('link', { name: 'HOME' }).click();
    const home = region(page, `Loan ${loan.loanNumber}`);
    await home.getByText('₱21,142.84', { exact: true }).waitFor();
    await home.getByText('Left to pay, with the refund to return').waitFor();

    await pay(loan, account.dueNow);
    await page.getByRole('link', { name: 'WALLET' }).click();
    const latest = region(page, 'Latest message');
    await latest.getByText('₱4,892.84 of it returns what we had refunded to you.').waitFor();
    expect(await latest.textContent()).not.toContain('more than you owe');
  });

  it('names a deferral beside the dates that it moved, like the contract, and says that charges stopped', async () => {
    const { borrower, loan } = await lateBorrower();
    const body = { kind: 'deferral', months: 3, reason: 'The harvest was lost' } as const;
    await server.main.actOnLoan(loan.id, body);
    const { instalments } = await accountOf(borrower, loan);
    const [first] = instalments.map(({ dueDate }) => formatManilaDate(dueDate as ManilaDate));
    const page = await visit(borrower);
    const rows = region(page, 'Instalments');
    await rows.getByText('Unpaid instalments were moved by 3 months.').waitFor();
    await rows.getByText(String(first), { exact: true }).waitFor();
    await region(page, 'Late charges').getByText('It no longer grows.').waitFor();
    await page.getByRole('link', { name: 'PROFILE' }).click();
    await page.getByRole('button', { name: 'Loan contract' }).click();
    const contract = page.getByRole('dialog', { name: 'Loan contract' });
    await contract.getByText('Unpaid instalments were moved by 3 months.').waitFor();
    await contract.getByText(`1. ${first}`, { exact: true }).waitFor();
    // Version 2, which the release made, was never accepted itself.
    await contract.getByText(/^You agreed to these terms on .+ With the release on/).waitFor();
    expect(await contract.getByText('You accepted this version').count()).toBe(0);
  });

  it('is read again at midnight, when today and tomorrow are other days', async () => {
    const { borrower } = await lateBorrower();
    const page = await browser.visit(borrower);
    await page.clock.install();
    await page.goto('/my-loan');
    await region(page, 'Receipts').getByText('No payments yet').waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/account')) reads += 1;
    });
    await page.clock.fastForward('24:00:00');
    await soon(() => reads).toBe(1);
    await page.clock.fastForward('24:00:00');
    await soon(() => reads).toBe(2);
  });

  it('names the agreed due dates in the contract, and where a deferral moved them', async () => {
    const { borrower, loan } = await lateBorrower();
    const ends = async () => {
      const { instalments } = await accountOf(borrower, loan);
      return [instalments[0], instalments.at(-1)].map((row) => formatManilaDate(row?.dueDate as ManilaDate));
    };
    const [first, last] = await ends();
    const deferral = { kind: 'deferral', months: 3, reason: 'The harvest was lost' } as const;
    await server.main.actOnLoan(loan.id, deferral);
    const [movedFirst, movedLast] = await ends();
    const page = await visit(borrower, `/wallet?contract=${loan.id}`);
    const costs = page
      .getByRole('dialog', { name: 'Loan contract' })
      .getByRole('region', { name: 'What it costs' });
    const row = (term: string) =>
      costs.getByText(term, { exact: true }).locator('..').getByRole('definition').textContent();
    expect(await row('First due date')).toBe(first);
    expect(await row('Last due date')).toBe(last);
    expect(await row('First due date, after the deferral')).toBe(movedFirst);
    expect(await row('Last due date, after the deferral')).toBe(movedLast);
  });
});

describe('what a borrower may keep', () => {
  it('is each receipt, the statement in both languages, and once it is paid off the certificate', async () => {
    const { borrower, loan } = await lateBorrower();
    const page = await visit(borrower);
    const papers = region(page, 'Papers');
    await papers.getByRole('button', { name: 'Statement', exact: true }).waitFor();
    expect(await page.getByText('Clearance certificate').count()).toBe(0);
    await server.main.recordPayment(loan.id, { amount: 250_000, channel: 'cash', settlement: true });
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
  /** With a loan that was settled. */
  async function settledPage(setUp?: () => void) {
    const { borrower, loan } = await lateBorrower();
    await server.main.recordPayment(loan.id, { amount: 250_000, channel: 'cash', settlement: true });
    const page = await browser.visit(borrower);
    await countPrinted(page);
    if (setUp) await page.addInitScript(setUp);
    await page.goto('/my-loan');
    const print = (name: string, about: string) =>
      region(page, name).getByRole('button', { name: 'Print', description: about, exact: true });
    return { page, print };
  }

  it('takes one click for a receipt, the statement and the certificate', async () => {
    const { page, print } = await settledPage();
    await region(page, 'Receipts').getByRole('button', { name: 'Print' }).click();
    await soon(() => printedCount(page)).toBe(1);
    await print('Papers', 'Statement').click();
    await soon(() => printedCount(page)).toBe(2);
    await print('Papers', 'Clearance certificate').click();
    await soon(() => printedCount(page)).toBe(3);
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
    const box = await openEverything(page);
    const slider = box.getByRole('slider', { name: 'Days from today' });
    const date = field(box, 'Pay everything on');
    const expectDay = async (days: number) => {
      const day = addDays(today, days);
      const body = await borrower.readSettlement(loan.id, { date: day });
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

  it('shows no figure without a day of its own', async () => {
    const { borrower } = await lateBorrower();
    const page = await visit(borrower);
    const box = await openEverything(page);
    const date = field(box, 'Pay everything on');
    await box
      .getByRole('paragraph')
      .filter({ hasText: formatManilaDate(today) })
      .waitFor();
    for (const day of ['', addDays(today, 31), addDays(today, -1)]) {
      await date.fill(day);
      await box.getByRole('paragraph').filter({ hasText: 'Choose a day to see what it costs.' }).waitFor();
      expect(await box.textContent(), day).not.toContain('₱');
      expect(await box.getByText('today', { exact: true }).count(), day).toBe(0);
    }
    // While another day's price is on its way, nothing is shown under that day.
    const answer = await holdBack(page, '**/settlement?*');
    const later = addDays(today, 9);
    await date.fill(later);
    await box
      .getByRole('paragraph')
      .filter({ hasText: formatManilaDate(later) })
      .waitFor();
    expect(await box.textContent()).not.toContain('₱');
    answer();
    await box.getByText('₱').filter({ visible: true }).first().waitFor();
  });

  it('says nothing of saving where nothing is saved', async () => {
    const { borrower } = await borrowerWithLoan(server, { date: addMonths(today, -14) });
    const page = await visit(borrower);
    const box = await openEverything(page);
    await box.getByText('It costs', { exact: true }).waitFor();
    await box.getByText('₱').filter({ visible: true }).first().waitFor();
    expect(await box.textContent()).not.toMatch(/save|instead of/i);
  });
});

describe.runIf(isTorture)('by keyboard alone', () => {
  it.each(['phone', 'small'] as const)('nothing is out of reach on the %s', async (screen) => {
    const { borrower } = await lateBorrower();
    const page = await browser.open('/my-loan', { token: borrower.token, screen });
    const howToPay = page.getByRole('button', { name: 'How to pay' });
    await howToPay.waitFor();
    await expectWalkable(page);
    await tabTo(page, howToPay);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'How to pay' });
    await dialog.getByText('Mobile wallet A').first().waitFor();
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
    await field(page, 'Loan').selectOption(loanNumber);
    const rows = region(page, 'Instalments').locator('tbody').getByRole('row');
    const all = page.getByRole('button', { name: 'Show all 36' });
    await all.waitFor();
    expect(await rows.count()).toBe(6);
    await press(page, all);
    expect(await rows.count()).toBe(36);
    await press(page, page.getByRole('button', { name: 'Show less' }));
    expect(await rows.count()).toBe(6);
  });
});
