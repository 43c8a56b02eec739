import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { applicant } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { expectWhole, hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import {
  breakDown,
  descriptionOf,
  expectToast,
  field,
  holdBack,
  leaveDone,
  loseAnswers,
  outOfReach,
} from './screen.ts';

const { server, browser } = await listeningServer();

const amountField = (dialog: Locator) => field(dialog, 'Exact amount (₱)');
const termField = (dialog: Locator) => dialog.getByRole('spinbutton', { name: 'Term (months)' });
const purposeField = (dialog: Locator) => field(dialog, 'Purpose');
const review = (dialog: Locator) => dialog.getByRole('button', { name: 'Review application' });
const submit = (dialog: Locator) => dialog.getByRole('button', { name: 'Submit application' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Apply for a Loan' });

async function open(options: VisitOptions = {}) {
  const borrower = await server.verifiedBorrower();
  const page = await browser.open('/dashboard', { token: borrower.token, ...options });
  const dialog = dialogOf(page);
  await amountField(dialog).waitFor();
  return { borrower, page, dialog };
}

/** Opens the dialog and goes on to the review of an application that fulfils every rule. */
async function openReview(options: VisitOptions = {}) {
  const opened = await open(options);
  await purposeField(opened.dialog).fill('A sewing machine');
  await review(opened.dialog).click();
  await submit(opened.dialog).waitFor();
  return opened;
}

const loansOf = ({ token }: TestBorrower) => server.as(token).listOwnLoans();

describe('while another application is under review', () => {
  it('begins by saying so, leads to it, and asks once whether a second one is meant', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.open('/dashboard', borrower);
    const dialog = dialogOf(page);
    await dialog.getByText(`${loan.loanNumber} is under review.`).waitFor();
    await dialog.getByRole('link', { name: 'See how far it is' }).click();
    await page.waitForURL('/wallet');
    await page.getByRole('region', { name: 'Application' }).getByText(loan.loanNumber).waitFor();

    await page.goto('/dashboard');
    await purposeField(dialog).fill('A sewing machine');
    await review(dialog).click();
    await submit(dialog).click();
    await dialog.getByRole('alert').getByText('Do you mean a second application?').waitFor();
    await expectWhole(page);
    await dialog.getByRole('button', { name: 'No, do not send it' }).click();
    expect(await loansOf(borrower)).toHaveLength(1);
    await submit(dialog).click();
    await dialog.getByRole('button', { name: 'Yes, send a second one' }).click();
    await expectToast(page, 'Loan application submitted');
    expect(await loansOf(borrower)).toHaveLength(2);
  });
});

describe('the review', () => {
  it.each(
    sampleOf(
      [
        ['150000', '12', ['₱122,680.54', '₱86,116.93']],
        ['2000000', '48', ['₱2,055,798.53', '₱1,453,474.55']],
      ],
      2,
    ),
  )(
    'says what settling ₱%s over %s months early costs, before anybody signs',
    async (amount, term, figures) => {
      const { dialog } = await open();
      await amountField(dialog).fill(amount);
      await termField(dialog).fill(term);
      await purposeField(dialog).fill('A sewing machine');
      await review(dialog).click();
      await submit(dialog).waitFor();
      // One sentence, three figures and what one agrees to are open, all else is folded.
      const shown = await dialog.locator('dd').filter({ visible: true }).count();
      expect(shown).toBe(3);
      await dialog.getByRole('heading', { name: 'What you agree to' }).waitFor();
      for (const fold of ['All figures', 'Terms', 'Paying everything early', 'Interest and principal'])
        await dialog.locator('summary').getByText(fold, { exact: true }).click();
      await dialog.getByText('A sewing machine').waitFor();
      for (const figure of figures) await dialog.getByText(figure, { exact: true }).waitFor();
      await dialog
        .getByRole('img', { name: new RegExp(`^Over ${term} instalments, the interest`) })
        .waitFor();
      await dialog.getByText(/none if it is paid in full within 10 days; at most 24% of that/).waitFor();
    },
  );
});

describe('the form', () => {
  it('keeps a pasted purpose that is too long, and says so', async () => {
    const { dialog } = await open();
    const long = 'x'.repeat(limits.longTextMaxLength + 20);
    await purposeField(dialog).fill(long);
    expect(await purposeField(dialog).inputValue()).toBe(long);
    await review(dialog).click();
    await dialog.getByText('Please use a shorter text').waitFor();
    expect(await hasFocus(purposeField(dialog))).toBe(true);
    await purposeField(dialog).fill('A sewing machine');
    await review(dialog).click();
    await submit(dialog).waitFor();
  });

  it('starts with the least amount over a year, and says what that costs', async () => {
    const { dialog } = await open();
    expect(await amountField(dialog).inputValue()).toBe('150,000');
    expect(await dialog.getByRole('radio', { name: '12' }).isChecked()).toBe(true);
    expect(await termField(dialog).inputValue()).toBe('12');
    expect(await purposeField(dialog).inputValue()).toBe('');
    const slider = dialog.getByRole('slider', { name: 'Loan amount' });
    for (const [name, value] of Object.entries({ min: '150000', max: '2000000', step: '10000' })) {
      expect(await slider.getAttribute(name)).toBe(value);
    }
    const cost = dialog.getByRole('region', { name: 'What it costs' });
    await cost
      .getByText(
        /^You get ₱150,000\. You pay ₱16,250\.00 on the \d+(st|nd|rd|th).*, 12 times, from \d+ \w+ \d+\.$/,
      )
      .waitFor();
    await cost.getByText('Each payment is 46% of the monthly salary in your profile.').waitFor();
    for (const figure of ['₱16,250.00', '₱195,000.00', '₱45,000.00', '3.67% a month']) {
      await cost.getByText(figure, { exact: true }).waitFor();
    }
    await cost.getByText('All rates').click();
    await cost.getByText('54.05% a year', { exact: true }).waitFor();
    await slider.focus();
    await dialog.page().keyboard.press('ArrowRight');
    await soon(() => amountField(dialog).inputValue()).toBe('160,000');
    await dialog.page().keyboard.press('End');
    await dialog.getByRole('radio', { name: '48' }).check({ force: true });
    expect(await termField(dialog).inputValue()).toBe('48');
    await cost.getByText('₱91,666.67', { exact: true }).waitFor();
  });

  it('takes another term than those to choose, and shows one of those as chosen', async () => {
    const { dialog } = await open();
    const cost = dialog.getByRole('region', { name: 'What it costs' });
    await termField(dialog).fill('18');
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
    await cost.getByText('₱12,083.33', { exact: true }).waitFor();
    await termField(dialog).fill('24');
    await purposeField(dialog).fill('A sewing machine');
    expect(await dialog.getByRole('radio', { name: '24' }).isChecked()).toBe(true);
    await termField(dialog).fill('18');
    await termField(dialog).fill('');
    await review(dialog).click();
    await soon(() => hasFocus(termField(dialog))).toBe(true);
    await dialog.getByRole('radio', { name: '24' }).check({ force: true });
    await review(dialog).click();
    await dialog.getByText('24 times', { exact: false }).waitFor();
  });

  it.each(
    sampleOf(
      [
        ['149,999.99', '12', 'Minimum loan amount is ₱150,000'],
        ['2,000,000.01', '12', 'Maximum loan amount is ₱2,000,000'],
      ],
      2,
    ),
  )('refuses an amount of %s', async (amount, term, message) => {
    const { dialog } = await open();
    await amountField(dialog).fill(amount);
    await termField(dialog).fill(term);
    await review(dialog).click();
    await soon(() => descriptionOf(amountField(dialog))).toContain(message);
    expect(await hasFocus(amountField(dialog))).toBe(true);
    expect(await amountField(dialog).inputValue()).toBe(amount);
    await soon(() => descriptionOf(purposeField(dialog))).toContain(
      'Please describe the purpose of the loan',
    );
  });

  it.each(
    sampleOf(
      [
        ['5', 'Minimum term is 6 months'],
        ['49', 'Maximum term is 48 months'],
        ['12.5', 'Please give the term in whole months'],
      ],
      3,
    ),
  )('refuses a term of %s months', async (term, message) => {
    const { dialog } = await open();
    await termField(dialog).fill(term);
    await purposeField(dialog).fill('A sewing machine');
    await review(dialog).click();
    await soon(() => descriptionOf(termField(dialog))).toContain(message);
    expect(await hasFocus(termField(dialog))).toBe(true);
  });

  it('keeps what was typed when it is closed, and when one comes back from the review', async () => {
    const { page, dialog } = await open();
    await amountField(dialog).fill('');
    await amountField(dialog).pressSequentially('250000.75');
    await termField(dialog).fill('18');
    await purposeField(dialog).fill('A sewing machine');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Apply for a loan' }).click();
    await review(dialog).click();
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await amountField(dialog).inputValue()).toBe('250,000.75');
    expect(await termField(dialog).inputValue()).toBe('18');
    expect(await purposeField(dialog).inputValue()).toBe('A sewing machine');
  });

  it.runIf(isTorture)('works from the keyboard alone', async () => {
    const { borrower, page, dialog } = await open();
    await tabTo(page, dialog.getByRole('slider', { name: 'Loan amount' }));
    await page.keyboard.press('ArrowRight');
    await tabTo(page, purposeField(dialog));
    await page.keyboard.type('A sewing machine');
    await page.keyboard.press('Enter');
    await submit(dialog).waitFor();
    await tabTo(page, submit(dialog));
    await page.keyboard.press('Enter');
    await expectToast(page, 'Loan application submitted');
    expect(await loansOf(borrower)).toMatchObject([{ amount: '160000.00', purpose: 'A sewing machine' }]);
  });
});

describe('submitting', () => {
  it('happens once, however often the button is pressed, and resets the form', async () => {
    const { borrower, page, dialog } = await openReview();
    const answer = await holdBack(page, '**/api/loans');
    await submit(dialog).click({ clickCount: 2 });
    const waiting = dialog.getByRole('button', { name: 'Submitting...' });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor();
    answer();
    await expectToast(
      page,
      'Loan application submitted',
      'Your loan application has been submitted for review.',
    );
    await dialog.waitFor({ state: 'hidden' });
    const [loan, ...others] = await loansOf(borrower);
    expect(others).toEqual([]);
    // The dialog says what was sent, and by when there is an answer.
    const done = page.getByRole('dialog', { name: /^You’ll hear from us by \w+day, / });
    await done.getByText('Our staff look at it next.', { exact: true }).waitFor();
    await done.getByText(String(loan?.loanNumber)).waitFor();
    await leaveDone(page);
    await page.getByRole('button', { name: 'Apply for a loan' }).click();
    expect(await purposeField(dialog).inputValue()).toBe('');
  });

  it('tells why the server refused, and keeps the application', async () => {
    const { borrower, page, dialog } = await openReview({ expects: [/status of 429/] });
    await page.route('**/api/loans', (route) =>
      route.fulfill({ status: 429, json: { message: 'Please wait a little.', code: 'too_many_tries' } }),
    );
    await submit(dialog).click();
    await expectToast(page, 'Application failed');
    await page.unroute('**/api/loans');
    await submit(dialog).click();
    await expectToast(page, 'Loan application submitted');
    expect(await loansOf(borrower)).toHaveLength(1);
  });

  it('asks for the verification when the server misses it', async () => {
    const { page, dialog } = await openReview({ expects: [/status of 403/] });
    const message = 'Please complete your profile and documents first';
    await page.route('**/api/loans', (route) =>
      route.fulfill({ status: 403, json: { message, code: 'verification_required' } }),
    );
    await submit(dialog).click();
    await page.getByRole('dialog', { name: 'Verification Required' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('finds out what became of it when the answer is lost, and never applies twice', async () => {
    const { borrower, page, dialog } = await openReview({ expects: [/ERR_CONNECTION_RESET/] });
    const { keys } = await loseAnswers(page, '**/api/loans', 1);
    await submit(dialog).click();
    await dialog.getByText('We are checking whether it went through').waitFor();
    await expectToast(page, 'Loan application submitted');
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await loansOf(borrower)).toHaveLength(1);
  });

  it.runIf(isTorture)('says what a server in trouble says, and can be sent again', async () => {
    const { borrower, page, dialog } = await openReview({ expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/loans');
    await submit(dialog).click();
    await expectToast(page, 'Application failed', 'Out of reach.');
    await repair();
    await submit(dialog).click();
    await expectToast(page, 'Loan application submitted');
    expect(await loansOf(borrower)).toHaveLength(1);
  });
});
