import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { limits } from '#domain/limits.ts';
import { fundedBorrower, withdraw } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectWhole, hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import {
  descriptionOf,
  expectToast,
  field,
  holdBack,
  storedToken,
  toastCount,
  toastRegion,
} from './screen.ts';

const { server, browser } = await listeningServer();

const credentials = { phone: '0917 555 0100', password: 'bangka sa dagat' };
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
}

async function signIn(page: Page, { phone, password } = credentials): Promise<void> {
  await fillIn(page, { 'Phone number': phone, Password: password });
  await signInButton(page).click();
}

/** Every field with what is wrong beside it, in the page's order. */
async function expectMessages(page: Page, messages: Record<string, string>): Promise<void> {
  for (const [name, message] of Object.entries(messages)) {
    await soon(() => descriptionOf(field(page, name))).toContain(message);
    expect(await field(page, name).getAttribute('aria-invalid')).toBe('true');
  }
}

declare global {
  /** In the page: when the token was stored, and when the address changed after that. */
  var moments: { signedInAt?: number; leftAt?: number } | undefined;
}

function noteMoments(): void {
  const moments: NonNullable<typeof globalThis.moments> = {};
  globalThis.moments = moments;
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function store(name, value) {
    if (name === 'token') moments.signedInAt = performance.now();
    setItem.call(this, name, value);
  };
  const { pushState } = History.prototype;
  History.prototype.pushState = function push(...entry) {
    moments.leftAt = performance.now();
    pushState.apply(this, entry);
  };
}

const suspend = (id: number) => server.main.updateMember(id, { status: 'suspended' });

describe('what was changed while one was away', () => {
  it('stands on the first page after signing in, until it was read', async () => {
    const borrower = await server.registerBorrower();
    await server.main.updateMember(borrower.id, { bankName: 'Bank Z', bankAccountNumber: '5554443332221' });
    const page = await browser.open('/app-login', {});
    await signIn(page, borrower);
    const news = page.getByRole('region', { name: en.messages.accessTitle, exact: true });
    await news.getByText(en.notices.bank_details_changed().title, { exact: true }).waitFor();
    await page.reload();
    await news.getByRole('button', { name: en.messages.accessClose }).click();
    await news.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await news.count()).toBe(0);
  });

  it('does not tell of a one-time code that was used since', async () => {
    const borrower = await fundedBorrower(server);
    await server.main.updateMember(borrower.id, { bankName: 'Bank Z', bankAccountNumber: '5554443332221' });
    await withdraw(server, borrower);
    const page = await browser.open('/app-login', {});
    await signIn(page, borrower);
    const news = page.getByRole('region', { name: en.messages.accessTitle, exact: true });
    await news.getByText(en.notices.bank_details_changed().title, { exact: true }).waitFor();
    expect(await news.getByRole('listitem').count()).toBe(1);
  });
});

describe('the two modes', () => {
  it('switches from one to the other and back, with the address, and a reload stays in it', async () => {
    const page = await browser.open('/app-login');
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    expect(await field(page, 'Full name').count()).toBe(0);
    for (const caption of ['CREDIT INFORMATION', 'VERIFIED & SECURED'])
      await page.getByText(caption).waitFor();

    await page.getByRole('link', { name: "Don't have an account? Register" }).click();
    await page.getByRole('heading', { name: 'Create Account' }).waitFor();
    expect(page.url()).toBe(`${server.origin}/app-login?register=true`);
    await page.reload();
    await page.getByRole('heading', { name: 'Create Account' }).waitFor();
    for (const caption of ['CREDIT INFORMATION', 'VERIFIED & SECURED'])
      await page.getByText(caption).waitFor();

    await page.getByRole('link', { name: 'Already have an account? Sign in' }).click();
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    await page.goto('/login');
    await signInButton(page).waitFor();
  });

  it('says beside each field what is wrong with a registration, and goes to the first', async () => {
    const page = await browser.open('/app-login?register=true');
    await fillIn(page, { 'Phone number': '0917', 'Email (optional)': 'me@home', Password: '12345' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expectMessages(page, {
      'Full name': 'Full name is required',
      'Phone number': 'Phone number is required',
      'Email (optional)': 'Valid email is required',
      Password: 'Password must be at least 6 characters',
    });
    expect(await hasFocus(field(page, 'Full name'))).toBe(true);
    await page.keyboard.type('Li');
    await soon(() => descriptionOf(field(page, 'Full name'))).not.toContain('required');
    expect(page.url()).toContain('/app-login');
  });

  it('says the same of a sign-in', async () => {
    const page = await browser.open('/app-login');
    await signIn(page, { phone: '0917 555 0100', password: '12345' });
    await expectMessages(page, { Password: 'Password must be at least 6 characters' });
    expect(await hasFocus(field(page, 'Password'))).toBe(true);
    await signIn(page, { phone: '0917', password: '12345' });
    await expectMessages(page, { 'Phone number': 'Phone number is required' });
    expect(await hasFocus(field(page, 'Phone number'))).toBe(true);
  });
});

describe('signing in', () => {
  it('waits, greets, and half a second later shows the dashboard', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.visit();
    await page.addInitScript(noteMoments);
    await page.goto('/app-login');
    const answer = await holdBack(page, '**/api/auth/login');
    await signIn(page);
    const waiting = page.getByRole('button', { name: 'Please wait...' });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);

    answer();
    await expectToast(page, 'Welcome back!');
    await page.waitForURL('/loan-app');
    await page.getByRole('heading', { name: credentials.phone }).waitFor();
    const { signedInAt = 0, leftAt = 0 } = await page.evaluate(() => globalThis.moments ?? {});
    expect(leftAt - signedInAt).toBeGreaterThanOrEqual(limits.signInRedirectMs);
    expect(leftAt - signedInAt).toBeLessThan(limits.signInRedirectMs + 1_500);
    expect(await storedToken(page)).toMatch(/^\S{20,}$/);
  });

  it('refuses a wrong password in a toast and keeps the phone', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.open('/app-login', { expects: [/status of 401/] });
    await signIn(page, { ...credentials, password: 'not the password' });
    await expectToast(page, 'Login failed', 'Please check your credentials');
    expect(await field(page, 'Phone number').inputValue()).toBe(credentials.phone);
    expect(await hasFocus(field(page, 'Password'))).toBe(true);
    expect(await storedToken(page)).toBe(null);
    await signIn(page);
    await page.waitForURL('/loan-app');
  });

  it('leaves the button uncovered on the smallest phone while its toast is shown', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.open('/app-login', { screen: 'small', expects: [/status of 401/] });
    await signIn(page, { ...credentials, password: 'not the password' });
    await expectToast(page, 'Login failed', 'Please check your credentials');
    const toast = await toastRegion(page).getByRole('listitem').boundingBox();
    const again = await signInButton(page).boundingBox();
    expect(toast?.y).toBeGreaterThan((again?.y ?? 0) + (again?.height ?? 0));
  });

  it('tells a suspended account so in Filipino, though its words arrive last', async () => {
    const borrower = await server.registerBorrower();
    await server.main.updateMember(borrower.id, { status: 'suspended' });
    const page = await browser.visit({ ...borrower, language: 'fil', expects: [/status of 403/] });
    const letWordsCome = await holdBack(page, /\/assets\/fil-/);
    const refused = page.waitForResponse(/\/api\/user\/profile$/);
    await page.goto('/wallet', { waitUntil: 'commit' });
    await refused;
    await page.waitForTimeout(500);
    letWordsCome();
    await expectToast(page, fil.session.suspendedTitle, fil.errors.account_suspended);
  });

  it('says how long to wait after too many tries', async () => {
    const page = await browser.open('/app-login', { expects: [/status of 429/] });
    await page.route('**/api/auth/login', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '125' },
        json: { message: en.errors.too_many_tries, code: 'too_many_tries' },
      }),
    );
    await field(page, 'Phone number').fill('0917 123 4567');
    await field(page, 'Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectToast(page, 'Login failed', 'Too many tries. Please wait 3 minutes and try again.');
  });

  it('keeps what was typed when the server is in trouble, and works when that is over', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.open('/app-login', { expects: [/status of 503/] });
    const message = 'We cannot reach our records right now.';
    await page.route('**/api/auth/login', (route) =>
      route.fulfill({ status: 503, json: { message, code: 'database_unavailable' } }),
    );
    await signIn(page);
    await expectToast(page, 'Login failed');
    expect(await field(page, 'Phone number').inputValue()).toBe(credentials.phone);
    expect(await field(page, 'Password').inputValue()).toBe(credentials.password);
    await page.unroute('**/api/auth/login');
    await signInButton(page).click();
    await page.waitForURL('/loan-app');
  });

  it('says so when there is no connection, and works again when there is', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.open('/app-login', { expects: [/ERR_INTERNET_DISCONNECTED/] });
    await field(page, 'Phone number').click();
    await page.waitForLoadState('networkidle');
    // The last thing that is fetched without being needed yet.
    await toastRegion(page).waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    const banner = page.getByText('You are offline.');
    await banner.waitFor();
    await signIn(page);
    await page.getByText('We could not reach the server.').first().waitFor();
    expect(await field(page, 'Password').inputValue()).toBe(credentials.password);
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'hidden' });
    await signInButton(page).click();
    await page.waitForURL('/loan-app');
  });
});

describe('a forgotten password', () => {
  it.each(sampleOf(['/app-login', '/login', '/wallet'], 3))(
    '%s says whom to call, with what, and what not to tell',
    async (path) => {
      const page = await browser.open(path);
      await tabTo(page, page.getByRole('button', { name: 'Forgot password?' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Forgot password?' });
      await dialog.getByText('The phone number of your account').waitFor();
      await dialog.getByText('Our staff never ask for your password or a one-time code.').waitFor();
      const links = await dialog
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links).toEqual([expect.stringMatching(/^tel:\+?\d+$/), expect.stringMatching(/^mailto:.+@/)]);
      await expectWhole(page);
      await page.keyboard.press('Escape');
      expect(await hasFocus(page.getByRole('button', { name: 'Forgot password?' }))).toBe(true);
    },
  );

  it('of staff is a matter for the main admin', async () => {
    const page = await browser.open('/admin-login');
    await page.getByText('Forgot your password? The main admin can set a new one for you.').waitFor();
  });
});

describe('registering', () => {
  it('offers the sign-in to who has an account, and forgets what was typed then', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.open('/app-login?register=true', { expects: [/status of 409/] });
    await fillIn(page, {
      'Full name': 'Luningning Reyes',
      'Phone number': credentials.phone,
      Password: 'another password',
    });
    const submit = page.getByRole('button', { name: 'Create account' });
    const dialog = page.getByRole('dialog', { name: 'Account Already Exists' });
    await submit.click();
    await dialog.getByText('You already have an account, please login').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await field(page, 'Full name').inputValue()).toBe('Luningning Reyes');

    await submit.click();
    await dialog.getByRole('button', { name: 'Go to Login' }).click();
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    expect(await field(page, 'Phone number').inputValue()).toBe('');
    expect(await field(page, 'Password').inputValue()).toBe('');
    expect(await toastCount(page)).toBe(0);
    await signIn(page);
    await page.waitForURL('/loan-app');
  });

  it('asks for Latin letters while papers cannot print a name, and takes it all the same', async () => {
    const page = await browser.open('/app-login?register=true');
    const hint = page.getByText(
      'Please write it in Latin letters, as on your ID: our papers cannot print this.',
    );
    for (const name of ['مريم أحمد', '王小明', 'Ana 🎉', 'Ana 王']) {
      await field(page, 'Full name').fill(name);
      await hint.waitFor();
      await field(page, 'Full name').fill('Ana Peña');
      await hint.waitFor({ state: 'hidden' });
    }
    await fillIn(page, { 'Full name': '王小明', 'Phone number': '09175550101', Password: 'secret word' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('/loan-app');
  });

  it('says so too where the sign-in was opened while it was sent', async () => {
    const { phone } = await server.registerBorrower();
    const page = await browser.open('/app-login?register=true', { expects: [/status of 409/] });
    const release = await holdBack(page, '**/api/auth/register');
    await fillIn(page, {
      'Full name': 'Luningning Reyes',
      'Phone number': phone,
      Password: 'another password',
    });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Already have an account? Sign in' }).click();
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    release();
    await page.getByRole('dialog', { name: 'Account Already Exists' }).waitFor();
  });

  it('keeps what was typed when the server is in trouble', async () => {
    const page = await browser.open('/app-login?register=true', { expects: [/status of 500/] });
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await fillIn(page, { 'Full name': 'Li', 'Phone number': '09175550111', Password: 'secret words' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expectToast(page, 'Registration failed');
    expect(await field(page, 'Full name').inputValue()).toBe('Li');
    await page.unroute('**/api/auth/register');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('/loan-app');
  });

  it.runIf(isTorture)('works from the keyboard alone', async () => {
    const page = await browser.open('/');
    await tabTo(page, page.getByRole('link', { name: 'Register', exact: true }));
    await page.keyboard.press('Enter');
    const typed = {
      'Full name': 'Luningning Reyes',
      'Phone number': '09175550112',
      'Email (optional)': 'luningning@example.com',
      Password: 'bangka sa dagat',
    };
    await field(page, 'Full name').waitFor();
    for (const [name, text] of Object.entries(typed)) {
      await tabTo(page, field(page, name));
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('/loan-app');
    await expectToast(page, 'Your account has been created!');
  });
});

describe('a session', () => {
  it.each(sampleOf(['/loan-app', '/dashboard', '/wallet', '/profile'], 4))(
    '%s shows the sign-in in its place',
    async (path) => {
      await server.registerBorrower(credentials);
      const page = await browser.open(path);
      await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
      expect(page.url()).toBe(`${server.origin}${path}`);
      await signIn(page);
      await page.waitForURL('/loan-app');
    },
  );

  it('ends at the start when the server does not know its token any more', async () => {
    const page = await browser.open('/wallet', { token: 'a token of long ago', expects: [/status of 401/] });
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    expect(await storedToken(page)).toBe(null);
    await page.getByText('Why you were signed out').waitFor();
  });

  it('says why it ended for as long as it takes to read, when staff changed the password', async () => {
    const { id, token } = await server.registerBorrower(credentials);
    const page = await browser.visit({ token, expects: [/status of 401/] });
    // A read still under way would end the session before anybody presses.
    await page.goto('/loan-app', { waitUntil: 'networkidle' });
    const password = 'set by the staff';
    await server.main.updateMember(id, { password });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expectToast(page, 'Your session has ended', 'Please sign in to go on');
    const why = page.getByText(/when your password is changed, elsewhere or by our staff/);
    await why.waitFor();
    await toastRegion(page).getByRole('button', { name: 'Dismiss' }).click();
    await soon(() => toastCount(page)).toBe(0);
    await expectWhole(page);
    await page.getByRole('link', { name: "Don't have an account? Register" }).click();
    await why.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Already have an account? Sign in' }).click();
    await why.waitFor();
    await signIn(page, { ...credentials, password });
    await page.waitForURL('/loan-app');

    // The keyboard reaches the button; the greeting still lies over it.
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).press('Enter');
    await signInButton(page).waitFor();
    expect(await why.count()).toBe(0);
  });

  it('stays when the server is in trouble at the start, and can be tried again', async () => {
    const { token, phone } = await server.registerBorrower();
    const page = await browser.visit({ token, expects: [/status of 503/] });
    await page.route('**/api/user/profile', (route) =>
      route.fulfill({ status: 503, json: { message: 'x' } }),
    );
    await page.goto('/loan-app');
    await page.getByText('We could not open your account').waitFor();
    expect(await storedToken(page)).toBe(token);
    await page.unroute('**/api/user/profile');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: phone }).waitFor();
  });

  it('ends with the sign-out, here, on the server and in other tabs', async () => {
    const borrower = await server.registerBorrower();
    const page = await browser.open('/loan-app', borrower);
    const otherTab = await page.context().newPage();
    await otherTab.goto('/wallet');
    await otherTab.getByRole('button', { name: 'Show balance' }).waitFor();

    await page.bringToFront();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    await expectToast(page, 'You have been logged out successfully');
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    expect(await storedToken(page)).toBe(null);
    await otherTab.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    await soon(async () => (await borrower.readProfile().answer()).status).toBe(401);

    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Login' }).waitFor();
  });

  it('throws a suspended account out with a notice', async () => {
    const { id, token } = await server.registerBorrower(credentials);
    const page = await browser.visit({ token, expects: [/status of 403/] });
    await page.goto('/loan-app', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await suspend(id);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const sentence = 'Your account has been suspended. Please contact support.';
    await expectToast(page, 'Account Suspended', sentence);
    expect(page.url()).toBe(`${server.origin}/app-login`);
    expect(await storedToken(page)).toBe(null);
    await page.getByText('Our staff have put your account on hold.').waitFor();
    await expectWhole(page);

    await page.reload();
    await signIn(page);
    await expectToast(page, 'Account Suspended', sentence);
    expect(await storedToken(page)).toBe(null);
  });
});
