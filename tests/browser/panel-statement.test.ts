import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addDays, formatManilaDate, manilaDate } from '#domain/calendar.ts';
import { borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { panelPage } from './panel-page.ts';
import { button, descriptionOf, dialogOf, expectToast } from './screen.ts';
import { expectPanelFits, expectReadable, rowOf } from './staff.ts';

// Matching a bank's statement on Payments, and what is undone of it: a cheque that bounced.

const { server, visit } = await panelPage('payments');

const daysAgo = (days: number) => addDays(manilaDate(server.deps.clock.now()), -days);
const dialog = (page: Page) => dialogOf(page, 'Match a statement');

async function drop(page: Page, lines: readonly string[]): Promise<void> {
  await button(page, 'Match a statement').click();
  // Older spreadsheets write the alphabet of Windows, and banks put lines above the heads.
  const text = ['Sample Bank;;;;', '', 'Posting Date;Particulars;Ref No.;Debit;Credit', ...lines].join(
    '\r\n',
  );
  const file = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') };
  await dialog(page).getByLabel('Statement (CSV)').setInputFiles(file);
}

async function expectMatches(page: Page, counts: Record<string, number>): Promise<void> {
  for (const [name, count] of Object.entries(counts))
    await soon(() => descriptionOf(button(dialog(page), name))).toBe(String(count));
}

it('matches a statement, confirms what is matched, and knows all of it the next time', async () => {
  const { borrower, loan } = await borrowerWithLoan(server, { date: '2026-01-10' });
  await server.createAdmin({ fullName: 'Second Person' });
  const { nextDueAmount } = (await server.main.readLoanAccount(loan.id)).account;
  await borrower.payOwnLoan(loan.id, {
    amount: 1_000,
    channel: 'bank_transfer',
    reference: 'BN 0001',
    paidOn: daysAgo(5),
  });
  const lines = [
    `${formatManilaDate(daysAgo(5))};From Niño;BN0001;;1.000,00`,
    `${formatManilaDate(daysAgo(4))};Charge;BN0002;15,00;`,
    `${formatManilaDate(daysAgo(4))};Bayad ${loan.loanNumber};BN0003;;${nextDueAmount.replace('.', ',')}`,
    `${formatManilaDate(daysAgo(3))};${loan.loanNumber};BN0004;;1,00`,
    `${formatManilaDate(daysAgo(2))};Salary;BN0005;;9.000,00`,
    ';;Total;15,00;26.251,00',
  ];
  const page = await visit();
  await drop(page, lines);
  await dialog(page).getByLabel('Came in through').selectOption('bank_transfer');
  await dialog(page).getByLabel('Account').fill('Sample Bank 0000 1111');
  await dialog(page).getByText('1 other line, such as a debit, is left out.').waitFor();
  await dialog(page).getByText('in line 9').waitFor();
  await expectReadable(page);
  await button(dialog(page), 'Match 4 credits').click();
  await expectMatches(page, { Matched: 2, Perhaps: 1, Known: 0, Unknown: 1 });
  await soon(() => hasFocus(button(dialog(page), 'Confirm the matched (2)'))).toBe(true);
  await rowOf(page, 'From Niño').getByRole('link', { name: loan.loanNumber }).waitFor();
  await rowOf(page, 'From Niño').getByText('Maria Clara Santos').waitFor();
  await expectReadable(page);
  await expectPanelFits(page);

  await button(dialog(page), 'Perhaps').click();
  await soon(() => dialog(page).getByRole('row').count()).toBe(2);
  await button(dialog(page), 'Perhaps').click();
  await button(dialog(page), 'Confirm the matched (2)').click();
  await dialog(page).getByText('1 confirmed · 1 for a second person').waitFor();
  await rowOf(page, 'From Niño').getByText('Confirmed', { exact: true }).waitFor();
  await expectReadable(page);

  // The form for a payment books a line that is perhaps one, and says what differs.
  await button(rowOf(page, 'BN0004'), 'Look and book').click();
  const look = dialogOf(page, 'Record payment');
  await look.getByText('₱1.00 came in on the statement').waitFor();
  expect(await look.getByLabel('Reference').inputValue()).toBe('BN0004');
  expect(await look.getByRole('combobox').inputValue()).toBe('bank_transfer');
  expect(await look.getByLabel('Paid on').inputValue()).toBe(formatManilaDate(daysAgo(3)));
  await expectReadable(page);
  await button(look, 'Record payment').click();
  await dialog(page).getByText('1 confirmed · 2 for a second person').waitFor();
  await button(dialog(page), 'Done').click();
  await rowOf(page, 'BN 0001').getByText('Confirmed', { exact: true }).waitFor();

  // The columns are remembered, and the line that waits is matched until somebody else confirms it.
  await drop(page, lines);
  await soon(() => hasFocus(button(dialog(page), 'Match 4 credits'))).toBe(true);
  await page.keyboard.press('Enter');
  await expectMatches(page, { Matched: 2, Perhaps: 0, Known: 1, Unknown: 1 });
});

it('says that a cheque bounced, in words of its own', async () => {
  const { borrower, loan } = await borrowerWithLoan(server, { date: '2026-01-10' });
  const sent = { amount: 500, channel: 'cheque', reference: 'CHQ 0007', paidOn: daysAgo(5) } as const;
  const { id } = await borrower.payOwnLoan(loan.id, sent);
  await server.main.updatePayment(id, { status: 'confirmed' });
  const page = await visit();
  await button(rowOf(page, 'CHQ 0007'), 'Reverse').click();
  const reverse = dialogOf(page, 'Reverse payment');
  await reverse.getByText('The cheque bounced').waitFor();
  expect(await reverse.getByLabel('Reason', { exact: true }).count()).toBe(0);
  await expectReadable(page);
  await button(reverse, 'Reverse').click();
  await expectToast(page, 'Success', 'Payment of ₱500.00 reversed.');
  const notices = await borrower.listNotifications();
  expect(notices[0]?.title).toBe('Your cheque for ₱500.00 did not clear');
});
