import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import { expectNoSidewaysScroll } from '#tests/setup/browser-checks.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { type HostileTexts, hostileStrings, hostileTexts } from './hostile-strings.ts';
import { exportCsv } from './staff.ts';

/**
 * Forty strings in every text that the API takes, shown on every screen: none of them runs, none moves what stands beside
 * it, and nothing gets wider than its place.
 */
const { server, browser } = await standingServer();

type Account = { id: number; token: string; texts: HostileTexts; loanId: number };
const accounts: Account[] = [];
let staff = '';

async function plant(texts: HostileTexts, number: number): Promise<Account> {
  const { short, long, message } = texts;
  const password = 'a password';
  const phone = short.slice(0, 115) + number;
  const profile = {
    fullName: short,
    email: `${'x'.repeat(60)}${number}@${'y'.repeat(40)}.example`,
    address: long,
    countryOfWork: short,
    monthlySalary: '1000000000.00',
    referenceName: short,
    referencePhone: phone,
    bankName: short,
    bankAccountNumber: short,
  };
  const { id } = (await server.as(staff).createMember({ ...profile, phone, password, status: 'active' }))
    .user;
  const token = await server.signIn({ phone, password });
  const [idFrontUrl, idBackUrl, selfieUrl] = [
    (await server.upload(token)).url,
    (await server.upload(token)).url,
    (await server.upload(token)).url,
  ];
  await server.as(token).updateProfile({ ...profile, idFrontUrl, idBackUrl, selfieUrl });
  const loan = await server.as(token).applyForLoan({ amount: 2_000_000, purpose: long, termMonths: 12 });

  await server.as(staff).updateMember(id, { balance: '999999999.99' });
  await server.as(staff).updateMember(id, { otpCode: '482913' });
  await server
    .as(token)
    .requestWithdrawal({ amount: 1_000, bankName: short, bankAccountNumber: short, otp: '482913' });
  await server.as(staff).notifyMember({ userId: id, title: short, message });
  await server.as(staff).createAdmin({ email: `staff${number}@example.com`, password, fullName: short });
  await server.as(staff).addAllowedIp({ ipAddress: `203.0.113.${number + 1}`, description: short });
  return { id, token, texts, loanId: loan.id };
}

beforeAll(async () => {
  staff = await server.signIn({ username: 'admin', password: mainAdminPassword });
  for (const [number, texts] of hostileTexts.entries()) accounts.push(await plant(texts, number));
});

/** A page that notes whether anything of what it shows has run, and what the browser kept from running. */
async function open(token: string, screen: 'small' | 'desktop'): Promise<Page> {
  const page = await browser.visit({ token, screen });
  page.on('dialog', (dialog) => {
    void dialog.dismiss();
    void page.evaluate(() => Reflect.set(globalThis, 'ran', 'a dialog'));
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      Reflect.set(globalThis, 'ran', `${violatedDirective} ${sample}`),
    );
  });
  return page;
}

/** Texts that turn the direction of writing, and stand in one line with other text that they would turn with them. */
const turnsOthers = (page: Page) =>
  page.evaluate(() => {
    const turns = /[\u202a-\u202e\u2066-\u2069\u0590-\u08ff]/u;
    const isInline = (node: Node) =>
      !(node instanceof Element) || /^(?:inline|contents)/.test(getComputedStyle(node).display);
    const isOpen = (element: Element) => {
      const { display, unicodeBidi } = getComputedStyle(element);
      return display === 'inline' && !/isolate|plaintext/.test(unicodeBidi);
    };
    /** Returns the text before or after a piece of a line, up to where another line begins. */
    function beside(piece: Node, step: 'previousSibling' | 'nextSibling'): string {
      let text = '';
      for (let next = piece[step]; next && isInline(next); next = next[step]) text += next.textContent;
      return text;
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!turns.test(text.textContent ?? '') || !text.parentElement?.checkVisibility()) continue;
      let piece: Node = text;
      while (piece.parentElement && isOpen(piece.parentElement)) piece = piece.parentElement;
      const line = piece.parentElement;
      // Each child of a flexible box or a grid has a line of its own.
      if (!line || /flex|grid/.test(getComputedStyle(line).display)) continue;
      const others = beside(piece, 'previousSibling') + beside(piece, 'nextSibling');
      const within = (piece.textContent ?? '').trim() !== (text.textContent ?? '').trim();
      if (others.trim() !== '' || within) found.push(line.outerHTML.slice(0, 300));
    }
    return found;
  });

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'ran'))).toBeUndefined();
  expect(await turnsOthers(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
}

/** On the smallest phone, and on a wide screen. */
async function expectHarmlessEverywhere(page: Page): Promise<void> {
  for (const size of [
    { width: 320, height: 640 },
    { width: 1366, height: 850 },
  ]) {
    await page.setViewportSize(size);
    await expectHarmless(page);
  }
}

it('there are forty strings', () => {
  expect(new Set(hostileStrings).size).toBe(40);
});

describe.each(sampleOf(hostileTexts.map((texts, number) => ({ number, shown: texts.short.slice(0, 40) }))))(
  'a borrower’s $shown',
  ({ number }) => {
    it('does no harm on their screens', async () => {
      const { token, texts } = accounts[number] ?? expect.fail('nobody was planted');
      const page = await open(token, 'small');
      await page.goto('/loan-app');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('LN-', { exact: false }).first().waitFor();
      await expectHarmlessEverywhere(page);

      await page.goto('/wallet');
      await page.getByText('WD-', { exact: false }).first().waitFor();
      await expectHarmlessEverywhere(page);

      await page.goto('/profile');
      await page.getByRole('button', { name: 'Edit personal information' }).waitFor();
      // The text stands as it was typed, letter for letter.
      await soon(() => page.evaluate((text) => document.body.textContent?.includes(text), texts.short)).toBe(
        true,
      );
      await expectHarmlessEverywhere(page);
      await page.getByRole('button', { name: 'Edit personal information' }).click();
      await page.getByRole('dialog').waitFor();
      await expectHarmlessEverywhere(page);
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /contract/i })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await expectHarmlessEverywhere(page);
    });

    it('does no harm in their papers', async () => {
      const { token, loanId } = accounts[number] ?? expect.fail('nobody was planted');
      const pdf = await server.as(token).readLoanContractPdf(loanId);
      expect(readPdf(pdf.bytes).pageCount).toBeGreaterThan(0);
      expect(pdf.bytes.toString('latin1')).not.toMatch(/\/(?:JavaScript|JS|OpenAction|AA|Launch|URI) /);
      const table = await server.as(token).readLoanTable(loanId);
      expect(
        table.text.split('\r\n').filter((line) => /(?:^|,)"?[=+@\t-]/.test(line.replace(/^\ufeff/, ''))),
      ).toEqual([]);
      const calendar = await server.as(token).readLoanCalendar(loanId);
      expect(calendar.text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(12);
      expect(calendar.text.match(/^END:VCALENDAR\r$/gm)).toHaveLength(1);
    });
  },
);

describe('what staff see of it', () => {
  const lists = ['members', 'borrowing', 'withdrawal'] as const;

  it.each(lists)('does no harm in the list %s and beside it', async (list) => {
    const page = await open(staff, 'desktop');
    await page.setViewportSize({ width: 1366, height: 1_400 });
    await page.goto(`/management/${list}`);
    const rows = page.getByRole('row').filter({ hasText: /WWW|null|漢字|7\*7|onerror/ });
    await rows.first().waitFor();
    await expectHarmless(page);
    // A formula in an exported list would run in the spreadsheet that opens it.
    const { text } = await exportCsv(page);
    expect(text.split(/\r\n|,/).filter((cell) => /^"?[=+@\t]|^"?-(?!\d|₱)/.test(cell))).toEqual([]);

    const count = await page.getByRole('row').count();
    for (let row = 1; row < count; row += 1) {
      await page
        .getByRole('row')
        .nth(row)
        .click({ position: { x: 60, y: 20 } });
      await page.getByRole('complementary').or(page.getByRole('dialog')).first().waitFor();
      await expectHarmless(page);
      await page.keyboard.press('Escape');
    }
  });

  it.each(['settings', 'audit'])('does no harm in %s', async (screen) => {
    const page = await open(staff, 'desktop');
    await page.goto(`/management/${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await soon(() => page.evaluate(() => document.body.textContent?.includes('WWWW'))).toBe(true);
    await expectHarmless(page);
    await page.setViewportSize({ width: 1024, height: 768 });
    await expectHarmless(page);
  });
});
