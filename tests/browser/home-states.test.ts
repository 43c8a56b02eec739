import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Loan } from '#contract/loan.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { apply, disbursedLoan, releaseLoan } from '#tests/api/lending.ts';
import { screens, soon } from '#tests/setup/browser.ts';
import { takePictures } from '#tests/setup/pictures.ts';
import { fullProfile, type TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { button } from './screen.ts';

const { server, browser } = await standingServer();
const { main } = server;

const today = manilaDate(new Date());
const reason = 'As agreed with the borrower';

/** The element that leads on Home. */
type Action = (page: Page, words: Wording) => Locator;

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });
const start: Action = (page, { verification }) => button(page, verification.start);
const applies: Action = (page, { dashboard }) => button(page, dashboard.apply);
const howToPay: Action = (page, { payment }) => button(page, payment.howToPay);
const withdraws: Action = (page, { payment }) => link(page, payment.withdraw);
const calls: Action = (page) => link(page, /^(Call|Tawagan ang) /).first();
const opensContract: Action = (page, { dashboard }) => link(page, dashboard.openContract);

type LoanState = {
  name: string;
  /** The status that the server gives it. */
  status: string;
  isLate?: boolean;
  leads: Action;
  make: (borrower: TestBorrower) => Promise<Loan>;
};

/** An application that staff gave this status by hand. */
const byHand = (status: string, leads: Action, change: Parameters<typeof main.updateLoan>[1] = {}) => ({
  name: status,
  status,
  leads,
  make: async (borrower: TestBorrower) => {
    const loan = await apply(server, borrower);
    await main.updateLoan(loan.id, { status, ...change });
    return loan;
  },
});

const sent = { amount: 90_000, paidOn: today, channel: 'gcash', reference: 'GC 660055' } as const;

const releasedOn = (date: string) => (borrower: TestBorrower) => disbursedLoan(server, borrower, { date });

const loanStates: LoanState[] = [
  { name: 'waiting', status: 'pending', leads: opensContract, make: (borrower) => apply(server, borrower) },
  byHand('approved', opensContract),
  {
    ...byHand('approved', opensContract),
    name: 'approved on other terms',
    make: async (borrower) => {
      const loan = await apply(server, borrower);
      await main.updateLoan(loan.id, { status: 'approved' });
      await main.updateLoan(loan.id, { termMonths: 24 });
      return loan;
    },
  },
  { ...byHand('denied', applies, { reason }), name: 'denied with a reason' },
  byHand('denied', calls),
  byHand('rejected', calls),
  byHand('account_issue', calls),
  byHand('bank_check', opensContract),
  byHand('active', opensContract),
  byHand('completed', applies),
  {
    name: 'released into the wallet',
    status: 'active',
    leads: withdraws,
    make: async (borrower) => {
      const loan = await apply(server, borrower);
      await releaseLoan(server, loan);
      return loan;
    },
  },
  { name: 'to be paid', status: 'active', leads: howToPay, make: releasedOn(today) },
  {
    name: 'overdue, a payment waiting',
    status: 'active',
    isLate: true,
    leads: howToPay,
    make: async (borrower) => {
      const loan = await disbursedLoan(server, borrower, { date: addMonths(today, -3) });
      await server.as(borrower.token).payOwnLoan(loan.id, sent);
      return loan;
    },
  },
  {
    name: 'overdue, a payment rejected',
    status: 'active',
    isLate: true,
    leads: howToPay,
    make: async (borrower) => {
      const loan = await disbursedLoan(server, borrower, { date: addMonths(today, -3) });
      const { id } = await server.as(borrower.token).payOwnLoan(loan.id, sent);
      await main.updatePayment(id, { status: 'rejected', note: reason, reason });
      return loan;
    },
  },
  { name: 'due today', status: 'active', leads: howToPay, make: releasedOn(addMonths(today, -2)) },
  {
    name: 'overdue',
    status: 'active',
    isLate: true,
    leads: howToPay,
    make: releasedOn(addDays(addMonths(today, -2), -3)),
  },
  {
    name: 'overdue with late charges',
    status: 'active',
    isLate: true,
    leads: howToPay,
    make: releasedOn(addMonths(today, -5)),
  },
  {
    name: 'written off',
    status: 'active',
    isLate: true,
    leads: howToPay,
    make: async (borrower) => {
      const loan = await disbursedLoan(server, borrower, { date: addMonths(today, -9) });
      await main.actOnLoan(loan.id, { kind: 'write_off', reason });
      return loan;
    },
  },
  {
    name: 'paid off',
    status: 'completed',
    leads: applies,
    make: async (borrower) => {
      const paid = { amount: 150_000, channel: 'cash', settlement: true } as const;
      return disbursedLoan(server, borrower, { date: today, payments: [paid] });
    },
  },
  {
    name: 'taken back',
    status: 'approved',
    leads: opensContract,
    make: async (borrower) => {
      const loan = await apply(server, borrower);
      await releaseLoan(server, loan);
      await main.cancelDisbursement(loan.id, { reason });
      return loan;
    },
  },
];

const wordsIn = { en, fil };
const languages = ['en', 'fil'] as const;

/** It can be seen, and nothing else is over it or hides it. */
async function expectSeen(element: Locator): Promise<void> {
  const box = await element.filter({ visible: true }).first().boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0), String(element)).toBeGreaterThan(8);
}

/** On the first screen of a phone, and not behind the tabs. */
async function expectAboveTabs(page: Page, action: Locator): Promise<void> {
  await action.waitFor();
  const tabs = await page.getByRole('navigation').last().boundingBox();
  const box = await action.boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0);
}

describe.each(languages)('Home in %s', (language) => {
  const words = wordsIn[language];

  it.each(sampleOf(loanStates, 2))(
    'shows number, status, amount and what comes next: $name',
    async (state) => {
      const borrower = await server.verifiedBorrower();
      const { loanNumber } = await state.make(borrower);
      const page = await browser.open('/loan-app', { ...borrower, language });
      const card = page.getByRole('region', { name: words.dashboard.loanNumber(loanNumber) });
      await card.waitFor();
      await expectSeen(card.getByText(loanNumber));
      const status = words.loanStatus.words[state.status as 'pending'] ?? 'Bank check';
      await expectSeen(card.getByText(status, { exact: true }));
      await expectSeen(card.getByText('₱150,000.00'));
      const overdue = card.getByText(words.dashboard.overdue, { exact: true });
      if (state.isLate) await expectSeen(overdue);
      else expect(await overdue.count()).toBe(0);
      await expectAboveTabs(page, state.leads(page, words));
      await takePictures(page, 'borrower', language);
    },
  );

  it('offers both ways on to somebody new', async () => {
    for (const profile of [undefined, fullProfile]) {
      const borrower = await server.registerBorrower();
      if (profile) await borrower.updateProfile(profile);
      const page = await browser.open('/loan-app', { ...borrower, language });
      await page.getByText(words.dashboard.noLoan).waitFor();
      for (const action of [start, applies]) await expectAboveTabs(page, action(page, words));
      await takePictures(page, 'borrower', language);
    }
  });

  it('offers an application to who has no loan', async () => {
    const page = await browser.open('/loan-app', { ...(await server.verifiedBorrower()), language });
    await expectAboveTabs(page, applies(page, words));
    await soon(() => applies(page, words).count()).toBe(1);
    await takePictures(page, 'borrower', language);
    // On a laptop too the tabs leave room below the page: they cover nothing at its end.
    await page.setViewportSize(screens.desktop);
    await page.getByRole('region', { name: words.converter.title }).waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expectAboveTabs(page, page.getByRole('contentinfo'));
  });
});
