import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apply } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { photo } from '#tests/setup/photo.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, descriptionOf, expectToast, field, opened } from './screen.ts';
import {
  details,
  expectPanelFits,
  expectReadable,
  nextBody,
  openPanel,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, browser } = await listeningServer();

const name = 'Maria Clara Santos';
const overtaken = 'This was changed in the meantime. Please look at it again.';
const title = 'This has changed in the meantime';
const expects = [/status of 409/];

const edit = (id: number, body: object) => server.main.updateMember(id, body);

const readMember = (id: number) => server.main.readMember(id);

const readLoan = async () => (await server.main.listLoans())[0];

const visit = async (path: string, token?: string): Promise<Page> =>
  openPanel(browser, path, { token: token ?? (await server.signInMainAdmin()), expects });

/** The main admin and an ordinary one, each before the same page. */
async function sideBySide(path: string): Promise<[Page, Page]> {
  const { token } = await settledAdmin(server);
  return [await visit(path), await visit(path, token)];
}

const openDialog = (page: Page, action: string, dialogTitle: string) =>
  opened(button(rowOf(page, name), action), dialogTitle);

const openMember = (page: Page) => openDialog(page, 'Edit', 'Edit member');
const alertIn = (scope: Locator) => scope.getByRole('alert').filter({ hasText: title });

describe('two at one member', () => {
  it('the second is told what it is now, keeps what was typed, and may take either', async () => {
    const { id } = await server.verifiedBorrower();
    const [first, second] = await sideBySide('members');
    const [firstForm, secondForm] = [await openMember(first), await openMember(second)];
    await field(firstForm, 'Address').fill('14 Luna Street, Iloilo City');
    await button(firstForm, 'Save').click();
    await expectToast(first, 'Member updated');

    const address = field(secondForm, 'Address');
    await field(secondForm, 'Full name').fill('Maria Clara Reyes');
    await address.fill('99 Del Pilar Street, Naga City');
    await address.press('Enter');
    await expectToast(second, 'Update failed', overtaken);
    await alertIn(secondForm).getByText('what you typed is still here', { exact: false }).waitFor();
    await soon(() => descriptionOf(address)).toContain(
      'Changed to 14 Luna Street, Iloilo City in the meantime',
    );
    expect(await hasFocus(address)).toBe(true);
    expect(await address.inputValue()).toBe('99 Del Pilar Street, Naga City');
    expect(await field(secondForm, 'Full name').inputValue()).toBe('Maria Clara Reyes');
    expect(await descriptionOf(field(secondForm, 'Full name'))).toBe('');
    expect(await readMember(id)).toMatchObject({ address: '14 Luna Street, Iloilo City', fullName: name });
    await expectReadable(second);
    await expectPanelFits(second);

    await second.keyboard.press('Tab');
    expect(await hasFocus(button(secondForm, 'Use the new value'))).toBe(true);
    await second.keyboard.press('Enter');
    expect(await address.inputValue()).toBe('14 Luna Street, Iloilo City');
    expect(await hasFocus(address)).toBe(true);
    await alertIn(secondForm).waitFor({ state: 'hidden' });
    const body = nextBody(second, 'PUT', `/api/admin/users/${id}`);
    await second.keyboard.press('Enter');
    expect(await body).toEqual({
      fullName: 'Maria Clara Reyes',
      expected: expect.objectContaining({ fullName: name, address: '14 Luna Street, Iloilo City' }),
    });
    await expectToast(second, 'Member updated');
    expect(await readMember(id)).toMatchObject({
      address: '14 Luna Street, Iloilo City',
      fullName: 'Maria Clara Reyes',
    });
  });

  it('saving again is a decision, and starts from what it is now', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit('members');
    const dialog = await openMember(page);
    await edit(id, { monthlySalary: 40_000, status: 'active' });
    const salary = field(dialog, 'Monthly salary');
    await salary.fill('52,500');
    await button(dialog, 'Save').click();
    await soon(() => descriptionOf(salary)).toContain('Changed to ₱40,000.00 in the meantime');
    // Nobody touched it here, and nothing depends on it: it only shows what it is now.
    const status = dialog.getByRole('combobox', { name: 'Status' });
    expect(await status.inputValue()).toBe('active');
    expect(await descriptionOf(status)).toBe('');
    const body = nextBody(page, 'PUT', `/api/admin/users/${id}`);
    await button(dialog, 'Save').click();
    expect(await body).toEqual({
      monthlySalary: '52500',
      expected: expect.objectContaining({ monthlySalary: '40000', status: 'active' }),
    });
    await expectToast(page, 'Member updated');
    expect(await readMember(id)).toMatchObject({ monthlySalary: '52500.00', status: 'active' });
  });

  it('a new account number does not land beside a bank that somebody else has put there', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit('members');
    const dialog = await openMember(page);
    await edit(id, { bankName: 'Bank B' });
    await field(dialog, 'Account number').fill('5554443332221');
    await button(dialog, 'Save').click();
    const bank = field(dialog, 'Bank name');
    await soon(() => descriptionOf(bank)).toContain('Changed to Bank B in the meantime');
    // Nobody has typed anything else there, so there is nothing to choose between.
    expect(await bank.inputValue()).toBe('Bank B');
    expect(await button(dialog, 'Use the new value').count()).toBe(0);
    expect((await readMember(id)).bankAccountNumber).toBe(fullProfile.bankAccountNumber);
    const body = nextBody(page, 'PUT', `/api/admin/users/${id}`);
    await button(dialog, 'Save').click();
    expect(await body).toMatchObject({
      bankAccountNumber: '5554443332221',
      expected: { bankName: 'Bank B' },
    });
    await expectToast(page, 'Member updated');
  });

  it('money that arrives disturbs no form, and no form writes an old value back', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit('members');
    const dialog = await openMember(page);
    await server.fund(id, 700);
    await server.setCode(id, '482913');
    await edit(id, { bankName: 'Bank B', creditScore: 640 });
    await field(dialog, 'Country of work').fill('Singapore');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Member updated');
    expect(await readMember(id)).toMatchObject({
      countryOfWork: 'Singapore',
      balance: '700.00',
      otpCode: '482913',
      bankName: 'Bank B',
      creditScore: 640,
    });
  });

  it('the credit score is told in its place', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit(`members?open=${id}`);
    const panel = details(page);
    await button(panel, 'Edit the credit score').click();
    await edit(id, { creditScore: 640 });
    const score = panel.getByRole('spinbutton', { name: 'New credit score' });
    await score.fill('700');
    await score.press('Enter');
    await expectToast(page, 'Update failed', overtaken);
    await soon(() => descriptionOf(score)).toContain('Changed to 640 in the meantime');
    expect(await score.inputValue()).toBe('700');
    await rowOf(page, name).getByText('640').waitFor();
    await expectReadable(page);
    const body = nextBody(page, 'PUT', `/api/admin/users/${id}`);
    await score.press('Enter');
    expect(await body).toEqual({ creditScore: 700, expected: { creditScore: 640 } });
    await expectToast(page, 'Success', '640 → 700');
  });

  it('who was suspended meanwhile is not activated by a list that is old', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit('members');
    await button(rowOf(page, name), 'Activate').waitFor();
    await edit(id, { status: 'suspended' });
    await button(rowOf(page, name), 'Activate').press('Enter');
    await expectToast(page, 'Action failed', 'The status has changed in the meantime: it is now Suspended.');
    await rowOf(page, name).getByText('Suspended').waitFor();
    expect((await readMember(id)).status).toBe('suspended');
    await button(rowOf(page, name), 'Activate').click();
    await expectToast(page, 'Success', `${name} is active.`);
  });

  it('a photo that was changed meanwhile is looked at first', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit('members');
    const dialog = await openDialog(page, 'Documents', 'Documents');
    const other = await server.upload(borrower.token);
    await edit(borrower.id, { selfieUrl: other.url });
    const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() };
    await field(dialog, 'Selfie').setInputFiles(file);
    await expectToast(page, 'Upload failed');
    await dialog.getByRole('alert').getByText('This photo has changed in the meantime.').waitFor();
    expect((await readMember(borrower.id)).selfieUrl).toBe(other.url);
    await button(dialog, 'Retry').click();
    await expectToast(page, 'Document uploaded');
    expect((await readMember(borrower.id)).selfieUrl).not.toBe(other.url);
  });
});

describe('two at one loan', () => {
  it('the terms of the second start from those of the first, with the payment in sight', async () => {
    await apply(server, await server.verifiedBorrower());
    const [first, second] = await sideBySide('borrowing');
    const [firstForm, secondForm] = [
      await openDialog(first, 'Edit loan', 'Edit loan'),
      await openDialog(second, 'Edit loan', 'Edit loan'),
    ];
    await firstForm.getByRole('spinbutton', { name: 'Term (months)' }).fill('24');
    await button(firstForm, 'Save').click();
    await expectToast(first, 'Success');

    await field(secondForm, 'Amount').fill('240000');
    await button(secondForm, 'Save').click();
    await expectToast(second, 'Update failed', overtaken);
    const term = secondForm.getByRole('spinbutton', { name: 'Term (months)' });
    await soon(() => descriptionOf(term)).toContain('Changed to 24 months in the meantime');
    expect(await term.inputValue()).toBe('24');
    expect(await field(secondForm, 'Amount').inputValue()).toBe('240,000');
    // (150,000 + 150,000 × 2.5 % × 24) / 24 → (240,000 + 240,000 × 2.5 % × 24) / 24
    await secondForm.getByText('₱10,000.00 → ₱16,000.00').waitFor();
    expect(await readLoan()).toMatchObject({ amount: '150000.00', termMonths: 24 });
    await expectReadable(second);
    await button(secondForm, 'Save').click();
    await expectToast(second, 'Success');
    expect(await readLoan()).toMatchObject({
      amount: '240000.00',
      termMonths: 24,
      monthlyPayment: '16000.00',
    });
  });

  it('the status of the first is seen before the second takes its place', async () => {
    const loan = await apply(server, await server.verifiedBorrower());
    const [first, second] = await sideBySide('borrowing');
    const secondForm = await openDialog(second, 'Update status', 'Update Loan Status');
    const firstForm = await openDialog(first, 'Update status', 'Update Loan Status');
    await field(firstForm, 'Custom status').fill('Bank check');
    await button(firstForm, 'Add status').click();
    await button(firstForm, 'Save').click();
    await expectToast(first, 'Success');

    await secondForm.getByRole('radio', { name: 'Approved' }).check();
    await button(secondForm, 'Save').click();
    await expectToast(second, 'Update failed', overtaken);
    await alertIn(secondForm).getByText('The loan is now Bank check.', { exact: false }).waitFor();
    expect(await secondForm.getByRole('radio', { name: 'Approved' }).isChecked()).toBe(true);
    await secondForm.getByRole('radio', { name: 'Bank check' }).waitFor();
    expect((await readLoan())?.status).toBe('bank_check');
    await expectReadable(second);
    const body = nextBody(second, 'PUT', `/api/admin/loans/${loan.id}`);
    await button(secondForm, 'Save').click();
    expect(await body).toEqual({ status: 'approved', expected: { status: 'bank_check' } });
    await expectToast(second, 'Success', `Loan ${loan.loanNumber}: Approved.`);
  });
});

it('two at one admin: the email of the first is told to the second', async () => {
  const { id } = await server.createAdmin({ fullName: 'Ligaya Ramos' });

  const page = await visit('settings');
  const dialog = await opened(button(rowOf(page, 'Ligaya Ramos'), 'Edit'), 'Edit admin account');
  const body = { email: 'first@example.com' };
  await server.main.updateAdmin(id, body);
  const email = field(dialog, 'Email');
  await email.fill('second@example.com');
  await email.press('Enter');
  await expectToast(page, 'Update failed', overtaken);
  await soon(() => descriptionOf(email)).toContain('Changed to first@example.com in the meantime');
  expect(await email.inputValue()).toBe('second@example.com');
  await rowOf(page, 'first@example.com').waitFor();
  await expectReadable(page);
  const again = nextBody(page, 'PATCH', `/api/admin/users/${id}`);
  await button(dialog, 'Save').click();
  expect(await again).toEqual({ email: 'second@example.com', expected: body });
  await expectToast(page, 'Success', 'Ligaya Ramos’s account was updated.');
});

describe('what was deleted meanwhile', () => {
  const gone = [/status of 404/];
  const remove = (id: number) => server.main.deleteUser(id);
  const open = async (path: string) =>
    openPanel(browser, path, { token: await server.signInMainAdmin(), expects: gone });

  it('a member leaves the list, and the form with them', async () => {
    const { id } = await server.verifiedBorrower();
    await server.registerBorrower({ fullName: 'Amihan Cruz' });
    const page = await open('members');
    const dialog = await openMember(page);
    await field(dialog, 'Full name').fill('Maria Clara Reyes');
    await remove(id);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed', 'This member has been deleted.');
    await dialog.waitFor({ state: 'hidden' });
    await rowOf(page, name).waitFor({ state: 'hidden' });
    await soon(() => hasFocus(rowOf(page, 'Amihan Cruz'))).toBe(true);
  });

  it.each([
    ['Edit the credit score', 'New credit score', '700', 'Save score'],
    ['Set the OTP code', 'New OTP code', '482913', 'Save code'],
    ['Set the password', 'New password', 'pahiram ng susi', 'Save password'],
  ])('a member leaves the list: %s', async (action, label, typed, save) => {
    const { id } = await server.registerBorrower();
    const page = await open(`members?open=${id}`);
    await button(details(page), action).click();
    await field(details(page), label).fill(typed);
    await remove(id);
    await button(details(page), save).click();
    await expectToast(page, 'Update failed', 'This member has been deleted.');
    await details(page).waitFor({ state: 'hidden' });
    await page.getByText('No members found').waitFor();
  });

  it.each(['Edit loan', 'Update status'])('a loan leaves the list: %s', async (action) => {
    const { id } = await apply(server, await server.verifiedBorrower());
    const page = await open('borrowing');
    await button(rowOf(page, name), action).click();
    const dialog = page.getByRole('dialog');
    if (action === 'Edit loan') await field(dialog, 'Amount').fill('200000');
    else await dialog.getByRole('radio', { name: 'Approved' }).check();
    await server.main.deleteLoan(id);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed', 'This loan has been deleted.');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('No loan applications found').waitFor();
  });

  it('an admin leaves the list', async () => {
    const { id } = await server.createAdmin({ fullName: 'Ligaya Ramos' });
    const page = await open('settings');
    const dialog = await opened(button(rowOf(page, 'Ligaya Ramos'), 'Edit'), 'Edit admin account');
    await field(dialog, 'Email').fill('second@example.com');
    await remove(id);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed', 'This admin has been deleted.');
    await rowOf(page, 'Ligaya Ramos').waitFor({ state: 'hidden' });
  });
});
