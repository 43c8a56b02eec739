import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { applicant, apply, fundedBorrower } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { expectWhole, hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import {
  breakDown,
  descriptionOf,
  expectToast,
  field,
  holdBack,
  leaveDone,
  loseAnswers,
  outOfReach,
  toastCount,
  toastRegion,
} from './screen.ts';

const { server, browser } = await listeningServer();

/** `fundedBorrower` is given this code. */
const code = '482913';

const withdrawButton = (page: Page) => page.getByRole('button', { name: 'Withdraw money' });
const fundsDialog = (page: Page) => page.getByRole('dialog', { name: 'Withdraw Funds' });
const codeDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter OTP Code' });
const proceed = (dialog: Locator) => dialog.getByRole('button', { name: 'Continue' });
const confirm = (page: Page) => codeDialog(page).getByRole('button', { name: 'Confirm' });

async function openFunds(borrower: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/wallet', { token: borrower.token, ...options });
  await withdrawButton(page).click();
  await fundsDialog(page).waitFor();
  return page;
}

/** On to the second dialog, with an amount that the wallet covers. */
async function openCode(borrower: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await openFunds(borrower, options);
  await field(fundsDialog(page), 'Amount').fill('5000');
  await proceed(fundsDialog(page)).click();
  await codeDialog(page).waitFor();
  return page;
}

const balanceOf = async ({ token }: TestBorrower) => (await server.as(token).readProfile()).balance;
const withdrawalsOf = ({ token }: TestBorrower) => server.as(token).listOwnWithdrawals();

describe('the amount', () => {
  it('is not even asked for while the wallet is empty', async () => {
    const { token } = await server.verifiedBorrower();
    const page = await browser.open('/wallet', { token });
    await withdrawButton(page).click();
    await expectToast(page, 'Insufficient funds', 'Unavailable to request a withdrawal');
    expect(await fundsDialog(page).count()).toBe(0);
  });

  it('is asked for when the money came after the page was opened, which then shows where it came from', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.open('/wallet', borrower);
    await page.getByText('Our staff are checking your application.').waitFor();
    await server.main.updateLoan(loan.id, { status: 'active' });
    await server.fund(borrower.id, 5_000);
    await withdrawButton(page).click();
    await fundsDialog(page).waitFor();
    await page.getByText('Our staff can tell you more about this loan.').waitFor();
  });

  it('is asked for once its dialogs are here, where the button was pressed before', async () => {
    const { token } = await fundedBorrower(server);
    const page = await browser.visit({ token });
    const release = await holdBack(page, /\/assets\/withdraw-money-/);
    await page.goto('/wallet');
    await withdrawButton(page).focus();
    await page.keyboard.press('Enter');
    await page.locator('button[aria-busy=true]', { hasText: 'Withdraw money' }).waitFor();
    release();
    await fundsDialog(page).waitFor();
    expect(await hasFocus(field(fundsDialog(page), 'Amount'))).toBe(true);
    await page.keyboard.press('Escape');
    expect(await hasFocus(withdrawButton(page))).toBe(true);
  });

  it('that was withdrawn leaves no old word about the loan on the page', async () => {
    const borrower = await fundedBorrower(server);
    const loan = await apply(server, borrower);
    const page = await openCode(borrower);
    await page.getByText('Our staff are checking your application.').waitFor();
    await server.main.updateLoan(loan.id, { status: 'active' });
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click();
    await expectToast(page, 'Withdrawal approved', '₱5,000.00 to Bank A.');
    await leaveDone(page);
    await page.getByText('Our staff can tell you more about this loan.').waitFor();
  });

  it('goes to the bank account of the profile unless one says otherwise', async () => {
    const page = await openFunds(await fundedBorrower(server));
    const dialog = fundsDialog(page);
    expect(await field(dialog, 'Bank name').inputValue()).toBe('Bank A');
    expect(await field(dialog, 'Account number').inputValue()).toBe('1234567890123');
    await field(dialog, 'Bank name').fill('');
    await field(dialog, 'Account number').fill('123');
    await proceed(dialog).click();
    await soon(() => descriptionOf(field(dialog, 'Bank name'))).toContain('Bank name is required');
    await soon(() => descriptionOf(field(dialog, 'Account number'))).toContain('Account number is required');
  });

  it('is at least 1,000 pesos, and not more than the wallet holds', async () => {
    const page = await openFunds(await fundedBorrower(server, 20_000));
    const amount = field(fundsDialog(page), 'Amount');
    for (const typed of ['', '999.99', 'all of it']) {
      await amount.fill(typed);
      await proceed(fundsDialog(page)).click();
      await soon(() => descriptionOf(amount)).toContain('Minimum withdrawal amount is ₱1,000');
      expect(await hasFocus(amount)).toBe(true);
    }
    await amount.fill('1000.555');
    await proceed(fundsDialog(page)).click();
    await soon(() => descriptionOf(amount)).toContain('Please give at most two decimals');
    await amount.fill('20,000.01');
    await proceed(fundsDialog(page)).click();
    await expectToast(page, 'Insufficient funds', 'Unavailable to request a withdrawal');
    expect(await amount.inputValue()).toBe('20,000.01');
    await amount.fill('₱20,000.00');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('₱20,000.00').waitFor();
  });
});

describe('the balance', () => {
  const show = (page: Page) => page.getByRole('button', { name: 'Show balance' }).click();
  const bodyText = (page: Page) => page.locator('body').textContent();

  it('stays hidden in both dialogs until it is shown', async () => {
    const page = await openFunds(await fundedBorrower(server, 20_345));
    await fundsDialog(page).getByText('₱ •••••• in the wallet').waitFor();
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('Left in the wallet').waitFor();
    await codeDialog(page).getByText('₱ ••••••').waitFor();
    expect(await bodyText(page)).not.toMatch(/15,345|20,345/);
    await codeDialog(page).getByRole('button', { name: 'Cancel' }).click();

    // Shown where the amount is chosen.
    await withdrawButton(page).click();
    await fundsDialog(page).getByRole('button', { name: 'Show balance' }).click();
    await fundsDialog(page).getByText('₱20,345.00 in the wallet').waitFor();
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('₱15,345.00').waitFor();
  });

  it('is taken whole with one press, hidden or not, and as it is now', async () => {
    const borrower = await fundedBorrower(server, 20_345);
    const page = await openFunds(borrower);
    await server.fund(borrower.id, '30345.50');
    const all = fundsDialog(page).getByRole('button', { name: 'All', exact: true });
    await all.click();
    const amount = field(fundsDialog(page), 'Amount');
    await soon(() => amount.inputValue()).toBe('30,345.50');
    await soon(() => hasFocus(amount)).toBe(true);
    await expectWhole(page);
    await page.keyboard.press('Escape');
    await show(page);
    await withdrawButton(page).click();
    await all.click();
    await soon(() => amount.inputValue()).toBe('30,345.50');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('₱0.00').waitFor();
  });

  it('is read anew before it is told what would be left', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await browser.open('/wallet', borrower);
    await show(page);
    await withdrawButton(page).click();
    await server.fund(borrower.id, 30_000);
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('₱25,000.00').waitFor();
  });

  it('is not guessed at where it cannot be read', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await browser.open('/wallet', { token: borrower.token, expects: [outOfReach] });
    await show(page);
    await withdrawButton(page).click();
    await breakDown(page, '**/api/user/profile');
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('Your balance could not be read just now').waitFor();
    expect(await bodyText(page)).not.toContain('15,000');
    await expectWhole(page);
  });

  it('that turns out too small on Confirm is told as everywhere, and the amount asked for again', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await openCode(borrower, { expects: [/status of 400/] });
    await server.fund(borrower.id, 2_000);
    await field(codeDialog(page), 'OTP code').fill(code);
    await toastRegion(page).waitFor({ state: 'attached' });
    await confirm(page).click();
    await expectToast(page, 'Insufficient funds', 'Unavailable to request a withdrawal');
    await fundsDialog(page).waitFor();
    expect(await field(fundsDialog(page), 'Amount').inputValue()).toBe('5,000');
    await page.waitForTimeout(1_000);
    expect(await toastCount(page)).toBe(1);
    expect(await withdrawalsOf(borrower)).toEqual([]);
    await field(fundsDialog(page), 'Amount').fill('1500');
    await proceed(fundsDialog(page)).click();
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click();
    await expectToast(page, 'Withdrawal approved');
  });
});

describe('who has no code', () => {
  it('asks for one where it is asked for, and staff see who waits', async () => {
    const borrower = await fundedBorrower(server);
    const page = await openCode(borrower, { expects: [/status of 429/, outOfReach] });
    const request = codeDialog(page).getByRole('button', { name: 'Request a code' });
    const repair = await breakDown(page, '**/api/withdrawals/code-request');
    await request.click();
    await expectToast(page, 'The code could not be requested', 'Out of reach.');
    await repair();
    await tabTo(page, request);
    await page.keyboard.press('Enter');
    await codeDialog(page).getByRole('status').getByText('Our staff know that you are waiting').waitFor();
    expect(await request.count()).toBe(0);
    expect(await hasFocus(field(codeDialog(page), 'OTP code'))).toBe(true);
    await expectWhole(page);
    expect((await server.main.readMember(borrower.id)).codeRequestedAt).not.toBe(null);

    // Reopened, also after a reload, it still knows when.
    await codeDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await withdrawButton(page).click();
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page)
      .getByText(/^You asked at/)
      .waitFor();
    expect(await request.count()).toBe(0);
    await page.reload();
    await withdrawButton(page).click();
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page)
      .getByText(/^You asked at/)
      .waitFor();
    expect(await request.count()).toBe(0);

    // Nobody is told that staff still know of somebody who has their code.
    const lookAgain = codeDialog(page).getByRole('button', { name: 'Look again' });
    await lookAgain.click();
    await codeDialog(page)
      .getByText(/Our staff know/)
      .waitFor();
    await soon(() => lookAgain.isEnabled()).toBe(true);
    await server.setCode(borrower.id, '731904');
    await lookAgain.click();
    await codeDialog(page)
      .getByRole('status')
      .getByText(/^Our staff set your code at/)
      .waitFor();
    expect(await codeDialog(page).getByText('Our staff know').count()).toBe(0);

    // In a tab that knows nothing of it, asked again too soon: the code has come, so nobody waits.
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await withdrawButton(page).click();
    await field(fundsDialog(page), 'Amount').fill('5000');
    await proceed(fundsDialog(page)).click();
    await request.click();
    await expectToast(page, 'The code could not be requested', /please call them/);
    expect(await codeDialog(page).getByText('Our staff know that you').count()).toBe(0);
  });
});

describe('the code', () => {
  it('lets the money go, once, and the wallet shows it', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await openCode(borrower);
    const warning = 'You never pay to receive your loan. If anyone asks you to, report it.';
    await codeDialog(page).getByText(warning).waitFor();
    // Its opener is on a dark surface, whose rings are white.
    const ring = (scope: Locator) =>
      scope.evaluate((node) => getComputedStyle(node).getPropertyValue('--color-focus'));
    expect(await ring(codeDialog(page))).toBe(await ring(page.locator('body')));
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click({ clickCount: 2 });
    await expectToast(page, 'Withdrawal approved');
    await codeDialog(page).waitFor({ state: 'hidden' });
    const done = page.getByRole('dialog', { name: 'Our staff send it next' });
    for (const text of [/^₱5,000\.00$/, 'account ending in 0123', /^WD-/])
      await done.getByText(text).waitFor();
    await leaveDone(page);
    await page.getByRole('region', { name: 'Withdrawals' }).getByText('Approved').waitFor();
    await page.getByRole('button', { name: 'Show balance' }).click();
    await page.getByText('₱15,000.00').first().waitFor();
    expect(await balanceOf(borrower)).toBe('15000.00');
    expect(await withdrawalsOf(borrower)).toHaveLength(1);
  });

  it('has six digits, and a wrong one is asked for again with everything else kept', async () => {
    const borrower = await fundedBorrower(server);
    const page = await openCode(borrower, { expects: [/status of 400/] });
    const otp = field(codeDialog(page), 'OTP code');
    expect(await hasFocus(otp)).toBe(true);
    await otp.pressSequentially('48-29x1');
    expect(await otp.inputValue()).toBe('48291');
    await confirm(page).click();
    await soon(() => descriptionOf(otp)).toContain('OTP must be exactly 6 digits');
    await otp.fill('111111');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Withdrawal failed', 'Invalid or expired OTP code');
    expect(await hasFocus(otp)).toBe(true);
    await otp.fill(code);
    await page.keyboard.press('Enter');
    await expectToast(page, 'Withdrawal approved');
  });

  it('is not asked for any more once the request is cancelled, and nothing was sent', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await openCode(borrower);
    await codeDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await codeDialog(page).waitFor({ state: 'hidden' });
    await withdrawButton(page).click();
    expect(await field(fundsDialog(page), 'Amount').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await fundsDialog(page).waitFor({ state: 'hidden' });
    expect(await hasFocus(withdrawButton(page))).toBe(true);
    expect(await withdrawalsOf(borrower)).toEqual([]);
    expect(await balanceOf(borrower)).toBe('20000.00');
  });

  it('is followed by a look at the bank account when that is another one', async () => {
    const borrower = await fundedBorrower(server);
    const page = await openFunds(borrower);
    await field(fundsDialog(page), 'Amount').fill('5000');
    await field(fundsDialog(page), 'Account number').fill('9999888877776666');
    await proceed(fundsDialog(page)).click();
    await codeDialog(page).getByText('account ending in 6666').waitFor({ state: 'attached' });
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click();
    await expectToast(page, 'Withdrawal submitted', 'Our staff will check the bank account first.');
    await page.getByRole('dialog', { name: 'We’ll message you either way' }).waitFor();
    await leaveDone(page);
    await page.getByRole('region', { name: 'Withdrawals' }).getByText('Pending').waitFor();
  });
});

describe('a connection that breaks', () => {
  it('never takes the money twice, and what became of it is found out', async () => {
    const borrower = await fundedBorrower(server, 20_000);
    const page = await openCode(borrower, { expects: [/ERR_CONNECTION_RESET/] });
    const { keys } = await loseAnswers(page, '**/api/withdrawals', 1);
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click();
    await codeDialog(page).getByText('We are checking whether it went through').waitFor();
    expect(await page.getByText('Withdrawal failed').count()).toBe(0);
    await expectToast(page, 'Withdrawal approved');
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).not.toBe(null);
    expect(await balanceOf(borrower)).toBe('15000.00');
    expect(await withdrawalsOf(borrower)).toHaveLength(1);
  });

  it('cannot be taken back while the request is on its way', async () => {
    const page = await openCode(await fundedBorrower(server));
    const answer = await holdBack(page, '**/api/withdrawals');
    await field(codeDialog(page), 'OTP code').fill(code);
    await confirm(page).click();
    const waiting = codeDialog(page).getByRole('button', { name: 'Please wait...' });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await codeDialog(page).waitFor();
    answer();
    await expectToast(page, 'Withdrawal approved');
  });
});
