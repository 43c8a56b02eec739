import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMonths, manilaDate } from '#domain/calendar.ts';
import { monthOf } from '#domain/month.ts';
import { disbursedLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { readZip } from '#tests/setup/zip.ts';
import { panelPage } from './panel-page.ts';
import { button } from './screen.ts';
import { expectPanelFits, expectReadable, rowOf } from './staff.ts';

const { server, visit } = await panelPage('reports/month');

const today = manilaDate(new Date());
const image = (page: Page, name: RegExp) => page.getByRole('img', { name });

async function fileOf(page: Page, name: string) {
  const coming = page.waitForEvent('download');
  await button(page, name).click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
}

describe('the month', () => {
  it('of a lender without loans has nothing in it, and says so', async () => {
    const page = await visit();
    for (const title of [
      'No principal is out',
      'Nothing fell due and nothing came in',
      /^Nothing is expected by /,
    ])
      await page.getByRole('heading', { name: title }).first().waitFor();
    expect(await page.getByRole('region', { name: 'Principal' }).getByText('₱0.00').count()).toBe(11);
    await expectPanelFits(page);
    await expectReadable(page);
  });

  it('leads from each figure to its rows, shows four pictures, and is three files', async () => {
    // Its first instalment was due a month ago and is paid today, the second is due today.
    const released = addMonths(today, -3);
    await disbursedLoan(server, await server.verifiedBorrower({ fullName: '=HYPERLINK("x")' }), {
      date: released,
      payments: [{ amount: 16_250, channel: 'cash' }],
    });
    const page = await visit();
    const principal = page.getByRole('region', { name: 'Principal' });
    await principal.getByText('adds up').waitFor();
    await page.getByRole('region', { name: 'Income' }).getByText('₱11,201.69').first().waitFor();
    await page.getByText('The one application became a loan').waitFor();

    // Each picture says what it shows, and is a table when one asks for it.
    for (const [name, picture, cell] of [
      ['Principal out and at risk', /^Principal out and at risk over 12 months/, '₱144,951.69'],
      ['Ageing', /^Ageing of the principal that is out: 100\.0%/, '₱144,951.69'],
      ['Due and collected', /^Due and collected over 12 months/, '₱16,250.00'],
      ['Expected payments', /^Expected payments in the next 13 weeks/, '₱16,250.00'],
    ] as const) {
      await image(page, picture).waitFor();
      const figure = page.getByRole('figure', { name });
      await button(figure, 'Show as a table').click();
      await figure.getByRole('table', { name }).getByText(cell).first().waitFor();
      expect(await figure.getByRole('img').count()).toBe(0);
    }
    await expectPanelFits(page);
    await expectReadable(page);
    const ageing = await fileOf(page, 'CSV of Ageing');
    expect([ageing.name, ageing.bytes.toString()]).toEqual([
      `ageing-${today}.csv`,
      expect.stringContaining('"144951.69"'),
    ]);

    const [month, pdf] = [await fileOf(page, 'CSV'), await fileOf(page, 'PDF')];
    expect(month.name).toBe(`month-${monthOf(today)}.csv`);
    // It has the words of the page.
    const csv = month.bytes.toString();
    expect(csv).toContain('"Part","Figure","Amount","Number"');
    expect(csv).toContain('"144951.69","1"');
    expect(csv).not.toMatch(/"[a-z]+\./i);
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const workbook = readZip((await fileOf(page, 'XLSX')).bytes);
    const sheet = (number: number) => String(workbook.get(`xl/worksheets/sheet${number}.xml`));
    // A number is a number, a month is a day with its format, and nothing is ever a formula.
    expect(sheet(1)).toContain('<v>144951.69</v>');
    expect(sheet(9)).toMatch(/<c r="A2" s="\d+"[^>]*><v>4\d{4}<\/v>/);
    expect([...workbook.values()].join()).not.toContain('<f>');

    await principal.getByRole('link', { name: /^Principal received/ }).click();
    await page.waitForURL(/show=loans&status=received/);
    await rowOf(page, '₱5,048.31').getByText('=HYPERLINK').waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
    await button(page, 'Back to the month').click();
    await page.getByRole('combobox', { name: 'Month' }).selectOption(monthOf(released));
    await page.waitForURL(`**/reports/month?month=${monthOf(released)}`);
    await soon(() => principal.getByRole('link', { name: /^Released ₱150,000.00/ }).count()).toBe(1);
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.getByText(/^Debits ₱/).waitFor();
    await page.getByRole('link', { name: /^The month reconciles/ }).click();
    await page.waitForURL(/reports\/month\?month=/);
  });
});
