import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { accounts } from '#server/store/schema.ts';
import { apply } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { refused } from '#tests/setup/caller.ts';
import { gate } from '#tests/setup/gate.ts';
import { photo } from '#tests/setup/photo.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
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
  loseAnswers,
  lostAnswer,
  opened,
  outOfReach,
} from './screen.ts';
import {
  answer,
  details,
  expectFigures,
  expectPanelFits,
  expectReadable,
  expectReadableAndLeave,
  exportCsv,
  newMember,
  nextBody,
  questionOf,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, visit, visitBroken } = await panelPage('members');

const oneMember = '**/api/admin/users/*';
const gone = /status of 404/;
const conflict = /status of 409/;

const { readMember, deleteUser: remove } = server.main;

/** Opens the details of the only member. */
async function openDetails(page: Page, name = 'Maria Clara Santos'): Promise<Locator> {
  await rowOf(page, name).getByText(name).click();
  await details(page).waitFor();
  return details(page);
}

describe('a new member', () => {
  it('is added at the desk, with a password that is shown once', async () => {
    const page = await visit();
    await page.getByText('No members found').waitFor();
    const dialog = await opened(button(page, 'Add member'), 'Add member');
    expect(await hasFocus(field(dialog, 'Phone number'))).toBe(true);
    await dialog.getByLabel('Front of ID').setInputFiles({
      name: 'front.jpg',
      mimeType: 'image/jpeg',
      buffer: await photo(),
    });
    await expectToast(page, 'Save member first', 'You can add photos once the member is saved.');

    await button(dialog, 'Save').click();
    await soon(() => descriptionOf(field(dialog, 'Phone number'))).toContain('Phone number is required');
    await soon(() => descriptionOf(field(dialog, 'Address'))).toContain('Address is required');
    expect(await hasFocus(field(dialog, 'Phone number'))).toBe(true);

    for (const [name, value] of Object.entries(newMember)) await field(dialog, name).fill(value);
    await field(dialog, 'Account number').press('Enter');
    await expectToast(page, 'Member created');
    const issued = dialogOf(page, 'The new member’s password');
    await issued.getByText('Give it to Tala Bautista.', { exact: false }).waitFor();
    const password = (await issued.getByRole('code').textContent()) ?? '';
    expect(password.length).toBeGreaterThanOrEqual(6);
    await button(issued, 'Done').click();
    await issued.waitFor({ state: 'hidden' });
    await rowOf(page, 'Tala Bautista').getByText('Active').waitFor();
    expect(await page.content()).not.toContain(password);
    await server.signIn({ phone: newMember['Phone number'], password });
  });

  it.runIf(isTorture)('with a password typed by staff is not shown one', async () => {
    const page = await visit();
    const dialog = await opened(button(page, 'Add member'), 'Add member');
    await field(dialog, 'Password').fill('12345');
    for (const [name, value] of Object.entries(newMember)) await field(dialog, name).fill(value);
    await button(dialog, 'Save').click();
    const password = field(dialog, 'Password');
    await soon(() => descriptionOf(password)).toContain('Password must be at least 6 characters');
    await password.fill('typed at the desk');
    const body = nextBody(page, 'POST', '/api/auth/register');
    await button(dialog, 'Save').click();
    expect(await body).not.toHaveProperty('email');
    await expectToast(page, 'Member created');
    await dialog.waitFor({ state: 'hidden' });
    await rowOf(page, 'Tala Bautista').waitFor();
    expect(await dialogOf(page, 'The new member’s password').count()).toBe(0);
    await server.signIn({ phone: newMember['Phone number'], password: 'typed at the desk' });
  });

  it('with a phone of somebody else is refused, and nothing typed is lost', async () => {
    await server.registerBorrower({ phone: '+63 918 555 0101' });
    const page = await visit({ expects: [conflict] });
    const dialog = await opened(button(page, 'Add member'), 'Add member');
    for (const [name, value] of Object.entries(newMember)) await field(dialog, name).fill(value);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Creation failed', 'Another account has this phone number');
    const phone = field(dialog, 'Phone number');
    await soon(() => descriptionOf(phone)).toContain('Another account has this phone number');
    expect(await hasFocus(phone)).toBe(true);
    expect(await field(dialog, 'Address').inputValue()).toBe(newMember.Address);
    await phone.fill('0918 555 0199');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Member created');
  });
});

describe('editing a member', () => {
  it('sends only what was changed', async () => {
    const { id } = await server.verifiedBorrower();
    const page = await visit();
    const dialog = await opened(button(rowOf(page, 'Maria Clara Santos'), 'Edit'), 'Edit member');
    expect(await field(dialog, 'Reference name').inputValue()).toBe(fullProfile.referenceName);
    await field(dialog, 'Full name').fill('Maria Clara Reyes');
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('Active');
    const body = nextBody(page, 'PUT', `/api/admin/users/${id}`);
    await button(dialog, 'Save').click();
    expect(await body).toEqual({
      fullName: 'Maria Clara Reyes',
      status: 'active',
      expected: expect.objectContaining({ fullName: 'Maria Clara Santos', status: 'pending' }),
    });
    await expectToast(page, 'Member updated');
    await dialog.waitFor({ state: 'hidden' });
    await rowOf(page, 'Maria Clara Reyes').getByText('Active').waitFor();
  });

  it('of whom hardly anything is known does not ask for the rest', async () => {
    await server.registerBorrower({ fullName: 'Amihan Cruz' });
    const page = await visit();
    const dialog = await opened(button(rowOf(page, 'Amihan Cruz'), 'Edit'), 'Edit member');
    await field(dialog, 'Address').fill('Short');
    await button(dialog, 'Save').click();
    await soon(() => descriptionOf(field(dialog, 'Address'))).toContain('Address is required');
    expect(await descriptionOf(field(dialog, 'Bank name'))).toBe('');
    await field(dialog, 'Address').fill('14 Luna Street, Iloilo City');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Member updated');
  });

  it.runIf(isTorture)('outlives a session that ends in the middle of it', async () => {
    const { id } = await server.verifiedBorrower();
    const { token, email, password } = await settledAdmin(server);
    const page = await visit({ token, expects: [/status of 401/] });
    const dialog = await opened(button(rowOf(page, 'Maria Clara Santos'), 'Edit'), 'Edit member');
    await field(dialog, 'Address').fill('99 Del Pilar Street, Naga City');
    await server.as(token).signOut();
    await button(dialog, 'Save').click();
    const ended = dialogOf(page, 'Your session has ended');
    await ended.getByText('What you typed on this page is still here.', { exact: false }).waitFor();
    await expectReadable(page);
    await page.keyboard.press('Escape');
    expect(await ended.isVisible()).toBe(true);
    expect(await field(ended, 'Username').inputValue()).toBe(email);
    await field(ended, 'Password').fill(password);
    await button(ended, 'Sign In').click();
    await ended.waitFor({ state: 'hidden' });
    expect(await field(dialog, 'Address').inputValue()).toBe('99 Del Pilar Street, Naga City');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Member updated');
    expect((await readMember(id)).address).toBe('99 Del Pilar Street, Naga City');
  });
});

describe('activating and deactivating', () => {
  it('asks before a member is thrown out, and takes them back without', async () => {
    const borrower = await server.registerBorrower();
    const page = await visit();
    const row = rowOf(page, 'Maria Clara Santos');
    await button(row, 'Activate').click();
    await expectToast(page, 'Success', 'Maria Clara Santos is active.');
    await button(row, 'Deactivate').click();
    const question = page.getByRole('alertdialog', { name: 'Deactivate Maria Clara Santos?' });
    expect(await hasFocus(button(question, 'Cancel'))).toBe(true);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
    expect((await readMember(borrower.id)).status).toBe('active');

    await button(row, 'Deactivate').click();
    await answer(page, 'Deactivate');
    await expectToast(page, 'Success', 'Maria Clara Santos is suspended and signed out.');
    await row.getByText('Suspended').waitFor();
    await refused(borrower.readProfile(), 403);

    const panel = await openDetails(page);
    await button(panel, 'Activate').press('Enter');
    await expectToast(page, 'Success', 'Maria Clara Santos is active.');
    await button(panel, 'Deactivate').waitFor();
  });

  it('shows at once that it is under way, in the row and in the details', async () => {
    await server.registerBorrower();
    const page = await visit();
    const panel = await openDetails(page);
    const buttons = [button(rowOf(page, 'Maria Clara Santos'), 'Activate'), button(panel, 'Activate')];
    const release = await holdBack(page, '**/api/admin/users/*');
    await buttons[0]?.press('Enter');
    await page.keyboard.press('Enter');
    for (const pressed of buttons) {
      expect(await pressed.getAttribute('aria-busy')).toBe('true');
      expect(await pressed.isDisabled()).toBe(true);
    }
    release();
    await expectToast(page, 'Success', 'Maria Clara Santos is active.');
    await soon(() => hasFocus(button(rowOf(page, 'Maria Clara Santos'), 'Deactivate'))).toBe(true);
  });

  it('tells when it did not work', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [gone] });
    await button(rowOf(page, 'Maria Clara Santos'), 'Activate').waitFor();
    await remove(id);
    await button(rowOf(page, 'Maria Clara Santos'), 'Activate').click();
    await expectToast(page, 'Action failed', 'This member has been deleted.');
    await page.getByText('No members found').waitFor();
  });
});

describe('deleting a member', () => {
  it('names the money in the wallet, and the row goes', async () => {
    const borrower = await server.registerBorrower();
    await server.registerBorrower({ fullName: 'Amihan Cruz' });
    await server.fund(borrower.id, 1_250);
    const page = await visit({ expects: [/status of 409/] });
    await button(rowOf(page, 'Maria Clara Santos'), 'Delete').click();
    await questionOf(page).getByText('The wallet holds ₱1,250.00.', { exact: false }).waitFor();
    await answer(page, 'Delete');
    await expectToast(page, 'Delete failed');
    await server.fund(borrower.id, 0);
    await button(rowOf(page, 'Maria Clara Santos'), 'Delete').click();
    await answer(page, 'Delete');
    await expectToast(page, 'Member deleted');
    await rowOf(page, 'Maria Clara Santos').waitFor({ state: 'hidden' });
    await soon(() => hasFocus(rowOf(page, 'Amihan Cruz'))).toBe(true);
    await refused(borrower.readProfile(), 401);
  });

  it('tells when it did not work', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [gone] });
    await button(rowOf(page, 'Maria Clara Santos'), 'Delete').click();
    await remove(id);
    await answer(page, 'Delete');
    await expectToast(page, 'Delete failed', 'This member has been deleted.');
    await page.getByText('No members found').waitFor();
  });
});

describe('a member’s documents', () => {
  it('are looked at in large and added on the member’s behalf', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [/status of 415/] });
    const dialog = await opened(button(rowOf(page, 'Maria Clara Santos'), 'Documents'), 'Documents');
    const selfie = field(dialog, 'Selfie');
    await selfie.setInputFiles({
      name: 'a.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('no photo at all'),
    });
    await expectToast(page, 'Upload failed', 'Please choose a photo: JPEG, PNG, WebP, GIF or HEIC');
    expect((await readMember(id)).selfieUrl).toBe(null);
    await selfie.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() });
    await expectToast(page, 'Document uploaded');
    await button(dialog, 'View the member’s selfie').click();
    const picture = dialogOf(page, 'Selfie').getByRole('img', { name: 'Selfie' });
    await soon(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(48);
    await page.keyboard.press('Escape');
    await dialogOf(page, 'Selfie').waitFor({ state: 'hidden' });
    expect((await readMember(id)).selfieUrl).toMatch(/^\/api\/files\//);
    const coming = page.waitForResponse('**/api/upload');
    const large = await photo({ width: 3_000, height: 1_500 });
    await field(dialog, 'Back of ID').setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: large });
    const stored = await (await coming).json();
    // The browser has made the picture smaller before it left.
    expect(stored.width).toBe(limits.documentUploadLongEdgePx);
    await expectToast(page, 'Document uploaded');
    const missing = await dialog.getByText('Still missing:', { exact: false }).textContent();
    expect(missing).toMatch(/, Front of ID$/);
  });

  it.runIf(isTorture)('are photos whatever type the browser gives them', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit();
    await button(rowOf(page, 'Maria Clara Santos'), 'Documents').click();
    const content = (await photo()).toString('base64');
    await field(dialogOf(page, 'Documents'), 'Selfie').evaluate((input: HTMLInputElement, base64) => {
      const chosen = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      chosen.items.add(new File([bytes], 'photo.jpg'));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, content);
    await expectToast(page, 'Document uploaded');
    expect((await readMember(id)).selfieUrl).toMatch(/^\/api\/files\//);
  });
});

describe('who waits for a code', () => {
  it('is seen in the list and in the details, is a filter, and waits no longer once it is set', async () => {
    const waiting = await server.registerBorrower({ fullName: 'Ligaya Ramos' });
    await server.registerBorrower();
    await waiting.requestCode();
    const page = await visit();
    await rowOf(page, 'Ligaya Ramos')
      .getByText(/^Waiting for a code since \d\d:\d\d$/)
      .waitFor();
    expect(await rowOf(page, 'Maria Clara Santos').getByText('Waiting').count()).toBe(0);
    await expectFigures(page, [
      ['Active', '0', 'active'],
      ['Pending', '2', 'pending'],
      ['All', '2', null],
    ]);
    await expectReadable(page);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Waiting for a code');
    await rowOf(page, 'Maria Clara Santos').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('status')).toBe('waiting');

    const panel = await openDetails(page, 'Ligaya Ramos');
    await panel.getByText(/^Waiting for a code since/).waitFor();
    await button(panel, 'Set the OTP code').click();
    await button(panel, 'Generate the OTP code').click();
    await button(panel, 'Save code').click();
    await expectToast(page, 'OTP Code Updated');
    await panel.getByText(/^Waiting for a code since/).waitFor({ state: 'hidden' });
    expect((await readMember(waiting.id)).codeRequestedAt).toBe(null);
  });
});

describe('a member’s money and secrets', () => {
  it('the balance is asked for twice, with its reason, and goes to the ledger', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit();
    const panel = await openDetails(page);
    await button(panel, 'Adjust the balance').click();
    const typed = field(panel, 'New balance');
    expect(await hasFocus(typed)).toBe(true);
    await button(panel, 'Change balance').click();
    await soon(() => descriptionOf(typed)).toContain('Balance must be zero or more');
    await typed.fill('0');
    await button(panel, 'Change balance').click();
    await soon(() => descriptionOf(typed)).toContain('This is already the balance.');
    await typed.fill('50,000');
    await panel.getByText('₱0.00 → ₱50,000.00').waitFor();
    await panel.getByRole('combobox', { name: 'Reason' }).selectOption('Correction');
    await typed.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Change Maria Clara Santos’s balance?' });
    await question.getByText('The ledger records +₱50,000.00', { exact: false }).waitFor();
    const body = nextBody(page, 'PUT', `/api/admin/users/${id}`);
    await answer(page, 'Change balance');
    expect(await body).toMatchObject({ expectedBalance: '0.00', reason: 'correction' });
    await expectToast(page, 'Success', '₱0.00 → ₱50,000.00');
    await rowOf(page, 'Maria Clara Santos').getByText('₱50,000.00').waitFor();
    expect((await readMember(id)).balance).toBe('50000.00');
    expect(await hasFocus(button(panel, 'Adjust the balance'))).toBe(true);
  });

  it('a balance that moved meanwhile is not written over, and what was typed is kept', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [conflict] });
    const panel = await openDetails(page);
    await button(panel, 'Adjust the balance').click();
    await field(panel, 'New balance').fill('700');
    await server.fund(id, 300);
    await button(panel, 'Change balance').click();
    await answer(page, 'Change balance');
    await expectToast(
      page,
      'Update failed',
      'The balance has changed in the meantime. Please look at it again.',
    );
    await panel
      .getByRole('alert')
      .getByText('The balance was ₱0.00 when you opened this and is now ₱300.00.', { exact: false })
      .waitFor();
    expect(await field(panel, 'New balance').inputValue()).toBe('700');
    expect((await readMember(id)).balance).toBe('300.00');
    await button(panel, 'Change balance').click();
    await answer(page, 'Change balance');
    await expectToast(page, 'Success', '₱300.00 → ₱700.00');
    expect((await readMember(id)).balance).toBe('700.00');
  });

  it.runIf(isTorture)('a balance whose answer was lost can be left, and is not set twice', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [lostAnswer] });
    const panel = await openDetails(page);
    const { keys, mend } = await loseAnswers(page, '**/api/admin/users/*');
    await button(panel, 'Adjust the balance').click();
    await field(panel, 'New balance').fill('700');
    await button(panel, 'Change balance').click();
    const question = questionOf(page);
    await button(question, 'Change balance').click();
    await button(question, 'Stop waiting').click();
    await question.waitFor({ state: 'hidden' });
    await expectToast(page, 'We do not know whether it went through');
    mend();
    await button(panel, 'Change balance').click();
    await answer(page, 'Change balance');
    await expectToast(page, 'Success', '₱0.00 → ₱700.00');
    expect(new Set(keys).size).toBe(1);
    expect((await readMember(id)).balance).toBe('700.00');
  });

  it('the credit score has its bounds', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [outOfReach] });
    const panel = await openDetails(page);
    await button(panel, 'Edit the credit score').click();
    const score = panel.getByRole('spinbutton', { name: 'New credit score' });
    expect(await score.inputValue()).toBe('500');
    for (const wrong of ['299', '851', '']) {
      await score.fill(wrong);
      await button(panel, 'Save score').click();
      await soon(() => descriptionOf(score)).toContain('Credit score must be a whole number from 300 to 850');
    }
    await score.fill('850');
    const repair = await breakDown(page, oneMember);
    await score.press('Enter');
    await expectToast(page, 'Update failed', 'Out of reach.');
    expect(await score.inputValue()).toBe('850');
    await repair();
    await button(panel, 'Save score').click();
    await expectToast(page, 'Success', '500 → 850');
    await panel.getByText('+70.00%').waitFor();
    expect((await readMember(id)).creditScore).toBe(850);
  });

  it('the code is six digits, shown when it is set and when it is asked for', async () => {
    const { id } = await server.registerBorrower();
    const page = await visit({ expects: [outOfReach] });
    const panel = await openDetails(page);
    await panel.getByText('no code set').waitFor();
    await button(panel, 'Set the OTP code').click();
    const code = field(panel, 'New OTP code');
    await button(panel, 'Save code').click();
    await soon(() => descriptionOf(code)).toContain('OTP code cannot be empty');
    for (const wrong of ['12345', '12345a', '1234567']) {
      await code.fill(wrong);
      await button(panel, 'Save code').click();
      await soon(() => descriptionOf(code)).toContain('OTP code must be exactly 6 digits');
    }
    await code.fill('482 913');
    const repair = await breakDown(page, oneMember);
    await code.press('Enter');
    await expectToast(page, 'Update failed', 'Out of reach.');
    await repair();
    await button(panel, 'Save code').click();
    await expectToast(page, 'OTP Code Updated', 'The member will be notified.');
    await panel.getByText('482913').waitFor();
    await panel.getByText('23 h left').waitFor();
    await button(panel, 'Hide the OTP code').click();
    await panel.getByText('482913').waitFor({ state: 'hidden' });
    await button(panel, 'Show the OTP code').click();
    await panel.getByText('482913').waitFor();
    expect((await readMember(id)).otpCode).toBe('482913');
    await button(panel, 'Set the OTP code').click();
    await button(panel, 'Generate the OTP code').click();
    expect(await code.inputValue()).toMatch(/^\d{6}$/);
    await page.keyboard.press('Escape');
    await code.waitFor({ state: 'hidden' });
    await button(panel, 'Show the OTP code').or(button(panel, 'Hide the OTP code')).waitFor();
    expect((await readMember(id)).otpCode).toBe('482913');
  });

  it('a code that is set while the one before is looked up stays in sight', async () => {
    const { id } = await server.registerBorrower();
    await server.setCode(id, '111222');
    const page = await visit();
    const panel = await openDetails(page);
    const { open: letThrough, passed: held } = gate();
    await page.route(oneMember, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await button(panel, 'Show the OTP code').click();
    await button(panel, 'Set the OTP code').click();
    await field(panel, 'New OTP code').fill('482913');
    await button(panel, 'Save code').click();
    await panel.getByText('482913').waitFor();
    const hide = button(panel, 'Hide the OTP code');
    expect(await hide.isDisabled()).toBe(true);
    letThrough();
    await soon(() => hide.isEnabled()).toBe(true);
    await panel.getByText('482913').waitFor();
  });

  it('the password is set, shown and no longer the old one', async () => {
    const borrower = await server.registerBorrower();
    const page = await visit({ expects: [outOfReach] });
    const panel = await openDetails(page);
    expect(await button(panel, 'Show the password').count()).toBe(0);
    await button(panel, 'Set the password').click();
    const password = field(panel, 'New password');
    await button(panel, 'Save password').click();
    await soon(() => descriptionOf(password)).toContain('Password cannot be empty');
    await password.fill('12345');
    await soon(() => descriptionOf(password)).toContain('Password must be at least 6 characters');
    await password.fill('pahiram ng susi');
    const repair = await breakDown(page, oneMember);
    await button(panel, 'Save password').click();
    await expectToast(page, 'Update failed', 'Out of reach.');
    expect(await password.inputValue()).toBe('pahiram ng susi');
    await repair();
    await button(panel, 'Save password').click();
    await expectToast(page, 'Password Updated', 'The member will be notified.');
    await panel.getByText('pahiram ng susi').waitFor();
    await server.signIn({ phone: borrower.phone, password: 'pahiram ng susi' });
    await refused(borrower.readProfile(), 401);

    await page.reload();
    await button(panel, 'Show the password').waitFor();
    expect(await page.content()).not.toContain('pahiram ng susi');
    await button(panel, 'Show the password').click();
    await panel.getByText('pahiram ng susi').waitFor();
  });

  it('are shown and copied, and it is told when they cannot be', async () => {
    const { id } = await server.verifiedBorrower();
    await server.setCode(id, '482913');
    const page = await visit({ path: `members?open=${id}`, expects: [outOfReach] });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = details(page);
    const repair = await breakDown(page, oneMember);
    await button(panel, 'Show the OTP code').click();
    await expectToast(page, 'Could not be shown', 'Out of reach.');
    await repair();
    await button(panel, 'Show the OTP code').press('Enter');
    await button(panel, 'Copy OTP code').press('Enter');
    await expectToast(page, 'Copied', 'OTP code is on the clipboard.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('482913');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    await button(panel, 'Copy Phone number').click();
    await expectToast(page, 'Could not copy');
  });

  it('a look at the password is one that somebody took', async () => {
    const { id } = await server.registerBorrower();
    await server.setCode(id, '482913');
    const issue = { password: 'pahiram ng susi' };
    await server.main.updateMember(id, issue);
    const looks = async () =>
      (await server.main.listAudit({ action: 'password_revealed', targetId: String(id) })).length;
    const before = await looks();
    const page = await visit();
    const panel = await openDetails(page);
    await button(panel, 'Activate').click();
    await expectToast(page, 'Success', 'Maria Clara Santos is active.');
    await button(panel, 'Show the OTP code').click();
    await panel.getByText('482913').waitFor();
    await button(panel, 'Edit the credit score').click();
    await panel.getByRole('spinbutton', { name: 'New credit score' }).fill('700');
    await button(panel, 'Save score').click();
    await expectToast(page, 'Success', '500 → 700');
    await button(panel, 'Edit member').click();
    await field(dialogOf(page, 'Edit member'), 'Full name').fill('Maria Clara Reyes');
    await button(dialogOf(page, 'Edit member'), 'Save').click();
    await expectToast(page, 'Member updated');
    expect(await looks()).toBe(before);
    await button(panel, 'Show the password').click();
    await panel.getByText(issue.password).waitFor();
    expect(await looks()).toBe(before + 1);
  });

  it.runIf(isTorture)('an ordinary admin changes them as well, and sees no log', async () => {
    const { id } = await server.registerBorrower();
    const { token } = await settledAdmin(server);
    const page = await visit({ token });
    const panel = await openDetails(page);
    await button(panel, 'Set the OTP code').click();
    await field(panel, 'New OTP code').fill('731204');
    await button(panel, 'Save code').click();
    await expectToast(page, 'OTP Code Updated');
    await button(panel, 'Adjust the balance').click();
    await field(panel, 'New balance').fill('1200.50');
    await button(panel, 'Change balance').click();
    await answer(page, 'Change balance');
    await expectToast(page, 'Success', '₱0.00 → ₱1,200.50');
    expect(await readMember(id)).toMatchObject({ balance: '1200.50', otpCode: '731204' });
    expect(await panel.getByRole('heading', { name: 'Recent' }).count()).toBe(0);

    const asMain = await visit({ path: `members?open=${id}` });
    await details(asMain).getByRole('heading', { name: 'Recent' }).waitFor();
    await details(asMain).getByText('Balance changed').waitFor();
    await asMain.getByRole('banner').getByText('Main Admin', { exact: true }).waitFor();
    expect(await page.getByRole('banner').getByText('Main Admin').count()).toBe(0);
  });
});

it('a member’s loans are in the details with their state, and lead to their accounts', async () => {
  const loan = await apply(server, await server.verifiedBorrower());
  const page = await visit();
  const panel = await openDetails(page);
  await panel.getByRole('listitem').filter({ hasText: loan.loanNumber }).getByText('Pending').waitFor();
  await panel.getByRole('link', { name: 'Open loan account' }).click();
  await page.waitForURL(`/management/loans/${loan.id}`);
});

describe('the list of members', () => {
  it('is walked, opened and left with the keyboard', async () => {
    for (const fullName of ['Cora', 'Bea', 'Ana']) await server.registerBorrower({ fullName });
    const page = await visit();
    await rowOf(page, 'Ana').waitFor();
    await page.keyboard.press('/');
    expect(await hasFocus(page.getByRole('searchbox', { name: 'Search members' }))).toBe(true);
    await tabTo(page, rowOf(page, 'Ana'));
    await page.keyboard.press('ArrowDown');
    await soon(() => hasFocus(rowOf(page, 'Bea'))).toBe(true);
    await page.keyboard.press('End');
    await soon(() => hasFocus(rowOf(page, 'Cora'))).toBe(true);
    await page.keyboard.press('Enter');
    await details(page).getByRole('heading', { name: 'Cora' }).waitFor();
    expect(await rowOf(page, 'Cora').getAttribute('aria-current')).toBe('true');
    await tabTo(page, button(details(page), 'Close details'));
    await page.keyboard.press('Escape');
    await details(page).waitFor({ state: 'hidden' });
    await soon(() => hasFocus(rowOf(page, 'Cora'))).toBe(true);
    await page.keyboard.press('Tab');
    expect(await hasFocus(button(rowOf(page, 'Cora'), 'Edit'))).toBe(true);
  });

  it('keeps its search, status, order and details in the address bar', async () => {
    const { id } = await server.registerBorrower({ fullName: 'Ana Peña' });
    await server.registerBorrower({ fullName: 'Bea Cruz' });
    const page = await visit();
    await rowOf(page, 'Bea Cruz').waitFor();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('peña');
    await rowOf(page, 'Bea Cruz').waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await page.getByRole('columnheader', { name: 'Balance' }).getByRole('button').click();
    await openDetails(page, 'Ana Peña');
    await soon(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      search: 'peña',
      status: 'pending',
      sort: 'balance',
      open: String(id),
    });
    await page.reload();
    await details(page).getByRole('heading', { name: 'Ana Peña' }).waitFor();
    await soon(() => page.getByRole('searchbox', { name: 'Search members' }).inputValue()).toBe('peña');
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('pending');
    await page.getByText('1 of 2 members').waitFor();
    expect(await rowOf(page, 'Bea Cruz').count()).toBe(0);

    await page.getByRole('combobox', { name: 'Status' }).selectOption('Suspended');
    await page.getByText('Nothing matches your search and filter.').waitFor();
    expect(await button(page, 'Export CSV').isDisabled()).toBe(true);
    await button(page, 'Clear search and filter').click();
    await rowOf(page, 'Bea Cruz').waitFor();
  });

  it('finds by a search who registered a minute ago, and says nothing wrong before it knows', async () => {
    await server.registerBorrower({ fullName: 'Ana Cruz' });
    const page = await visit();
    await rowOf(page, 'Ana Cruz').waitFor();
    await server.registerBorrower({ fullName: 'Bea Reyes' });
    const answerNow = await holdBack(page, '**/api/admin/users?search=*');
    await page.getByRole('searchbox', { name: 'Search members' }).fill('reyes');
    await rowOf(page, 'Ana Cruz').waitFor({ state: 'hidden' });
    await page.getByRole('status').filter({ hasText: 'Searching…' }).waitFor();
    expect(await page.getByText('No members found').count()).toBe(0);
    await expectReadable(page);
    answerNow();
    await rowOf(page, 'Bea Reyes').waitFor();
    await page.getByText('1 of 2 members').waitFor();
    await page.getByRole('main').getByText('2', { exact: true }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('santos');
    await page.getByText('No members found').waitFor();
    await button(page, 'Clear search and filter').click();
    await rowOf(page, 'Bea Reyes').waitFor();
  });

  it('shows with a status who came to it elsewhere', async () => {
    const { id } = await server.registerBorrower({ fullName: 'Ana Cruz' });
    const page = await visit();
    await rowOf(page, 'Ana Cruz').waitFor();
    await server.main.updateMember(id, { status: 'suspended' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Suspended');
    await rowOf(page, 'Ana Cruz').getByText('Suspended').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Asked for deletion');
    await page.getByText('No members found').waitFor();
  });

  it('that is still arriving is exported once it is whole', async () => {
    const createdAt = new Date();
    const rows = Array.from({ length: 800 }, (_, index) => ({
      fullName: `Member ${index}`,
      phone: `0917${String(index).padStart(7, '0')}`,
      passwordHash: 'none',
      createdAt,
      updatedAt: createdAt,
    }));
    await server.database.transaction(async (tx) => void (await tx.insert(accounts).values(rows)));
    const page = await visit();
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: 160_000,
      uploadThroughput: -1,
    });
    await page.reload();
    await page.getByText(/^Loading the list, /).waitFor();
    const coming = page.waitForEvent('download');
    await button(page, 'Export CSV').click();
    await button(page, 'Waiting for the list…').waitFor();
    const text = readFileSync(await (await coming).path(), 'utf8');
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + rows.length);
    await button(page, 'Export CSV').waitFor();
  });

  it('is exported as it is shown, without a secret, and runs nothing in a spreadsheet', async () => {
    const { id } = await server.verifiedBorrower();
    await server.setCode(id, '482913');
    await server.registerBorrower({ fullName: '=HYPERLINK("x"),1', phone: '+639185550123' });
    await server.registerBorrower({ fullName: 'Left out' });
    const page = await visit({ path: 'members?sort=member&search=a' });
    await rowOf(page, 'Maria Clara Santos').waitFor();
    const whole = await exportCsv(page);
    expect(whole.name).toBe('members.csv');
    expect(whole.lines[0]).toBe(
      '\uFEFF"Id","Member","Phone","Email","Status","Verified","Balance","Score","Joined"',
    );
    expect(whole.lines[1]).toMatch(
      new RegExp(`^"${id}","Maria Clara Santos","0917\\d+","maria@example.com","Pending","yes","0.00","500"`),
    );
    expect(whole.lines).toHaveLength(3);
    expect(whole.text).not.toMatch(/482913|1234567890123/);

    await page.getByRole('searchbox', { name: 'Search members' }).fill('hyperlink');
    await rowOf(page, 'HYPERLINK').waitFor();
    const { lines } = await exportCsv(page);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x""),1","'+639185550123",""`);
  });

  it('that cannot be read says so, and can be read again', async () => {
    await server.registerBorrower();
    const { page, repair } = await visitBroken('**/api/admin/users', 'Failed to fetch members');
    await page.getByRole('alert').getByText('The list could not be loaded').waitFor();
    await repair();
    await button(page, 'Retry').click();
    await rowOf(page, 'Maria Clara Santos').waitFor();
  });

  it('tells staff at an address that they may not come from why they read nothing', async () => {
    await server.registerBorrower();
    const page = await visit({ expects: [/status of 403/] });
    await rowOf(page, 'Maria Clara Santos').waitFor();
    // From elsewhere, which then is the one address that stays allowed.
    await server.main.addAllowedIp({ ipAddress: '203.0.113.7', description: '' }, { address: '203.0.113.7' });
    await button(page, 'Refresh').click();
    await expectToast(page, 'Error', 'The panel cannot be used from this address');
    await page.reload();
    await expectToast(page, 'Access Denied', 'The panel cannot be used from this address');
    // The page still says so when the toast is gone.
    await page.locator('main').getByText('The panel cannot be used from this address').waitFor();
  });

  it.runIf(isTorture)('tells when the figures cannot be read', async () => {
    const { page } = await visitBroken('**/api/admin/stats', 'Failed to fetch stats');
    await page.getByText('No members found').waitFor();
  });
});

describe('the members page', () => {
  it.runIf(isTorture)('is readable in the light and in the dark, in every dialog', async () => {
    const { id } = await server.verifiedBorrower();
    await server.setCode(id);
    const page = await visit();
    const row = rowOf(page, 'Maria Clara Santos');
    const panel = await openDetails(page);
    await expectReadable(page);
    await button(panel, 'Adjust the balance').click();
    await button(panel, 'Set the OTP code').click();
    await button(panel, 'Set the password').click();
    await button(panel, 'Save password').click();
    await expectReadable(page);
    await button(row, 'Documents').click();
    await button(dialogOf(page, 'Documents'), 'View the front').waitFor();
    await expectReadableAndLeave(page, dialogOf(page, 'Documents'));
    await button(row, 'Delete').click();
    await expectReadableAndLeave(page, questionOf(page));
    await button(page, 'Add member').click();
    await button(dialogOf(page, 'Add member'), 'Save').click();
    await expectReadableAndLeave(page, dialogOf(page, 'Add member'));
  });

  it.runIf(isTorture)('is whole on a screen of 1024 px, with and without details', async () => {
    await server.verifiedBorrower();
    const page = await visit();
    await rowOf(page, 'Maria Clara Santos').waitFor();
    await expectPanelFits(page);
    await openDetails(page);
    await expectPanelFits(page);
    await button(rowOf(page, 'Maria Clara Santos'), 'Edit').click();
    await dialogOf(page, 'Edit member').waitFor();
    await expectPanelFits(page);
  });
});
