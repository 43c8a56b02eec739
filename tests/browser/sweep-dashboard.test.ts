import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { applicant, apply } from '#tests/api/lending.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, field, holdBack, outOfReach } from './screen.ts';
import { alter, press, type State, state, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const newcomer = await server.registerBorrower({ phone: '+63 917 555 0142 000 1112223' });
const { borrower } = await applicant(server, { amount: 160_000 });
const warned = await server.verifiedBorrower();
await server.main.updateMember(warned.id, { bankName: 'Bank Z', otpCode: '482913' });
await apply(server, borrower, { amount: 2_000_000, termMonths: 48 });

const path = '/loan-app';
const loans = '**/api/loans/user';
const rates = '**/api/exchange-rates';

/** The dashboard of who has a loan, once it shows this. */
const ofBorrower = (name: string, rest: Omit<State, 'name' | 'path' | 'who'>): State => ({
  name,
  path,
  who: borrower,
  ...rest,
});

const inStatus = (status: string) => (page: Page) =>
  alter<object[]>(page, loans, (all) => all.map((loan) => ({ ...loan, status })));

const loanStates = [
  state('loading, and not verified', path, ({ verification }) => verification.notVerified, {
    who: newcomer,
    before: (page) => holdBack(page, loans),
  }),
  state('changed access that was not read yet', path, ({ messages }) => messages.accessClose, {
    who: warned,
  }),
  state('no loan', path, ({ dashboard }) => dashboard.noLoan, { who: newcomer }),
  ofBorrower('out of reach', {
    expects: [outOfReach],
    before: (page) => breakDown(page, loans),
    shows: ({ dashboard }) => dashboard.loanFailed,
  }),
  ofBorrower('no longer the latest', {
    expects: [outOfReach],
    steps: async (page, { dashboard }) => {
      await page.getByText('₱2,000,000.00').waitFor();
      await breakDown(page, loans);
      await press(page, dashboard.refresh);
    },
    shows: ({ dashboard }) => dashboard.loanNotRefreshed,
  }),
  ofBorrower('one, the newest of many, waiting', { shows: ({ loanStatus }) => loanStatus.words.pending }),
  ...(['approved', 'denied', 'account_issue', 'completed'] as const).map((status) =>
    ofBorrower(status, { before: inStatus(status), shows: ({ loanStatus }) => loanStatus.words[status] }),
  ),
  ofBorrower('a status of forty letters', {
    before: inStatus('W'.repeat(40)),
    shows: () => 'W'.repeat(40),
  }),
];

const converterStates = [
  ofBorrower('loading', {
    before: (page) => holdBack(page, rates),
    steps: (page, { loanStatus }) => page.getByText(loanStatus.words.pending).waitFor(),
    shows: ({ shell }) => shell.loading,
  }),
  ofBorrower('out of reach', {
    expects: [outOfReach],
    before: (page) => breakDown(page, rates),
    shows: ({ converter }) => converter.unreachableNote,
  }),
  ofBorrower('live, a long amount', {
    before: (page) => alter<object>(page, rates, (read) => ({ ...read, source: 'live' })),
    steps: async (page, { converter }) => {
      await field(page, converter.amount).fill('999999999999999');
      await page.getByRole('combobox', { name: converter.currency }).selectOption('JPY');
    },
    shows: ({ converter }) => converter.live,
  }),
];

const aroundIt = [
  ofBorrower('the side menu', {
    steps: (page, { shell }) => press(page, shell.openMenu),
    shows: ({ shell }) => shell.logout,
  }),
  ofBorrower('the languages', {
    steps: (page, { shell }) => press(page, shell.language),
    shows: ({ shell }) => shell.english,
  }),
  ofBorrower('the last slide', {
    steps: (page, { carousel }) => press(page, carousel.goTo(3, carousel.slides.flexible.title)),
    shows: ({ carousel }) => carousel.slides.flexible.text,
  }),
  ofBorrower('the company', {
    steps: (page, { company }) => press(page, company.details),
    shows: ({ company }) => company.registrationDate,
  }),
  ofBorrower('without a connection', {
    expects: [/ERR_INTERNET_DISCONNECTED/],
    steps: async (page) => {
      await page.waitForLoadState('networkidle');
      await page.context().setOffline(true);
    },
    shows: ({ shell }) => shell.offline,
  }),
  state('what an application lacks', '/dashboard', ({ verification }) => verification.requiredTitle, {
    who: newcomer,
  }),
];

describe('the loan', () => sweep(browser, loanStates));
describe('the converter', () => sweep(browser, converterStates));
describe('around the dashboard', () => sweep(browser, aroundIt));
