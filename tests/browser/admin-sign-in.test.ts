import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import {
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  hasFocus,
  tabTo,
} from '#tests/setup/browser-checks.ts';
import { takePictures } from '#tests/setup/pictures.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { descriptionOf, expectToast, field, holdBack, storedToken } from './screen.ts';
import { expectReadable } from './staff.ts';

const { server, browser } = await listeningServer();

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

const panelNavigation = (page: Page) => page.getByRole('navigation', { name: 'Admin' });

describe('the sign-in of staff', () => {
  it('has its two headings and opens the panel with a toast', async () => {
    const page = await browser.open('/admin-login', { screen: 'desktop' });
    await page.getByRole('heading', { name: 'Admin Portal' }).waitFor();
    await page.getByRole('heading', { name: 'Administrator Login' }).waitFor();
    const answer = await holdBack(page, '**/api/auth/login');
    await signIn(page, 'admin', mainAdminPassword);
    const waiting = page.getByRole('button', { name: 'Signing in...' });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    answer();
    await page.waitForURL('/management');
    await expectToast(page, 'Admin login successful');
    await panelNavigation(page).waitFor();
    const entries = await panelNavigation(page).getByRole('listitem').allTextContents();
    expect(entries).toEqual([
      ...['Today', 'Take payment', 'Members', 'Borrowing List', 'Withdrawal List', 'Payments', 'Collections'],
      ...['Approvals', 'Complaints', 'Reports', 'Settings', 'Audit', 'Logout'],
    ]);
  });

  it('asks for both fields, and goes to the first that is empty', async () => {
    const page = await browser.open('/admin-login', { screen: 'desktop' });
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await soon(() => descriptionOf(field(page, 'Username'))).toContain('Username is required');
    await soon(() => descriptionOf(field(page, 'Password'))).not.toBe('');
    expect(await hasFocus(field(page, 'Username'))).toBe(true);
    expect(await field(page, 'Username').getAttribute('required')).not.toBe(null);
    expect(await field(page, 'Password').getAttribute('required')).not.toBe(null);
  });

  it('tells a failure in an alert and in a toast, and keeps the name', async () => {
    const page = await browser.open('/admin-login', { screen: 'desktop', expects: [/status of 401/] });
    await signIn(page, 'admin', 'not the password');
    await page.getByRole('main').getByRole('alert').getByText('Please check your credentials').waitFor();
    await expectToast(page, 'Error', 'Please check your credentials');
    expect(await field(page, 'Username').inputValue()).toBe('admin');
    expect(await hasFocus(field(page, 'Password'))).toBe(true);
    await signIn(page, 'admin', mainAdminPassword);
    await page.waitForURL('/management');
  });

  it('refuses a borrower, whose password is right', async () => {
    const { phone, password } = await server.registerBorrower();
    const page = await browser.open('/admin-login', { screen: 'desktop', expects: [/status of 403/] });
    await signIn(page, phone, password);
    await expectToast(page, 'Error', 'Access denied');
    expect(await storedToken(page)).toBe(null);
  });

  it('leads customers to their own sign-in', async () => {
    const page = await browser.open('/admin-login', { screen: 'desktop' });
    await page.getByRole('link', { name: 'Customer login' }).click();
    await page.waitForURL('/login');
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
  });

  it.runIf(isTorture)('works from the keyboard alone, and the sign-out leads back', async () => {
    const page = await browser.open('/admin-login', { screen: 'desktop' });
    await field(page, 'Username').waitFor();
    await tabTo(page, field(page, 'Username'));
    await page.keyboard.type('admin');
    await tabTo(page, field(page, 'Password'));
    await page.keyboard.type(mainAdminPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('/management');
    const logout = panelNavigation(page).getByRole('button', { name: 'Logout' });
    await logout.waitFor();
    await tabTo(page, logout);
    await page.keyboard.press('Enter');
    await page.waitForURL('/admin-login');
    await expectToast(page, 'You have been logged out successfully');
    expect(await storedToken(page)).toBe(null);
  });

  it.each(sampleOf(['light', 'dark'] as const, 2))('is readable when it is %s', async (colorScheme) => {
    for (const screen of ['desktop', 'small'] as const) {
      const page = await browser.open('/admin-login', { screen, colorScheme, expects: [/status of 401/] });
      await signIn(page, 'admin', 'not the password');
      await page.getByRole('main').getByRole('alert').waitFor();
      await expectNoAxeViolations(page);
      await expectNoSidewaysScroll(page);
      if (colorScheme === 'light') await takePictures(page, 'borrower', 'en');
    }
  });
});

describe('the way into the panel', () => {
  const routes = [
    '/management',
    '/management/members',
    '/management/borrowing',
    '/management/withdrawal',
    '/management/settings',
    '/management/audit',
  ];

  it.each(sampleOf(routes, 6))('%s is closed to visitors, with a link to the sign-in', async (route) => {
    const page = await browser.open(route, { screen: 'desktop' });
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    expect(await panelNavigation(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Admin login' }).click();
    await page.waitForURL('/admin-login');
  });

  it('is closed to borrowers, who never load any of it', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/management/members');
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    expect(asked.filter((url) => url.includes('/api/admin/'))).toEqual([]);
    expect(asked.filter((url) => /\/panel-|members-page/.test(url))).toEqual([]);
    await takePictures(page, 'borrower', 'en');
    await expectNoAxeViolations(page);
    await expectNoSidewaysScroll(page);
  });

  it('keeps the audit log to the main admin', async () => {
    const { token } = await server.createAdmin();
    const page = await browser.open('/management/audit', { screen: 'desktop', token });
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    await page.getByText('Only the main admin can read the audit log.').waitFor();
    expect(await page.getByText('Sign in with a staff account').count()).toBe(0);
    expect(await panelNavigation(page).getByRole('link', { name: 'Audit' }).count()).toBe(0);
  });

  it('asks staff on the borrower’s pages over to the panel, and notes that it is for desktops', async () => {
    const page = await browser.open('/loan-app', { token: await server.signInMainAdmin() });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByText('The admin panel is for desktop only').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Open the admin panel' }).click();
    await page.waitForURL('/management');
    await panelNavigation(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(1024);
  });
});

describe('staff whose session is over', () => {
  it('read so where they wanted to go, and on the sign-in page', async () => {
    const borrower = await server.registerBorrower();
    await borrower.signOut();
    const page = await browser.open('/management', {
      screen: 'desktop',
      token: borrower.token,
      expects: [/status of 401/],
    });
    await page.getByText('Your session has ended. Please sign in to go on.').waitFor();
    await page.getByRole('link', { name: 'Admin login' }).click();
    await page.getByRole('heading', { name: 'Admin Portal' }).waitFor();
    await page.getByText('Your session has ended. Please sign in to go on.').waitFor();
  });
});

describe('an unknown address', () => {
  it('below the panel is a 404 inside it', async () => {
    const page = await browser.visit({
      screen: 'desktop',
      token: await server.signInMainAdmin(),
      expects: [/status of 404.*management\/nowhere/],
    });
    expect((await page.goto('/management/nowhere'))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('404').waitFor();
    await panelNavigation(page).waitFor();
    await expectReadable(page);
  });

  it.each(sampleOf(['/nowhere', '/loan-app/more', '/admin', '/index.html'], 4))(
    '%s is a 404 with a way back',
    async (path) => {
      const page = await browser.visit({ expects: [new RegExp(`status of 404.*${path}`)] });
      expect((await page.goto(path))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByText('404', { exact: true }).waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await page.getByRole('heading', { name: /^Borrow up to/ }).waitFor();
    },
  );
});
