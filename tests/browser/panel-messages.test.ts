import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageState } from '#domain/message.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { holdMessages } from '#server/store/message-store.ts';
import { messageGates, messages } from '#server/store/schema.ts';
import { apply } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { confirmAll, messaging, rowsOf, sendAll, writtenMessages } from '#tests/setup/outbox.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { panelPage } from './panel-page.ts';
import { button, expectToast, field, opened } from './screen.ts';
import {
  answer,
  details,
  expectPanelFits,
  expectReadable,
  exportCsv,
  questionOf,
  rowOf,
  settledAdmin,
} from './staff.ts';

/** Stands still at the present, where the browser's is: only a borrower's past is older. */
const clock = createTestClock();
const { server, visit } = await panelPage('messages', {
  config: { ...messaging(), lender: { ...sampleLender, messages: { codes: 'sms' } } },
  deps: { clock },
});
beforeEach(() => clock.set(new Date()));

const name = 'Maria Clara Santos';
const filter = (page: Page, label: string) => field(page, label);

/** A borrower who has a message in each of these states. */
async function told(...states: MessageState[]): Promise<TestBorrower> {
  const borrower = await server.verifiedBorrower();
  await confirmAll(server, borrower);
  for (const state of states) {
    await server.main.notifyMember({ userId: borrower.id, title: 'News', message: 'Words', alsoSend: true });
    const reason = state === 'failed' ? 'refused 422' : 'no_answer';
    const newest = (await rowsOf(server)).at(-1)?.id ?? 0;
    await server.database.transaction((tx) =>
      tx.update(messages).set({ state, reason, tries: 1 }).where(eq(messages.id, newest)),
    );
  }
  return borrower;
}

const states = async () => (await rowsOf(server)).filter(({ kind }) => kind === 'loan_update');

describe('messages', () => {
  it('are listed with what became of them, filtered and exported', async () => {
    await told('failed', 'unknown');
    const page = await visit();
    await rowOf(page, 'the gateway refused it (422)').waitFor();
    expect(await rowOf(page, 'Confirmation code').count()).toBe(2);
    await filter(page, 'State').selectOption('Failed');
    await soon(() => page.locator('[data-row-id]').count()).toBe(1);
    await filter(page, 'State').selectOption('');
    await filter(page, 'Channel').selectOption('E-mail');
    await soon(() => page.locator('[data-row-id]').count()).toBe(1);
    await filter(page, 'Channel').selectOption('');
    await filter(page, 'Kind').selectOption('Message of staff');
    await soon(() => page.locator('[data-row-id]').count()).toBe(2);
    await filter(page, 'Person').fill('nobody of that name');
    await soon(() => page.locator('[data-row-id]').count()).toBe(0);
    await filter(page, 'Person').fill('maria');
    await filter(page, 'From').fill('2020-01-01');
    await filter(page, 'To').fill('2020-01-02');
    await soon(() => page.locator('[data-row-id]').count()).toBe(0);
    await filter(page, 'To').fill('');
    await soon(() => page.locator('[data-row-id]').count()).toBe(2);
    const { name: file, lines } = await exportCsv(page);
    expect(file).toBe('messages.csv');
    expect(lines[0]?.match(/[\w ]+/g)).toEqual([
      'When',
      'To whom',
      'Address',
      'Channel',
      'Kind',
      'State',
      'Reason',
      'Tries',
    ]);
    await rowOf(page, 'refused it').click();
    await details(page)
      .getByText('The gateway did not take it, or could not deliver it. It is not sent again automatically.')
      .waitFor();
    await expectPanelFits(page);
    await expectReadable(page);
    await details(page).getByRole('link', { name: 'Open member' }).click();
    await details(page).getByText('Messages outside the app').waitFor();
  });

  it('go out again by one press where they failed, and after a question where they may have arrived', async () => {
    await told('failed', 'unknown');
    const page = await visit();
    await button(rowOf(page, 'refused it'), 'Send again').click();
    await expectToast(page, 'Success', 'The message waits to be sent.');
    await rowOf(page, 'Waiting').waitFor();
    await button(rowOf(page, 'did not answer'), 'Send again').click();
    await questionOf(page).getByText('It may have arrived.').waitFor();
    await answer(page, 'Send again');
    await soon(() => rowOf(page, 'Waiting').count()).toBe(2);
    const before = writtenMessages(server).length;
    await sendAll(server);
    expect(writtenMessages(server).length - before).toBe(2);
    expect((await states()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    // A code is asked for anew.
    expect(await button(rowOf(page, 'Confirmation code').first(), 'Send again').count()).toBe(0);
  });

  it('of a restored book wait for the word of the main admin', async () => {
    await told('queued', 'queued');
    await server.database.transaction((tx) => holdMessages(tx, new Date()));
    const clerk = await visit({ token: (await settledAdmin(server)).token });
    await clerk.getByText('The main admin decides about it.').waitFor();
    expect(await button(clerk, 'Send what waits').count()).toBe(0);
    const page = await visit();
    await page.getByText('2 messages wait for your decision').waitFor();
    await button(page, 'Cancel what waits').click();
    await questionOf(page).getByText('2 messages are never sent.').waitFor();
    await button(questionOf(page), 'Cancel').click();
    await button(page, 'Send what waits').click();
    await answer(page, 'Send what waits');
    await expectToast(page, 'Success', '2 messages go out.');
    await soon(() => button(page, 'Send what waits').count()).toBe(0);
    await sendAll(server);
    expect((await states()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });
});

describe('Today', () => {
  it('says what failed and which channel is paused, and leads there', async () => {
    await told('failed', 'queued');
    const paused = { closedAt: new Date(), reason: 'balance_empty 402' };
    await server.database.transaction((tx) =>
      tx
        .insert(messageGates)
        .values({ name: 'sms', ...paused })
        .onConflictDoUpdate({ target: messageGates.name, set: paused }),
    );
    const page = await visit({ path: 'today' });
    await page.getByText('SMS is paused: the balance at the gateway is used up (402).').waitFor();
    await page.getByRole('link', { name: '1 message failed in the last 7 days' }).click();
    await page.waitForURL(/\/management\/messages\?.*status=failed/);
    await rowOf(page, 'the gateway refused it (422)').waitFor();
    await soon(() => page.locator('[data-row-id]').count()).toBe(1);
    await page.getByText('SMS is paused').waitFor();
  });
});

describe('a member', () => {
  it('whose phone staff saw work is confirmed by who did not change it, and told', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await visit({ path: `members?open=${borrower.id}` });
    const panel = details(page);
    await panel.getByText('Messages outside the app').waitFor();
    await button(panel, 'Confirm phone').click();
    await questionOf(page).getByText(`is in the hands of ${name}`).waitFor();
    await answer(page, 'Confirm phone');
    await expectToast(page, 'Success', 'The phone gets messages from now on.');
    await panel.getByText(/^Confirmed by staff/).waitFor();
    await panel.getByText('Phone confirmed by staff').waitFor();
    await expectPanelFits(page);
  });

  it('whose codes are texted has one without anybody reading it', async () => {
    clock.advance({ days: -3 });
    const borrower = await told();
    clock.set(new Date());
    await server.fund(borrower.id, 20_000);
    const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };
    await borrower.sendTextCode({ password: borrower.password, amount: 1_000, ...bank });
    const page = await visit({ path: `members?open=${borrower.id}` });
    await details(page).getByText('texted to the borrower').waitFor();
    expect(await button(details(page), 'Show the OTP code').count()).toBe(0);
    await button(details(page), 'Set the OTP code').click();
    await details(page).getByText('Where the member’s codes are texted, so is this one').waitFor();
    await field(details(page), 'New OTP code').fill('731904');
    await button(details(page), 'Save code').click();
    await expectToast(page, 'OTP Code Updated', 'It was texted to the member: nobody has to read it out.');
  });
});

describe('staff', () => {
  it('choose to tell the borrower outside the app that they wrote', async () => {
    const borrower = await told();
    const loan = await apply(server, borrower);
    const page = await visit({ path: 'borrowing' });
    const dialog = await opened(button(rowOf(page, loan.loanNumber), 'Notify'), 'Notify');
    await field(dialog, 'Message').fill('Please call us.');
    await dialog.getByRole('checkbox', { name: /^Also by text or e-mail/ }).check();
    await button(dialog, 'Send').click();
    await expectToast(page, 'Success', `Sent to ${name}.`);
    expect((await states()).map(({ channel }) => channel)).toEqual(['sms']);
  });

  it('see in Settings which channels are set up, and the main admin tries one', async () => {
    const page = await visit({ path: 'settings', expects: [/status of 409/] });
    await page.getByRole('heading', { name: 'Text messages and e-mail' }).waitFor();
    await soon(() => page.getByText('Into a file, to try out').count()).toBe(2);
    await field(page, 'Send to').fill('12345');
    await button(page, 'Send trial').click();
    await expectToast(page, 'Action failed', 'Only a Philippine mobile number gets text messages');
    await field(page, 'Send to').fill('0917 555 0000');
    await button(page, 'Send trial').click();
    await expectToast(page, 'Success', /^The trial message waits/);
    await sendAll(server);
    expect(writtenMessages(server).at(-1)).toMatchObject({ to: '+639175550000' });
    await expectPanelFits(page);
  });
});
