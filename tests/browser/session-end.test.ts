import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { en } from '#contract/wording/en.ts';
import * as panel from '#contract/wording/panel.ts';
import { addDays, addMonths, manilaDate } from '#domain/calendar.ts';
import { apply, disbursedLoan } from '#tests/api/lending.ts';
import { testBrowser } from '#tests/setup/browser.ts';
import { photo } from '#tests/setup/photo.ts';
import { fullProfile, mainAdminPassword, type TestBorrower } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { totp } from '#tests/setup/totp.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { changeMember } from './borrower.ts';
import { button, dialogOf, expectToast, field, storedToken, toastCount, toastRegion } from './screen.ts';
import { details, openPanel, questionOf, rowOf, settledAdmin } from './staff.ts';

/**
 * However a session ends, the word of that is the last one on the screen, whatever action met it (§end-of-a-session):
 * everything that a borrower and staff can do is led up to its last press, then the session ends, then it is pressed.
 */
const server = await listeningServer();
const browser = await testBrowser(server.origin);
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

const suspend = (account: { id: number }) => changeMember(server, account, { status: 'suspended' });
const endSession = ({ token }: { token: string }) => server.as(token).signOut();

type Action = {
  name: string;
  /** Of the page. `{id}` is that of what was given, or else the borrower's. */
  path: string;
  /** What the last press asks the server for. */
  row: Endpoint;
  /** What there has to be before: money in the wallet, a loan. */
  given?: (borrower: TestBorrower) => Promise<unknown>;
  /** Up to the last press. */
  lead?: (page: Page) => Promise<unknown>;
  finish: (page: Page) => Promise<unknown>;
};

const press = (name: string) => (page: Page) => button(page, name).click();
const inDialog = (dialog: string, name: string) => (page: Page) =>
  button(dialogOf(page, dialog), name).click();

async function money({ id }: TestBorrower) {
  await server.fund(id, 20_000);
  await server.setCode(id, code);
}

/** On to the first dialog of a withdrawal, with an amount. */
const withdrawing = (amount: string) => async (page: Page) => {
  await press(en.withdrawal.start)(page);
  await field(dialogOf(page, en.withdrawal.title), en.withdrawal.amount).fill(amount);
};

async function applying(page: Page) {
  await field(dialogOf(page, en.apply.title), en.apply.purpose).fill('A sewing machine');
}

async function changingPassword(page: Page) {
  await press(en.profile.changePassword)(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en.session.currentPassword, { exact: true }).fill('borrower password');
  await dialog.getByLabel(en.session.newPassword, { exact: true }).fill('another password');
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
const lateLoan = (borrower: TestBorrower) =>
  disbursedLoan(server, borrower, { date: addMonths(addDays(today, -40), -2), payments: [cash] });

const paidLoan = (borrower: TestBorrower) =>
  disbursedLoan(server, borrower, {
    date: today,
    payments: [{ ...cash, amount: 150_000, settlement: true }],
  });
const { contract, schedule, download: toPdf, toTable, toCalendar } = en.papers;
const { myLoan } = en;

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
  ).map(([name, row, given, label]) => ({
    ...{ name: `download ${name}`, path, row, given },
    finish: press(label),
  }));

const lateWithMoney = async (borrower: TestBorrower) => {
  await lateLoan(borrower);
  await server.fund(borrower.id, 200_000);
};

const borrowerActions: Action[] = [
  {
    name: 'see what a payment would do',
    path: '/loan-app',
    row: api.previewOwnPayment,
    given: lateWithMoney,
    finish: press(en.payment.fromWallet),
  },
  {
    name: 'pay from the wallet',
    path: '/loan-app',
    row: api.payOwnLoan,
    given: lateWithMoney,
    lead: async (page) => {
      await press(en.payment.fromWallet)(page);
      await button(dialogOf(page, en.payment.fromWallet), en.pay.pay).waitFor();
    },
    finish: inDialog(en.payment.fromWallet, en.pay.pay),
  },
  {
    name: 'take back what was sent in',
    path: '/my-loan',
    row: api.withdrawOwnPayment,
    given: async (borrower) => {
      const { id } = await lateLoan(borrower);
      const sent = { amount: 500, paidOn: today, channel: 'gcash', reference: 'GC 770011' } as const;
      await server.as(borrower.token).payOwnLoan(id, sent);
    },
    finish: press(en.pay.withdrawThis),
  },
  {
    name: 'read one’s complaints again',
    path: '/help',
    row: api.listOwnComplaints,
    finish: press('Refresh'),
  },
  {
    name: 'complain',
    path: '/help',
    row: api.complain,
    lead: async (page) => {
      await press('New complaint')(page);
      const dialog = dialogOf(page, 'New complaint');
      await dialog.getByRole('combobox', { name: 'What is it about?' }).selectOption({ index: 1 });
      await field(dialog, 'What happened?').fill('I paid twice.');
    },
    finish: inDialog('New complaint', 'Send'),
  },
  {
    name: 'go to another page',
    path: '/loan-app',
    row: api.listOwnWithdrawals,
    finish: (page) => page.getByRole('link', { name: 'WALLET' }).click(),
  },
  {
    name: 'read the home screen again',
    path: '/loan-app',
    row: api.listOwnLoans,
    finish: press(en.dashboard.refresh),
  },
  {
    name: 'read the wallet again',
    path: '/wallet',
    row: api.listNotifications,
    finish: press(en.dashboard.refresh),
  },
  {
    name: 'read the documents again',
    path: '/profile',
    row: api.readProfile,
    finish: press(en.documents.refresh),
  },
  {
    name: 'withdraw from an empty wallet',
    path: '/wallet',
    row: api.readProfile,
    finish: press(en.withdrawal.start),
  },
  {
    name: 'withdraw more than there is',
    path: '/wallet',
    row: api.readProfile,
    given: money,
    lead: withdrawing('25000'),
    finish: inDialog(en.withdrawal.title, en.withdrawal.continue),
  },
  {
    name: 'confirm a code',
    path: '/wallet',
    row: api.requestWithdrawal,
    given: money,
    lead: async (page) => {
      await withdrawing('5000')(page);
      await inDialog(en.withdrawal.title, en.withdrawal.continue)(page);
      await field(dialogOf(page, en.withdrawal.codeTitle), en.withdrawal.code).fill(code);
    },
    finish: inDialog(en.withdrawal.codeTitle, en.withdrawal.confirm),
  },
  {
    name: 'ask what a loan costs',
    path: '/dashboard',
    row: api.quoteLoan,
    lead: applying,
    finish: inDialog(en.apply.title, en.apply.review),
  },
  {
    name: 'apply',
    path: '/dashboard',
    row: api.applyForLoan,
    lead: async (page) => {
      await applying(page);
      await inDialog(en.apply.title, en.apply.review)(page);
      await button(dialogOf(page, en.apply.title), en.apply.submit).waitFor();
    },
    finish: inDialog(en.apply.title, en.apply.submit),
  },
  {
    name: 'save the profile',
    path: '/profile',
    row: api.updateProfile,
    lead: press(en.profile.edit),
    finish: inDialog(en.profile.personal, en.profile.save),
  },
  {
    name: 'save a password',
    path: '/account',
    row: api.changePassword,
    lead: changingPassword,
    finish: press(en.session.savePassword),
  },
  {
    name: 'upload a photo',
    path: '/profile',
    row: api.uploadDocument,
    finish: async (page) =>
      page.getByLabel(en.verification.pieces.selfieUrl, { exact: true }).setInputFiles(await picture()),
  },
  {
    name: 'download the contract',
    path: '/profile',
    row: api.readLoanContractPdf,
    given: oneLoan,
    lead: reading(contract, toPdf),
    finish: press(toPdf),
  },
  {
    name: 'download the schedule',
    path: '/profile',
    row: api.readLoanTable,
    given: oneLoan,
    lead: reading(schedule, toTable),
    finish: press(toTable),
  },
  {
    name: 'download the calendar',
    path: '/profile',
    row: api.readLoanCalendar,
    given: oneLoan,
    lead: reading(schedule, toCalendar),
    finish: press(toCalendar),
  },
  {
    name: 'open the contract',
    path: '/profile',
    row: api.readLoanContract,
    given: oneLoan,
    finish: press(contract),
  },
  {
    name: 'download all data',
    path: '/account',
    row: api.downloadOwnArchive,
    finish: press(en.privacy.download),
  },
  {
    name: 'ask for deletion',
    path: '/account',
    row: api.requestDeletion,
    lead: press(en.privacy.ask),
    finish: inDialog(en.privacy.askTitle, en.privacy.send),
  },
  {
    name: 'take the request back',
    path: '/account',
    row: api.withdrawDeletion,
    given: ({ token }) => server.as(token).requestDeletion().success(),
    finish: press(en.privacy.takeBack),
  },
  {
    name: 'ask for a code',
    path: '/wallet',
    row: api.requestCode,
    given: ({ id }) => server.fund(id, 20_000),
    lead: async (page) => {
      await withdrawing('5000')(page);
      await inDialog(en.withdrawal.title, en.withdrawal.continue)(page);
    },
    finish: press(en.withdrawal.requestCode),
  },
  {
    name: 'close the news of an account',
    path: '/loan-app',
    row: api.closeAccessNews,
    given: money,
    finish: press(en.messages.accessClose),
  },
  {
    name: 'open the schedule',
    path: '/profile',
    row: api.readLoanSchedule,
    given: oneLoan,
    finish: press(schedule),
  },
  {
    name: 'accept new terms',
    path: '/profile',
    row: api.acceptContract,
    given: async (borrower) => {
      const { id } = await oneLoan(borrower);
      await server.main.updateLoan(id, { amount: 240_000 });
    },
    lead: reading(contract, en.papers.accept(2)),
    finish: press(en.papers.accept(2)),
  },
  {
    name: 'read the loan again',
    path: '/my-loan',
    row: api.readLoanAccount,
    given: lateLoan,
    finish: press(en.dashboard.refresh),
  },
  {
    name: 'work out the pay-off of another day',
    path: '/my-loan',
    row: api.readSettlement,
    given: lateLoan,
    finish: (page) => page.getByLabel(myLoan.payOn, { exact: true }).fill(addDays(today, 3)),
  },
  ...downloads('/my-loan', {
    ...myLoan,
    table: myLoan.statementTable,
    receipt: myLoan.downloadReceipt,
    clearance: en.payment.clearance,
  }),
];

const logOut: Action = {
  ...{ name: 'log out', path: '/account', row: api.signOut },
  finish: press(en.shell.logout),
};

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
    const { borrower, page } = await open({
      name: '',
      path: '/wallet',
      row: api.readProfile,
      finish: async () => {},
    });
    await suspend(borrower);
    await press(en.withdrawal.start)(page);
    await expectSuspended(page);
    await field(page, en.session.phone).fill(borrower.phone);
    await page.getByLabel(en.session.password, { exact: true }).fill('not this one');
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
  await details(page).getByLabel(label, { exact: true }).fill(text);
};

const memberActions: Action[] = [
  { name: 'read the list again', path: 'members', row: api.listMembers, finish: press(panel.list.refresh) },
  {
    name: 'add a member',
    path: 'members',
    row: api.createMember,
    lead: async (page) => {
      await press(panel.members.add)(page);
      const form = dialogOf(page, panel.memberForm.addTitle);
      const typed = {
        'Phone number': '0918 555 0101',
        'Full name': 'Tala Bautista',
        Address: '7 Rizal Avenue, Batangas City',
        'Country of work': 'Philippines',
        'Monthly salary': '21,500',
        'Reference name': 'Lakan Bautista',
        'Reference phone': '09185550102',
        'Bank name': 'Bank B',
        'Account number': '9876543210',
      };
      for (const [label, text] of Object.entries(typed)) await field(form, label).fill(text);
    },
    finish: inDialog(panel.memberForm.addTitle, panel.list.save),
  },
  {
    name: 'edit a member',
    path: 'members',
    row: api.updateMember,
    lead: async (page) => {
      await inRow(name, 'Edit')(page);
      await field(dialogOf(page, panel.memberForm.editTitle), 'Country of work').fill('Singapore');
    },
    finish: inDialog(panel.memberForm.editTitle, panel.list.save),
  },
  { name: 'activate', path: 'members', row: api.updateMember, finish: inRow(name, 'Activate') },
  {
    name: 'activate in the details',
    path: 'members?open={id}',
    row: api.updateMember,
    finish: inDetails('Activate'),
  },
  {
    name: 'deactivate',
    path: 'members',
    row: api.updateMember,
    given: (borrower) => changeMember(server, borrower, { status: 'active' }),
    lead: inRow(name, 'Deactivate'),
    finish: inQuestion('Deactivate'),
  },
  {
    name: 'delete a member',
    path: 'members',
    row: api.deleteUser,
    lead: inRow(name, 'Delete'),
    finish: inQuestion('Delete'),
  },
  {
    name: 'upload for a member',
    path: 'members',
    row: api.uploadDocument,
    lead: inRow(name, 'Documents'),
    finish: async (page) =>
      dialogOf(page, 'Documents')
        .getByLabel('Front of ID', { exact: true })
        .setInputFiles(await picture()),
  },
  {
    name: 'set a balance',
    path: 'members?open={id}',
    row: api.updateMember,
    lead: async (page) => {
      await typing('Adjust the balance', 'New balance', '700')(page);
      await inDetails('Change balance')(page);
    },
    finish: inQuestion('Change balance'),
  },
  {
    name: 'set a score',
    path: 'members?open={id}',
    row: api.updateMember,
    lead: typing('Edit the credit score', 'New credit score', '640'),
    finish: inDetails('Save score'),
  },
  {
    name: 'set a code',
    path: 'members?open={id}',
    row: api.updateMember,
    lead: typing('Set the OTP code', 'New OTP code', code),
    finish: inDetails('Save code'),
  },
  {
    name: 'look at a code',
    path: 'members?open={id}',
    row: api.readMember,
    given: money,
    finish: inDetails('Show the OTP code'),
  },
  {
    name: 'set a password',
    path: 'members?open={id}',
    row: api.updateMember,
    lead: typing('Set the password', 'New password', 'pahiram ng susi'),
    finish: inDetails('Save password'),
  },
];

const loanActions: Action[] = [
  { name: 'read the loans again', path: 'borrowing', row: api.listLoans, finish: press(panel.list.refresh) },
  {
    name: 'set a status',
    path: 'borrowing',
    row: api.updateLoan,
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Update status')(page);
      await dialogOf(page, 'Update Loan Status').getByRole('radio', { name: 'Approved' }).check();
    },
    finish: inDialog('Update Loan Status', panel.list.save),
  },
  {
    name: 'change the terms',
    path: 'borrowing',
    row: api.updateLoan,
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Edit loan')(page);
      await field(dialogOf(page, 'Edit loan'), 'Amount').fill('240000');
    },
    finish: inDialog('Edit loan', panel.list.save),
  },
  {
    name: 'notify',
    path: 'borrowing',
    row: api.notifyMember,
    given: oneLoan,
    lead: async (page) => {
      await inRow(name, 'Notify')(page);
      await field(dialogOf(page, 'Notify'), 'Message').fill('Please bring your payslip.');
    },
    finish: inDialog('Notify', 'Send'),
  },
  {
    name: 'delete a loan',
    path: 'borrowing',
    row: api.deleteLoan,
    given: oneLoan,
    lead: inRow(name, 'Delete'),
    finish: inQuestion('Delete'),
  },
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
  {
    name: 'look at a withdrawal',
    path: 'withdrawal',
    row: api.readWithdrawalHold,
    given: pending,
    finish: inRow(name, 'Details'),
  },
  {
    name: 'read the withdrawals again',
    path: 'withdrawal',
    row: api.listWithdrawals,
    finish: press(panel.list.refresh),
  },
  {
    name: 'approve',
    path: 'withdrawal',
    row: api.updateWithdrawal,
    given: approved,
    lead: inRow(name, 'Approve'),
    finish: (page) => button(page.getByRole('dialog'), 'Approve').click(),
  },
  {
    name: 'reject',
    path: 'withdrawal',
    row: api.updateWithdrawal,
    given: approved,
    lead: inRow(name, 'Reject'),
    finish: inQuestion('Reject'),
  },
  {
    name: 'process',
    path: 'withdrawal',
    row: api.updateWithdrawal,
    given: pending,
    lead: inRow(name, 'Details'),
    finish: inDialog(sheet, 'Process'),
  },
  {
    name: 'reject from the details',
    path: 'withdrawal',
    row: api.updateWithdrawal,
    given: pending,
    lead: async (page) => {
      await inRow(name, 'Details')(page);
      await inDialog(sheet, 'Reject')(page);
    },
    finish: inQuestion('Reject'),
  },
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

const acting = (
  name: string,
  given: Lent,
  title: string,
  save: string,
  row: Endpoint = api.actOnLoan,
): Action => ({
  ...{ name, path: account, row, given },
  lead: step(title, 'The harvest was lost', save),
  finish: inDialog(title, save),
});

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
  const body = { amount: 700, channel: 'gcash', reference: 'GC 0099' } as const;
  await server.main.recordPayment(id, body);
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
  {
    name: 'open the details of a loan',
    path: 'borrowing',
    row: api.readLoanAccount,
    given: lateLoan,
    finish: (page) => rowOf(page, name).getByText('₱150,000.00').first().click(),
  },
  {
    name: 'see what a step does',
    path: account,
    row: api.previewLoan,
    given: lateLoan,
    finish: press(stepOf.payment),
  },
  {
    name: 'release',
    path: account,
    row: api.disburseLoan,
    given: approvedLoan,
    lead: step(stepOf.release),
    finish: inDialog(stepOf.release, stepOf.release),
  },
  {
    name: 'record a payment',
    path: account,
    row: api.recordPayment,
    given: lateLoan,
    lead: step(stepOf.payment),
    finish: inDialog(stepOf.payment, stepOf.payment),
  },
  acting('waive', lateLoan, stepOf.waiver, stepOf.waiver),
  acting('defer', released, stepOf.deferralTitle, stepOf.deferral),
  {
    name: 'reverse a waiver',
    path: account,
    row: api.actOnLoan,
    given: waivedLoan,
    lead: async (page) => {
      await button(page.getByRole('region', { name: 'Timeline' }), 'Reverse').click();
      await field(page.getByRole('dialog'), 'Reason').fill('The wrong loan');
    },
    finish: (page) => button(page.getByRole('dialog'), 'Reverse').click(),
  },
  acting('cancel a release', released, stepOf.cancellation, stepOf.cancellation, api.cancelDisbursement),
  {
    name: 'settle on another day',
    path: account,
    row: api.readSettlement,
    given: lateLoan,
    finish: (page) => page.getByLabel(files.settleOn).fill(addDays(today, 5)),
  },
  ...downloads(account, { ...files, table: files.statementCsv, receipt: files.receiptPdf }),
  {
    name: 'read the payments again',
    path: 'payments',
    row: api.listPayments,
    finish: press(panel.list.refresh),
  },
  {
    name: 'save the list of payments',
    path: 'payments',
    row: api.noteExport,
    given: lateLoan,
    finish: press(panel.list.export),
  },
  {
    name: 'confirm a payment',
    path: 'payments',
    row: api.updatePayment,
    given: transferred,
    lead: step(stepOf.confirmTitle, undefined, stepOf.confirm),
    finish: inDialog(stepOf.confirmTitle, stepOf.confirm),
  },
  {
    name: 'reject a payment',
    path: 'payments',
    row: api.updatePayment,
    given: transferred,
    lead: async (page) => {
      await press('Reject')(page);
      await field(dialogOf(page, stepOf.rejectTitle), 'Reason').fill('Not on the statement');
    },
    finish: inDialog(stepOf.rejectTitle, 'Reject'),
  },
  {
    name: 'reverse a payment',
    path: 'payments',
    row: api.updatePayment,
    given: lateLoan,
    lead: step(stepOf.reverseTitle, 'The cheque bounced', stepOf.reverse),
    finish: inDialog(stepOf.reverseTitle, stepOf.reverse),
  },
  {
    name: 'read all approvals',
    path: 'approvals',
    row: api.listApprovals,
    finish: (page) => page.getByRole('combobox', { name: 'Show' }).selectOption('all'),
  },
  {
    name: 'approve what waits',
    path: 'approvals',
    row: api.decideApproval,
    given: asked,
    finish: press('Approve'),
  },
  {
    name: 'decline what waits',
    path: 'approvals',
    row: api.decideApproval,
    given: asked,
    lead: async (page) => {
      await press('Decline')(page);
      await field(page.getByRole('dialog'), 'Reason').fill('No papers');
    },
    finish: (page) => button(page.getByRole('dialog'), 'Decline').click(),
  },
];

const adding = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Add New Admin' }) });
const admin = 'Ligaya Ramos';
const anAdmin = () => server.createAdmin({ fullName: admin });

const toSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();

const mainAdminActions: Action[] = [
  { name: 'go to the admins', path: 'members', row: api.listAllUsers, finish: toSettings },
  { name: 'go to the allowed addresses', path: 'members', row: api.listAllowedIps, finish: toSettings },
  { name: 'go to the installation', path: 'members', row: api.readInstallation, finish: toSettings },
  acting('write a loan off', lateLoan, stepOf.writeOffTitle, stepOf.write_off),
  {
    name: 'add an admin',
    path: 'settings',
    row: api.createAdmin,
    lead: async (page) => {
      await field(adding(page), 'Email').fill('tala@example.com');
      await adding(page).getByLabel('Password', { exact: true }).fill('bangka sa dagat');
    },
    finish: press('Add admin'),
  },
  {
    name: 'edit an admin',
    path: 'settings',
    row: api.updateAdmin,
    given: anAdmin,
    lead: async (page) => {
      await inRow(admin, 'Edit')(page);
      await field(dialogOf(page, 'Edit admin account'), 'Email').fill('ramos@example.com');
    },
    finish: inDialog('Edit admin account', panel.list.save),
  },
  {
    name: 'look at an admin’s password',
    path: 'settings',
    row: api.readMember,
    given: anAdmin,
    finish: inRow(admin, 'Show the password'),
  },
  {
    name: 'delete an admin',
    path: 'settings',
    row: api.deleteUser,
    given: anAdmin,
    lead: inRow(admin, 'Delete'),
    finish: inQuestion('Delete'),
  },
  {
    name: 'reset a second step',
    path: 'settings',
    row: api.resetSecondStep,
    given: async () => {
      const worker = await server.createAdmin({ fullName: admin });
      const { secret } = await worker.setUpSecondStep();
      await worker.confirmSecondStep({ code: totp(secret, new Date()) });
    },
    lead: inRow(admin, 'Reset the second step'),
    finish: inQuestion('Reset the second step'),
  },
  {
    name: 'allow an address',
    path: 'settings',
    row: api.addAllowedIp,
    lead: (page) => field(page, 'IP address').fill('203.0.113.7'),
    finish: press('Add IP'),
  },
  {
    name: 'remove an address',
    path: 'settings',
    row: api.removeAllowedIp,
    given: async () => server.main.addAllowedIp({ ipAddress: '203.0.113.7', description: '' }).success(),
    lead: inRow('203.0.113.7', 'Remove'),
    finish: inQuestion('Remove'),
  },
  { name: 'read the audit log again', path: 'audit', row: api.listAudit, finish: press(panel.list.refresh) },
];

const complained: Lent = async (borrower) => borrower.complain({ category: 'other', message: 'A question' });
const pressFirst = (name: string) => (page: Page) => button(page, name).first().click();

const dayActions: Action[] = [
  { name: 'read today again', path: 'today', row: api.readToday, finish: press(panel.list.refresh) },
  {
    name: 'find somebody',
    path: 'today',
    row: api.find,
    finish: (page) => page.getByRole('searchbox', { name: 'Find anything' }).fill('Maria'),
  },
  {
    name: 'read the collections again',
    path: 'collections',
    row: api.listCollections,
    finish: press(panel.list.refresh),
  },
  {
    name: 'look at the contacts',
    path: 'collections',
    row: api.listContacts,
    given: lateLoan,
    finish: (page) => page.getByRole('row').nth(1).click(),
  },
  {
    name: 'record a contact',
    path: account,
    row: api.recordContact,
    given: lateLoan,
    lead: async (page) => {
      await press('Record contact')(page);
      const outcome = dialogOf(page, 'Record contact').getByLabel('Outcome', { exact: true });
      await outcome.selectOption('The borrower contacted us');
    },
    finish: inDialog('Record contact', 'Record contact'),
  },
  {
    name: 'read the complaints again',
    path: 'complaints',
    row: api.listComplaints,
    finish: press(panel.list.refresh),
  },
  {
    name: 'acknowledge a complaint',
    path: 'complaints',
    row: api.updateComplaint,
    given: complained,
    finish: pressFirst('Acknowledge'),
  },
  {
    name: 'answer a complaint',
    path: 'complaints',
    row: api.answerComplaint,
    given: complained,
    lead: async (page) => {
      await pressFirst('Reply')(page);
      await field(page.getByRole('dialog'), 'Message').fill('We look into it.');
    },
    finish: (page) => button(page.getByRole('dialog'), 'Send').click(),
  },
  { name: 'read a day again', path: 'reports', row: api.readDay, finish: press(panel.list.refresh) },
  {
    name: 'read the portfolio again',
    path: 'reports?show=portfolio',
    row: api.readPortfolio,
    finish: press(panel.list.refresh),
  },
  {
    name: 'read the journal again',
    path: 'reports?show=journal',
    row: api.readJournal,
    finish: press(panel.list.refresh),
  },
];

/** Up to the last press that switches one on. */
async function settingUp(page: Page) {
  await press('Set up')(page);
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
  await dialog.getByLabel('Your password', { exact: true }).fill('a password of my own');
  await field(dialog, 'Code').fill('123456');
}

const secondStepActions: Action[] = [
  {
    name: 'begin a second step',
    path: 'settings',
    row: api.setUpSecondStep,
    finish: press('Set up'),
  },
  {
    name: 'switch a second step on',
    path: 'settings',
    row: api.confirmSecondStep,
    lead: settingUp,
    finish: inDialog('Second step', 'Switch on'),
  },
  {
    name: 'switch a second step off',
    path: 'settings',
    row: api.removeSecondStep,
    lead: leaving,
    finish: inDialog('Switch off the second step?', 'Switch off'),
  },
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
    const activate: Action = {
      name: 'activate',
      path: 'members',
      row: api.updateMember,
      finish: inRow(name, 'Activate'),
    };
    const worker = await settledAdmin(server);
    const { page, dialog } = await seeEnded(await given(activate), activate, worker.token);
    const password = dialog.getByLabel(panel.signIn.password, { exact: true });
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
