import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { photo } from '#tests/setup/photo.ts';
import { expectToast, field, leaveDone } from './screen.ts';

// A borrower's main path, as one goes along it on the screen.

export const phone = '0917 555 0142';
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

export async function register(page: Page): Promise<void> {
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

export async function beSentToTheProfile(page: Page): Promise<void> {
  await page.getByText('Account not verified').waitFor();
  await page.getByRole('button', { name: 'Apply for a loan' }).click();
  const required = page.getByRole('dialog', { name: 'Verification Required' });
  await required.getByRole('button', { name: 'VERIFY NOW' }).click();
  await page.waitForURL('/profile?step=about');
}

export async function verify(page: Page): Promise<void> {
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

export async function apply(page: Page): Promise<void> {
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
  await dialog.getByText('All figures', { exact: true }).click();
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

/** With a code that staff have set; `amount` in pesos, of a wallet that holds `balance`. */
export async function withdraw(
  page: Page,
  { code, balance }: { code: string; balance: string },
): Promise<void> {
  await page.getByRole('link', { name: 'WALLET' }).click();
  await page.getByRole('button', { name: 'Show balance' }).click();
  await page.getByRole('region', { name: 'Wallet balance' }).getByText(balance, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw money' }).click();
  const funds = page.getByRole('dialog', { name: 'Withdraw Funds' });
  await field(funds, 'Amount').fill('5000');
  await funds.getByRole('button', { name: 'Continue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter OTP Code' });
  await field(dialog, 'OTP code').fill(code);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expectToast(page, 'Withdrawal approved', '₱5,000.00 to Bank A.');
  await leaveDone(page);
  await page.getByRole('region', { name: 'Withdrawals' }).getByText('₱5,000.00', { exact: true }).waitFor();
}
