import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { outboxFile } from '#server/platform/gateways/file-gateway.ts';
import { putMessage } from '#server/services/outbox-service.ts';
import { makeReminders } from '#server/services/reminder-service.ts';
import { holdMessages } from '#server/store/message-store.ts';
import { messageGates, messages } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { confirmAll, messaging, rowsOf, sendAll, writtenMessages } from '#tests/setup/outbox.ts';
import { type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { disbursedLoan } from './lending.ts';

const server = await testServer({ config: messaging() });

const texts = () => writtenMessages(server).filter(({ channel }) => channel === 'sms');
/** Returns the messages written since then, as `channel: words`. */
async function newMessages(before: number): Promise<string[]> {
  await sendAll(server);
  return writtenMessages(server)
    .slice(before)
    .map(({ channel, text }) => `${channel}: ${text.replace(/^Hiram: /, '').split('\n')[0]}`);
}

const reachable = server.built(async (): Promise<TestBorrower> => {
  const borrower = await server.verifiedBorrower();
  await confirmAll(server, borrower);
  return borrower;
});

const stateOf = async (kind: string) =>
  (await rowsOf(server)).filter((row) => row.kind === kind).map(({ state, reason }) => [state, reason]);

describe('a message', () => {
  it('is written with its deed, and not where that is rolled back', async () => {
    const borrower = await reachable();
    const before = (await rowsOf(server)).length;
    await refused(
      server.main.updateMember(borrower.id, { balance: 500, phone: 'admin' }),
      409,
      'phone_taken',
    ).catch(() => undefined);
    const doomed = server.database.transaction(async (tx) => {
      await putMessage(
        { deps: server.deps, tx },
        {
          kind: 'loan_paid_off',
          channel: 'sms',
          account: { id: borrower.id, language: 'en' },
          address: '+639171234567',
        },
      );
      throw new Error('rolled back');
    });
    await expect(doomed).rejects.toThrow('rolled back');
    expect(await rowsOf(server)).toHaveLength(before);
  });

  it('goes to both confirmed addresses where it is about money or access, and to the phone where it is news', async () => {
    const borrower = await reachable();
    const before = writtenMessages(server).length;
    await server.fund(borrower.id, 1_000);
    await borrower.changePassword({ currentPassword: borrower.password, newPassword: 'another password' });
    await server.main.notifyMember({
      userId: borrower.id,
      title: 'Secret',
      message: 'Words of staff',
      alsoSend: true,
    });
    await server.main.notifyMember({ userId: borrower.id, title: 'Secret', message: 'Words of staff' });
    const told = await newMessages(before);
    expect(told.toSorted()).toEqual([
      'email: PHP 1,000.00 was added to your wallet. Open the app. Questions? Call +63 900 000 0000.',
      'email: Your password was changed. Not you? Call +63 900 000 0000 at once.',
      'sms: PHP 1,000.00 was added to your wallet. Open the app. Questions? Call +63 900 000 0000.',
      'sms: You have a new message. Open the app.',
      'sms: Your password was changed. Not you? Call +63 900 000 0000 at once.',
    ]);
    expect(JSON.stringify(await rowsOf(server))).not.toMatch(/Words of staff|Secret/);
  });

  it('goes to nobody who has confirmed nothing', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 1_000);
    expect(await rowsOf(server)).toEqual([]);
  });

  it('is not sent where the borrower declined it', async () => {
    const borrower = await reachable();
    await borrower.updateContact({ wants: { news: false } });
    await server.main.notifyMember({
      userId: borrower.id,
      title: 'News',
      message: 'Something',
      alsoSend: true,
    });
    await sendAll(server);
    expect(await stateOf('loan_update')).toEqual([['cancelled', 'declined']]);
  });

  it('of news goes ten times a day, and money always', async () => {
    const borrower = await reachable();
    await server.database.transaction(async (tx) => {
      const account = { id: borrower.id, language: 'en' as const };
      for (let count = 0; count < 12; count += 1)
        await putMessage(
          { deps: server.deps, tx },
          { kind: 'complaint_answered', channel: 'sms', account, address: '+639171234567' },
        );
    });
    await server.fund(borrower.id, 1_000);
    await sendAll(server);
    const states = (await stateOf('complaint_answered')).map(([state]) => state);
    expect(states.filter((state) => state === 'sent')).toHaveLength(limits.messagesPerDay);
    expect((await stateOf('complaint_answered')).at(-1)).toEqual(['cancelled', 'day_limit']);
    expect((await stateOf('balance_changed')).map(([state]) => state)).toEqual(['sent', 'sent']);
  });

  it('is in the language of the account’s last request that named one', async () => {
    const borrower = await reachable();
    await server.as(borrower.token).readContact({ headers: { 'content-language': 'fil' } });
    await borrower.readContact();
    await server.fund(borrower.id, 1_000);
    await sendAll(server);
    expect(texts().at(-1)?.text).toContain('Nadagdagan ng PHP 1,000.00 ang wallet mo.');
  });

  it('is written into a file that only its owner reads', async () => {
    await reachable();
    const file = path.join(server.dataDir, outboxFile);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  });
});

describe('an account that is closed', () => {
  it('gets its last message, and nothing that waited', async () => {
    const borrower = await server.registerBorrower({ email: 'gone@example.com' });
    await confirmAll(server, borrower);
    await server.main.notifyMember({
      userId: borrower.id,
      title: 'News',
      message: 'Something',
      alsoSend: true,
    });
    const before = writtenMessages(server).length;
    await server.main.deleteUser(borrower.id);
    expect(await stateOf('loan_update')).toEqual([['cancelled', 'closed']]);
    const told = await newMessages(before);
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('Your account was closed.');
    const rows = await rowsOf(server);
    expect(rows.map(({ addressSealed }) => addressSealed)).toEqual(rows.map(() => null));
    expect(rows.filter(({ details }) => details !== null)).toEqual([]);
  });

  it('keeps an address sealed for a day at most', async () => {
    const borrower = await reachable();
    await server.main.updateMember(borrower.id, { phone: '09998887777' });
    const sealed = (await rowsOf(server)).filter(({ addressSealed }) => addressSealed !== null);
    expect(sealed).toHaveLength(1);
    expect(JSON.stringify(sealed)).not.toContain(borrower.phone.slice(1));
    server.clock.advance({ hours: 24, minutes: 1 });
    const before = texts().length;
    await sendAll(server);
    expect(texts()).toHaveLength(before);
    expect((await rowsOf(server)).filter(({ addressSealed }) => addressSealed !== null)).toEqual([]);
  });
});

describe('a recycled number', () => {
  it('gets nothing that was meant for the one who had it before', async () => {
    const borrower = await reachable();
    await server.main.updateMember(borrower.id, { phone: '09998887777' });
    await server.registerBorrower({ phone: borrower.phone });
    const before = texts().length;
    await sendAll(server);
    expect(texts().slice(before)).toEqual([]);
    const [row] = (await rowsOf(server)).filter(
      ({ kind, channel }) => kind === 'phone_changed' && channel === 'sms',
    );
    expect(row).toMatchObject({ state: 'cancelled', reason: 'not_confirmed', addressSealed: null });
  });
});

describe('a restored book', () => {
  it('sends nothing until the main admin says so', async () => {
    const borrower = await reachable();
    await server.fund(borrower.id, 1_000);
    await server.database.transaction((tx) => holdMessages(tx, server.deps.clock.now()));
    await server.fund(borrower.id, 2_000);
    const before = writtenMessages(server).length;
    expect(await newMessages(before)).toEqual([]);
    expect((await stateOf('balance_changed')).map(([state]) => state)).toEqual([
      'held',
      'held',
      'held',
      'held',
    ]);
    expect((await server.main.readToday()).pausedChannels).toMatchObject([
      { channel: 'book', reason: 'restored' },
    ]);
    const staff = await server.createAdmin();
    await refused(staff.decideHeld({ decision: 'send' }), 403, 'main_admin_only');
    expect(await server.main.decideHeld({ decision: 'send' })).toEqual({ messages: 4 });
    expect(await newMessages(before)).toHaveLength(4);
    await server.fund(borrower.id, 3_000);
    expect(await newMessages(before)).toHaveLength(6);
  });

  it('forgets what waited where the main admin cancels it, and what was being sent is unknown', async () => {
    const borrower = await reachable();
    await server.fund(borrower.id, 1_000);
    const [first] = (await rowsOf(server)).filter(({ kind }) => kind === 'balance_changed');
    await server.database.transaction(async (tx) => {
      await tx
        .update(messages)
        .set({ state: 'sending' })
        .where(eq(messages.id, first?.id ?? 0));
      await holdMessages(tx, server.deps.clock.now());
    });
    await server.main.decideHeld({ decision: 'cancel' });
    await sendAll(server);
    expect(await stateOf('balance_changed')).toEqual([
      ['unknown', 'restored'],
      ['cancelled', 'restored'],
    ]);
  });
});

describe('staff', () => {
  it('see what was sent, masked, by every filter', async () => {
    const borrower = await reachable();
    await server.fund(borrower.id, 1_000);
    await sendAll(server);
    const all = await server.main.listMessages();
    expect(all[0]).toEqual({
      id: expect.any(Number),
      at: server.clock.now().toISOString(),
      userId: borrower.id,
      fullName: 'Maria Clara Santos',
      sentTo: 'm•••@example.com',
      channel: 'email',
      kind: 'balance_changed',
      state: 'sent',
      reason: null,
      tries: 1,
    });
    const count = async (query: Record<string, string>) => (await server.main.listMessages(query)).length;
    expect(await count({ kind: 'confirmation' })).toBe(2);
    expect(await count({ channel: 'sms' })).toBe(2);
    expect(await count({ state: 'failed' })).toBe(0);
    expect(await count({ state: 'made up', from: 'yesterday' })).toBe(0);
    expect(await count({ userId: String(borrower.id), limit: '3' })).toBe(3);
    expect(await count({ from: '2026-03-10', to: '2026-03-10' })).toBe(4);
    expect(await count({ from: '2026-03-11' })).toBe(0);
    expect(JSON.stringify(all)).not.toContain(borrower.phone.slice(1));
  });

  it('send again what failed or is unknown, three times, and never a code', async () => {
    const borrower = await reachable();
    await server.fund(borrower.id, 1_000);
    await sendAll(server);
    const rows = await rowsOf(server);
    const [code, money] = [rows[0], rows.at(-1)];
    const set = (id: number | undefined, state: 'unknown' | 'failed') =>
      server.database.transaction((tx) =>
        tx
          .update(messages)
          .set({ state })
          .where(eq(messages.id, id ?? 0)),
      );
    await refused(server.main.sendAgain(money?.id ?? 0), 409, 'not_repeatable');
    await set(code?.id, 'failed');
    await refused(server.main.sendAgain(code?.id ?? 0), 409, 'not_repeatable');
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await set(money?.id, repeat === 0 ? 'unknown' : 'failed');
      expect(await server.main.sendAgain(money?.id ?? 0)).toMatchObject({ state: 'queued' });
      await sendAll(server);
    }
    await set(money?.id, 'failed');
    await refused(server.main.sendAgain(money?.id ?? 0), 409, 'not_repeatable');
    expect((await server.main.readToday()).waiting.messagesFailed).toBe(2);
  });
});

describe('what a killed process left', () => {
  it('is unknown after two minutes, and not sent again', async () => {
    const borrower = await reachable();
    await server.fund(borrower.id, 1_000);
    await server.database.transaction((tx) =>
      tx
        .update(messages)
        .set({ state: 'sending', claimedAt: server.deps.clock.now(), tries: 1 })
        .where(eq(messages.kind, 'balance_changed')),
    );
    server.clock.advance({ minutes: 2, seconds: 1 });
    const before = writtenMessages(server).length;
    expect(await newMessages(before)).toEqual([]);
    expect(await stateOf('balance_changed')).toEqual([
      ['unknown', 'process_ended'],
      ['unknown', 'process_ended'],
    ]);
  });
});

describe('reminders', () => {
  // Noon of 10 March. A loan’s first instalment is due two months after its release.
  const released = { today: '2026-01-10', inThreeDays: '2026-01-13', threeDaysAgo: '2026-01-07' };

  /** The day's reminders are made anew: while the borrowers were prepared, those of the day were made already. */
  const beginDay = () =>
    server.database.transaction((tx) => tx.delete(messageGates).where(eq(messageGates.name, 'reminders')));

  const reminded = async () =>
    (await rowsOf(server))
      .filter(({ remindOn }) => remindOn !== null)
      .map(({ kind, state, reason, channel }) => [kind, state, reason, channel]);

  it.each([
    [
      'due_in',
      released.inThreeDays,
      'PHP 16,250.00 on your loan is due on 13 Mar 2026. Open the app to see how to pay.',
    ],
    ['due_today', released.today, 'PHP 16,250.00 on your loan is due today. Open the app to see how to pay.'],
    [
      'overdue',
      released.threeDaysAgo,
      'PHP 16,250.00 on your loan was due by 7 Mar 2026. Open the app to pay. Already paid or need help? Call +63 900 000 0000.',
    ],
  ])('%s says what is left', async (kind, date, words) => {
    const borrower = await reachable();
    await disbursedLoan(server, borrower, { date });
    await beginDay();
    await sendAll(server);
    expect(texts().map(({ text }) => text)).toContain(`Hiram: ${words}`);
    expect(await reminded()).toEqual([[kind, 'sent', null, 'sms']]);
  });

  it('are one text a borrower and day, however often and whenever a process starts', async () => {
    const borrower = await reachable();
    for (const date of [released.threeDaysAgo, released.threeDaysAgo, released.today])
      await disbursedLoan(server, borrower, { date });
    await beginDay();
    const before = texts().length;
    await sendAll(server);
    await beginDay();
    await Promise.all([makeReminders(server.deps), makeReminders(server.deps)]);
    server.clock.advance({ hours: -1 });
    await beginDay();
    await sendAll(server);
    const sent = texts()
      .slice(before)
      .filter(({ text }) => text.includes(' was due '));
    expect(sent.map(({ text }) => text)).toEqual([
      'Hiram: PHP 32,500.00 on your 2 loans was due by 7 Mar 2026. Open the app to pay. Already paid or need help? Call +63 900 000 0000.',
    ]);
    expect((await reminded()).map(([kind, state, reason]) => [kind, state, reason])).toEqual([
      ['overdue', 'sent', null],
      ['overdue', 'cancelled', 'merged'],
      ['due_today', 'cancelled', 'merged'],
    ]);
  });

  it('are made within the hours alone', async () => {
    const borrower = await reachable();
    await disbursedLoan(server, borrower, { date: released.today });
    await beginDay();
    server.clock.set('2026-03-10T07:59:00+08:00');
    expect(await makeReminders(server.deps)).toBe(0);
    server.clock.set('2026-03-10T20:00:00+08:00');
    expect(await makeReminders(server.deps)).toBe(0);
    server.clock.set('2026-03-10T08:00:00+08:00');
    expect(await makeReminders(server.deps)).toBe(1);
    // It was not sent until the hours were over.
    server.clock.set('2026-03-10T20:00:00+08:00');
    await sendAll(server);
    expect(await reminded()).toEqual([['due_today', 'cancelled', 'too_late', 'sms']]);
  });

  it.each<[string, (borrower: TestBorrower, loanId: number) => Promise<unknown>, string]>([
    ['paid', (_, loanId) => server.main.recordPayment(loanId, { amount: '16250', channel: 'cash' }), 'paid'],
    [
      'deferred',
      (_, loanId) => server.main.actOnLoan(loanId, { kind: 'deferral', months: 2, reason: 'was ill' }),
      'deferred',
    ],
    [
      'complained about',
      (borrower) => borrower.complain({ category: 'collection', message: 'Too many calls' }),
      'complaint',
    ],
    ['declined', (borrower) => borrower.updateContact({ wants: { reminders: false } }), 'declined'],
    [
      'reported as paid',
      (borrower, loanId) =>
        borrower.payOwnLoan(loanId, {
          amount: '16250',
          paidOn: '2026-03-10',
          channel: 'gcash',
          reference: 'GC-123456',
        }),
      'payment_waiting',
    ],
    [
      'followed by a call',
      (_, loanId) => server.main.recordContact(loanId, { channel: 'call', outcome: 'reached' }),
      'contact_not_allowed',
    ],
  ])('are not sent once they are %s', async (_, happens, reason) => {
    const borrower = await reachable();
    const { id } = await disbursedLoan(server, borrower, { date: released.threeDaysAgo });
    await beginDay();
    expect(await makeReminders(server.deps)).toBe(1);
    await happens(borrower, id);
    const before = texts().length;
    await sendAll(server);
    expect(await reminded()).toEqual([['overdue', 'cancelled', reason, 'sms']]);
    expect(
      texts()
        .slice(before)
        .filter(({ text }) => text.includes('was due')),
    ).toEqual([]);
  });

  it('count as one attempt of the contact guard, and are no contact in the list', async () => {
    const borrower = await reachable();
    const { id } = await disbursedLoan(server, borrower, { date: released.threeDaysAgo });
    await beginDay();
    await sendAll(server);
    const { contacts, may, reason } = await server.main.listContacts(id);
    expect({ contacts, may, reason }).toEqual({ contacts: [], may: false, reason: 'today' });
  });

  it('are not made while the clock is in doubt', async () => {
    const borrower = await reachable();
    await disbursedLoan(server, borrower, { date: '2026-01-20' });
    server.clock.set('2026-03-20T12:00:00+08:00');
    expect(await makeReminders(server.deps)).toBe(0);
  });
});
