import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { soon, testBrowser } from '#tests/setup/browser.ts';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { apply, beSentToTheProfile, phone, register, verify } from './main-path.ts';
import { expectToast } from './screen.ts';

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
