import { describe } from 'vitest';
import { apply, fundedBorrower, notify, withdraw } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, holdBack, outOfReach } from './screen.ts';
import { alter, keepToast, press, state, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const path = '/wallet';
const loans = '**/api/loans/user';
const withdrawals = '**/api/withdrawals';
const messages = '**/api/notifications';

const newcomer = await server.registerBorrower();

const borrower = await fundedBorrower(server);
const approved = await apply(server, borrower);
await server.main.updateLoan(approved.id, { status: 'approved' });
await withdraw(server, borrower);

const many = 30;
const regular = await fundedBorrower(server, 200_000);
for (let count = 0; count < many; count += 1) {
  await withdraw(server, regular, 1_000 + count);
  await notify(server, regular, { title: `Message ${count + 1}`, message: 'Please call us.\nThank you.' });
}

const bankName = 'Longbankname'.repeat(5);
const longest = await server.verifiedBorrower({ bankName, bankAccountNumber: '1234567890'.repeat(4) });
await server.fund(longest.id, '999999999.99');
await apply(server, longest, { amount: 2_000_000, termMonths: 48 });
await server.main.updateMember(longest.id, { otpCode: '482913' });
await notify(server, longest, {
  title: 'Wordword'.repeat(15),
  message: `${'https://example.com/'.repeat(25)}\n${'A sentence that goes on. '.repeat(19)}`,
});

const statuses = ['pending', 'approved', 'completed', 'rejected'] as const;

const lists = [
  state('loading', path, ({ wallet }) => wallet.neverPay, {
    who: borrower,
    before: async (page) => {
      for (const address of [loans, withdrawals, messages]) await holdBack(page, address);
    },
  }),
  state('nothing yet', path, ({ withdrawal }) => withdrawal.none, {
    who: newcomer,
    steps: (page, { messages: words }) => page.getByText(words.none).waitFor(),
  }),
  state('out of reach', path, ({ messages: words }) => words.failed, {
    who: borrower,
    expects: [outOfReach],
    before: async (page) => {
      for (const address of [loans, withdrawals, messages]) await breakDown(page, address);
    },
  }),
  state('no longer the latest', path, ({ dashboard }) => dashboard.loanNotRefreshed, {
    who: borrower,
    expects: [outOfReach],
    steps: async (page, { dashboard, shell, withdrawal }) => {
      await page.getByText(withdrawal.statuses.approved).first().waitFor();
      await soon(() => page.getByRole('status').filter({ hasText: shell.loading }).count()).toBe(0);
      for (const address of [loans, withdrawals, messages]) await breakDown(page, address);
      await press(page, dashboard.refresh);
      await soon(() => page.getByText(dashboard.loanNotRefreshed).count()).toBe(3);
    },
  }),
  state('one of each, the balance shown', path, () => '₱19,000.00', {
    who: borrower,
    steps: (page, { payment }) => press(page, payment.showBalance),
  }),
  state('the last few of many', path, ({ myLoan }) => myLoan.all(String(many)), { who: regular }),
  state('all of many, in every status', path, ({ withdrawal }) => withdrawal.returned, {
    who: regular,
    before: (page) =>
      alter<object[]>(page, withdrawals, (rows) =>
        rows.map((row, index) => ({
          ...row,
          status: statuses[index % statuses.length],
          processedAt: '2026-11-20T03:04:05.000Z',
        })),
      ),
    steps: (page, { myLoan }) => press(page, myLoan.all(String(many))),
  }),
  state('the longest names and amounts', path, ({ withdrawal }) => withdrawal.returned, {
    who: longest,
    before: (page) =>
      alter<object[]>(page, withdrawals, () => [
        {
          id: 1,
          userId: longest.id,
          withdrawalNumber: 'WD-2026-000001',
          amount: '999999999.99',
          bankName,
          bankAccountNumber: '1234567890'.repeat(4),
          status: 'rejected',
          createdAt: '2026-11-20T03:04:05.000Z',
          processedAt: null,
        },
      ]),
    steps: (page, { payment }) => press(page, payment.showBalance),
  }),
];

const applications = [...(['denied', 'account_issue', 'active'] as const), 'W'.repeat(40)].map((status) =>
  state(status, path, ({ loanStatus }) => (loanStatus.words as Record<string, string>)[status] ?? status, {
    who: borrower,
    before: (page) => alter<object[]>(page, loans, (all) => all.map((loan) => ({ ...loan, status }))),
  }),
);

const besides = [
  state('all messages of many', path, ({ shell }) => shell.messages, {
    who: regular,
    steps: async (page, words) => {
      const all = page.getByRole('region', { name: words.messages.latest }).getByRole('button');
      await all.click();
    },
  }),
  state('the longest message among all', path, ({ shell }) => shell.messages, {
    who: longest,
    steps: async (page, words) => {
      const all = page.getByRole('region', { name: words.messages.latest }).getByRole('button');
      await all.click();
    },
  }),
  state('nothing to withdraw', path, ({ withdrawal }) => withdrawal.unavailable, {
    who: newcomer,
    steps: async (page, { withdrawal, errors }) => {
      await press(page, withdrawal.start);
      await keepToast(page, errors.insufficient_funds);
    },
  }),
];

describe('the wallet', () => sweep(browser, lists));
describe('an application', () => sweep(browser, applications));
describe('besides', () => sweep(browser, besides));
