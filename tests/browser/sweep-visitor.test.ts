import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import type { Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { testBrowser } from '#tests/setup/browser.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { changeMember } from './borrower.ts';
import { breakDown, field, holdBack, outOfReach, toastRegion } from './screen.ts';
import { keepToast, press, type State, sweep } from './sweep.ts';

const server = await standingServer();
const browser = await testBrowser(server.origin);

const borrower = await server.registerBorrower({ phone: '0917 555 0100' });
const suspended = await server.registerBorrower({ phone: '0917 555 0101' });
await changeMember(server, suspended, { status: 'suspended' });
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

const landing: State[] = [
  {
    name: 'as it stands',
    path: '/',
    steps: (page) => page.getByRole('slider').waitFor(),
    shows: (words) => words.landing.headline,
  },
  {
    name: 'in Filipino by its address',
    path: '/?lang=fil',
    steps: (page) => page.getByRole('slider').waitFor(),
    shows: () => fil.landing.headline,
  },
  {
    name: 'the languages',
    path: '/',
    steps: (page, { shell }) => press(page, shell.language),
    shows: ({ shell }) => shell.filipino,
  },
  {
    name: 'the last slide, the most months',
    path: '/',
    steps: async (page, { carousel, landing: words }) => {
      await press(page, carousel.goTo(3, carousel.slides.flexible.title));
      await page.getByRole('slider').fill('2000000');
      await page.getByText(words.cost.months(48), { exact: true }).click();
    },
    shows: () => '₱91,666.67',
  },
];

const signingIn: State[] = [
  ...['/app-login', '/login', '/wallet'].map((path) => ({
    name: `${path} of a visitor`,
    path,
    shows: ({ session }: Wording) => session.signInTitle,
  })),
  {
    name: 'with everything wrong',
    path: '/app-login',
    steps: (page, { session }) => press(page, session.signIn),
    shows: ({ validation }) => validation.passwordTooShort,
  },
  {
    name: 'while it is sent',
    path: '/app-login',
    before: (page) => holdBack(page, signIn),
    steps: (page, words) => signInAs(page, words, borrower.phone, borrower.password),
    shows: ({ session }) => session.pleaseWait,
  },
  {
    name: 'with the wrong password',
    path: '/app-login',
    expects: [/status of 401/],
    steps: async (page, words) => {
      await signInAs(page, words, borrower.phone, 'not the password');
      await keepToast(page, words.session.loginFailed);
    },
    shows: ({ errors }) => errors.invalid_credentials,
  },
  {
    name: 'suspended',
    path: '/app-login',
    expects: [/status of 403/],
    steps: async (page, words) => {
      await signInAs(page, words, suspended.phone, suspended.password);
      await keepToast(page, words.session.suspendedTitle);
    },
    shows: ({ errors }) => errors.account_suspended,
  },
  {
    name: 'without a connection',
    path: '/app-login',
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
    shows: ({ shell }) => shell.offline,
  },
  {
    name: 'the side menu',
    path: '/app-login',
    steps: (page, { shell }) => press(page, shell.openMenu),
    shows: ({ shell }) => shell.login,
  },
];

const registering: State[] = [
  { name: 'empty', path: '/app-login?register=true', shows: ({ session }) => session.registerTitle },
  {
    name: 'with everything wrong',
    path: '/app-login?register=true',
    steps: async (page, { session }) => {
      await field(page, session.email).fill('me@home');
      await press(page, session.createAccount);
    },
    shows: ({ validation }) => validation.emailInvalid,
  },
  {
    name: 'with a phone that has an account',
    path: '/app-login?register=true',
    expects: [/status of 409/],
    steps: (page, words) => registerAs(page, words, borrower.phone),
    shows: ({ session }) => session.existsText,
  },
];

const elsewhere: State[] = [
  {
    name: 'nothing at this address',
    path: '/nowhere',
    expects: [/status of 404/],
    shows: ({ notFound }) => notFound.text,
  },
  { name: 'the panel', path: '/management', shows: ({ accessDenied }) => accessDenied.title },
  { name: 'staff', path: '/profile', who: staff, shows: ({ session }) => session.staffTitle },
  {
    name: 'starting',
    path: '/wallet',
    who: borrower,
    before: (page) => holdBack(page, profile),
    shows: ({ shell }) => shell.loading,
  },
  {
    name: 'the account is out of reach',
    path: '/wallet',
    who: borrower,
    expects: [outOfReach],
    before: (page) => breakDown(page, profile),
    shows: ({ shell }) => shell.startFailed,
  },
  {
    name: 'a page that cannot be fetched',
    path: '/wallet',
    who: borrower,
    expects: [/ERR_FAILED/, /dynamically imported module/],
    before: (page) => page.route('**/assets/wallet-page-*.js*', (route) => route.abort()),
    shows: ({ shell }) => shell.pageFailed,
  },
];

describe('the landing page', () => sweep(browser, landing));
describe('signing in', () => sweep(browser, signingIn));
describe('registering', () => sweep(browser, registering));
describe('elsewhere', () => sweep(browser, elsewhere));
