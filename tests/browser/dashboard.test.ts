import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fil } from '#contract/wording/fil.ts';
import { addMonths, manilaDate } from '#domain/calendar.ts';
import { applicant, apply, borrowerWithLoan, releaseLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectWhole, hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { breakDown, button, dialogOf, field, holdBack, outOfReach } from './screen.ts';

const { server, browser } = await listeningServer();

const today = manilaDate(new Date());
const loanCard = (page: Page) => page.getByRole('region', { name: /^Loan LN-/ });
const applyButton = (page: Page) => page.getByRole('button', { name: 'Apply for a loan' });
const converter = (page: Page) => page.getByRole('region', { name: 'Currency converter' });

describe('the loan', () => {
  it('is announced while it loads, and there is none at first', async () => {
    const { token, phone } = await server.registerBorrower({ phone: '0917-555-0123' });
    const page = await browser.visit({ token });
    const answer = await holdBack(page, '**/api/loans/user');
    await page.goto('/loan-app');
    // The phone stands as it was typed, never regrouped.
    await page.getByRole('heading', { name: phone }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
    await expectWhole(page);
    answer();
    await page.getByText('No active loans').waitFor();
  });

  it('shows number, status, amount and what it costs a month', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.open('/loan-app', borrower);
    await loanCard(page).getByRole('heading', { name: loan.loanNumber }).waitFor();
    await loanCard(page).getByText('Pending', { exact: true }).waitFor();
    await loanCard(page).getByText('₱150,000.00').waitFor();
    await loanCard(page).getByText('12 months · ₱16,250.00 a month').waitFor();
  });

  it('is the newest of many, in the words of its status', async () => {
    const borrower = await server.verifiedBorrower();
    for (const amount of [150_000, 160_000]) await apply(server, borrower, { amount });
    const newest = await apply(server, borrower, { amount: 170_000 });
    const page = await browser.open('/loan-app', borrower);
    await loanCard(page).getByText('₱170,000.00').waitFor();
    for (const [status, word] of [
      ['approved', 'Approved'],
      ['denied', 'Denied'],
      ['account_issue', 'Account issue'],
      ['Bank check', 'Bank check'],
    ] as const) {
      await server.main.updateLoan(newest.id, { status });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await loanCard(page).getByText(word, { exact: true }).waitFor();
    }
  });

  it('that is overdue stays beside a newer application, whatever became of that', async () => {
    const { borrower, loan: late } = await borrowerWithLoan(server, { date: addMonths(today, -3) });
    const page = await browser.open('/loan-app', borrower);
    const overdue = page.getByRole('region', { name: `Loan ${late.loanNumber}` });
    await overdue.getByText('Overdue', { exact: true }).waitFor();
    await soon(() => applyButton(page).count()).toBe(0);
    const newer = await apply(server, borrower, { amount: 300_000 });
    for (const status of [undefined, 'approved', 'denied', 'completed']) {
      if (status) await server.main.updateLoan(newer.id, { status });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('region', { name: `Loan ${newer.loanNumber}` }).waitFor();
      expect(await loanCard(page).count()).toBe(2);
      await overdue.getByText('Overdue', { exact: true }).waitFor();
    }
    expect(await applyButton(page).count()).toBe(0);
    const why = `While loan ${late.loanNumber} is overdue, the app offers no new application.`;
    await page.getByText(why).waitFor();
    expect(await converter(page).count()).toBe(0);
    await page.getByText('More from Hiram', { exact: true }).click();
    await converter(page).waitFor();
    await page.getByText('Regulator A').waitFor();
    await page.goto('/dashboard');
    const dialog = dialogOf(page, 'Apply for a Loan');
    await dialog.getByText(why).waitFor();
    await dialog.getByRole('link', { name: /^Call / }).waitFor();
    expect(await dialog.getByRole('slider').count()).toBe(0);
    await button(dialog, 'Close').click();
    await page.waitForURL('/loan-app');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await expectWhole(page);
  });

  it.each(sampleOf(['pending', 'approved', 'active'], 3))(
    'that is only %s has nothing due',
    async (status) => {
      const { borrower, loan } = await applicant(server);
      await server.main.updateLoan(loan.id, { status });
      const page = await browser.visit(borrower);
      for (const [path, part] of [
        ['/loan-app', loanCard(page)],
        ['/wallet', page.getByRole('main')],
        ['/my-loan', page.getByRole('main')],
      ] as const) {
        await page.goto(path);
        await part.getByText(loan.loanNumber).first().waitFor();
        expect(await part.textContent(), path).not.toMatch(/\bdue\b(?! dates)|left to pay|to your wallet/i);
      }
    },
  );

  it('that is late pays from the wallet, until what was sent covers what is due', async () => {
    const { borrower, id } = await borrowerWithLoan(server, { date: addMonths(today, -3) });
    const { account } = await server.as(borrower.token).readLoanAccount(id);
    await server.fund(borrower.id, 90_000);
    const page = await browser.open('/wallet', borrower);
    await page.getByRole('button', { name: 'Pay from wallet' }).click();
    await dialogOf(page, 'Pay from wallet').getByRole('button', { name: 'Cancel' }).click();
    const sent = { amount: 1_000, paidOn: today, channel: 'gcash', reference: 'GC 120034' } as const;
    await server.as(borrower.token).payOwnLoan(id, sent);
    await page.goto('/my-loan');
    const next = page.getByRole('region', { name: 'Next payment' });
    await next.getByText('Waiting for confirmation', { exact: true }).waitFor();
    await next.getByText('₱1,000.00', { exact: true }).waitFor();
    expect(await page.getByText('You need not pay it again.').count()).toBe(0);
    const rest = Number(account.dueNow) - 1_000;
    await server.as(borrower.token).payOwnLoan(id, { ...sent, amount: rest, reference: 'GC 120035' });
    for (const path of ['/my-loan', '/loan-app']) {
      await page.goto(path);
      await page.getByText('You need not pay it again.').waitFor();
    }
  });

  it('that has only just been released leads to the wallet', async () => {
    const borrower = await server.verifiedBorrower();
    await releaseLoan(server, await apply(server, borrower));
    const page = await browser.open('/loan-app', borrower);
    const withdraw = page.getByRole('link', { name: 'Withdraw', exact: true });
    const howToPay = page.getByRole('button', { name: 'How to pay' });
    const top = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
    expect(await top(withdraw)).toBeLessThan(await top(howToPay));
    // The wallet's balance is hidden until it is shown; only the loan itself says how much it is.
    expect(await page.getByText('₱150,000.00').count()).toBe(1);
    await page.getByRole('button', { name: 'Show balance' }).click();
    await soon(() => page.getByText('₱150,000.00').count()).toBe(2);
    await page.goto('/wallet?messages');
    const messages = dialogOf(page, 'Messages');
    await messages.getByText('₱ •••••• arrived in your wallet').waitFor();
    expect(await messages.getByText('150,000').count()).toBe(0);
    await messages.getByRole('button', { name: 'Show balance' }).click();
    await messages.getByText('₱150,000.00 arrived in your wallet').waitFor();
  });

  it('of whose next instalment a part is paid says what is left, and how much of it is paid', async () => {
    const { borrower, id } = await borrowerWithLoan(server, { date: today });
    await server.main.recordPayment(id, { amount: 16_000, channel: 'cash' });
    const page = await browser.visit(borrower);
    for (const path of ['/loan-app', '/wallet', '/my-loan']) {
      await page.goto(path);
      await page.getByText('₱250.00').first().waitFor();
      if (path !== '/wallet') await page.getByText('₱16,000.00 of ₱16,250.00 already paid').waitFor();
    }
  });

  it('that is approved says what comes next and into which account, and leads to the contract', async () => {
    const borrower = await server.verifiedBorrower({ bankAccountNumber: '1234-5678-901-23' });
    await server.main.updateLoan((await apply(server, borrower)).id, { status: 'approved' });
    const page = await browser.open('/loan-app', borrower);
    const card = loanCard(page);
    await card
      .getByText('We’ll message you when it’s released. Your first payment is two months later.')
      .waitFor();
    await card.getByText('From your wallet you withdraw it to Bank A •••• 0123').waitFor();
    await card.getByRole('link', { name: 'Open the contract' }).click();
    await page.getByRole('dialog', { name: 'Loan contract' }).waitFor();
    // The other pages lead with the same.
    for (const path of ['/wallet', '/profile']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Next, our staff will release the money.' }).waitFor();
      await page.getByRole('link', { name: 'Open the contract' }).first().waitFor();
    }
  });

  it('that is denied says why and whom to call, on every page', async () => {
    const { borrower, id } = await applicant(server);
    await server.main.updateLoan(id, { status: 'denied', reason: 'Your salary is too low.' });
    const page = await browser.visit(borrower);
    for (const path of ['/loan-app', '/wallet', '/profile']) {
      await page.goto(path);
      await page.getByText('Your salary is too low.').first().waitFor();
      await page.getByRole('link', { name: 'Call +63 900 000 0000' }).waitFor();
      await page.getByText('Monday to Friday, 8:00 to 17:00 (sample)').first().waitFor();
    }
  });

  it('that is denied without a reason says on every page to ask for it', async () => {
    const { borrower, id } = await applicant(server);
    await server.main.updateLoan(id, { status: 'denied' });
    const page = await browser.visit(borrower);
    for (const path of ['/loan-app', '/wallet', '/profile']) {
      await page.goto(path);
      await page.getByText('Ask our staff why, and what to change. You may also apply again.').waitFor();
    }
  });

  it('with an issue says whom to call', async () => {
    const borrower = await server.verifiedBorrower();
    await server.main.updateLoan((await apply(server, borrower)).id, { status: 'account_issue' });
    const page = await browser.open('/loan-app', borrower);
    const call = loanCard(page).getByRole('link', { name: '+63 900 000 0000' });
    expect(await call.getAttribute('href')).toBe('tel:+639000000000');
  });

  it('is at the same step here and in the wallet', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.visit(borrower);
    for (const status of sampleOf(['pending', 'approved', 'account_issue', 'active'], 2)) {
      await server.main.updateLoan(loan.id, { status });
      const told: string[][] = [];
      for (const path of ['/loan-app', '/wallet']) {
        await page.goto(path);
        const steps = page.getByRole('list', { name: 'Progress of the application' }).getByRole('listitem');
        await steps.first().waitFor();
        told.push((await steps.allTextContents()).map((text) => /^.*?\(.*?\)/.exec(text)?.[0] ?? text));
      }
      expect(told[0], status).toEqual(told[1]);
    }
  });

  it('with terms that staff changed says that they are to be accepted', async () => {
    const { borrower, loan } = await applicant(server);
    await server.main.updateLoan(loan.id, { termMonths: 24 });
    const page = await browser.open('/loan-app', borrower);
    const changed = loanCard(page).getByText('Our staff changed the terms. Read your contract and accept it');
    await changed.waitFor();
    await page.getByRole('link', { name: 'WALLET' }).click();
    const latest = page.getByRole('region', { name: 'Latest message' });
    await latest.getByText('Please read the new version of your contract and accept it').waitFor();
    await borrower.acceptContract(loan.id, { version: 2 });
    await page.goto('/loan-app');
    await loanCard(page).waitFor();
    expect(await changed.count()).toBe(0);
  });

  it('says what happened when it cannot be read, and reads it again when asked', async () => {
    const { borrower } = await applicant(server);
    const page = await browser.visit({ token: borrower.token, expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/loans/user');
    await page.goto('/loan-app');
    await page.getByText('Your loan could not be loaded').waitFor();
    await expectWhole(page);
    // Nobody knows of a loan that is late.
    await applyButton(page).click();
    await dialogOf(page, 'Apply for a Loan').waitFor();
    await page.keyboard.press('Escape');
    // A reading that the form has begun would end well after the repair, and nobody would have asked for it.
    await page.waitForLoadState('networkidle');
    const retry = page.getByRole('button', { name: 'Retry' }).first();
    await retry.waitFor();
    await repair();
    await retry.click();
    await loanCard(page).waitFor();

    await breakDown(page, '**/api/loans/user');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('This may not be the latest').waitFor();
    await loanCard(page).waitFor();
  });

  it('that was just released beside one that is due leaves the news of a code in sight', async () => {
    const { borrower, loan } = await applicant(server);
    await releaseLoan(server, loan);
    const due = await apply(server, borrower, { amount: 300_000 });
    await releaseLoan(server, due, { channel: 'recorded', date: addMonths(today, -2) });
    await server.setCode(borrower.id);
    const page = await browser.open('/loan-app', borrower);
    await page.getByText('A one-time code was set for you').waitFor();
  });

  it('is read once, anew when the wallet is opened, and not again by itself', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token });
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/loans/user')) reads += 1;
    });
    await page.goto('/loan-app');
    await page.getByText('No active loans').waitFor();
    await page.getByRole('link', { name: 'WALLET' }).click();
    await page.getByText('No pending loan application found.').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('link', { name: 'HOME' }).click();
    await page.getByText('No active loans').waitFor();
    expect(reads).toBe(2);
  });

  it('that is late offers no application, not even while it is read, nor does a denied one beside it', async () => {
    const { borrower } = await borrowerWithLoan(server, { date: addMonths(today, -3) });
    const denied = await apply(server, borrower, { amount: 300_000 });
    await server.main.updateLoan(denied.id, { status: 'denied' });
    const page = await browser.visit(borrower);
    const answer = await holdBack(page, '**/api/loans/user');
    await page.goto('/loan-app');
    await page.getByText('Account verified').waitFor();
    expect(await applyButton(page).count()).toBe(0);
    answer();
    await page.getByText('This application was not approved.').waitFor();
    expect(await applyButton(page).count()).toBe(0);
    expect(await page.getByText('apply again').count()).toBe(0);
  });

  it('that could not be refreshed is not said to be up to date', async () => {
    const { borrower } = await applicant(server);
    const page = await browser.open('/loan-app', { token: borrower.token, expects: [outOfReach] });
    await loanCard(page).waitFor();
    const repair = await breakDown(page, '**/api/loans/user');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page
      .getByText('Not everything could be refreshed.', { exact: false })
      .waitFor({ state: 'attached' });
    expect(await page.getByText('Your loan and account are up to date.').count()).toBe(0);
    await repair();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Your loan and account are up to date.').waitFor({ state: 'attached' });
  });
});

describe('the way to an application', () => {
  it('asks who is not verified for what is missing', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/loan-app', { token });
    await page.getByText('Account not verified').waitFor();
    await tabTo(page, applyButton(page));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Verification Required' });
    await dialog.waitFor();
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^About you7 short answers: /),
      expect.stringMatching(/^Three photos/),
    ]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(applyButton(page))).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await applyButton(page).click();
    await dialog.getByRole('button', { name: 'VERIFY NOW' }).click();
    await page.waitForURL('/profile?step=about');
    await soon(() => hasFocus(field(page, 'Address'))).toBe(true);
  });

  it('begins with two steps, and leads from the first to the first field that is missing', async () => {
    const { token } = await server.registerBorrower({ fullName: 'Ma. Cristina Reyes' });
    const page = await browser.open('/loan-app', { token });
    await page.getByRole('heading', { name: 'Magandang araw, Ma. Cristina 0' }).waitFor();
    const steps = page.getByRole('region', { name: 'Two steps to your loan' });
    await steps.getByText('0 of 2 done').waitFor();
    expect(await steps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'About you',
      'Three photos',
    ]);
    expect(await page.getByRole('slider').count()).toBe(0);
    await expectWhole(page);
    await steps.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('/profile?step=about');
    const form = page.getByRole('region', { name: 'Personal Information' });
    await soon(() => hasFocus(field(form, 'Address'))).toBe(true);
    await expectWhole(page);
    // All of them at once stay within reach.
    await page.getByRole('button', { name: 'All the questions on one page' }).click();
    const all = page.getByRole('dialog', { name: 'Personal Information' });
    await field(all, 'Account number').waitFor();
    await all.getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByText('Address is required').waitFor();
    expect(await form.getByText('Bank name').count()).toBe(0);
    await field(form, 'Address').fill(fullProfile.address);
    await field(form, 'Country of work').fill(fullProfile.countryOfWork);
    await field(form, 'Monthly salary').fill('40000');
    await form.getByRole('button', { name: 'Continue' }).click();
    await soon(() => hasFocus(field(form, 'Reference name'))).toBe(true);
    await form.getByRole('button', { name: 'Back' }).click();
    expect(await field(form, 'Address').inputValue()).toBe(fullProfile.address);
    await form.getByRole('button', { name: 'Continue' }).click();
    await field(form, 'Reference name').fill('J');
    // The phone's own Back key does the same.
    await page.goBack();
    await soon(() => field(form, 'Address').inputValue()).toBe(fullProfile.address);
    await form.getByRole('button', { name: 'Continue' }).click();
    expect(await field(form, 'Reference name').inputValue()).toBe('J');
    for (const [name, value] of [
      ['Reference name', fullProfile.referenceName],
      ['Reference phone', fullProfile.referencePhone],
      ['Bank name', fullProfile.bankName],
      ['Account number', fullProfile.bankAccountNumber],
    ] as const) {
      await field(form, name).fill(value);
    }
    await form.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('/profile?step=photos');
    await soon(() => hasFocus(field(page, 'Front of ID'))).toBe(true);
  });

  it('leads on to the photos, once the answers are given', async () => {
    const borrower = await server.registerBorrower();
    await borrower.updateProfile(fullProfile);
    const page = await browser.open('/loan-app', borrower);
    const steps = page.getByRole('region', { name: 'Two steps to your loan' });
    await steps.getByText('1 of 2 done').waitFor();
    await steps.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('/profile?step=photos');
    await soon(() => hasFocus(field(page, 'Front of ID'))).toBe(true);
  });

  it('leads to verifying even where the dialog cannot be fetched', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token, expects: [/ERR_FAILED/] });
    await page.route('**/assets/verification-required-*.js', (route) => route.abort());
    await page.goto('/loan-app');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('/profile?step=about');
  });

  it('opens at once under /dashboard, and closing it leads to the dashboard', async () => {
    const verified = await server.verifiedBorrower();
    const page = await browser.open('/dashboard', verified);
    const dialog = page.getByRole('dialog', { name: 'Apply for a Loan' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL('/loan-app');
    await page.getByText('Account verified').waitFor();

    const newcomer = await server.registerBorrower();
    const other = await browser.open('/dashboard', newcomer);
    await other.getByRole('dialog', { name: 'Verification Required' }).waitFor();
  });
});

describe('the converter', () => {
  it('starts with 1000 pesos in dollars, and converts into the others', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/loan-app', { token });
    const amount = field(converter(page), 'Amount');
    expect(await amount.inputValue()).toBe('1000');
    const result = converter(page).locator('output');
    await soon(() => result.textContent()).toContain('18.00');
    await converter(page).getByText('₱1 = 0.018 USD').waitFor();
    const currency = converter(page).getByRole('combobox', { name: 'Currency' });
    expect(
      await currency
        .locator('option')
        .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
    ).toEqual(['USD', 'EUR', 'GBP', 'JPY', 'AUD', 'CAD', 'SGD', 'HKD']);
    await amount.fill('');
    await amount.pressSequentially('₱1,2a00.5.0');
    expect(await amount.inputValue()).toBe('1200.50');
    await currency.selectOption('JPY');
    await soon(() => result.textContent()).toContain('3,181.33');
    await converter(page).getByText('simulated trend, 7 days').waitFor();
    const trend = () => converter(page).getByRole('img', { name: /7 days.*JPY/ });
    const drawn = await trend().getAttribute('aria-label');
    await page.reload();
    await currency.selectOption('JPY');
    expect(await trend().getAttribute('aria-label')).toBe(drawn);
  });

  it('shows that it loads, and works with the built-in rates when none can be read', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token, expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/exchange-rates');
    await page.goto('/loan-app');
    await converter(page).getByText('The rates could not be read.').waitFor();
    await soon(() => converter(page).locator('output').textContent()).toContain('18.00');
    await repair();
    const answer = await holdBack(page, '**/api/exchange-rates');
    await converter(page).getByRole('button', { name: 'Retry' }).click();
    await soon(() => converter(page).getAttribute('aria-busy')).toBe('true');
    answer();
    await converter(page).getByText('Fallback', { exact: true }).waitFor();
  });
});

it('tells who the lender is, its partners, its regulators and where to ask them', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.open('/loan-app', { token });
  await page.getByRole('region', { name: 'Partners' }).getByText('Wallet A').waitFor();
  const regulators = page.getByRole('region', { name: 'Regulators' });
  expect(await regulators.getByRole('listitem').count()).toBeGreaterThan(0);
  const registry = regulators.getByRole('link', { name: 'Check with the regulator' });
  expect(await registry.getAttribute('target')).toBe('_blank');
  expect(await registry.getAttribute('href')).toMatch(/^https:/);
  await regulators.getByRole('button', { name: 'Company details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Company details' });
  for (const fact of [
    'Hiram Lending Corporation (sample)',
    'CS-SAMPLE-0000',
    '14 November 2014',
    'Registered',
  ]) {
    await dialog.getByText(fact, { exact: true }).waitFor();
  }
  await dialog.getByText(/Nueva Ecija/).waitFor();
  await expectWhole(page);
});

it('has its tabs and its menu', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.open('/loan-app', { token, moves: true });
  const tabs = page.getByRole('navigation', { name: 'Main' });
  const weave = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--weave-x'));
  const offsets = new Set<string>();
  for (const [tab, path] of [
    ['WALLET', '/wallet'],
    ['PROFILE', '/profile'],
    ['HOME', '/loan-app'],
    ['WALLET', '/wallet'],
    ['HOME', '/loan-app'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click();
    await page.waitForURL(path);
    await soon(() => tabs.getByRole('link', { name: tab }).getAttribute('aria-current')).toBe('page');
    offsets.add(await weave());
  }
  // Chance may repeat itself, but hardly five times.
  expect(offsets.size).toBeGreaterThan(1);

  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.waitFor();
  expect((await menu.getByRole('listitem').allTextContents()).map((entry) => entry.trim())).toEqual([
    'Home',
    'Dashboard',
    'My loan',
    'Wallet',
    'Messages',
    'Profile',
    'Help',
    'Logout',
  ]);
  expect(await menu.getByText('The admin panel is for desktop only').count()).toBe(0);
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  expect(await hasFocus(page.getByRole('button', { name: 'Open menu' }))).toBe(true);

  // The menu's Home and the tab's lead to one place.
  await tabs.getByRole('link', { name: 'WALLET' }).click();
  await page.waitForURL('/wallet');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('link', { name: 'Home' }).click();
  await page.waitForURL('/loan-app');
  await menu.waitFor({ state: 'hidden' });
});

it('changes to Filipino at once, and stays in it', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.open('/loan-app', { token });
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('button', { name: 'Filipino' }).click();
  await page.getByText(fil.dashboard.noLoan).waitFor();
  await page.reload();
  await page.getByText(fil.dashboard.noLoan).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('fil');
  await page.locator('select').selectOption('JPY');
  await page.getByText('Yen ng Japan').waitFor();
});

it('ends the menu’s places with Logout, in sight on the smallest phone', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.open('/loan-app', { token, screen: 'small' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  const logout = page.getByRole('dialog').getByRole('button', { name: 'Logout' });
  await logout.waitFor();
  const isInSight = logout.evaluate((button) => {
    const { left, top, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + 20, top + height - 4));
  });
  expect(await isInSight).toBe(true);
});
