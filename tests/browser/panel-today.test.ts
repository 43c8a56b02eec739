import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { apply, approvedApplication, borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import { breakDown, button, dialogOf, outOfReach, region } from './screen.ts';
import {
  answer,
  details,
  expectPanelFits,
  expectReadable,
  expectReadableAndLeave,
  rowOf,
  settledAdmin,
} from './staff.ts';

// The lender's day begins on 10 March 2026, and the main admin is alone unless a test adds somebody.

const clock = createTestClock();
const { server, visit } = await panelPage('today', { deps: { clock } });

beforeEach(() => clock.reset());

const name = 'Maria Clara Santos';
const main = (page: Page) => page.getByRole('main');
const counter = (page: Page, label: string) => main(page).getByRole('link', { name: label, exact: true });
const said = (page: Page, label: string) => counter(page, label).getAttribute('aria-description');
const box = (page: Page) => page.getByRole('searchbox', { name: 'Find anything', exact: true });

const late = async (date = '2025-12-10') => (await borrowerWithLoan(server, { date })).loan;

const pay = (id: number, amount: string, more: object = {}) =>
  server.main.recordPayment(id, { channel: 'cash', amount, ...more } as never);

describe('what waits', () => {
  it('is counted in one request, and each counter leads to its list', async () => {
    const pending = await apply(server, await server.verifiedBorrower());
    const toRelease = (await approvedApplication(server)).loan;
    const loan = await late();
    const clerk = await settledAdmin(server);
    await clerk.recordPayment(loan.id, { amount: '1234', channel: 'bank_transfer', reference: 'BT 2026-1' });
    const promise = { date: '2026-03-10', amount: '500' };
    await server.main.recordContact(loan.id, { channel: 'call', outcome: 'reached', promise });
    clock.set('2026-03-11T04:00:00.000Z');

    const page = await visit();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await counter(page, 'To decide').waitFor();
    expect(asked.filter((path) => path === '/api/admin/today')).toHaveLength(1);
    // The picture of the last days comes after the figures, which do not wait for it.
    const shared = ['today', 'stats', 'approvals', 'reports/collected', 'messages/channels'].map(
      (path) => `/api/admin/${path}`,
    );
    expect(asked.filter((path) => path.startsWith('/api/admin/') && !shared.includes(path))).toEqual([]);

    const lists = [
      ['To decide', 'borrowing?status=pending', pending.loanNumber],
      ['To release', 'borrowing?status=%21release', toRelease.loanNumber],
      ['Payments to confirm', 'payments?status=submitted', '₱1,234.00'],
      ['Broken promises', 'collections?status=broken', '₱500.00 on 10 Mar'],
    ] as const;
    for (const [label, path, text] of lists) {
      expect(await said(page, label)).toBe('1 waits');
      await counter(page, label).click();
      await rowOf(page, text).waitFor();
      expect(page.url()).toMatch(new RegExp(`/management/${path.replace('?', '\\?')}$`));
      // The head and the one row: nothing else has this status.
      expect(await page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: 'Today', exact: true }).click();
      await counter(page, label).waitFor();
    }
    for (const label of ['Waiting for you', 'Withdrawals to send', 'Codes asked for', 'Complaints']) {
      expect(await said(page, label)).toBe('0 wait');
    }
    await expectReadable(page);
    await expectPanelFits(page);
  });

  it('leads to payments that say which of them one recorded oneself', async () => {
    const { id } = await late();
    const clerk = await settledAdmin(server);
    await pay(id, '1234', { channel: 'bank_transfer', reference: 'BT 2026-1' });
    const page = await visit();
    await soon(() => said(page, 'Payments to confirm')).toBe('0 wait');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    const note = rowOf(page, '₱1,234.00').getByText('recorded by you');
    await note.waitFor();
    const [line, row] = [await note.boundingBox(), await rowOf(page, '₱1,234.00').boundingBox()];
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan((row?.y ?? 0) + (row?.height ?? 0));
    await expectPanelFits(page);
    const theirs = await visit({ token: clerk.token });
    await soon(() => said(theirs, 'Payments to confirm')).toBe('1 waits');
    await theirs.getByRole('link', { name: /Payments to confirm/ }).click();
    await rowOf(theirs, '₱1,234.00').waitFor();
    expect(await theirs.getByText('recorded by you').count()).toBe(0);
  });

  it.runIf(isTorture)('leads to withdrawals, codes and complete members', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 5_000);
    await borrower.requestCode();
    const page = await visit();
    expect(await said(page, 'Codes asked for')).toBe('1 waits');
    await counter(page, 'Codes asked for').click();
    await rowOf(page, name).waitFor();

    await server.setCode(borrower.id, '482913');
    await borrower.requestWithdrawal({
      amount: 1_000,
      bankName: 'Bank A',
      bankAccountNumber: '1234567890123',
      otp: '482913',
    });
    await server.main.updateMember(borrower.id, { status: 'pending' });
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await counter(page, 'Withdrawals to send').click();
    await rowOf(page, '₱1,000.00').waitFor();
    await page.goBack();
    await soon(() => said(page, 'Members to activate')).toBe('1 waits');
    await counter(page, 'Members to activate').click();
    await rowOf(page, name).getByText('Pending', { exact: true }).waitFor();
  });

  it('shows one’s own work first, that of others in a line, and says how many complaints are overdue', async () => {
    const { id } = await late();
    const borrower = await server.verifiedBorrower();
    await borrower.complain({ category: 'service', message: 'The office was closed' });
    expect(id).toBeGreaterThan(0);
    const cashier = await settledAdmin(server);
    await server.main.updateAdmin(cashier.id, { roles: ['cashier'] });
    clock.set('2026-03-20T04:00:00.000Z');
    const page = await visit({
      token: await server.signIn({ username: cashier.email, password: cashier.password }),
    });
    await page.getByRole('heading', { name: 'Nothing waits for you.' }).waitFor();
    const labels = await main(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.textContent));
    expect(labels.slice(0, 2)).toEqual(['0Payments to confirm', '0Codes asked for']);
    expect(await said(page, 'Complaints')).toBe('1 waits, 1 overdue');
    await counter(page, 'Complaints').getByText('1 overdue').waitFor();
    expect(await page.getByText('Not set up yet').count()).toBe(0);
    await expectReadable(page);
  });
});

describe('the badges of the sidebar', () => {
  it('count what waits for this person, and fall with the work', async () => {
    const loan = await late();
    const clerk = await settledAdmin(server);
    await clerk.recordPayment(loan.id, { amount: '1234', channel: 'bank_transfer', reference: 'BT 2026-1' });
    const borrower = await server.verifiedBorrower();
    await borrower.complain({ category: 'service', message: 'The office was closed' });
    const place = (page: Page, label: string) =>
      page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: label, exact: true });
    const badge = (page: Page, label: string) => place(page, label).getAttribute('aria-description');

    const page = await visit({ path: 'members' });
    await soon(() => badge(page, 'Payments')).toBe('1 to confirm');
    expect(await badge(page, 'Complaints')).toBe('1 open');
    await place(page, 'Payments').click();
    await button(rowOf(page, '₱1,234.00'), 'Confirm').click();
    await button(dialogOf(page, 'Confirm payment'), 'Confirm').click();
    await soon(() => badge(page, 'Payments')).toBe(null);
    await place(page, 'Complaints').click();
    await button(page, 'Resolve').click();
    await answer(page, 'Resolve');
    await soon(() => badge(page, 'Complaints')).toBe(null);

    // They are not told of others' work, and nothing is asked for it.
    await server.main.updateAdmin(clerk.id, { roles: [] });
    await apply(server, borrower);
    const token = await server.signIn({ username: clerk.email, password: clerk.password });
    const theirs = await visit({ token, path: 'members' });
    const asked: string[] = [];
    theirs.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await place(theirs, 'Borrowing List').click();
    await rowOf(theirs, 'Pending').waitFor();
    expect(await badge(theirs, 'Borrowing List')).toBe(null);
    expect(asked).not.toContain('/api/admin/today');
  });
});

describe('the figures of the day', () => {
  it('say who collected what, and lead to the payments', async () => {
    const loan = await late();
    const other = await late('2026-01-05');
    clock.set('2026-03-11T04:00:00.000Z');
    await pay(other.id, '700');
    clock.set('2026-03-12T04:00:00.000Z');
    const clerk = await settledAdmin(server);
    const theirs = { channel: 'cash', amount: '300' } as const;
    await clerk.recordPayment(loan.id, theirs);
    await pay(loan.id, '2500', { valueDate: '2026-03-09' });
    const page = await visit();
    const collected = region(page, 'Collected today');
    await collected.getByText('₱2,500.00').first().waitFor();
    const lines = await collected.getByRole('listitem').allTextContents();
    expect(lines).toEqual([
      'Cash1 payment, recorded by Main Admin (you)₱2,500.00',
      'Cash1 payment, recorded by Ordinary Admin₱300.00',
    ]);
    expect(await collected.getByRole('link').filter({ hasText: '₱700.00' }).count()).toBe(0);
    await collected
      .getByRole('img', { name: 'Collected on each of the last 14 days, between ₱0 and ₱2,800' })
      .waitFor();
    const days = await collected.getByRole('row').allTextContents();
    expect([days.length, ...days.slice(-2)]).toEqual([14, '11 Mar 2026₱700.00', '12 Mar 2026₱2,800.00']);
    await collected.getByRole('link', { name: /Cash.*1 payment, recorded by Main Admin/ }).click();
    await rowOf(page, '₱2,500.00').waitFor();
    expect(await rowOf(page, '₱700.00').count()).toBe(0);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('receivedOn')).toBe('2026-03-12');
    expect(searchParams.get('channel')).toBe('cash');
  });

  it('lead from each bucket to its loans', async () => {
    await late('2025-12-10');
    const longer = await late('2025-10-10');
    const page = await visit();
    const overdue = region(page, 'Overdue');
    await overdue.getByRole('link', { name: /1–30 days/ }).waitFor();
    await overdue.getByRole('link', { name: /61–90 days.*1 loan/ }).click();
    await rowOf(page, longer.loanNumber).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?status=61-90');
  });

  it.runIf(isTorture)('lead to their rows, each of them', async () => {
    const { loanNumber } = await late();
    await pay((await late('2026-01-10')).id, '900');
    const page = await visit();
    for (const [figure, search] of [
      [/due today$/, 'borrowing?dueFrom=2026-03-10&dueTo=2026-03-10'],
      [/due in the next 7 days$/, 'borrowing?dueFrom=2026-03-11&dueTo=2026-03-17'],
      [/principal out$/, 'borrowing?status=%21open'],
      [/at risk, 1 day or more$/, 'borrowing?pastDue=1'],
      [/at risk, over 30 days$/, 'borrowing?pastDue=31'],
      [/at risk, over 90 days$/, 'borrowing?pastDue=91'],
      [/^₱900.00$/, 'payments?receivedOn=2026-03-10'],
      [/^₱16,250.00$/, 'collections'],
    ] as const) {
      const link = main(page).getByRole('link', { name: figure });
      expect(await link.getAttribute('href')).toBe(`/management/${search}`);
    }
    await main(page).getByRole('link', { name: 'at risk, 1 day or more' }).click();
    await rowOf(page, loanNumber).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it.runIf(isTorture)('are read anew on each visit and by Refresh, and say when', async () => {
    const page = await visit();
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    expect(await said(page, 'To decide')).toBe('0 wait');
    await page.getByText('Nothing yet today.').waitFor();
    await page.getByText('No loan is overdue.').waitFor();
    await page.getByText('Not set up yet').waitFor();
    await apply(server, await server.verifiedBorrower());
    await button(page, 'Refresh').click();
    await soon(() => said(page, 'To decide')).toBe('1 waits');
    await apply(server, await server.verifiedBorrower());
    await page.getByRole('link', { name: 'Approvals', exact: true }).click();
    await page.goBack();
    await soon(() => said(page, 'To decide')).toBe('2 wait');
  });

  it.runIf(isTorture)('that cannot be read say so, and can be read again', async () => {
    const page = await visit({ path: 'settings', expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/admin/today');
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await page.getByText('Today could not be loaded').waitFor();
    await expectReadable(page);
    await repair();
    await button(page, 'Retry').click();
    await counter(page, 'To decide').waitFor();
  });
});

describe('Find anything', () => {
  it('finds as one types, by the keyboard alone, and goes to member, loan and payment', async () => {
    const loan = await late();
    await pay(loan.id, '1500', { reference: 'OR 0012' });
    const page = await visit();
    await box(page).fill('m');
    await page.getByText('Type at least two characters.').waitFor();
    await box(page).fill('maria clara');
    await region(page, 'Members').waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    await box(page).press('ArrowDown');
    await soon(() => hasFocus(region(page, 'Members').getByRole('link').first())).toBe(true);
    await page.keyboard.press('ArrowUp');
    await soon(() => hasFocus(box(page))).toBe(true);
    await page.keyboard.press('Enter');
    await details(page).getByRole('heading', { name }).waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('OR 0012');
    // Pressed before the answer is there.
    await page.keyboard.press('Enter');
    await details(page).getByText('OR 0012').waitFor();
    expect(new URL(page.url()).pathname).toBe('/management/payments');

    const find = dialogOf(page, 'Find');
    await page.keyboard.press('Control+k');
    await find.getByText('call next', { exact: true }).waitFor();
    await page.keyboard.type(`payoff ${loan.loanNumber}`);
    await region(page, 'Pay off')
      .getByText(/^₱[\d,.]+ pays it off$/)
      .waitFor();
    await expectReadable(page);
    await find.getByRole('searchbox').fill('call next');
    await region(page, 'To call next')
      .getByText(/due, \d+ days late$/)
      .waitFor();
    await region(page, 'To call next')
      .getByRole('button', { name: /^Call / })
      .waitFor();
    await find.getByRole('searchbox').fill('audit');
    await region(page, 'Pages').getByRole('link', { name: 'Audit' }).waitFor();
    await find.getByRole('searchbox').fill(`pay ${loan.loanNumber}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/take-payment\?loan=\d+$/);
    await region(page, 'Payment').getByLabel('Amount').waitFor();

    await page.keyboard.press('Control+k');
    await find.getByRole('searchbox').fill('nobody is called so');
    await page.getByText('Nothing was found.').waitFor();
    await expectReadableAndLeave(page, dialogOf(page, 'Find'));
    expect(await page.locator('[aria-label*="Search members"]').count()).toBe(0);
  });

  it.runIf(isTorture)('leads to a cash payment in three presses from anywhere', async () => {
    const { id, loanNumber } = await late();
    const page = await visit({ path: 'settings' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type(loanNumber);
    await region(page, 'Loans').getByRole('link').click();
    await page.waitForURL(`**/management/loans/${id}`);
    await button(page, 'Record payment').click();
    const amount = dialogOf(page, 'Record payment').getByLabel('Amount');
    await soon(() => amount.inputValue()).toBe('32,825');
    // Typing replaces the likely amount.
    await page.keyboard.type('5000');
    await soon(() => amount.inputValue()).toBe('5,000');
    // Where something may have been typed, nothing leads away.
    await page.keyboard.press('Control+k');
    expect(await dialogOf(page, 'Find').count()).toBe(0);
  });

  it('says when it cannot search', async () => {
    const page = await visit({ expects: [outOfReach] });
    await breakDown(page, '**/api/admin/find*');
    await box(page).fill('maria');
    await page.getByText('The search failed', { exact: false }).waitFor();
  });
});
