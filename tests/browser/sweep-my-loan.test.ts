import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { applicant, apply, borrowerWithLoan, disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, holdBack, outOfReach } from './screen.ts';
import { press, type State, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const path = '/my-loan';
const account = '**/api/loans/*/account';

const today = manilaDate(new Date());
/** So that an instalment, due two months after the disbursement and monthly, was due so many days ago. */
const disbursedWithDue = (daysAgo: number, months = 2) => addMonths(addDays(today, -daysAgo), -months);

async function chooseDay(page: Page, fold: string, label: string, days: number) {
  await page.getByText(fold, { exact: true }).click();
  await page.getByLabel(label).fill(addDays(today, days));
}

const cash = (amount: number, valueDate: string) => ({ amount, channel: 'cash', valueDate }) as const;

const newcomer = await server.registerBorrower();
const { borrower: unreleased } = await applicant(server);
const byHand = await server.verifiedBorrower();
await server.main.updateLoan((await apply(server, byHand)).id, { status: 'active' });

const { borrower: fresh } = await borrowerWithLoan(server, { date: disbursedWithDue(-40) });
const { borrower: regular } = await borrowerWithLoan(server, {
  date: disbursedWithDue(20, 4),
  payments: [
    cash(16_250, addDays(today, -70)),
    { amount: 16_250, channel: 'gcash', reference: 'GC-0001', valueDate: addDays(today, -50) },
    cash(20_000, addDays(today, -21)),
  ],
});
const { borrower: dueToday } = await borrowerWithLoan(server, { date: disbursedWithDue(0) });
const { borrower: justLate } = await borrowerWithLoan(server, { date: disbursedWithDue(4) });
const { borrower: late, loan: lateLoan } = await borrowerWithLoan(server, {
  date: disbursedWithDue(40, 3),
  payments: [cash(10_000, addDays(today, -38))],
});
await server.main.actOnLoan(lateLoan.id, { kind: 'waiver', amount: '50.00', reason: 'The bank was closed' });
const { borrower: writtenOff, loan: lost } = await borrowerWithLoan(server, { date: disbursedWithDue(200) });
await server.main.actOnLoan(lost.id, { kind: 'write_off', reason: 'Cannot be found' });
const settled = await borrowerWithLoan(server, {
  date: disbursedWithDue(20, 3),
  payments: [cash(16_250, addDays(today, -52)), { ...cash(160_000, addDays(today, -5)), settlement: true }],
});
const { borrower: completed } = await borrowerWithLoan(server, {
  date: disbursedWithDue(20, 7),
  termMonths: 6,
  payments: [cash(190_000, addDays(today, -20))],
});
const { borrower: longest, loan: longestLoan } = await borrowerWithLoan(server, {
  date: disbursedWithDue(5, 26),
  amount: 2_000_000,
  termMonths: 48,
  payments: [cash(2_000_000, addDays(today, -6))],
});
await disbursedLoan(server, longest, { date: today });

const { borrower: cancelled, loan: back } = await applicant(server);
await server.main.updateLoan(back.id, { status: 'approved' });
await server.main.disburseLoan(back.id, { channel: 'wallet' });
await server.main.cancelDisbursement(back.id, { reason: 'Asked for by mistake' });

const state = (name: string, who: TestBorrower, shows: State['shows'], more: Partial<State> = {}): State => ({
  name,
  path,
  who,
  shows,
  ...more,
});

const states: State[] = [
  state('loading', fresh, ({ shell }) => shell.myLoan, { before: (page) => holdBack(page, account) }),
  state('without a loan', newcomer, ({ dashboard }) => dashboard.noLoan),
  state('not released', unreleased, ({ myLoan }) => myLoan.notReleased),
  state('released by hand', byHand, ({ myLoan }) => myLoan.elsewhere),
  state('taken back', cancelled, ({ myLoan }) => myLoan.cancelled),
  state('out of reach', fresh, ({ myLoan }) => myLoan.failed, {
    expects: [outOfReach],
    before: (page) => breakDown(page, account),
  }),
  state('no longer the latest', fresh, ({ dashboard }) => dashboard.loanNotRefreshed, {
    expects: [outOfReach],
    steps: async (page, { dashboard, myLoan }) => {
      await page.getByText(myLoan.noReceipts).waitFor();
      await breakDown(page, account);
      await press(page, dashboard.refresh);
      await page.getByText(dashboard.loanNotRefreshed).waitFor();
    },
  }),
  state('nothing paid yet', fresh, ({ myLoan }) => myLoan.noReceipts),
  state('some of it paid', regular, ({ myLoan }) => myLoan.paymentStatuses.submitted),
  state('due today', dueToday, ({ payment }) => payment.dueToday),
  state('late, without a charge yet', justLate, ({ papers }) => papers.rowStatuses.overdue),
  state('late, with a charge', late, ({ payment }) => payment.stopCharge),
  state('written off', writtenOff, ({ payment }) => payment.writtenOff),
  state('settled early', settled.borrower, ({ myLoan }) => myLoan.paidOffThanks),
  state('paid to the end', completed, ({ myLoan }) => myLoan.paidOffThanks, {
    steps: async (page, { myLoan }) => {
      await page.getByText(myLoan.paidOffThanks).waitFor();
      await page.reload();
    },
  }),
  state('the longest, and another loan', longest, ({ myLoan }) => myLoan.fewer, {
    path: `${path}?loan=${longestLoan.loanNumber}`,
    steps: (page, { myLoan }) => press(page, myLoan.all(48)),
  }),
  state('how to pay', late, ({ pay }) => pay.copyAll, {
    steps: (page, { payment }) => press(page, payment.howToPay),
  }),
  state('paid off on another day', fresh, ({ myLoan }) => myLoan.daysFromToday(12), {
    steps: async (page, { myLoan }) => {
      await chooseDay(page, myLoan.anotherDay, myLoan.payOn, 12);
      await soon(() => page.locator('[aria-busy=true]').count()).toBe(0);
    },
  }),
  state('a day too far ahead', fresh, ({ validation }) => validation.settlementTooFarAhead, {
    steps: (page, { myLoan }) => chooseDay(page, myLoan.anotherDay, myLoan.payOn, 60),
  }),
  state('what a day costs out of reach', fresh, ({ myLoan }) => myLoan.costFailed, {
    expects: [outOfReach],
    steps: async (page, { myLoan }) => {
      await breakDown(page, '**/settlement?*');
      await chooseDay(page, myLoan.anotherDay, myLoan.payOn, 9);
    },
  }),
];

const elsewhere: State[] = [
  { name: 'on the dashboard', path: '/loan-app', who: regular, shows: ({ shell }) => shell.myLoan },
  { name: 'late, on the dashboard', path: '/loan-app', who: late, shows: ({ dashboard }) => dashboard.left },
  {
    name: 'paid off, on the dashboard',
    path: '/loan-app',
    who: settled.borrower,
    shows: ({ dashboard }) => dashboard.paidInFull,
  },
  { name: 'in the wallet', path: '/wallet', who: late, shows: ({ dashboard }) => dashboard.left },
];

describe('My loan', () => sweep(browser, states));
describe('a disbursed loan', () => sweep(browser, elsewhere));
