import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { applicant, apply, fundedBorrower, notify, releaseLoan, withdraw } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectWhole, tabTo } from '#tests/setup/browser-checks.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { breakDown, descriptionOf, holdBack, outOfReach, region } from './screen.ts';

const { server, browser } = await listeningServer();

const application = (page: Page) => region(page, 'Application');
const preview = (page: Page) => region(page, 'Loan preview');
const withdrawals = (page: Page) => region(page, 'Withdrawals');

describe('the balance', () => {
  it('is dots until it is asked for, and again after one has been away', async () => {
    const borrower = await fundedBorrower(server, 20_345);
    const page = await browser.open('/wallet', borrower);
    const card = region(page, 'Wallet balance');
    const show = card.getByRole('button', { name: 'Show balance' });
    await show.waitFor();
    expect(await page.locator('body').textContent()).not.toContain('20,345');
    expect(await card.textContent()).toContain('••••');
    await tabTo(page, show);
    await page.keyboard.press('Enter');
    await card.getByText('₱20,345.00').waitFor();
    await card.getByRole('button', { name: 'Hide balance' }).click();
    await show.click();
    await card.getByText('₱20,345.00').waitFor();
    await page.getByRole('link', { name: 'HOME' }).click();
    await page.waitForURL('/loan-app');
    await page.getByRole('link', { name: 'WALLET' }).click();
    await show.waitFor();
    expect(await page.locator('body').textContent()).not.toContain('20,345');
  });

  it('is hidden again for who turned back before the other page was there', async () => {
    const borrower = await fundedBorrower(server);
    const page = await browser.open('/wallet', borrower);
    const card = region(page, 'Wallet balance');
    await card.getByRole('button', { name: 'Show balance' }).click();
    const chunk = '**/assets/profile-page-*.js';
    const asked = page.waitForRequest(chunk);
    const arrive = await holdBack(page, chunk);
    await page.getByRole('link', { name: 'PROFILE' }).click();
    await asked;
    await page.getByRole('link', { name: 'WALLET' }).click();
    await card.getByRole('button', { name: 'Show balance' }).waitFor();
    arrive();
  });

  it('is read again whenever the wallet is opened, with loans and messages', async () => {
    const { borrower, loan } = await applicant(server);
    await server.fund(borrower.id, 1_000);
    const page = await browser.open('/wallet', borrower);
    const card = region(page, 'Wallet balance');
    await card.getByRole('button', { name: 'Show balance' }).waitFor();
    await application(page).getByText('Pending', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'PROFILE' }).click();
    await page.waitForURL('/profile');
    await server.fund(borrower.id, 2_500);
    await server.main.updateLoan(loan.id, { status: 'approved' });
    await page.getByRole('link', { name: 'WALLET' }).click();
    await application(page).getByText('Approved', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Show balance' }).click();
    await card.getByText('₱2,500.00').waitFor();
    await region(page, 'Latest message').getByText('approved', { exact: false }).first().waitFor();
  });

  it('of somebody new comes after the way to begin, and does not tell while it is hidden that it is empty', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/wallet', { token });
    const card = region(page, 'Wallet balance');
    const withdraw = card.getByRole('button', { name: 'Withdraw money' });
    await withdraw.waitFor();
    expect(await page.getByText('Nothing to withdraw now.').count()).toBe(0);
    expect(await descriptionOf(withdraw)).toBe('');
    await card.getByRole('button', { name: 'Show balance' }).click();
    await expect.poll(() => descriptionOf(withdraw)).toBe('Nothing to withdraw now.');
    await page.getByRole('heading', { name: 'Two steps to your loan' }).waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.waitForURL('/profile?step=about');
  });

  it('stands with the warning that a loan is never paid for first', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/wallet', { token });
    const card = region(page, 'Wallet balance');
    await card.getByText('You never pay to receive your loan. If anyone asks you to, report it.').waitFor();
    await card.locator('a[href^="tel:"]').waitFor();
    await card.getByRole('link', { name: 'Report it' }).click();
    await page.waitForURL('/help');
    await page.getByRole('main').locator('a[href^="tel:"]').first().waitFor();
  });
});

describe('what stands below it', () => {
  it('is announced while it loads, and empty at first', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token });
    const loans = await holdBack(page, '**/api/loans/user');
    const list = await holdBack(page, '**/api/withdrawals');
    await page.goto('/wallet');
    await withdrawals(page).getByText('Loading').waitFor({ state: 'attached' });
    await application(page).getByText('Loading').waitFor({ state: 'attached' });
    await expectWhole(page);
    loans();
    list();
    await application(page).getByText('No pending loan application found.').waitFor();
    await withdrawals(page).getByText('No withdrawals yet').waitFor();
    await page.getByText('No messages yet').waitFor();
    await application(page).getByRole('link', { name: 'Apply for a loan' }).click();
    await page.waitForURL('/dashboard');
  });

  it.each(
    sampleOf(
      [
        {
          address: '**/api/loans/user',
          failed: 'Your application could not be loaded',
          empty: 'No pending loan',
        },
        {
          address: '**/api/withdrawals',
          failed: 'Your withdrawals could not be loaded',
          empty: 'No withdrawals',
        },
        {
          address: '**/api/notifications',
          failed: 'Your messages could not be loaded',
          empty: 'No messages',
        },
      ],
      3,
    ),
  )('$address can be read again when it fails, and the rest stays', async ({ address, failed, empty }) => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token, expects: [outOfReach] });
    const repair = await breakDown(page, address);
    await page.goto('/wallet');
    await page.getByText(failed).waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(1);
    await repair();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(empty).waitFor();
    await page.getByText(failed).waitFor({ state: 'hidden' });
  });

  it('is the application step by step, and what the main loan costs', async () => {
    const { borrower, loan: approved } = await applicant(server);
    await server.main.updateLoan(approved.id, { status: 'approved' });
    const page = await browser.open('/wallet', borrower);
    const steps = application(page).getByRole('list', { name: 'Progress of the application' });
    const titles = ['Submitted', 'Under review', 'Decision', 'Released'];
    await steps.waitFor();
    const texts = await steps.getByRole('listitem').allTextContents();
    expect(texts.map((text, index) => text.includes(titles[index] ?? '?'))).toEqual([true, true, true, true]);
    await application(page).getByText('Approved', { exact: true }).waitFor();
    await preview(page).getByText('₱16,250.00 × 12').waitFor();

    // A newer application is the current one; the approved loan stays the main one.
    const newer = await apply(server, borrower, { amount: 300_000 });
    await server.main.updateLoan(newer.id, { status: 'denied' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await application(page).getByText('Denied', { exact: true }).waitFor();
    await application(page).getByRole('heading', { name: newer.loanNumber }).waitFor();
    await preview(page).getByText('₱150,000.00').waitFor();
    await preview(page).getByRole('link', { name: 'Contract and payment schedule' }).click();
    await page.waitForURL('/profile#papers');
  });

  it('is the latest message, as staff wrote it and never as markup', async () => {
    const borrower = await server.registerBorrower();
    await notify(server, borrower, { title: 'First', message: 'Welcome.' });
    const message = '<img src=x onerror="throw new Error(1)"> <b>bold</b>\nsecond line';
    await notify(server, borrower, { title: 'Latest <i>news</i>', message });
    const page = await browser.open('/wallet', borrower);
    const latest = region(page, 'Latest message');
    await latest.getByText('Latest <i>news</i>').waitFor();
    expect(await latest.textContent()).toContain('<b>bold</b>');
    expect(await latest.textContent()).not.toContain('Welcome.');
    await latest.getByRole('link', { name: 'All messages (2)' }).click();
    const all = page.getByRole('dialog', { name: 'Messages' });
    await soon(() => all.getByRole('listitem').count()).toBe(2);
    await expectWhole(page);

    // A message that comes after the others were listed is new, once; the menu leads to it.
    const fresh = all.getByRole('listitem').filter({ has: page.getByText('New', { exact: true }) });
    expect(await fresh.count()).toBe(0);
    await notify(server, borrower, { title: 'Third', message: 'Good day.' });
    for (const titles of [['Third'], []]) {
      await page.goto('/loan-app');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('link', { name: 'Messages' }).click();
      await soon(() => all.getByRole('listitem').count()).toBe(3);
      expect(await fresh.getByText('Third').count()).toBe(titles.length);
      expect(await fresh.count()).toBe(titles.length);
    }
  });

  it('is all of a long list, the older ones when asked for', async () => {
    const borrower = await server.registerBorrower();
    await notify(server, borrower, { title: 'Message 1', message: 'Good to have you.' });
    await server.database.transaction((tx) =>
      tx.execute(sql`
        insert into notifications (account_id, title, message, type, created_at)
        select account_id, 'Message ' || n, message, type, created_at
        from notifications, generate_series(2, 503) n where account_id = ${borrower.id}`),
    );
    const page = await browser.open('/wallet', borrower);
    await region(page, 'Latest message').getByRole('link', { name: 'All messages' }).click();
    const all = page.getByRole('dialog', { name: 'Messages' });
    await all.getByText('The newest 500 are listed.').waitFor();
    await all.getByRole('button', { name: 'Show older' }).click();
    await all.getByText('Message 1', { exact: true }).waitFor();
    expect(await all.getByRole('listitem').count()).toBe(503);
    expect(await all.getByRole('button', { name: 'Show older' }).count()).toBe(0);
  });

  it('is no loan or balance older than the message beside it', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.open('/loan-app', borrower);
    await page.getByText(loan.loanNumber).first().waitFor();
    await releaseLoan(server, loan);
    await page.getByRole('link', { name: 'WALLET' }).click();
    await region(page, 'Latest message').getByText('₱ •••••• arrived in your wallet').waitFor();
    await application(page).getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show balance' }).click();
    await page.getByRole('status').getByText('₱150,000.00').waitFor();
  });

  it('is no message about a code that was used', async () => {
    const borrower = await server.verifiedBorrower();
    await notify(server, borrower, { title: 'Welcome', message: 'Good to have you.' });
    await releaseLoan(server, await apply(server, borrower));
    await server.setCode(borrower.id, '482913');
    const page = await browser.open('/wallet', borrower);
    const latest = region(page, 'Latest message');
    await latest.getByText('A one-time code was set for you').waitFor();
    await withdraw(server, borrower);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await latest.getByText('₱ •••••• arrived in your wallet').waitFor();
    expect(await page.getByText('A one-time code was set for you').count()).toBe(0);
    // Changes to the account stay on record.
    await latest.getByRole('link', { name: /^All messages/ }).click();
    await page
      .getByRole('dialog', { name: 'Messages' })
      .getByText('A one-time code was set for you')
      .first()
      .waitFor();
  });

  it('is one withdrawal, then the last few of many, then all of them', async () => {
    const borrower = await fundedBorrower(server);
    await withdraw(server, borrower, 1_000);
    const page = await browser.open('/wallet', borrower);
    const rows = withdrawals(page).getByRole('listitem');
    await soon(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toMatch(/Bank A.*WD-\d{4}-\d{6}.*₱1,000\.00.*Approved/);
    for (const amount of [1_001, 1_002, 1_003, 1_004, 1_005, 1_006]) await withdraw(server, borrower, amount);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await withdrawals(page).getByRole('button', { name: 'Show all 7' }).click();
    await soon(() => rows.count()).toBe(7);
    expect(await rows.first().textContent()).toContain('₱1,006.00');
    await withdrawals(page).getByRole('button', { name: 'Show less' }).click();
    await soon(() => rows.count()).toBeLessThan(7);
  });

  it('is counted as far as it was read, and after Refresh has no older rows of an earlier reading', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    await withdraw(server, borrower);
    await server.database.transaction((tx) =>
      tx.execute(sql`
        insert into withdrawals (account_id, withdrawal_number, amount_centavos, bank_name, bank_account_number, status,
          created_at, updated_at)
        select account_id, 'W-' || n, amount_centavos, bank_name, bank_account_number, 'pending', created_at, updated_at
        from withdrawals, generate_series(2, 503) n where account_id = ${borrower.id}`),
    );
    const page = await browser.open('/wallet', borrower);
    await withdrawals(page).getByRole('button', { name: 'Show all 500+' }).click();
    const rows = withdrawals(page).getByRole('listitem');
    await withdrawals(page).getByRole('button', { name: 'Show older' }).click();
    await soon(() => rows.count()).toBe(503);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await soon(() => rows.count()).toBe(500);
    await withdrawals(page).getByRole('button', { name: 'Show older' }).click();
    await soon(() => rows.count()).toBe(503);
  });
});
