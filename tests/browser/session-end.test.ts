import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { en } from '#contract/wording/en.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { apply, disbursedLoan } from '#tests/api/lending.ts';
import { photo } from '#tests/setup/photo.ts';
import { fullProfile, mainAdminPassword, type TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { totp } from '#tests/setup/totp.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, dialogOf, expectToast, field, storedToken, toastCount, toastRegion } from './screen.ts';
import { details, newMember, openPanel, questionOf, rowOf, settledAdmin } from './staff.ts';

/**
 * However a session ends, the word of that is the last one on the screen, whatever action met it (§end-of-a-session):
 * everything that a borrower and staff can do is led up to its last press, then the session ends, then it is pressed.
 */
const { server, browser } = await listeningServer();
const expects = [/status of 40[13]/];

const code = '482913';
const picture = async () => ({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() });

/** Long enough for whatever would cover a notice to have covered it. */
const aWhileMs = 250;

async function expectLastToast(page: Page, title: string, sentence: string): Promise<void> {
  await expectToast(page, title, sentence);
  await page.waitForTimeout(aWhileMs);
  const toasts = await toastRegion(page).getByRole('listitem').allInnerTexts();
  expect(toasts).toEqual([expect.stringContaining(title)]);
}

const expectSuspended = (page: Page) =>
  expectLastToast(page, en.session.suspendedTitle, en.errors.account_suspended);

const suspend = (account: { id: number }) => server.main.updateMember(account.id, { status: 'suspended' });
const endSession = ({ token }: { token: string }) => server.as(token).signOut();

type Before = {
  /** Prepares what there has to be: money in the wallet, a loan. */
  given?: (borrower: TestBorrower) => Promise<unknown>;
  /** From the page up to the last press. */
  lead?: (page: Page) => Promise<unknown>;
};

type Action = ReturnType<typeof act>;

/**
 * `path` is the page's; `{id}` there is that of what was given, or else the borrower's. `row` is what `finish`, the last
 * press, asks the server for.
 */
const act = (
  name: string,
  path: string,
  row: Endpoint,
  finish: (page: Page) => Promise<unknown>,
  before: Before = {},
) => ({ name, path, row, finish, ...before });

const press = (name: string) => (page: Page) => button(page, name).click();
const inDialog = (dialog: string, name: string) => (page: Page) =>
  button(dialogOf(page, dialog), name).click();
const inAnyDialog = (name: string) => (page: Page) => button(page.getByRole('dialog'), name).click();

async function money({ id }: TestBorrower) {
  await server.fund(id, 20_000);
  await server.setCode(id, code);
}

/** On to the first dialog of a withdrawal, with an amount. */
const withdrawing = (amount: string) => async (page: Page) => {
  await press(en.withdrawal.start)(page);
  await field(dialogOf(page, en.withdrawal.title), en.withdrawal.amount).fill(amount);
};

const toTheCode = inDialog(en.withdrawal.title, en.withdrawal.continue);

async function applying(page: Page) {
  await field(dialogOf(page, en.apply.title), en.apply.purpose).fill('A sewing machine');
}

async function changingPassword(page: Page) {
  await press(en.profile.changePassword)(page);
  const dialog = page.getByRole('dialog');
  await field(dialog, en.session.currentPassword).fill('borrower password');
  await field(dialog, en.session.newPassword).fill('another password');
}

const reading = (paper: string, name: string) => async (page: Page) => {
  await press(paper)(page);
  await button(page.getByRole('dialog'), name).waitFor();
};

const oneLoan = (borrower: TestBorrower) => apply(server, borrower);

async function approvedLoan(borrower: TestBorrower) {
  const { id } = await oneLoan(borrower);
  return server.main.updateLoan(id, { status: 'approved' });
}

const today = manilaDate(new Date());
const cash = { amount: 1_000, channel: 'cash' } as const;

/** Released, the first instalment due 40 days ago, with one receipt. */
const complained = async (borrower: TestBorrower) =>
  borrower.complain({ category: 'other', message: 'A question' });

const lateLoan = (borrower: TestBorrower) =>
  disbursedLoan(server, borrower, { date: addMonths(addDays(today, -40), -2), payments: [cash] });

const paidLoan = (borrower: TestBorrower) =>
  disbursedLoan(server, borrower, {
    date: today,
    payments: [{ ...cash, amount: 150_000, settlement: true }],
  });
const { contract, schedule, download: toPdf, toTable, toCalendar } = en.papers;
const { myLoan } = en;
const { codeTitle, confirm } = en.withdrawal;

type PaperWords = Record<'statement' | 'table' | 'receipt' | 'clearance', string>;

/** The papers of a disbursed loan, by the words of their buttons. */
const downloads = (path: string, words: PaperWords): Action[] =>
  (
    [
      ['a statement', api.readStatementPdf, lateLoan, words.statement],
      ['a statement as a table', api.readStatementTable, lateLoan, words.table],
      ['a receipt', api.readReceiptPdf, lateLoan, words.receipt],
      ['the clearance', api.readClearancePdf, paidLoan, words.clearance],
    ] as const
  ).map(([name, row, given, label]) => act(`download ${name}`, path, row, press(label), { given }));

const lateWithMoney = async (borrower: TestBorrower) => {
  await lateLoan(borrower);
  await server.fund(borrower.id, 200_000);
};

/** Opens a dialog that asks for the password, and fills it in. */
const withPassword = (opening: string, title: string) => async (page: Page) => {
  await press(opening)(page);
  await field(dialogOf(page, title), en.privacy.password).fill('borrower password');
};

const borrowerActions: Action[] = [
  act('see what a payment would do', '/loan-app', api.previewOwnPayment, press(en.payment.fromWallet), {
    given: lateWithMoney,
  }),
  act('pay from the wallet', '/loan-app', api.payOwnLoan, inDialog(en.payment.fromWallet, en.pay.pay), {
    given: lateWithMoney,
    lead: async (page) => {
      await press(en.payment.fromWallet)(page);
      await button(dialogOf(page, en.payment.fromWallet), en.pay.pay).waitFor();
    },
  }),
  act('take back what was sent in', '/my-loan', api.withdrawOwnPayment, press(en.pay.withdrawThis), {
    given: async (borrower) => {
      const { id } = await lateLoan(borrower);
      const sent = { amount: 500, paidOn: today, channel: 'gcash', reference: 'GC 770011' } as const;
      await server.as(borrower.token).payOwnLoan(id, sent);
    },
  }),
  act('read one’s complaints again', '/help', api.listOwnComplaints, press('Refresh'), { given: complained }),
  act('complain', '/help', api.complain, inDialog('New complaint', 'Send'), {
    lead: async (page) => {
      await press('New complaint')(page);
      const dialog = dialogOf(page, 'New complaint');
      await field(dialog, 'What is it about?').selectOption({ index: 1 });
      await field(dialog, 'What happened?').fill('I paid twice.');
    },
  }),
  act('go to another page', '/loan-app', api.listOwnWithdrawals, (page) =>
    page.getByRole('link', { name: 'WALLET' }).click(),
  ),
  act('read the home screen again', '/loan-app', api.listOwnLoans, press(en.dashboard.refresh)),
  act('read the wallet again', '/wallet', api.listNotifications, press(en.dashboard.refresh)),
  act('read the documents again', '/profile', api.readProfile, press(en.documents.refresh)),
  act('withdraw from an empty wallet', '/wallet', api.readProfile, press(en.withdrawal.start)),
  act('withdraw more than there is', '/wallet', api.readProfile, toTheCode, {
    given: money,
    lead: withdrawing('25000'),
  }),
  act('confirm a code', '/wallet', api.requestWithdrawal, inDialog(codeTitle, confirm), {
    given: money,
    lead: async (page) => {
      await withdrawing('5000')(page);
      await toTheCode(page);
      await field(dialogOf(page, codeTitle), en.withdrawal.code).fill(code);
    },
  }),
  act('ask what a loan costs', '/dashboard', api.quoteLoan, inDialog(en.apply.title, en.apply.review), {
    lead: applying,
  }),
  act('apply', '/dashboard', api.applyForLoan, inDialog(en.apply.title, en.apply.submit), {
    lead: async (page) => {
      await applying(page);
      await inDialog(en.apply.title, en.apply.review)(page);
      await button(dialogOf(page, en.apply.title), en.apply.submit).waitFor();
    },
  }),
  act('save the profile', '/profile', api.updateProfile, inDialog(en.profile.personal, en.profile.save), {
    lead: press(en.profile.edit),
  }),
  act('save a password', '/account', api.changePassword, press(en.session.savePassword), {
    lead: changingPassword,
  }),
  act('upload a photo', '/profile', api.uploadDocument, async (page) =>
    field(page, en.verification.pieces.selfieUrl).setInputFiles(await picture()),
  ),
  act('download the contract', '/profile', api.readLoanContractPdf, press(toPdf), {
    given: oneLoan,
    lead: reading(contract, toPdf),
  }),
  act('download the schedule', '/profile', api.readLoanTable, press(toTable), {
    given: oneLoan,
    lead: reading(schedule, toTable),
  }),
  act('download the calendar', '/profile', api.readLoanCalendar, press(toCalendar), {
    given: oneLoan,
    lead: reading(schedule, toCalendar),
  }),
  act('open the contract', '/profile', api.readLoanContract, press(contract), { given: oneLoan }),
  act(
    'download all data',
    '/account',
    api.downloadOwnArchive,
    inDialog(en.privacy.downloadTitle, en.privacy.downloadSend),
    { lead: withPassword(en.privacy.download, en.privacy.downloadTitle) },
  ),
  act('ask for deletion', '/account', api.requestDeletion, inDialog(en.privacy.askTitle, en.privacy.send), {
    lead: withPassword(en.privacy.ask, en.privacy.askTitle),
  }),
  act('take the request back', '/account', api.withdrawDeletion, press(en.privacy.takeBack), {
    given: ({ token }) => server.as(token).requestDeletion({ password: 'borrower password' }).success(),
  }),
  act('ask for a code', '/wallet', api.requestCode, press(en.withdrawal.requestCode), {
    given: ({ id }) => server.fund(id, 20_000),
    lead: async (page) => {
      await withdrawing('5000')(page);
      await toTheCode(page);
    },
  }),
  act('close the news of an account', '/loan-app', api.closeAccessNews, press(en.messages.accessClose), {
    given: money,
  }),
  act('open the schedule', '/profile', api.readLoanSchedule, press(schedule), { given: oneLoan }),
  act('accept new terms', '/profile', api.acceptContract, press(en.papers.accept(2)), {
    given: async (borrower) => {
      const { id } = await oneLoan(borrower);
      await server.main.updateLoan(id, { amount: 240_000 });
    },
    lead: reading(contract, en.papers.accept(2)),
  }),
  act('read the loan again', '/my-loan', api.readLoanAccount, press(en.dashboard.refresh), {
    given: lateLoan,
  }),
  act(
    'work out the pay-off of another day',
    '/my-loan',
    api.readSettlement,
    (page) => field(page, myLoan.payOn).fill(addDays(today, 3)),
    { given: lateLoan, lead: (page) => page.locator('#everything summary').click() },
  ),
  ...downloads('/my-loan', {
    ...myLoan,
    table: myLoan.statementTable,
    receipt: myLoan.downloadReceipt,
    clearance: en.payment.clearance,
  }),
];

const logOut = act('log out', '/account', api.signOut, press(en.shell.logout));

/** The last press, which does send what it is there for. */
async function finish(page: Page, { row, finish }: Action): Promise<void> {
  const path = new RegExp(`${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const sent = page.waitForRequest(
    (request) => request.method() === row.method && path.test(new URL(request.url()).pathname),
  );
  await Promise.all([sent, finish(page)]);
}

describe('a borrower', () => {
  async function open({ path, given, lead }: Action) {
    const borrower = await server.verifiedBorrower();
    await given?.(borrower);
    const page = await browser.open(path, { token: borrower.token, expects });
    await page.waitForLoadState('networkidle');
    await lead?.(page);
    return { borrower, page };
  }

  const expectSignIn = async (page: Page) => {
    await page.getByRole('heading', { name: en.session.signInTitle }).waitFor();
    expect(await storedToken(page)).toBeNull();
  };

  async function seeSuspended(action: Action) {
    const { borrower, page } = await open(action);
    await suspend(borrower);
    await finish(page, action);
    await expectSuspended(page);
    expect(new URL(page.url()).pathname).toBe('/app-login');
    await expectSignIn(page);
  }

  async function seeEnded(action: Action) {
    const { borrower, page } = await open(action);
    await endSession(borrower);
    await finish(page, action);
    await expectLastToast(page, en.session.endedTitle, en.errors.not_signed_in);
    await expectSignIn(page);
  }

  it.each(sampleOf(borrowerActions, 8))(
    'who is suspended or whose session ended, at: $name',
    async (action) => {
      await Promise.all([seeSuspended(action), seeEnded(action)]);
    },
  );

  it('who is suspended is told so at the log-out too', () => seeSuspended(logOut));

  it('who is told so is told of the next sign-in too', async () => {
    const { borrower, page } = await open(act('', '/wallet', api.readProfile, async () => {}));
    await suspend(borrower);
    await press(en.withdrawal.start)(page);
    await expectSuspended(page);
    await field(page, en.session.phone).fill(borrower.phone);
    await field(page, en.session.password).fill('not this one');
    await button(page, en.session.signIn).click();
    await expectToast(page, en.session.loginFailed, en.errors.invalid_credentials);
  });
});

const name = fullProfile.fullName;
const inRow = (text: string, action: string) => (page: Page) => button(rowOf(page, text), action).click();
const inQuestion = (action: string) => (page: Page) => button(questionOf(page), action).click();
const inDetails = (action: string) => (page: Page) => button(details(page), action).click();

/** An edit in its place in the details: what starts it and what is typed. */
const typing = (start: string, label: string, text: string) => async (page: Page) => {
  await inDetails(start)(page);
  await field(details(page), label).fill(text);
};

const memberActions: Action[] = [
  act('read the list again', 'members', api.listMembers, press(panel.list.refresh)),
  act('add a member', 'members', api.createMember, inDialog(panel.members.add, panel.list.save), {
    lead: async (page) => {
      await press(panel.members.add)(page);
      const form = dialogOf(page, panel.members.add);
      for (const [label, text] of Object.entries(newMember)) await field(form, label).fill(text);
    },
  }),
  act('edit a member', 'members', api.updateMember, inDialog(panel.memberForm.editTitle, panel.list.save), {
    lead: async (page) => {
      await inRow(name, 'Edit')(page);
      await field(dialogOf(page, panel.memberForm.editTitle), 'Country of work').fill('Singapore');
    },
  }),
  act('activate', 'members', api.updateMember, inRow(name, 'Activate')),
  act('activate in the details', 'members?open={id}', api.updateMember, inDetails('Activate')),
  act('deactivate', 'members', api.updateMember, inQuestion('Deactivate'), {
    given: (borrower) => server.main.updateMember(borrower.id, { status: 'active' }),
    lead: inRow(name, 'Deactivate'),
  }),
  act('delete a member', 'members', api.deleteUser, inQuestion('Delete'), { lead: inRow(name, 'Delete') }),
  act(
    'upload for a member',
    'members',
    api.uploadDocument,
    async (page) => field(dialogOf(page, 'Documents'), 'Front of ID').setInputFiles(await picture()),
    {
      lead: async (page) => {
        await inRow(name, 'Documents')(page);
        // Its photos would tell first.
        await dialogOf(page, 'Documents').locator('img').nth(2).waitFor();
      },
    },
  ),
  act('set a balance', 'members?open={id}', api.updateMember, inQuestion('Change balance'), {
    lead: async (page) => {
      await typing('Adjust the balance', 'New balance', '700')(page);
      await inDetails('Change balance')(page);
    },
  }),
  act('set a score', 'members?open={id}', api.updateMember, inDetails('Save score'), {
    lead: typing('Edit the credit score', 'New credit score', '640'),
  }),
  act('set a code', 'members?open={id}', api.updateMember, inDetails('Save code'), {
    lead: typing('Set the OTP code', 'New OTP code', code),
  }),
  act('look at a code', 'members?open={id}', api.readMember, inDetails('Show the OTP code'), {
    given: money,
  }),
  act('set a password', 'members?open={id}', api.updateMember, inDetails('Save password'), {
    lead: typing('Set the password', 'New password', 'pahiram ng susi'),
  }),
];

const loanActions: Action[] = [
  act('read the loans again', 'borrowing', api.listLoans, press(panel.list.refresh)),
  act('set a status', 'borrowing', api.updateLoan, inDialog('Update Loan Status', panel.list.save), {
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Update status')(page);
      await dialogOf(page, 'Update Loan Status').getByRole('radio', { name: 'Approved' }).check();
    },
  }),
  act('change the terms', 'borrowing', api.updateLoan, inDialog('Edit loan', panel.list.save), {
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Edit loan')(page);
      await field(dialogOf(page, 'Edit loan'), 'Amount').fill('240000');
    },
  }),
  act('notify', 'borrowing', api.notifyMember, inDialog('Notify', 'Send'), {
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Notify')(page);
      await field(dialogOf(page, 'Notify'), 'Message').fill('Please bring your payslip.');
    },
  }),
  act('delete a loan', 'borrowing', api.deleteLoan, inQuestion('Delete'), {
    given: oneLoan,
    lead: inRow(name, 'Delete'),
  }),
];

/** One withdrawal, approved when it goes to the account of the profile. */
const withdrawal = (bankName: string) => async (borrower: TestBorrower) => {
  await money(borrower);
  const body = { amount: 1_500, bankName, bankAccountNumber: fullProfile.bankAccountNumber, otp: code };
  await borrower.requestWithdrawal(body);
};
const approved = withdrawal(fullProfile.bankName);
const pending = withdrawal('Bank Z');
const sheet = panel.withdrawals.detailsTitle;

const withdrawalActions: Action[] = [
  act('look at a withdrawal', 'withdrawal', api.readWithdrawalHold, inRow(name, 'Details'), {
    given: pending,
  }),
  act('read the withdrawals again', 'withdrawal', api.listWithdrawals, press(panel.list.refresh)),
  act('approve', 'withdrawal', api.updateWithdrawal, inAnyDialog('Approve'), {
    given: approved,
    lead: inRow(name, 'Approve'),
  }),
  act('reject', 'withdrawal', api.updateWithdrawal, inQuestion('Reject'), {
    given: approved,
    lead: inRow(name, 'Reject'),
  }),
  act('process', 'withdrawal', api.updateWithdrawal, inDialog(sheet, 'Process'), {
    given: pending,
    lead: inRow(name, 'Details'),
  }),
  act('reject from the details', 'withdrawal', api.updateWithdrawal, inQuestion('Reject'), {
    given: pending,
    lead: async (page) => {
      await inRow(name, 'Details')(page);
      await inDialog(sheet, 'Reject')(page);
    },
  }),
];

const stepOf = panel.loanStep;
const account = 'loans/{id}';

/** A step of a loan up to its last press, once its figures are there. */
const step =
  (title: string, reason?: string, start = title) =>
  async (page: Page) => {
    await press(start)(page);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('table').waitFor();
    if (reason) await field(dialog, 'Reason').fill(reason);
  };

type Lent = (borrower: TestBorrower) => Promise<{ id: number }>;

const acting = (name: string, given: Lent, title: string, save: string, row: Endpoint = api.actOnLoan) =>
  act(name, account, row, inDialog(title, save), { given, lead: step(title, 'The harvest was lost', save) });

const released: Lent = async (borrower) => {
  const { id } = await approvedLoan(borrower);
  await server.main.disburseLoan(id, { channel: 'wallet' });
  return { id };
};

const waivedLoan: Lent = async (borrower) => {
  const { id } = await lateLoan(borrower);
  await server.main.actOnLoan(id, { kind: 'waiver', amount: 10, reason: 'A flood' });
  return { id };
};

/** A transfer that waits to be confirmed. */
const transferred: Lent = async (borrower) => {
  const { id } = await lateLoan(borrower);
  await server.main.recordPayment(id, { amount: 700, channel: 'gcash', reference: 'GC 0099' } as const);
  return { id };
};

/** A release that somebody has asked for while a second person may approve. */
const asked: Lent = async (borrower) => {
  const { id } = await approvedLoan(borrower);
  await settledAdmin(server);
  await server.main.disburseLoan(id, { channel: 'wallet' });
  return { id };
};

const files = panel.loanAccount;

const servicingActions: Action[] = [
  act(
    'open the details of a loan',
    'borrowing',
    api.readLoanAccount,
    (page) => rowOf(page, name).getByText('₱150,000.00').first().click(),
    { given: lateLoan },
  ),
  act(
    'see what a step does',
    account,
    api.previewLoan,
    async (page) => field(page.getByRole('dialog'), 'Amount').fill('100'),
    {
      given: lateLoan,
      lead: async (page) => {
        // The account that opening it reads again would tell first.
        const shown = page.waitForResponse((reply) => reply.url().endsWith('/preview'));
        await press(stepOf.payment)(page);
        await shown;
      },
    },
  ),
  act('release', account, api.disburseLoan, inDialog(stepOf.release, stepOf.release), {
    given: approvedLoan,
    lead: step(stepOf.release),
  }),
  act('record a payment', account, api.recordPayment, inDialog(stepOf.payment, stepOf.payment), {
    given: lateLoan,
    lead: step(stepOf.payment),
  }),
  acting('waive', lateLoan, stepOf.waiver, stepOf.waiver),
  acting('defer', released, stepOf.titles.deferral, stepOf.deferral),
  act('reverse a waiver', account, api.actOnLoan, inAnyDialog('Reverse'), {
    given: waivedLoan,
    lead: async (page) => {
      await button(page.getByRole('region', { name: 'Timeline' }), 'Reverse').click();
      await field(page.getByRole('dialog'), 'Reason').fill('The wrong loan');
    },
  }),
  acting('cancel a release', released, stepOf.cancellation, stepOf.cancellation, api.cancelDisbursement),
  act(
    'settle on another day',
    account,
    api.readSettlement,
    (page) => field(page, files.settleOn).fill(addDays(today, 5)),
    { given: lateLoan },
  ),
  ...downloads(account, { ...files, table: files.statementCsv, receipt: files.receiptPdf }),
  act('read the payments again', 'payments', api.listPayments, press(panel.list.refresh)),
  act('save the list of payments', 'payments', api.noteExport, press(panel.list.export), { given: lateLoan }),
  act('confirm a payment', 'payments', api.updatePayment, inDialog(stepOf.titles.confirm, stepOf.confirm), {
    given: transferred,
    lead: step(stepOf.titles.confirm, undefined, stepOf.confirm),
  }),
  act('reject a payment', 'payments', api.updatePayment, inDialog(stepOf.titles.reject, 'Reject'), {
    given: transferred,
    lead: async (page) => {
      await press('Reject')(page);
      await field(dialogOf(page, stepOf.titles.reject), 'Reason').fill('Not on the statement');
    },
  }),
  act('reverse a payment', 'payments', api.updatePayment, inDialog(stepOf.titles.reverse, stepOf.reverse), {
    given: lateLoan,
    lead: step(stepOf.titles.reverse, 'The cheque bounced', stepOf.reverse),
  }),
  act('read all approvals', 'approvals', api.listApprovals, (page) =>
    page.getByRole('tab', { name: 'Decided' }).click(),
  ),
  act('approve what waits', 'approvals', api.decideApproval, press('Approve'), { given: asked }),
  act('decline what waits', 'approvals', api.decideApproval, inAnyDialog('Decline'), {
    given: asked,
    lead: async (page) => {
      await press('Decline')(page);
      await field(page.getByRole('dialog'), 'Reason').fill('No papers');
    },
  }),
];

const adding = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Add New Admin' }) });
const admin = 'Ligaya Ramos';
const anAdmin = () => server.createAdmin({ fullName: admin });

const toSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();

const mainAdminActions: Action[] = [
  act('go to the admins', 'members', api.listAllUsers, toSettings),
  act('go to the allowed addresses', 'members', api.listAllowedIps, toSettings),
  act('go to the installation', 'members', api.readInstallation, toSettings),
  acting('write a loan off', lateLoan, stepOf.titles.write_off, stepOf.write_off),
  act('add an admin', 'settings', api.createAdmin, press('Add admin'), {
    lead: async (page) => {
      await field(adding(page), 'Email').fill('tala@example.com');
      await field(adding(page), 'Password').fill('bangka sa dagat');
    },
  }),
  act('edit an admin', 'settings', api.updateAdmin, inDialog('Edit admin account', panel.list.save), {
    given: anAdmin,
    lead: async (page) => {
      await inRow(admin, 'Edit')(page);
      await field(dialogOf(page, 'Edit admin account'), 'Email').fill('ramos@example.com');
    },
  }),
  act('look at an admin’s password', 'settings', api.readMember, inRow(admin, 'Show the password'), {
    given: anAdmin,
  }),
  act('delete an admin', 'settings', api.deleteUser, inQuestion('Delete'), {
    given: anAdmin,
    lead: inRow(admin, 'Delete'),
  }),
  act('reset a second step', 'settings', api.resetSecondStep, inQuestion('Reset the second step'), {
    given: async () => {
      const worker = await server.createAdmin({ fullName: admin });
      const { secret } = await worker.setUpSecondStep({ password: worker.password });
      await worker.confirmSecondStep({ code: totp(secret, new Date()) });
    },
    lead: inRow(admin, 'Reset the second step'),
  }),
  act('allow an address', 'settings', api.addAllowedIp, press('Add IP'), {
    lead: (page) => field(page, 'IP address').fill('203.0.113.7'),
  }),
  act('remove an address', 'settings', api.removeAllowedIp, inQuestion('Remove'), {
    given: async () => server.main.addAllowedIp({ ipAddress: '203.0.113.7', description: '' }).success(),
    lead: inRow('203.0.113.7', 'Remove'),
  }),
  act('read the audit log again', 'audit', api.listAudit, press(panel.list.refresh)),
];

const pressFirst = (name: string) => (page: Page) => button(page, name).first().click();

const dayActions: Action[] = [
  act('read today again', 'today', api.readToday, press(panel.list.refresh)),
  act('find somebody', 'today', api.find, (page) =>
    page.getByRole('searchbox', { name: 'Find anything' }).fill('Maria'),
  ),
  act('read the collections again', 'collections', api.listCollections, press(panel.list.refresh)),
  act(
    'look at the contacts',
    'collections',
    api.listContacts,
    (page) => page.getByRole('row').nth(1).click(),
    { given: lateLoan },
  ),
  act('record a contact', account, api.recordContact, inDialog('Record contact', 'Record contact'), {
    given: lateLoan,
    lead: async (page) => {
      await press('Record contact')(page);
      await field(dialogOf(page, 'Record contact'), 'Outcome').selectOption('The borrower contacted us');
    },
  }),
  act('read the complaints again', 'complaints', api.listComplaints, press(panel.list.refresh)),
  act('acknowledge a complaint', 'complaints', api.updateComplaint, pressFirst('Acknowledge'), {
    given: complained,
  }),
  act('answer a complaint', 'complaints', api.answerComplaint, inAnyDialog('Send'), {
    given: complained,
    lead: async (page) => {
      await pressFirst('Reply')(page);
      await field(page.getByRole('dialog'), 'Message').fill('We look into it.');
    },
  }),
  act('read a day again', 'reports', api.readDay, press(panel.list.refresh)),
  act('read the portfolio again', 'reports?show=portfolio', api.readPortfolio, press(panel.list.refresh)),
  act(
    'read the loans of the portfolio again',
    'reports?show=loans',
    api.listPortfolioLoans,
    press(panel.list.refresh),
  ),
  act('read the journal again', 'reports?show=journal', api.readJournal, press(panel.list.refresh)),
  act('read the month again', 'reports/month', api.readMonth, press(panel.list.refresh)),
  act('print the month', 'reports/month', api.readMonthPdf, press(panel.month.pdf)),
  act(
    'read the loans of the month again',
    'reports/month?show=loans',
    api.listMonthLoans,
    press(panel.list.refresh),
  ),
];

/** Up to the press that sends the password. */
async function beginning(page: Page) {
  await press('Set up')(page);
  await field(dialogOf(page, 'Second step'), 'Your password').fill('a password of my own');
}

/** Up to the last press that switches one on. */
async function settingUp(page: Page) {
  await beginning(page);
  await inDialog('Second step', 'Go on')(page);
  const dialog = dialogOf(page, 'Second step');
  const key = await dialog.locator('.font-mono').textContent();
  await field(dialog, 'Code').fill(totp(String(key).replaceAll(' ', ''), new Date()));
}

async function leaving(page: Page) {
  await settingUp(page);
  await inDialog('Second step', 'Switch on')(page);
  await press('I have kept them')(page);
  await button(toastRegion(page), 'Dismiss').click();
  await press('Switch off')(page);
  const dialog = dialogOf(page, 'Switch off the second step?');
  await field(dialog, 'Your password').fill('a password of my own');
  await field(dialog, 'Code').fill('123456');
}

const secondStepActions: Action[] = [
  act('begin a second step', 'settings', api.setUpSecondStep, inDialog('Second step', 'Go on'), {
    lead: beginning,
  }),
  act('switch a second step on', 'settings', api.confirmSecondStep, inDialog('Second step', 'Switch on'), {
    lead: settingUp,
  }),
  act(
    'switch a second step off',
    'settings',
    api.removeSecondStep,
    inDialog('Switch off the second step?', 'Switch off'),
    { lead: leaving },
  ),
];

const staffActions = [
  ...secondStepActions,
  ...[...memberActions, ...loanActions, ...withdrawalActions, ...servicingActions],
  ...dayActions,
];

/** Read beside what a person asks for, or by nobody but other programs. */
const untried: readonly Endpoint[] = [
  api.readFile,
  api.readDeletionRequest,
  api.readStats,
  api.listClosedAccounts,
  api.downloadOwnData,
];

it('no call that needs a session is left out', () => {
  const actions = [...borrowerActions, logOut, ...staffActions, ...mainAdminActions];
  const known = new Set<Endpoint>([...untried, ...actions.map(({ row }) => row)]);
  const rows = Object.entries<Endpoint>(api).filter(([, row]) => row.access !== 'anyone');
  expect(rows.flatMap(([name, row]) => (known.has(row) ? [] : [name]))).toEqual([]);
});

describe('staff', () => {
  async function given(action: Action) {
    const borrower = await server.verifiedBorrower();
    const made = (await action.given?.(borrower)) as { id?: number } | undefined;
    return action.path.replace('{id}', String(made?.id ?? borrower.id));
  }

  async function open(path: string, { lead }: Action, token: string) {
    const page = await openPanel(browser, path, { token, expects });
    await page.waitForLoadState('networkidle');
    await lead?.(page);
    return page;
  }

  async function seeSuspended(path: string, action: Action) {
    const worker = await settledAdmin(server);
    const page = await open(path, action, worker.token);
    await suspend(worker);
    await finish(page, action);
    await expectSuspended(page);
    expect(new URL(page.url()).pathname).toBe('/app-login');
  }

  /** The page stays, with a dialog over it and nothing over that. */
  async function seeEnded(path: string, action: Action, token: string) {
    const page = await open(path, action, token);
    await endSession({ token });
    await finish(page, action);
    const dialog = dialogOf(page, panel.sessionEnded.title);
    await dialog.waitFor();
    await page.waitForTimeout(aWhileMs);
    expect(await toastCount(page)).toBe(0);
    expect(await dialog.isVisible()).toBe(true);
    return { page, dialog };
  }

  it.each(sampleOf(staffActions, 8))(
    'who are suspended or whose session ended, at: $name',
    async (action) => {
      const path = await given(action);
      const { token } = await settledAdmin(server);
      await Promise.all([seeSuspended(path, action), seeEnded(path, action, token)]);
    },
  );

  it.each(sampleOf(mainAdminActions, 8))('the main admin whose session ended, at: $name', async (action) => {
    const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
    await seeEnded(await given(action), action, token);
  });

  it('who sign in again are told of that, and of what comes next', async () => {
    const activate: Action = act('activate', 'members', api.updateMember, inRow(name, 'Activate'));
    const worker = await settledAdmin(server);
    const { page, dialog } = await seeEnded(await given(activate), activate, worker.token);
    const password = field(dialog, panel.signIn.password);
    await password.fill('not this one');
    await button(dialog, panel.signIn.submit).click();
    await expectToast(page, panel.signIn.failureTitle, en.errors.invalid_credentials);
    await password.fill(worker.password);
    await button(dialog, panel.signIn.submit).click();
    await expectToast(page, panel.signIn.success);
    await inRow(name, 'Activate')(page);
    await expectToast(page, panel.toasts.success, `${name} is active.`);
  });
});
