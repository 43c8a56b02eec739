import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatManilaInstant } from '#domain/calendar.ts';
import { applicant, apply, releaseLoan } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { panelPage } from './panel-page.ts';
import {
  breakDown,
  button,
  descriptionOf,
  dialogOf,
  expectToast,
  field,
  loseAnswers,
  lostAnswer,
  opened,
  outOfReach,
} from './screen.ts';
import {
  answer,
  details,
  expectPanelFits,
  expectReadable,
  exportCsv,
  nextBody,
  rowOf,
  settledAdmin,
} from './staff.ts';

const { server, visit, expectReadAgain } = await panelPage('borrowing');

const name = 'Maria Clara Santos';
const refused = /status of 400/;
const oneLoan = '**/api/admin/loans/*';

async function releasedLoan() {
  const { loan } = await applicant(server);
  await releaseLoan(server, loan);
  return loan;
}

const readLoans = () => server.main.listLoans();

const openDialog = (page: Page, action: string, title: string) =>
  opened(button(rowOf(page, name), action), title);

const openStatus = (page: Page) => openDialog(page, 'Update status', 'Update Loan Status');

describe('the status of a loan', () => {
  it('is one of six, the four of an application first, chosen and saved with the keyboard', async () => {
    const { loan, borrower } = await applicant(server);
    const page = await visit();
    await rowOf(page, name).waitFor();
    await tabTo(page, rowOf(page, name));
    await page.keyboard.press('Tab');
    expect(await hasFocus(button(rowOf(page, name), 'Update status'))).toBe(true);
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, 'Update Loan Status');
    await dialog.getByText(`${loan.loanNumber} of ${name}, ₱150,000.00`).waitFor();
    const radios = dialog.getByRole('radio');
    const names = await radios.evaluateAll((all) => all.map((radio) => radio.getAttribute('aria-label')));
    expect(names).toEqual(['Pending', 'Approved', 'Denied', 'Account issue', 'Active', 'Completed']);
    expect(await hasFocus(dialog.getByRole('radio', { name: 'Pending' }))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByRole('radio', { name: 'Denied' }).isChecked()).toBe(true);
    const body = nextBody(page, 'PUT', `/api/admin/loans/${loan.id}`);
    await page.keyboard.press('Enter');
    expect(await body).toEqual({ status: 'denied', expected: { status: 'pending' } });
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Denied.`);
    await dialog.waitFor({ state: 'hidden' });
    await rowOf(page, name).getByText('Denied').waitFor();
    const told = await borrower.listNotifications();
    expect(told[0]?.type).toBe('loan_status_changed');
  });

  it('is a word of the staff’s own, offered for the rest of the visit', async () => {
    const { loan } = await applicant(server);
    const page = await visit();
    const dialog = await openStatus(page);
    const custom = field(dialog, 'Custom status');
    await custom.fill('?');
    await button(dialog, 'Add status').click();
    await soon(() => descriptionOf(custom)).toContain('A status has 2 to 40 letters');
    expect(await hasFocus(custom)).toBe(true);
    await custom.fill('Bank check');
    await custom.press('Enter');
    await dialog.getByRole('radio', { name: 'Bank check' }).waitFor();
    await custom.fill('Second look');
    await button(dialog, 'Add status').click();
    expect(await dialog.getByRole('radio', { name: 'Second look' }).isChecked()).toBe(true);
    expect((await readLoans())[0]?.status).toBe('pending');
    await dialog.getByRole('radio', { name: 'Bank check' }).check();
    await button(dialog, 'Save').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Bank check.`);
    await rowOf(page, name).getByText('Bank check').waitFor();
    expect((await readLoans())[0]?.status).toBe('bank_check');

    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'Borrowing List' }).click();
    const again = await openStatus(page);
    await again.getByRole('radio', { name: 'Second look' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Bank check');
    await page.waitForURL(/status=bank_check/);
    await rowOf(page, name).waitFor();
  });

  it('is what still stands in the field for another one, once it is saved', async () => {
    const { loan } = await applicant(server);
    const page = await visit();
    const dialog = await openStatus(page);
    const custom = field(dialog, 'Custom status');
    await custom.fill('?');
    await button(dialog, 'Save').click();
    await soon(() => descriptionOf(custom)).toContain('A status has 2 to 40 letters');
    expect(await hasFocus(custom)).toBe(true);
    await custom.fill('Bank check');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Bank check.`);
    expect((await readLoans())[0]?.status).toBe('bank_check');
  });

  it('that turns down takes a reason, which the borrower reads', async () => {
    const { loan, borrower } = await applicant(server);
    const page = await visit();
    const dialog = await openStatus(page);
    const reason = field(dialog, 'Reason for the borrower (optional)');
    expect(await reason.count()).toBe(0);
    for (const status of ['Account issue', 'Denied']) {
      await dialog.getByRole('radio', { name: status }).check();
      await reason.waitFor();
    }
    await expectReadable(page);
    await reason.fill('Your payslip is too old.');
    await button(dialog, 'Save').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Denied.`);
    const told = await borrower.listNotifications();
    expect(told[0]?.message).toContain('Reason: Your payslip is too old.');
  });

  it('that turns down a loan that is set to active warns and asks', async () => {
    const { loan } = await applicant(server);
    await server.main.updateLoan(loan.id, { status: 'active' });
    const page = await visit();
    const dialog = await openStatus(page);
    await dialog.getByRole('radio', { name: 'Denied' }).check();
    await button(dialog, 'Save').click();
    const question = page.getByRole('alertdialog', {
      name: 'The money is paid out. Set this loan to Denied?',
    });
    await question.getByText('The loan is active: the borrower has the money.', { exact: false }).waitFor();
    await expectReadable(page);
    await answer(page, 'Cancel');
    expect(await dialog.getByRole('radio', { name: 'Denied' }).isChecked()).toBe(true);
    expect((await readLoans())[0]?.status).toBe('active');
    await button(dialog, 'Save').click();
    await answer(page, 'Set to Denied');
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Denied.`);
    await dialog.waitFor({ state: 'hidden' });
  });

  it('of a released loan is none that its account contradicts', async () => {
    await releasedLoan();
    const page = await visit();
    const dialog = await openStatus(page);
    await dialog.getByText('cancel the release first', { exact: false }).waitFor();
    const radios = dialog.getByRole('radio');
    const names = await radios.evaluateAll((all) => all.map((radio) => radio.getAttribute('aria-label')));
    expect(names).toEqual(['Approved', 'Account issue', 'Active']);
    await expectReadable(page);
  });

  it.runIf(isTorture)('stays chosen when it cannot be saved', async () => {
    const { loan } = await applicant(server);
    const page = await visit({ expects: [outOfReach] });
    const dialog = await openStatus(page);
    await dialog.getByRole('radio', { name: 'Account issue' }).check();
    const repair = await breakDown(page, oneLoan);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed', 'Out of reach.');
    expect(await dialog.getByRole('radio', { name: 'Account issue' }).isChecked()).toBe(true);
    await repair();
    await button(dialog, 'Save').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber}: Account issue.`);
  });

  it.each(sampleOf(['Update status', 'Edit loan'], 2))(
    'stays chosen when the answer is lost and not waited for: %s',
    async (edit) => {
      const { loan } = await applicant(server);
      const page = await visit({ expects: [lostAnswer] });
      const { keys, mend } = await loseAnswers(page, oneLoan);
      await button(rowOf(page, name), edit).click();
      const dialog = page.getByRole('dialog');
      if (edit === 'Edit loan') await field(dialog, 'Amount').fill('240000');
      else await dialog.getByRole('radio', { name: 'Account issue' }).check();
      await button(dialog, 'Save').click();
      await dialog.getByText('We are checking whether it went through', { exact: false }).waitFor();
      await button(dialog, 'Stop waiting').click();
      await expectToast(page, 'We do not know whether it went through');
      mend();
      await button(dialog, 'Save').click();
      await expectToast(page, 'Success');
      await dialog.waitFor({ state: 'hidden' });
      expect(new Set(keys).size).toBe(1);
      expect(loan.id).toBe((await readLoans())[0]?.id);
    },
  );
});

describe('the terms of a loan', () => {
  it('are changed with the new payment in sight, and only what changed is sent', async () => {
    const { loan } = await applicant(server);
    const page = await visit();
    const dialog = await openDialog(page, 'Edit loan', 'Edit loan');
    const amount = field(dialog, 'Amount');
    expect(await amount.inputValue()).toBe('150,000');
    expect(await hasFocus(amount)).toBe(true);
    await amount.fill('240,000');
    // (240,000 + 240,000 × 2.5 % × 12) / 12
    await dialog.getByText('₱16,250.00 → ₱26,000.00').waitFor();
    await dialog.getByText('₱312,000.00').waitFor();
    const body = nextBody(page, 'PUT', `/api/admin/loans/${loan.id}`);
    await amount.press('Enter');
    expect(await body).toEqual({ amount: '240000', expected: { amount: '150000', termMonths: 12 } });
    await expectToast(page, 'Success', `Loan ${loan.loanNumber} is now ₱26,000.00 a month.`);
    await rowOf(page, name).getByText('₱240,000.00').waitFor();

    const again = await openDialog(page, 'Edit loan', 'Edit loan');
    await again.getByRole('spinbutton', { name: 'Term (months)' }).fill('60');
    const termBody = nextBody(page, 'PUT', `/api/admin/loans/${loan.id}`);
    await button(again, 'Save').click();
    expect(await termBody).toEqual({ termMonths: 60, expected: { amount: '240000', termMonths: 12 } });
    // (240,000 + 240,000 × 2.5 % × 60) / 60
    await expectToast(page, 'Success', `Loan ${loan.loanNumber} is now ₱10,000.00 a month.`);
    expect(await readLoans()).toMatchObject([
      { amount: '240000.00', termMonths: 60, monthlyPayment: '10000.00' },
    ]);
  });

  it('have their bounds, and what was typed stays when it fails', async () => {
    await applicant(server);
    const page = await visit({ expects: [refused] });
    const dialog = await openDialog(page, 'Edit loan', 'Edit loan');
    const amount = field(dialog, 'Amount');
    const term = dialog.getByRole('spinbutton', { name: 'Term (months)' });
    const range = 'Term must be 6 to 60 months';
    for (const [typedAmount, typedTerm, message] of [
      ['0', '5', range],
      ['10000000.01', '61', range],
      ['', '', 'Please give the term in whole months'],
    ] as const) {
      await amount.fill(typedAmount);
      await term.fill(typedTerm);
      await button(dialog, 'Save').click();
      await soon(() => descriptionOf(amount)).toContain('Amount must be above zero and at most ₱10,000,000');
      await soon(() => descriptionOf(term)).toContain(message);
    }
    await amount.fill('200000');
    await term.fill('24');
    await breakDown(page, oneLoan, 400);
    await button(dialog, 'Save').click();
    await expectToast(page, 'Update failed', 'Out of reach.');
    expect([await amount.inputValue(), await term.inputValue()]).toEqual(['200,000', '24']);
  });
});

describe('a message to the borrower', () => {
  it('is sent, and what was typed stays when it fails', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await visit({ expects: [outOfReach] });
    const dialog = await openDialog(page, 'Notify', 'Notify');
    expect(await field(dialog, 'Title').inputValue()).toBe(`About your loan ${loan.loanNumber}`);
    const message = field(dialog, 'Message');
    expect(await hasFocus(message)).toBe(true);
    await field(dialog, 'Title').fill('');
    await button(dialog, 'Send').click();
    await soon(() => descriptionOf(field(dialog, 'Title'))).toContain('Title is required');
    await soon(() => descriptionOf(message)).toContain('Message is required');
    await field(dialog, 'Title').fill('One question');
    await message.fill('Please bring your payslip.');
    const repair = await breakDown(page, '**/api/admin/notifications');
    await button(dialog, 'Send').click();
    await expectToast(page, 'Action failed', 'Out of reach.');
    expect(await message.inputValue()).toBe('Please bring your payslip.');
    await repair();
    await button(dialog, 'Send').click();
    await expectToast(page, 'Success', `Sent to ${name}.`);
    await dialog.waitFor({ state: 'hidden' });
    const body = await borrower.listNotifications();
    expect(body).toMatchObject([{ title: 'One question', message: 'Please bring your payslip.' }]);
  });

  it('says beforehand that it counts as an attempt, and when the guard forbids it', async () => {
    const { lender } = server.deps.config;
    server.deps.config.lender = { ...lender, contactHours: { from: '00:00', to: '23:59' } };
    onTestFinished(() => {
      server.deps.config.lender = lender;
    });
    const { borrower } = await applicant(server);
    await borrower.complain({ category: 'service', message: 'Nobody answers the phone' });
    const { token } = await settledAdmin(server, { roles: ['collector'] });
    const page = await visit({ token });
    const dialog = await openDialog(page, 'Notify', 'Notify');
    await dialog.getByText('This message counts as an attempt to reach the borrower').waitFor();
    await field(dialog, 'Message').fill('Please call us.');
    await button(dialog, 'Send').click();
    await expectToast(page, 'Success', `Sent to ${name}.`);
    const again = await openDialog(page, 'Notify', 'Notify');
    // Read out, since the focus is in the field by then.
    const why = 'Somebody has tried to reach the borrower today. The next time is';
    await again.getByRole('alert').getByText(why).waitFor();
    expect(await button(again, 'Send').isDisabled()).toBe(true);
    await expectReadable(page);
  });
});

describe('deleting a loan', () => {
  it('asks first, and takes it from every list', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await visit();
    await button(rowOf(page, name), 'Delete').click();
    const question = page.getByRole('alertdialog', { name: `Delete loan ${loan.loanNumber} of ${name}?` });
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await readLoans()).toHaveLength(1);
    await button(rowOf(page, name), 'Delete').click();
    await answer(page, 'Delete');
    await expectToast(page, 'Success', `Loan ${loan.loanNumber} deleted.`);
    await page.getByText('No loan applications found').waitFor();
    expect(await borrower.listOwnLoans()).toEqual([]);
  });
});

describe('the details of a loan', () => {
  it('show its facts, and change the member’s money from there', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await visit();
    await rowOf(page, name).getByText(name).click();
    const panel = details(page);
    for (const text of [
      `Loan ${loan.loanNumber}`,
      '12 months at 2.5% a month',
      '₱16,250.00',
      'Stock for a small store',
    ]) {
      await panel.getByText(text, { exact: true }).waitFor();
    }
    await button(panel, 'Adjust the balance').click();
    await field(panel, 'New balance').fill('160000');
    await button(panel, 'Change balance').click();
    await answer(page, 'Change balance');
    await expectToast(page, 'Success', '₱0.00 → ₱160,000.00');
    await button(panel, 'Edit the credit score').click();
    await panel.getByRole('spinbutton', { name: 'New credit score' }).fill('640');
    await button(panel, 'Save score').click();
    await expectToast(page, 'Success', '500 → 640');
    await button(panel, 'Set the OTP code').click();
    await field(panel, 'New OTP code').fill('553201');
    await button(panel, 'Save code').click();
    await expectToast(page, 'OTP Code Updated');
    await panel.getByText('553201').waitFor();
    await panel.getByText('₱160,000.00', { exact: true }).waitFor();

    await panel.getByRole('link', { name: 'Open member' }).click();
    await page.waitForURL(new RegExp(`/management/members\\?.*open=${borrower.id}`));
    await details(page).getByText(`Member ${borrower.id}`).waitFor();
    await details(page).getByText('₱160,000.00').waitFor();
  });

  it('pay it out: it is released in the list, for the borrower, and only itself', async () => {
    const { borrower, loan } = await applicant(server);
    const newer = await apply(server, borrower);
    for (const { id } of [loan, newer]) {
      await server.main.updateLoan(id, { status: 'approved' });
    }
    const page = await visit();
    const row = rowOf(page, loan.loanNumber);
    await row.getByText(name).click();
    const panel = details(page);
    // A balance edit releases nothing, and says what does.
    await button(panel, 'Adjust the balance').click();
    const release = button(panel, 'Release the loan instead');
    await release.click();
    await button(dialogOf(page, 'Release loan'), 'Release loan').click();
    await expectToast(page, 'Success', `Loan ${loan.loanNumber} is released.`);
    await row.getByText(/^Released \d+ \w{3} \d{4}$/).waitFor();
    await panel.getByText(/^₱150,000\.00 on \d+ \w{3} \d{4}$/).waitFor();
    expect(await rowOf(page, newer.loanNumber).getByText('Released').count()).toBe(0);
    expect(await readLoans()).toMatchObject([{ releasedAt: null }, { releasedAmount: '150000.00' }]);
    await expectPanelFits(page);
    await expectReadable(page);
    expect(await release.count()).toBe(0);
  });

  it.each(sampleOf(['borrowing', 'members'], 2))(
    'beside %s keep the balance’s form in sight on a small laptop',
    async (list) => {
      const { borrower, loan } = await applicant(server);
      const page = await visit();
      await page.setViewportSize({ width: 1366, height: 768 });
      const open = list === 'borrowing' ? loan.id : borrower.id;
      await page.goto(`/management/${list}?open=${open}`);
      const panel = details(page);
      await button(panel, 'Adjust the balance').click();
      await field(panel, 'New balance').fill('1');
      await panel.getByText('+₱1.00 in the ledger').waitFor();
      const overflow = () =>
        page.evaluate(() => Math.max(0, document.documentElement.scrollHeight - innerHeight) + scrollY);
      await soon(overflow).toBe(0);
      const cutOff = () =>
        button(panel, 'Change balance').evaluate((save) => {
          const form = save.closest('form')?.getBoundingClientRect();
          const room = save.closest('.overflow-y-auto')?.getBoundingClientRect();
          if (!form || !room) return ['missing'];
          // Scrolling stops at whole pixels, the form's edges do not.
          const edge = 0.5;
          return [form.top + edge < room.top, form.bottom - edge > Math.min(room.bottom, innerHeight)];
        });
      await soon(cutOff).toEqual([false, false]);
    },
  );

  it.runIf(isTorture)('say so where its account cannot be read, and read it again', async () => {
    const { loan } = await applicant(server);
    await server.main.updateLoan(loan.id, { status: 'approved' });
    const page = await visit({ path: 'members', expects: [outOfReach] });
    const repair = await breakDown(page, `**/api/loans/${loan.id}/account`);
    await page.getByRole('link', { name: 'Borrowing List' }).click();
    await rowOf(page, name).getByText(loan.loanNumber).click();
    await details(page).getByText('The loan account could not be loaded').waitFor();
    await repair();
    await button(details(page), 'Retry').click();
    await button(details(page), 'Release loan').waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(`/loans/${loan.id}/account`)) reads += 1;
    });
    const dialog = await opened(button(details(page), 'Edit loan'), 'Edit loan');
    await field(dialog, 'Amount').fill('240000');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'hidden' });
    // Its figures are of the new terms.
    await soon(() => reads).toBe(1);
  });
});

describe('the borrowing list', () => {
  it.runIf(isTorture)('keeps its search, status and details in the address bar', async () => {
    const { borrower, loan } = await applicant(server);
    const other = await apply(server, borrower, { purpose: 'A tricycle' });
    const page = await visit();
    await rowOf(page, other.loanNumber).waitFor();
    await page.getByRole('searchbox', { name: 'Search loans' }).fill('small store');
    await rowOf(page, other.loanNumber).waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await rowOf(page, loan.loanNumber).focus();
    await page.keyboard.press('Enter');
    await details(page).waitFor();
    await page.waitForURL((url) => url.search === `?search=small+store&status=pending&open=${loan.id}`);
    await page.reload();
    await details(page).getByText(`Loan ${loan.loanNumber}`).waitFor();
    await page.getByText('1 of 2 loans').waitFor();
  });

  it.runIf(isTorture)('is exported as it is shown, and runs nothing in a spreadsheet', async () => {
    const { borrower, loan } = await applicant(server);
    await apply(server, borrower, { purpose: '@SUM(A1:A9)', amount: 200_000.5 });
    const page = await visit({ path: 'borrowing?sort=amount' });
    await rowOf(page, '₱200,000.50').waitFor();
    const { name: file, lines } = await exportCsv(page);
    expect(file).toBe('loans.csv');
    expect(lines[0]).toBe(
      '\uFEFF"Loan","Member","Phone","Amount","Term","Rate","Monthly","Status","Purpose","Applied","Days past due","Of salary","Papers","Waiting since"',
    );
    expect(lines[1]).toBe(
      `"${loan.loanNumber}","${name}","${borrower.phone}","150000.00","12","2.5","16250.00","Pending","Stock for a small store","${formatManilaInstant(new Date(loan.createdAt), 'en')}","0","46","Complete","${formatManilaInstant(new Date(loan.createdAt), 'en').split(',')[0]}"`,
    );
    expect(lines[2]).toContain(`"200000.50","12","2.5","21666.72","Pending","'@SUM(A1:A9)"`);
  });

  it('has the counts that belong to it, on top and below, whenever it is opened', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit({ path: 'members' });
    await rowOf(page, name).waitFor();
    const figure = () => page.getByRole('main').getByRole('definition').first().textContent();
    const open = (list: string) => page.getByRole('link', { name: list }).click();
    await apply(server, borrower);
    await open('Borrowing List');
    await page.getByText('1 loan', { exact: true }).waitFor();
    await soon(figure).toBe('1');

    // Counted elsewhere in the panel meanwhile: the list follows.
    await open('Members');
    await apply(server, borrower);
    const counted = page.waitForResponse('**/api/admin/stats');
    await button(page, 'Refresh').click();
    await (await counted).finished();
    await soon(figure).toBe('1');
    await open('Borrowing List');
    await page.getByText('2 loans', { exact: true }).waitFor();
    await soon(figure).toBe('2');

    // While it is looked at, its rows stay where they are.
    const last = await apply(server, borrower);
    await button(rowOf(page, last.loanNumber.replace(/3$/, '2')), 'Update status').click();
    await dialogOf(page, 'Update Loan Status').getByRole('radio', { name: 'Approved' }).check();
    await button(dialogOf(page, 'Update Loan Status'), 'Save').click();
    await expectToast(page, 'Success');
    await page.getByText('2 loans · now 3, refresh to see them').waitFor();
    await page.getByRole('searchbox', { name: 'Search loans' }).fill(last.loanNumber);
    await rowOf(page, last.loanNumber).waitFor();
    await page.getByText('1 of 3 loans').waitFor();
  });

  it.runIf(isTorture)('that cannot be read says so, and can be read again', async () => {
    await applicant(server);
    await expectReadAgain('**/api/admin/loans', 'Failed to fetch loans', name);
  });
});

describe('the borrowing page', () => {
  it.runIf(isTorture)('is whole on a screen of 1024 px, with and without details', async () => {
    const { loan } = await applicant(server);
    const page = await visit();
    await rowOf(page, name).waitFor();
    await expectPanelFits(page);
    await page.goto(`/management/borrowing?open=${loan.id}`);
    await details(page).waitFor();
    await expectPanelFits(page);
    await openStatus(page);
    await expectPanelFits(page);
  });
});
