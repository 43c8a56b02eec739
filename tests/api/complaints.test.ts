import { describe, expect, it } from 'vitest';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { type TestAdmin, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { borrowerWithLoan, disbursedLoan } from './lending.ts';

const server = await testServer();

/** A loan with two instalments overdue on 20 March 2026. */
async function lateLoan() {
  server.clock.set('2026-03-20T02:00:00.000Z');
  return borrowerWithLoan(server, { date: '2025-12-15' });
}

const call = { channel: 'call', outcome: 'reached' } as const;
const about = { category: 'collection', message: 'Somebody called me at night' } as const;
const waiting = async (who: Caller = server.main) => (await who.readToday()).waiting;
const guard = async (id: number) => {
  const { contacts: _, isMessageAttempt: __, ...answer } = await server.main.listContacts(id);
  return answer;
};

/** Signs in once more where the session is over. */
const again = async (who: TestAdmin | TestBorrower): Promise<Caller> => {
  const { password } = who;
  const name = 'email' in who ? { username: who.email } : { phone: who.phone };
  return server.as(await server.signIn({ ...name, password }));
};

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
    expect(await guard(loan.id)).toMatchObject({ may: false, reason: 'complaint' });
    await refused(server.main.recordContact(loan.id, call), 409, 'contact_not_allowed');

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

  it('are taken back by their borrower alone, for good, and no longer wait for anybody', async () => {
    const { borrower } = await lateLoan();
    const stranger = await server.registerBorrower();
    const { id } = await borrower.complain(about);
    expect(await waiting()).toMatchObject({ complaints: 1 });
    await refused(stranger.withdrawComplaint(id, { status: 'withdrawn' }), 404);
    await refused(borrower.withdrawComplaint(id, odd({ status: 'resolved' })), 400);
    expect(await borrower.withdrawComplaint(id, { status: 'withdrawn' })).toMatchObject({
      status: 'withdrawn',
      withdrawnAt: '2026-03-20T02:00:00.000Z',
      resolvedAt: null,
    });
    expect(await waiting()).toMatchObject({ complaints: 0, complaintsOverdue: 0 });
    expect(await server.main.listComplaints()).toEqual([]);
    expect(await server.main.listComplaints({ status: 'all' })).toMatchObject([{ id, dueOn: null }]);
    const message = 'One thing more';
    await refused(borrower.withdrawComplaint(id, { status: 'withdrawn' }), 409, 'complaint_final');
    await refused(borrower.answerComplaint(id, { message }), 409, 'complaint_final');
    await refused(server.main.updateComplaint(id, { status: 'resolved' }), 409, 'complaint_final');
    expect(await auditOf(server.database, 'complaint_withdrawn')).toMatchObject([
      { actorId: borrower.id, before: { status: 'open' } },
    ]);
    server.clock.set('2026-06-20T02:00:00.000Z');
    expect(await waiting()).toMatchObject({ complaints: 0, complaintsOverdue: 0 });
  });
});

describe('the silence after a complaint', () => {
  it('lasts thirty days whatever its status, and ends early when the borrower takes it back', async () => {
    const { borrower, loan } = await lateLoan();
    const first = await borrower.complain(about);
    await server.main.updateComplaint(first.id, { status: 'resolved' });
    const silent = { may: false, reason: 'complaint', next: '2026-04-19T00:00:00.000Z' };
    expect(await guard(loan.id)).toEqual(silent);
    server.clock.set('2026-04-18T02:00:00.000Z');
    expect(await guard(loan.id)).toEqual(silent);
    server.clock.set('2026-04-19T02:00:00.000Z');
    expect(await guard(loan.id)).toEqual({ may: true });

    const other = await borrowerWithLoan(server, { date: '2025-12-15' });
    const { id } = await other.borrower.complain({ category: 'amount', message: 'I owe less than that' });
    await server.main.updateComplaint(id, { status: 'acknowledged' });
    expect(await guard(other.loan.id)).toMatchObject({ reason: 'complaint' });
    await other.borrower.withdrawComplaint(id, { status: 'withdrawn' });
    expect(await guard(other.loan.id)).toEqual({ may: true });
  });

  it('takes no more than thirty of any ninety days, also of complaints that were taken back', async () => {
    const { borrower, loan } = await lateLoan();
    await borrower.complain(about);
    server.clock.set('2026-04-10T02:00:00.000Z');
    await borrower.complain({ ...about, category: 'amount' });
    server.clock.set('2026-04-19T02:00:00.000Z');
    expect(await guard(loan.id)).toEqual({ may: true });
    await (await again(borrower)).complain(about);
    expect(await guard(loan.id)).toEqual({ may: true });
    server.clock.set('2026-06-10T02:00:00.000Z');
    await (await again(borrower)).complain(about);
    expect(await guard(loan.id)).toEqual({ may: true });
    // Ninety days after its first day a day is free again, then one more each day.
    server.clock.set('2026-06-18T02:00:00.000Z');
    expect(await guard(loan.id)).toMatchObject({ reason: 'complaint', next: '2026-07-10T00:00:00.000Z' });

    const other = await borrowerWithLoan(server, { date: '2025-12-15' });
    for (let day = 0; day < 30; day += 1) {
      server.clock.advance({ days: 1 });
      const borrowerThen = await again(other.borrower);
      const { id } = await borrowerThen.complain(about);
      expect(await guard(other.loan.id)).toMatchObject({ reason: 'complaint' });
      await borrowerThen.withdrawComplaint(id, { status: 'withdrawn' });
      expect(await guard(other.loan.id)).toEqual({ may: true });
    }
    server.clock.advance({ days: 1 });
    await (await again(other.borrower)).complain(about);
    expect(await guard(other.loan.id)).toEqual({ may: true });
  });
});

describe('a complaint that may be about a collector', () => {
  type Case = [
    string,
    (who: { caller: Caller; colleague: Caller; borrower: TestBorrower; id: number }) => Promise<unknown>,
  ];
  const complain = (borrower: TestBorrower, loanId?: number) =>
    borrower.complain({ ...about, ...(loanId && { loanId }) });
  it.each<Case>([
    [
      'about the loan they called for',
      async ({ caller, borrower, id }) => {
        await caller.recordContact(id, call);
        await complain(borrower, id);
      },
    ],
    [
      'without a loan',
      async ({ caller, borrower, id }) => {
        await caller.recordContact(id, call);
        await complain(borrower);
      },
    ],
    [
      'about another loan',
      async ({ caller, borrower, id }) => {
        await caller.recordContact(id, call);
        await complain(borrower, (await disbursedLoan(server, borrower, { date: '2025-12-15' })).id);
      },
    ],
    [
      'after a colleague noted that the borrower called',
      async ({ caller, colleague, borrower, id }) => {
        await caller.recordContact(id, { ...call, outcome: 'no_answer' });
        await colleague.recordContact(id, { ...call, outcome: 'incoming' });
        await complain(borrower, id);
      },
    ],
    [
      'to whom they called all the same later',
      async ({ caller, borrower, id }) => {
        await complain(borrower, id);
        await caller.recordContact(id, { ...call, made: true });
      },
    ],
  ])('%s is handled by another', async (_, build) => {
    const { borrower, id } = await lateLoan();
    const [caller, colleague] = [await server.createAdmin(), await server.createAdmin()];
    await build({ caller, colleague, borrower, id });
    const [own] = await caller.listComplaints();
    const complaint = own?.id ?? 0;
    expect(own).toMatchObject({ mayHandle: false });
    expect(await waiting(caller)).toMatchObject({ complaints: 0, complaintsOverdue: 0 });
    expect(await waiting(colleague)).toMatchObject({ complaints: 1 });
    const approver = await server.createAdmin({ roles: ['approver'] });
    expect(await waiting(approver)).toMatchObject({ complaints: 1 });
    await refused(caller.updateComplaint(complaint, { status: 'acknowledged' }), 403, 'own_request');
    await refused(caller.answerComplaint(complaint, { message: 'We are sorry' }), 403, 'own_request');
    await refused(caller.updateComplaint(complaint, { status: 'resolved' }), 403, 'own_request');
    expect(await colleague.listComplaints()).toMatchObject([{ mayHandle: true, status: 'open' }]);
    await colleague.updateComplaint(complaint, { status: 'acknowledged' });
    await colleague.answerComplaint(complaint, { message: 'We are sorry' });
    await colleague.updateComplaint(complaint, { status: 'resolved' });
    const entries = await auditOf(server.database, 'complaint_updated');
    for (const { after } of entries) expect(after).not.toHaveProperty('onePerson');
  });

  it('is theirs again thirty-one days after their last attempt', async () => {
    const { borrower, id } = await lateLoan();
    const caller = await server.createAdmin();
    await caller.recordContact(id, call);
    server.clock.set('2026-04-20T02:00:00.000Z');
    await (await again(borrower)).complain(about);
    expect(await (await again(caller)).listComplaints()).toMatchObject([{ mayHandle: true }]);
  });

  it.each([
    ['an owner and one employee who both called', true],
    ['a lone owner', false],
  ])('is handled by %s, marked', async (_, hasEmployee) => {
    const { borrower, id } = await lateLoan();
    const employee = hasEmployee ? await server.createAdmin() : undefined;
    await server.main.recordContact(id, call);
    await employee?.recordContact(id, { ...call, made: true });
    const { id: complaint } = await complain(borrower, id);
    const handler = employee ?? server.main;
    await handler.updateComplaint(complaint, { status: 'acknowledged' });
    await handler.answerComplaint(complaint, { message: 'We are sorry' });
    await handler.updateComplaint(complaint, { status: 'resolved' });
    for (const action of ['complaint_updated', 'complaint_answered'] as const) {
      const [{ after } = { after: null }] = await auditOf(server.database, action);
      expect(after).toMatchObject({ onePerson: true });
    }
  });

  it('is the owner’s where the only other employee called, and who lacks the role is nobody to wait for', async () => {
    const { borrower, id } = await lateLoan();
    const employee = await server.createAdmin();
    await employee.recordContact(id, call);
    const { id: complaint } = await complain(borrower, id);
    await refused(employee.updateComplaint(complaint, { status: 'acknowledged' }), 403, 'own_request');
    await server.main.updateComplaint(complaint, { status: 'acknowledged' });
    await server.main.recordContact(id, { ...call, made: true });
    const clerk = await server.createAdmin();
    await server.main.updateAdmin(clerk.id, { roles: ['cashier'] });
    expect(await clerk.listComplaints()).toMatchObject([{ mayHandle: false }]);
    await server.main.updateComplaint(complaint, { status: 'resolved' });
  });
});
