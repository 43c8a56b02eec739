import { describe, expect, it } from 'vitest';
import { manilaDate } from '#domain/calendar.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import { button, expectToast, field } from './screen.ts';
import { details, expectPanelFits, expectReadable, exportCsv, rowOf } from './staff.ts';

const { server, visit, visitBroken } = await panelPage('audit');

/** A member whose wallet was filled and whose code was set. */
async function history() {
  const borrower = await server.registerBorrower();
  await server.fund(borrower.id, 50_000);
  await server.setCode(borrower.id, '482913');
  return borrower;
}

describe('the audit log', () => {
  it('tells who did what to whom, newest first, and no secret', async () => {
    const { id } = await history();
    const page = await visit();
    const rows = page.getByRole('row');
    await rowOf(page, 'OTP code set').waitFor();
    const seen = await rows.allTextContents();
    expect(seen[1]).toContain('OTP code set');
    expect(seen[2]).toContain('Balance changed');
    expect(seen[2]).toContain(`Maria Clara Santos`);
    expect(seen[2]).toContain(`Account ${id}`);
    expect(seen[2]).toContain('₱0.00 → ₱50,000.00');
    expect(await page.content()).not.toContain('482913');
  });

  it.runIf(isTorture)('opens an entry with the keyboard, and leads to the member', async () => {
    const { id } = await history();
    const page = await visit();
    await rowOf(page, 'OTP code set').waitFor();
    await tabTo(page, rowOf(page, 'OTP code set'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = details(page);
    await panel.getByRole('heading', { name: 'Balance changed' }).waitFor();
    await panel.getByText('₱0.00 → ₱50,000.00').waitFor();
    await panel.getByText('127.0.0.1').waitFor();
    await tabTo(page, button(panel, 'Close details'));
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'hidden' });
    expect(await hasFocus(rowOf(page, 'Balance changed'))).toBe(true);
    await page.keyboard.press('Enter');
    await panel.getByRole('link', { name: 'Open member' }).click();
    await page.waitForURL((url) => url.search === `?open=${id}`);
    await details(page).getByText(`Member ${id}`).waitFor();
  });

  it.runIf(isTorture)('keeps its search, action and entry in the address bar', async () => {
    await history();
    const page = await visit();
    await rowOf(page, 'Balance changed').waitFor();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Balance changed');
    await rowOf(page, 'OTP code set').waitFor({ state: 'hidden' });
    await page.getByRole('searchbox', { name: 'Search entries' }).fill('50,000');
    await page.waitForURL(/search=/);
    await rowOf(page, 'Balance changed').click();
    await details(page).waitFor();
    await page.waitForURL(/^[^?]*\?search=50%2C000&status=balance_changed&open=\d+$/);
    await page.reload();
    await details(page).getByRole('heading', { name: 'Balance changed' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Action' }).inputValue()).toBe('balance_changed');
    expect(await rowOf(page, 'OTP code set').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search entries' }).fill('no such thing');
    await page.getByText('No entries found').waitFor();
  });

  it.runIf(isTorture)(
    'is narrowed to what was done to somebody, and to what somebody did, however long ago',
    async () => {
      const { id } = await history();
      const other = await server.registerBorrower({ fullName: 'Amihan Cruz' });
      for (let count = 0; count < 120; count += 1) {
        await server.main.updateMember(other.id, { creditScore: 400 + count });
      }
      const page = await visit({ path: `audit?whom=account-${id}` });
      await rowOf(page, 'Balance changed').waitFor();
      await rowOf(page, 'Registered').waitFor();
      await page.getByText(`Only entries about Account ${id}`).waitFor();
      expect(await rowOf(page, 'Credit score changed').count()).toBe(0);
      await page.getByRole('combobox', { name: 'Action' }).selectOption('OTP code set');
      await rowOf(page, 'Registered').waitFor({ state: 'hidden' });
      await page.waitForURL((url) => url.search === `?status=otp_set&whom=account-${id}`);
      await rowOf(page, 'OTP code set').click();
      await expectReadable(page);
      await details(page).getByRole('link', { name: 'All their actions' }).click();
      await page.waitForURL((url) => url.search === '?who=3');
      await page.getByText('Only actions by Account 3').waitFor();
      await rowOf(page, 'Credit score changed').first().waitFor();
      await button(page, 'Show all entries').click();
      await page.waitForURL((url) => url.search === '');
      // Long before the entries that are read at first.
      await field(page, 'To').fill('2026-03-09');
      await page.waitForURL((url) => url.search === '?to=2026-03-09');
      await page.getByText('No entries found').waitFor();
      await field(page, 'To').fill(manilaDate(new Date()));
      await page.getByRole('combobox', { name: 'Action' }).selectOption('Balance changed');
      await rowOf(page, 'Balance changed').waitFor();

      await page.goto(`/management/members?open=${id}`);
      const recent = details(page).getByRole('listitem').filter({ hasText: 'OTP code set' });
      await recent.waitFor();
      await details(page).getByRole('link', { name: 'All entries' }).click();
      await page.waitForURL((url) => url.search === `?whom=account-${id}`);
      await rowOf(page, 'Balance changed').waitFor();
    },
  );

  it('is read on to what is older', async () => {
    const { id } = await history();
    for (let count = 0; count < 100; count += 1) {
      await server.setCode(id, '482913');
    }
    const page = await visit({ path: 'audit?search=balance+changed' });
    await page.getByText('No entries found').waitFor();
    await button(page, 'Load older').click();
    await rowOf(page, 'Balance changed').waitFor();
    await button(page, 'Load older').waitFor({ state: 'hidden' });
  });

  it.runIf(isTorture)('is exported as it is shown, and runs nothing in a spreadsheet', async () => {
    const { id } = await history();
    await server.registerBorrower({ fullName: '+cmd|calc' });
    const page = await visit({ path: 'audit?status=balance_changed' });
    await rowOf(page, 'Balance changed').waitFor();
    const { name, lines, text } = await exportCsv(page);
    expect(name).toBe('audit.csv');
    expect(lines[0]).toBe('\uFEFF"When","Who","What","Whom","Before → after","From"');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(
      `"Balance changed","Account ${id}, Maria Clara Santos","balance: ₱0.00 → ₱50,000.00`,
    );
    expect(lines[1]).toMatch(/"127\.0\.0\.1"$/);
    expect(text).not.toContain('482913');

    await page.getByRole('combobox', { name: 'Action' }).selectOption('Registered');
    await rowOf(page, '+cmd|calc').waitFor();
    const registered = await exportCsv(page);
    expect(registered.text).toContain(`"'+cmd|calc","Registered"`);
  });

  it('of which older entries are not here yet says so with its export', async () => {
    const { id } = await history();
    for (let count = 0; count < 100; count += 1) await server.setCode(id, '482913');
    const page = await visit();
    await button(page, 'Load older').waitFor();
    const { lines } = await exportCsv(page);
    expect(lines).toHaveLength(102);
    await expectToast(
      page,
      'Exported',
      '100 of the 100 rows loaded so far. Older entries are not in the file.',
    );
  });

  it.runIf(isTorture)('that cannot be read says so, and can be read again', async () => {
    await history();
    const { page, repair } = await visitBroken('**/api/admin/audit*', 'Failed to fetch the audit log');
    await repair();
    await button(page, 'Retry').click();
    await rowOf(page, 'Balance changed').waitFor();
  });

  it.runIf(isTorture)('is readable in the light and in the dark, and whole at 1024 px', async () => {
    await history();
    const page = await visit();
    await rowOf(page, 'Balance changed').click();
    await details(page).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
  });
});
