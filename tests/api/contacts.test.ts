import { describe, expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { type Caller, refused } from '#tests/setup/caller.ts';
import { type TestAdmin, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { apply, borrowerWithLoan, disbursedLoan } from './lending.ts';

const server = await testServer();

/** A loan with two instalments overdue on 20 March 2026. */
async function lateLoan() {
  server.clock.set('2026-03-20T02:00:00.000Z');
  const { borrower, loan } = await borrowerWithLoan(server, { date: '2025-12-15' });
  return { borrower, loan };
}

type ContactForm = Sent<typeof api.recordContact, 'body'>;
const call: ContactForm = { channel: 'call', outcome: 'reached' };

const contact = (id: number, body: ContactForm = call, staff: Caller = server.main) =>
  staff.recordContact(id, body);
const waiting = async () => (await server.main.readToday()).waiting;
const again = async ({ email: username, password }: TestAdmin) =>
  server.as(await server.signIn({ username, password }));
const rowOf = async (id: number, query = {}) =>
  (await server.main.listCollections(query)).find(({ loanId }) => loanId === id);

describe('the search', () => {
  it('says what is due and pays off, and the telephone while one may call, and who is next', async () => {
    const { borrower, loan } = await lateLoan();
    const { account, settlement } = await server.main.readLoanAccount(loan.id);
    const found = async () => (await server.main.find({ search: loan.loanNumber })).loans[0];
    expect(await found()).toMatchObject({
      dueNow: account.dueNow,
      payoff: settlement?.amount,
      daysPastDue: account.daysPastDue,
      phone: borrower.phone,
    });
    expect(await server.main.readNextCall()).not.toHaveProperty('from');
    const { members } = await server.main.find({ search: borrower.phone });
    expect(members).toMatchObject([{ id: borrower.id, dueNow: account.dueNow }]);
    expect((await server.main.readNextCall()).next).toMatchObject({
      loanId: loan.id,
      mayContact: { may: true },
    });
    await contact(loan.id);
    expect(await found()).toMatchObject({ dueNow: account.dueNow, phone: null });
    // Tomorrow at eight, as the guard says of the only borrower.
    expect(await server.main.readNextCall()).toEqual({ next: null, from: '2026-03-21T00:00:00.000Z' });
    server.clock.set('2026-03-20T14:00:00.000Z');
    const { loan: another } = await borrowerWithLoan(server, { date: '2025-12-15' });
    expect(await server.main.readNextCall()).toEqual({ next: null, from: '2026-03-21T00:00:00.000Z' });
    server.clock.set('2026-03-21T02:00:00.000Z');
    await contact(loan.id);
    expect((await server.main.readNextCall()).next?.loanId).toBe(another.id);
    const waiting = await apply(server, borrower);
    const [listed] = (await server.main.find({ search: waiting.loanNumber })).loans;
    expect(listed).toMatchObject({ dueNow: null, payoff: null, daysPastDue: 0, phone: null });
  });
});

describe('contacts', () => {
  it('are written down and judged before the next one', async () => {
    const { loan } = await lateLoan();
    expect(await server.main.listContacts(loan.id)).toEqual({ contacts: [], may: true });
    expect(await contact(loan.id, { ...call, note: 'Will pay on Friday' })).toMatchObject({
      contacts: [
        { by: 'Main Admin', channel: 'call', outcome: 'reached', note: 'Will pay on Friday', made: false },
      ],
      may: false,
      reason: 'today',
      next: '2026-03-21T00:00:00.000Z',
    });
    const { message } = await refused(contact(loan.id), 409, 'contact_not_allowed');
    expect(message).toContain('21 Mar 2026, 08:00');
    const { contacts } = await contact(loan.id, { ...call, made: true });
    expect(contacts).toMatchObject([{ made: true }, { made: false }]);
    const entries = await auditOf(server.database, 'contact_recorded');
    expect(entries.map(({ after }) => after)).toEqual([
      { channel: 'call', outcome: 'reached' },
      { channel: 'call', outcome: 'reached', againstGuard: 'today' },
    ]);
  });

  it('that the borrower began count for nothing, and are always taken', async () => {
    const { loan } = await lateLoan();
    const colleague = await server.createAdmin();
    await contact(loan.id);
    await contact(loan.id, { ...call, outcome: 'incoming' }, colleague);
    server.clock.set('2026-03-21T02:00:00.000Z');
    await contact(loan.id, { ...call, outcome: 'incoming' });
    expect(await server.main.listContacts(loan.id)).toMatchObject({ may: true });
  });

  it('of one borrower count on all their loans, and two at once are one too many', async () => {
    const { borrower, loan } = await lateLoan();
    const other = await disbursedLoan(server, borrower, { date: '2025-12-15' });
    const answers = await Promise.all([contact(loan.id).answer(), contact(other.id).answer()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('are judged in the list too, as for each loan alone, and neither unasked nor on another day', async () => {
    const { borrower, loan } = await lateLoan();
    const other = await disbursedLoan(server, borrower, { date: '2025-12-15' });
    const free = await disbursedLoan(server, await server.verifiedBorrower(), { date: '2025-12-15' });
    const { borrower: unhappy, loan: complained } = await borrowerWithLoan(server, { date: '2025-12-15' });
    await contact(loan.id);
    await contact(free.id, { ...call, outcome: 'incoming' });
    await unhappy.complain({ category: 'amount', loanId: complained.id, message: 'I owe less than that' });
    const today = { may: false, reason: 'today', next: '2026-03-21T00:00:00.000Z' };
    const complaint = { may: false, reason: 'complaint', next: '2026-04-19T00:00:00.000Z' };
    for (const [id, answer] of [
      [loan.id, today],
      [other.id, today],
      [free.id, { may: true }],
      [complained.id, complaint],
    ] as const) {
      expect((await rowOf(id, { guard: '1' }))?.mayContact).toEqual(answer);
      expect(await server.main.listContacts(id)).toMatchObject(answer);
    }
    const unasked = await rowOf(loan.id);
    const past = await rowOf(loan.id, { asOf: '2026-03-19', guard: '1' });
    for (const row of [unasked, past]) expect(row).not.toHaveProperty('mayContact');
  });

  it('are called incoming within an hour of one’s own attempt only with a mark, and then count', async () => {
    const { borrower, loan } = await lateLoan();
    const other = await disbursedLoan(server, borrower, { date: '2025-12-15' });
    const [caller, colleague] = [await server.createAdmin(), await server.createAdmin()];
    const incoming = { channel: 'visit', outcome: 'incoming' } as const;
    await contact(loan.id, call, caller);
    server.clock.advance({ minutes: 59 });
    for (const { id } of [loan, other]) {
      const { message } = await refused(contact(id, incoming, caller), 409, 'contact_not_allowed');
      expect(message).toContain('20 Mar 2026, 11:00');
    }
    await contact(loan.id, incoming, colleague);
    const { contacts } = await contact(loan.id, { ...incoming, made: true }, caller);
    expect(contacts[0]).toMatchObject({ outcome: 'incoming', made: true });
    server.clock.advance({ minutes: 59 });
    await contact(other.id, incoming, colleague);
    server.clock.advance({ minutes: 2 });
    await contact(loan.id, incoming, await again(caller));
    server.clock.set('2026-03-21T02:00:00.000Z');
    await contact(loan.id, call, server.main);
    server.clock.set('2026-03-22T02:00:00.000Z');
    // Two attempts and the marked visit of these three days.
    expect(await server.main.listContacts(loan.id)).toMatchObject({ may: false, reason: 'week' });
  });

  it('take the role, a loan that is out and a promise within sixty days', async () => {
    const { loan } = await lateLoan();
    const promise = (date: string) => contact(loan.id, { ...call, promise: { date, amount: '5000' } });
    const field = { errors: { 'promise.date': expect.any(String) } };
    await refused(promise('2026-03-19'), 400, field);
    await refused(promise('2026-05-20'), 400, field);
    await promise('2026-05-19');
    const clerk = await server.createAdmin();
    await server.main.updateAdmin(clerk.id, { roles: ['encoder', 'cashier', 'approver'] });
    await refused(contact(loan.id, call, clerk), 403, 'role_missing');
    const applied = await apply(server, await server.verifiedBorrower());
    await refused(contact(applied.id), 409, 'not_disbursed');
    await refused(contact(999), 404);
  });
});

describe('a promise', () => {
  it('is open to the end of its day, broken after, and kept by a payment that is found late', async () => {
    const { loan } = await lateLoan();
    await contact(loan.id, { ...call, promise: { date: '2026-03-25', amount: '5000' } });
    server.clock.set('2026-03-25T15:59:59.999Z');
    expect((await rowOf(loan.id))?.promise?.state).toBe('open');
    server.clock.set('2026-03-25T16:00:00.000Z');
    expect((await rowOf(loan.id))?.promise?.state).toBe('broken');
    expect(await waiting()).toMatchObject({ brokenPromises: 1 });
    server.clock.set('2026-03-27T02:00:00.000Z');
    await contact(loan.id, { ...call, outcome: 'no_answer' });
    expect(await waiting()).toMatchObject({ brokenPromises: 0 });
    await server.main.recordPayment(loan.id, { amount: '5000', channel: 'cash', valueDate: '2026-03-24' });
    expect(await rowOf(loan.id)).toMatchObject({
      promise: { state: 'kept', date: '2026-03-25', amount: '5000.00' },
      lastPayment: { date: '2026-03-24', amount: '5000.00' },
      lastContact: { by: 'Main Admin', outcome: 'no_answer' },
    });
  });

  it('that is broken waits for nobody once nothing is overdue', async () => {
    const { loan } = await lateLoan();
    await contact(loan.id, { ...call, promise: { date: '2026-03-25', amount: '5000' } });
    server.clock.set('2026-03-27T02:00:00.000Z');
    expect(await waiting()).toMatchObject({ brokenPromises: 1 });
    const { overdue } = (await rowOf(loan.id)) ?? { overdue: '' };
    await server.main.recordPayment(loan.id, { amount: overdue, channel: 'cash' });
    expect(await rowOf(loan.id)).toBeUndefined();
    expect(await waiting()).toMatchObject({ brokenPromises: 0 });
  });

  it('is replaced by a new one, and a broken one comes first', async () => {
    const { loan } = await lateLoan();
    const older = await disbursedLoan(server, await server.verifiedBorrower(), { date: '2025-10-15' });
    await contact(loan.id, { ...call, promise: { date: '2026-03-20', amount: '5000' } });
    server.clock.set('2026-03-21T02:00:00.000Z');
    const order = async () => (await server.main.listCollections()).map(({ loanId }) => loanId);
    expect(await order()).toEqual([loan.id, older.id]);
    await contact(loan.id, { ...call, promise: { date: '2026-03-23', amount: '5000' } });
    expect(await order()).toEqual([older.id, loan.id]);
    expect(await rowOf(loan.id)).toMatchObject({ promise: { state: 'open', date: '2026-03-23' } });
  });

  it('counts as broken when its day passes, and when a new one replaces it unkept', async () => {
    const { loan } = await lateLoan();
    const promise = (date: string, amount = '5000') =>
      contact(loan.id, { ...call, outcome: 'incoming', promise: { date, amount } });
    const broken = async (query = {}) => (await rowOf(loan.id, query))?.brokenPromises;
    expect(await broken()).toBe(0);
    await promise('2026-03-20');
    expect(await broken()).toBe(0);
    for (const day of ['21', '22', '23']) {
      server.clock.set(`2026-03-${day}T02:00:00.000Z`);
      await promise(`2026-03-${day}`);
    }
    // One was broken at the end of each day.
    expect(await broken()).toBe(3);
    await promise('2026-03-30');
    await promise('2026-03-31');
    // Two more were replaced before their day.
    expect(await broken()).toBe(5);
    await server.main.recordPayment(loan.id, { amount: '5000', channel: 'cash' });
    server.clock.set('2026-03-24T02:00:00.000Z');
    await promise('2026-04-10', '6000');
    // Promises made on the day of the payment count as kept.
    expect(await broken()).toBe(3);
    expect(await broken({ asOf: '2026-03-21' })).toBe(1);
  });
});

it('a withdrawal takes the bank’s reference once, with or after its completion', async () => {
  const { borrower } = await lateLoan();
  await server.fund(borrower.id, 5_000);
  await server.setCode(borrower.id, '482913');
  const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };
  const { id, withdrawalNumber } = await borrower.requestWithdrawal({
    amount: 1_000,
    ...bank,
    otp: '482913',
  });
  const noted = { bankReference: 'B-1' };
  await refused(server.main.updateWithdrawal(id, noted), 400, {
    errors: { bankReference: expect.any(String) },
  });
  await server.main.updateWithdrawal(id, { status: 'completed' });
  const moved = { ...noted, status: 'completed', processedAt: server.clock.now().toISOString() } as const;
  await refused(server.main.updateWithdrawal(id, moved), 409, 'withdrawal_final');
  expect(await server.main.updateWithdrawal(id, noted)).toMatchObject({ status: 'completed', ...noted });
  await refused(server.main.updateWithdrawal(id, { bankReference: 'B-2' }), 409, 'withdrawal_final');
  expect(await server.main.listWithdrawals({ completedOn: '9999-12-31' })).toEqual([]);
  expect(await server.main.listAudit({ to: '9999-12-31' })).not.toEqual([]);
  const asTable = { headers: { accept: 'text/csv' } };
  const sent = await server.main.listWithdrawals({ completedOn: '2026-03-20' }, asTable).success();
  expect(sent.text).toBe(
    '\uFEFF"beneficiary","bank","account","amount","number","reference"\r\n' +
      `"Maria Clara Santos","Bank A","1234567890123","1000.00","${withdrawalNumber}","B-1"\r\n`,
  );
  expect((await server.main.readDay()).withdrawals).toEqual({ count: 1, amount: '1000.00' });
});
