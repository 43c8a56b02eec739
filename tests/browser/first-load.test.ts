import { describe, expect, it } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { expectToast, field, holdBack } from './screen.ts';

const { server, browser } = await listeningServer();

const credentials = { phone: '0917 555 0100', password: 'bangka sa dagat' };
const rules = /\/assets\/account-(?!words-|exists-)[^/]+\.js$/;

describe('the sign-in screen', () => {
  it('is there before its rules, and waits for them with a submit', async () => {
    const page = await browser.visit();
    const release = await holdBack(page, rules);
    await page.goto('/app-login');
    await field(page, 'Phone number').fill('0917');
    await field(page, 'Password').fill(credentials.password);
    let asked = false;
    await page.route('**/api/auth/login', (route) => {
      asked = true;
      return route.abort();
    });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const waiting = page.getByRole('button', { name: 'Please wait...' });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);

    release();
    await page.getByText('Phone number is required').waitFor();
    expect(await hasFocus(field(page, 'Phone number'))).toBe(true);
    expect(asked).toBe(false);
  });

  it('lets the server judge where they cannot be fetched', async () => {
    await server.registerBorrower(credentials);
    const page = await browser.visit({ expects: [/ERR_FAILED/, /status of 400/] });
    await page.route(rules, (route) => route.abort());
    await page.goto('/app-login');
    await field(page, 'Phone number').fill('0917');
    await field(page, 'Password').fill(credentials.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Phone number is required').first().waitFor();

    await field(page, 'Phone number').fill(credentials.phone);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/loan-app');
  });
});

describe('before the app runs', () => {
  const identity = 'SEC Registration No.';

  const arrivals = [
    { who: 'a visitor', path: '/app-login', sees: 'User sign in or register' },
    { who: 'a visitor', path: '/app-login?register=true', sees: 'Create Account' },
    { who: 'a visitor', path: '/loan-app' },
    { who: 'a borrower', path: '/loan-app', sees: identity },
    { who: 'a borrower', path: '/wallet', sees: identity },
    { who: 'a borrower', path: '/app-login' },
    { who: 'a borrower', path: '/no-such-page' },
    { who: 'a reader of Filipino', path: '/app-login' },
    { who: 'a member of staff', path: '/management', sees: 'Borrowing List' },
    { who: 'a member of staff', path: '/management/today', sees: 'Today' },
    { who: 'a visitor', path: '/management' },
  ];
  it.each(sampleOf(arrivals, 2))('$who sees at $path: $sees', async ({ who, path, sees }) => {
    const token =
      who === 'a borrower'
        ? (await server.registerBorrower()).token
        : who === 'a member of staff'
          ? await server.signInMainAdmin()
          : undefined;
    const page = await browser.visit({ token, expects: [/404/] });
    if (who === 'a reader of Filipino')
      await page.addInitScript(() => localStorage.setItem('language', 'fil'));
    const release = await holdBack(page, /\/assets\/app-[^/]+\.js$/);
    await page.goto(path, { waitUntil: 'commit' });
    const first = page.locator('#first-sight');
    if (sees) {
      await first.getByText(sees).last().waitFor();
      expect(await first.evaluate((element) => element.matches('[inert][aria-hidden=true]'))).toBe(true);
      expect(await first.locator('input, button, h1').count()).toBe(0);
      // The scripts go first.
      const files = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => name),
      );
      expect(files.filter((file) => file.endsWith('.woff2'))).toEqual([]);
    } else {
      await page.locator('#root').waitFor({ state: 'attached' });
      expect(await first.isVisible()).toBe(false);
    }
    release();
    await page.locator('#root h1').first().waitFor({ state: 'attached' });
    await soon(() => first.count()).toBe(0);
  });

  it('somebody signed in waits for a page that is drawn once, with what it reads', async () => {
    const { token } = await server.verifiedBorrower();
    const page = await browser.visit({ token });
    await page.addInitScript(() => {
      const { setTimeout: start } = window;
      // On a machine that is never slow no skeleton is drawn: it comes only after a second.
      Object.assign(window, {
        setTimeout: (run: () => void, ms: number) => start(run, ms === 1_000 ? 60_000 : ms),
        drawn: [],
      });
      new MutationObserver(() => {
        const text = document.querySelector('#root main')?.textContent;
        if (text) Object(window).drawn.push(text);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/loan-app');
    await page.getByText('No active loans').waitFor();
    const [first] = await page.evaluate(() => Object(window).drawn);
    expect(first).toContain('No active loans');
  });
});

describe('what a page loads', () => {
  const textOf = async (address: string) => (await fetch(server.origin + address)).text();

  it('is named in the page, so that no script waits for another to tell of it', async () => {
    const html = await textOf('/loan-app');
    const [, listed = ''] = /id="page-scripts">(.*?)<\/script>/.exec(html) ?? [];
    const inPage = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].flatMap(
      ([, file = '']) => file,
    );
    const beside: Record<string, string[]> = JSON.parse(listed);
    for (const [what, files] of Object.entries(beside)) {
      const named = new Set([...inPage, ...files]);
      for (const file of named) {
        const answer = await fetch(server.origin + file);
        expect([answer.status, answer.headers.get('cache-control')], file).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
        const imported = [...(await answer.text()).matchAll(/(?:from|import)"\.\/([^"]+)"/g)];
        const unnamed = imported.map(([, name]) => `/assets/${name}`).filter((name) => !named.has(name));
        expect(unnamed, `${what}: ${file}`).toEqual([]);
      }
    }
    expect(new Set([...inPage, ...(beside['/loan-app'] ?? [])]).size).toBe(5);
    // The parts that its dialogs need come after it.
    expect(beside['/wallet']?.filter((file) => /\/(?:account|both|pages)-/.test(file))).toEqual([]);
  });

  it('is on Home nothing that nobody opened, and comes when somebody reaches for it', async () => {
    const { token } = await server.verifiedBorrower();
    const page = await browser.visit({ token });
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.clock.install();
    await page.goto('/loan-app');
    const apply = page.getByRole('button', { name: 'Apply for a loan', exact: true });
    await apply.waitFor();
    await page.getByRole('heading', { name: 'Currency converter' }).waitFor();
    await page.clock.runFor(60_000);
    const later = /\/(?:toaster|apply-dialog|apply-form|pages|account)-/;
    expect(fetched.filter((file) => later.test(file))).toEqual([]);
    await apply.hover();
    await soon(() => fetched.some((file) => file.includes('/apply-form-'))).toBe(true);
  });

  it('begins on the landing page for somebody about to register, who then waits for no script', async () => {
    const page = await browser.visit();
    const fetched = new Set<string>();
    const run = new Set<string>();
    page.on('request', (request) => {
      const kinds: Record<string, Set<string>> = { fetch: fetched, script: run };
      kinds[request.resourceType()]?.add(new URL(request.url()).pathname);
    });
    await page.goto('/');
    await soon(() => fetched.size).toBeGreaterThan(3);
    run.clear();
    await page.getByRole('link', { name: 'Register', exact: true }).first().click();
    await field(page, 'Phone number').fill('0917');
    const first = [...run].slice(0, fetched.size);
    expect(first.sort()).toEqual([...fetched].sort());
  });

  it('waits for a touch where a visitor saves data', async () => {
    const page = await browser.visit();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') fetched.push(request.url());
    });
    await page.goto('/');
    const register = page.getByRole('link', { name: 'Register', exact: true }).first();
    await register.waitFor();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(fetched).toEqual([]);
    await register.focus();
    await soon(() => fetched.length).toBeGreaterThan(3);
  });

  it('is for the text of the landing page nothing but the page', async () => {
    const html = await textOf('/');
    expect(html.match(/<style>/g)).not.toBeNull();
    expect(html.match(/rel="(?:stylesheet|preload)"/g)).toBeNull();
    expect(html.match(/<script[^>]*>/g)).toEqual([expect.stringContaining('type="module"')]);
  });
});

describe('notices', () => {
  it('have their place, reached by its key, before there is one and from the first key on', async () => {
    const { token } = await server.registerBorrower(credentials);
    const page = await browser.open('/loan-app', { token, screen: 'desktop' });
    const place = page.getByRole('region', { name: 'Notifications (F8)' });
    await page.getByRole('button', { name: 'Open menu' }).waitFor();
    await page.keyboard.press('Tab');
    await place.waitFor({ state: 'attached' });
    await page.keyboard.press('F8');
    expect(await hasFocus(place.getByRole('list'))).toBe(true);
  });

  it('wait for what draws them', async () => {
    const { token } = await server.registerBorrower(credentials);
    const page = await browser.visit({ token });
    const release = await holdBack(page, '**/assets/toaster-*.js');
    await page.goto('/loan-app');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'User sign in or register' }).waitFor();
    release();
    await expectToast(page, 'You have been logged out successfully');
  });
});
