import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import type { Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, field, holdBack, outOfReach, toastRegion } from './screen.ts';
import { keepToast, press, state, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const borrower = await server.registerBorrower({ phone: '0917 555 0100' });
const suspended = await server.registerBorrower({ phone: '0917 555 0101' });
await server.main.updateMember(suspended.id, { status: 'suspended' });
const staff = { token: await server.signInMainAdmin() };

const signIn = '**/api/auth/login';
const profile = '**/api/user/profile';

async function signInAs(page: Page, { session }: Wording, phone: string, password: string): Promise<void> {
  await field(page, session.phone).fill(phone);
  await field(page, session.password).fill(password);
  await press(page, session.signIn);
}

async function registerAs(page: Page, { session }: Wording, phone: string): Promise<void> {
  await field(page, session.fullName).fill('Luningning Reyes');
  await field(page, session.phone).fill(phone);
  await field(page, session.password).fill('another password');
  await press(page, session.createAccount);
}

const landing = [
  state('as it stands', '/', (words) => words.landing.headline, {
    steps: (page) => page.getByRole('slider').waitFor(),
  }),
  state('in Filipino by its address', '/?lang=fil', () => fil.landing.headline, {
    steps: (page) => page.getByRole('slider').waitFor(),
  }),
  state('the languages', '/', ({ shell }) => shell.filipino, {
    steps: (page, { shell }) => press(page, shell.language),
  }),
  state('the last slide, the most months', '/', () => '₱91,666.67', {
    steps: async (page, { carousel, landing: words }) => {
      await press(page, carousel.goTo(3, carousel.slides.flexible.title));
      await page.getByRole('slider').fill('2000000');
      await page.getByText(words.cost.months(48), { exact: true }).click();
    },
  }),
];

const signingIn = [
  ...['/app-login', '/login', '/wallet'].map((path) =>
    state(`${path} of a visitor`, path, ({ session }: Wording) => session.signInTitle),
  ),
  state('with everything wrong', '/app-login', ({ validation }) => validation.passwordTooShort, {
    steps: (page, { session }) => press(page, session.signIn),
  }),
  state('while it is sent', '/app-login', ({ session }) => session.pleaseWait, {
    before: (page) => holdBack(page, signIn),
    steps: (page, words) => signInAs(page, words, borrower.phone, borrower.password),
  }),
  state('with the wrong password', '/app-login', ({ errors }) => errors.invalid_credentials, {
    expects: [/status of 401/],
    steps: async (page, words) => {
      await signInAs(page, words, borrower.phone, 'not the password');
      await keepToast(page, words.session.loginFailed);
    },
  }),
  state('suspended', '/app-login', ({ errors }) => errors.account_suspended, {
    expects: [/status of 403/],
    steps: async (page, words) => {
      await signInAs(page, words, suspended.phone, suspended.password);
      await keepToast(page, words.session.suspendedTitle);
    },
  }),
  state('without a connection', '/app-login', ({ shell }) => shell.offline, {
    expects: [/ERR_INTERNET_DISCONNECTED/],
    steps: async (page, words) => {
      await field(page, words.session.phone).click();
      await page.waitForLoadState('networkidle');
      // The last thing that is fetched without being needed yet.
      await toastRegion(page).waitFor({ state: 'attached' });
      await page.context().setOffline(true);
      await signInAs(page, words, borrower.phone, borrower.password);
      await keepToast(page, words.session.loginFailed);
    },
  }),
  state('the side menu', '/app-login', ({ shell }) => shell.login, {
    steps: (page, { shell }) => press(page, shell.openMenu),
  }),
];

const registering = [
  state('empty', '/app-login?register=true', ({ session }) => session.registerTitle),
  state('with everything wrong', '/app-login?register=true', ({ validation }) => validation.emailInvalid, {
    steps: async (page, { session }) => {
      await field(page, session.email).fill('me@home');
      await press(page, session.createAccount);
    },
  }),
  state(
    'with a phone that has an account',
    '/app-login?register=true',
    ({ accountExists }) => accountExists.text,
    {
      expects: [/status of 409/],
      steps: (page, words) => registerAs(page, words, borrower.phone),
    },
  ),
];

const elsewhere = [
  state('nothing at this address', '/nowhere', ({ notFound }) => notFound.text, {
    expects: [/status of 404/],
  }),
  state('the panel', '/management', ({ accessDenied }) => accessDenied.title),
  state('staff', '/profile', ({ staffHere }) => staffHere.title, { who: staff }),
  state('starting', '/wallet', ({ shell }) => shell.loading, {
    who: borrower,
    before: (page) => holdBack(page, profile),
  }),
  state('the account is out of reach', '/wallet', ({ shell }) => shell.startFailed, {
    who: borrower,
    expects: [outOfReach],
    before: (page) => breakDown(page, profile),
  }),
  state('a page that cannot be fetched', '/wallet', ({ shell }) => shell.pageFailed, {
    who: borrower,
    expects: [/ERR_FAILED/, /dynamically imported module/],
    before: (page) => page.route('**/assets/wallet-page-*.js*', (route) => route.abort()),
  }),
];

describe('the landing page', () => sweep(browser, landing));
describe('signing in', () => sweep(browser, signingIn));
describe('registering', () => sweep(browser, registering));
describe('elsewhere', () => sweep(browser, elsewhere));
