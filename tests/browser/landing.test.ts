import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { fil } from '#contract/wording/fil.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectNoAxeViolations, expectNoSidewaysScroll, tabTo } from '#tests/setup/browser-checks.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';

const { server, browser } = await listeningServer();

const slides = ['Fast Cash Loans', 'Digital Lending', 'Flexible Terms'];

/** The slide that fills the strip. */
const slideInSight = (page: Page) =>
  page
    .getByRole('region', { name: 'What we offer' })
    .getByRole('list')
    .evaluate((strip) => {
      const middle = strip.getBoundingClientRect().left + strip.clientWidth / 2;
      const inSight = [...strip.children].find((slide) => {
        const { left, right } = slide.getBoundingClientRect();
        return left < middle && middle < right;
      });
      return inSight?.querySelector('h2')?.textContent;
    });

const figure = (page: Page, term: string) =>
  page
    .getByRole('region', { name: 'See the cost first' })
    .locator('dt', { hasText: term })
    .locator('xpath=following-sibling::dd');

describe('on the smallest phone', () => {
  it.each(['en', 'fil'] as const)('breaks no word (%s)', async (language) => {
    const page = await browser.open(`/?lang=${language}`, { screen: 'small', language });
    await soon(() => page.locator('html').getAttribute('lang')).toBe(language);
    const broken = await page.locator('main').evaluate((main) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode: text } = texts;
        if (text.parentElement?.closest('noscript')) continue;
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
          if (new Set(tops).size > 1) found.push(word);
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
    await expectNoSidewaysScroll(page);
  });
});

describe('without JavaScript', () => {
  it('reads whole, from the headline to the sample loans', async () => {
    const page = await browser.visit({ javaScriptEnabled: false });
    expect((await page.goto('/'))?.status()).toBe(200);
    await page.getByRole('heading', { level: 1, name: 'Borrow up to ₱2,000,000' }).waitFor();
    const sentences = [
      ...slides,
      'New client',
      'Online and walk-in process',
      '₱150,000 over 12 months',
      '₱2,000,000 over 48 months',
      'Mobile wallet A',
      'Mobile wallet B',
      'Bank Transfer',
      'Sample lender, not a licensed company',
    ];
    const parts = page.locator('body > *').filter({ visible: true });
    const text = (await parts.allInnerTexts()).join('\n');
    for (const sentence of sentences) expect(text).toContain(sentence);
    expect(text).toMatch(/flexible time management/i);
    expect(text).toMatch(/no processing fees/i);
    expect(text).toMatch(/installments or all at once/i);
    // The two sample loans of §effective-rate in place of the calculator.
    expect(text).toContain('₱16,250.00');
    expect(text).toContain('₱91,666.67');
    expect(await page.getByRole('slider').count()).toBe(0);
    await expectNoSidewaysScroll(page);
  });

  it.each(
    sampleOf(
      [
        { name: 'Register', to: '/app-login?register=true' },
        { name: 'Login', to: '/app-login' },
        { name: 'Request now', to: '/app-login?register=true' },
      ],
      3,
    ),
  )('$name leads to $to', async ({ name, to }) => {
    const page = await browser.open('/', { javaScriptEnabled: false });
    for (const link of await page.getByRole('link', { name, exact: true }).all()) {
      expect(await link.getAttribute('href')).toBe(to);
    }
    await page.getByRole('link', { name, exact: true }).last().click();
    await page.waitForURL(to);
  });

  it('changes to Filipino', async () => {
    const page = await browser.open('/', { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('button', { name: 'Filipino' }).click();
    await page.waitForURL('/?lang=fil');
    await page.getByRole('heading', { level: 1, name: fil.landing.headline }).waitFor();
  });
});

it('has a side menu that opens without script, and closes', async () => {
  const page = await browser.open('/', { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  expect(await menu.getByRole('link').allInnerTexts()).toEqual([
    'Home',
    'Dashboard',
    'My loan',
    'Wallet',
    'Profile',
    'Help',
    'Login',
  ]);
  await menu.getByRole('button', { name: 'Close menu' }).click();
  await menu.waitFor({ state: 'hidden' });
});

it('links to the registry of the regulator in a new view, and to support', async () => {
  const page = await browser.open('/');
  const registry = page.getByRole('link', { name: 'Check with the regulator' });
  expect(await registry.getAttribute('href')).toMatch(/^https:\/\//);
  expect(await registry.getAttribute('target')).toBe('_blank');
  expect(await page.locator('a[href^="tel:"]').count()).toBe(1);
  expect(await page.locator('a[href^="mailto:"]').count()).toBe(1);
});

it('calculates the whole cost where the slider and the months are', async () => {
  const page = await browser.open('/');
  const slider = page.getByRole('slider', { name: 'I need' });
  expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['150000', '2000000']);
  await page.getByText('₱150,000 – ₱2,000,000').waitFor();
  await slider.fill('150000');
  await page.getByText('12 mo', { exact: true }).click();
  await soon(() => figure(page, 'Monthly repayment').textContent()).toBe('₱16,250.00');
  expect(await figure(page, 'Total repayment').textContent()).toBe('₱195,000.00');
  expect(await figure(page, 'Cost of credit').textContent()).toBe('₱45,000.00');
  expect(await figure(page, 'Effective rate').textContent()).toContain('3.67');

  await slider.focus();
  await page.keyboard.press('End');
  await page.getByText('48 mo', { exact: true }).click();
  await soon(() => figure(page, 'Monthly repayment').textContent()).toBe('₱91,666.67');
  expect(await slider.getAttribute('aria-valuetext')).toBe('₱2,000,000');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await soon(() => slider.getAttribute('aria-valuetext')).toBe('₱1,990,000');
});

describe('the carousel', () => {
  it('goes on by itself, loops, and stays where it is once paused', async () => {
    const page = await browser.visit({ moves: true });
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('button', { name: 'Pause the slides' }).waitFor();
    await page.clock.pauseAt(Date.now() + 1_000);
    for (const title of [...slides, slides[0]]) {
      await soon(() => slideInSight(page)).toBe(title);
      const dot = page.getByRole('button', { name: `: ${title}` });
      await soon(() => dot.getAttribute('aria-current')).toBe('true');
      await page.clock.runFor(6_000);
    }
    await soon(() => slideInSight(page)).toBe(slides[1]);

    await page.getByRole('button', { name: 'Pause the slides' }).click();
    await page.getByRole('button', { name: 'Play the slides' }).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.runFor(30_000);
    expect(await slideInSight(page)).toBe(slides[1]);
  });

  it.each(
    sampleOf(
      [
        { name: 'the landing page', path: '/' },
        { name: 'the dashboard', path: '/loan-app' },
      ],
      2,
    ),
  )('on $name rests while it has the focus, even after the pointer has left', async ({ path }) => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token, moves: true });
    await page.clock.install();
    await page.goto(path);
    const dot = page.getByRole('button', { name: 'Slide 1: Fast Cash Loans' });
    await page.getByRole('button', { name: 'Pause the slides' }).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await dot.click();
    await soon(() => slideInSight(page)).toBe(slides[0]);
    await page.getByRole('heading', { level: 1 }).hover();
    await page.clock.runFor(7_000);
    // Longer than a slide takes to move.
    await page.waitForTimeout(1_000);
    expect(await slideInSight(page)).toBe(slides[0]);
    await dot.blur();
    await page.clock.runFor(7_000);
    await soon(() => slideInSight(page)).toBe(slides[1]);
  });

  it('shows the slide whose dot is pressed, and rests from the start for who wants no motion', async () => {
    const page = await browser.open('/');
    await page.getByRole('button', { name: 'Play the slides' }).waitFor();
    await page.getByRole('button', { name: 'Slide 3: Flexible Terms' }).click();
    await soon(() => slideInSight(page)).toBe('Flexible Terms');
    await tabTo(page, page.getByRole('button', { name: 'Play the slides' }));
  });
});

it('keeps the language for the app and for the next visit', async () => {
  const page = await browser.open('/?lang=fil');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('fil');
  await page.getByRole('link', { name: fil.landing.register, exact: true }).click();
  await page.getByRole('heading', { name: fil.session.registerTitle }).waitFor();
  await page.goto('/');
  await page.waitForURL('/?lang=fil');
});

describe('who is signed in', () => {
  it('has the tabs, and can log out from the menu', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await browser.open('/', { token: borrower.token, expects: [/status of 401/] });
    const tabs = page.getByRole('navigation', { name: 'Main' });
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['HOME', 'WALLET', 'PROFILE']);
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    expect(await menu.getByRole('link', { name: 'Login' }).count()).toBe(0);
    await menu.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('/app-login');
    await soon(() =>
      server.call(api.readProfile, { token: borrower.token }).then(({ status }) => status),
    ).toBe(401);
    await page.goto('/');
    await page.getByRole('slider').waitFor();
    expect(await tabs.filter({ visible: true }).count()).toBe(0);
  });

  it('is led to their account, and not asked to register', async () => {
    const { token } = await server.verifiedBorrower();
    const page = await browser.open('/', { token });
    const account = page.getByRole('link', { name: 'Open my account' });
    await account.waitFor();
    for (const name of ['Register', 'Login']) {
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    }
    expect(await page.getByText('New client').filter({ visible: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
    await expectNoSidewaysScroll(page);
    const request = page.getByRole('link', { name: 'Request now' });
    expect(await request.getAttribute('href')).toBe('/dashboard');
    await account.click();
    await page.waitForURL('/loan-app');
    await page.getByText('Account verified').waitFor();

    // Signed out meanwhile, the page that one comes back to is a visitor's.
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('/app-login');
    await page.goto('/');
    await page.getByRole('link', { name: 'Register', exact: true }).waitFor();
    expect(await account.count()).toBe(0);
  });
});

it('asks for its own few files and nothing else', async () => {
  const page = await browser.visit({ moves: true });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/', { waitUntil: 'networkidle' });
  const files = asked.filter((pathname) => pathname !== '/');
  expect(files.length).toBeGreaterThan(1);
  for (const pathname of files) expect(pathname).toMatch(/^\/assets\/[\w-]+\.(css|js|woff2|svg)$/);
});

it.each(
  sampleOf(
    [
      { language: 'en', colorScheme: 'light' },
      { language: 'en', colorScheme: 'dark' },
      { language: 'fil', colorScheme: 'light' },
      { language: 'fil', colorScheme: 'dark' },
    ] as const,
    3,
  ),
)('is whole and readable on a desk in $language and $colorScheme', async ({ language, colorScheme }) => {
  const page = await browser.visit({ screen: 'desktop', language, colorScheme });
  await page.goto(language === 'fil' ? '/?lang=fil' : '/');
  await page.getByRole('slider').waitFor();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
});
