import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { approvalOutcomes } from '#domain/servicing.ts';
import { loanSteps } from '#server/services/loan-step-table.ts';
import { approvedApplication, creditAsEarlierVersions } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus } from '#tests/setup/browser-checks.ts';
import { photo } from '#tests/setup/photo.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import type { TestAdmin } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { handOf } from './hands.ts';
import { panelPage } from './panel-page.ts';
import {
  breakDown,
  button,
  countPrinted,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  opened,
  outOfReach,
  printedCount,
  region,
} from './screen.ts';
import {
  details,
  expectFigures,
  expectPanelFits,
  expectReadable,
  expectReadableAndLeave,
  exportCsv,
  giveOldNumber,
  nextBody,
  openPanel,
  questionOf,
  rowOf,
  setTime,
  settledAdmin,
} from './staff.ts';

// A loan after its approval, as staff see it: today is 10 March 2026, and they are alone unless a test adds somebody.

const { server, browser, visit } = await panelPage('borrowing', {
  deps: { clock: createTestClock() },
});

const name = 'Maria Clara Santos';
const refused = /status of 4\d\d/;

const preview = (page: Page | Locator) => page.getByRole('region', { name: /^What (this|it) does$/ });
/** Reads a row of the preview: the figure now and afterwards. */
const change = (page: Page, label: string) =>
  preview(page).getByRole('row').filter({ hasText: label }).getByRole('cell').allTextContents();

const approvedLoan = server.built((fields: { amount?: number; termMonths?: number } = {}) =>
  approvedApplication(server, fields),
);

type Form = { channel: 'wallet' | 'direct' | 'recorded'; date?: string; reference?: string };

const releasedLoan = server.built(
  async (date = '2025-11-10', fields: { amount?: number; termMonths?: number } = {}) => {
    const loan = await approvedLoan(fields);
    await server.main.disburseLoan(loan.id, { channel: 'recorded', date } as Form);
    return loan;
  },
);

const pay = (id: number, body: object) =>
  server.main.recordPayment(id, { channel: 'cash', ...body } as never);

const openAccount = (id: number, options = {}) => visit({ path: `loans/${id}`, ...options });

describe('a release', () => {
  it('leads from the approved loan to the wallet in one step, and says what the borrower will read', async () => {
    const { borrower, id, loanNumber } = await approvedLoan();
    const page = await visit();
    await rowOf(page, name).getByText(loanNumber).click();
    await details(page).getByText('Approved. The next step is to release the money.').waitFor();
    await expectReadable(page);
    const dialog = await opened(button(details(page), 'Release loan'), 'Release loan');
    await dialog.getByText(`${name} · ${borrower.phone}`).waitFor();
    await dialog.getByText('₱150,000.00 arrived in your wallet').waitFor();
    expect(await change(page, 'Wallet balance')).toEqual(['₱0.00', '₱150,000.00']);
    await dialog
      .getByText('This takes two people, and nobody else may decide it.', { exact: false })
      .waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    const body = nextBody(page, 'POST', `/api/admin/loans/${id}/disbursement`);
    await button(dialog, 'Release loan').click();
    expect(await body).toEqual({ channel: 'wallet' });
    await expectToast(page, 'Success', `Loan ${loanNumber} is released.`);
    await details(page).getByText('Open', { exact: false }).first().waitFor();
    await details(page).getByRole('link', { name: 'Open loan account' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await region(page, 'Timeline').getByText('Released · Borrower’s wallet').waitFor();
  });

  it('needs a reference when the money is paid directly, and can be dated back', async () => {
    const { id } = await approvedLoan();
    const page = await openAccount(id, { expects: [refused] });
    await page.getByText('Not released yet').waitFor();
    await expectReadable(page);
    const dialog = await opened(button(page, 'Release loan'), 'Release loan');
    await dialog.getByText('Paid directly').click();
    // Nobody is refused before they could type it.
    await preview(page).getByText('Fill in the fields above').waitFor();
    await expectReadable(page);
    expect(await preview(page).getByText('This cannot be done').count()).toBe(0);
    await button(dialog, 'Release loan').click();
    await soon(() => descriptionOf(field(dialog, 'Reference'))).toContain('Please give the reference');
    await field(dialog, 'Reference').fill('BT 2026-77');
    await dialog.getByLabel('Released on').fill('2026-02-10');
    await dialog.getByText('10 Apr 2026', { exact: true }).waitFor();
    await button(dialog, 'Release loan').click();
    await dialog.waitFor({ state: 'hidden' });
    const { disbursedOn, events } = await server.main.readLoanAccount(id);
    expect([disbursedOn, events[0]?.reference]).toEqual(['2026-02-10', 'BT 2026-77']);
  });

  it('is offered as paid already where an earlier version put the money into the wallet by hand', async () => {
    const { borrower, id } = await approvedLoan();
    await creditAsEarlierVersions(server, borrower.id);
    const page = await openAccount(id, { expects: [refused] });
    await button(page, 'Release loan').click();
    await button(page, 'Record it as paid already').click();
    await preview(page).getByText('Wallet balance ₱150,000.00', { exact: false }).waitFor();
    await button(dialogOf(page, 'Release loan'), 'Release loan').click();
    await expectToast(page, 'Success');
    expect((await server.main.readLoanAccount(id)).events[0]?.channel).toBe('recorded');
  });

  it('names what came into the wallet since the approval, and who changed how the borrower signs in', async () => {
    const running = await releasedLoan();
    const { borrower, id } = await approvedLoan();
    const clerk = await server.createAdmin({ fullName: 'Ana Reyes' });
    server.clock.advance({ minutes: 1 });
    await clerk.updateMember(borrower.id, { balance: 150_000, password: 'issued by staff' });
    await server.main.updateLoan(id, { amount: 160_000 });
    const { phone } = borrower;
    const again = server.as(await server.signIn({ phone, password: 'issued by staff' }));
    await again.acceptContract(id, { version: 2 });
    await server.main.disburseLoan(id, { channel: 'wallet' });
    const third = await settledAdmin(server);
    await server.main.recordPayment(running.id, { amount: 1_000, channel: 'cash' });
    const page = await visit({ path: 'approvals', token: third.token });
    const seen = preview(page);
    await seen.getByText('The wallet was credited since the loan was approved:').waitFor();
    await seen.getByText('₱150,000.00 by Ana Reyes', { exact: false }).waitFor();
    await seen.getByText('Ana Reyes set the password', { exact: false }).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    const account = await openAccount(id, { token: third.token });
    await account.getByText('Ana Reyes set the password', { exact: false }).waitFor();
    await expectReadable(account);
    const own = await visit({ path: 'approvals', token: clerk.token });
    await own.getByText('changed how they sign in before they agreed', { exact: false }).waitFor();
    const today = await visit({ path: 'today', token: third.token });
    await today.getByText('₱1,000.00 in cash', { exact: false }).waitFor();
    await expectReadable(today);
    await expectPanelFits(today);
  });
});

describe('a loan account', () => {
  it('shows position, rows, receipts and history, and reads well in every size', async () => {
    const { id } = await releasedLoan('2025-10-10');
    await pay(id, { amount: 6_250, valueDate: '2026-01-10', reference: 'OR 0012' });
    const page = await openAccount(id);
    await page.getByText('90 days past due').waitFor();
    const rows = page.getByRole('table', { name: 'Instalments' });
    await rows.getByRole('row').nth(1).getByText('Overdue').waitFor();
    await region(page, 'Late charges')
      .getByText('₱16,250.00 unpaid from 10 Dec 2025 to 10 Jan 2026')
      .waitFor();
    await region(page, 'Receipts').getByText('₱6,250.00 to instalment 1').waitFor();
    await region(page, 'Timeline').getByText('Recorded 10 Mar 2026', { exact: false }).first().waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    for (const width of [768, 390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await button(page, 'Record payment').scrollIntoViewIfNeeded();
    }
  });

  it('of no number is not found, like any other address of the panel that is none', async () => {
    const page = await visit({ path: 'loans/0', expects: [/status of 404/] });
    await page.getByText(en.notFound.text).waitFor();
    expect(await page.getByText(panel.loanAccount.failed).count()).toBe(0);
  });

  it.runIf(isTorture)('goes back to any day, and says what settling costs on another', async () => {
    const { id } = await releasedLoan();
    await pay(id, { amount: 16_250, valueDate: '2026-01-10' });
    const page = await openAccount(id);
    await page.getByLabel('As of').fill('2025-12-24');
    await page.getByText('The loan at the end of 24 Dec 2025.').waitFor();
    expect(new URL(page.url()).search).toBe('?asOf=2025-12-24');
    const rows = page.getByRole('table', { name: 'Instalments' });
    await rows.getByRole('row').nth(1).getByText('Pending').waitFor();
    await takeAndLeave(page);
    await rows.getByRole('row').nth(1).getByText('Paid', { exact: true }).waitFor();
    const settlement = region(page, 'Settlement');
    const today = await settlement.getByText('₱', { exact: false }).first().textContent();
    await settlement.getByLabel('Settle on').fill('2026-03-31');
    await soon(() => settlement.getByText('₱', { exact: false }).first().textContent()).not.toBe(today);
    const { amount } = await server.main.readSettlement(id, { date: '2026-03-31' });
    const [pesos = '', centavos = ''] = amount.split('.');
    const shown = `₱${Number(pesos).toLocaleString('en')}.${centavos}`;
    await settlement.getByText(shown, { exact: true }).waitFor();
  });

  it('takes a typed day as a whole, and shows no figures of another one', async () => {
    const { id } = await releasedLoan();
    const page = await openAccount(id);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url());
      asked.push(...['asOf', 'date'].flatMap((name) => searchParams.get(name) ?? []));
    });
    const figures = page.getByRole('table', { name: 'Instalments' });
    await figures.waitFor();
    const asOf = page.getByLabel('As of');
    await asOf.fill('');
    await page.getByText('Enter a day from 10 Nov 2025 on', { exact: false }).waitFor();
    expect(await figures.count()).toBe(0);
    await expectReadable(page);
    await button(page, 'Back to today').click();
    await figures.waitFor();
    expect(await asOf.inputValue()).toBe('10 Mar 2026');
    await asOf.fill('2025-11-09');
    await page.getByText('Enter a day from 10 Nov 2025 on', { exact: false }).waitFor();
    await asOf.fill('');
    await page.keyboard.type('24/12/2025');
    await page.getByText('The loan at the end of 24 Dec 2025.').waitFor();
    await figures.waitFor();
    expect(asked).toEqual(['2025-12-24']);
    await asOf.fill('2025-12-25');
    await asOf.press('Enter');
    await page.getByText('The loan at the end of 25 Dec 2025.').waitFor();
    await button(page, 'Back to today').click();
    await soon(() => asOf.inputValue()).toBe('10 Mar 2026');

    // A day typed for one loan is nothing to another.
    const other = await releasedLoan();
    for (const _ of ['not read yet', 'read before']) {
      await asOf.fill('');
      await page.getByText('Enter a day from 10 Nov 2025 on', { exact: false }).waitFor();
      await button(page, panel.list.refresh).focus();
      await page.keyboard.press('Control+k');
      await page.keyboard.type(other.loanNumber);
      await region(page, 'Loans').getByRole('link').click();
      await page.waitForURL(`**/management/loans/${other.id}`);
      await soon(() => asOf.inputValue()).toBe('10 Mar 2026');
      await figures.waitFor();
      await page.goBack();
      await figures.waitFor();
    }

    const settlement = region(page, 'Settlement');
    const price = settlement.getByText('Pays off the whole loan');
    await price.waitFor();
    for (const day of ['', '2026-05-10']) {
      await settlement.getByLabel('Settle on').fill(day);
      await settlement.getByText('Enter a day from 10 Nov 2025 to 9 Apr 2026.').waitFor();
      expect(await price.count()).toBe(0);
    }
    await settlement.getByLabel('Settle on').fill('2026-04-09');
    await price.waitFor();
    expect(asked.at(-1)).toBe('2026-04-09');
  });

  it.runIf(isTorture)('is read anew each time it is opened, and says when', async () => {
    const { id } = await releasedLoan();
    await pay(id, { amount: 16_250, valueDate: '2026-01-10' });
    const [payment] = (await server.main.readLoanAccount(id)).payments;
    const page = await openAccount(id);
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    const receipts = region(page, 'Receipts');
    await receipts.getByText('Confirmed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Payments' }).click();
    await rowOf(page, '₱16,250.00').getByText('Confirmed').waitFor();
    await server.main.updatePayment(payment?.id ?? 0, { status: 'reversed', reason: 'The cheque bounced' });
    await page.goBack();
    await receipts.getByText('Reversed', { exact: true }).waitFor();
    await page.goForward();
    await rowOf(page, '₱16,250.00').getByText('Reversed').waitFor();
    await page.goBack();
    await receipts.getByText('Reversed', { exact: true }).waitFor();
    await pay(id, { amount: 500 });
    await button(page, 'Refresh').click();
    await receipts.getByText('AR-2026-000002').waitFor();
  });

  const takeAndLeave = async (page: Page) => {
    await expectReadable(page);
    await button(page, 'Back to today').click();
  };

  it('has its papers: statement, receipts, and once it is paid off the clearance certificate', async () => {
    const { id, loanNumber } = await releasedLoan();
    await pay(id, { amount: 1_000 });
    const page = await openAccount(id);
    const saved = async (scope: Page | Locator, label: string) => {
      const coming = page.waitForEvent('download');
      await button(scope, label).click();
      return (await coming).suggestedFilename();
    };
    expect(await saved(page, 'Statement PDF')).toBe(`${loanNumber}-statement.pdf`);
    expect(await saved(page, 'Statement CSV')).toBe(`${loanNumber}-statement.csv`);
    expect(await saved(region(page, 'Receipts'), 'Receipt PDF')).toBe('AR-2026-000001.pdf');
    expect(await button(page, 'Clearance certificate').count()).toBe(0);
    await pay(id, { amount: 300_000 });
    await page.reload();
    expect(await saved(page, 'Clearance certificate')).toBe(`${loanNumber}-clearance.pdf`);
    await expectReadable(page);
  });

  it('of a long loan shows a year of rows, and all when asked', async () => {
    const { id } = await releasedLoan('2025-11-10', { amount: 500_000, termMonths: 48 });
    const page = await openAccount(id);
    const rows = page.getByRole('table', { name: 'Instalments' }).getByRole('row');
    await soon(() => rows.count()).toBe(13);
    await button(page, 'Show all 48').click();
    await soon(() => rows.count()).toBe(49);
  });

  it.runIf(isTorture)('that cannot be read says so, and can be read again', async () => {
    const { id } = await releasedLoan();
    const page = await browser.visit({
      screen: 'desktop',
      token: await server.signInMainAdmin(),
      expects: [outOfReach],
    });
    const repair = await breakDown(page, `**/api/loans/${id}/account`);
    await page.goto(`/management/loans/${id}`);
    await page.getByText('The loan account could not be loaded').waitFor();
    await repair();
    await button(page, 'Retry').click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  it.each(sampleOf(['mouse', 'keyboard'] as const, 2))(
    'takes a payment, shown before it is taken, by %s',
    async (kind) => {
      const { id, loanNumber } = await releasedLoan();
      const page = await openAccount(id);
      const hand = handOf(page, kind);
      await hand.press(button(page, 'Record payment'));
      const dialog = dialogOf(page, 'Record payment');
      // The field begins with what is due now, the likeliest payment.
      expect(await field(dialog, 'Amount').inputValue()).not.toBe('');
      await hand.type(field(dialog, 'Amount'), '20000');
      await preview(page).getByText('₱16,250.00 to instalment 1', { exact: false }).waitFor();
      if (kind === 'mouse') {
        await expectReadable(page);
        await expectPanelFits(page);
      }
      await hand.press(button(dialog, 'Record payment'));
      await expectToast(page, 'Success', '₱20,000.00 received, receipt AR-2026-000001.');
      await region(page, 'Receipts').getByText('AR-2026-000001').waitFor();
      await region(page, 'Timeline').getByText('Payment · ₱20,000.00 · Cash').waitFor();
      expect(await hasFocus(button(page, 'Record payment'))).toBe(true);
      expect((await server.main.readLoanAccount(id)).loanNumber).toBe(loanNumber);
    },
  );

  it('takes a transfer with its proof, which waits to be confirmed', async () => {
    const { id } = await releasedLoan();
    const page = await openAccount(id);
    const dialog = await opened(button(page, 'Record payment'), 'Record payment');
    await dialog.getByLabel('How it was paid').selectOption('gcash');
    await field(dialog, 'Amount').fill('1,000.50');
    await field(dialog, 'Reference').fill('GC 0099');
    await dialog.getByLabel('Proof of payment').setInputFiles({
      name: 'slip.png',
      mimeType: 'image/png',
      buffer: await photo(),
    });
    await dialog.getByText('Photo added').waitFor();
    await preview(page).getByText('once somebody else has confirmed it', { exact: false }).waitFor();
    await expectReadable(page);
    await button(dialog, 'Record payment').click();
    await expectToast(page, 'Waiting to be confirmed');
    const [payment] = (await server.main.readLoanAccount(id)).payments;
    expect(payment).toMatchObject({ amount: '1000.50', status: 'submitted', reference: 'GC 0099' });
    expect(payment?.proofUrl).toMatch(/^\/api\/files\//);
  });

  it('waives, defers, writes off and takes back, each shown before it is done', async () => {
    const { id } = await releasedLoan();
    const page = await openAccount(id, { expects: [refused] });

    await button(page, 'Waive late charge').click();
    const waiver = dialogOf(page, 'Waive late charge');
    const owed = await field(waiver, 'Amount').inputValue();
    await soon(async () => (await change(page, 'Late charges owed')).at(-1)).toBe('₱0.00');
    await field(waiver, 'Amount').fill('1000000');
    await preview(page).getByText('This cannot be done').waitFor();
    await field(waiver, 'Amount').fill(owed);
    await button(waiver, 'Waive late charge').click();
    // Without a reason nothing is sent.
    await soon(() => hasFocus(field(waiver, 'Reason'))).toBe(true);
    await field(waiver, 'Reason').fill('Flood in the barangay');
    await expectReadable(page);
    await button(waiver, 'Waive late charge').click();
    await waiver.waitFor({ state: 'hidden' });
    await expectToast(page, 'Success', `₱${owed}.00 in late charges waived.`);
    await region(page, 'Timeline').getByText('“Flood in the barangay”').waitFor();

    await button(region(page, 'Timeline'), 'Reverse').click();
    const back = page.getByRole('dialog', { name: /^Reverse: Late charge waived/ });
    await field(back, 'Reason').fill('The wrong loan');
    await preview(page).getByRole('row').first().waitFor();
    await button(back, 'Reverse').click();
    await back.waitFor({ state: 'hidden' });
    await expectToast(page, 'Success', `Reversed: Late charge waived · ₱${owed}.00.`);

    await button(page, 'Defer').click();
    const deferral = dialogOf(page, 'Defer instalments');
    // The fewest months that can be granted: what is due on 10 January moves to today.
    expect(await deferral.getByLabel('Months').inputValue()).toBe('2');
    await soon(async () => (await change(page, 'Overdue')).at(-1)).toBe('₱0.00');
    await deferral.getByLabel('Months').fill('3');
    await soon(async () => (await change(page, 'Next instalment')).at(-1)).toBe('₱16,250.00 on 10 Apr 2026');
    await field(deferral, 'Reason').fill('Lost the harvest');
    await expectReadable(page);
    await button(deferral, 'Defer').click();
    await deferral.waitFor({ state: 'hidden' });
    await expectToast(page, 'Success', 'Unpaid instalments moved by 3 months.');

    await button(page, 'Write off').click();
    const writeOff = dialogOf(page, 'Write off loan');
    await soon(async () => (await change(page, 'Status')).at(-1)).toBe('Written off');
    await field(writeOff, 'Reason').fill('Moved abroad');
    const colorOf = (place: Locator) => place.evaluate((node) => getComputedStyle(node).color);
    expect(await colorOf(button(writeOff, 'Write off'))).not.toBe(await colorOf(button(writeOff, 'Cancel')));
    expect(await button(writeOff, 'Write off').getAttribute('class')).toContain('text-bad');
    await button(writeOff, 'Write off').click();
    await writeOff.waitFor({ state: 'hidden' });
    await expectToast(page, 'Success', /^Loan .* written off\.$/);
    await page.locator('header').getByText('Written off').waitFor();
    await expectReadable(page);
    expect((await server.main.readLoanAccount(id)).events.map(({ kind }) => kind)).toEqual([
      ...['disbursement', 'waiver', 'reversal', 'deferral', 'write_off'],
    ]);
  });

  it('takes a release back from the wallet', async () => {
    const { borrower, id, loanNumber } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    const page = await openAccount(id);
    const dialog = await opened(button(page, 'Cancel release'), 'Cancel release');
    await field(dialog, 'Reason').fill('The wrong account');
    await soon(() => change(page, 'Wallet balance')).toEqual(['₱150,000.00', '₱0.00']);
    await button(dialog, 'Cancel release').click();
    await expectToast(page, 'Success', `The release of loan ${loanNumber} is cancelled.`);
    await page.locator('header').getByText('Release cancelled').waitFor();
    await button(page, 'Release loan').waitFor();
    expect((await borrower.readProfile()).balance).toBe('0.00');
  });

  it('shows a receipt as printed and as it counts now, where an earlier payment was found later', async () => {
    const { id } = await releasedLoan();
    await pay(id, { amount: 16_250, valueDate: '2026-03-01' });
    await pay(id, { amount: 16_250, valueDate: '2026-01-10' });
    const page = await openAccount(id);
    const receipts = region(page, 'Receipts');
    await receipts.getByText('As printed', { exact: true }).waitFor();
    await receipts.getByText('As counted today').waitFor();
    await receipts.getByText('₱16,250.00 to instalment 2', { exact: false }).first().waitFor();
    await expectReadable(page);
  });

  it.runIf(isTorture)('prints a receipt and the statement in one click', async () => {
    const { id } = await releasedLoan();
    await pay(id, { amount: 16_250, valueDate: '2026-01-10' });
    const page = await openAccount(id);
    await countPrinted(page);
    await page.reload();
    await region(page, 'Receipts').getByRole('button', { name: 'Print' }).click();
    await soon(() => printedCount(page)).toBe(1);
    await region(page, 'Papers').getByRole('button', { name: 'Print' }).click();
    await soon(() => printedCount(page)).toBe(2);
  });

  it('offers each person what their roles allow', async () => {
    const { id } = await releasedLoan();
    const helper = await settledAdmin(server);
    await server.main.updateAdmin(helper.id, { roles: ['cashier'] });
    const page = await openAccount(id, { token: helper.token });
    await button(page, 'Record payment').waitFor();
    for (const other of ['Defer', 'Waive late charge', 'Write off']) {
      expect(await button(page, other).count()).toBe(0);
    }
  });

  it('offers no deferral after a write-off, and says that late charges have stopped', async () => {
    const { id } = await releasedLoan('2025-10-10');
    const page = await openAccount(id);
    const late = region(page, 'Late charges');
    await late.getByText('Instalment 1').waitFor();
    expect(await late.getByText('no longer grows').count()).toBe(0);
    await button(page, 'Defer').waitFor();
    await server.main.actOnLoan(id, { kind: 'write_off', reason: 'It cannot be collected' });
    await button(page, 'Refresh').click();
    await late.getByText('no longer grows').first().waitFor();
    await soon(() => button(page, 'Defer').count()).toBe(0);
  });
});

describe('payments', () => {
  const open = (options = {}) => visit({ path: 'payments', ...options });

  async function three() {
    const { id, loanNumber } = await releasedLoan();
    await pay(id, { amount: 5_000, valueDate: '2026-01-20', reference: 'OR 0001' });
    const { url: proofUrl } = await upload();
    await pay(id, { amount: 700, channel: 'maya', reference: 'MY 0002', valueDate: '2026-02-20', proofUrl });
    await pay(id, { amount: 800, channel: 'instapay', reference: 'IP 0003', valueDate: '2026-03-02' });
    return { id, loanNumber };
  }

  async function upload() {
    return server.upload(await server.signInMainAdmin());
  }

  it.runIf(isTorture)('say when there are none, and when they cannot be read', async () => {
    const page = await open();
    await page.getByText('No payments found', { exact: true }).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    const broken = await browser.visit({
      screen: 'desktop',
      token: await server.signInMainAdmin(),
      expects: [outOfReach],
    });
    const repair = await breakDown(broken, '**/api/admin/payments');
    await broken.goto('/management/payments');
    await expectToast(broken, 'Error', 'Failed to fetch payments');
    await repair();
    await button(broken, 'Retry').click();
    await broken.getByText('No payments found', { exact: true }).waitFor();
  });

  it('are searched, filtered by status, channel and day, and exported as shown', async () => {
    const { loanNumber } = await three();
    const page = await open();
    await page.locator('main').getByText('3 payments', { exact: true }).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    await page.setViewportSize({ width: 1366, height: 850 });
    await page.getByRole('searchbox', { name: 'Search payments' }).fill('my 0002');
    await page.locator('main').getByText('1 of 3 payments').waitFor();
    await page.getByRole('searchbox').fill('');
    await expectFigures(page, [
      ['Confirmed', '1', 'confirmed'],
      ['All', '3', null],
      ['To confirm', '2', 'submitted'],
    ]);
    await page.locator('main').getByText('2 of 3 payments').waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('channel=instapay'));
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('instapay');
    expect((await asked).url()).toMatch(/\/api\/admin\/payments\?.*status=submitted/);
    await page.locator('main').getByText('1 payment', { exact: true }).waitFor();
    await field(page, 'To').fill('2026-02-28');
    await page.getByText('Nothing matches your search and filter.').waitFor();
    await button(page, 'Clear search and filter').click();
    await field(page, 'From').fill('2026-02-01');
    await page.locator('main').getByText('2 payments', { exact: true }).waitFor();
    await page.reload();
    await page.locator('main').getByText('2 payments', { exact: true }).waitFor();
    const { name: fileName, lines } = await exportCsv(page);
    expect([fileName, lines.length]).toEqual(['payments.csv', 4]);
    expect(lines[1]).toContain(loanNumber);
  });

  it('are found by what only the server knows of their member', async () => {
    const { borrower, id, loanNumber } = await releasedLoan();
    const other = await releasedLoan();
    await pay(id, { amount: 5_000 });
    await pay(other.id, { amount: 700 });
    await giveOldNumber(server, borrower.id, 'OLD-77');
    const page = await open();
    await page.locator('main').getByText('2 payments', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search payments' }).fill('old-77');
    await page.locator('main').getByText('1 of 2 payments').waitFor();
    await rowOf(page, loanNumber).waitFor();
    await page.getByRole('searchbox').fill('old-78');
    await page.getByText('Nothing matches your search and filter.').waitFor();
  });

  it.runIf(isTorture)('of many draw only those in sight', async () => {
    const { id } = await releasedLoan();
    for (let count = 0; count < 80; count += 1) await pay(id, { amount: 100 + count });
    const page = await open();
    await page.locator('main').getByText('80 payments', { exact: true }).waitFor();
    expect(await page.locator('[data-row-id]').count()).toBeLessThan(40);
    await expectPanelFits(page);
  });

  it.runIf(isTorture)('nobody confirms what they recorded, once somebody else may', async () => {
    await three();
    await settledAdmin(server);
    const page = await open({ expects: [refused] });
    await button(rowOf(page, 'MY 0002'), 'Confirm').click();
    await preview(page).getByText('Somebody else has to decide this', { exact: false }).waitFor();
    await expectReadable(page);
  });

  it('that a borrower sent are confirmed with what came in, and why it is not what they wrote', async () => {
    const { borrower, id, loanNumber } = await releasedLoan();
    const sent = { amount: 1_200, channel: 'gcash', reference: 'GC 0007', paidOn: '2026-03-09' };
    await borrower.payOwnLoan(id, sent as never).success();
    const page = await open({ expects: [refused] });
    await button(rowOf(page, 'GC 0007'), 'Confirm').click();
    const confirm = dialogOf(page, 'Confirm payment');
    const why = field(confirm, 'Why the amount is another one');
    expect(await field(confirm, 'Amount').inputValue()).toBe('1,200');
    expect(await why.count()).toBe(0);
    await field(confirm, 'Amount').fill('1150');
    await button(confirm, 'Confirm').click();
    await soon(() => hasFocus(why)).toBe(true);
    await why.fill('The slip says 1,150');
    await expectReadable(page);
    await button(confirm, 'Confirm').click();
    await expectToast(page, 'Success', /^₱1,150\.00 received, receipt AR-/);
    const { payments } = await borrower.readLoanAccount(id);
    expect(payments).toMatchObject([
      { amount: '1150.00', sentAmount: '1200.00', note: 'The slip says 1,150' },
    ]);
    await rowOf(page, loanNumber).getByText('Confirmed').waitFor();
  });

  it('in cash that is on the loan already says so before it is confirmed, and is whole on a low screen', async () => {
    const { borrower, id } = await releasedLoan();
    const cash = { amount: 1_300, channel: 'cash' } as const;
    await server.main.recordPayment(id, { ...cash, valueDate: '2026-03-09' });
    await borrower.payOwnLoan(id, { ...cash, paidOn: '2026-03-09' });
    const page = await open();
    await button(page, 'Confirm').click();
    const confirm = dialogOf(page, 'Confirm payment');
    await confirm
      .getByRole('alert')
      .getByText(/AR-2026-\d{6} of 9 Mar 2026/)
      .waitFor();
    await soon(async () => (await change(page, 'Due now')).length).toBe(2);
    await page.setViewportSize({ width: 1024, height: 768 });
    await expectReadableAndLeave(page, confirm);
  });

  it('show the proof beside the facts, and are confirmed, rejected and reversed', async () => {
    await three();
    const page = await open();
    await rowOf(page, 'MY 0002').getByText('Maya').click();
    await details(page).getByRole('img', { name: 'Proof of payment' }).waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    await page.setViewportSize({ width: 1366, height: 850 });
    await button(details(page), 'Open the photo').click();
    await expectReadableAndLeave(page, dialogOf(page, 'Proof of payment'));
    await button(rowOf(page, 'MY 0002'), 'Confirm').click();
    const confirm = dialogOf(page, 'Confirm payment');
    await soon(async () => (await change(page, 'Due now')).length).toBe(2);
    await button(confirm, 'Open the photo').click();
    await button(dialogOf(page, 'Proof of payment'), 'Close').click();
    await button(confirm, 'Confirm').click();
    await expectToast(page, 'Success', '₱700.00 received, receipt AR-2026-000002.');
    await rowOf(page, 'MY 0002').getByText('Confirmed').waitFor();

    await button(rowOf(page, 'IP 0003'), 'Reject').click();
    const reject = dialogOf(page, 'Reject payment');
    await button(reject, 'Reject').click();
    await reject.getByRole('alert').waitFor();
    await field(reject, 'Reason').fill('Not on the statement');
    await button(reject, 'Reject').click();
    await expectToast(page, 'Success', 'Payment of ₱800.00 rejected.');
    await rowOf(page, 'IP 0003').getByText('Rejected').waitFor();

    await button(rowOf(page, 'OR 0001'), 'Reverse').click();
    const reverse = dialogOf(page, 'Reverse payment');
    await field(reverse, 'Reason').fill('The cheque bounced');
    await soon(async () => (await change(page, 'Due now')).length).toBe(2);
    await expectReadable(page);
    await button(reverse, 'Reverse').click();
    await expectToast(page, 'Success', 'Payment of ₱5,000.00 reversed.');
    await rowOf(page, 'OR 0001').getByText('Reversed').waitFor();
  });
});

describe('approvals', () => {
  let helper: TestAdmin;
  beforeEach(async () => {
    helper = await settledAdmin(server);
  });

  const open = (token: string, options = {}) => openPanel(browser, 'approvals', { token, ...options });

  it.runIf(isTorture)('say when nothing waits, and when they cannot be read', async () => {
    const page = await open(helper.token);
    await page.getByText('Nothing is waiting').waitFor();
    await expectReadable(page);
    const broken = await browser.visit({ screen: 'desktop', token: helper.token, expects: [outOfReach] });
    const repair = await breakDown(broken, '**/api/admin/approvals*');
    await broken.goto('/management/approvals');
    await broken.getByText('The approvals could not be loaded').waitFor();
    await repair();
    await button(broken, 'Retry').click();
    await broken.getByText('Nothing is waiting').waitFor();
  });

  it('nobody decides their own request: one asks in a browser, somebody else approves in another', async () => {
    const { id, loanNumber } = await approvedLoan();
    const asking = await openAccount(id);
    await button(asking, 'Release loan').click();
    await preview(asking).getByText('Somebody else has to approve this first.').waitFor();
    await button(dialogOf(asking, 'Release loan'), 'Release loan').click();
    await expectToast(asking, 'Waiting for approval');
    await asking.getByText('A request about this loan is waiting', { exact: true }).waitFor();
    await expectReadable(asking);
    await asking.getByRole('link', { name: 'Open approvals' }).click();
    await asking.getByRole('tab', { name: 'Mine' }).click();
    const own = asking.getByRole('complementary', { name: `Release · ${name}` });
    await own.getByText('You asked for this, so somebody else has to decide.').waitFor();
    expect(await button(own, 'Approve').count()).toBe(0);
    await expectReadable(asking);
    const [approval] = await server.main.listApprovals();
    const forced = await server.main.decideApproval(approval?.id ?? 0, { decision: 'approved' }).answer();
    expect([forced.status, (forced.body as Partial<ErrorBody>).code]).toEqual([403, 'own_request']);

    const deciding = await open(helper.token);
    const waiting = deciding.getByRole('link', { name: 'Approvals' });
    await soon(() => waiting.getAttribute('aria-description')).toBe('1 waiting for you');
    const theirs = deciding.getByRole('complementary', { name: `Release · ${name}` });
    await theirs.getByText('₱150,000.00', { exact: true }).first().waitFor();
    await theirs.getByText('Borrower’s wallet', { exact: true }).waitFor();
    await soon(() => change(deciding, 'Wallet balance')).toEqual(['₱0.00', '₱150,000.00']);
    await expectReadable(deciding);
    await expectPanelFits(deciding);
    await button(theirs, 'Approve').click();
    await expectToast(deciding, 'Approved', `Release, loan ${loanNumber}: done.`);
    await deciding.getByText('Nothing is waiting').waitFor();
    const { events } = await server.main.readLoanAccount(id);
    expect(events[0]).toMatchObject({ by: 'Main Admin', approvedBy: 'Ordinary Admin' });
    await deciding.getByRole('tab', { name: 'Decided' }).click();
    await deciding.locator('main').getByText('Approved', { exact: true }).waitFor();
    await expectReadable(deciding);
  });

  it('are declined with a reason, by keyboard, and nothing happens', async () => {
    const { id } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    const page = await open(helper.token);
    const hand = handOf(page, 'keyboard');
    await preview(page).getByRole('table').waitFor();
    await hand.press(button(page, 'Decline'));
    const dialog = dialogOf(page, 'Decline: Release');
    await hand.press(button(dialog, 'Decline'));
    await dialog.getByRole('alert').waitFor();
    await hand.type(field(dialog, 'Reason'), 'No papers');
    await hand.press(button(dialog, 'Decline'));
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Nothing is waiting').waitFor();
    expect((await server.main.readLoanAccount(id)).account.state).toBe('not_disbursed');
  });

  it('of one kind are approved together, each under its rules, and a refused one says why', async () => {
    const [first, second, spoilt] = [await approvedLoan(), await approvedLoan(), await approvedLoan()];
    const late = await approvedLoan();
    await server.main.disburseLoan(late.id, { channel: 'recorded', date: '2026-01-10' });
    const [release] = await server.main.listApprovals();
    await helper.decideApproval(release?.id ?? 0, { decision: 'approved' });
    for (const { id } of [first, second, spoilt]) await server.main.disburseLoan(id, { channel: 'wallet' });
    await server.main.actOnLoan(late.id, { kind: 'deferral', months: 1, reason: 'Typhoon' });
    const page = await open(helper.token, { expects: [refused] });
    const rows = page.getByRole('table', { name: 'To decide' });
    const row = (of: { loanNumber: string }) => rows.getByRole('row').filter({ hasText: of.loanNumber });
    expect((await row(first).boundingBox())?.height).toBe(40);
    await row(first).getByRole('checkbox').check();
    expect(await row(late).getByRole('checkbox').isDisabled()).toBe(true);
    await button(page, 'Choose all 3').click();
    await page.getByText('3 × Release, ₱450,000.00').waitFor();
    await expectReadable(page);
    await expectPanelFits(page);
    await page.setViewportSize({ width: 1366, height: 768 });
    await row(late).click();
    await page.getByRole('complementary', { name: `Deferral · ${name}` }).waitFor();
    await soon(async () => (await change(page, 'Next instalment')).length).toBe(2);
    // A colleague changes one of the loans meanwhile.
    await server.main.updateLoan(spoilt.id, { status: 'account_issue' });
    const badge = () =>
      page.getByRole('link', { name: 'Approvals', exact: true }).getAttribute('aria-description');
    await soon(badge).toBe('4 waiting for you');
    await button(page, 'Approve together (3)').click();
    await button(questionOf(page), 'Approve').click();
    await expectToast(page, 'Not all were approved', '2 approved, 1 refused. Their rows say why.');
    await soon(badge).not.toBe('4 waiting for you');
    await row(first).waitFor({ state: 'hidden' });
    await row(spoilt)
      .getByText(/^(Only an approved|The loan, the borrower)/)
      .waitFor();
    const stateOf = async ({ id }: { id: number }) => (await server.main.readLoanAccount(id)).account.state;
    expect(await Promise.all([first, second, spoilt].map(stateOf))).toEqual([
      'open',
      'open',
      'not_disbursed',
    ]);
  });

  it('are chosen, added up to the centavo and decided by keys, and the focus goes on to the next', async () => {
    const loans = [await approvedLoan(), await approvedLoan(), await approvedLoan(), await approvedLoan()];
    for (const { id } of loans)
      await server.main.disburseLoan(id, { channel: 'recorded', date: '2026-01-10' });
    for (const { id } of await server.main.listApprovals()) {
      await helper.decideApproval(id, { decision: 'approved' });
    }
    // Sums of these as floating numbers have many digits.
    for (const [index, amount] of ['64916.67', '97638.89', '61333.33', '51333.30'].entries()) {
      await server.main.recordPayment(loans[index]?.id ?? 0, { amount, channel: 'cash' });
    }
    const page = await open(helper.token);
    const row = (index: number) => rowOf(page, loans[index]?.loanNumber ?? '');
    await row(0).focus();
    for (const key of ['Space', 'j', 'Space', 'j', 'Space']) await page.keyboard.press(key);
    await page.getByText('3 × Payment, ₱223,888.89', { exact: true }).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('2 × Payment, ₱162,555.56', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await questionOf(page).getByText('₱97,638.89. Counts as paid.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await row(1).waitFor({ state: 'hidden' });
    await soon(() => hasFocus(row(2))).toBe(true);
    await page
      .getByRole('complementary')
      .getByText(loans[2]?.loanNumber ?? '')
      .waitFor();
    await page.keyboard.press('d');
    const decline = dialogOf(page, 'Decline: Payment');
    await page.keyboard.type('Counted twice');
    await page.keyboard.press('Enter');
    await decline.getByRole('button', { name: 'Decline' }).press('Enter');
    await decline.waitFor({ state: 'hidden' });
    await soon(() => hasFocus(row(3))).toBe(true);
    await expectReadable(page);
    const left = await server.main.listApprovals();
    expect(left.map(({ loanId }) => loanId).sort()).toEqual([loans[0]?.id, loans[3]?.id].sort());
  });

  it('say what is asked for in words, whatever it is', () => {
    expect(Object.keys(panel.approvals.asks).sort()).toEqual(Object.keys(loanSteps).sort());
    expect(Object.keys(panel.approvals.decisions).sort()).toEqual([...approvalOutcomes].sort());
  });

  it('say how old they are', async () => {
    const { id } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    const page = await browser.visit({ screen: 'desktop', token: helper.token });
    for (const [day, age] of [
      ['2026-03-10', 'asked today'],
      ['2026-03-11', 'asked yesterday'],
      ['2026-03-13', 'asked 3 days ago'],
    ] as const) {
      await setTime(page, new Date(`${day}T20:00:00+08:00`));
      await page.goto('/management/approvals');
      await page.getByText(age, { exact: false }).waitFor();
    }
  });

  it('are read anew each time they are opened, as the badge is on every page', async () => {
    const { id } = await approvedLoan();
    const page = await open(helper.token);
    let previews = 0;
    page.on('response', (response) => {
      if (response.url().endsWith(`/loans/${id}/preview`)) previews += 1;
    });
    await page.getByText('Nothing is waiting').waitFor();
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await rowOf(page, name).waitFor();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    await page.getByRole('link', { name: 'Payments' }).click();
    const link = page.getByRole('link', { name: 'Approvals' });
    await soon(() => link.getAttribute('aria-description')).toBe('1 waiting for you');
    const { id: other } = await approvedLoan();
    await server.main.disburseLoan(other, { channel: 'wallet' });
    await link.click();
    await soon(() => page.locator('[data-row-id]').count()).toBe(2);
    const { id: third } = await approvedLoan();
    await server.main.disburseLoan(third, { channel: 'wallet' });
    await soon(() => previews).toBe(1);
    await button(page, 'Refresh').click();
    await soon(() => page.locator('[data-row-id]').count()).toBe(3);
    // The preview of a request is read again with it.
    await soon(() => previews).toBe(2);
  });

  it('are withdrawn by who asked, with the payment that they were about', async () => {
    const { id, loanNumber } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'recorded', date: '2026-01-10' });
    const [release] = await server.main.listApprovals();
    await helper.decideApproval(release?.id ?? 0, { decision: 'approved' });
    const page = await openAccount(id);
    const dialog = await opened(button(page, 'Record payment'), 'Record payment');
    await field(dialog, 'Amount').fill('60000');
    await preview(dialog).getByText('Somebody else has to approve this first.').waitFor();
    await button(dialog, 'Record payment').click();
    await expectToast(page, 'Waiting for approval');
    await dialog.waitFor({ state: 'hidden' });
    // The list of payments does not ask for the same again.
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    const payment = rowOf(page, '₱60,000.00');
    await payment.getByRole('link', { name: 'Waits in Approvals' }).waitFor();
    expect(await payment.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await payment.getByRole('link', { name: 'Waits in Approvals' }).click();
    const card = page.getByRole('complementary', { name: `Payment · ${name}` });
    await card.getByText('₱60,000.00', { exact: true }).first().waitFor();
    await card.getByText('Cash', { exact: true }).waitFor();
    await button(card, 'Withdraw').click();
    const question = page.getByRole('alertdialog', { name: 'Withdraw your request: Payment?' });
    await question.getByText('The payment is withdrawn too.', { exact: false }).waitFor();
    await expectReadable(page);
    await button(question, 'Withdraw').click();
    await expectToast(page, 'Withdrawn', `Payment, loan ${loanNumber}: nothing was done.`);
    await page.getByText('Nothing is waiting').waitFor();
    await page.getByRole('tab', { name: 'Decided' }).click();
    await page.locator('main').getByText('Withdrawn', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Withdrawn');
    await rowOf(page, '₱60,000.00').getByText('Withdrawn').waitFor();
    await expectReadable(page);
  });

  it.runIf(isTorture)(
    'are closed by the main admin, and out of date where the loan has changed',
    async () => {
      const first = await approvedLoan();
      const second = await approvedLoan();
      for (const { id } of [first, second]) {
        await helper.disburseLoan(id, { channel: 'wallet' });
      }
      // Paid out in another way meanwhile: the request is about a loan that is no longer there.
      await server.main.updateLoan(second.id, { status: 'denied' });
      await server.main.deleteLoan(second.id);
      const page = await open(await server.signInMainAdmin());
      await page.getByRole('complementary').getByRole('button', { name: 'Close' }).last().click();
      const question = page.getByRole('alertdialog', { name: 'Close the request: Release?' });
      await button(question, 'Close').click();
      await expectToast(page, 'Withdrawn');
      await page.getByText('Nothing is waiting').waitFor();
      await page.getByRole('tab', { name: 'Decided' }).click();
      await page.locator('main').getByText('Withdrawn', { exact: true }).waitFor();
      await page.locator('main').getByText('Out of date', { exact: true }).waitFor();
      await expectReadable(page);
    },
  );

  it('are decided by who asked once nobody else may', async () => {
    const { id, loanNumber } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    await server.main.updateAdmin(helper.id, { roles: ['cashier'] });
    const watching = await open(helper.token);
    await watching.getByText('You don’t have the approver role', { exact: false }).waitFor();
    expect(await button(watching, 'Approve').count()).toBe(0);
    const page = await open(await server.signInMainAdmin());
    const link = page.getByRole('link', { name: 'Approvals' });
    await soon(() => link.getAttribute('aria-description')).toBe('1 waiting for you');
    await page.getByText('It will be marked “one person”.', { exact: false }).waitFor();
    await expectReadable(page);
    await button(page, 'Approve').click();
    await expectToast(page, 'Approved', `Release, loan ${loanNumber}: done.`);
    expect((await server.main.readLoanAccount(id)).events[0]).toMatchObject({ isAlone: true });
  });

  it('say that what is asked for can no longer be done', async () => {
    const { id } = await approvedLoan();
    await server.main.disburseLoan(id, { channel: 'wallet' });
    await server.main.updateLoan(id, { status: 'denied' });
    const page = await open(helper.token, { expects: [refused] });
    await preview(page).getByText('This cannot be done').waitFor();
    await expectReadable(page);
  });
});

describe('roles', () => {
  it('are taken away in Settings, which says how many may approve', async () => {
    await settledAdmin(server);
    const page = await visit({ path: 'settings' });
    await page.getByText('Two people may approve: Ordinary Admin, Main Admin').waitFor();
    const dialog = await opened(button(rowOf(page, 'Ordinary Admin'), 'Edit'), 'Edit admin account');
    await dialog.getByRole('checkbox', { name: /^Approver/ }).uncheck();
    await expectReadable(page);
    await button(dialog, 'Save').click();
    await page.getByText('One person may approve: Main Admin').waitFor();
    await rowOf(page, 'Ordinary Admin').getByText('May act as Encoder, Cashier, Collector').waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
  });
});
