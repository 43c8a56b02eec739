import fs from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fil } from '#contract/wording/fil.ts';
import { applicant, apply, takeOverLoan } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { expectWhole, hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { photo } from '#tests/setup/photo.ts';
import { fullProfile, type TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import {
  breakDown,
  button,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  holdBack,
  opened,
  outOfReach,
  region,
  storedToken,
} from './screen.ts';

const { server, browser } = await listeningServer();

async function visit({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/profile', { token, ...options });
  await button(page, 'Edit personal information').waitFor();
  return page;
}

async function visitAccount({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/profile', { token, ...options });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.waitForURL('/account');
  return page;
}

/** Returns the tile with a document's file input and its picture. */
const tileOf = (page: Page, name: string) => field(page, name).locator('xpath=ancestor::div[2]');

const jpeg = async () => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo() });

describe('the credit score', () => {
  it.each(
    sampleOf(
      [
        { score: 300, band: 'Bad Credit', stars: 1, trend: '-40.00' },
        { score: 599, band: 'Average Credit', stars: 2, trend: '+19.80' },
        { score: 749, band: 'Good Credit', stars: 3, trend: '+49.80' },
        { score: 750, band: 'Perfect Credit', stars: 5, trend: '+50.00' },
      ],
      4,
    ),
  )('$score is $band', async ({ score, band, stars, trend }) => {
    const borrower = await server.registerBorrower();
    await server.main.updateMember(borrower.id, { creditScore: score });
    const page = await visit(borrower);
    const credit = region(page, 'Credit score');
    await credit.getByRole('img', { name: `Credit score ${score} of 1000, ${band}` }).waitFor();
    await credit.getByText(band, { exact: true }).waitFor();
    await credit.getByRole('img', { name: `${stars} of 5 stars` }).waitFor();
    await credit.getByText(`${trend}% since the last change`).waitFor();
  });

  it('starts at 500, with no change yet', async () => {
    const page = await visit(await server.registerBorrower());
    const credit = region(page, 'Credit score');
    await credit.getByText('Average Credit').waitFor();
    await credit.getByText('0.00%, no change yet').waitFor();
  });
});

describe('personal information', () => {
  const fields = {
    'Full name': { wrong: 'A', message: 'Full name is required' },
    Email: { wrong: 'me@home', message: 'Valid email is required' },
    Address: { wrong: 'Too short', message: 'Address is required' },
    'Country of work': { wrong: 'P', message: 'Country of work is required' },
    'Monthly salary': { wrong: '-1', message: 'Monthly salary is required' },
    'Reference name': { wrong: 'J', message: 'Reference name is required' },
    'Reference phone': { wrong: '0918', message: 'Reference phone is required' },
    'Bank name': { wrong: '', message: 'Bank name is required' },
    'Account number': { wrong: '123456789', message: 'Account number is required' },
  };

  it('tells every rule beside its field, and goes to the first', async () => {
    const page = await visit(await server.verifiedBorrower());
    const dialog = await opened(button(page, 'Edit personal information'), 'Personal Information');
    for (const [name, { wrong }] of Object.entries(fields)) await field(dialog, name).fill(wrong);
    await button(dialog, 'Save').click();
    for (const [name, { message }] of Object.entries(fields)) {
      await soon(() => descriptionOf(field(dialog, name))).toContain(message);
    }
    expect(await hasFocus(field(dialog, 'Full name'))).toBe(true);
    await expectWhole(page);
  });

  it('is kept when it cannot be saved, and saved when it can', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit(borrower, { expects: [outOfReach] });
    const dialog = await opened(button(page, 'Edit personal information'), 'Personal Information');
    await field(dialog, 'Monthly salary').fill('41,250.50');
    const repair = await breakDown(page, '**/api/user/profile');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed');
    expect(await field(dialog, 'Monthly salary').inputValue()).toContain('41');
    await repair();
    await tabTo(page, button(dialog, 'Save'));
    await page.keyboard.press('Enter');
    await expectToast(page, 'Profile updated');
    await dialog.waitFor({ state: 'hidden' });
    expect((await borrower.readProfile()).monthlySalary).toBe('41250.50');
  });

  it('is shown whole, the account number hidden until asked for', async () => {
    const page = await visit(await server.verifiedBorrower());
    await button(page, 'View personal information').click();
    const dialog = page.getByRole('dialog');
    for (const text of ['12 Mabini Street, Cabanatuan City', '₱35,000.00', 'Juan Santos', '09181234567']) {
      await dialog.getByText(text).waitFor();
    }
    expect(await page.locator('body').textContent()).not.toContain('6789');
    await button(dialog, 'Show number').click();
    await dialog.getByText('1 2345 6789 0123').waitFor();
    await expectWhole(page);
  });
});

describe('documents', () => {
  it('lead there from the list of what is missing, and complete it', async () => {
    const borrower = await server.registerBorrower();
    const page = await browser.open('/loan-app', borrower);
    await page.getByText('0 of 2 done').waitFor();
    await page.getByRole('link', { name: 'Three photos' }).click();
    await page.waitForURL('/profile?step=photos');
    // All at once, as in a hurry: none of them is forgotten, whichever arrives last.
    for (const name of ['Front of ID', 'Back of ID', 'Selfie']) {
      await field(page, name).setInputFiles(await jpeg());
    }
    await soon(() => page.getByText('Change the photo').filter({ visible: true }).count()).toBe(3);
    await page.getByText('1 of 2 done').waitFor();
    await expectToast(page, 'Document uploaded');
    await expectWhole(page);
  });

  it('lead on to the application with the last of them', async () => {
    const borrower = await server.verifiedBorrower();
    const newcomer = await server.registerBorrower();
    await newcomer.updateProfile(fullProfile);
    const page = await visit(newcomer);
    const next = page.getByRole('link', { name: 'Apply for a loan' });
    await page.getByText('1 of 2 done').waitFor();
    expect(await next.count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 640 });
    await page.getByText('Accepted IDs').scrollIntoViewIfNeeded();
    for (const name of ['Front of ID', 'Back of ID', 'Selfie']) {
      await field(page, name).setInputFiles(await jpeg());
    }
    const lead = page.getByRole('heading', { name: 'Your profile is complete' });
    await lead.waitFor();
    const top = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
    expect(await top(lead)).toBeLessThan(await top(region(page, 'Credit score')));
    await soon(() => top(lead)).toBeGreaterThan(0);
    await expectWhole(page);
    await next.click();
    await page.waitForURL('/dashboard');
    await dialogOf(page, 'Apply for a Loan').waitFor();

    // A borrower who has applied already is not urged to.
    await apply(server, borrower);
    const other = await visit(borrower);
    await other.getByText('Account verified').waitFor();
    await button(other, 'Loan contract').waitFor();
    expect(await other.getByRole('link', { name: 'Apply for a loan' }).count()).toBe(0);
  });

  it.each(sampleOf([undefined, { width: 320, height: 640 }], 2))(
    'open the chooser wherever an empty tile is tapped (screen: %o)',
    async (viewport) => {
      const page = await visit(await server.registerBorrower());
      if (viewport) await page.setViewportSize(viewport);
      for (const name of ['Front of ID', 'Back of ID', 'Selfie']) {
        const tile = tileOf(page, name);
        const { width, height } = await tile.evaluate((node) => node.getBoundingClientRect());
        // Within the rounded corners.
        const [left, top, right, bottom] = [7, 7, width - 7, height - 7];
        const [middle, centre] = [width / 2, height / 2];
        for (const [x, y] of [
          [left, top],
          [middle, top],
          [right, top],
          [middle, centre],
          [left, bottom],
          [right, bottom],
        ] as const) {
          const chooser = page.waitForEvent('filechooser');
          await tile.click({ position: { x, y } });
          expect(await (await chooser).element().getAttribute('aria-label'), `${name} ${x} ${y}`).toBe(name);
        }
      }
    },
  );

  it('are looked at by a tap on the picture, and changed from there or by a tap on the words', async () => {
    const page = await visit(await server.verifiedBorrower());
    await button(page, '3 photos, all here').click();
    const tile = tileOf(page, 'Front of ID');
    const preview = dialogOf(page, 'Front of ID');
    const isAsked = () => page.waitForEvent('filechooser');
    await Promise.all([isAsked(), tile.getByText('Change the photo').click({ force: true })]);
    await button(tile, 'See the front side').click({ position: { x: 7, y: 7 } });
    await expectWhole(page);
    const [chooser] = await Promise.all([isAsked(), button(preview, 'Change the photo').click()]);
    await preview.waitFor({ state: 'hidden' });
    await chooser.setFiles(await jpeg());
    await expectToast(page, 'Document uploaded');
  });

  it('show how far an upload is, and it can be given up', async () => {
    const page = await visit(await server.registerBorrower());
    const answer = await holdBack(page, '**/api/upload');
    const documents = region(page, 'Documents');
    await field(page, 'Selfie').setInputFiles(await jpeg());
    await documents.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    await button(documents, 'Cancel').click();
    await documents.getByRole('progressbar').waitFor({ state: 'hidden' });
    answer();
    await page.getByText('0 of 2 done').waitFor();
  });

  it('keep the photo when the upload fails, so that it can be sent again', async () => {
    const page = await visit(await server.registerBorrower(), { expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/upload');
    const documents = region(page, 'Documents');
    await field(page, 'Selfie').setInputFiles(await jpeg());
    await expectToast(page, 'Upload failed');
    await documents.getByRole('alert').waitFor();
    await expectWhole(page);
    await repair();
    await button(documents, 'Retry').click();
    await expectToast(page, 'Document uploaded');
    await button(documents, 'See the picture of you').waitFor();
  });

  it('are images only, whatever their name says', async () => {
    const page = await visit(await server.registerBorrower(), { expects: [/status of 415/] });
    const selfie = field(page, 'Selfie');
    expect(await selfie.getAttribute('accept')).toMatch(/^image/);
    const refusal = 'Please choose a photo: JPEG, PNG, WebP, GIF or HEIC';
    const asked = page.waitForRequest('**/api/upload');
    await selfie.setInputFiles({
      name: 'paper.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7'),
    });
    await expectToast(page, 'Upload failed', refusal);
    await selfie.setInputFiles({
      name: 'photo.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('%PDF-1.7'),
    });
    await asked;
    await region(page, 'Documents').getByRole('alert').getByText(refusal).waitFor();
    await page.getByText('0 of 2 done').waitFor();
  });

  it('can be looked at in large, and read again', async () => {
    const page = await visit(await server.verifiedBorrower());
    await button(page, 'See the front side').click();
    const preview = dialogOf(page, 'Front of ID');
    await soon(() => preview.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
      48,
    );
    await page.keyboard.press('Escape');
    expect(await hasFocus(button(page, 'See the front side'))).toBe(true);
    await button(page, 'Refresh documents').click();
    await expectToast(page, 'Documents refreshed');
  });
});

describe('the loan papers', () => {
  it.each(sampleOf(['Loan contract', 'Payment schedule'], 2))(
    '%s without a loan leads to an application',
    async (paper) => {
      const page = await visit(await server.verifiedBorrower());
      const dialog = await opened(button(page, paper), 'No Loan Application');
      await button(dialog, 'Cancel').click();
      await dialog.waitFor({ state: 'hidden' });
      await button(page, paper).click();
      await button(dialog, 'APPLY NOW').click();
      await page.waitForURL('/dashboard');
      await dialogOf(page, 'Apply for a Loan').waitFor();
    },
  );

  it('say that they are missing for a loan that came without any', async () => {
    const borrower = await server.verifiedBorrower();
    await takeOverLoan(server, borrower.id);
    const page = await visit(borrower, { expects: [/status of 404.*contract/] });
    await button(page, 'Loan contract').click();
    await dialogOf(page, 'Loan contract').getByText('No loan contract available').waitFor();
  });

  it.each(
    sampleOf(
      [
        {
          paper: 'Loan contract',
          failed: 'Your loan contract could not be loaded',
          none: 'No loan contract available',
        },
        {
          paper: 'Payment schedule',
          failed: 'Your payment schedule could not be loaded',
          none: 'No payment schedule available',
        },
      ],
      2,
    ),
  )('$paper that cannot be read is not called one that there is not', async ({ paper, failed, none }) => {
    const { borrower } = await applicant(server);
    const page = await visit(borrower, { expects: [outOfReach] });
    for (const address of ['**/api/loans/*/contract?*', '**/api/loans/*/schedule']) {
      await breakDown(page, address);
    }
    const dialog = await opened(button(page, paper), paper);
    await dialog.getByText(failed).waitFor();
    expect(await dialog.getByText(none).count()).toBe(0);
  });

  it('are a contract with the figures agreed to, on the screen and as a PDF', async () => {
    const { borrower } = await applicant(server);
    const page = await visit(borrower);
    const dialog = await opened(button(page, 'Loan contract'), 'Loan contract');
    await dialog.getByText('Hiram Lending Corporation (sample)').waitFor();
    for (const figure of ['₱150,000.00', '₱16,250.00', '₱195,000.00', '₱45,000.00', '2% a month']) {
      await dialog.getByText(figure, { exact: true }).first().waitFor();
    }
    await dialog.getByText(/2% per month on an overdue instalment/).waitFor();
    await dialog.getByText(/^Free prepayment/).waitFor();
    await dialog.getByText(/two months after disbursement/).waitFor();
    await expectWhole(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(dialog, 'Download PDF').click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    expect(
      fs
        .readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('are a schedule of equal payments, the first two months after the application', async () => {
    const { borrower, loan } = await applicant(server, { termMonths: 24 });
    const page = await visit(borrower);
    const dialog = await opened(button(page, 'Payment schedule'), 'Payment schedule');
    const rows = dialog.getByRole('table').locator('tbody').getByRole('row');
    await soon(() => rows.count()).toBe(24);
    // The calendar is Manila's, eight hours before the one in Greenwich.
    const first = new Date(Date.parse(loan.createdAt) + 8 * 60 * 60 * 1000);
    const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
    const due = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 2, 1));
    const [dueMonth, dueYear] = month.format(due).split(' ');
    const text = await rows.first().textContent();
    expect(text).toMatch(new RegExp(`${dueMonth}.*${dueYear}`));
    expect(text).toContain('₱10,000.00');
    expect(text).toContain('Pending');
    expect(await rows.last().textContent()).toContain('₱0.00');
    await expectWhole(page);
  });
});

describe('the account', () => {
  it('gets a new password when the present one is right', async () => {
    const borrower = await server.registerBorrower();
    const page = await visitAccount(borrower, { expects: [/status of 400/] });
    const dialog = await opened(button(page, 'Change password'), 'Change password');
    await field(dialog, 'Current password').fill('not this one');
    await field(dialog, 'New password').fill('bagong password');
    await button(dialog, 'Save password').click();
    await soon(() => descriptionOf(field(dialog, 'Current password'))).toContain(
      'Your current password is not right',
    );
    expect(await hasFocus(field(dialog, 'Current password'))).toBe(true);
    await field(dialog, 'Current password').fill(borrower.password);
    await button(dialog, 'Save password').click();
    await expectToast(page, 'Password Updated');
    await server.signIn({ phone: borrower.phone, password: 'bagong password' });
    expect(await storedToken(page)).toBe(borrower.token);
  });

  it('changes the language, and logs out', async () => {
    const page = await visitAccount(await server.registerBorrower());
    await page
      .getByRole('radiogroup', { name: 'Language' })
      .or(page.getByRole('group', { name: 'Language' }))
      .getByText('Filipino')
      .click();
    await button(page, fil.shell.logout).click();
    await expectToast(page, fil.done.signedOut);
    await page.waitForURL('/app-login');
    expect(await storedToken(page)).toBe(null);
  });
});
