import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { expectWhole } from '#tests/setup/browser-checks.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { readZip } from '#tests/setup/zip.ts';
import { breakDown, button, expectToast, field, outOfReach, storedToken } from './screen.ts';
import { details, expectReadable, openPanel, rowOf } from './staff.ts';

const { server, browser } = await listeningServer();
const lenderName = server.deps.config.lender.name;

const yourData = (page: Page, name: string = en.privacy.title) =>
  page.getByRole('region', { name, exact: true });

async function visit({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/account', { token, ...options });
  await yourData(page, options.language === 'fil' ? fil.privacy.title : undefined).waitFor();
  return page;
}

const openRequest = async ({ token }: TestBorrower) =>
  (await server.as(token).readDeletionRequest()).requestedAt;

describe('one’s own data', () => {
  it('come as one file with everything in it', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit(borrower, { expects: [/status of 400/] });
    await button(yourData(page), 'Download my data').click();
    const dialog = page.getByRole('dialog', { name: 'Download your data?' });
    const password = field(dialog, 'Your password');
    await expectWhole(page);
    await password.fill('not my password');
    await password.press('Enter');
    await expectToast(page, 'The file could not be downloaded', 'Your current password is not right');
    await password.fill(borrower.password);
    const [download] = await Promise.all([page.waitForEvent('download'), password.press('Enter')]);
    await dialog.waitFor({ state: 'detached' });
    expect(download.suggestedFilename()).toBe('hiram-my-data.zip');
    const files = readZip(fs.readFileSync(await download.path()));
    expect(files.has('documents/selfie.jpg')).toBe(true);
    expect(JSON.parse(String(files.get('data.json'))).profile.phone).toBe(borrower.phone);
  });

  it('can be tried again when they cannot be had', async () => {
    const page = await visit(await server.registerBorrower(), { expects: [outOfReach] });
    const repair = await breakDown(page, '**/api/user/data.zip*');
    await button(yourData(page), 'Download my data').click();
    const password = field(page.getByRole('dialog', { name: 'Download your data?' }), 'Your password');
    await password.fill('borrower password');
    await password.press('Enter');
    await expectToast(page, 'The file could not be downloaded');
    await repair();
    await Promise.all([page.waitForEvent('download'), password.press('Enter')]);
  });

  it('are asked to be deleted, and the request taken back', async () => {
    const borrower = await server.registerBorrower();
    const page = await visit(borrower);
    const part = yourData(page);
    await button(part, 'Ask for deletion').click();
    const dialog = page.getByRole('dialog', { name: 'Ask us to delete your data?' });
    await dialog.getByText(/RA 9160.*5 years|5 years.*RA 9160/).waitFor();
    await expectWhole(page);
    await button(dialog, 'Cancel').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await openRequest(borrower)).toBeNull();

    await button(part, 'Ask for deletion').click();
    await field(dialog, 'Your password').fill(borrower.password);
    await button(dialog, 'Send request').click();
    await expectToast(page, 'We received your request for deletion');
    await part.getByText(/^Sent on /).waitFor();
    expect(await openRequest(borrower)).not.toBeNull();
    // The button that had the focus is gone; what came of it is where one goes on.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await expectWhole(page);

    await page.reload();
    await button(part, 'Take the request back').click();
    await expectToast(page, 'Your request was taken back');
    await button(part, 'Ask for deletion').waitFor();
    expect(await openRequest(borrower)).toBeNull();
  });
});

describe('staff', () => {
  it('see who asked for deletion, find them, and settle it by deleting', async () => {
    const asking = await server.registerBorrower({ fullName: 'Ana Reyes' });
    await server.registerBorrower({ fullName: 'Pedro Cruz' });
    await asking.requestDeletion({ password: asking.password });
    const page = await openPanel(browser, 'members', { token: await server.signInMainAdmin() });
    await rowOf(page, 'Ana Reyes').getByText('asked for deletion').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Asked for deletion');
    await rowOf(page, 'Pedro Cruz').waitFor({ state: 'detached' });
    await rowOf(page, 'Ana Reyes').getByText('Ana Reyes').click();
    await details(page)
      .getByText(/^Asked for deletion on /)
      .waitFor();
    await expectReadable(page);
  });
});

describe('what one agrees to', () => {
  it('stands over each button, word for word as it is kept, in the language of the screen', async () => {
    const page = await browser.open('/app-login?register=true', { language: 'fil' });
    await page.getByText(fil.session.agree(lenderName), { exact: true }).waitFor();
    await field(page, fil.session.fullName).fill('Maria Clara');
    await field(page, fil.session.phone).fill('09171230000');
    await field(page, fil.session.password).fill('borrower password');
    await button(page, fil.session.createAccount).click();
    await page.waitForURL('/loan-app');
    const token = String(await storedToken(page));

    await page.goto('/profile');
    await page.getByText(fil.consents.documents(lenderName), { exact: true }).waitFor();
    await button(page, fil.profile.edit).click();
    await page.getByText(fil.consents.profile(lenderName), { exact: true }).waitFor();
    const { text } = await server.as(token).downloadOwnData({ password: 'borrower password' }).success();
    expect(JSON.parse(text).consents).toEqual([
      expect.objectContaining({
        purpose: 'register',
        language: 'fil',
        wording: fil.session.agree(lenderName),
      }),
    ]);
  });
});

describe('a text that would become script', () => {
  it.each(sampleOf(['/', '/profile', '/admin-login', '/api/docs'], 4))('is refused on %s', async (path) => {
    const { token } = await server.verifiedBorrower();
    const isApp = path !== '/' && path !== '/api/docs';
    const page = await browser.open(path, { token, expects: [/Trusted ?(HTML|Script|Type)/i] });
    if (isApp) await page.locator('h1, h2').first().waitFor();
    const refused = await page.evaluate(async () => {
      const tries: Record<string, () => unknown> = {
        innerHTML: () => {
          document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
        write: () => document.write('<script>1</script>'),
        parse: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
        scriptText: () => {
          document.createElement('script').text = 'globalThis.ran = true';
        },
        scriptSource: () => {
          document.createElement('script').src = '/evil.js';
        },
        srcdoc: () => {
          document.createElement('iframe').srcdoc = '<b>x</b>';
        },
        policy: () =>
          (
            globalThis as unknown as {
              trustedTypes: { createPolicy(name: string, rules: object): unknown };
            }
          ).trustedTypes.createPolicy('default', { createHTML: (text: string) => text }),
      };
      return Object.entries(tries).map(([name, work]) => {
        try {
          work();
          return `${name} went through`;
        } catch (error) {
          return `${name}: ${(error as Error).name}`;
        }
      });
    });
    expect(refused).toEqual(
      [
        'innerHTML',
        'insertAdjacentHTML',
        'write',
        'parse',
        'scriptText',
        'scriptSource',
        'srcdoc',
        'policy',
      ].map((name) => `${name}: TypeError`),
    );
  });
});

describe('signing out', () => {
  it('leaves nothing of the person in the page’s memory', async () => {
    const borrower = await server.verifiedBorrower();
    await server.main.updateMember(borrower.id, { balance: 4_321 });
    const page = await visit(borrower, { expects: [/ERR_FILE_NOT_FOUND/] });
    await page.getByRole('link', { name: en.shell.tabProfile }).click();
    await button(page, 'See the picture of you').waitFor();
    const picture = await page.locator('img[src^="blob:"]').first().getAttribute('src');
    const isHeld = () =>
      page.evaluate(
        (address) =>
          new Promise<boolean>((resolve) => {
            const image = new Image();
            image.onload = () => resolve(true);
            image.onerror = () => resolve(false);
            image.src = address;
          }),
        String(picture),
      );
    expect(await isHeld()).toBe(true);
    await button(page, en.shell.openMenu).click();
    await button(page, en.shell.logout).click();
    await page.waitForURL('/app-login');
    await soon(() => page.locator('body').textContent()).not.toContain(borrower.phone);
    expect(await isHeld()).toBe(false);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      borrower.token,
    );
  });

  it('in another tab reaches a page that the browser brings back as it was', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit(borrower);
    // The browser does this with a page that it kept: the tab heard nothing of the other one's sign-out.
    await page.evaluate(() => {
      localStorage.removeItem('token');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.getByRole('heading', { name: en.session.signInTitle }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain(borrower.phone);
  });
});
