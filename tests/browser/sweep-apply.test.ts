import type { Page } from 'playwright-core';
import type { Wording } from '#contract/wording/en.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { field, holdBack, lostAnswer } from './screen.ts';
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

const borrower = await server.verifiedBorrower();
const formChunk = '**/assets/apply-form-*.js';
const send = '**/api/loans';
const quote = '**/api/loans/quote';

/** The dialog of who may apply; /dashboard opens it. */
const dialog = (name: string, rest: Omit<State, 'name' | 'path' | 'who'>): State => ({
  name,
  path: '/dashboard',
  who: borrower,
  ...rest,
});

async function fill(
  page: Page,
  { apply }: Wording,
  { amount = '150000', purpose = 'A sewing machine' } = {},
) {
  await field(page, apply.exactAmount).fill(amount);
  await field(page, apply.purpose).fill(purpose);
}

async function review(page: Page, words: Wording, typed?: { amount: string; purpose: string }) {
  await fill(page, words, typed);
  await press(page, words.apply.review);
  await page.getByRole('button', { name: words.apply.submit }).waitFor();
}

const reviewed =
  (prepare?: (page: Page) => Promise<unknown>) =>
  async (page: Page, words: Wording): Promise<void> => {
    await review(page, words);
    await prepare?.(page);
    await press(page, words.apply.submit);
  };

sweep(browser, [
  dialog('the form is on its way', {
    before: (page) => holdBack(page, formChunk),
    shows: ({ apply }) => apply.loading,
  }),
  dialog('the form cannot be fetched', {
    expects: [/ERR_FAILED/, /Failed to fetch dynamically imported module/],
    before: (page) => page.route(formChunk, (route) => route.abort()),
    shows: ({ shell }) => shell.pageFailed,
  }),
  dialog('the form', { shows: ({ apply }) => apply.purposeHint }),
  dialog('the form with everything wrong', {
    steps: async (page, { apply }) => {
      await field(page, apply.exactAmount).fill('1');
      await page.getByRole('spinbutton').fill('70');
      await press(page, apply.review);
    },
    shows: ({ validation }) => validation.purposeRequired,
  }),
  dialog('the form with the most there is', {
    steps: async (page, words) => {
      await fill(page, words, { amount: '2000000', purpose: 'Purposeful'.repeat(50) });
      await page.getByRole('spinbutton').fill('48');
    },
    shows: () => '₱91,666.67',
  }),
  dialog('while it is priced', {
    before: (page) => holdBack(page, quote),
    steps: async (page, words) => {
      await fill(page, words);
      await press(page, words.apply.review);
    },
    shows: ({ apply }) => apply.review,
  }),
  dialog('the review', {
    steps: (page, words) => review(page, words),
    shows: ({ apply }) => apply.reviewTitle,
  }),
  dialog('the review of a long purpose', {
    steps: async (page, words) => {
      await review(page, words, { amount: '2000000', purpose: 'Purposeful'.repeat(50) });
      for (const fold of await page.getByRole('dialog').locator('summary').all()) await fold.click();
    },
    shows: () => /^(Purposeful){50}$/,
  }),
  dialog('while it is sent', {
    steps: reviewed((page) => holdBack(page, send)),
    shows: ({ apply }) => apply.submitting,
  }),
  dialog('while its answer is looked for', {
    expects: [lostAnswer],
    before: keepChecking,
    steps: reviewed((page) => loseAnswerOnce(page, send)),
    shows: ({ shell }) => shell.checking,
  }),
  dialog('its answer could not be found', {
    expects: [lostAnswer],
    before: (page) => page.clock.install(),
    steps: async (page, words) => {
      await reviewed(() => loseAnswerOnce(page, send))(page, words);
      await fastForwardUntil(page, words.shell.unsettled);
    },
    shows: ({ shell }) => shell.unsettled,
  }),
  dialog('while it is priced anew', {
    expects: [/status of 409/],
    steps: async (page, words) => {
      const refusal = { message: words.errors.quote_changed, code: 'quote_changed' };
      await reviewed(async () => {
        await holdBack(page, quote);
        await page.route(send, (route) => route.fulfill({ status: 409, json: refusal }));
      })(page, words);
      await keepToast(page, words.apply.failed);
    },
    shows: ({ errors }) => errors.quote_changed,
  }),
  dialog('refused', {
    expects: [/status of 429/],
    steps: async (page, words) => {
      const refusal = { message: 'Please wait a little.', code: 'too_many_tries' };
      await reviewed(() => page.route(send, (route) => route.fulfill({ status: 429, json: refusal })))(
        page,
        words,
      );
      await keepToast(page, words.apply.failed);
    },
    shows: ({ apply }) => apply.failed,
  }),
]);
