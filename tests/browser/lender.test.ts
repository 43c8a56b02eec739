import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { manilaDate } from '#domain/calendar.ts';
import { readConfig } from '#server/config.ts';
import { borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { expectWhole } from '#tests/setup/browser-checks.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';

const facts = {
  isSample: false,
  name: 'Test Lending of the Valley',
  registrationNumber: 'TEST-0001',
  registrationDate: '2019-06-05',
  status: 'Under test',
  address: 'Test Road 7, Test Town',
  registryUrl: 'https://registry.example/test',
  regulators: [{ name: 'Test commission', shortName: 'Commission T' }],
  payoutChannels: ['Test wallet', 'Test counter'],
  partnerBanks: [{ name: 'Test bank' }],
  supportPhone: '+63 900 111 2222',
  supportEmail: 'help@test.example',
};

const givenLater = {
  tradeName: 'Pautang ng Lambak at Bundok sa Hilaga',
  logo: 'logo.svg',
  certificateOfAuthorityNumber: 'TEST-CA-0002',
  supportHours: 'Weekdays, nine to five',
  dataProtectionOfficer: { name: 'Test Officer', email: 'privacy@test.example' },
  paymentAccounts: [
    {
      channel: 'gcash',
      name: 'Test wallet',
      accountName: 'Test Lending',
      accountNumber: '0900 111 2222',
      qrImage: 'logo.svg',
    },
  ],
  branches: [
    { name: 'Valley branch', address: 'Test Square 1', hours: 'Saturdays', phone: '+63 900 333 4444' },
  ],
};
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>';

function readFacts(facts: object) {
  const folder = lastingDirectory();
  const file = path.join(folder, 'lender.json');
  fs.writeFileSync(file, JSON.stringify(facts));
  fs.writeFileSync(path.join(folder, 'logo.svg'), logo);
  const { lender, lenderPictures, loanMonthlyRate } = readConfig({
    LENDER_CONFIG: file,
    LOAN_MONTHLY_RATE: '3',
  });
  return { lender, lenderPictures, loanMonthlyRate };
}

const { server, browser } = await listeningServer({ config: readFacts(facts) });
const { server: complete, browser: completeBrowser } = await listeningServer({
  config: readFacts({ ...facts, ...givenLater }),
});

it('the QR code of an account is on white in the dark too, else no phone reads it', async () => {
  const { borrower } = await borrowerWithLoan(complete, { date: manilaDate(new Date()) });
  const page = await completeBrowser.open('/my-loan', { ...borrower, colorScheme: 'dark' });
  await page.getByRole('button', { name: 'How to pay' }).click();
  const code = page.getByRole('img', { name: 'QR code of Test wallet' });
  const behind = () => code.evaluate((node) => getComputedStyle(node).backgroundColor);
  await soon(behind).toBe('rgb(255, 255, 255)');
});

it('the lender of the installation is who stands on the landing page, at its own rate', async () => {
  const page = await browser.open('/');
  const parts = page.locator('body > *').filter({ visible: true });
  const text = (await parts.allInnerTexts()).join('\n');
  const { name, registrationNumber, address, payoutChannels, supportPhone, supportEmail } = facts;
  for (const fact of [name, registrationNumber, address, ...payoutChannels, supportPhone, supportEmail]) {
    expect(text).toContain(fact);
  }
  expect(text).not.toMatch(/sample lender/i);
  expect(text).not.toContain('Mobile wallet A');
  const registry = page.getByRole('link', { name: 'Check with the regulator' });
  expect(await registry.getAttribute('href')).toBe(facts.registryUrl);
  await page.getByRole('slider', { name: 'I need' }).fill('150000');
  await page.getByText('12 mo', { exact: true }).click();
  // (150,000 + 150,000 × 3 % × 12) / 12
  await page.getByText('₱17,000.00', { exact: true }).waitFor();
});

it('and in the app, with no ribbon where it is no sample', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.open('/loan-app', { token });
  await page.getByRole('region', { name: 'Partners' }).getByText('Test bank').waitFor();
  const regulators = page.getByRole('region', { name: 'Regulators' });
  await regulators.getByText('Commission T').waitFor();
  const registry = regulators.getByRole('link', { name: 'Check with the regulator' });
  expect(await registry.getAttribute('href')).toBe(facts.registryUrl);
  await regulators.getByRole('button', { name: 'Company details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Company details' });
  for (const fact of ['Test Lending of the Valley', 'TEST-0001', '5 June 2019', 'Under test']) {
    await dialog.getByText(fact, { exact: true }).waitFor();
  }
  expect(await page.getByText(en.shell.sampleRibbon).count()).toBe(0);
});

/** The link that leads home: its name, and whether the logo in it could be drawn. */
async function brandOf(page: Page, name: string) {
  const link = page.getByRole('banner').getByRole('link', { name, exact: true });
  await link.waitFor();
  return link.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
}

it.each(sampleOf(['phone', 'small', 'desktop'] as const))(
  'its trade name and logo head every page, and what the regulator wants is at its foot (%s)',
  async (screen) => {
    const { tradeName } = givenLater;
    const { token } = await complete.registerBorrower();
    const wanted = [
      'Study the terms and conditions in the Disclosure Statement before you proceed with a loan.',
      'SEC Registration No. TEST-0001',
      'Certificate of Authority No. TEST-CA-0002',
      facts.name,
    ];
    const people = ['Weekdays, nine to five', 'privacy@test.example'];
    const pages = [
      ['/', {}, people],
      ['/app-login', {}, people],
      ['/loan-app', { token }, []],
      ['/profile', { token }, []],
    ] as const;
    for (const [path, visit, more] of sampleOf(pages, 2)) {
      const page = await completeBrowser.open(path, { ...visit, screen });
      expect(await brandOf(page, tradeName)).toBe(40);
      expect(await page.title()).toContain(tradeName);
      const foot = page.getByRole('contentinfo');
      await foot.getByText(wanted[0] ?? '').waitFor();
      const text = ((await foot.textContent()) ?? '').replaceAll('\u00a0', ' ');
      for (const fact of [...wanted, ...more]) expect(text, path).toContain(fact);
      await expectWhole(page);
    }
  },
);

it('and the panel', async () => {
  const page = await completeBrowser.visit({ token: await complete.signInMainAdmin(), screen: 'desktop' });
  await page.goto('/management/members');
  expect(await brandOf(page, givenLater.tradeName)).toBe(40);
  await soon(() => page.title()).toBe(`Members · ${givenLater.tradeName}`);
});

it('whom to ask, and where, is in the company details', async () => {
  const { token } = await complete.registerBorrower();
  const page = await completeBrowser.open('/loan-app', { token });
  await page.getByRole('button', { name: 'Company details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Company details' });
  for (const fact of [
    'TEST-CA-0002',
    'Weekdays, nine to five',
    'Test Officer',
    'Test Square 1',
    'Saturdays',
  ]) {
    await dialog.getByText(fact, { exact: true }).waitFor();
  }
  const call = dialog.getByRole('link', { name: '+63 900 333 4444' });
  expect(await call.getAttribute('href')).toBe('tel:+639003334444');
  await expectWhole(page);
});
