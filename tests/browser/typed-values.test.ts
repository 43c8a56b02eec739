import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { soon } from '#tests/setup/browser.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, dialogOf, field, opened } from './screen.ts';
import { newMember, openPanel, settledAdmin } from './staff.ts';

/** Typed values stay in the tab through a session's end, and for nobody else (§typed-values). */
const { server, browser } = await listeningServer();
const expects = [/status of 40[13]/];

const password = 'borrower password';
const { typed, withdrawal } = en;
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('typed'));

async function signIn(page: Page, { phone }: { phone: string }) {
  await field(page, en.session.phone).fill(phone);
  await field(page, en.session.password).fill(password);
  await button(page, en.session.signIn).click();
  await page.waitForURL('/loan-app');
}

async function withdrawing(borrower: TestBorrower) {
  await server.fund(borrower.id, 50_000);
  const page = await browser.open('/wallet', { token: borrower.token, expects });
  const dialog = await opened(button(page, withdrawal.start), withdrawal.title);
  await field(dialog, withdrawal.amount).fill('5000');
  return page;
}

const toWallet = async (page: Page) => {
  await page.getByRole('link', { name: 'WALLET' }).click();
  return opened(button(page, withdrawal.start), withdrawal.title);
};

describe('what a borrower typed', () => {
  it('is there after a session’s end, for the same person', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await withdrawing(borrower);
    await server.as(borrower.token).signOut();
    await button(dialogOf(page, withdrawal.title), withdrawal.continue).click();
    await page.getByRole('heading', { name: en.session.signInTitle }).waitFor();
    await signIn(page, borrower);
    const dialog = await toWallet(page);
    expect(await field(dialog, withdrawal.amount).inputValue()).toBe('5,000');
    await dialog.getByText(typed.kept).waitFor();
  });

  it('is gone once somebody else signs in, and once the person signs out', async () => {
    const [borrower, other] = [await server.verifiedBorrower(), await server.verifiedBorrower()];
    await server.fund(other.id, 50_000);
    const page = await withdrawing(borrower);
    expect(await stored(page)).toContain('5000');
    await server.as(borrower.token).signOut();
    await button(dialogOf(page, withdrawal.title), withdrawal.continue).click();
    await signIn(page, other);
    expect(await stored(page)).toBeNull();
    const dialog = await toWallet(page);
    expect(await field(dialog, withdrawal.amount).inputValue()).toBe('');
    await field(dialog, withdrawal.amount).fill('7000');
    await button(dialog, 'Close').click();
    expect(await stored(page)).toContain('7000');
    await button(page, en.shell.openMenu).click();
    await button(page, en.shell.logout).click();
    await page.getByRole('heading', { name: en.session.signInTitle }).waitFor();
    expect(await stored(page)).toBeNull();
  });

  it('holds no password, code or photo', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await withdrawing(borrower);
    await button(dialogOf(page, withdrawal.title), withdrawal.continue).click();
    await field(dialogOf(page, withdrawal.codeTitle), withdrawal.code).fill('482913');
    expect(await stored(page)).not.toContain('482913');
    await page.goto('/account');
    await button(page, en.profile.changePassword).click();
    await field(page.getByRole('dialog'), en.session.newPassword).fill('a secret of mine');
    expect(await stored(page)).not.toContain('a secret of mine');
  });
});

describe('what staff typed', () => {
  it('is there after a reload once the session had ended, without the password', async () => {
    const admin = await settledAdmin(server);
    const page = await openPanel(browser, 'members', { token: admin.token, expects });
    const form = await opened(button(page, panel.members.add), panel.members.add);
    for (const [label, text] of Object.entries(newMember)) await field(form, label).fill(text);
    await field(form, panel.memberPanel.password.label).fill('a secret of theirs');
    const kept = await stored(page);
    expect(kept).toContain(Object.values(newMember)[0]);
    expect(kept).not.toContain('a secret of theirs');
    await page.reload();
    const again = await opened(button(page, panel.members.add), panel.members.add);
    await again.getByText(typed.kept).waitFor();
    for (const [label, text] of Object.entries(newMember)) {
      expect(await field(again, label).inputValue()).toBe(text);
    }
    expect(await field(again, panel.memberPanel.password.label).inputValue()).toBe('');
    // Closed, it is discarded: nobody meets it on another day.
    await button(again, panel.list.cancel).click();
    await soon(() => stored(page)).toBeNull();
  });
});
