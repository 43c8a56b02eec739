import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { closeDialog, expectWalkable, press } from './keyboard.ts';
import { button, field, toastCount } from './screen.ts';

const { server, browser } = await listeningServer();

async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/', options);
  await page.getByRole('button', { name: / the slides$/ }).waitFor();
  return page;
}

describe('the landing page', () => {
  it.each(['phone', 'small'] as const)(
    'has nothing out of reach on the %s, and a way past its bar',
    async (screen) => {
      const page = await visit({ screen });
      await page.keyboard.press('Tab');
      expect(await hasFocus(page.getByRole('link', { name: 'Skip to the content' }))).toBe(true);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await hasFocus(page.getByRole('link', { name: 'Register', exact: true }))).toBe(true);
      await expectWalkable(page);
    },
  );

  it('leads on, to signing in and to registering', async () => {
    const page = await visit();
    for (const [name, title] of [
      ['Login', en.session.signInTitle],
      ['Request now', en.session.registerTitle],
    ] as const) {
      await press(page, page.getByRole('link', { name, exact: true }).last());
      await page.getByRole('heading', { name: title }).waitFor();
      await page.goto('/');
    }
  });

  it('calculates what the arrows choose', async () => {
    const page = await visit();
    const slider = page.getByRole('slider', { name: 'I need' });
    await tabTo(page, slider);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await soon(() => slider.getAttribute('aria-valuetext')).toBe('₱160,000');
    await page.keyboard.press('Home');
    await tabTo(page, page.getByRole('radio', { checked: true }));
    for (const months of ['24 mo', '12 mo']) {
      await page.keyboard.press('ArrowLeft');
      await soon(() => page.getByRole('radio', { name: months }).isChecked()).toBe(true);
    }
    await page.getByRole('region', { name: en.landing.cost.title }).getByText('₱16,250.00').waitFor();
  });

  it('turns its slides, which rest under the focus, and pauses them', async () => {
    const page = await visit({ moves: true });
    const slides = page.getByRole('region', { name: 'What we offer' });
    const dot = (title: string) => slides.getByRole('button', { name: `: ${title}` });
    const isShown = (title: string) => soon(() => dot(title).getAttribute('aria-current')).toBe('true');
    await tabTo(page, slides.getByRole('list'));
    await page.keyboard.press('ArrowRight');
    await isShown('Digital Lending');
    await press(page, dot('Flexible Terms'));
    await isShown('Flexible Terms');
    await press(page, button(page, 'Pause the slides'), 'Space');
    expect(await hasFocus(button(page, 'Play the slides'))).toBe(true);
  });

  it('changes its language, and Esc puts the choice away', async () => {
    const page = await visit();
    const opener = button(page, 'Language');
    await press(page, opener);
    await tabTo(page, button(page, 'Filipino'));
    await page.keyboard.press('Escape');
    await button(page, 'Filipino').waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
    await page.keyboard.press('Enter');
    await press(page, button(page, 'Filipino'));
    await page.getByRole('heading', { level: 1, name: fil.landing.headline }).waitFor();
  });
});

describe('the way in', () => {
  it('has nothing out of reach, shows what is typed, and changes to registering and back', async () => {
    const page = await browser.open('/app-login', { screen: 'small' });
    await button(page, 'Sign in').waitFor();
    await expectWalkable(page);
    await tabTo(page, field(page, 'Password'));
    await page.keyboard.type('bangka');
    await press(page, button(page, en.session.showTyped), 'Space');
    expect(await field(page, 'Password').getAttribute('type')).toBe('text');
    for (const [link, title] of [
      [en.session.toRegister, en.session.registerTitle],
      [en.session.toSignIn, en.session.signInTitle],
    ] as const) {
      await press(page, page.getByRole('link', { name: link }));
      const heading = page.getByRole('heading', { name: title });
      await heading.waitFor();
      await soon(() => hasFocus(heading)).toBe(true);
      await expectWalkable(page);
    }
  });

  it('says of an account that it exists already, and goes back to the form or to the sign-in', async () => {
    const { phone } = await server.registerBorrower();
    const page = await browser.open('/app-login?register=true', { expects: [/status of 409/] });
    const typed = { 'Full name': 'Luningning Reyes', 'Phone number': phone, Password: 'another password' };
    await button(page, 'Create account').waitFor();
    for (const [name, text] of Object.entries(typed)) {
      await tabTo(page, field(page, name));
      await page.keyboard.type(text);
    }
    const submit = button(page, 'Create account');
    await press(page, submit);
    const dialog = page.getByRole('dialog', { name: 'Account Already Exists' });
    await dialog.waitFor();
    await expectWalkable(page);
    await closeDialog(page, dialog, submit);
    await page.keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: 'Go to Login' }));
    const heading = page.getByRole('heading', { name: en.session.signInTitle });
    await heading.waitFor();
    await soon(() => hasFocus(heading)).toBe(true);
    expect(await toastCount(page)).toBe(0);
  });

  it('is found again from an address that does not exist', async () => {
    const page = await browser.open('/nowhere', { screen: 'small', expects: [/status of 404/] });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectWalkable(page);
    await press(page, page.locator('main').getByRole('link').first());
    await page.waitForURL('/');
  });
});
