import { describe, expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { type Caller, refused } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
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
const rowOf = async (id: number, query = {}) =>
  (await server.main.listCollections(query)).find(({ loanId }) => loanId === id);

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
    await contact(loan.id);
    await contact(loan.id, { ...call, outcome: 'incoming' });
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
});

describe('complaints', () => {
  it('keep collectors silent, are answered and resolved within their days', async () => {
    const { borrower, loan } = await lateLoan();
    const complaint = {
      category: 'collection',
      loanId: loan.id,
      message: 'Somebody called me at night',
    } as const;
    const opened = await borrower.complain(complaint);
    expect(opened).toMatchObject({
      status: 'open',
      loanNumber: loan.loanNumber,
      acknowledgeBy: '2026-03-22',
      resolveBy: '2026-04-19',
      messages: [{ isStaff: false, text: 'Somebody called me at night' }],
    });
    expect(await server.main.listContacts(loan.id)).toMatchObject({ may: false, reason: 'complaint' });
    await refused(contact(loan.id), 409, 'contact_not_allowed');

    server.clock.set('2026-03-23T02:00:00.000Z');
    expect(await server.main.listComplaints()).toMatchObject([
      { isOverdue: true, dueOn: '2026-03-22', user: { id: borrower.id } },
    ]);
    expect(await waiting()).toMatchObject({ complaints: 1, complaintsOverdue: 1 });
    await server.main.updateComplaint(opened.id, { status: 'acknowledged' });
    await server.main.answerComplaint(opened.id, { message: 'We are sorry.' });
    const [own] = await borrower.listOwnComplaints();
    expect(own).toMatchObject({
      status: 'acknowledged',
      messages: [{}, { isStaff: true, text: 'We are sorry.' }],
    });
    expect(own?.messages[1]).not.toHaveProperty('by');
    await server.main.updateComplaint(opened.id, { status: 'resolved' });
    expect(await server.main.listContacts(loan.id)).toMatchObject({ may: true });
    const message = 'And one thing more';
    await refused(borrower.answerComplaint(opened.id, { message }), 409, 'complaint_final');
    const notices = await borrower.listNotifications();
    expect(notices.slice(0, 3).map(({ type }) => type)).toEqual([
      'complaint_updated',
      'complaint_answered',
      'complaint_updated',
    ]);
  });

  it('are nobody else’s to read, and about no loan of somebody else', async () => {
    const { borrower, loan } = await lateLoan();
    const stranger = await server.registerBorrower();
    const message = 'This is not my loan';
    await refused(stranger.complain({ category: 'amount', loanId: loan.id, message }), 404);
    const { id } = await borrower.complain({ category: 'service', message: 'The office was closed' });
    await refused(stranger.answerComplaint(id, { message }), 404);
    expect(await stranger.listOwnComplaints()).toEqual([]);
  });

  it('are not resolved by who called last, while somebody else may', async () => {
    const { borrower, loan } = await lateLoan();
    const clerk = await server.createAdmin();
    await contact(loan.id, call, clerk);
    const complaint = { category: 'collection', loanId: loan.id, message: 'They were rude' } as const;
    const { id } = await borrower.complain(complaint);
    await refused(clerk.updateComplaint(id, { status: 'resolved' }), 403, 'own_request');
    await server.main.updateComplaint(id, { status: 'resolved' });
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
