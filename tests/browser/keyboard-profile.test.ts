import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { applicant } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { photo } from '#tests/setup/photo.ts';
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
  storedToken,
} from './screen.ts';

const { server, browser } = await listeningServer();

const documents = (page: Page) => page.getByRole('region', { name: 'Documents', exact: true });

async function visit({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/profile', { token, ...options });
  await button(page, 'Edit personal information').waitFor();
  return page;
}

async function visitAccount({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/account', { token, ...options });
  await button(page, en.privacy.ask).waitFor();
  return page;
}

/** The device's own picker, wherever it is opened from: a photo is picked there at once. */
function pickPhotos(page: Page): void {
  page.on('filechooser', async (chooser) => {
    await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  });
}

/** Saves a file with a button of a dialog; the focus stays on the button. */
async function download(page: Page, control: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, control)]);
  await soon(() => hasFocus(control)).toBe(true);
  return file.suggestedFilename();
}

describe('the page', () => {
  it('has nothing out of reach', async () => {
    const { borrower } = await applicant(server);
    const page = await visit(borrower);
    for (const name of ['See the front side', 'See the back side', 'See the picture of you']) {
      await button(page, name).waitFor();
    }
    await expectWalkable(page);
    await press(page, page.getByRole('link', { name: 'Account' }));
    await page.waitForURL('/account');
    await button(page, en.privacy.ask).waitFor();
    await expectWalkable(page);
  });

  it('leads from what is missing to where it is given', async () => {
    const page = await visit(await server.registerBorrower(), { screen: 'small' });
    await expectWalkable(page);
    await press(page, button(page, 'Start'));
    await page.waitForURL('/profile?step=about');
    await soon(() => hasFocus(field(page, 'Address'))).toBe(true);
  });
});

describe('personal information', () => {
  it('is changed, after a word on what is wrong and a failure', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit(borrower, { expects: [outOfReach] });
    const opener = button(page, 'Edit personal information');
    const dialog = dialogOf(page, 'Personal Information');
    await openDialog(page, opener, dialog);
    await expectWalkable(page);
    const address = field(dialog, 'Address');
    await tabTo(page, address);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Too short');
    await page.keyboard.press('Enter');
    await soon(() => descriptionOf(address)).toContain('Address is required');
    expect(await hasFocus(address)).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.type(', Cabanatuan City');
    const repair = await breakDown(page, '**/api/user/profile');
    await press(page, button(dialog, 'Save'));
    await expectToast(page, 'Update failed');
    await soon(() => hasFocus(button(dialog, 'Save'))).toBe(true);
    await repair();
    await page.keyboard.press('Enter');
    await expectToast(page, 'Profile updated');
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
    expect((await borrower.readProfile()).address).toBe('Too short, Cabanatuan City');
    await page.keyboard.press('Enter');
    await press(page, button(dialog, 'Cancel'));
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
  });

  it('is read whole, with its account number once it is asked for', async () => {
    const page = await visit(await server.verifiedBorrower(), { screen: 'small' });
    const opener = button(page, 'View personal information');
    const dialog = dialogOf(page, en.profile.viewTitle);
    await openDialog(page, opener, dialog);
    await expectWalkable(page);
    await press(page, button(dialog, 'Show number'));
    await dialog.getByText('1 2345 6789 0123').waitFor();
    expect(await hasFocus(button(dialog, 'Hide number'))).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByText('1 2345 6789 0123').waitFor({ state: 'hidden' });
    await closeDialog(page, dialog, opener);
  });
});

describe('documents', () => {
  it('are picked, given up and sent again, with the focus along the way', async () => {
    const page = await visit(await server.registerBorrower(), { expects: [outOfReach] });
    const selfie = field(page, 'Selfie');
    await page.route('**/api/upload', () => undefined);
    pickPhotos(page);
    await press(page, selfie);
    await documents(page).getByRole('progressbar', { name: 'Uploading' }).waitFor();
    expect(await holdsFocus(documents(page))).toBe(true);
    await press(page, button(documents(page), 'Cancel'));
    await documents(page).getByRole('progressbar').waitFor({ state: 'hidden' });
    await soon(() => hasFocus(selfie)).toBe(true);
    await page.unroute('**/api/upload');

    const repair = await breakDown(page, '**/api/upload');
    await page.keyboard.press('Space');
    const retry = button(documents(page), 'Retry');
    await retry.waitFor();
    expect(await holdsFocus(documents(page))).toBe(true);
    await repair();
    await press(page, retry);
    await expectToast(page, 'Document uploaded');
    await soon(() => hasFocus(selfie)).toBe(true);

    const opener = button(page, 'See the picture of you');
    const preview = dialogOf(page, 'Selfie');
    await openDialog(page, opener, preview);
    await expectWalkable(page);
    await closeDialog(page, preview, opener);
    await press(page, button(page, 'Refresh documents'));
    await expectToast(page, 'Documents refreshed');
    await soon(() => hasFocus(button(page, 'Refresh documents'))).toBe(true);
  });
});

describe('the loan papers', () => {
  it('without a loan lead to an application', async () => {
    const page = await visit(await server.verifiedBorrower());
    const dialog = dialogOf(page, 'No Loan Application');
    const answer = await holdBack(page, '**/api/loans/user');
    await press(page, button(page, 'Payment schedule'));
    await soon(() => button(page, 'Payment schedule').isDisabled()).toBe(true);
    answer();
    await dialog.waitFor();
    await soon(() => holdsFocus(dialog)).toBe(true);
    await closeDialog(page, dialog, button(page, 'Payment schedule'));
    await openDialog(page, button(page, 'Loan contract'), dialog);
    await expectWalkable(page);
    await press(page, button(dialog, 'Cancel'));
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(button(page, 'Loan contract'))).toBe(true);
    await page.keyboard.press('Enter');
    await press(page, button(dialog, 'APPLY NOW'));
    await page.waitForURL('/dashboard');
    const form = dialogOf(page, 'Apply for a Loan');
    await form.waitFor();
    await soon(() => holdsFocus(form)).toBe(true);
  });

  it('are read and saved, in all their versions and files', async () => {
    const { borrower, id, loanNumber } = await applicant(server);
    await server.main.updateLoan(id, { termMonths: 24 });
    const page = await visit(borrower, { screen: 'small' });
    const contract = dialogOf(page, 'Loan contract');
    await openDialog(page, button(page, 'Loan contract'), contract);
    await button(contract, 'Download PDF').waitFor();
    await expectWalkable(page);
    expect(await download(page, button(contract, 'Download version 1'))).toBe(`${loanNumber}-v1.pdf`);
    expect(await download(page, button(contract, 'PDF in Filipino'))).toBe(`${loanNumber}-v2-fil.pdf`);
    expect(await download(page, button(contract, 'Download PDF'))).toBe(`${loanNumber}-v2.pdf`);
    await closeDialog(page, contract, button(page, 'Loan contract'));

    const schedule = dialogOf(page, 'Payment schedule');
    await openDialog(page, button(page, 'Payment schedule'), schedule);
    await button(schedule, 'Download as CSV').waitFor();
    await expectWalkable(page);
    expect(await download(page, button(schedule, 'Download as CSV'))).toBe(`${loanNumber}.csv`);
    expect(await download(page, button(schedule, 'Add due dates to my calendar'))).toBe(`${loanNumber}.ics`);
    await closeDialog(page, schedule, button(page, 'Payment schedule'));
  });
});

it('one’s data are taken along, and their deletion is asked for and taken back', async () => {
  const page = await visitAccount(await server.registerBorrower());
  const { ask, askTitle, download: take, send, takeBack, title } = en.privacy;
  const place = page.getByRole('region', { name: title, exact: true });
  expect(await download(page, button(page, take))).toMatch(/\.zip$/);
  const opener = button(page, ask);
  const dialog = dialogOf(page, askTitle);
  await openDialog(page, opener, dialog);
  await expectWalkable(page);
  await closeDialog(page, dialog, opener);
  await page.keyboard.press('Enter');
  await press(page, button(dialog, send));
  await button(page, takeBack).waitFor();
  await soon(() => holdsFocus(place)).toBe(true);
  await press(page, button(page, takeBack));
  await opener.waitFor();
  await soon(() => holdsFocus(place)).toBe(true);
});

describe('the account', () => {
  it('gets a new password, once the present one is right', async () => {
    const borrower = await server.registerBorrower();
    const page = await visitAccount(borrower, { expects: [/status of 400/] });
    const opener = button(page, 'Change password');
    const dialog = dialogOf(page, 'Change password');
    await openDialog(page, opener, dialog);
    const present = field(dialog, 'Current password');
    expect(await hasFocus(present)).toBe(true);
    await expectWalkable(page);
    await tabTo(page, present);
    await page.keyboard.type('not this one');
    await tabTo(page, field(dialog, 'New password'));
    await page.keyboard.type('bagong password');
    await page.keyboard.press('Enter');
    await soon(() => descriptionOf(present)).toContain('Your current password is not right');
    await soon(() => hasFocus(present)).toBe(true);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(borrower.password);
    await press(page, button(dialog, 'Save password'));
    await expectToast(page, 'Password Updated');
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
    await server.signIn({ phone: borrower.phone, password: 'bagong password' });
  });

  it('changes its language with the arrows, and logs out', async () => {
    const page = await visitAccount(await server.registerBorrower());
    await tabTo(page, page.getByRole('radio', { name: 'English' }));
    await page.keyboard.press('ArrowRight');
    await press(page, button(page, fil.shell.logout));
    await page.waitForURL('/app-login');
    await soon(() => hasFocus(page.getByRole('heading', { level: 1 }))).toBe(true);
    expect(await storedToken(page)).toBe(null);
  });
});
