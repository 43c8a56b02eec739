import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { apply, fundedBorrower, notify, withdraw } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { closeDialog, expectWalkable, holdsFocus, openDialog, press } from './keyboard.ts';
import {
  breakDown,
  button,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  holdBack,
  outOfReach,
  toastCount,
} from './screen.ts';

const { server, browser } = await listeningServer();

const withdrawButton = (page: Page) => button(page, 'Withdraw money');
const withdrawals = (page: Page) => page.getByRole('region', { name: 'Withdrawals', exact: true });

async function visit({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/wallet', { token, ...options });
  await withdrawButton(page).waitFor();
  return page;
}

/** With a loan, two messages, and more withdrawals than are listed at first. */
async function busyBorrower(): Promise<TestBorrower> {
  const borrower = await fundedBorrower(server, 20_000);
  await apply(server, borrower);
  for (const amount of [1_001, 1_002, 1_003, 1_004, 1_005, 1_006]) await withdraw(server, borrower, amount);
  await notify(server, borrower, { title: 'Holiday', message: 'We are closed on Monday.' });
  return borrower;
}

describe('the page', () => {
  it.each(['phone', 'small'] as const)(
    'has nothing out of reach on the %s, and the focus stays where one shows and hides',
    async (screen) => {
      const page = await visit(await busyBorrower(), { screen });
      await button(page, 'Show all 6').waitFor();
      await page.getByRole('link', { name: /^All messages/ }).waitFor();
      await page.getByRole('link', { name: 'Contract and payment schedule' }).waitFor();
      await expectWalkable(page);
      const show = button(page, 'Show balance');
      const hide = button(page, 'Hide balance');
      await press(page, show);
      await page.getByText('₱13,979.00').first().waitFor();
      expect(await hasFocus(hide)).toBe(true);
      await page.keyboard.press('Space');
      expect(await hasFocus(show)).toBe(true);
      expect(await page.locator('body').textContent()).not.toContain('13,979');

      const rows = withdrawals(page).getByRole('listitem');
      const few = await rows.count();
      await press(page, button(page, 'Show all 6'));
      expect(await rows.count()).toBe(6);
      expect(await hasFocus(button(page, 'Show less'))).toBe(true);
      await page.keyboard.press('Enter');
      expect(await rows.count()).toBe(few);
    },
  );

  it('is read anew, with the focus on its button, and what failed with it', async () => {
    const page = await visit(await server.registerBorrower(), { expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/withdrawals');
    await press(page, button(page, 'Refresh'));
    const retry = withdrawals(page).getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    await soon(() => hasFocus(button(page, 'Refresh'))).toBe(true);
    await repair();
    await press(page, retry);
    await retry.waitFor({ state: 'hidden' });
    await tabTo(page, page.getByRole('link', { name: 'WALLET' }));
  });

  it('leads to the papers and to an application', async () => {
    const page = await visit(await busyBorrower());
    await press(page, page.getByRole('link', { name: 'Contract and payment schedule' }));
    await page.waitForURL('/profile#papers');
    const other = await visit(await server.registerBorrower());
    await press(other, other.getByRole('link', { name: 'Apply for a loan' }));
    await dialogOf(other, 'Verification Required').waitFor();
    await other.waitForURL('/dashboard');
    await closeDialog(
      other,
      dialogOf(other, 'Verification Required'),
      other.getByRole('heading', { level: 1 }),
    );
  });

  it('opens all messages, and arrow keys scroll them', async () => {
    const borrower = await server.registerBorrower();
    for (let count = 1; count <= 12; count += 1) {
      await notify(server, borrower, { title: `Message ${count}`, message: 'Line after line. '.repeat(12) });
    }
    const page = await visit(borrower, { screen: 'small' });
    const opener = page.getByRole('link', { name: 'All messages (12)' });
    const dialog = dialogOf(page, 'Messages');
    await openDialog(page, opener, dialog);
    await expectWalkable(page);
    const text = dialog.getByRole('region', { name: 'Messages' });
    await tabTo(page, text);
    await page.keyboard.press('End');
    await soon(() => text.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
    await closeDialog(page, dialog, opener);
  });
});

describe('a withdrawal', () => {
  it('is refused in a notice that its key leads to, and the focus waits on its button', async () => {
    const page = await visit(await server.registerBorrower());
    const answer = await holdBack(page, '**/api/user/profile');
    await press(page, withdrawButton(page));
    await soon(() => withdrawButton(page).isDisabled()).toBe(true);
    answer();
    await expectToast(page, 'Insufficient funds', 'Unavailable to request a withdrawal');
    await soon(() => hasFocus(withdrawButton(page))).toBe(true);
    await page.keyboard.press('F8');
    const notices = page.getByRole('region', { name: 'Notifications (F8)' });
    expect(await holdsFocus(notices)).toBe(true);
    await press(page, notices.getByRole('button', { name: en.shell.dismiss }));
    await soon(() => toastCount(page)).toBe(0);
  });

  it('goes to what is wrong, on to the code, and is given up at each step', async () => {
    const borrower = await fundedBorrower(server);
    const page = await visit(borrower, { screen: 'small' });
    const funds = dialogOf(page, 'Withdraw Funds');
    const code = dialogOf(page, 'Enter OTP Code');
    const amount = field(funds, 'Amount');
    await openDialog(page, withdrawButton(page), funds);
    await expectWalkable(page);
    await closeDialog(page, funds, withdrawButton(page));

    await page.keyboard.press('Enter');
    await funds.waitFor();
    expect(await hasFocus(amount)).toBe(true);
    await page.keyboard.type('500');
    await press(page, field(funds, 'Account number'));
    await soon(() => hasFocus(amount)).toBe(true);
    await soon(() => descriptionOf(amount)).toContain('Minimum withdrawal amount is ₱1,000');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('5000');
    await press(page, funds.getByRole('button', { name: 'Continue' }));
    await code.waitFor();
    expect(await hasFocus(field(code, 'OTP code'))).toBe(true);
    await expectWalkable(page);
    await closeDialog(page, code, withdrawButton(page));
    expect(await borrower.listOwnWithdrawals()).toEqual([]);
  });

  it('asks for the code again where it is typed, and ends on the button that began it', async () => {
    const borrower = await fundedBorrower(server);
    const page = await visit(borrower, { expects: [/status of 400/] });
    const code = dialogOf(page, 'Enter OTP Code');
    await press(page, withdrawButton(page));
    await dialogOf(page, 'Withdraw Funds').waitFor();
    await page.keyboard.type('5000');
    await page.keyboard.press('Enter');
    await code.waitFor();
    await page.keyboard.type('111111');
    await press(page, code.getByRole('button', { name: 'Confirm' }));
    await expectToast(page, 'Withdrawal failed', 'Invalid or expired OTP code');
    // The page behind a dialog is out of reach, so its notices are in it.
    await page.keyboard.press('F8');
    await soon(() => holdsFocus(code.getByRole('region', { name: 'Notifications (F8)' }))).toBe(true);
    await tabTo(page, field(code, 'OTP code'));
    await page.keyboard.type('482913');
    await press(page, code.getByRole('button', { name: 'Confirm' }), 'Space');
    await expectToast(page, 'Withdrawal approved');
    await code.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await soon(() => hasFocus(withdrawButton(page))).toBe(true);
  });
});
