import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fil } from '#contract/wording/fil.ts';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { applicant, disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectNoSidewaysScroll } from '#tests/setup/browser-checks.ts';
import { buildUnderTest } from '#tests/setup/built-server.ts';
import { gate } from '#tests/setup/gate.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { panelModule } from '../../scripts/bundle-sizes.mjs';
import { breakDown, button, expectToast, field, outOfReach, toastCount, toastRegion } from './screen.ts';

const { server, browser } = await listeningServer();

/** Waits until React has done what it leaves for after drawing, such as starting the time of a notice. */
const drawingIsOver = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(undefined);
      }),
  );

/** The sources of every script that the page has asked for since. */
async function sourcesOf(page: Page): Promise<() => string[]> {
  const file = path.join(await buildUnderTest(), 'chunk-modules.json');
  const modules: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'));
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).pathname.slice(1)));
  return () => [...asked].flatMap((chunk) => modules[chunk] ?? []);
}

describe('a page first opened without a connection', () => {
  it('comes back by Retry, with everything else as it was', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/loan-app', {
      token,
      expects: [/ERR_FAILED/, /dynamically imported module/],
    });
    await page.getByText('No active loans').waitFor();
    await page.evaluate(() => Object.assign(window, { wasHere: true }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('link', { name: 'WALLET' }).click();
    await page.getByText('This page could not be shown').waitFor();
    // Still without one: it fails again, stays, and can be tried again.
    for (const times of [1, 2]) {
      await button(page, 'Retry').click();
      await soon(() => asked.filter((address) => address.endsWith('/wallet')).length).toBe(times);
      await page.getByText('This page could not be shown').waitFor();
    }
    await page.unroute('**/*');
    await button(page, 'Retry').click();
    await page.getByRole('heading', { name: 'Wallet', exact: true }).waitFor();
    expect(await page.evaluate(() => 'wasHere' in window)).toBe(true);
    // Under another address, since many browsers remember what failed.
    expect(asked.some((address) => /wallet-page-[^/]*\.js\?retry=\d$/.test(address))).toBe(true);
  });

  it('comes back by one Retry where the browser does not say which script had failed', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/loan-app', { token, expects: [/Importing a module script failed/] });
    await page.getByText('No active loans').waitFor();
    await page.evaluate(() => Object.assign(window, { wasHere: true }));
    // Safari's words. A module that threw is remembered as one that could not be fetched is.
    const body = "throw new TypeError('Importing a module script failed.')";
    await page.route('**/assets/wallet-page-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    );
    await page.getByRole('link', { name: 'WALLET' }).click();
    await page.getByText('This page could not be shown').waitFor();
    await page.unroute('**/assets/wallet-page-*.js');
    await button(page, 'Retry').click();
    await page.getByRole('heading', { name: 'Wallet', exact: true }).waitFor();
    expect(await page.evaluate(() => 'wasHere' in window)).toBe(true);
  });

  it('comes back too where the browser remembers that a script which it imports had failed', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/loan-app', {
      token,
      expects: [/ERR_FAILED/, /dynamically imported module/],
    });
    await page.getByText('No active loans').waitFor();
    // Such a browser remembers for as long as the document lives.
    let isRemembered = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isRemembered = false;
    });
    await page.route(/\/assets\/(?!profile-page)[^/]+\.js/, (route) =>
      isRemembered ? route.abort() : route.continue(),
    );
    await page.getByRole('link', { name: 'PROFILE' }).click();
    await page.getByText('This page could not be shown').waitFor();
    await button(page, 'Retry').click();
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');
  });
});

describe('what a borrower’s browser fetches', () => {
  it('is neither the panel nor, before it is chosen, Filipino, which every page offers', async () => {
    const { borrower } = await applicant(server);
    const page = await browser.visit({ expects: [/status of 404/] });
    const sources = await sourcesOf(page);
    const look = async (address: string) => {
      await page.goto(address, { waitUntil: 'networkidle' });
      expect(await button(page, 'Language').count(), address).toBe(1);
    };
    for (const address of sampleOf(['/', '/app-login', '/nowhere'])) await look(address);
    await page.evaluate((token) => localStorage.setItem('token', token), borrower.token);
    const own = ['/management/members', '/wallet', '/dashboard', '/profile'];
    for (const address of sampleOf(own)) await look(address);
    await page.goto('/profile');
    for (const paper of ['Loan contract', 'Payment schedule', 'Edit personal information']) {
      await button(page, paper).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
    }
    const filipino = 'contract/wording/fil.ts';
    expect(sources()).toContain('web/pages/profile-page.tsx');
    expect(sources().filter((module) => panelModule.test(module))).toEqual([]);
    expect(sources()).not.toContain(filipino);
    await button(page, 'Language').click();
    await button(page, 'Filipino').click();
    await button(page, fil.profile.edit).waitFor();
    expect(sources()).toContain(filipino);
  });
});

it('the profile is asked for once when a page is opened, before the app has been taken in', async () => {
  const borrower = await server.verifiedBorrower();
  const page = await browser.visit(borrower);
  const { open: letAppGo, passed: appMayGo } = gate();
  await page.route(/\/assets\/app-/, async (route) => {
    await appMayGo;
    await route.continue();
  });
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/user/profile') asked += 1;
  });
  const opened = page.goto('/loan-app');
  await soon(() => asked).toBe(1);
  letAppGo();
  await opened;
  await page.getByRole('link', { name: 'WALLET' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(1);
});

describe('notices', () => {
  it('stay for five seconds, at most 420 px wide, one at a time', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token, screen: 'desktop' });
    await page.clock.install();
    await page.goto('/profile');
    await button(page, 'Refresh documents').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (let count = 0; count < 2; count += 1) {
      await button(page, 'Refresh documents').click();
      // Under the pointer its time stands still.
      await page.mouse.move(5, 5);
      // The toast in sight may still be the one before, which has the same words.
      await soon(() => button(page, 'Refresh documents').isEnabled()).toBe(true);
      await expectToast(page, 'Documents refreshed');
      await drawingIsOver(page);
      await page.clock.runFor(1_000);
    }
    expect(await toastCount(page)).toBe(1);
    const box = await page
      .getByRole('region', { name: 'Notifications (F8)' })
      .getByRole('list')
      .boundingBox();
    expect(box?.width).toBe(420);
    await page.clock.runFor(3_500);
    expect(await toastCount(page)).toBe(1);
    await page.clock.runFor(1_000);
    await soon(() => toastCount(page)).toBe(0);
  });

  it('of a failure go when the next dialog opens, and stay when one closes', async () => {
    const { token, password } = await server.registerBorrower();
    const page = await browser.open('/account', { token, expects: [outOfReach] });
    await button(page, 'Ask for deletion').waitFor();
    await breakDown(page, '**/api/user/**');
    await button(page, 'Download my data').click();
    const download = page.getByRole('dialog');
    await field(download, 'Your password').fill(password);
    await download.getByRole('button', { name: 'Download' }).click();
    await expectToast(page, 'The file could not be downloaded');
    await button(download, 'Cancel').click();
    await download.waitFor({ state: 'detached' });
    await expectToast(page, 'The file could not be downloaded');
    await button(page, 'Ask for deletion').click();
    const question = page.getByRole('dialog', { name: 'Ask us to delete your data?' });
    await question.waitFor();
    await soon(() => toastCount(page)).toBe(0);

    await field(question, 'Your password').fill(password);
    await button(question, 'Send request').click();
    await expectToast(page, 'Request failed');
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    await expectToast(page, 'Request failed');
  });

  it('are above the tabs on a phone', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/profile', { token, screen: 'phone' });
    await button(page, 'Refresh documents').click();
    await expectToast(page, 'Documents refreshed');
    const toast = await toastRegion(page).getByRole('listitem').boundingBox();
    const tabs = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    expect(toast && tabs && tabs.y - (toast.y + toast.height)).toBeGreaterThanOrEqual(0);
    expect(toast?.y).toBeGreaterThan(400);
  });

  it('are swept away to the right, and come back from less than 50 px', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.open('/profile', { token });
    await button(page, 'Refresh documents').click();
    await expectToast(page, 'Documents refreshed');
    const toast = page.getByText('Documents refreshed', { exact: true });
    const sweep = async (px: number) => {
      const box = await toast.boundingBox();
      if (!box) throw new Error('there is no notice');
      await page.mouse.move(box.x + 5, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + 5 + px / 2, box.y + 5);
      await page.mouse.move(box.x + 5 + px, box.y + 5);
      await page.mouse.up();
    };
    await sweep(limits.toastSwipePx - 5);
    expect(await toastCount(page)).toBe(1);
    await sweep(-100);
    expect(await toastCount(page)).toBe(1);
    await sweep(limits.toastSwipePx + 5);
    await soon(() => toastCount(page)).toBe(0);
  });

  it('about a control wait for 700 ms, and not again within 300 ms', async () => {
    await server.registerBorrower();
    const page = await browser.visit({ screen: 'desktop', token: await server.signInMainAdmin() });
    await page.clock.install();
    await page.goto('/management/members');
    const row = page.getByRole('row').filter({ hasText: 'Maria Clara Santos' });
    await button(row, 'Edit').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const tips = page.getByRole('tooltip', { includeHidden: true });
    const leave = async () => {
      // In several steps, as a hand does: the first still counts as the way to the words, and what listens for the
      // next may come after it.
      await page.mouse.move(200, 5);
      let x = 0;
      await soon(async () => {
        x += 5;
        await page.mouse.move(x, 5);
        return tips.count();
      }).toBe(0);
    };
    await button(row, 'Edit').hover();
    await page.clock.runFor(limits.tooltipOpenMs - 50);
    expect(await tips.count()).toBe(0);
    await page.clock.runFor(100);
    await soon(() => tips.allTextContents()).toEqual(['Edit']);
    await leave();
    await page.clock.runFor(limits.tooltipSkipMs - 100);
    await button(row, 'Documents').hover();
    await soon(() => tips.allTextContents()).toEqual(['Documents']);
    await leave();
    await page.clock.runFor(limits.tooltipSkipMs + 50);
    await button(row, 'Edit').hover();
    await page.clock.runFor(limits.tooltipOpenMs - 50);
    expect(await tips.count()).toBe(0);
  });

  it('about a control come at once to whoever uses the keyboard, read out with its name, and go again', async () => {
    await server.registerBorrower();
    const page = await browser.open('/management/members', {
      screen: 'desktop',
      token: await server.signInMainAdmin(),
    });
    const row = page.getByRole('row').filter({ hasText: 'Maria Clara Santos' }).first();
    const tips = page.getByRole('tooltip', { includeHidden: true });
    const described = (name: string) =>
      button(row, name).evaluate(
        (control) =>
          document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
      );
    await row.focus();
    for (const name of ['Edit', 'Documents']) {
      await page.keyboard.press('Tab');
      await soon(() => described(name)).toBe(name);
      await soon(() => tips.allTextContents()).toEqual([name]);
    }
    await soon(() => described('Edit')).toBeNull();
    await page.keyboard.press('Escape');
    await soon(() => tips.count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    await soon(() => described('Edit')).toBe('Edit');
    await button(row, 'Edit').evaluate((control) => (control as HTMLElement).blur());
    await soon(() => tips.count()).toBe(0);
    await soon(() => described('Edit')).toBeNull();
  });
});

it('the weave behind the page moves from page to page, and rests for who wants no motion', async () => {
  const { token } = await server.registerBorrower();
  for (const moves of [true, false]) {
    const page = await browser.open('/loan-app', { token, moves });
    const places = new Set<string>();
    for (const tab of ['WALLET', 'PROFILE', 'HOME', 'WALLET', 'PROFILE']) {
      await page.getByRole('link', { name: tab }).click();
      await soon(() => page.getByRole('link', { name: tab }).getAttribute('aria-current')).toBe('page');
      places.add(await page.evaluate(() => getComputedStyle(document.body).backgroundPosition));
    }
    if (moves) expect(places.size).toBeGreaterThan(1);
    else expect([...places]).toEqual(['0px 0px']);
  }
});

it('the weave is seen behind the panel too, and moves there', async () => {
  const page = await browser.open('/management/members', {
    screen: 'desktop',
    token: await server.signInMainAdmin(),
    moves: true,
  });
  await page.getByText('No members found').waitFor();
  const place = () => page.evaluate(() => document.body.style.getPropertyValue('--weave-x'));
  // Left of the list, where nothing else is drawn.
  const clip = { x: 217, y: 500, width: 8, height: 96 };
  const seen = async () => (await page.screenshot({ clip })).toString('base64');
  await page.evaluate(() => document.body.style.setProperty('--weave-x', '0px'));
  const [placeBefore, seenBefore] = [await place(), await seen()];
  await soon(async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('No members found').waitFor();
    return place();
  }).not.toBe(placeBefore);
  await soon(seen).not.toBe(seenBefore);
});

it('the weave is behind all of a page alike, too faint to be seen as a strip or to cost contrast', async () => {
  const page = await browser.visit();
  await page.goto('/app-login', { waitUntil: 'networkidle' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.addStyleTag({ content: '#root { visibility: hidden } :root { --color-paper: #808080 }' });
    for (const width of [320, 390, 1366]) {
      await page.setViewportSize({ width, height: 700 });
      const { data, info } = await sharp(await page.screenshot())
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const spreadOf = (from: number) => {
        const shades = Array.from({ length: 96 * 96 }, (_, at) => {
          const [x, y] = [from + (at % 96), 300 + Math.floor(at / 96)];
          return data[(y * info.width + x) * info.channels] ?? 0;
        });
        return Math.max(...shades) - Math.min(...shades);
      };
      const spreads = [0, Math.floor(width / 2) - 48, width - 96].map(spreadOf);
      expect(new Set(spreads).size, `${width} px`).toBe(1);
      expect(spreads[0]).toBeGreaterThan(0);
      expect(spreads[0]).toBeLessThan(12);
    }
  }
});

it.each(sampleOf(['/', '/loan-app', '/my-loan', '/wallet', '/profile', '/account'], 3))(
  'text at twice its size scrolls nothing sideways on a phone: %s',
  async (path) => {
    const borrower = await server.verifiedBorrower();
    const date = addMonths(addDays(manilaDate(new Date()), -40), -3);
    await disbursedLoan(server, borrower, { date, amount: 2_000_000, termMonths: 24 });
    const page = await browser.visit({ token: path === '/' ? undefined : borrower.token });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.addStyleTag({ content: ':root { font-size: 200% }' });
    await expectNoSidewaysScroll(page);
  },
);

it('a wide screen has two columns, the first read before the second, and a narrow one has one', async () => {
  const { borrower } = await applicant(server);
  const page = await browser.visit(borrower);
  const pages = [
    { path: '/loan-app', first: 'Fast Cash Loans', second: 'Currency converter' },
    { path: '/wallet', first: 'Application', second: 'Loan preview' },
    { path: '/profile', first: 'Credit score', second: 'Personal Information' },
  ];
  for (const { path, first, second } of pages) {
    await page.goto(path, { waitUntil: 'networkidle' });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    for (const width of [390, 900, 1366]) {
      await page.setViewportSize({ width, height: 850 });
      const [left, right] = await Promise.all([heading(first).boundingBox(), heading(second).boundingBox()]);
      if (!left || !right) throw new Error(`${path} lacks a heading`);
      if (width < 900) expect(right.y, path).toBeGreaterThan(left.y + left.height);
      else expect(right.x, `${path} at ${width} px`).toBeGreaterThan(left.x + left.width);
      await expectNoSidewaysScroll(page);
    }
  }
});
