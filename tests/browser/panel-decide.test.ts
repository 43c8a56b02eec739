import { describe, expect, it } from 'vitest';
import { applicant, apply } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import { button, dialogOf, expectToast, field, opened } from './screen.ts';
import {
  details,
  expectPanelFits,
  expectReadable,
  expectReadableAndLeave,
  exportCsv,
  questionOf,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, visit } = await panelPage('borrowing');

const name = 'Maria Clara Santos';

async function release(id: number, channel: 'wallet' | 'direct' = 'wallet') {
  await server.main.updateLoan(id, { status: 'approved' });
  const elsewhere = { reference: 'BANK-0001', date: '2025-12-10' };
  await server.main.disburseLoan(id, channel === 'wallet' ? { channel } : { channel, ...elsewhere });
}

describe('the counters of the borrowing list', () => {
  it('filter it, with the days past due beside them in the address', async () => {
    const { borrower, loan: late } = await applicant(server);
    await release(late.id, 'direct');
    const approved = await apply(server, borrower);
    await server.main.updateLoan(approved.id, { status: 'approved' });
    const pending = await apply(server, borrower);
    const page = await visit();
    await rowOf(page, late.loanNumber)
      .getByText(/^Overdue \d+ days$/)
      .waitFor();
    await rowOf(page, pending.loanNumber).getByText('Waiting today').waitFor();
    const numbers = async () => {
      const rows = await page.locator('[data-row-id]').allTextContents();
      return rows.map((text) => text.match(/LN-\d+-\d+/)?.[0]);
    };
    for (const [counter, shown, address] of [
      ['To release', approved, 'status=%21release'],
      ['Overdue', late, 'pastDue=1'],
      ['Open', late, 'status=%21open'],
      ['To decide', pending, 'status=pending'],
    ] as const) {
      await button(page, counter).click();
      await page.waitForURL((url) => url.search === `?${address}`);
      expect(await button(page, counter).getAttribute('aria-pressed')).toBe('true');
      await soon(numbers).toEqual([shown.loanNumber]);
    }
    await rowOf(page, name).getByText('Complete').waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
    await button(page, 'All').click();
    await soon(async () => (await numbers()).length).toBe(3);
    await page.getByRole('combobox', { name: 'Days past due' }).selectOption('31+ days past due');
    await page.waitForURL(/pastDue=31/);
    await soon(numbers).toEqual([late.loanNumber]);
    await page.getByRole('combobox', { name: 'Days past due' }).selectOption('Any days past due');
    const { lines } = await exportCsv(page);
    expect(lines[0]).toContain('"Days past due","Of salary","Papers","Waiting since"');
    expect(lines[1]).toMatch(/"0","\d+","Complete","\d+ \w+ \d{4}"$/);
    expect(lines[3]).toMatch(/"[1-9]\d*","","",""$/);
  });

  it('beside them, days between which something is due', async () => {
    const { borrower, loan } = await applicant(server);
    await release(loan.id);
    await apply(server, borrower);
    const account = await borrower.readLoanAccount(loan.id);
    const due = account.account.nextDueDate ?? '';
    const page = await visit({ path: `borrowing?dueFrom=${due}&dueTo=${due}` });
    await rowOf(page, loan.loanNumber).waitFor();
    await page.getByText('1 loan', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search loans' }).press('ArrowDown');
    const row = page.locator('[data-row-id]');
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await row.evaluate((one) => [one.getBoundingClientRect().height, one.scrollHeight <= 40])).toEqual(
      [40, true],
    );
    const from = page.getByLabel('Due from');
    await from.fill('2020-02-01');
    await page.waitForURL(/dueFrom=2020-02-01/);
    await field(page, 'to').fill('28/2/2020');
    await page.getByText('No loan applications found').waitFor();
    expect(await from.inputValue()).toBe('1 Feb 2020');
    await from.fill('3 Mar');
    await from.press('Tab');
    await page.waitForURL(/dueFrom=\d{4}-03-03/);
    await from.fill('no day');
    await from.press('Tab');
    await page.getByText('Write a day, such as 28 Nov 2026').waitFor();
    await expectReadable(page);
  });
});

describe('an application in its panel', () => {
  it('is weighed, approved and released on one path', async () => {
    const { borrower, loan: earlier } = await applicant(server);
    await release(earlier.id);
    const loan = await apply(server, borrower);
    await server.main.updateMember(borrower.id, { status: 'pending' });
    const page = await visit({ path: `borrowing?open=${loan.id}` });
    const panel = details(page);
    await panel.getByText(/^\d+% of salary$/).waitFor();
    await panel.getByText('Reference person', { exact: true }).waitFor();
    await panel.getByRole('link', { name: earlier.loanNumber }).waitFor();
    await server.main.cancelDisbursement(earlier.id, { reason: 'Asked for by mistake' });
    await button(page, 'Refresh').click();
    await panel.getByText('Release cancelled').waitFor();
    await button(panel, 'Activate').click();
    await expectToast(page, 'Success', `${name} is active.`);
    await soon(() => button(panel, 'Activate').count()).toBe(0);

    await button(panel, 'View the front').click();
    const photos = dialogOf(page, 'Photos');
    const width = () =>
      photos.getByRole('img', { name: 'Front of ID' }).evaluate((image) => image.clientWidth);
    const small = await width();
    await button(photos, 'Zoom in').click();
    await soon(async () => Math.round((10 * (await width())) / small)).toBe(15);
    await button(photos, 'Rotate: Front of ID').click();
    await expectReadableAndLeave(page, photos);

    await expectPanelFits(page);
    await expectReadable(page);
    await button(panel, 'Approve').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Approved.`);
    await button(panel, 'Release loan').click();
    await button(dialogOf(page, 'Release loan'), 'Release loan').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber} is released.`);
    await panel.getByText('Active').waitFor();
    await server.main.actOnLoan(loan.id, { kind: 'write_off', reason: 'Cannot be found' });
    await button(page, 'Refresh').click();
    await panel.getByText('Written off').waitFor();
  });

  it('asks once before it is approved while something speaks against it', async () => {
    const { borrower, loan } = await applicant(server);
    const other = await apply(server, borrower);
    const local = borrower.phone.replace(/^\+?63/, '0');
    await server.main.updateMember(borrower.id, {
      referencePhone: `+63 ${local.slice(1)}`,
      monthlySalary: '20000',
    });
    const page = await visit({ path: `borrowing?open=${loan.id}` });
    const panel = details(page);
    const list = panel.getByRole('list', { name: 'Before you approve' });
    const items = () => list.getByRole('listitem').allTextContents();
    await soon(items).toEqual([
      'Open: The account waits to be activated',
      'Checked: Profile and photos are complete',
      'Open: The reference person has the borrower’s own number',
      'Open: The instalment is 81% of the salary',
      `Open: ${other.loanNumber} waits for a decision too`,
      'Checked: Nothing is overdue',
    ]);
    await expectReadable(page);
    await button(panel, 'Approve').click();
    const asked = page.getByRole('alertdialog', { name: `Approve ${loan.loanNumber} all the same?` });
    await asked.getByText('The account waits to be activated. The reference person').waitFor();
    await button(asked, 'Cancel').click();
    await panel.getByText('Pending', { exact: true }).waitFor();
    await button(panel, 'Approve').click();
    await button(asked, 'Approve').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Approved.`);
    const release = await opened(button(panel, 'Release loan'), 'Release loan');
    await release.getByText('account still waits to be activated').waitFor();
  });

  it.runIf(isTorture)('is denied with a reason, in the very words that the borrower gets', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await visit({ path: `borrowing?open=${loan.id}` });
    const dialog = await opened(button(details(page), 'Deny'), `Deny ${loan.loanNumber}?`);
    await button(dialog, 'Deny').click();
    await dialog.getByText('Choose the reason that the borrower will read').waitFor();
    const reasons = dialog.getByRole('combobox', { name: 'Reason' });
    await reasons.selectOption('We could reach neither you nor your reference person.');
    await dialog.getByText('Reason: We could reach neither you nor your reference person.').waitFor();
    await reasons.selectOption('Another reason');
    await field(dialog, 'In your words').fill('Your payslip is too old.');
    const read = dialog.getByRole('region', { name: 'The borrower reads' });
    await read.getByText('Reason: Your payslip is too old.').waitFor();
    const shown = await read.getByRole('paragraph').allTextContents();
    await expectReadable(page);
    await button(dialog, 'Deny').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Denied.`);
    const told = await borrower.listNotifications();
    expect(shown).toEqual([told[0]?.title, told[0]?.message]);
    // A colleague who asks why finds it from anywhere, and no release is offered.
    await page.keyboard.press('Control+K');
    await page.keyboard.type(loan.loanNumber);
    await dialogOf(page, 'Find').getByText('Denied', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/borrowing\?search=/);
    await details(page).getByText('Your payslip is too old.').waitFor();
    await details(page)
      .getByText(/^by .+, \d+ \w+ \d{4}, /)
      .waitFor();
    await page.goto(`/management/loans/${loan.id}`);
    await page.getByText(/^Your payslip is too old\. Denied by .+, \d+ \w+ \d{4}, [\d:]+\.$/).waitFor();
    expect(await button(page, 'Release loan').count()).toBe(0);
  });

  it('is walked to and decided by letters, which no scanner can confirm', async () => {
    const { borrower, loan } = await applicant(server);
    const second = await apply(server, borrower);
    const statusOf = async ({ id }: { id: number }) => (await server.main.readLoanAccount(id)).loan?.status;
    const page = await visit({ path: 'borrowing?status=pending' });
    const row = (of: { loanNumber: string }) =>
      page.locator('[data-row-id]').filter({ hasText: of.loanNumber });
    const isFocused = (of: { loanNumber: string }) =>
      row(of).evaluate((element) => element === document.activeElement);
    // Elsewhere the letters do nothing.
    await row(loan).waitFor();
    await page.keyboard.type('adjk');
    expect(await page.getByRole('dialog').or(questionOf(page)).count()).toBe(0);
    await row(loan).focus();
    await page.keyboard.press('j');
    await soon(() => isFocused(second)).toBe(true);
    await page.keyboard.press('k');
    await soon(() => isFocused(loan)).toBe(true);
    for (const scanned of ['A-2026-000123', 'DA-2026-000123']) {
      await page.keyboard.type(scanned);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await soon(() => page.getByRole('dialog').or(questionOf(page)).count()).toBe(0);
      await row(loan).focus();
    }
    expect([await statusOf(loan), await statusOf(second)]).toEqual(['pending', 'pending']);
    await page.keyboard.press('d');
    const denying = dialogOf(page, `Deny ${loan.loanNumber}?`);
    await denying.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 2 });
    await button(denying, 'Deny').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Denied.`);
    await soon(() => isFocused(second)).toBe(true);
    await page.keyboard.press('a');
    const asked = page.getByRole('alertdialog', { name: new RegExp(second.loanNumber) });
    await asked.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Success', `Loan ${second.loanNumber}: Approved.`);
  });

  it('is approved by who has the role', async () => {
    const { loan } = await applicant(server);
    const admin = await settledAdmin(server);
    await server.main.updateAdmin(admin.id, { roles: ['encoder'] });
    const page = await visit({ path: `borrowing?open=${loan.id}`, token: admin.token });
    await button(details(page), 'Deny').waitFor();
    expect(await button(details(page), 'Approve').isDisabled()).toBe(true);
  });
});
