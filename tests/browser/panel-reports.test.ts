import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { approvedApplication, disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import { button } from './screen.ts';
import { expectPanelFits, expectReadable, rowOf } from './staff.ts';

const { server, visit } = await panelPage('reports');

const name = 'Maria Clara Santos';

async function paidLoan() {
  const { loan } = await approvedApplication(server);
  await server.main.disburseLoan(loan.id, { channel: 'wallet' });
  await server.main.recordPayment(loan.id, { amount: 16_250, channel: 'cash' });
  return loan;
}

async function fileOf(page: Page) {
  const coming = page.waitForEvent('download');
  await button(page, 'Export CSV').click();
  const download = await coming;
  return { name: download.suggestedFilename(), text: fs.readFileSync(await download.path(), 'utf8') };
}

describe('the reports', () => {
  it('of a day lead to the payments, and to the journal', async () => {
    await paidLoan();
    const page = await visit({ path: 'members' });
    await page.getByRole('link', { name: 'Reports' }).click();
    const line = page.getByRole('row').filter({ hasText: 'Cash' });
    await line.getByText('₱16,250.00').waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
    const file = await fileOf(page);
    expect(file.name).toMatch(/^day-\d{4}-\d\d-\d\d\.csv$/);
    expect(file.text).toContain('16250.00');

    const shown = line.getByRole('link', { name: '₱16,250.00' });
    const counted = line.getByRole('link', { name: '1', exact: true });
    expect(await counted.getAttribute('href')).toBe(await shown.getAttribute('href'));
    await shown.click();
    await page.waitForURL(/\/payments\?receivedOn=\d{4}-\d\d-\d\d&channel=cash&by=\d+&confirmedBy=\d+$/);
    await rowOf(page, name).getByText('₱16,250.00').waitFor();
    await page.getByRole('button', { name: /^Received / }).click();
    await page.waitForURL((url) => url.search === '?channel=cash');
    await page.goBack();
    await page.getByRole('link', { name: '1 · ₱150,000.00' }).click();
    await page.waitForURL(/show=journal/);
    const journal = page.getByRole('table', { name: 'Journal' });
    await journal.getByText('Loans, principal').first().waitFor();
    await journal.getByText('Received: Cash').waitFor();
    expect(await journal.getByText('_').count()).toBe(0);
    await expectReadable(page);
    await expectPanelFits(page);
    expect((await fileOf(page)).text).toContain('loans_principal');
  });

  it('of the portfolio lead from each figure to its rows, of a past day too', async () => {
    const today = manilaDate(new Date());
    const yesterday = addDays(today, -1);
    // Its first instalment was due five days ago, or a few more where a month is short.
    const date = addDays(addMonths(today, -2), -5);
    const { loanNumber } = await disbursedLoan(server, await server.verifiedBorrower(), { date });
    const page = await visit({ path: 'reports?show=portfolio' });
    const bucket = page.getByRole('row').filter({ hasText: '1 to 30' });
    await soon(() => bucket.getByRole('link').count()).toBe(3);
    await bucket.getByRole('link', { name: '₱16,250.00' }).click();
    await page.waitForURL(/collections\?status=1-30$/);
    await rowOf(page, loanNumber).waitFor();
    await page.goto(`/management/reports?show=portfolio&date=${yesterday}`);
    await bucket.getByRole('link', { name: '₱16,250.00' }).click();
    await page.waitForURL(`**/collections?asOf=${yesterday}&status=1-30`);
    await rowOf(page, loanNumber).waitFor();
    await page.goto(`/management/reports?show=portfolio&date=${yesterday}`);
    await page.getByText('on 1 loan at the end of').waitFor();
    // The borrowing list knows of today alone.
    expect(await page.locator('main a[href*="/borrowing"]').count()).toBe(0);
    await page.getByRole('link', { name: '100.00%' }).click();
    await page.waitForURL(`**/collections?asOf=${yesterday}`);
  });

  it.runIf(isTorture)(
    'of a past portfolio lead to its loans of that day, whose sums are the figures',
    async () => {
      let past = addDays(manilaDate(new Date()), -3);
      // A day that every month has.
      while (addMonths(addMonths(past, -2), 2) !== past) past = addDays(past, -1);
      // On that day one has an instalment that day, one is 40 days late, and one is neither.
      const due = addMonths(past, -2);
      const dates = [due, addDays(due, -40), addDays(due, 20)];
      const loans: string[] = [];
      for (const date of dates)
        loans.push((await disbursedLoan(server, await server.verifiedBorrower(), { date })).loanNumber);
      const [dueThatDay = '', late = '', quiet = ''] = loans;
      const page = await visit();
      const report = `/management/reports?show=portfolio&date=${past}`;
      const figure = (term: string) => page.locator('dl > div').filter({ hasText: term }).getByRole('link');
      const shown = () =>
        page
          .getByRole('row')
          .allTextContents()
          .then((texts) =>
            texts.flatMap((text) => /LN-\d{4}-\d{6}/.exec(text)?.[0] ?? []).filter((n) => loans.includes(n)),
          );
      await page.goto(report);
      const principal = page.getByText('Principal out').locator('..').getByRole('link');
      const out = String(await principal.textContent());
      await principal.click();
      await page.waitForURL(`**/reports?show=loans&date=${past}`);
      await soon(shown).toEqual(loans);
      // The sum over the list is the figure that led here.
      await page.getByText(out, { exact: true }).waitFor();
      await expectReadable(page);
      await expectPanelFits(page);
      await page.setViewportSize({ width: 1366, height: 850 });
      await rowOf(page, late).click();
      await page.getByRole('link', { name: 'Open loan account' }).waitFor();
      for (const [open, status, numbers] of [
        [() => figure('Due that day'), 'duetoday', [dueThatDay]],
        [() => figure('Due in the 7 days after'), 'duesoon', []],
        [() => figure('31 days past due or more'), 'par30', [late]],
        [
          () => page.getByRole('row').filter({ hasText: 'None' }).getByRole('link').first(),
          'current',
          [dueThatDay, quiet],
        ],
      ] as const) {
        await page.goto(report);
        await open().click();
        await page.waitForURL(`**/reports?show=loans&date=${past}&status=${status}`);
        await soon(shown).toEqual(numbers);
      }
      const coming = page.waitForEvent('download');
      await button(page, 'Export CSV').click();
      expect((await coming).suggestedFilename()).toBe('portfolio-loans.csv');
      await button(page, 'Back to the portfolio').click();
      await page.waitForURL(`**/reports?show=portfolio&date=${past}`);
    },
  );

  it.runIf(isTorture)('of the portfolio are of any day that is typed, and lead to the loans', async () => {
    const loan = await paidLoan();
    const page = await visit();
    await page.getByRole('link', { name: 'Portfolio' }).click();
    await page.getByRole('table', { name: 'By days past due' }).waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
    await page
      .getByRole('link', { name: '₱150,000.00' })
      .or(page.getByText('Principal out'))
      .first()
      .waitFor();
    const day = page.getByLabel('As of');
    await day.fill('2026-01-15');
    await page.waitForURL(/date=2026-01-15/);
    await page.getByText('on 0 loans at the end of 15 Jan 2026').waitFor();
    await day.fill('');
    await page.getByText('Type a day up to today.').waitFor();
    await page.goto('/management/reports?show=portfolio');
    await page.getByRole('row').filter({ hasText: 'None' }).getByRole('link').first().click();
    await page.waitForURL(/borrowing\?status=%21current/);
    await rowOf(page, loan.loanNumber).waitFor();
  });
});
