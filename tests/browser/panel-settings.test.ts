import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { manilaDate } from '#domain/calendar.ts';
import { disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { refused } from '#tests/setup/caller.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import {
  breakDown,
  button,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  holdBack,
  outOfReach,
} from './screen.ts';
import {
  answer,
  expectPanelFits,
  expectReadable,
  nextBody,
  questionOf,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, browser, visit, visitBroken, expectReadAgain } = await panelPage('settings');

const conflict = /status of 409/;
const badRequest = /status of 400/;

/** The form below this heading. */
const partOf = (page: Page, heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });

const password = (scope: Locator) => field(scope, 'Password');

const allow = (ipAddress: string, description = '') => server.main.addAllowedIp({ ipAddress, description });

// First of all, while one person alone keeps the books.
it('lists closed accounts with money or a debt, and leads to their loans', async () => {
  const page = await visit({ expects: [outOfReach] });
  expect(await page.getByRole('heading', { name: 'Closed accounts' }).count()).toBe(0);
  const borrower = await server.verifiedBorrower();
  const settled = { amount: 150_000, channel: 'cash', settlement: true, reason: 'All of it' } as const;
  const day = manilaDate(new Date());
  const { id, loanNumber } = await disbursedLoan(server, borrower, { date: day, payments: [settled] });
  await server.main.deleteUser(borrower.id);
  const { payments } = await server.main.readLoanAccount(id);
  const body = { status: 'reversed', reason: 'The bank took it back' } as const;
  await server.main.updatePayment(payments[0]?.id ?? 0, body);
  // Read anew each time it is opened, and when asked.
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = rowOf(page, loanNumber);
  await row.waitFor();
  expect(await row.textContent()).toContain('₱195,000.00');
  const closed = partOf(page, 'Closed accounts');
  await closed.getByText(/^As of \d\d:\d\d$/).waitFor();
  const repair = await breakDown(page, '**/api/admin/closed-accounts');
  await button(closed, 'Refresh').click();
  await closed.getByText('This may not be the latest').waitFor();
  await repair();
  await button(closed, 'Refresh').click();
  await closed.getByText('This may not be the latest').waitFor({ state: 'hidden' });
  await row.getByRole('link', { name: loanNumber }).click();
  await page.waitForURL(`/management/loans/${id}`);
  await page.locator('main').getByText(loanNumber).first().waitFor();
});

describe('adding an admin', () => {
  it('asks for email and password in one sentence', async () => {
    const page = await visit();
    const form = partOf(page, 'Add New Admin');
    await button(form, 'Add admin').click();
    await soon(() => descriptionOf(field(form, 'Email'))).toContain('Please fill in both email and password');
    expect(await form.getByText('Please fill in both email and password').count()).toBe(1);
    expect(await hasFocus(field(form, 'Email'))).toBe(true);
    await expectReadable(page);
    await field(form, 'Email').fill('somebody');
    await soon(() => descriptionOf(field(form, 'Email'))).toContain('Valid email is required');
    await soon(() => descriptionOf(password(form))).toContain('Please fill in both email and password');
    await password(form).fill('12345');
    await soon(() => descriptionOf(password(form))).toContain('Password must be at least 6 characters');
  });

  it('gives the roles that stay ticked', async () => {
    const page = await visit();
    const form = partOf(page, 'Add New Admin');
    const roles = form.getByRole('checkbox');
    expect(await roles.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual(
      Array(4).fill(true),
    );
    await form.getByRole('checkbox', { name: /^Approver/ }).uncheck();
    await form.getByRole('checkbox', { name: /^Encoder/ }).uncheck();
    await field(form, 'Email').fill('ligaya@example.com');
    await password(form).fill('bangka sa dagat');
    await button(form, 'Add admin').click();
    await expectToast(page, 'Admin Created');
    await rowOf(page, 'ligaya@example.com').getByText('May act as Cashier, Collector').waitFor();
    // The form is as it was at first.
    expect(await form.getByRole('checkbox', { name: /^Approver/ }).isChecked()).toBe(true);
    expect(await field(form, 'Email').inputValue()).toBe('');
    expect(await password(form).inputValue()).toBe('');
    await server.signIn({ username: 'ligaya@example.com', password: 'bangka sa dagat' });
  });

  it('keeps what was typed when the email is taken', async () => {
    const { email } = await server.createAdmin();
    const page = await visit({ expects: [conflict] });
    const form = partOf(page, 'Add New Admin');
    await field(form, 'Email').fill(email.toUpperCase());
    await password(form).fill('bangka sa dagat');
    await button(form, 'Add admin').click();
    await expectToast(page, 'Creation failed', 'Another admin has this email');
    await soon(() => descriptionOf(field(form, 'Email'))).toContain('Another admin has this email');
    expect(await field(form, 'Email').inputValue()).toBe(email.toUpperCase());
    expect(await password(form).inputValue()).toBe('bangka sa dagat');
  });
});

describe('the admin accounts', () => {
  it('are edited: only what changed is sent', async () => {
    const { id, email } = await server.createAdmin({ fullName: 'Ligaya Ramos' });
    const page = await visit();
    await button(rowOf(page, 'Ligaya Ramos'), 'Edit').click();
    const dialog = dialogOf(page, 'Edit admin account');
    expect(await field(dialog, 'Email').inputValue()).toBe(email);
    await field(dialog, 'Email').fill('ramos@example.com');
    const body = nextBody(page, 'PATCH', `/api/admin/users/${id}`);
    await field(dialog, 'Email').press('Enter');
    expect(await body).toEqual({ email: 'ramos@example.com', expected: { email } });
    await expectToast(page, 'Success', 'Ligaya Ramos’s account was updated.');
    await dialog.waitFor({ state: 'hidden' });
    // An account with every role is listed without their names.
    expect(await rowOf(page, 'ramos@example.com').getByText('May act as').count()).toBe(0);

    await button(rowOf(page, 'Ligaya Ramos'), 'Edit').click();
    await password(dialog).fill('12345');
    await button(dialog, 'Save').click();
    await soon(() => descriptionOf(password(dialog))).toContain('Password must be at least 6 characters');
    await password(dialog).fill('a new one for you');
    const newPassword = nextBody(page, 'PATCH', `/api/admin/users/${id}`);
    await button(dialog, 'Save').click();
    expect(await newPassword).toEqual({ password: 'a new one for you' });
    await dialog.waitFor({ state: 'hidden' });
    await server.signIn({ username: 'ramos@example.com', password: 'a new one for you' });
  });

  it('stay where they are while what stands above them arrives, so that no press meets another', async () => {
    const page = await browser.visit({ screen: 'desktop', token: await server.signInMainAdmin() });
    const arrive = await holdBack(page, '**/assets/second-step-*.js');
    await page.goto('/management/settings');
    const row = rowOf(page, 'Main Admin');
    await row.waitFor();
    const before = await row.boundingBox();
    arrive();
    await button(page, 'Set up').waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
  });

  it('are deleted after a question; the main admin cannot be', async () => {
    const admin = await server.createAdmin({ fullName: 'Ligaya Ramos' });
    const page = await visit();
    const mainRow = rowOf(page, 'Main Admin');
    await mainRow.getByText('you', { exact: true }).waitFor();
    await button(mainRow, 'Edit').waitFor();
    expect(await button(mainRow, 'Delete').count()).toBe(0);
    await button(rowOf(page, 'Ligaya Ramos'), 'Delete').click();
    await page.getByRole('alertdialog', { name: 'Delete the admin Ligaya Ramos?' }).waitFor();
    await answer(page, 'Delete');
    await expectToast(page, 'Success', 'Ligaya Ramos is no longer an admin.');
    await rowOf(page, 'Ligaya Ramos').waitFor({ state: 'hidden' });
    await refused(admin.readProfile(), 401);
  });

  it('show an issued password only when it is asked for', async () => {
    await server.createAdmin({ fullName: 'Ligaya Ramos', password: 'issued to ligaya' });
    const page = await visit();
    const row = rowOf(page, 'Ligaya Ramos');
    await row.waitFor();
    expect(await page.content()).not.toContain('issued to ligaya');
    await button(row, 'Show the password').click();
    await row.getByText('issued to ligaya').waitFor();
    await button(row, 'Hide the password').click();
    await row.getByText('issued to ligaya').waitFor({ state: 'hidden' });
    expect(await button(rowOf(page, 'Main Admin'), 'Show the password').count()).toBe(0);
  });

  it.runIf(isTorture)('say so when they cannot be read', async () => {
    const { page, repair } = await visitBroken('**/api/admin/all-users*', 'Failed to fetch admin users');
    await repair();
    await button(page, 'Retry').click();
    await rowOf(page, 'Main Admin').waitFor();
  });
});

describe('the allowed addresses', () => {
  it('are added, with one’s own among the first', async () => {
    const page = await visit();
    await page.getByText('Every address is allowed').waitFor();
    await field(page, 'IP address').fill('203.0.113.0/24');
    await field(page, 'Description').fill('The branch');
    await field(page, 'Description').press('Enter');
    await expectToast(page, 'IP Added', '203.0.113.0/24 is allowed.');
    await rowOf(page, '203.0.113.0/24').getByText('The branch').waitFor();
    const own = rowOf(page, 'your address');
    await own.getByText('Added so that you keep access').waitFor();
    expect(await field(page, 'IP address').inputValue()).toBe('');
    expect(await server.main.listAllowedIps()).toHaveLength(2);
  });

  it('are checked, and what was typed is kept', async () => {
    await server.signInMainAdmin();
    await allow('203.0.113.0/24');
    const page = await visit({ expects: [badRequest, conflict] });
    const address = field(page, 'IP address');
    await button(page, 'Add IP').click();
    await soon(() => descriptionOf(address)).toContain('Please enter an IP address');
    expect(await hasFocus(address)).toBe(true);
    const invalid = 'Please enter a valid IP address or range, such as 203.0.113.7 or 203.0.113.0/24';
    await address.fill('203.0.113.999');
    await button(page, 'Add IP').click();
    await expectToast(page, 'Addition failed', invalid);
    await soon(() => descriptionOf(address)).toContain(invalid);
    await address.fill('203.0.113.0/24');
    await button(page, 'Add IP').click();
    await expectToast(page, 'Addition failed', 'This address is already on the list');
    await soon(() => descriptionOf(address)).toContain('This address is already on the list');
    expect(await address.inputValue()).toBe('203.0.113.0/24');
  });

  it('are removed after a question, one’s own only as the last', async () => {
    await server.signInMainAdmin();
    await allow('203.0.113.7', 'Home of a colleague');
    const page = await visit({ expects: [conflict] });
    await button(rowOf(page, 'your address'), 'Remove').click();
    await answer(page, 'Remove');
    await expectToast(page, 'Removal failed', 'This entry keeps your own access. Remove the others first.');
    await button(rowOf(page, '203.0.113.7'), 'Remove').click();
    const question = page.getByRole('alertdialog', { name: 'Remove 203.0.113.7?' });
    await question.getByText('Staff can no longer open the panel from there.').waitFor();
    await answer(page, 'Remove');
    await expectToast(page, 'IP Removed', '203.0.113.7 is no longer allowed.');
    await rowOf(page, '203.0.113.7').waitFor({ state: 'hidden' });
    await button(rowOf(page, 'your address'), 'Remove').click();
    await questionOf(page).getByText('This is the last entry', { exact: false }).waitFor();
    await answer(page, 'Remove');
    await page.getByText('Every address is allowed').waitFor();
    expect(await server.main.listAllowedIps()).toEqual([]);
  });

  it.runIf(isTorture)('say so when they cannot be read', async () => {
    await expectReadAgain(
      '**/api/admin/allowed-ips',
      'Failed to fetch allowed IPs',
      'Every address is allowed',
    );
  });
});

it('a failure without words of the server says under its title what failed', async () => {
  await server.createAdmin({ fullName: 'Ligaya Ramos' });
  await server.signInMainAdmin();
  await allow('203.0.113.7');
  const page = await visit({ expects: [/status of 500/] });
  await rowOf(page, '203.0.113.7').waitFor();
  await page.route('**/api/admin/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, json: {} }),
  );
  const form = partOf(page, 'Add New Admin');
  await field(form, 'Email').fill('new@example.com');
  await password(form).fill('bangka sa dagat');
  await button(form, 'Add admin').click();
  await expectToast(page, 'Creation failed', 'Failed to create admin');
  await field(page, 'IP address').fill('203.0.113.9');
  await button(page, 'Add IP').click();
  await expectToast(page, 'Addition failed', 'Failed to add IP address');
  await button(rowOf(page, '203.0.113.7'), 'Remove').click();
  await answer(page, 'Remove');
  await expectToast(page, 'Removal failed', 'Failed to remove IP address');
  await button(rowOf(page, 'Ligaya Ramos'), 'Delete').click();
  await answer(page, 'Delete');
  await expectToast(page, 'Delete Failed', 'Failed to delete admin');
  await button(rowOf(page, 'Ligaya Ramos'), 'Edit').click();
  const dialog = dialogOf(page, 'Edit admin account');
  await field(dialog, 'Email').fill('ramos@example.com');
  await button(dialog, 'Save').click();
  await expectToast(page, 'Update failed', 'Failed to update admin account');
});

it('a proxy that no setting names is told of, and keeps the list from being begun', async () => {
  const page = await visit({ expects: [conflict] });
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.50' });
  await page.reload();
  await page.getByText('A proxy is not configured').waitFor();
  const form = partOf(page, 'Allowed IP Addresses');
  await field(form, 'IP address').fill('203.0.113.50');
  await button(form, 'Add IP').click();
  await expectToast(page, 'Addition failed', en.errors.proxy_not_named);
  expect(await field(form, 'IP address').inputValue()).toBe('203.0.113.50');
  expect(await server.main.listAllowedIps()).toEqual([]);
});

it('that nothing is erased, because the clock may have leapt, is said to the main admin', async () => {
  const page = await visit();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  server.deps.met.isErasingPaused = true;
  onTestFinished(() => {
    server.deps.met.isErasingPaused = false;
  });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Erasing is paused').waitFor();
  await page.getByText('erasing resumes after a day', { exact: false }).waitFor();
});

it('an ordinary admin sees dashes for passwords, and neither form nor allow-list', async () => {
  const { token } = await settledAdmin(server);
  await server.createAdmin({ fullName: 'Ligaya Ramos', password: 'issued to ligaya' });
  const page = await browser.visit({ screen: 'desktop', token });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/management/settings');
  const row = rowOf(page, 'Ligaya Ramos');
  await row.waitFor();
  const heads = await page.getByRole('columnheader').allTextContents();
  expect(heads).toEqual(['Admin', 'Phone', 'Password', 'Since']);
  expect(await row.getByRole('cell').nth(2).textContent()).toBe('—');
  expect(await rowOf(page, 'Main Admin').getByRole('cell').nth(2).textContent()).toBe('—');
  expect(await row.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Second step',
    'Admin Accounts',
  ]);
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(asked).toContain('/api/admin/all-users');
  expect(asked).not.toContain('/api/admin/allowed-ips');
  await expectReadable(page);
  await expectPanelFits(page);
});

it('an admin with an issued password is asked for one of their own', async () => {
  const { token, password: issued, email } = await server.createAdmin();
  const page = await visit({ token, expects: [badRequest] });
  const dialog = dialogOf(page, 'Set your own password');
  await expectReadable(page);
  await field(dialog, 'Current password').fill('not that one');
  await field(dialog, 'New password').fill('one that nobody reads');
  await field(dialog, 'New password').press('Enter');
  await expectToast(page, 'Update failed', 'Your current password is not right');
  await field(dialog, 'Current password').fill(issued);
  await field(dialog, 'New password').press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await server.signIn({ username: email, password: 'one that nobody reads' });
});

describe('the settings page', () => {
  it.runIf(isTorture)('is whole on a screen of 1024 px', async () => {
    await server.createAdmin({ fullName: 'Ligaya Ramos', email: 'ligaya.ramos.of.the.branch@example.com' });
    await allow('2001:db8:85a3:8d3:1319:8a2e:370:7348', 'Home of a colleague');
    const page = await visit();
    await button(rowOf(page, 'Ligaya Ramos'), 'Show the password').click();
    await button(rowOf(page, 'Ligaya Ramos'), 'Hide the password').waitFor();
    await rowOf(page, '2001:db8').waitFor();
    await expectPanelFits(page);
  });
});
