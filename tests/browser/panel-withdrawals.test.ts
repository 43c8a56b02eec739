import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatManilaInstant } from '#domain/calendar.ts';
import { fundedBorrower, withdraw } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import {
  breakDown,
  button,
  dialogOf,
  expectToast,
  field,
  holdBack,
  loseAnswers,
  lostAnswer,
  outOfReach,
} from './screen.ts';
import {
  answer,
  approveInRow,
  expectFigures,
  expectPanelFits,
  expectReadable,
  exportCsv,
  giveOldNumber,
  nextBody,
  questionOf,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, visit, expectReadAgain } = await panelPage('withdrawal');

const name = 'Maria Clara Santos';
const conflict = /status of 409/;
const alreadyFinal = 'This withdrawal is already completed or rejected';

const detailsOf = (page: Page) => dialogOf(page, 'Withdrawal Details');

const balanceOf = async ({ token }: TestBorrower) => (await server.as(token).readProfile()).balance;

/** A withdrawal of ₱1,000.00 out of ₱20,000.00, to the account of the profile. */
async function approved() {
  const borrower = await fundedBorrower(server);
  await withdraw(server, borrower);
  const [withdrawal] = await server.main.listWithdrawals();
  if (withdrawal?.status !== 'approved') throw new Error('the withdrawal is not approved');
  return { borrower, withdrawal };
}

/** The same to another account, which staff look at first. */
async function pending() {
  const borrower = await fundedBorrower(server);
  await withdraw(server, borrower, 1_000, { bankName: 'Bank Z', bankAccountNumber: '5554443332221' });
  const [withdrawal] = await server.main.listWithdrawals();
  if (withdrawal?.status !== 'pending') throw new Error('the withdrawal is not pending');
  return { borrower, withdrawal };
}

const move = (id: number, status: 'completed' | 'rejected') => server.main.updateWithdrawal(id, { status });

describe('an approved withdrawal', () => {
  it('is approved from its row, with the keyboard', async () => {
    const { borrower, withdrawal } = await approved();
    const { withdrawalNumber: number } = withdrawal;
    const page = await visit();
    await rowOf(page, name).waitFor();
    await tabTo(page, rowOf(page, name));
    await page.keyboard.press('Tab');
    expect(await hasFocus(button(rowOf(page, name), 'Approve'))).toBe(true);
    const body = nextBody(page, 'PUT', `/api/admin/withdrawals/${withdrawal.id}`);
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, `Send ${number}?`);
    await dialog.getByText(name).waitFor();
    await expectReadable(page);
    await field(dialog, 'Bank reference').fill('IP-778');
    await page.keyboard.press('Enter');
    expect(await body).toEqual({ status: 'completed', bankReference: 'IP-778' });
    await expectToast(page, 'Withdrawal approved', `${number}: ₱1,000.00 marked as sent.`);
    await rowOf(page, name).getByText('Completed').waitFor();
    expect(await button(rowOf(page, name), 'Reject').count()).toBe(0);
    expect(await balanceOf(borrower)).toBe('19000.00');
    const [after] = await server.main.listWithdrawals();
    expect(after?.processedAt).not.toBe(null);
  });

  it('is rejected from its row, and the money is back', async () => {
    const { borrower, withdrawal } = await approved();
    const { withdrawalNumber: number } = withdrawal;
    const page = await visit();
    await button(rowOf(page, name), 'Reject').click();
    const question = page.getByRole('alertdialog', { name: `Reject ${number}?` });
    await question.getByText(`₱1,000.00 goes back to ${name}’s wallet`, { exact: false }).waitFor();
    expect(await hasFocus(button(question, 'Cancel'))).toBe(true);
    await answer(page, 'Reject');
    await expectToast(page, 'Success', `${number} was rejected, and ₱1,000.00 is back in ${name}’s wallet.`);
    await rowOf(page, name).getByText('Rejected').waitFor();
    expect(await balanceOf(borrower)).toBe('20000.00');
  });

  it('offers the same two in its details', async () => {
    const { withdrawal } = await approved();
    const page = await visit();
    await button(rowOf(page, name), 'Details').click();
    const dialog = detailsOf(page);
    await dialog.getByText('The money goes to the bank account in the profile.').waitFor();
    expect(await button(dialog, 'Process').count()).toBe(0);
    await button(dialog, 'Reject').waitFor();
    await button(dialog, 'Approve').click();
    await expectToast(
      page,
      'Withdrawal approved',
      `${withdrawal.withdrawalNumber}: ₱1,000.00 marked as sent.`,
    );
    await dialog.waitFor({ state: 'hidden' });
  });

  it.each(sampleOf(['Approve', 'Reject'], 2))(
    'that somebody else has settled refuses to %s',
    async (action) => {
      const { borrower, withdrawal } = await approved();
      const page = await visit({ expects: [conflict] });
      await button(rowOf(page, name), action).waitFor();
      await move(withdrawal.id, 'rejected');
      if (action === 'Approve') await approveInRow(rowOf(page, name));
      else {
        await button(rowOf(page, name), action).click();
        await answer(page, 'Reject');
      }
      await expectToast(page, 'Action failed', alreadyFinal);
      await rowOf(page, name).getByText('Rejected').waitFor();
      expect(await balanceOf(borrower)).toBe('20000.00');
    },
  );
});

const oneWithdrawal = '**/api/admin/withdrawals/*';
const unknown = 'We do not know whether it went through';
const checking = 'We are checking whether it went through';

describe('what staff do to a withdrawal', () => {
  it.runIf(isTorture)('shows at once that it is under way, and cannot be pressed twice', async () => {
    await approved();
    const page = await visit();
    const row = rowOf(page, name);
    const release = await holdBack(page, oneWithdrawal);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    const approve = button(row, 'Approve');
    await approve.click();
    await button(page.getByRole('dialog'), 'Approve').dblclick();
    expect(await approve.getAttribute('aria-busy')).toBe('true');
    expect(await approve.isDisabled()).toBe(true);
    expect(await button(row, 'Reject').isDisabled()).toBe(true);
    await button(row, 'Details').click();
    const dialog = detailsOf(page);
    expect(await button(dialog, 'Approve').getAttribute('aria-busy')).toBe('true');
    release();
    await expectToast(page, 'Withdrawal approved');
    await row.getByText('Completed').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('is told at once where the server fails, and can be tried again', async () => {
    await approved();
    const page = await visit({ expects: [/status of 500/, outOfReach] });
    const row = rowOf(page, name);
    for (const status of [500, 503]) {
      const repair = await breakDown(page, oneWithdrawal, status);
      await approveInRow(row);
      await expectToast(page, 'Action failed', 'Out of reach.');
      await soon(() => button(row, 'Approve').isEnabled()).toBe(true);
      await repair();
      await button(row, 'Reject').click();
      await page.keyboard.press('Escape');
      await soon(() => page.getByText('Action failed').count()).toBe(0);
    }
    await approveInRow(row);
    await expectToast(page, 'Withdrawal approved');
  });

  it('whose answer is lost is looked for in its row, until one stops waiting', async () => {
    await approved();
    const page = await visit({ expects: [lostAnswer] });
    const row = rowOf(page, name);
    const { keys, mend } = await loseAnswers(page, oneWithdrawal);
    await approveInRow(row);
    await row.getByText('Checking...').waitFor();
    await row.getByText(checking, { exact: false }).waitFor({ state: 'attached' });
    await expectReadable(page);
    await button(row, 'Stop waiting').click();
    await expectToast(page, unknown);
    mend();
    await approveInRow(row);
    await expectToast(page, 'Withdrawal approved');
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBe(null);
  });

  it.runIf(isTorture)('whose answer is lost is found again', async () => {
    await approved();
    const page = await visit({ expects: [lostAnswer] });
    const { mend } = await loseAnswers(page, oneWithdrawal);
    await approveInRow(rowOf(page, name));
    await button(rowOf(page, name), 'Stop waiting').waitFor();
    mend();
    await expectToast(page, 'Withdrawal approved');
  });

  it.runIf(isTorture)(
    'can be left in its question and in its details while the answer is looked for',
    async () => {
      await approved();
      const page = await visit({ expects: [lostAnswer] });
      const { keys, mend } = await loseAnswers(page, oneWithdrawal);
      await button(rowOf(page, name), 'Reject').click();
      const question = questionOf(page);
      await button(question, 'Reject').click();
      await question.getByText(checking, { exact: false }).waitFor();
      await expectReadable(page);
      await button(question, 'Stop waiting').click();
      await question.waitFor({ state: 'hidden' });
      await expectToast(page, unknown);

      await button(rowOf(page, name), 'Details').click();
      const dialog = detailsOf(page);
      await button(dialog, 'Reject').click();
      await button(question, 'Reject').click();
      await question.getByText(checking, { exact: false }).waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'hidden' });
      mend();
      await button(dialog, 'Reject').click();
      await answer(page, 'Reject');
      await expectToast(page, 'Success');
      expect(new Set(keys).size).toBe(1);
    },
  );
});

describe('a pending withdrawal', () => {
  it('is looked at first, and then processed, with the keyboard', async () => {
    const { borrower, withdrawal } = await pending();
    const page = await visit();
    const row = rowOf(page, name);
    await row.getByText('Pending').waitFor();
    expect(await button(row, 'Approve').count()).toBe(0);
    expect(await button(row, 'Reject').count()).toBe(0);
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    const dialog = detailsOf(page);
    await dialog.getByText('Check the bank account before you send money', { exact: false }).waitFor();
    await dialog
      .getByText('The money does not go to the bank account in the profile, which is Bank A ···· 0123.')
      .waitFor();
    expect(await dialog.textContent()).not.toContain('5554443332221');
    expect(await dialog.textContent()).not.toContain('5 5544 4333 2221');
    await button(dialog, 'Show number').click();
    await dialog.getByText('5 5544 4333 2221').waitFor();
    await button(dialog, 'Hide number').click();
    await dialog.getByText('5 5544 4333 2221').waitFor({ state: 'hidden' });
    await tabTo(page, button(dialog, 'Process'));
    await page.keyboard.press('Enter');
    await expectToast(page, 'Success', `${withdrawal.withdrawalNumber} marked as sent.`);
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('Completed').waitFor();
    expect(await balanceOf(borrower)).toBe('19000.00');
  });

  it('is rejected by an ordinary admin too, and the money is back', async () => {
    const { borrower, withdrawal } = await pending();
    const { token } = await settledAdmin(server);
    const page = await visit({ token, path: `withdrawal?open=${withdrawal.id}` });
    const dialog = detailsOf(page);
    await button(dialog, 'Reject').click();
    await button(questionOf(page), 'Cancel').click();
    await questionOf(page).waitFor({ state: 'hidden' });
    expect(await balanceOf(borrower)).toBe('19000.00');
    await button(dialog, 'Reject').click();
    await answer(page, 'Reject');
    await expectToast(
      page,
      'Success',
      `${withdrawal.withdrawalNumber} was rejected, and ₱1,000.00 is back in ${name}’s wallet.`,
    );
    await dialog.waitFor({ state: 'hidden' });
    expect(await balanceOf(borrower)).toBe('20000.00');
  });

  it.runIf(isTorture)('that somebody else has settled refuses, and shows what it is now', async () => {
    const { withdrawal } = await pending();
    const page = await visit({ expects: [conflict], path: `withdrawal?open=${withdrawal.id}` });
    const dialog = detailsOf(page);
    await button(dialog, 'Process').waitFor();
    await move(withdrawal.id, 'completed');
    await button(dialog, 'Process').click();
    await expectToast(page, 'Action failed', alreadyFinal);
    await dialog.getByRole('alert').getByText('It is now Completed.').waitFor();
    await dialog.getByText('Completed', { exact: true }).waitFor();
    await button(dialog, 'Process').waitFor({ state: 'hidden' });
    await expectReadable(page);
  });
});

describe('a pending withdrawal of an account that was changed', () => {
  it('names who changed what, and is left to a colleague to release', async () => {
    const { withdrawal } = await pending();
    const colleague = await settledAdmin(server);
    const page = await visit({ path: `withdrawal?open=${withdrawal.id}` });
    const dialog = detailsOf(page);
    await dialog.getByText('You recently changed this account', { exact: false }).waitFor();
    for (const what of ['OTP code', 'Balance']) {
      const row = dialog.locator('dl > div').filter({ has: page.getByText(what, { exact: true }) });
      expect(await row.textContent()).toMatch(/Main Admin · \d+ \w+ \d{4}/);
    }
    expect(await button(dialog, 'Process').isDisabled()).toBe(true);
    expect(await button(dialog, 'Reject').isEnabled()).toBe(true);
    await expectReadable(page);

    const theirs = await visit({ token: colleague.token, path: `withdrawal?open=${withdrawal.id}` });
    await button(detailsOf(theirs), 'Process').click();
    await expectToast(theirs, 'Success', `${withdrawal.withdrawalNumber} marked as sent.`);
  });

  it('is released by one person where there is no other, and is marked and found again', async () => {
    const { withdrawal } = await pending();
    await move(withdrawal.id, 'completed');
    const { borrower } = await approved();
    const page = await visit();
    await rowOf(page, 'Completed').getByText('one person').waitFor();
    await page.getByLabel('Status').selectOption('Released by one person');
    await rowOf(page, borrower.phone).waitFor({ state: 'hidden' });
    await button(rowOf(page, 'Completed'), 'Details').click();
    await detailsOf(page).getByText('as nobody else could release it', { exact: false }).waitFor();
    await expectReadable(page);
  });
});

describe('the withdrawal list', () => {
  it('says how many wait, and keeps its view in the address bar', async () => {
    const { withdrawal, borrower } = await pending();
    await withdraw(server, borrower, 2_000);
    const page = await visit();
    await rowOf(page, '₱2,000.00').waitFor();
    const link = page.getByRole('link', { name: 'Withdrawal List' });
    await soon(() => link.getAttribute('aria-description')).toBe('2 waiting for staff');
    await expectFigures(page, [
      ['To send', '2', 'tosend'],
      ['Completed', '0', 'completed'],
      ['All', '2', null],
    ]);
    await page.getByRole('searchbox', { name: 'Search withdrawals' }).fill('bank z');
    await rowOf(page, '₱2,000.00').waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await rowOf(page, '₱1,000.00').getByText(name).click();
    await detailsOf(page).waitFor();
    await page.waitForURL((url) => url.search === `?search=bank+z&status=pending&open=${withdrawal.id}`);
    await page.reload();
    await detailsOf(page).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.search === '?search=bank+z&status=pending');
    await page.getByText('1 of 2 withdrawals').waitFor();
  });

  it('finds by what only the server knows of a member', async () => {
    const { borrower, withdrawal } = await pending();
    await approved();
    await giveOldNumber(server, borrower.id, 'OLD-77');
    const page = await visit();
    await page.getByText('2 withdrawals', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search withdrawals' }).fill('old-77');
    await page.getByText('1 of 2 withdrawals').waitFor();
    await rowOf(page, withdrawal.withdrawalNumber).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed');
    await page.getByText('Nothing matches your search and filter.').waitFor();
  });

  it('is exported with masked accounts, and runs nothing in a spreadsheet', async () => {
    const { borrower, withdrawal } = await approved();
    await withdraw(server, borrower, 3_000, { bankName: '-2+3+cmd', bankAccountNumber: '5554443332221' });
    const page = await visit({ path: 'withdrawal?sort=amount' });
    await rowOf(page, '₱3,000.00').waitFor();
    const { name: file, lines, text } = await exportCsv(page);
    expect(file).toBe('withdrawals.csv');
    expect(lines[0]).toBe(
      '\uFEFF"Number","Member","Phone","Amount","Bank","Account","Status","Requested","Processed"',
    );
    expect(lines[1]).toBe(
      `"${withdrawal.withdrawalNumber}","${name}","${borrower.phone}","1000.00","Bank A","···· 0123","Approved","${formatManilaInstant(new Date(withdrawal.createdAt), 'en')}",""`,
    );
    expect(lines[2]).toContain(`"3000.00","'-2+3+cmd","···· 2221","Pending"`);
    expect(text).not.toMatch(/1234567890123|5554443332221/);
  });

  it.runIf(isTorture)('that cannot be read says so, and can be read again', async () => {
    await approved();
    await expectReadAgain('**/api/admin/withdrawals', 'Failed to fetch withdrawals', name);
  });

  it('is empty at first', async () => {
    const page = await visit();
    await page.getByText('No withdrawal requests found').waitFor();
    expect(await button(page, 'Export CSV').isDisabled()).toBe(true);
    await expectReadable(page);
  });
});

describe('the withdrawals page', () => {
  it.runIf(isTorture)('is whole on a screen of 1024 px', async () => {
    const { borrower } = await pending();
    await withdraw(server, borrower, 2_000);
    const page = await visit();
    await rowOf(page, '₱2,000.00').waitFor();
    await expectPanelFits(page);
    await button(rowOf(page, '₱1,000.00'), 'Details').click();
    await detailsOf(page).waitFor();
    await expectPanelFits(page);
  });
});

describe('the bank’s reference', () => {
  it('is added later, once, and is in the list of what was sent on a day', async () => {
    const { withdrawal } = await approved();
    await move(withdrawal.id, 'completed');
    const page = await visit();
    await button(rowOf(page, name), 'Details').click();
    const dialog = detailsOf(page);
    await field(dialog, 'Bank reference').fill('IP-778');
    await expectReadable(page);
    await button(dialog, 'Save reference').click();
    await expectToast(page, 'Success', `Reference of ${withdrawal.withdrawalNumber} saved.`);
    await dialog.getByText('IP-778').waitFor();
    expect(await field(dialog, 'Bank reference').count()).toBe(0);
    await page.keyboard.press('Escape');

    const [sent] = await server.main.listWithdrawals();
    const day = formatManilaInstant(new Date(sent?.processedAt ?? ''), 'en').split(',')[0];
    await page.getByLabel('Sent on').fill(new Date(`${day} UTC`).toISOString().slice(0, 10));
    await page.waitForURL(/completedOn=/);
    await rowOf(page, name).waitFor();
    const coming = page.waitForEvent('download');
    await button(page, 'Transfers CSV').click();
    const text = fs.readFileSync(await (await coming).path(), 'utf8');
    expect(text).toContain(`"${withdrawal.withdrawalNumber}","IP-778"`);
    expect(text).toContain(withdrawal.bankAccountNumber);
    await page.getByLabel('Sent on').fill('2026-01-05');
    await page.getByText('No withdrawal requests found').waitFor();
    await expectPanelFits(page);
  });
});
