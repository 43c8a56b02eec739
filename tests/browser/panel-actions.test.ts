import type { Locator, Page } from 'playwright-core';
import { it } from 'vitest';
import { apply } from '#tests/api/lending.ts';
import { testBrowser } from '#tests/setup/browser.ts';
import { photo } from '#tests/setup/photo.ts';
import { picturesDir } from '#tests/setup/pictures.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { type Hand, handOf } from './hands.ts';
import { breakDown, button, dialogOf, expectToast, field } from './screen.ts';
import { details, expectReadable, openPanel, questionOf, rowOf, settledAdmin } from './staff.ts';

/**
 * Everything staff can do on each page of the panel, as the main admin and as an ordinary one, with the mouse and with
 * nothing but the keyboard: each action is refused first, which is told and loses nothing, and then goes through.
 */
const server = await listeningServer();
const browser = await testBrowser(server.origin);

const name = 'Maria Clara Santos';
const refusal = 'Out of reach.';

type Action = {
  /** Leads up to the last press. */
  begin?: () => Promise<unknown>;
  /** The same after a refusal, where that closed something: a question is asked anew. A form stays as it was. */
  again?: () => Promise<unknown>;
  finish: () => Promise<unknown>;
  /** What is called, and refused at first. */
  address: string;
  done: [title: string, description?: string];
  failed: string;
  /** Closes what is still open. */
  after?: () => Promise<unknown>;
};

type Worker = { role: 'main' | 'ordinary'; with: 'mouse' | 'keyboard' };
/** `looks`: at what an action opens, once for all of them. */
type Sent = Worker & { looks: boolean };

/** What one may do does not depend on how: each role and each kind of input once for every action. */
const everybody: Worker[] = [
  { role: 'main', with: 'mouse' },
  { role: 'ordinary', with: 'keyboard' },
];
const mainAdmins: Worker[] = [
  { role: 'main', with: 'mouse' },
  { role: 'main', with: 'keyboard' },
];

/** `npm test` sends one of the two to each page, by turns; `npm run torture` and the pictures both. */
const sent = (workers: Worker[], turn: 0 | 1): Sent[] =>
  (isTorture || picturesDir ? workers : workers.slice(turn, turn + 1)).map((worker, index) => ({
    ...worker,
    looks: index === 0,
  }));

async function visit(path: string, { role, with: kind }: Worker): Promise<{ page: Page; hand: Hand }> {
  const token = role === 'main' ? await server.signInMainAdmin() : (await settledAdmin(server)).token;
  const page = await openPanel(browser, path, { token, expects: [/status of 400/] });
  return { page, hand: handOf(page, kind) };
}

async function doAll(page: Page, worker: Sent, actions: readonly Action[]): Promise<void> {
  for (const { begin, again, finish, address, done, failed, after } of actions) {
    await begin?.();
    if (begin && worker.looks) await expectReadable(page);
    const repair = await breakDown(page, address, 400);
    await finish();
    await expectToast(page, failed, refusal);
    await repair();
    await again?.();
    await finish();
    await expectToast(page, ...done);
    await after?.();
  }
}

/** A question that is asked before: it closes whatever comes of it, and is asked anew. */
function asked(page: Page, hand: Hand, ask: () => Promise<unknown>, confirm: string) {
  return {
    begin: ask,
    again: ask,
    finish: async () => {
      await hand.press(button(questionOf(page), confirm));
      await questionOf(page).waitFor({ state: 'hidden' });
    },
  };
}

const oneMember = '**/api/admin/users/*';

/** Another balance, in whole pesos. */
function balanceAction(page: Page, hand: Hand, before: string, after: string): Action {
  const panel = details(page);
  const changeBalance = () => hand.press(button(panel, 'Change balance'));
  return {
    begin: async () => {
      await hand.press(button(panel, 'Adjust the balance'));
      await hand.type(field(panel, 'New balance'), after);
      await changeBalance();
    },
    again: changeBalance,
    finish: () => hand.press(button(questionOf(page), 'Change balance')),
    address: oneMember,
    done: ['Success', `₱${before}.00 → ₱${after}.00`],
    failed: 'Update failed',
  };
}

/** A member's balance, score and code, changed in the details. */
function moneyActions(page: Page, hand: Hand, [balance, score]: [string, string]): Action[] {
  const panel = details(page);
  return [
    balanceAction(page, hand, '0', balance),
    {
      begin: async () => {
        await hand.press(button(panel, 'Edit the credit score'));
        await hand.type(panel.getByRole('spinbutton', { name: 'New credit score' }), score);
      },
      finish: () => hand.press(button(panel, 'Save score')),
      address: oneMember,
      done: ['Success', `500 → ${score}`],
      failed: 'Update failed',
    },
    {
      begin: async () => {
        await hand.press(button(panel, 'Set the OTP code'));
        await hand.type(field(panel, 'New OTP code'), '482913');
      },
      finish: () => hand.press(button(panel, 'Save code')),
      address: oneMember,
      done: ['OTP Code Updated'],
      failed: 'Update failed',
    },
  ];
}

const newMember = {
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

it.each(sent(everybody, 0))('members: $role admin with the $with', async (worker) => {
  const { id } = await server.verifiedBorrower();
  const { page, hand } = await visit(`members?open=${id}`, worker);
  const row = rowOf(page, name);
  const panel = details(page);
  const form = dialogOf(page, 'Edit member');
  const documents = dialogOf(page, 'Documents');
  const added = dialogOf(page, 'Add member');
  const picture = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  const close = async (dialog: Locator) => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  };
  const gone = asked(page, hand, () => hand.pressIn(row, 'Delete'), 'Delete');
  await doAll(page, worker, [
    {
      begin: async () => {
        await hand.pressIn(row, 'Edit');
        await hand.type(field(form, 'Country of work'), 'Singapore');
      },
      finish: () => hand.press(button(form, 'Save')),
      address: oneMember,
      done: ['Member updated'],
      failed: 'Update failed',
      after: () => form.waitFor({ state: 'hidden' }),
    },
    {
      finish: () => hand.pressIn(row, 'Activate'),
      address: oneMember,
      done: ['Success', `${name} is active.`],
      failed: 'Action failed',
    },
    {
      ...asked(page, hand, () => hand.pressIn(row, 'Deactivate'), 'Deactivate'),
      address: oneMember,
      done: ['Success', `${name} is suspended and signed out.`],
      failed: 'Action failed',
    },
    {
      begin: () => hand.pressIn(row, 'Documents'),
      finish: () => documents.getByLabel('Front of ID', { exact: true }).setInputFiles(picture),
      address: '**/api/upload',
      done: ['Document uploaded'],
      failed: 'Upload failed',
      after: async () => {
        await hand.press(button(documents, 'View the front'));
        const large = dialogOf(page, 'Front of ID');
        await large.waitFor();
        if (worker.looks) await expectReadable(page);
        await close(large);
        await close(documents);
      },
    },
    ...moneyActions(page, hand, ['700', '640']),
    {
      begin: async () => {
        await hand.press(button(panel, 'Set the password'));
        await hand.type(field(panel, 'New password'), 'pahiram ng susi');
      },
      finish: () => hand.press(button(panel, 'Save password')),
      address: oneMember,
      done: ['Password Updated'],
      failed: 'Update failed',
    },
    // Nobody is deleted while the wallet holds money.
    balanceAction(page, hand, '700', '0'),
    { ...gone, address: oneMember, done: ['Member deleted'], failed: 'Delete failed' },
    {
      begin: async () => {
        await hand.press(button(page, 'Add member'));
        for (const [label, value] of Object.entries(newMember)) await hand.type(field(added, label), value);
      },
      finish: () => hand.press(button(added, 'Save')),
      address: '**/api/auth/register',
      done: ['Member created'],
      failed: 'Creation failed',
      after: async () => {
        const issued = dialogOf(page, 'The new member’s password');
        await issued.waitFor();
        if (worker.looks) await expectReadable(page);
        await hand.press(button(issued, 'Done'));
        await rowOf(page, 'Tala Bautista').waitFor();
      },
    },
  ]);
});

it.each(sent(everybody, 1))('borrowing list: $role admin with the $with', async (worker) => {
  const borrower = await server.verifiedBorrower();
  const loan = await apply(server, borrower);
  const undecided = await apply(server, await server.verifiedBorrower());
  const { page, hand } = await visit(`borrowing?open=${loan.id}`, worker);
  const row = rowOf(page, loan.loanNumber);
  const status = dialogOf(page, 'Update Loan Status');
  const terms = dialogOf(page, 'Edit loan');
  const notify = dialogOf(page, 'Notify');
  // From the approval on a loan is the main admin's to delete.
  const { loanNumber: deleted } = worker.role === 'main' ? loan : undecided;
  const gone = asked(page, hand, () => hand.pressIn(rowOf(page, deleted), 'Delete'), 'Delete');
  await doAll(page, worker, [
    {
      begin: async () => {
        await hand.pressIn(row, 'Update status');
        await hand.pick(status.getByRole('radio', { name: 'Approved' }));
      },
      finish: () => hand.press(button(status, 'Save')),
      address: '**/api/admin/loans/*',
      done: ['Success', `Loan ${loan.loanNumber}: Approved.`],
      failed: 'Update failed',
      after: () => status.waitFor({ state: 'hidden' }),
    },
    {
      begin: async () => {
        await hand.pressIn(row, 'Edit loan');
        await hand.type(field(terms, 'Amount'), '240000');
      },
      finish: () => hand.press(button(terms, 'Save')),
      address: '**/api/admin/loans/*',
      // (240,000 + 240,000 × 2.5 % × 12) / 12
      done: ['Success', `Loan ${loan.loanNumber} is now ₱26,000.00 a month.`],
      failed: 'Update failed',
      after: async () => {
        await terms.waitFor({ state: 'hidden' });
        // No loan is paid out on terms that its borrower has not agreed to.
        await borrower.acceptContract(loan.id, { version: 2 });
      },
    },
    {
      begin: async () => {
        await hand.pressIn(row, 'Notify');
        await hand.type(field(notify, 'Message'), 'Please bring your payslip.');
      },
      finish: () => hand.press(button(notify, 'Send')),
      address: '**/api/admin/notifications',
      done: ['Success', `Sent to ${name}.`],
      failed: 'Action failed',
      after: () => notify.waitFor({ state: 'hidden' }),
    },
    ...moneyActions(page, hand, ['900', '610']),
    {
      ...gone,
      address: '**/api/admin/loans/*',
      done: ['Success', `Loan ${deleted} deleted.`],
      failed: 'Delete failed',
    },
  ]);
});

/** Withdrawals of ₱1,000.00 and so on: the first to the account of the profile, the others to another one. */
async function withdrawals(toProfile: number, elsewhere: number) {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 50_000);
  const { bankName, bankAccountNumber } = fullProfile;
  const numbers: string[] = [];
  for (let count = 0; count < toProfile + elsewhere; count += 1) {
    const otp = await server.setCode(borrower.id);
    const bank =
      count < toProfile ? { bankName, bankAccountNumber } : { bankName: 'Bank Z', bankAccountNumber };
    const body = { amount: 1_000 + count, ...bank, otp };
    numbers.push((await borrower.requestWithdrawal(body)).withdrawalNumber);
  }
  return numbers;
}

it.each(sent(everybody, 0))('withdrawal list: $role admin with the $with', async (worker) => {
  const numbers = await withdrawals(3, 2);
  const { page, hand } = await visit('withdrawal', worker);
  const row = (index: number) => rowOf(page, numbers[index] ?? '');
  const sheet = dialogOf(page, 'Withdrawal Details');
  const open = (index: number) => () => hand.pressIn(row(index), 'Details');
  const fromSheet = (index: number, press: string) => ({
    begin: open(index),
    finish: () => hand.press(button(sheet, press)),
    after: () => sheet.waitFor({ state: 'hidden' }),
  });
  const address = '**/api/admin/withdrawals/*';
  const failed = 'Action failed';
  const approved = (index: number): Action['done'] => [
    'Withdrawal approved',
    `${numbers[index]}: ₱1,00${index}.00 marked as sent.`,
  ];
  const rejected = (index: number): Action['done'] => [
    'Success',
    `${numbers[index]} was rejected, and ₱1,00${index}.00 is back in ${name}’s wallet.`,
  ];
  await doAll(page, worker, [
    {
      begin: () => hand.pressIn(row(0), 'Approve'),
      again: () => hand.pressIn(row(0), 'Approve'),
      finish: () => hand.press(button(page.getByRole('dialog'), 'Approve')),
      address,
      done: approved(0),
      failed,
    },
    {
      ...asked(page, hand, () => hand.pressIn(row(1), 'Reject'), 'Reject'),
      address,
      done: rejected(1),
      failed,
    },
    { ...fromSheet(2, 'Approve'), address, done: approved(2), failed },
    { ...fromSheet(3, 'Process'), address, done: ['Success', `${numbers[3]} marked as sent.`], failed },
    {
      ...asked(page, hand, () => hand.press(button(sheet, 'Reject')), 'Reject'),
      begin: async () => {
        await open(4)();
        await hand.press(button(sheet, 'Reject'));
      },
      address,
      done: rejected(4),
      failed,
      after: () => sheet.waitFor({ state: 'hidden' }),
    },
  ]);
});

it.each(sent(mainAdmins, 1))('settings: $role admin with the $with', async (worker) => {
  await server.createAdmin({ fullName: 'Ligaya Ramos' });
  const { page, hand } = await visit('settings', worker);
  const adding = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Add New Admin' }) });
  const form = dialogOf(page, 'Edit admin account');
  const row = rowOf(page, 'Ligaya Ramos');
  const ip = rowOf(page, '203.0.113.7');
  const gone = asked(page, hand, () => hand.press(button(row, 'Delete')), 'Delete');
  const removed = asked(page, hand, () => hand.press(button(ip, 'Remove')), 'Remove');
  await doAll(page, worker, [
    {
      begin: async () => {
        await hand.type(field(adding, 'Email'), 'tala@example.com');
        await hand.type(adding.getByLabel('Password', { exact: true }), 'bangka sa dagat');
      },
      finish: () => hand.press(button(adding, 'Add admin')),
      address: '**/api/admin/create-admin',
      done: ['Admin Created', 'tala@example.com can sign in now.'],
      failed: 'Creation failed',
    },
    {
      begin: async () => {
        await hand.press(button(row, 'Edit'));
        await hand.type(field(form, 'Email'), 'ramos@example.com');
      },
      finish: () => hand.press(button(form, 'Save')),
      address: oneMember,
      done: ['Success', 'Ligaya Ramos’s account was updated.'],
      failed: 'Update failed',
      after: () => form.waitFor({ state: 'hidden' }),
    },
    {
      ...gone,
      address: oneMember,
      done: ['Success', 'Ligaya Ramos is no longer an admin.'],
      failed: 'Delete Failed',
    },
    {
      begin: () => hand.type(field(page, 'IP address'), '203.0.113.7'),
      finish: () => hand.press(button(page, 'Add IP')),
      address: '**/api/admin/allowed-ips',
      done: ['IP Added', '203.0.113.7 is allowed.'],
      failed: 'Addition failed',
      after: () => ip.waitFor(),
    },
    {
      ...removed,
      address: '**/api/admin/allowed-ips/*',
      done: ['IP Removed', '203.0.113.7 is no longer allowed.'],
      failed: 'Removal failed',
    },
  ]);
});
