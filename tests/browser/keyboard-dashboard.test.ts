import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { applicant } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { closeDialog, expectWalkable, holdsFocus, openDialog, press } from './keyboard.ts';
import {
  breakDown,
  button,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  outOfReach,
  toastCount,
} from './screen.ts';

const { server, browser } = await listeningServer();

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const applyButton = (page: Page) => button(page, 'Apply for a loan');

async function visit(options: VisitOptions = {}): Promise<Page> {
  const token = options.token ?? (await server.registerBorrower()).token;
  const page = await browser.open('/loan-app', { ...options, token });
  await applyButton(page).waitFor();
  // This comes last: the page is still while keys lead through it.
  await page.getByText('₱1 = 0.018 USD').waitFor();
  return page;
}

describe('the page', () => {
  it.each(sampleOf(['phone', 'small'] as const, 2))(
    'has nothing out of reach on the %s, and a way past its bar',
    async (screen) => {
      const { borrower } = await applicant(server);
      const page = await visit({ screen, token: borrower.token });
      await page.keyboard.press('Tab');
      expect(await hasFocus(page.getByRole('link', { name: 'Skip to the content' }))).toBe(true);
      await page.keyboard.press('Enter');
      expect(await hasFocus(page.locator('#main'))).toBe(true);
      await page.keyboard.press('Tab');
      expect(await hasFocus(button(page, 'Refresh'))).toBe(true);
      await expectWalkable(page);
    },
  );

  it('is read anew, and the focus stays on the button, whether that works or not', async () => {
    const page = await visit({ expects: [outOfReach] });
    const refresh = button(page, 'Refresh');
    await press(page, refresh);
    await page.getByText(en.dashboard.refreshed).waitFor({ state: 'attached' });
    await soon(async () => (await refresh.isEnabled()) && (await hasFocus(refresh))).toBe(true);
    const repair = await breakDown(page, '**/api/loans/user');
    await page.keyboard.press('Enter');
    const retry = button(page, 'Retry');
    await retry.waitFor();
    await tabTo(page, retry);
    const refused = page.waitForResponse('**/api/loans/user');
    await page.keyboard.press('Enter');
    await refused;
    await soon(async () => (await retry.isEnabled()) && (await hasFocus(retry))).toBe(true);
    await repair();
    await page.keyboard.press('Enter');
    await retry.waitFor({ state: 'hidden' });
  });
});

describe('the dialogs', () => {
  it('the verification that is missing leads to the profile', async () => {
    const page = await visit();
    const dialog = dialogOf(page, 'Verification Required');
    await openDialog(page, applyButton(page), dialog);
    await expectWalkable(page);
    await closeDialog(page, dialog, applyButton(page));
    await page.keyboard.press('Space');
    await press(page, dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(applyButton(page))).toBe(true);
    await page.keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: 'VERIFY NOW' }));
    const form = page.getByRole('region', { name: 'Personal Information' });
    await soon(() => hasFocus(field(form, 'Address'))).toBe(true);
    await press(page, form.getByRole('button', { name: 'Cancel' }));
    await page.waitForURL('/profile');
    await soon(() => hasFocus(form.getByRole('button', { name: 'Edit personal information' }))).toBe(true);
  });

  it.runIf(isTorture)('the application goes to what is wrong, to its review and back', async () => {
    const page = await visit({ token: (await server.verifiedBorrower()).token });
    const dialog = dialogOf(page, 'Apply for a Loan');
    await openDialog(page, applyButton(page), dialog);
    const purpose = field(dialog, 'Purpose');
    await purpose.waitFor();
    await expectWalkable(page);
    await press(page, field(dialog, 'Exact amount (₱)'), 'Enter');
    await soon(() => hasFocus(purpose)).toBe(true);
    await soon(() => descriptionOf(purpose)).toContain('Please describe the purpose of the loan');
    await page.keyboard.type('A sewing machine');
    await tabTo(page, dialog.getByRole('spinbutton', { name: 'Term (months)' }));
    await page.keyboard.press('ArrowUp');
    await press(page, dialog.getByRole('button', { name: 'Review application' }));
    const title = dialog.getByRole('heading', { name: en.apply.reviewTitle });
    await soon(() => hasFocus(title)).toBe(true);
    await expectWalkable(page);
    await press(page, dialog.getByRole('button', { name: 'Back' }));
    await soon(() => hasFocus(field(dialog, 'Exact amount (₱)'))).toBe(true);
    expect(await dialog.getByRole('spinbutton', { name: 'Term (months)' }).inputValue()).toBe('13');
    await closeDialog(page, dialog, applyButton(page));
  });

  it.runIf(isTorture)('the company details open and close', async () => {
    const page = await visit({ screen: 'small' });
    const opener = button(page, 'Company details');
    const dialog = dialogOf(page, 'Company details');
    await openDialog(page, opener, dialog);
    await expectWalkable(page);
    await closeDialog(page, dialog, opener);
    await page.keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: 'Close' }));
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
  });

  it('the menu leads everywhere, and out', async () => {
    const page = await visit();
    const opener = button(page, 'Open menu');
    const menu = dialogOf(page, 'Menu');
    await openDialog(page, opener, menu);
    await expectWalkable(page);
    await closeDialog(page, menu, opener);
    await page.keyboard.press('Enter');
    await press(page, menu.getByRole('link', { name: 'Wallet' }));
    await heading(page, 'Wallet').waitFor();
    await soon(() => hasFocus(heading(page, 'Wallet'))).toBe(true);
    expect(await menu.count()).toBe(0);

    await press(page, opener);
    await press(page, menu.getByRole('button', { name: 'Logout' }));
    await heading(page, en.session.signInTitle).waitFor();
    await soon(() => hasFocus(heading(page, en.session.signInTitle))).toBe(true);
    // The farewell is reached by its key, read, and put away.
    await expectToast(page, 'You have been logged out successfully');
    await page.keyboard.press('F8');
    const notices = page.getByRole('region', { name: 'Notifications (F8)' });
    expect(await holdsFocus(notices)).toBe(true);
    await press(page, notices.getByRole('button', { name: en.shell.dismiss }));
    await soon(() => toastCount(page)).toBe(0);
    await press(page, opener);
    await press(page, menu.getByRole('link', { name: 'Login' }));
    await menu.waitFor({ state: 'hidden' });
    await tabTo(page, field(page, 'Phone number'));
  });
});

describe('the controls', () => {
  it('the converter takes an amount and a currency', async () => {
    const page = await visit();
    const converter = page.getByRole('region', { name: 'Currency converter' });
    await tabTo(page, field(converter, 'Amount'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2500');
    await soon(() => converter.locator('output').textContent()).toContain('45.00');
    await tabTo(page, converter.getByRole('combobox', { name: 'Currency' }));
    await page.keyboard.press('ArrowDown');
    await soon(() => converter.locator('output').textContent()).toContain('40.00');
    await converter.getByText('₱1 = 0.016 EUR').waitFor();
  });

  it.runIf(isTorture)('the slides are chosen, paused and turned, and the tabs lead on', async () => {
    const page = await visit({ moves: true });
    const slides = page.getByRole('region', { name: 'What we offer' });
    const dot = (title: string) => slides.getByRole('button', { name: `: ${title}` });
    const isShown = (title: string) => soon(() => dot(title).getAttribute('aria-current')).toBe('true');
    await press(page, dot('Flexible Terms'));
    await isShown('Flexible Terms');
    await press(page, slides.getByRole('button', { name: 'Pause the slides' }), 'Space');
    expect(await hasFocus(slides.getByRole('button', { name: 'Play the slides' }))).toBe(true);
    await tabTo(page, slides.getByRole('list'));
    await page.keyboard.press('ArrowLeft');
    await isShown('Digital Lending');
    for (const [tab, title] of [
      ['WALLET', 'Wallet'],
      ['PROFILE', 'Profile'],
    ] as const) {
      await press(page, page.getByRole('link', { name: tab }));
      await heading(page, title).waitFor();
      await soon(() => hasFocus(heading(page, title))).toBe(true);
    }
  });

  it('the language is chosen, and the focus goes back to its button', async () => {
    const page = await visit();
    const opener = button(page, 'Language');
    await press(page, opener);
    await tabTo(page, button(page, 'Filipino'));
    await page.keyboard.press('Escape');
    await button(page, 'Filipino').waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
    await page.keyboard.press('Enter');
    await press(page, button(page, 'Filipino'));
    await page.getByText(fil.dashboard.noLoan).waitFor();
    await soon(() => hasFocus(button(page, fil.shell.language))).toBe(true);
  });
});
