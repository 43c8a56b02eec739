import type { Page } from 'playwright-core';
import type { Wording } from '#contract/wording/en.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, field, holdBack, outOfReach } from './screen.ts';
import { keepToast, press, type State, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const borrower = await server.registerBorrower();
const leaving = await server.registerBorrower();
/** The request that is held back may go out when its page is closed. */
const asking = await server.registerBorrower();
await leaving.requestDeletion({ password: leaving.password });

const request = '**/api/user/deletion-request';
const archive = '**/api/user/data.zip*';

/** The part of the account about one's own data. */
const ofData = (name: string, rest: Omit<State, 'name' | 'path'>): State => ({
  name,
  path: '/account',
  who: borrower,
  ...rest,
});

/** Sends the request, after what may be done to it. */
const sent =
  (prepare: (page: Page) => Promise<unknown>) =>
  async (page: Page, { privacy }: Wording): Promise<void> => {
    await press(page, privacy.ask);
    await page.getByRole('dialog', { name: privacy.askTitle }).waitFor();
    await field(page, privacy.password).fill('borrower password');
    await prepare(page);
    await press(page, privacy.send);
  };

/** Asks for the copy, with the password. */
async function downloading(page: Page, { privacy }: Wording): Promise<void> {
  await press(page, privacy.download);
  await field(page, privacy.password).fill('borrower password');
  await press(page, privacy.downloadSend);
}

sweep(browser, [
  ofData('the question before the copy', {
    steps: (page, { privacy }) => press(page, privacy.download),
    shows: ({ privacy }) => privacy.downloadText,
  }),
  ofData('whether there is a request is loading', {
    before: (page) => holdBack(page, request),
    shows: ({ privacy }) => privacy.why,
  }),
  ofData('whether there is a request is out of reach', {
    expects: [outOfReach],
    before: (page) => breakDown(page, request),
    shows: ({ privacy }) => privacy.failed,
  }),
  ofData('the copy is on its way', {
    before: (page) => holdBack(page, archive),
    steps: downloading,
    shows: ({ privacy }) => privacy.preparing,
  }),
  ofData('the copy cannot be fetched', {
    expects: [outOfReach],
    before: (page) => breakDown(page, archive),
    steps: async (page, words) => {
      await downloading(page, words);
      await keepToast(page, words.papers.downloadFailed);
    },
    shows: ({ papers }) => papers.downloadFailed,
  }),
  ofData('the question before a request', {
    steps: (page, { privacy }) => press(page, privacy.ask),
    shows: ({ privacy }) => privacy.consequences[0] ?? '',
  }),
  ofData('while a request is sent', {
    who: asking,
    steps: sent((page) => holdBack(page, request)),
    shows: ({ session }) => session.pleaseWait,
  }),
  ofData('a request cannot be sent', {
    expects: [outOfReach],
    steps: async (page, words) => {
      await sent((dialogPage) => breakDown(dialogPage, request))(page, words);
      await keepToast(page, words.shell.requestFailed);
    },
    shows: ({ shell }) => shell.requestFailed,
  }),
  ofData('a request is open', { who: leaving, shows: ({ privacy }) => privacy.takeBack }),
]);
