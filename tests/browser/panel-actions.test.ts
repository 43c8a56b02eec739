import type { Locator, Page } from 'playwright-core';
import { it } from 'vitest';
import { applicant, apply, withdraw } from '#tests/api/lending.ts';
import { photo } from '#tests/setup/photo.ts';
import { picturesDir } from '#tests/setup/pictures.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { type Hand, handOf } from './hands.ts';
import { breakDown, button, dialogOf, expectToast, field } from './screen.ts';
import { details, expectReadable, newMember, openPanel, questionOf, rowOf, settledAdmin } from './staff.ts';

/**
 * Everything staff can do on each page of the panel, as the main admin and as an ordinary one, with the mouse and with
 * nothing but the keyboard: each action is refused first, which is told and loses nothing, and then goes through.
 */
const { server, browser } = await listeningServer();

const name = 'Maria Clara Santos';
const refusal = 'Out of reach.';

type Steps = {
  /** Leads up to the last press. */
  begin?: () => Promise<unknown>;
  /** The same after a refusal, where that closed something: a question is asked anew. A form stays as it was. */
  again?: () => Promise<unknown>;
  finish: () => Promise<unknown>;
  /** Closes what is still open. */
  after?: () => Promise<unknown>;
};

type Done = [title: string, description?: string];

type Action = ReturnType<typeof refusedFirst>;

/** `address` is called, and refused at first. */
const refusedFirst = (address: string, failed: string, done: Done, steps: Steps) => ({
  address,
  failed,
  done,
  ...steps,
});

type Worker = { role: 'main' | 'ordinary'; with: 'mouse' | 'keyboard' };
/** `looks`: at what an action opens, once for all of them. */
type Sent = Worker & { looks: boolean };

/**
 * Nobody's rights depend on how they press a button: each role and each kind of input once for every action.
 */
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
  return refusedFirst(oneMember, 'Update failed', ['Success', `₱${before}.00 → ₱${after}.00`], {
    begin: async () => {
      await hand.press(button(panel, 'Adjust the balance'));
      await hand.type(field(panel, 'New balance'), after);
      await changeBalance();
    },
    again: changeBalance,
    finish: () => hand.press(button(questionOf(page), 'Change balance')),
  });
}

/** A member's balance, score and code, changed in the details. */
function moneyActions(page: Page, hand: Hand, [balance, score]: [string, string]): Action[] {
  const panel = details(page);
  return [
    balanceAction(page, hand, '0', balance),
    refusedFirst(oneMember, 'Update failed', ['Success', `500 → ${score}`], {
      begin: async () => {
        await hand.press(button(panel, 'Edit the credit score'));
        await hand.type(panel.getByRole('spinbutton', { name: 'New credit score' }), score);
      },
      finish: () => hand.press(button(panel, 'Save score')),
    }),
    refusedFirst(oneMember, 'Update failed', ['OTP Code Updated'], {
      begin: async () => {
        await hand.press(button(panel, 'Set the OTP code'));
        await hand.type(field(panel, 'New OTP code'), '482913');
      },
      finish: () => hand.press(button(panel, 'Save code')),
    }),
  ];
}

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
    refusedFirst(oneMember, 'Update failed', ['Member updated'], {
      begin: async () => {
        await hand.pressIn(row, 'Edit');
        await hand.type(field(form, 'Country of work'), 'Singapore');
      },
      finish: () => hand.press(button(form, 'Save')),
      after: () => form.waitFor({ state: 'hidden' }),
    }),
    refusedFirst(oneMember, 'Action failed', ['Success', `${name} is active.`], {
      finish: () => hand.pressIn(row, 'Activate'),
    }),
    refusedFirst(
      oneMember,
      'Action failed',
      ['Success', `${name} is suspended and signed out.`],
      asked(page, hand, () => hand.pressIn(row, 'Deactivate'), 'Deactivate'),
    ),
    refusedFirst('**/api/upload', 'Upload failed', ['Document uploaded'], {
      begin: () => hand.pressIn(row, 'Documents'),
      finish: () => field(documents, 'Front of ID').setInputFiles(picture),
      after: async () => {
        await hand.press(button(documents, 'View the front'));
        const large = dialogOf(page, 'Front of ID');
        await large.waitFor();
        if (worker.looks) await expectReadable(page);
        await close(large);
        await close(documents);
      },
    }),
    ...moneyActions(page, hand, ['700', '640']),
    refusedFirst(oneMember, 'Update failed', ['Password Updated'], {
      begin: async () => {
        await hand.press(button(panel, 'Set the password'));
        await hand.type(field(panel, 'New password'), 'pahiram ng susi');
      },
      finish: () => hand.press(button(panel, 'Save password')),
    }),
    // Nobody is deleted while the wallet holds money.
    balanceAction(page, hand, '700', '0'),
    refusedFirst(oneMember, 'Delete failed', ['Member deleted'], gone),
    refusedFirst('**/api/auth/register', 'Creation failed', ['Member created'], {
      begin: async () => {
        await hand.press(button(page, 'Add member'));
        for (const [label, value] of Object.entries(newMember)) await hand.type(field(added, label), value);
      },
      finish: () => hand.press(button(added, 'Save')),
      after: async () => {
        const issued = dialogOf(page, 'The new member’s password');
        await issued.waitFor();
        if (worker.looks) await expectReadable(page);
        await hand.press(button(issued, 'Done'));
        await rowOf(page, 'Tala Bautista').waitFor();
      },
    }),
  ]);
});

it.each(sent(everybody, 1))('borrowing list: $role admin with the $with', async (worker) => {
  const { borrower, loan } = await applicant(server);
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
    refusedFirst('**/api/admin/loans/*', 'Update failed', ['Success', `Loan ${loan.loanNumber}: Approved.`], {
      begin: async () => {
        await hand.pressIn(row, 'Update status');
        await hand.pick(status.getByRole('radio', { name: 'Approved' }));
      },
      finish: () => hand.press(button(status, 'Save')),
      after: () => status.waitFor({ state: 'hidden' }),
    }),
    refusedFirst(
      '**/api/admin/loans/*',
      'Update failed',
      ['Success', `Loan ${loan.loanNumber} is now ₱26,000.00 a month.`],
      {
        begin: async () => {
          await hand.pressIn(row, 'Edit loan');
          await hand.type(field(terms, 'Amount'), '240000');
        },
        finish: () => hand.press(button(terms, 'Save')),
        after: async () => {
          await terms.waitFor({ state: 'hidden' });
          // No loan is paid out on terms that its borrower has not agreed to.
          await borrower.acceptContract(loan.id, { version: 2 });
        },
      },
    ),
    refusedFirst('**/api/admin/notifications', 'Action failed', ['Success', `Sent to ${name}.`], {
      begin: async () => {
        await hand.pressIn(row, 'Notify');
        await hand.type(field(notify, 'Message'), 'Please bring your payslip.');
      },
      finish: () => hand.press(button(notify, 'Send')),
      after: () => notify.waitFor({ state: 'hidden' }),
    }),
    ...moneyActions(page, hand, ['900', '610']),
    refusedFirst('**/api/admin/loans/*', 'Delete failed', ['Success', `Loan ${deleted} deleted.`], gone),
  ]);
});

/** Withdrawals of ₱1,000.00 and so on: the first to the account of the profile, the others to another one. */
async function withdrawals(toProfile: number, elsewhere: number) {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 50_000);
  const numbers: string[] = [];
  for (let count = 0; count < toProfile + elsewhere; count += 1) {
    const bank = count < toProfile ? {} : { bankName: 'Bank Z' };
    numbers.push((await withdraw(server, borrower, 1_000 + count, bank)).withdrawalNumber);
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
  const approved = (index: number): Done => [
    'Withdrawal approved',
    `${numbers[index]}: ₱1,00${index}.00 marked as sent.`,
  ];
  const rejected = (index: number): Done => [
    'Success',
    `${numbers[index]} was rejected, and ₱1,00${index}.00 is back in ${name}’s wallet.`,
  ];
  await doAll(page, worker, [
    refusedFirst(address, failed, approved(0), {
      begin: () => hand.pressIn(row(0), 'Approve'),
      again: () => hand.pressIn(row(0), 'Approve'),
      finish: () => hand.press(button(page.getByRole('dialog'), 'Approve')),
    }),
    refusedFirst(
      address,
      failed,
      rejected(1),
      asked(page, hand, () => hand.pressIn(row(1), 'Reject'), 'Reject'),
    ),
    refusedFirst(address, failed, approved(2), fromSheet(2, 'Approve')),
    refusedFirst(address, failed, ['Success', `${numbers[3]} marked as sent.`], fromSheet(3, 'Process')),
    refusedFirst(address, failed, rejected(4), {
      ...asked(page, hand, () => hand.press(button(sheet, 'Reject')), 'Reject'),
      begin: async () => {
        await open(4)();
        await hand.press(button(sheet, 'Reject'));
      },
      after: () => sheet.waitFor({ state: 'hidden' }),
    }),
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
    refusedFirst(
      '**/api/admin/create-admin',
      'Creation failed',
      ['Admin Created', 'tala@example.com can sign in now.'],
      {
        begin: async () => {
          await hand.type(field(adding, 'Email'), 'tala@example.com');
          await hand.type(field(adding, 'Password'), 'bangka sa dagat');
        },
        finish: () => hand.press(button(adding, 'Add admin')),
      },
    ),
    refusedFirst(oneMember, 'Update failed', ['Success', 'Ligaya Ramos’s account was updated.'], {
      begin: async () => {
        await hand.press(button(row, 'Edit'));
        await hand.type(field(form, 'Email'), 'ramos@example.com');
      },
      finish: () => hand.press(button(form, 'Save')),
      after: () => form.waitFor({ state: 'hidden' }),
    }),
    refusedFirst(oneMember, 'Delete Failed', ['Success', 'Ligaya Ramos is no longer an admin.'], gone),
    refusedFirst('**/api/admin/allowed-ips', 'Addition failed', ['IP Added', '203.0.113.7 is allowed.'], {
      begin: () => hand.type(field(page, 'IP address'), '203.0.113.7'),
      finish: () => hand.press(button(page, 'Add IP')),
      after: () => ip.waitFor(),
    }),
    refusedFirst(
      '**/api/admin/allowed-ips/*',
      'Removal failed',
      ['IP Removed', '203.0.113.7 is no longer allowed.'],
      removed,
    ),
  ]);
});
