import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditOf } from '#tests/api/books.ts';
import { borrowerWithLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import { button, descriptionOf, dialogOf, expectToast, field } from './screen.ts';
import {
  details,
  expectFigures,
  expectPanelFits,
  expectReadable,
  exportCsv,
  nextBody,
  rowOf,
  setTime,
  settledAdmin,
} from './staff.ts';

// Today is 10 March 2026, noon.

const clock = createTestClock();
const { server, visit, expectReadAgain } = await panelPage('collections', { deps: { clock } });

beforeEach(() => clock.reset());

const late = (date = '2025-12-10') => borrowerWithLoan(server, { date });

const dialog = (page: Page) => dialogOf(page, 'Record contact');
const choice = (page: Page, label: string) => field(dialog(page), label);

async function record(page: Page): Promise<void> {
  await button(dialog(page), 'Record contact').click();
  await dialog(page).waitFor({ state: 'hidden' });
}

const contact = (id: number, more: object = {}) =>
  server.main.recordContact(id, { channel: 'call', outcome: 'reached', ...more } as never);

async function openRow(loanNumber: string, options = {}): Promise<Page> {
  const page = await visit(options);
  await rowOf(page, loanNumber).click();
  await details(page).getByText('past due').waitFor();
  return page;
}

describe('collections', () => {
  it('list who is past due, broken promises first, by bucket and those written off', async () => {
    const month = await late();
    const longest = await late('2025-09-10');
    const lost = await late('2025-08-10');
    await server.main.actOnLoan(lost.id, { kind: 'write_off', reason: 'Cannot be found' });
    await contact(month.id, { promise: { date: '2026-03-10', amount: '500' } });
    clock.set('2026-03-11T04:00:00.000Z');
    const page = await visit();
    await rowOf(page, month.loanNumber).waitFor();
    const rows = () =>
      page
        .getByRole('row')
        .allTextContents()
        .then((texts) => texts.slice(1).map((text) => /LN-\d{4}-\d{6}/.exec(text)?.[0]));
    expect(await rows()).toEqual([month.loanNumber, longest.loanNumber]);
    await rowOf(page, month.loanNumber).getByText('Broken', { exact: true }).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    await page.setViewportSize({ width: 1366, height: 850 });
    const bucket = page.getByRole('combobox', { name: 'Days past due' });
    await bucket.selectOption('91+ days');
    await soon(rows).toEqual([longest.loanNumber]);
    await bucket.selectOption('Broken promises');
    await soon(rows).toEqual([month.loanNumber]);
    await bucket.selectOption('Written off');
    await soon(rows).toEqual([lost.loanNumber]);
    await page.reload();
    await soon(rows).toEqual([lost.loanNumber]);
  });

  it('say whom one may call now, and filter by each figure above them', async () => {
    const free = await late();
    const called = await late('2025-09-10');
    const promised = await late('2025-11-10');
    await contact(called.id, { outcome: 'no_answer' });
    await contact(promised.id, { promise: { date: '2026-03-20', amount: '500' } });
    const page = await visit();
    await rowOf(page, free.loanNumber).getByText('Now', { exact: true }).waitFor();
    await rowOf(page, called.loanNumber).getByText('11 Mar, 08:00').waitFor();
    await rowOf(page, called.loanNumber).getByText('tried today').waitFor();
    await expectFigures(page, [
      ['May call now', '1', 'callable'],
      ['Broken promises', '0', 'broken'],
      ['Open promises', '1', 'promised'],
      ['Never contacted', '1', 'silent'],
      ['All past due', '3', null],
    ]);
    // A bucket is a part of the same list, which the figures go on counting.
    await page.getByRole('combobox', { name: 'Days past due' }).selectOption('91+ days');
    await rowOf(page, free.loanNumber).waitFor({ state: 'hidden' });
    expect(await descriptionOf(button(page, 'All past due'))).toBe('3');
    await page.getByLabel('As of').fill('2026-03-09');
    await rowOf(page, called.loanNumber).waitFor();
    await page.getByText('tried today').waitFor({ state: 'hidden' });
    await expectReadable(page);
  });

  it('go back to a typed day, and are saved as a file that the audit log knows of', async () => {
    const { loanNumber } = await late();
    const page = await visit({ expects: [/status of 400/] });
    await rowOf(page, loanNumber).waitFor();
    const { name, lines } = await exportCsv(page);
    expect(name).toBe('collections.csv');
    expect(lines[1]).toContain(`"${loanNumber}","Maria Clara Santos"`);
    expect(lines[1]).toContain('"16250.00"');
    const entries = await auditOf(server.database, 'list_exported');
    expect(entries.map(({ after }) => after)).toEqual([{ list: 'collections', rows: 1 }]);
    await page.getByLabel('As of').fill('2026-02-10');
    await page.getByText('The end of 10 Feb 2026, as it is known now.').waitFor();
    await page.getByText('No loans past due').waitFor();
    await expectReadable(page);
    await button(page, 'Back to today').click();
    await rowOf(page, loanNumber).waitFor();
    expect(new URL(page.url()).search).toBe('');

    // The page does not go on saying that it works out what it could not read.
    await page.route('**/api/admin/collections?asOf=*', (route) => route.fulfill({ status: 400, json: {} }));
    await page.getByLabel('As of').fill('2026-02-11');
    await page.getByText('Failed to fetch collections').first().waitFor();
    await page.getByText('The end of 11 Feb 2026, as it is known now.').waitFor();
  });

  it.runIf(isTorture)('that cannot be read say so, and can be read again', async () => {
    const { loanNumber } = await late();
    await expectReadAgain('**/api/admin/collections?guard=1', 'Failed to fetch collections', loanNumber);
  });
});

describe('a contact', () => {
  it('of today says so in the list, where one looks for whom to call', async () => {
    const earlier = await late();
    const later = await late('2025-11-10');
    await contact(earlier.id);
    clock.set('2026-03-11T04:00:00.000Z');
    await contact(later.id);
    const page = await visit({ path: 'members' });
    await setTime(page, clock.now());
    await page.getByRole('link', { name: 'Collections', exact: true }).click();
    await rowOf(page, later.loanNumber).getByText('today, Main Admin').waitFor();
    await rowOf(page, earlier.loanNumber).getByText('10 Mar, Main Admin').waitFor();
  });

  it('is recorded with a promise, and after it nobody calls again today', async () => {
    const { id, borrower, loanNumber } = await late();
    const page = await openRow(loanNumber);
    const panel = details(page);
    await panel.getByText(borrower.phone, { exact: true }).waitFor();
    const call = panel.getByRole('link', { name: 'Call', exact: true });
    expect(await call.getAttribute('href')).toBe(`tel:${borrower.phone}`);
    await button(panel, 'Copy').waitFor();
    // The reference person is nobody to ask for money.
    expect(await page.content()).not.toContain(fullProfile.referencePhone);
    await button(panel, 'Record contact').click();
    await choice(page, 'Promised amount').fill('5,000');
    await button(dialog(page), 'Record contact').click();
    await soon(() => descriptionOf(choice(page, 'Promised by'))).not.toBe('Up to 60 days ahead.');
    await choice(page, 'Promised by').fill('2026-06-30');
    await expectReadable(page);
    await choice(page, 'Note').fill('After the harvest');
    await choice(page, 'Promised by').fill('2026-03-20');
    const body = nextBody(page, 'POST', `/api/admin/loans/${id}/contacts`);
    await record(page);
    expect(await body).toEqual({
      channel: 'call',
      outcome: 'reached',
      note: 'After the harvest',
      promise: { date: '2026-03-20', amount: '5000' },
    });
    await expectToast(page, 'Success', 'The contact is recorded.');
    await panel.getByText('Promised ₱5,000.00 by 20 Mar 2026').waitFor();
    await panel
      .getByText('Somebody has tried to reach the borrower today. The next time is 11 Mar 2026, 08:00.')
      .waitFor();
    expect(await call.count()).toBe(0);
    await expectReadable(page);
    await expectPanelFits(page);

    await button(panel, 'Record contact').click();
    await dialog(page).getByText('The next time is 11 Mar 2026, 08:00.', { exact: false }).waitFor();
    await expectReadable(page);
    await choice(page, 'Outcome').selectOption('The borrower contacted us');
    await choice(page, 'It happened anyway').waitFor({ state: 'hidden' });
    await choice(page, 'Outcome').selectOption('No answer');
    await choice(page, 'It happened anyway').check();
    await record(page);
    await panel.getByText('although it was not allowed', { exact: false }).waitFor();
    const { contacts } = await server.main.listContacts(id);
    expect(contacts.map(({ outcome, made }) => [outcome, made])).toEqual([
      ['no_answer', true],
      ['reached', false],
    ]);
  });

  it('that a colleague was faster with is refused, and then shown', async () => {
    const { id, loanNumber } = await late();
    const page = await openRow(loanNumber, { expects: [/status of 409/] });
    await button(details(page), 'Record contact').click();
    await contact(id, { outcome: 'no_answer' });
    await button(dialog(page), 'Record contact').click();
    await expectToast(page, 'Nothing was recorded');
    await choice(page, 'It happened anyway').waitFor();
  });

  it.runIf(isTorture)(
    'stands on the loan’s account too, for collectors to record and for everybody to read',
    async () => {
      const { id } = await late();
      await contact(id, { note: 'Asked for a week' });
      const clerk = await settledAdmin(server);
      await server.main.updateAdmin(clerk.id, { roles: ['cashier'] });
      const token = await server.signIn({ username: clerk.email, password: clerk.password });
      for (const [options, count] of [
        [{}, 1],
        [{ token }, 0],
      ] as const) {
        const page = await visit({ path: `loans/${id}`, ...options });
        const block = page.getByRole('region', { name: 'Last contact', exact: true });
        await block.getByText('“Asked for a week”').waitFor();
        expect(await button(block, 'Record contact').count()).toBe(count);
        if (count === 1) await expectReadable(page);
      }
    },
  );
});

it('what a colleague noted is read again, a payment recorded from the panel, and the loan leaves the list', async () => {
  const { id, loanNumber } = await late();
  const page = await openRow(loanNumber);
  await details(page).getByText('Nobody has contacted the borrower about this loan yet.').waitFor();
  await contact(id, { note: 'Pays today' });
  await button(page, 'Refresh').click();
  await details(page).getByText('“Pays today”').waitFor();
  await button(details(page), 'Record payment').click();
  const paying = dialogOf(page, 'Record payment');
  await field(paying, 'Amount').waitFor();
  await button(paying, 'Record payment').click();
  await expectToast(page, 'Success');
  await page.getByText('No loans past due').waitFor();
});
