import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { soon, testBrowser } from '#tests/setup/browser.ts';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { photo } from '#tests/setup/photo.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { expectToast, field, leaveDone } from './screen.ts';

// Not at the top of the file, as elsewhere: where all its tests are left out nothing would end this process.
let dataDir: string;
let server: BuiltServer;
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-journey-'));
  server = await startBuiltServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});
const browser = await testBrowser(() => server.origin);

const phone = '0917 555 0142';
const personal = {
  Email: 'luningning@example.com',
  Address: '12 Mabini Street, Cabanatuan City',
  'Country of work': 'Philippines',
  'Monthly salary': '28500',
  'Reference name': 'Amihan Reyes',
  'Reference phone': '09185550199',
  'Bank name': 'Bank A',
  'Account number': '1234567890123',
};

async function register(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { name: 'Create Account' }).waitFor();
  await page.getByRole('textbox', { name: 'Full name' }).fill('Luningning Reyes');
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
  await page.getByRole('textbox', { name: 'Password' }).fill('bangka sa dagat');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('/loan-app');
  await expectToast(page, 'Your account has been created!');
  await page.getByRole('heading', { name: phone }).waitFor();
  await page.getByText('No active loans').waitFor();
}

async function beSentToTheProfile(page: Page): Promise<void> {
  await page.getByText('Account not verified').waitFor();
  await page.getByRole('button', { name: 'Apply for a loan' }).click();
  const required = page.getByRole('dialog', { name: 'Verification Required' });
  await required.getByRole('button', { name: 'VERIFY NOW' }).click();
  await page.waitForURL('/profile?step=about');
}

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit personal information' }).click();
  const form = page.getByRole('dialog', { name: 'Personal Information' });
  expect(await form.getByRole('textbox', { name: 'Full name' }).inputValue()).toBe('Luningning Reyes');
  for (const [name, value] of Object.entries(personal)) {
    await form.getByRole('textbox', { name, exact: true }).fill(value);
  }
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  await expectToast(page, 'Profile updated');

  const documents = [
    { name: 'Front of ID', opener: 'See the front side' },
    { name: 'Back of ID', opener: 'See the back side' },
    { name: 'Selfie', opener: 'See the picture of you' },
  ];
  for (const [index, { name, opener }] of documents.entries()) {
    const buffer = await photo({ width: 1200 + index, height: 800 });
    await field(page, name).setInputFiles({
      name: `${index}.jpg`,
      mimeType: 'image/jpeg',
      buffer,
    });
    await page.getByRole('button', { name: opener }).waitFor();
  }
  await expectToast(page, 'Document uploaded');
  await page.getByText('Account verified').waitFor();
}

async function apply(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'HOME' }).click();
  await page.getByRole('button', { name: 'Apply for a loan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply for a Loan' });
  const exactAmount = dialog.getByRole('textbox', { name: /amount/i });
  const slider = dialog.getByRole('slider', { name: 'Loan amount' });
  expect(await slider.inputValue()).toBe('150000');
  await slider.fill('500000');
  expect(await exactAmount.inputValue()).toBe('500,000');
  await exactAmount.fill('512345.50');
  await dialog.getByRole('spinbutton', { name: 'Term (months)' }).fill('24');
  await dialog.getByRole('textbox', { name: 'Purpose' }).fill('Stock for my sari-sari store');
  // (512,345.50 + 512,345.50 × 2.5 % × 24) / 24, before and in the review.
  await dialog.getByText('₱34,156.37', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Review application' }).click();
  for (const figure of ['₱512,345.50', '₱34,156.37', '₱819,752.88', 'Stock for my sari-sari store']) {
    await dialog.getByText(figure, { exact: true }).filter({ visible: true }).first().waitFor();
  }
  // The server is stopped soon after this: whatever it is asked then would fail.
  const readAnew = page.waitForResponse(
    (response) => response.url().endsWith('/api/loans/user') && response.request().method() === 'GET',
  );
  await dialog.getByRole('button', { name: 'Submit application' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expectToast(
    page,
    'Loan application submitted',
    'Your loan application has been submitted for review.',
  );
  await leaveDone(page);
  await readAnew;
}

const loanCard = (page: Page) => page.getByRole('region', { name: /^Loan LN-/ });
const expectLoanStatus = (page: Page, status: string) =>
  loanCard(page).getByText(status, { exact: true }).waitFor();

async function approve(page: Page): Promise<void> {
  await page.goto('/admin-login');
  await page.getByRole('textbox', { name: 'Username' }).fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(mainAdminPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('/management');
  await expectToast(page, 'Admin login successful');
  await page.getByRole('row').filter({ hasText: phone }).getByText('Luningning Reyes').waitFor();

  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Borrowing List' }).click();
  await page.waitForURL('/management/borrowing');
  const row = page.getByRole('row').filter({ hasText: 'Luningning Reyes' });
  await row.getByText('Pending').waitFor();
  await row.getByRole('button', { name: 'Update status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Loan Status' });
  await dialog.getByRole('radio', { name: 'Approved' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expectToast(page, 'Success');
  await row.getByText('Approved').waitFor();
}

it('a visitor becomes a borrower, the server restarts, staff approve, and the borrower sees it', async () => {
  const borrower = await browser.visit({ screen: 'phone', moves: true });
  await register(borrower);
  await beSentToTheProfile(borrower);
  await verify(borrower);
  await apply(borrower);
  await expectLoanStatus(borrower, 'Pending');
  const loanNumber = await loanCard(borrower).getByRole('heading').textContent();

  expect(await server.stop()).toBe(0);
  server = await startBuiltServer({ dataDir, port: server.port });

  await borrower.reload();
  await borrower.getByRole('heading', { name: phone }).waitFor();
  await expectLoanStatus(borrower, 'Pending');
  expect(await loanCard(borrower).getByRole('heading').textContent()).toBe(loanNumber);
  await borrower.getByRole('link', { name: 'PROFILE' }).click();
  await borrower.getByRole('button', { name: 'See the picture of you' }).click();
  const selfie = borrower.getByRole('dialog', { name: 'Selfie' }).getByRole('img');
  await soon(() => selfie.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1202);
  await borrower.keyboard.press('Escape');
  await borrower.getByRole('link', { name: 'HOME' }).click();
  await expectLoanStatus(borrower, 'Pending');

  const staff = await browser.visit({ screen: 'desktop', moves: true });
  await approve(staff);

  // Nothing is read again by itself: the borrower asks for it.
  await borrower.getByRole('button', { name: 'Refresh' }).click();
  await expectLoanStatus(borrower, 'Approved');
});

it('refuses a second process on the same data directory, in one line that names the first', async () => {
  const refusal: unknown = await startBuiltServer({ dataDir }).then(
    (second) => second.stop(),
    (error: Error) => error.message,
  );
  expect(refusal).toMatch(new RegExp(`^[^\\n]*\\b${server.pid}\\b[^\\n]*\\n?$`));
});
