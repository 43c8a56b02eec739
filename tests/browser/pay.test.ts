import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, formatManilaDate, manilaDate } from '#domain/calendar.ts';
import { borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectWhole } from '#tests/setup/browser-checks.ts';
import { photo } from '#tests/setup/photo.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { dialogOf, expectToast, opened, region } from './screen.ts';

/** These tests pay as a borrower does (§own-payments). */
const { server, browser } = await listeningServer();

const today = manilaDate(new Date());

/** Two instalments of ₱16,250 are due, the older one for ten days, and no late charge yet. */
const borrowerWhoOwes = (more: { amount?: number } = {}) =>
  borrowerWithLoan(server, { date: addMonths(addDays(today, -5), -2), ...more });

async function visit({ token }: { token: string }, path: string, expects: RegExp[] = []): Promise<Page> {
  const page = await browser.open(path, { token, expects });
  return page;
}

const howToPay = async (page: Page) => {
  await page.getByRole('button', { name: 'How to pay' }).click();
  return dialogOf(page, 'How to pay');
};

describe('how to pay', () => {
  it('leads to what was paid, which waits on My loan until it is taken back', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    const page = await visit(borrower, '/my-loan');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const how = await howToPay(page);
    await how.getByRole('tab', { name: 'Bank' }).click();
    await how.getByText('0000 0000 0000').waitFor();
    await page.keyboard.press('ArrowRight');
    await how.getByText('Biller 0000').waitFor();
    await how.getByRole('tab', { name: 'Wallet' }).click();
    const copied = { 'Copy amount': '16250', 'Copy account number': '0900 000 0000' };
    const facts = `Account number: 0900 000 0000\nAmount: 16250\nPayment reference: ${loan.loanNumber}`;
    const all = `Account name: Hiram Lending Corporation (sample)\n${facts}`;
    for (const [name, text] of Object.entries({
      ...copied,
      'Copy reference': loan.loanNumber,
      'Copy all': all,
    })) {
      await how.getByRole('button', { name }).click();
      await soon(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
    await expectToast(page, 'Copied', 'Account, amount and reference');
    await expectWhole(page);
    // Without an amount none is copied, nor said to be.
    await how.getByRole('radio', { name: 'Another amount' }).check({ force: true });
    await how.getByRole('button', { name: 'Copy all' }).click();
    await expectToast(page, 'Copied', 'Account and reference');
    await how.getByRole('radio', { name: 'Mobile wallet B' }).check({ force: true });
    await how.getByRole('button', { name: 'I have paid' }).click();

    const form = dialogOf(page, 'I have paid');
    expect(await form.getByLabel('Paid through').inputValue()).toBe('maya');
    await form.getByLabel('Amount').fill('5,000');
    await form.getByLabel('Paid on').fill(addDays(today, -1));
    await form.getByLabel('Reference number').fill('MY 880011');
    const buffer = await photo();
    await form
      .getByLabel('Photo of the slip')
      .setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer });
    await form.getByText('Photo added').waitFor();
    await expectWhole(page);
    await form.getByRole('button', { name: 'Send' }).click();
    await dialogOf(page, 'Waiting for confirmation').getByText('₱5,000.00').waitFor();
    await expectWhole(page);
    await page.getByRole('button', { name: 'Done' }).click();

    const [sent] = await server.main.listPayments({ by: 'borrower', search: loan.loanNumber });
    expect(sent).toMatchObject({ amount: '5000.00', channel: 'maya', valueDate: addDays(today, -1) });
    expect(sent?.proofUrl).toBeTruthy();
    const receipts = region(page, 'Receipts');
    const row = receipts.getByRole('listitem').filter({ hasText: '₱5,000.00' });
    await row.getByText('To be confirmed').waitFor();
    await row.getByText(`Paid on ${formatManilaDate(addDays(today, -1))}`).waitFor();
    await row.getByRole('button', { name: 'Withdraw this' }).click();
    await row.getByText('Taken back').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    expect((await server.as(borrower.token).readLoanAccount(loan.id)).submitted).toEqual([]);
  });

  it('asks how much first, and a later choice goes before what was typed', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    await server.main.recordPayment(loan.id, { amount: 6_250, channel: 'cash' });
    const page = await visit(borrower, '/my-loan');
    const how = await howToPay(page);
    await how.getByRole('radio', { name: 'Due now ₱10,000.00' }).waitFor();
    await how.getByRole('radio', { name: 'One instalment ₱16,250.00' }).check({ force: true });
    await how.getByRole('button', { name: 'I have paid' }).click();
    const form = dialogOf(page, 'I have paid');
    const amount = form.getByLabel('Amount');
    await soon(() => amount.inputValue()).toBe('16,250');
    await form.getByLabel('Reference number').fill('GC 550033');
    await amount.fill('16000');
    await form.getByRole('button', { name: 'Back' }).click();
    await how.getByRole('button', { name: 'I have paid' }).click();
    expect(await amount.inputValue()).toBe('16,000');
    await page.keyboard.press('Escape');
    await how.getByRole('radio', { name: 'Another amount' }).check({ force: true });
    await how.getByLabel('Amount', { exact: true }).fill('1234.50');
    await how.getByRole('tab', { name: 'Bank' }).click();
    await how.getByRole('button', { name: 'I have paid' }).click();
    expect(await amount.inputValue()).toBe('1,234.50');
    expect(await form.getByLabel('Paid through').inputValue()).toBe('instapay');
    expect(await form.getByLabel('Reference number').inputValue()).toBe('GC 550033');
    await form.getByRole('button', { name: 'Back' }).click();
    expect(await how.getByLabel('Amount', { exact: true }).inputValue()).toBe('1,234.50');
  });

  it('waits on the mat, a tile half woven, until staff confirm or say why not', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    const sent = { amount: 20_000, paidOn: addDays(today, -1), channel: 'gcash' } as const;
    const own = server.as(borrower.token);
    const { id } = await own.payOwnLoan(loan.id, { ...sent, reference: 'GC 7701' });
    const note = 'No transfer with this number reached our account.';
    const page = await visit(borrower, '/loan-app');
    const home = region(page, `Loan ${loan.loanNumber}`);
    await home.getByText('Waiting for confirmation', { exact: true }).waitFor();
    await home.getByText(`GCash · Paid on ${formatManilaDate(sent.paidOn)}`).waitFor();
    // The money would reach the second instalment too.
    await home.getByRole('img', { name: '0 of 12 paid, 2 waiting for confirmation' }).waitFor();
    await home.getByText('You need not pay it again.').waitFor();
    await expectWhole(page);
    await server.main.updatePayment(id, { status: 'rejected', note, reason: 'Not in the statement' });
    // It is read anew each time it is opened.
    await page.getByRole('link', { name: 'WALLET' }).click();
    await page.getByRole('link', { name: 'HOME' }).click();
    await home.getByText('We could not confirm the ₱20,000.00 you paid on').waitFor();
    await home.getByText(note).waitFor();
    await home.getByRole('img', { name: '0 of 12 paid, 1 overdue' }).waitFor();
    await expectWhole(page);
    const again = await own.payOwnLoan(loan.id, { ...sent, reference: 'GC 7702' });
    await page.goto('/my-loan');
    await page.getByText('Waiting for confirmation', { exact: true }).waitFor();
    await server.main.updatePayment(again.id, { status: 'confirmed' });
    await page.reload();
    await page.getByRole('img', { name: /^1 of 12 paid/ }).waitFor();
    expect(await page.getByText('Waiting for confirmation', { exact: true }).count()).toBe(0);
    expect(await page.getByText('We could not confirm').count()).toBe(0);

    // One that waits stays in sight beside a newer one that was refused.
    await own.payOwnLoan(loan.id, { ...sent, amount: 1_000, reference: 'GC 7703' });
    const refused = await own.payOwnLoan(loan.id, { ...sent, reference: 'GC 7704' });
    await server.main.updatePayment(refused.id, { status: 'rejected', note, reason: 'Not in the statement' });
    await page.reload();
    await page.getByText('We could not confirm the ₱20,000.00').waitFor();
    await page.getByText('Waiting for confirmation', { exact: true }).waitFor();
    await expectWhole(page);
  });

  it('ends with cash, whose slip needs no reference', async () => {
    const { borrower, id } = await borrowerWhoOwes();
    const page = await visit(borrower, '/my-loan');
    const how = await howToPay(page);
    await how.getByRole('tab', { name: 'Cash' }).click();
    await how.getByRole('button', { name: 'I have paid' }).click();
    const form = dialogOf(page, 'I have paid');
    expect(await form.getByLabel('Paid through').inputValue()).toBe('cash');
    expect(await form.getByLabel('Reference number').count()).toBe(0);
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const receipts = region(page, 'Receipts');
    await receipts.getByText('To be confirmed').waitFor();
    const { submitted } = await server.as(borrower.token).readLoanAccount(id);
    expect(submitted).toMatchObject([{ channel: 'cash', amount: '16250.00', reference: null }]);
  });

  it('names on the wallet what is overdue beside the loan’s status', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    const page = await visit(borrower, '/wallet');
    const application = region(page, 'Application');
    await application.getByText(loan.loanNumber).waitFor();
    await application.getByText('Active', { exact: true }).waitFor();
    await application.getByText('Overdue', { exact: true }).waitFor();
  });

  it('keeps what was typed when it is refused, and says why beside the field', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    const known = { amount: 1_000, paidOn: today, channel: 'gcash', reference: 'GC 440022' } as const;
    await server.as(borrower.token).payOwnLoan(loan.id, known);
    const page = await visit(borrower, '/loan-app', [/409.*\/payments/]);
    await (await howToPay(page)).getByRole('button', { name: 'I have paid' }).click();
    const form = dialogOf(page, 'I have paid');
    await form.getByLabel('Amount').fill('2500');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Please give the reference of the transfer').waitFor();
    await form.getByLabel('Reference number').fill('gc-440022');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('A payment with this reference is already recorded').waitFor();
    expect(await form.getByLabel('Amount').inputValue()).toBe('2,500');
    expect(await form.getByLabel('Reference number').inputValue()).toBe('gc-440022');
    await form.getByLabel('Reference number').fill('GC 440023');
    await form.getByRole('button', { name: 'Send' }).click();
    await dialogOf(page, 'Waiting for confirmation').getByText('₱2,500.00', { exact: true }).waitFor();
  });

  it('proposes PESONet for a sum that InstaPay carries only in several transfers', async () => {
    const { borrower } = await borrowerWhoOwes({ amount: 600_000 });
    const page = await visit(borrower, '/my-loan');
    const how = await howToPay(page);
    await how.getByRole('tab', { name: 'Bank' }).click();
    await how.getByText('Arrives on the next banking day').waitFor();
    expect(await how.getByText('send two transfers').count()).toBe(0);
    await how.getByRole('radio', { name: 'InstaPay' }).check({ force: true });
    await how.getByText('send two transfers').waitFor();
  });
});

describe('paying from the wallet', () => {
  it('says what it does before it is done, and counts at once', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    await server.fund(borrower.id, 20_000);
    const page = await visit(borrower, '/loan-app', [/409.*\/payments/]);
    const dialog = await opened(page.getByRole('button', { name: 'Pay from wallet' }), 'Pay from wallet');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('16,250');
    const does = dialog.getByRole('region', { name: 'What this does' });
    await does.getByText('instalment 1: ₱16,250.00').waitFor();
    await dialog.getByLabel('Amount').fill('20000.01');
    await does.getByText('Insufficient funds').waitFor();
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('It was not paid', { exact: true }).waitFor();
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('20,000.01');
    await dialog.getByLabel('Amount').fill('6250');
    await does.getByText('instalment 1: ₱6,250.00').waitFor();
    // The preview shows what is still due, not what comes after it.
    await does.getByText('₱10,000.00', { exact: true }).waitFor();
    expect(await does.getByText('Next payment').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    await dialogOf(page, 'Paid').getByText('instalment 1: ₱6,250.00').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await region(page, `Loan ${loan.loanNumber}`).getByText('₱10,000.00', { exact: true }).waitFor();
    const { receipts } = await server.as(borrower.token).readLoanAccount(loan.id);
    expect(receipts).toMatchObject([{ amount: '6250.00' }]);
    const [paid] = await server.main.listPayments({ by: 'borrower', search: loan.loanNumber });
    expect(paid).toMatchObject({ channel: 'wallet', status: 'confirmed' });
    // Others' payments meanwhile count when it is opened again.
    await server.fund(borrower.id, 300_000);
    await page.reload();
    await server.main.recordPayment(loan.id, { amount: 1_000, channel: 'cash' });
    const { settlement } = await server.as(borrower.token).readLoanAccount(loan.id);
    const everything = Number(settlement?.amount).toLocaleString('en', { minimumFractionDigits: 2 });
    await page.getByRole('button', { name: 'Pay from wallet' }).click();
    await dialog.getByRole('button', { name: `₱${everything}` }).waitFor();
  });

  it('says what was paid until that is read, though nothing is left to pay with', async () => {
    const { borrower, loan } = await borrowerWhoOwes();
    await server.fund(borrower.id, 16_250);
    const page = await visit(borrower, '/loan-app');
    const dialog = await opened(page.getByRole('button', { name: 'Pay from wallet' }), 'Pay from wallet');
    await dialog.getByText('instalment 1: ₱16,250.00').waitFor();
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    const paid = dialogOf(page, 'Paid');
    await paid.waitFor();
    await page.waitForTimeout(2_000);
    expect(await paid.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    const left = region(page, `Loan ${loan.loanNumber}`);
    await left.getByRole('img', { name: '1 of 12 paid' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pay from wallet' }).count()).toBe(0);
  });

  it('proposes nothing that the wallet does not hold, nor tells what it holds', async () => {
    const { borrower } = await borrowerWhoOwes();
    await server.fund(borrower.id, 4_321);
    const page = await visit(borrower, '/loan-app');
    const dialog = await opened(page.getByRole('button', { name: 'Pay from wallet' }), 'Pay from wallet');
    const amount = dialog.getByLabel('Amount');
    await dialog.getByText('Your wallet holds less than this').waitFor();
    expect(await amount.inputValue()).toBe('');
    expect(await page.locator('body').textContent()).not.toContain('4,321');
    expect(await dialog.getByText('Pay everything').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Pay all that is in your wallet' }).click();
    expect(await amount.inputValue()).toBe('4,321.00');
    await dialog.getByText('instalment 1: ₱4,321.00').waitFor();
  });
});
