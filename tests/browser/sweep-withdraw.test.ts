import type { Page } from 'playwright-core';
import { en, type Wording } from '#contract/wording/en.ts';
import { soon } from '#tests/setup/browser.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, field, holdBack, lostAnswer, outOfReach } from './screen.ts';
import {
  fastForwardUntil,
  keepChecking,
  keepToast,
  loseAnswerOnce,
  press,
  type State,
  sweep,
} from './sweep.ts';

const { server, browser } = await standingServer();

const bankName = 'Longbankname'.repeat(5);
const borrower = await server.verifiedBorrower({ bankName, bankAccountNumber: '1234567890'.repeat(4) });
await server.fund(borrower.id, '999999999.99');
await server.setCode(borrower.id, '482913');

const send = '**/api/withdrawals';
const codeRequest = '**/api/withdrawals/code-request';

/** A dialog over the wallet of who has money in it. */
const dialog = (name: string, rest: Omit<State, 'name' | 'path' | 'who'>): State => ({
  name,
  path: '/wallet',
  who: borrower,
  ...rest,
});

async function openFunds(page: Page, { withdrawal }: Wording): Promise<void> {
  await press(page, withdrawal.start);
  await page.getByRole('dialog', { name: withdrawal.title }).waitFor();
}

async function openCode(page: Page, words: Wording): Promise<void> {
  await openFunds(page, words);
  await field(page, words.withdrawal.amount).fill('888888888.88');
  await press(page, words.withdrawal.continue);
  await page.getByRole('dialog', { name: words.withdrawal.codeTitle }).waitFor();
}

/** Sends the code of an ordinary amount, after what may be done to the request. */
const sent =
  (prepare: (page: Page) => Promise<unknown>) =>
  async (page: Page, words: Wording): Promise<void> => {
    await openCode(page, words);
    // The list behind it is read under the same address.
    await page.getByText(words.withdrawal.none).waitFor({ state: 'attached' });
    await prepare(page);
    await field(page, words.withdrawal.code).fill('111111');
    await press(page, words.withdrawal.confirm);
  };

sweep(browser, [
  dialog('the amount', { steps: openFunds, shows: ({ withdrawal }) => withdrawal.toProfile }),
  dialog('the amount, with the balance shown and another bank', {
    steps: async (page, words) => {
      await press(page, words.payment.showBalance);
      await openFunds(page, words);
      await field(page, words.verification.pieces.bankName).fill('Another bank');
    },
    shows: ({ withdrawal }) => withdrawal.toOther,
  }),
  dialog('the amount with everything wrong', {
    steps: async (page, words) => {
      await openFunds(page, words);
      await field(page, words.withdrawal.amount).fill('1');
      await field(page, words.verification.pieces.bankName).fill('');
      await field(page, words.verification.pieces.bankAccountNumber).fill('1');
      await press(page, words.withdrawal.continue);
    },
    shows: ({ validation }) => validation.bankAccountNumberRequired,
  }),
  dialog('more than there is', {
    steps: async (page, words) => {
      await openFunds(page, words);
      await field(page, words.withdrawal.amount).fill('1,000,000,000');
      await press(page, words.withdrawal.continue);
      await keepToast(page, words.errors.insufficient_funds);
    },
    shows: ({ withdrawal }) => withdrawal.unavailable,
  }),
  dialog('the code', { steps: openCode, shows: ({ withdrawal }) => withdrawal.codeHint }),
  dialog('a code was asked for', {
    before: (page) =>
      page.route(codeRequest, (route) => route.fulfill({ status: 202, json: { message: '' } })),
    steps: async (page, words) => {
      await press(page, words.payment.showBalance);
      await openCode(page, words);
      await press(page, words.withdrawal.requestCode);
    },
    shows: ({ withdrawal }) => withdrawal.codeRequested,
  }),
  dialog('a code was asked for a moment ago', {
    expects: [/status of 429/],
    before: (page) =>
      page.route(codeRequest, (route) =>
        route.fulfill({
          status: 429,
          json: { message: en.errors.code_already_requested, code: 'code_already_requested' },
        }),
      ),
    steps: async (page, words) => {
      await openCode(page, words);
      await press(page, words.withdrawal.requestCode);
    },
    shows: ({ withdrawal }) => withdrawal.orCall,
  }),
  dialog('the code, while nobody knows the balance', {
    expects: [outOfReach],
    steps: async (page, words) => {
      await openFunds(page, words);
      await breakDown(page, '**/api/user/profile');
      await field(page, words.withdrawal.amount).fill('888888888.88');
      await press(page, words.withdrawal.continue);
    },
    shows: ({ withdrawal }) => withdrawal.leftUnknown,
  }),
  dialog('half a code', {
    steps: async (page, words) => {
      await openCode(page, words);
      await field(page, words.withdrawal.code).fill('314');
      await press(page, words.withdrawal.confirm);
    },
    shows: ({ validation }) => validation.otpSixDigits,
  }),
  dialog('a wrong code', {
    expects: [/status of 400/],
    steps: async (page, words) => {
      await sent(async () => undefined)(page, words);
      await keepToast(page, words.withdrawal.failed);
      await soon(() => page.locator('[aria-invalid=true]').count()).toBe(1);
    },
    shows: ({ errors }) => errors.invalid_otp,
  }),
  dialog('while it is sent', {
    steps: sent((page) => holdBack(page, send)),
    shows: ({ session }) => session.pleaseWait,
  }),
  dialog('while its answer is looked for', {
    expects: [lostAnswer],
    before: keepChecking,
    steps: sent((page) => loseAnswerOnce(page, send)),
    shows: ({ shell }) => shell.checking,
  }),
  dialog('its answer could not be found', {
    expects: [lostAnswer],
    before: (page) => page.clock.install(),
    steps: async (page, words) => {
      await sent(() => loseAnswerOnce(page, send))(page, words);
      await fastForwardUntil(page, words.shell.unsettled);
    },
    shows: ({ shell }) => shell.unsettled,
  }),
]);
