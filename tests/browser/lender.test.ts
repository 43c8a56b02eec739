import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { readConfig } from '#server/config.ts';
import { testBrowser } from '#tests/setup/browser.ts';
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

function readFacts() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-lender-'));
  try {
    const file = path.join(folder, 'lender.json');
    fs.writeFileSync(file, JSON.stringify(facts));
    const { lender, loanMonthlyRate } = readConfig({ LENDER_CONFIG: file, LOAN_MONTHLY_RATE: '3' });
    return { lender, loanMonthlyRate };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const server = await listeningServer({ config: readFacts() });
const browser = await testBrowser(server.origin);

it('the lender of the installation is who stands on the landing page, at its own rate', async () => {
  const page = await browser.visit();
  await page.goto('/');
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
  const page = await browser.visit({ token });
  await page.goto('/loan-app');
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
