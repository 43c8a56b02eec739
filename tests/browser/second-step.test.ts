import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import { expectNoAxeViolations, expectNoSidewaysScroll, hasFocus } from '#tests/setup/browser-checks.ts';
import { mainAdminPassword, type TestAdmin } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { totp } from '#tests/setup/totp.ts';
import { panelPage } from './panel-page.ts';
import { button, descriptionOf, dialogOf, expectToast, field, storedToken, toastCount } from './screen.ts';
import { answer, expectPanelFits, expectReadable, questionOf, rowOf, settledAdmin } from './staff.ts';

/** Runs like the machine's, and can be turned: a code counts once, and an hour is long. */
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const later = (seconds: number) => {
  aheadMs += seconds * 1_000;
};

const { server, browser, visit } = await panelPage('settings', { deps: { clock } });
const refusedCalls = [/status of 40[013]/];
const codeField = 'Code of your second step';

const codeOf = (secret: string) => totp(secret, clock.now());

/** Over HTTP, for the tests of what comes after; its code is over then. */
async function withSecondStep(
  admin: Pick<TestAdmin, 'setUpSecondStep' | 'confirmSecondStep'> & { password?: string },
) {
  const { password = mainAdminPassword } = admin;
  const { secret } = await admin.setUpSecondStep({ password });
  const { recoveryCodes, token } = await admin.confirmSecondStep({ code: codeOf(secret) });
  later(60);
  return { secret, recoveryCodes, token };
}

async function readPicture(page: Page): Promise<string> {
  const picture = await page.getByRole('img', { name: 'QR code of the key' }).screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign In').click();
}

describe('setting it up', () => {
  it('shows a picture that a phone reads, takes a code of it, and shows the recovery codes once', async () => {
    const admin = await settledAdmin(server);
    const page = await visit({ token: admin.token, expects: refusedCalls });
    await page.getByText('You sign in with your password alone.').waitFor();
    expect(await page.getByRole('img', { name: 'QR code of the key' }).count()).toBe(0);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.reload();
    await page.getByText('You sign in with your password alone.').waitFor();
    expect(scripts.filter((url) => url.includes('panel'))).not.toEqual([]);
    expect(scripts.filter((url) => url.includes('qr-code'))).toEqual([]);
    await button(page, 'Set up').click();
    const dialog = dialogOf(page, 'Second step');
    const password = field(dialog, 'Your password');
    await soon(() => hasFocus(password)).toBe(true);
    await expectReadable(page);
    await password.fill('not the password');
    await password.press('Enter');
    await expectToast(page, 'It was not switched on', 'Your current password is not right');
    await password.fill(admin.password);
    const begun = page.waitForResponse((answer) => /second-step\/setup$/.test(answer.url()) && answer.ok());
    await password.press('Enter');
    const { secret, uri } = await (await begun).json();
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await readPicture(page)).toBe(uri);
    }
    expect(scripts.filter((url) => url.includes('qr-code'))).not.toEqual([]);
    await expectReadable(page);
    expect((await dialog.textContent())?.replaceAll(' ', '')).toContain(secret);

    const code = field(dialog, 'Code');
    expect(await hasFocus(code)).toBe(true);
    await button(dialog, 'Switch on').click();
    await soon(() => descriptionOf(code)).toContain('Please enter the six digits');
    await code.fill('12345');
    await code.press('Enter');
    await expectToast(page, 'It was not switched on', /^This code is not right/);
    await soon(() => descriptionOf(code)).toContain('This code is not right');
    await code.fill(codeOf(secret));
    await code.press('Enter');

    const sheet = dialogOf(page, 'Recovery codes');
    await sheet.waitFor();
    const codes = await sheet
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(codes).toHaveLength(10);
    await expectReadable(page);
    // Nothing but its button closes it.
    await page.keyboard.press('Escape');
    await sheet.waitFor();
    await button(sheet, 'Copy Recovery codes').click();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await button(sheet, 'Print').click();
    await page.locator('[data-printed]').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    expect(await sheet.getByText(codes[9] ?? '').isVisible()).toBe(true);
    expect(await button(sheet, 'I have kept them').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await button(sheet, 'I have kept them').click();
    await page.getByText(/^On since .*\. 10 recovery codes are left\.$/).waitFor();
    await page.reload();
    await page.getByText('10 recovery codes are left').waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect(await page.content()).not.toContain(secret);
    await expectReadable(page);
    await expectPanelFits(page);
  });

  it('can be left before it is done, and begun anew', async () => {
    const admin = await settledAdmin(server);
    const page = await visit({ token: admin.token });
    await button(page, 'Set up').click();
    await dialogOf(page, 'Second step').waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page, 'Second step').waitFor({ state: 'hidden' });
    await page.getByText('You sign in with your password alone.').waitFor();
    await button(page, 'Set up').click();
    await dialogOf(page, 'Second step').waitFor();
  });
});

describe('the sign-in', () => {
  it('of staff asks for a code only once the password was right', async () => {
    const admin = await settledAdmin(server);
    const { secret } = await withSecondStep(admin);
    const page = await browser.open('/admin-login', { screen: 'desktop', expects: refusedCalls });
    await signIn(page, admin.email, 'not the password');
    await expectToast(page, 'Error', 'Please check your credentials');
    expect(await field(page, codeField).count()).toBe(0);
    await signIn(page, admin.email, admin.password);
    const code = field(page, codeField);
    await code.waitFor();
    await soon(() => hasFocus(code)).toBe(true);
    await page.getByText('Phone lost? Use a recovery code.', { exact: false }).waitFor();
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    await expectReadable(page);
    await code.fill('000000');
    await code.press('Enter');
    await page
      .getByRole('main')
      .getByRole('alert')
      .getByText('This code is not right', { exact: false })
      .waitFor();
    expect(await hasFocus(code)).toBe(true);
    expect(await storedToken(page)).toBe(null);
    await code.fill(codeOf(secret));
    await code.press('Enter');
    await page.waitForURL('/management');
    expect(await storedToken(page)).not.toBe(null);
  });

  it.each(
    sampleOf(
      [
        ['en', 'Password', 'Sign in', codeField],
        ['fil', 'Password', 'Mag-sign in', 'Code ng ikalawang hakbang mo'],
      ] as const,
      2,
    ),
  )('of borrowers takes staff with a recovery code, in %s', async (language, password, submit, code) => {
    const admin = await server.createAdmin({ phone: '09181112222' });
    const { recoveryCodes } = await withSecondStep(admin);
    const page = await browser.open('/login', { screen: 'small', language, expects: refusedCalls });
    await page.locator('[name=phone]').fill('09181112222');
    await field(page, password).fill(admin.password);
    await button(page, submit).click();
    await field(page, code).waitFor();
    expect(await toastCount(page)).toBe(0);
    await expectNoAxeViolations(page);
    await expectNoSidewaysScroll(page);
    await field(page, code).fill(recoveryCodes[0] ?? '');
    await field(page, code).press('Enter');
    await soon(() => storedToken(page)).not.toBe(null);
  });
});

it('is switched off with password and code', async () => {
  const admin = await settledAdmin(server);
  const { recoveryCodes, token } = await withSecondStep(admin);
  const page = await visit({ token, expects: refusedCalls });
  await page.getByText('the main admin resets it', { exact: false }).waitFor();
  await button(page, 'Switch off').click();
  const dialog = dialogOf(page, 'Switch off the second step?');
  const password = field(dialog, 'Your password');
  await password.fill('not the password');
  await field(dialog, 'Code').fill(recoveryCodes[0] ?? '');
  await button(dialog, 'Switch off').click();
  await soon(() => descriptionOf(password)).toContain('Your current password is not right');
  await expectReadable(page);
  await password.fill(admin.password);
  await field(dialog, 'Code').fill('000000');
  await button(dialog, 'Switch off').click();
  // The session goes on: a wrong code says nothing of the token.
  await soon(() => descriptionOf(field(dialog, 'Code'))).toContain('This code is not right');
  await field(dialog, 'Code').fill(recoveryCodes[0] ?? '');
  await button(dialog, 'Switch off').click();
  await expectToast(page, 'Success', 'Your second step is off. The other admins are told.');
  await page.getByText('You sign in with your password alone.').waitFor();
});

it('of a colleague is reset by the main admin, and everybody is told on their next visit', async () => {
  const admin = await server.createAdmin({ fullName: 'Ligaya Ramos' });
  const colleague = await settledAdmin(server);
  await withSecondStep(admin);
  const page = await visit();
  const news = page.getByRole('region', { name: 'Changed since you last looked' });
  await news.getByText('Second step set up: Ligaya Ramos').waitFor();
  await expectReadable(page);
  await button(news, 'I have read this').click();
  await news.waitFor({ state: 'hidden' });

  const row = rowOf(page, 'Ligaya Ramos');
  await row.getByText('Second step on').waitFor();
  expect(await button(rowOf(page, 'Main Admin'), 'Reset the second step').count()).toBe(0);
  await button(row, 'Reset the second step').click();
  await questionOf(page).getByText('Only after you have made sure', { exact: false }).waitFor();
  await answer(page, 'Reset the second step');
  await expectToast(page, 'Success', 'Ligaya Ramos signs in with the password alone now.');
  await button(row, 'Reset the second step').waitFor({ state: 'hidden' });
  await server.signIn({ username: admin.email, password: admin.password });

  const others = await visit({ path: 'members', token: colleague.token });
  const told = others.getByRole('region', { name: 'Changed since you last looked' });
  await told.getByText('Second step reset: Ligaya Ramos').waitFor();
  await expectPanelFits(others);
});

it('Today reminds of it, and leads to where it is set up', async () => {
  const admin = await settledAdmin(server);
  const page = await visit({ path: 'today', token: admin.token });
  await page.getByRole('link', { name: /^Your second step:/ }).click();
  await page.getByRole('heading', { name: 'Second step', exact: true }).waitFor();
});

it('a session that nobody used ends with a word of it, and takes the code where it asks to sign in', async () => {
  const { secret } = await withSecondStep(server.main);
  const page = await visit({ path: 'members', expects: refusedCalls });
  // A read that is still to be answered would end the session before the click.
  await page.waitForLoadState('networkidle');
  later(3_600);
  await page.getByRole('link', { name: 'Payments' }).click();
  const dialog = dialogOf(page, 'Your session has ended');
  await dialog.getByText('You were away for a while.', { exact: false }).waitFor();
  await field(dialog, 'Username').fill('admin');
  await field(dialog, 'Password').fill(mainAdminPassword);
  await button(dialog, 'Sign In').click();
  await field(dialog, codeField).fill(codeOf(secret));
  await field(dialog, codeField).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();

  later(3_600);
  await page.reload();
  await page.getByText('You were signed out after a while without activity.').waitFor();
});

it('where it is required, the panel opens once it is set up', async () => {
  server.deps.config.isSecondStepRequired = true;
  onTestFinished(() => {
    server.deps.config.isSecondStepRequired = false;
  });
  const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
  const page = await browser.open('/management/members', { screen: 'desktop', token });
  await page.getByRole('heading', { name: 'Second step', level: 1 }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0);
  await expectReadable(page);
  await button(page, 'Set up').click();
  await field(page, 'Your password').fill(mainAdminPassword);
  const begun = page.waitForResponse(/second-step\/setup$/);
  await field(page, 'Your password').press('Enter');
  const { secret } = await (await begun).json();
  await field(page, 'Code').fill(codeOf(secret));
  await field(page, 'Code').press('Enter');
  await button(page, 'I have kept them').click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
});
