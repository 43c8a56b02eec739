import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { disbursedLoan } from './lending.ts';

const server = await testServer();

const signIn = () => server.signIn({ username: 'admin', password: 'a password for tests only' });

/** A loan with two instalments overdue on 20 March 2026. */
async function lateLoan() {
  server.clock.set('2026-03-20T02:00:00.000Z');
  const borrower = await server.verifiedBorrower();
  const loan = await disbursedLoan(server, borrower, { date: '2025-12-15' });
  return { borrower, loan, params: { id: loan.id } };
}

type ContactForm = Sent<typeof api.recordContact, 'body'>;
const call: ContactForm = { channel: 'call', outcome: 'reached' };

const contact = async (id: number, body: ContactForm, token?: string) =>
  server.call(api.recordContact, { token: token ?? (await signIn()), params: { id }, body });

const contactsOf = async (id: number) =>
  (await server.succeed(api.listContacts, { token: await signIn(), params: { id } })).body;

const rowOf = async (id: number) => {
  const { body } = await server.succeed(api.listCollections, { token: await signIn() });
  return body.find(({ loanId }) => loanId === id);
};

describe('contacts', () => {
  it('are written down and judged before the next one', async () => {
    const { loan } = await lateLoan();
    expect(await contactsOf(loan.id)).toEqual({ contacts: [], may: true });
    const { status, body } = await contact(loan.id, { ...call, note: 'Will pay on Friday' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      contacts: [
        { by: 'Main Admin', channel: 'call', outcome: 'reached', note: 'Will pay on Friday', made: false },
      ],
      may: false,
      reason: 'today',
      next: '2026-03-21T00:00:00.000Z',
    });
    const second = await contact(loan.id, { ...call, outcome: 'no_answer' });
    expect([second.status, second.body.code]).toEqual([409, 'contact_not_allowed']);
    expect(second.body.message).toContain('21 Mar 2026, 08:00');
    const made = await contact(loan.id, { ...call, made: true });
    expect(made.body.contacts).toMatchObject([{ made: true }, { made: false }]);
    const entries = await auditOf(server.database, 'contact_recorded');
    expect(entries.map(({ after }) => after)).toEqual([
      { channel: 'call', outcome: 'reached' },
      { channel: 'call', outcome: 'reached', againstGuard: 'today' },
    ]);
  });

  it('that the borrower began count for nothing, and are always taken', async () => {
    const { loan } = await lateLoan();
    await contact(loan.id, call);
    expect((await contact(loan.id, { ...call, outcome: 'incoming' })).status).toBe(201);
    server.clock.set('2026-03-21T02:00:00.000Z');
    expect((await contact(loan.id, { ...call, outcome: 'incoming' })).status).toBe(201);
    expect(await contactsOf(loan.id)).toMatchObject({ may: true });
  });

  it('of one borrower count on all their loans, and two at once are one too many', async () => {
    const { borrower, loan } = await lateLoan();
    const other = await disbursedLoan(server, borrower, { date: '2025-12-15' });
    const answers = await Promise.all([contact(loan.id, call), contact(other.id, call)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('take the role, a loan that is out and a promise within sixty days', async () => {
    const { loan } = await lateLoan();
    const promise = (date: string) => contact(loan.id, { ...call, promise: { date, amount: '5000' } });
    expect((await promise('2026-03-19')).body.errors).toHaveProperty(['promise.date']);
    expect((await promise('2026-05-20')).body.errors).toHaveProperty(['promise.date']);
    expect((await promise('2026-05-19')).status).toBe(201);
    const applied = await server.verifiedBorrower();
    const { body } = await server.succeed(api.applyForLoan, {
      token: applied.token,
      body: { amount: 150_000, purpose: 'Stock for a small store', termMonths: 12 },
    });
    expect((await contact(body.id, call)).body.code).toBe('not_disbursed');
    expect((await contact(999, call)).status).toBe(404);
  });
});

describe('a promise', () => {
  it('is open to the end of its day, broken after, and kept by a payment that is found late', async () => {
    const { loan } = await lateLoan();
    await contact(loan.id, { ...call, promise: { date: '2026-03-25', amount: '5000' } });
    const stateOn = async (moment: string) => {
      server.clock.set(moment);
      return (await rowOf(loan.id))?.promise?.state;
    };
    expect(await stateOn('2026-03-25T15:59:59.999Z')).toBe('open');
    expect(await stateOn('2026-03-25T16:00:00.000Z')).toBe('broken');
    const waiting = async () => (await server.succeed(api.readToday, { token: await signIn() })).body.waiting;
    expect(await waiting()).toMatchObject({ brokenPromises: 1 });
    server.clock.set('2026-03-27T02:00:00.000Z');
    await contact(loan.id, { ...call, outcome: 'no_answer' });
    expect(await waiting()).toMatchObject({ brokenPromises: 0 });
    await server.succeed(api.recordPayment, {
      token: await signIn(),
      params: { id: loan.id },
      body: { amount: '5000', channel: 'cash', valueDate: '2026-03-24' },
    });
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
    const waiting = async () =>
      (await server.succeed(api.readToday, { token: await signIn() })).body.waiting.brokenPromises;
    expect(await waiting()).toBe(1);
    const { overdue } = (await rowOf(loan.id)) ?? { overdue: '' };
    await server.succeed(api.recordPayment, {
      token: await signIn(),
      params: { id: loan.id },
      body: { amount: overdue, channel: 'cash' },
    });
    expect(await rowOf(loan.id)).toBeUndefined();
    expect(await waiting()).toBe(0);
  });

  it('is replaced by a new one, and a broken one comes first', async () => {
    const { loan } = await lateLoan();
    const older = await disbursedLoan(server, await server.verifiedBorrower(), { date: '2025-10-15' });
    await contact(loan.id, { ...call, promise: { date: '2026-03-20', amount: '5000' } });
    server.clock.set('2026-03-21T02:00:00.000Z');
    const order = async () => {
      const { body } = await server.succeed(api.listCollections, { token: await signIn() });
      return body.map(({ loanId }) => loanId);
    };
    expect(await order()).toEqual([loan.id, older.id]);
    await contact(loan.id, { ...call, promise: { date: '2026-03-23', amount: '5000' } });
    expect(await order()).toEqual([older.id, loan.id]);
    expect(await rowOf(loan.id)).toMatchObject({ promise: { state: 'open', date: '2026-03-23' } });
  });
});

describe('complaints', () => {
  it('keep collectors silent, are answered and resolved within their days', async () => {
    const { borrower, loan } = await lateLoan();
    const opened = await server.succeed(api.complain, {
      token: borrower.token,
      body: { category: 'collection', loanId: loan.id, message: 'Somebody called me at night' },
    });
    expect(opened.body).toMatchObject({
      status: 'open',
      loanNumber: loan.loanNumber,
      acknowledgeBy: '2026-03-22',
      resolveBy: '2026-04-19',
      messages: [{ isStaff: false, text: 'Somebody called me at night' }],
    });
    expect(await contactsOf(loan.id)).toMatchObject({ may: false, reason: 'complaint' });
    expect((await contact(loan.id, call)).body.code).toBe('contact_not_allowed');

    const params = { id: opened.body.id };
    server.clock.set('2026-03-23T02:00:00.000Z');
    const staff = { token: await signIn(), params };
    const listed = await server.succeed(api.listComplaints, staff);
    expect(listed.body).toMatchObject([{ isOverdue: true, dueOn: '2026-03-22', user: { id: borrower.id } }]);
    const { body: today } = await server.succeed(api.readToday, staff);
    expect(today.waiting).toMatchObject({ complaints: 1, complaintsOverdue: 1 });
    await server.succeed(api.updateComplaint, { ...staff, body: { status: 'acknowledged' } });
    await server.succeed(api.answerComplaint, { ...staff, body: { message: 'We are sorry.' } });
    const own = await server.succeed(api.listOwnComplaints, { token: borrower.token });
    expect(own.body).toMatchObject([
      { status: 'acknowledged', messages: [{}, { isStaff: true, text: 'We are sorry.' }] },
    ]);
    expect(own.body[0]?.messages[1]).not.toHaveProperty('by');
    await server.succeed(api.updateComplaint, { ...staff, body: { status: 'resolved' } });
    expect(await contactsOf(loan.id)).toMatchObject({ may: true });
    const late = { token: borrower.token, params, body: { message: 'And one thing more' } };
    expect((await server.call(api.answerComplaint, late)).body.code).toBe('complaint_final');
    const { body: notices } = await server.succeed(api.listNotifications, { token: borrower.token });
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
    const about = { token: stranger.token, body: { category: 'amount' as const, loanId: loan.id, message } };
    expect((await server.call(api.complain, about)).status).toBe(404);
    const { body } = await server.succeed(api.complain, {
      token: borrower.token,
      body: { category: 'service', message: 'The office was closed' },
    });
    const answer = { token: stranger.token, params: { id: body.id }, body: { message } };
    expect((await server.call(api.answerComplaint, answer)).status).toBe(404);
    expect((await server.succeed(api.listOwnComplaints, { token: stranger.token })).body).toEqual([]);
  });

  it('are not resolved by who called last, while somebody else may', async () => {
    const { borrower, loan } = await lateLoan();
    const clerk = await server.createAdmin();
    await contact(loan.id, call, clerk.token);
    const { body } = await server.succeed(api.complain, {
      token: borrower.token,
      body: { category: 'collection', loanId: loan.id, message: 'They were rude' },
    });
    const params = { id: body.id };
    const resolve = { params, body: { status: 'resolved' as const } };
    const refused = await server.call(api.updateComplaint, { ...resolve, token: clerk.token });
    expect([refused.status, refused.body.code]).toEqual([403, 'own_request']);
    await server.succeed(api.updateComplaint, { ...resolve, token: await signIn() });
  });
});

it('a withdrawal takes the bank’s reference once, with or after its completion', async () => {
  const { borrower } = await lateLoan();
  await server.fund(borrower.id, 5_000);
  await server.setCode(borrower.id, '482913');
  const withdrawn = await server.succeed(api.requestWithdrawal, {
    token: borrower.token,
    body: { amount: 1_000, bankName: 'Bank A', bankAccountNumber: '1234567890123', otp: '482913' },
  });
  const params = { id: withdrawn.body.id };
  const update = async (body: Sent<typeof api.updateWithdrawal, 'body'>) =>
    server.call(api.updateWithdrawal, { token: await signIn(), params, body });
  expect((await update({ bankReference: 'B-1' })).body.errors).toHaveProperty('bankReference');
  expect((await update({ status: 'completed' })).status).toBe(200);
  expect((await update({ bankReference: 'B-1' })).body).toMatchObject({
    status: 'completed',
    bankReference: 'B-1',
  });
  expect((await update({ bankReference: 'B-2' })).body.code).toBe('withdrawal_final');
  const sent = await server.succeed(api.listWithdrawals, {
    token: await signIn(),
    query: { completedOn: '2026-03-20' },
    headers: { accept: 'text/csv' },
  });
  expect(sent.text).toBe(
    '\uFEFF"beneficiary","bank","account","amount","number","reference"\r\n' +
      `"Maria Clara Santos","Bank A","1234567890123","1000.00","${withdrawn.body.withdrawalNumber}","B-1"\r\n`,
  );
  const day = await server.succeed(api.readDay, { token: await signIn() });
  expect(day.body.withdrawals).toEqual({ count: 1, amount: '1000.00' });
});
