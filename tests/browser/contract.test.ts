import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { type DateLanguage, formatManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { readCalendar } from '#tests/api/calendar-text.ts';
import { applicant, apply } from '#tests/api/lending.ts';
import { figuresInPdf, figuresOf, type PaperFigures, steadyChance } from '#tests/api/paper-figures.ts';
import { screens, soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { gate } from '#tests/setup/gate.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { breakDown, dialogOf, expectToast, field } from './screen.ts';

// A borrower with many loans has applied for more of them than anybody may in a day.
const { server, browser } = await listeningServer({ config: { rateLimitScale: 10 } });

const wordsIn = { en, fil };

const editTerms = (id: number, body: { amount?: number; termMonths?: number }) =>
  server.main.updateLoan(id, body);

/** Presses the button of a paper on the profile page and answers its dialog. */
async function openPaper(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).click();
  return dialogOf(page, name);
}

/** Which day the due dates count from, said beside them. */
function datesNote(language: DateLanguage, startDate: string): string {
  const date = parseManilaDate(startDate);
  if (!date) throw new Error(startDate);
  return wordsIn[language].contractText.dates({ startDate: formatManilaDate(date, language) });
}

/** Reads the figures in the contract's dialog, by the words beside them. */
async function figuresOnPage(dialog: Locator, language: DateLanguage): Promise<PaperFigures> {
  const { apply: form, landing, papers, quote } = wordsIn[language];
  const pairs = await dialog
    .locator('dl > div')
    .evaluateAll((lines) =>
      lines.map((line) => [
        line.querySelector('dt')?.textContent ?? '',
        line.querySelector('dd')?.textContent ?? '',
      ]),
    );
  const beside = (term: string): string => {
    const found = pairs.filter(([name]) => name === term);
    if (found.length !== 1) throw new Error(`${term}: ${found.length} times`);
    return found[0]?.[1] ?? '';
  };
  const percentBeside = (term: string) => beside(term).split('%')[0] ?? '';
  return {
    amount: beside(papers.amount),
    upfrontCharges: beside(quote.upfrontCharges),
    netProceeds: beside(quote.netProceeds),
    costOfCredit: beside(landing.cost.costOfCredit),
    totalPayment: beside(landing.cost.total),
    monthlyPayment: beside(landing.cost.monthly),
    termMonths: beside(form.term),
    interestRate: percentBeside(quote.interest),
    effectiveMonthlyRate: percentBeside(landing.cost.effectiveRate),
    simpleAnnualRate: percentBeside(quote.simpleYear),
    effectiveAnnualRate: percentBeside(quote.effectiveYear),
    lateChargeRate: percentBeside(papers.lateCharge),
    firstDueDate: beside(quote.firstDue),
    lastDueDate: beside(quote.lastDue),
    rows: pairs.flatMap(([term = '', value = '']) =>
      /^\d+\. /.test(term) ? [`${term.replace('. ', ' ')} ${value}`] : [],
    ),
    settlements: pairs.flatMap(([term = '', value = '']) => {
      const [, number, day] = /^(?:After no\. |Matapos ang ika-)(\d+), (.*)$/.exec(term) ?? [];
      return number ? [`${number} ${day} ${value}`] : [];
    }),
  };
}

/** Both papers of a loan, each open before its reader. */
async function* openPapers(page: Page): AsyncGenerator<{ name: string; panel: Locator }> {
  for (const name of ['Loan contract', 'Payment schedule']) {
    await page.goto('/profile');
    const dialog = await openPaper(page, name);
    await dialog.getByText('₱').first().waitFor();
    yield { name, panel: dialog.locator('.panel') };
  }
}

async function textOfFile(download: Promise<Download>): Promise<{ name: string; text: string }> {
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

/** A borrower with a loan that staff have changed once. */
async function changedLoan(): Promise<{ borrower: TestBorrower; id: number; loanNumber: string }> {
  const { borrower, id, loanNumber } = await applicant(server);
  await editTerms(id, { amount: 200_000, termMonths: 24 });
  return { borrower, id, loanNumber };
}

describe('a paper', () => {
  it.runIf(isTorture)('has round corners below its buttons on a wide screen', async () => {
    const { borrower } = await applicant(server);
    const page = await browser.open('/profile', { token: borrower.token, screen: 'desktop' });
    const dialog = await openPaper(page, en.papers.contract);
    await dialog.getByRole('button', { name: en.papers.download, exact: true }).waitFor();
    const atCorners = await dialog.locator('.panel').evaluate((panel) => {
      const { left, right, bottom } = panel.getBoundingClientRect();
      return [left + 2, right - 3].map((x) => document.elementFromPoint(x, bottom - 3)?.tagName);
    });
    expect(atCorners).toEqual(['DIALOG', 'DIALOG']);
  });

  it('fills a phone, and is of reading width on a wide screen', async () => {
    const { borrower } = await changedLoan();
    const page = await browser.visit(borrower);
    for await (const { name, panel } of openPapers(page)) {
      for (const { width, height } of [screens.phone, screens.small]) {
        await page.setViewportSize({ width, height });
        expect(await panel.boundingBox(), name).toEqual({ x: 0, y: 0, width, height });
      }
      await page.setViewportSize(screens.desktop);
      const box = await panel.boundingBox();
      expect(box?.width, name).toBe(44 * 16);
      expect(box?.height, name).toBeLessThan(screens.desktop.height);
    }
  });

  it('is printed alone, from its beginning to its end', async () => {
    const { borrower } = await changedLoan();
    const page = await browser.visit({ token: borrower.token, colorScheme: 'dark' });
    for await (const { name, panel } of openPapers(page)) {
      await page.emulateMedia({ media: 'print' });
      const visible = (role: 'button' | 'heading', within: Page | Locator) =>
        within.getByRole(role, { includeHidden: true }).filter({ visible: true });
      expect(await visible('button', page).count(), name).toBe(0);
      expect(await visible('heading', page).count(), name).toBe(await visible('heading', panel).count());
      const [cut, ink] = await panel.evaluate((paper) => {
        const body = paper.querySelector('.panel-body');
        return [body && body.scrollHeight > body.clientHeight, getComputedStyle(paper).color];
      });
      expect(cut, name).toBe(false);
      expect(ink, name).toBe('rgb(16, 35, 63)');
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b(?!s)/g);
      expect(sheets?.length, name).toBe(2);
      await page.emulateMedia({ media: null });
    }
  });
});

describe('the contract on the screen', () => {
  it.each(
    sampleOf(
      [
        { language: 'en', loans: isTorture ? 25 : 1 },
        { language: 'fil', loans: isTorture ? 25 : 1 },
      ] as const,
      2,
    ),
  )(
    'has the figures of the JSON and of the paper, for $loans loans ($language)',
    async ({ language, loans }) => {
      const chance = steadyChance(language === 'en' ? 1963 : 2022);
      const { papers } = wordsIn[language];
      const borrower = await server.verifiedBorrower();
      const { token } = borrower;
      const page = await browser.visit({ token, language });
      for (let count = 0; count < loans; count += 1) {
        const { id } = await apply(server, borrower, {
          amount: chance(limits.loanAmountMinCentavos, limits.loanAmountMaxCentavos) / 100,
          termMonths: chance(limits.loanTermMinMonths, limits.loanTermMaxMonths),
        });
        if (count % 5 === 0) {
          await editTerms(id, {
            termMonths: chance(limits.loanTermMinMonths, limits.staffLoanTermMaxMonths),
          });
        }
        await page.goto('/profile');
        const dialog = await openPaper(page, papers.contract);
        const contract = await server.as(token).readLoanContract(id, { lang: language });
        await dialog.getByText(contract.hash).waitFor();
        await dialog.getByText(datesNote(language, contract.startDate), { exact: true }).waitFor();
        const expected = figuresOf(contract, language);
        expect(await figuresOnPage(dialog, language)).toEqual(expected);
        for (const sentence of [...contract.terms, contract.governs, contract.documentNumber]) {
          await dialog.getByText(sentence, { exact: true }).waitFor();
        }
        const pdf = await server.as(token).readLoanContractPdf(id, { lang: language });
        expect(figuresInPdf(pdf.bytes, language)).toEqual(expected);
      }
    },
    400_000,
  );

  it('says which version replaced which, and gives the older one too', async () => {
    const { borrower, loanNumber } = await changedLoan();
    const page = await browser.open('/profile', borrower);
    const dialog = await openPaper(page, en.papers.contract);
    await dialog.getByText(/^Version 2 replaced version 1 on \d{1,2} \w{3} \d{4}, \d\d:\d\d\.$/).waitFor();
    await dialog.getByText('₱200,000.00', { exact: true }).first().waitFor();
    const older = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download version 1' }).click();
    expect((await older).suggestedFilename()).toBe(`${loanNumber}-v1.pdf`);
    const filipino = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'PDF in Filipino' }).click();
    expect((await filipino).suggestedFilename()).toBe(`${loanNumber}-v2-fil.pdf`);
    const present = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download PDF' }).click();
    const file = await present;
    expect(file.suggestedFilename()).toBe(`${loanNumber}-v2.pdf`);
    expect(figuresInPdf(readFileSync(await file.path()), 'en')).toEqual(await figuresOnPage(dialog, 'en'));
  });

  it('agrees with wallet and dashboard after staff changed the terms while it was open', async () => {
    const { borrower, loan } = await applicant(server);
    await server.main.updateLoan(loan.id, { status: 'approved' });
    const page = await browser.open('/wallet', borrower);
    await page.getByText('₱16,250.00 × 12').waitFor();
    await editTerms(loan.id, { amount: 300_000, termMonths: 10 });
    await page.getByRole('link', { name: en.application.papers }).click();
    const dialog = await openPaper(page, en.papers.contract);
    await dialog.getByText('Version 2 replaced version 1', { exact: false }).waitFor();
    const figures = await figuresOnPage(dialog, 'en');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'WALLET' }).click();
    const preview = page.getByRole('region', { name: en.application.preview, exact: true });
    for (const figure of [
      figures.amount,
      `${figures.monthlyPayment} × ${figures.termMonths}`,
      figures.costOfCredit,
      en.landing.cost.perMonth(figures.effectiveMonthlyRate),
    ]) {
      await preview.getByText(figure, { exact: true }).waitFor();
    }
    await page.getByRole('link', { name: 'HOME' }).click();
    const card = page.getByRole('region', { name: /^Loan LN-/ });
    await card.getByText(en.dashboard.loanTerms(10, figures.monthlyPayment), { exact: true }).waitFor();
    await card.getByText(en.dashboard.termsChanged).waitFor();
  });
});

describe('terms that staff changed', () => {
  it.each(sampleOf(['en', 'fil'] as const, 2))(
    'are accepted in the contract, which a message leads to: %s',
    async (language) => {
      const { borrower, id } = await changedLoan();
      const { dashboard, messages, papers } = wordsIn[language];
      const page = await browser.open('/wallet', { token: borrower.token, language });
      const latest = page.getByRole('region', { name: messages.latest });
      await latest.getByRole('link', { name: dashboard.openContract }).click();
      const dialog = dialogOf(page, papers.contract);
      await dialog.getByText(papers.notAgreed, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: papers.accept(2), exact: true }).click();
      await expectToast(page, papers.accepted, papers.acceptedText(2));
      await dialog.getByText(papers.notAgreed, { exact: true }).waitFor({ state: 'hidden' });
      await dialog
        .getByText(/2026|20\d\d/)
        .first()
        .waitFor();
      expect(await borrower.readLoanContract(id)).toMatchObject({ version: 2, agreedAt: expect.any(String) });
    },
  );

  it('that staff changed again are shown anew instead of accepted', async () => {
    const { borrower, id } = await changedLoan();
    const page = await browser.open('/profile', { token: borrower.token, expects: [/status of 409/] });
    const dialog = await openPaper(page, en.papers.contract);
    const accept = dialog.getByRole('button', { name: en.papers.accept(2), exact: true });
    await accept.waitFor();
    await editTerms(id, { termMonths: 30 });
    await accept.click();
    await expectToast(page, en.papers.acceptFailed, en.errors.quote_changed);
    await dialog.getByRole('button', { name: en.papers.accept(3), exact: true }).waitFor();
  });

  it('lead from Home to that loan’s contract, and are gone there once accepted', async () => {
    const { borrower } = await changedLoan();
    const page = await browser.open('/loan-app', borrower);
    await page.getByRole('link', { name: 'Open the contract' }).click();
    const dialog = dialogOf(page, 'Loan contract');
    await dialog.getByRole('button', { name: en.papers.accept(2), exact: true }).click();
    await expectToast(page, en.papers.accepted);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'HOME' }).click();
    await page.getByText('Account verified').waitFor();
    await soon(() => page.getByText('Our staff changed the terms').count()).toBe(0);
  });
});

describe('the payment schedule', () => {
  it('goes into a calendar and into a table', async () => {
    const { borrower, loanNumber } = await changedLoan();
    const page = await browser.open('/profile', borrower);
    const dialog = await openPaper(page, en.papers.schedule);
    await dialog.getByText(datesNote('en', manilaDate(server.deps.clock.now())), { exact: true }).waitFor();
    const calendar = textOfFile(page.waitForEvent('download'));
    await dialog.getByRole('button', { name: 'Add due dates to my calendar' }).click();
    const { name, text } = await calendar;
    expect(name).toBe(`${loanNumber}.ics`);
    expect(readCalendar(text).parts).toHaveLength(24);
    const table = textOfFile(page.waitForEvent('download'));
    await dialog.getByRole('button', { name: 'Download as CSV' }).click();
    const csv = await table;
    expect(csv.name).toBe(`${loanNumber}.csv`);
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(25);
  });

  it('says so when a file cannot be fetched, and stays', async () => {
    const { borrower } = await changedLoan();
    const page = await browser.open('/profile', { token: borrower.token, expects: [/status of 503/] });
    const dialog = await openPaper(page, en.papers.schedule);
    await breakDown(page, '**/schedule.ics*');
    await dialog.getByRole('button', { name: 'Add due dates to my calendar' }).click();
    await expectToast(page, 'The file could not be downloaded', 'Out of reach.');
  });
});

describe('the review of an application', () => {
  it('shows the server’s quote, and anew when another one would be agreed to', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await browser.visit({ token: borrower.token, expects: [/status of 409/] });
    let asked = 0;
    const { open: answer, passed: answered } = gate();
    // The quote as it was before midnight or before a new rate.
    await page.route('**/api/loans/quote', async (route) => {
      asked += 1;
      if (asked > 1) {
        await answered;
        return route.continue();
      }
      const response = await route.fetch();
      const before = { costOfCredit: '44000.00', hash: '0'.repeat(64) };
      await route.fulfill({ response, json: { ...(await response.json()), ...before } });
    });
    await page.goto('/dashboard');
    const dialog = dialogOf(page, en.apply.title);
    await field(dialog, en.apply.purpose).fill('A sewing machine');
    await dialog.getByRole('button', { name: en.apply.review }).click();
    await dialog.getByText(en.apply.allFigures, { exact: true }).click();
    await dialog.getByText('₱44,000.00', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: en.apply.submit }).click();
    await expectToast(page, en.apply.failed, en.errors.quote_changed);
    await soon(() => asked).toBe(2);
    // Nobody can agree to terms that are no longer offered.
    const waiting = dialog.getByRole('button', { name: en.session.pleaseWait });
    await soon(() => waiting.isDisabled()).toBe(true);
    answer();
    await dialog.getByText('₱45,000.00', { exact: true }).waitFor();
    // And read from its beginning.
    await soon(() => hasFocus(dialog.getByRole('heading', { name: en.apply.reviewTitle }))).toBe(true);
    await dialog.getByRole('button', { name: en.apply.submit }).click();
    await expectToast(page, en.apply.submitted);
    const loans = await borrower.listOwnLoans();
    expect(loans).toMatchObject([{ quote: { costOfCredit: '45000.00', version: 1 } }]);
  });

  it('waits for the quote, and goes no further without one', async () => {
    const { token } = await server.verifiedBorrower();
    const page = await browser.visit({ token, expects: [/status of 503/] });
    await breakDown(page, '**/api/loans/quote');
    await page.goto('/dashboard');
    const dialog = dialogOf(page, en.apply.title);
    await field(dialog, en.apply.purpose).fill('A sewing machine');
    await dialog.getByRole('button', { name: en.apply.review }).click();
    await expectToast(page, 'We couldn’t work out the cost', 'Out of reach.');
    expect(await field(dialog, en.apply.purpose).inputValue()).toBe('A sewing machine');
    await page.unroute('**/api/loans/quote');
    await dialog.getByRole('button', { name: en.apply.review }).click();
    await dialog.getByRole('button', { name: en.apply.submit }).waitFor();
  });
});
