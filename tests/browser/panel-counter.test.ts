import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { panelPage } from './panel-page.ts';
import { button, dialogOf, region } from './screen.ts';
import { expectPanelFits, expectReadable } from './staff.ts';

// The counter, by the keyboard alone: one field, Enter, Enter, and the focus is back in the field.

const { server, visit } = await panelPage('take-payment');

const search = (page: Page) => page.getByRole('searchbox', { name: 'Phone, name or loan number' });
const figure = (page: Page, term: string) =>
  region(page, 'My drawer')
    .locator('div')
    .filter({ has: page.getByText(term, { exact: true }) })
    .last();

it('takes cash by a loan’s number in two key presses, and again', async () => {
  const { loan } = await borrowerWithLoan(server, { date: '2025-12-10' });
  const page = await visit();
  await soon(() => hasFocus(search(page))).toBe(true);
  for (const [receipt, inDrawer] of [
    [/AR-\d{4}-000001/, '1 payment'],
    [/AR-\d{4}-000002/, '2 payments'],
  ] as const) {
    await page.keyboard.type(loan.loanNumber);
    await page.keyboard.press('Enter');
    await region(page, 'Payment').getByRole('radio', { name: 'Cash', exact: true }).waitFor();
    await soon(() => hasFocus(page.getByLabel('Amount'))).toBe(true);
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: receipt }).waitFor();
    await soon(() => hasFocus(search(page))).toBe(true);
    await figure(page, 'Cash in').getByText(inDrawer).waitFor();
  }
  expect(await figure(page, 'Should be in the drawer').textContent()).toContain('₱1,000.00');
});

it('shows a member’s loans with what is due, and takes a transfer with its reference', async () => {
  const { borrower, loan } = await borrowerWithLoan(server, { date: '2025-12-10' });
  await borrowerWithLoan(server, { date: '2026-02-10' });
  const page = await visit();
  await search(page).fill('Maria Clara');
  await page.getByText('2 loans match.').waitFor();
  // The phone tells two of one name apart.
  await page.getByRole('button', { name: borrower.phone }).waitFor();
  await page.keyboard.press('Enter');
  await soon(() => hasFocus(page.getByRole('button', { name: /due now/ }).first())).toBe(true);
  await page.getByRole('button', { name: loan.loanNumber }).press('Enter');
  await region(page, 'Payment').getByText(loan.loanNumber).waitFor();
  // A letter chooses the channel and leads to what it needs.
  await page.getByLabel('Amount').press('g');
  await soon(() => hasFocus(page.getByLabel('Reference number'))).toBe(true);
  // Even a low, narrow screen shows the last button without scrolling.
  await page.setViewportSize({ width: 1024, height: 768 });
  await soon(() =>
    button(page, 'Record payment').evaluate((element) => element.getBoundingClientRect().bottom),
  ).toBeLessThan(768);
  await page.keyboard.press('Enter');
  await soon(() => page.getByLabel('Reference number').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Reference number').fill('GC-2026-7');
  await button(page, 'Record payment').click();
  const newest = async () => (await server.main.listPayments())[0];
  await soon(newest).toMatchObject({ channel: 'gcash', reference: 'GC-2026-7', status: 'submitted' });
  await region(page, 'Taken by me today').getByText('To confirm').waitFor();
  expect((await newest())?.user.id).toBe(borrower.id);
  await expectReadable(page);
  await expectPanelFits(page);
});

it('is reached by P, and not while somebody types, and its field has the focus', async () => {
  const page = await visit({ path: 'today' });
  await page.getByRole('searchbox').first().waitFor();
  await page.getByRole('searchbox').first().fill('pop');
  expect(page.url()).toContain('/management/today');
  await page.getByRole('heading', { name: 'Today', level: 1 }).click();
  await page.keyboard.press('p');
  await soon(() => hasFocus(search(page))).toBe(true);
  expect(page.url()).toContain('/management/take-payment');
});

it('opens the drawer with a float, and closes it with a count that wants a reason for a difference', async () => {
  const page = await visit({ expects: [/status of 400/] });
  await page.getByLabel('Money in the drawer').fill('2000');
  await button(page, 'Open the drawer').click();
  await figure(page, 'Should be in the drawer').getByText('₱2,000.00').waitFor();
  await button(page, 'Close the drawer').click();
  const dialog = dialogOf(page, 'Close the drawer');
  await dialog.getByLabel('Counted').fill('1990');
  await dialog.getByText('-₱10.00', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close the drawer' }).click();
  await dialog.locator('[id$=-error]').getByText('Please say why').waitFor();
  await dialog.getByLabel('Reason').fill('Ten pesos missing');
  await dialog.getByRole('button', { name: 'Close the drawer' }).click();
  await page
    .getByText(/₱1,990.00 counted, a difference of .₱10.00/)
    .first()
    .waitFor();
  const slip = dialogOf(page, 'Drawer slip');
  await slip.getByText('Ten pesos missing').waitFor();
  await slip.getByText('-₱10.00', { exact: true }).waitFor();
  await expectReadable(page);
  // On paper there is the slip alone, without its buttons.
  await page.emulateMedia({ media: 'print' });
  expect(await button(page, 'Print').isVisible()).toBe(false);
  expect(await page.getByText('a difference of').last().isVisible()).toBe(false);
  expect(await slip.getByText('Checked by').isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Take payment', level: 1 }).isVisible()).toBe(false);
  expect(
    await region(page, 'My drawer').evaluate((place) =>
      [...place.querySelectorAll('*')]
        .filter((part) => !part.closest('dialog') && part.querySelector('dialog[open]'))
        .map((part) => getComputedStyle(part).boxShadow)
        .filter((shadow) => shadow !== 'none'),
    ),
  ).toEqual([]);
  await page.emulateMedia({ media: 'screen' });
  await button(slip, 'Done').click();
  await page.getByLabel('Money in the drawer').waitFor();
});
