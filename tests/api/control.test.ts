import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import { type StaffRole, staffRoles } from '#domain/member.ts';
import { centavos } from '#domain/money.ts';
import { loans } from '#server/store/schema.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { auditOf, expectSoundBooks } from './books.ts';
import { apply, approvedApplication, takeOverLoan, withdraw } from './lending.ts';

/** These tests try who may do what alone, and what becomes of a request that waits (§four-eyes). */
const server = await testServer();

type Answer = {
  status: number;
  body: Partial<Payment> & Partial<LoanAccount> & { approval?: { id: number } } & Partial<ErrorBody>;
};
type Person = Caller & { id: number };

const { main } = server;

/** A staff account with these roles alone. */
async function staffWith(...roles: StaffRole[]) {
  const person = await server.createAdmin();
  await setRoles(person, roles);
  return person;
}

const setRoles = ({ id }: Person, roles: StaffRole[]) => main.updateAdmin(id, { roles });

const suspend = ({ id }: Person) => main.updateMember(id, { status: 'suspended' });

type Write = (id: number, body: ReturnType<typeof odd>) => { answer(): Promise<unknown> };

const write =
  (name: keyof Caller) =>
  (person: Caller, id: number, body: object = {}) =>
    (person[name] as Write)(id, odd(body)).answer() as Promise<Answer>;

const disburse = write('disburseLoan');
const cancel = write('cancelDisbursement');
const pay = write('recordPayment');
const change = write('updatePayment');
const act = write('actOnLoan');
const decide = write('decideApproval');
const editLoan = write('updateLoan');
const editMember = write('updateMember');
const removeLoan = write('deleteLoan');
const removeUser = write('deleteUser');

const reason = 'As agreed';
const wallet = { channel: 'wallet' };
const approve = { decision: 'approved' };
const takeBack = { decision: 'withdrawn' };
const reject = { decision: 'rejected', reason };

const told = ({ status, body }: Answer) => [status, body.code];
const requestOf = ({ status, body }: Answer): number => {
  expect([status, body.code]).toEqual([202, undefined]);
  return body.approval?.id ?? 0;
};
const requests = (query: { status?: 'all' } = {}) => main.listApprovals(query);
const decisionOf = async (id: number) =>
  (await requests({ status: 'all' })).find((row) => row.id === id)?.decision;

const approvedLoan = server.built(() => approvedApplication(server));

/** Released while there is one approver: hire others after it. */
const runningLoan = server.built(async (date = '2025-11-10') => {
  const loan = await approvedLoan();
  expect((await disburse(main, loan.id, { channel: 'recorded', date })).status).toBe(201);
  return loan;
});

describe('a second person', () => {
  it('is asked as soon as one may decide, though it be only the owner', async () => {
    const clerk = await staffWith('encoder');
    const { id } = await approvedLoan();
    const request = requestOf(await disburse(clerk, id, wallet));
    expect(told(await decide(clerk, request, approve))).toEqual([403, 'role_missing']);
    expect((await decide(main, request, approve)).status).toBe(200);
    await expectSoundBooks(server.database);
  });

  it('is not asked where no other may: it runs at once and says so', async () => {
    await staffWith('encoder', 'cashier');
    const { id } = await approvedLoan();
    const { status, body } = await disburse(main, id, wallet);
    expect([status, body.events?.at(-1)]).toEqual([201, expect.objectContaining({ isAlone: true })]);
    expect(await auditOf(server.database, 'loan_disbursed')).toMatchObject([{ after: { onePerson: true } }]);
  });

  it('who leaves meanwhile leaves the request to who asked', async () => {
    const colleague = await staffWith('approver');
    const { id } = await approvedLoan();
    const request = requestOf(await disburse(main, id, wallet));
    expect(told(await decide(main, request, approve))).toEqual([403, 'own_request']);
    expect(told(await decide(main, request, reject))).toEqual([403, 'own_request']);
    await suspend(colleague);
    expect((await decide(main, request, approve)).status).toBe(200);
    expect(await decisionOf(request)).toBe('approved');
  });

  it('neither locks out an office of two nor lets either act alone', async () => {
    const colleague = await staffWith(...staffRoles);
    const owner = main;
    for (const [one, other] of [
      [owner, colleague],
      [colleague, owner],
    ] as const) {
      const { id } = await approvedLoan();
      const request = requestOf(await disburse(one, id, wallet));
      expect(told(await decide(one, request, approve))).toEqual([403, 'own_request']);
      expect((await decide(other, request, approve)).status).toBe(200);
    }
  });

  it('reads the amount of what is asked', async () => {
    await staffWith('approver');
    const { id } = await approvedLoan();
    requestOf(await disburse(main, id, wallet));
    expect(await requests()).toMatchObject([{ kind: 'disbursement', payload: { amount: '150000.00' } }]);
  });
});

describe('one person’s limits add up, per loan and Manila day', () => {
  const hired = async () => ({
    clerk: await staffWith('encoder', 'cashier'),
    other: await staffWith('encoder', 'cashier', 'approver'),
  });

  it('of waivers', async () => {
    const { id } = await runningLoan('2025-03-10');
    const { id: elsewhere } = await runningLoan('2025-03-10');
    const { clerk, other } = await hired();
    const waive = (person: Caller, amount: number, loan = id) =>
      act(person, loan, { kind: 'waiver', amount, reason });
    expect((await waive(clerk, 999)).status).toBe(201);
    const request = requestOf(await waive(clerk, 2));
    expect((await waive(other, 999)).status).toBe(201);
    expect((await waive(clerk, 999, elsewhere)).status).toBe(201);
    expect((await decide(main, request, reject)).status).toBe(200);
    expect((await waive(clerk, 1)).status).toBe(201);
    server.clock.advance({ days: 1 });
    expect((await waive(await staffWith('encoder'), 999)).status).toBe(201);
  });

  it('of cash', async () => {
    const { id } = await runningLoan();
    const { clerk, other } = await hired();
    const cash = (person: Caller, amount: number) => pay(person, id, { amount, channel: 'cash' });
    expect((await cash(clerk, 40_000)).status).toBe(201);
    expect((await cash(clerk, 10_001)).status).toBe(202);
    expect((await cash(clerk, 10_000)).status).toBe(201);
    expect((await cash(other, 20_000)).status).toBe(201);
    expect((await cash(clerk, 1)).status).toBe(202);
  });

  it('of credit, today', async () => {
    const { id } = await runningLoan('2026-03-09');
    const { id: elsewhere } = await runningLoan('2026-03-09');
    for (const loan of [id, elsewhere]) {
      const all = { amount: 150_000, channel: 'cash', settlement: true };
      expect((await pay(main, loan, all)).status).toBe(201);
    }
    const [clerk, other] = [await server.createAdmin(), await server.createAdmin()];
    const credit = (person: Caller, amount: number, loan = id) =>
      pay(person, loan, { amount, channel: 'cash' });
    expect((await credit(clerk, 600)).status).toBe(201);
    requestOf(await credit(clerk, 401));
    expect((await credit(clerk, 400)).status).toBe(201);
    requestOf(await credit(clerk, 1));
    expect((await credit(other, 1_000)).status).toBe(201);
    expect((await credit(clerk, 1_000, elsewhere)).status).toBe(201);
    server.clock.advance({ days: 1 });
    const token = await server.signIn({ username: clerk.email, password: clerk.password });
    const again = { ...clerk, ...server.as(token) };
    expect((await credit(again, 1_000)).status).toBe(201);
    requestOf(await credit(again, 1));
  });
});

describe('credit', () => {
  /** Paid off the day before yesterday by a transfer that another person confirmed. */
  async function settledLoan() {
    const { id } = await runningLoan('2026-03-08');
    const all = { amount: 150_000, channel: 'cash', valueDate: '2026-03-09', settlement: true, reason };
    expect((await pay(main, id, all)).status).toBe(201);
    return id;
  }

  it.each(['2026-03-10', '2026-03-08'])('takes two however the receipt is dated: %s', async (valueDate) => {
    const id = await settledLoan();
    await staffWith('approver');
    const cashier = await staffWith('cashier');
    requestOf(await pay(cashier, id, { amount: 50_000, channel: 'cash', valueDate }));
    expect((await pay(cashier, id, { amount: 900, channel: 'cash', valueDate })).status).toBe(201);
    // And adds up, of a day.
    requestOf(await pay(cashier, id, { amount: 200, channel: 'cash', valueDate }));
  });
});

describe.each([
  ['a deferral', (person: Caller, id: number) => act(person, id, { kind: 'deferral', months: 6, reason })],
  [
    'a wallet payment by staff',
    (person: Caller, id: number) => pay(person, id, { amount: 5, channel: 'wallet', reason }),
  ],
  [
    'a payment of 61 days ago',
    (person: Caller, id: number) => pay(person, id, { amount: 5, channel: 'cash', valueDate: '2026-01-08' }),
  ],
  [
    'a receipt that settles',
    (person: Caller, id: number) =>
      pay(person, id, { amount: 45_000, channel: 'cash', settlement: true, reason }),
  ],
])('%s', (what, ask) => {
  it('waits for a second person', async () => {
    const { id, borrower } = await runningLoan('2026-03-09');
    if (what.includes('61')) {
      const early = await runningLoan();
      await staffWith('approver');
      requestOf(await ask(main, early.id));
      return;
    }
    if (what.includes('wallet')) await server.fund(borrower.id, 1_000);
    if (what.includes('settles')) {
      expect((await pay(main, id, { amount: 106_000, channel: 'cash' })).status).toBe(201);
    }
    await staffWith('approver');
    requestOf(await ask(main, id));
  });
});

it('a day older than 60 days given on confirming waits, and so does confirming what one typed', async () => {
  const { id } = await runningLoan();
  const cashier = await staffWith('cashier', 'approver');
  const typed = { amount: 5, channel: 'gcash', reference: 'GC 10001' };
  const { body } = await pay(cashier, id, typed);
  const payment = Number(body.id);
  expect(told(await change(cashier, payment, { status: 'confirmed' }))).toEqual([403, 'own_request']);
  const third = await staffWith('approver');
  const old = { status: 'confirmed', valueDate: '2026-01-08' };
  const request = requestOf(await change(main, payment, old));
  // The main admin asked and the cashier typed it: only the third may decide.
  expect(told(await decide(cashier, request, approve))).toEqual([403, 'own_request']);
  expect((await decide(third, request, approve)).status).toBe(200);
});

it('rejecting a payment never needs its loan, which an earlier version let somebody delete', async () => {
  const { id } = await runningLoan();
  const typed = await pay(await staffWith('cashier'), id, {
    amount: 5,
    channel: 'gcash',
    reference: 'GC 10002',
  });
  const payment = Number(typed.body.id);
  await server.database.transaction((tx) =>
    tx.update(loans).set({ deletedAt: server.clock.now() }).where(eq(loans.id, id)),
  );
  expect((await change(main, payment, { status: 'confirmed' })).status).toBe(404);
  expect((await change(main, payment, { status: 'rejected', reason: 'Not found' })).status).toBe(200);
});

describe('a request is for what was seen', () => {
  const outdated = [409, 'request_outdated'];
  const isOutdated = async (person: Caller, request: number) => {
    expect(told(await decide(person, request, approve))).toEqual(outdated);
    expect(await decisionOf(request)).toBe('outdated');
    expect(told(await decide(person, request, approve))).toEqual([409, 'already_decided']);
  };

  it('and not for another amount', async () => {
    const { id } = await approvedLoan();
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await disburse(colleague, id, wallet));
    expect((await editLoan(colleague, id, { amount: 2_000_000 })).status).toBe(200);
    await isOutdated(main, request);
  });

  it('nor for less principal than the write-off was asked for', async () => {
    const { id } = await runningLoan();
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await act(main, id, { kind: 'write_off', reason }));
    expect((await pay(colleague, id, { amount: 40_000, channel: 'cash' })).status).toBe(201);
    await isOutdated(colleague, request);
  });

  it.each([
    ['lost the role', (clerk: Person) => setRoles(clerk, ['cashier'])],
    ['was suspended', suspend],
    ['was deleted', async (clerk: Person) => expect((await removeUser(main, clerk.id)).status).toBe(200)],
  ])('nor of somebody who %s', async (_, leave) => {
    const { id } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    await leave(clerk);
    await isOutdated(main, request);
  });

  it('and one is open per loan, kind and target', async () => {
    const { id } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    const preview = write('previewLoan');
    for (const person of [clerk, await staffWith('encoder')]) {
      expect(told(await disburse(person, id, wallet))).toEqual([409, 'already_asked']);
      expect(told(await preview(person, id, { step: 'disbursement', ...wallet }))).toEqual([
        409,
        'already_asked',
      ]);
    }
    expect((await decide(main, request, approve)).status).toBe(200);
    expect((await cancel(main, id, { reason })).status).toBe(201);
    expect(told(await decide(main, request, approve))).toEqual([409, 'already_decided']);
    // It may be asked for again, and that is another request.
    expect(requestOf(await disburse(clerk, id, wallet))).not.toBe(request);
    await expectSoundBooks(server.database);
  });

  it('and the badge counts it for those alone who may decide it', async () => {
    const clerk = await staffWith('encoder');
    const approver = await staffWith('approver');
    const waiting = async (person: Pick<typeof main, 'readToday'>) =>
      (await person.readToday()).waiting.requests;
    const before = await Promise.all([waiting(approver), waiting(clerk), waiting(main)]);
    const { id } = await approvedLoan();
    requestOf(await disburse(clerk, id, wallet));
    const { id: another } = await approvedLoan();
    requestOf(await disburse(main, another, wallet));
    const [ofApprover = 0, ofClerk, ofMain = 0] = before;
    expect(await Promise.all([waiting(approver), waiting(clerk), waiting(main)])).toEqual([
      ofApprover + 2,
      ofClerk,
      ofMain + 1,
    ]);
  });

  it('another refusal leaves it open, and it can be rejected', async () => {
    const { id, borrower } = await runningLoan();
    await server.fund(borrower.id, 100);
    const colleague = await staffWith('approver');
    const request = requestOf(await pay(main, id, { amount: 100, channel: 'wallet', reason }));
    await server.fund(borrower.id, 0);
    expect(told(await decide(colleague, request, approve))).toEqual([409, 'insufficient_funds']);
    expect(await decisionOf(request)).toBeNull();
    expect((await decide(colleague, request, reject)).status).toBe(200);
  });

  it('and a back-dated write-off is for the principal of its day, which is what it books', async () => {
    const { id } = await runningLoan();
    const cash = { amount: 40_000, channel: 'cash', valueDate: '2026-03-01' };
    expect((await pay(main, id, cash)).status).toBe(201);
    const colleague = await staffWith(...staffRoles);
    const writeOff = { kind: 'write_off', valueDate: '2026-02-01', reason };
    const request = requestOf(await act(main, id, writeOff));
    expect(await requests()).toMatchObject([{ payload: { amount: '150000.00' } }]);
    // A payment after that day does not change the figure.
    expect((await pay(colleague, id, { ...cash, amount: 1_000 })).status).toBe(201);
    expect((await decide(colleague, request, approve)).status).toBe(200);
    expect((await main.readLoanAccount(id)).account.writeOffAmount).toBe('150000.00');
    await expectSoundBooks(server.database);
  });

  it('and it is outdated by what is paid as of before its day', async () => {
    const { id } = await runningLoan();
    const colleague = await staffWith(...staffRoles);
    const writeOff = { kind: 'write_off', valueDate: '2026-02-01', reason };
    const request = requestOf(await act(main, id, writeOff));
    const cash = { amount: 40_000, channel: 'cash', valueDate: '2026-01-31' };
    expect((await pay(colleague, id, cash)).status).toBe(201);
    await isOutdated(colleague, request);
  });
});

describe('a request is closed', () => {
  it('by who asked and by the main admin, and by nobody else', async () => {
    const clerk = await staffWith('encoder');
    const [first, second] = [await approvedLoan(), await approvedLoan()];
    const own = requestOf(await disburse(clerk, first.id, wallet));
    const left = requestOf(await disburse(clerk, second.id, wallet));
    expect(told(await decide(await staffWith('approver'), own, takeBack))).toEqual([403, 'forbidden']);
    expect((await decide(clerk, own, takeBack)).status).toBe(200);
    expect((await decide(main, left, takeBack)).status).toBe(200);
    expect([await decisionOf(own), await decisionOf(left)]).toEqual(['withdrawn', 'withdrawn']);
    expect(await requests()).toEqual([]);
    expect((await disburse(clerk, first.id, wallet)).status).toBe(202);
  });

  it('by cancelling the release', async () => {
    const { id } = await approvedLoan();
    expect((await disburse(main, id, wallet)).status).toBe(201);
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await act(colleague, id, { kind: 'deferral', months: 1, reason }));
    expect((await cancel(colleague, id, { reason })).status).toBe(201);
    expect(await decisionOf(request)).not.toBeNull();
    expect(await requests()).toEqual([]);
  });

  it.each([
    ['deleting the loan', (id: number) => removeLoan(main, id)],
    ['deleting its member', (_: number, borrower: number) => removeUser(main, borrower)],
  ])('by %s', async (_, remove) => {
    const { id, borrower } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    expect((await remove(id, borrower.id)).status).toBe(200);
    expect(await requests()).toEqual([]);
    expect(told(await decide(main, request, reject))).toEqual([409, 'already_decided']);
  });

  it('with its payment, which is rejected once and told once', async () => {
    const { id, borrower } = await runningLoan();
    const cashier = await staffWith('cashier');
    const colleague = await staffWith('approver');
    const request = requestOf(await pay(cashier, id, { amount: 60_000, channel: 'cash' }));
    const [row] = await requests();
    const payment = Number(row?.payload.paymentId);
    expect((await change(colleague, payment, { status: 'rejected', reason })).status).toBe(200);
    expect(told(await decide(colleague, request, reject))).toEqual([409, 'already_decided']);
    expect(told(await change(colleague, payment, { status: 'rejected', reason }))).toEqual([
      409,
      'payment_final',
    ]);
    const notices = await borrower.listNotifications();
    expect(notices.filter(({ title }) => /payment/i.test(title))).toHaveLength(1);
    expect(await requests()).toEqual([]);
  });

  describe('with one entry in the log, by who closed it', () => {
    const closings = ['approval_given', 'approval_refused', 'approval_withdrawn', 'approval_outdated'];
    const logged = async () => {
      const all = await Promise.all(closings.map((action) => auditOf(server.database, action)));
      return all.flat().map(({ action, actorId, after }) => [action, actorId, after?.approvalId]);
    };

    it.each([
      ['cancelling the release', 201],
      ['deleting the loan', 200],
      ['deleting the member', 200],
    ])('%s', async (what, status) => {
      const isCancelling = what === 'cancelling the release';
      const { id, borrower } = await approvedLoan();
      if (isCancelling) expect((await disburse(main, id, wallet)).status).toBe(201);
      const clerk = await staffWith('encoder');
      const request = isCancelling
        ? requestOf(await act(clerk, id, { kind: 'deferral', months: 1, reason }))
        : requestOf(await disburse(clerk, id, wallet));
      const done = isCancelling
        ? await cancel(main, id, { reason })
        : what === 'deleting the loan'
          ? await removeLoan(main, id)
          : await removeUser(main, borrower.id);
      expect(done.status).toBe(status);
      expect(await logged()).toEqual([['approval_outdated', 3, request]]);
    });

    it('rejecting, confirming or withdrawing its payment', async () => {
      const { id } = await runningLoan();
      const [one, other] = [await staffWith('cashier', 'approver'), await staffWith('approver')];
      await staffWith('approver');
      const much = { amount: 60_000, channel: 'cash' };
      const old = { status: 'confirmed', valueDate: '2026-01-08' };
      const open = async () => {
        const request = requestOf(await pay(one, id, much));
        const [row] = await requests();
        const payment = Number(row?.payload.paymentId);
        return { request, payment, confirming: requestOf(await change(other, payment, old)) };
      };
      const rejected = await open();
      expect((await change(other, rejected.payment, { status: 'rejected', reason })).status).toBe(200);
      const confirmed = await open();
      expect((await change(other, confirmed.payment, { status: 'confirmed' })).status).toBe(200);
      const withdrawn = await open();
      expect((await decide(one, withdrawn.request, takeBack)).status).toBe(200);
      const decided = await open();
      expect((await decide(main, decided.confirming, approve)).status).toBe(200);
      const entries = await logged();
      expect(entries).toHaveLength(8);
      expect(entries).toEqual(
        expect.arrayContaining([
          ['approval_refused', other.id, rejected.request],
          ['approval_outdated', other.id, rejected.confirming],
          ['approval_given', other.id, confirmed.request],
          ['approval_outdated', other.id, confirmed.confirming],
          ['approval_withdrawn', one.id, withdrawn.request],
          ['approval_outdated', one.id, withdrawn.confirming],
          ['approval_given', 3, decided.request],
          ['approval_given', 3, decided.confirming],
        ]),
      );
      await expectSoundBooks(server.database);
    });
  });
});

it('what is open is not done at once beside it', async () => {
  const { id } = await runningLoan('2026-03-09');
  const colleague = await staffWith('approver');
  const deferral = { kind: 'deferral', months: 1, reason };
  const request = requestOf(await act(main, id, deferral));
  await suspend(colleague);
  expect(told(await act(main, id, deferral))).toEqual([409, 'already_asked']);
  expect((await decide(main, request, approve)).status).toBe(200);
});

it('every request about a payment goes with it', async () => {
  const { id } = await runningLoan();
  const [one, other] = [await staffWith('cashier', 'approver'), await staffWith('approver')];
  await staffWith('approver');
  const request = requestOf(await pay(one, id, { amount: 60_000, channel: 'cash' }));
  const [row] = await requests();
  const old = { status: 'confirmed', valueDate: '2026-01-08' };
  const confirming = requestOf(await change(other, Number(row?.payload.paymentId), old));
  expect((await decide(one, request, takeBack)).status).toBe(200);
  expect([await decisionOf(request), await decisionOf(confirming)]).toEqual(['withdrawn', 'outdated']);
});

describe('there is one way to release a loan', () => {
  it.each([{ reason: 'disbursement' }, { loanId: 1 }])('and it is no balance edit with %j', async (extra) => {
    const { id, borrower } = await approvedLoan();
    const answer = await editMember(main, borrower.id, {
      balance: 150_000,
      ...extra,
      ...('loanId' in extra && { loanId: id }),
    });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['reason']]);
    expect(JSON.stringify(answer.body)).toContain('Release the loan instead');
    expect((await disburse(main, id, wallet)).status).toBe(201);
    await expectSoundBooks(server.database);
  });

  it('but not into the wallet of a suspended account', async () => {
    const { id, borrower } = await approvedLoan();
    await editMember(main, borrower.id, { status: 'suspended' });
    expect(told(await disburse(main, id, wallet))).toEqual([409, 'account_suspended']);
    const direct = { channel: 'direct', reference: 'BNK 0001' };
    expect((await disburse(main, id, direct)).status).toBe(201);
  });

  it.each(['wallet', 'direct', 'recorded'])('and a member with a loan out (%s) stays', async (channel) => {
    const { id, borrower } = await approvedLoan();
    const body = { channel, ...(channel === 'direct' && { reference: 'BNK 0001' }) };
    expect((await disburse(main, id, body)).status).toBe(201);
    expect(told(await removeUser(main, borrower.id))).toEqual([409, 'member_not_settled']);
    expect(told(await removeLoan(main, id))).toEqual([409, 'loan_disbursed']);
    expect(told(await editLoan(main, id, { status: 'denied' }))).toEqual([409, 'loan_disbursed']);
  });

  it.each(['denied', 'rejected', 'completed', 'in_review', 'active'])(
    'and what an earlier version released by hand is out, also as %s, until it is taken over and paid off',
    async (status) => {
      const borrower = await server.verifiedBorrower();
      const id = await takeOverLoan(server, borrower.id, {
        status: status === 'active' ? status : 'approved',
        releasedAt: server.clock.now(),
        releasedCentavos: centavos(120_000_00),
      });
      expect((await editLoan(main, id, { status })).status).toBe(200);
      expect(told(await removeUser(main, borrower.id))).toEqual([409, 'member_not_settled']);
      for (const terms of [{ amount: 100_000 }, { termMonths: 24 }]) {
        expect(told(await editLoan(main, id, terms))).toEqual([409, 'loan_disbursed']);
      }
      expect(told(await removeLoan(main, id))).toEqual([409, 'loan_disbursed']);
      expect((await editLoan(main, id, { status: 'active' })).status).toBe(200);
      expect((await disburse(main, id, { channel: 'recorded', date: '2026-03-09' })).status).toBe(201);
      const all = { amount: 120_000, channel: 'cash', settlement: true };
      expect((await pay(main, id, all)).status).toBe(201);
      expect((await removeUser(main, borrower.id)).status).toBe(200);
    },
  );
});

/** Every write of staff that section "Roles" of the rules names outside a loan's own steps. */
const memberWrites: [what: string, role: StaffRole, ask: (person: Caller, ids: Ids) => Promise<Answer>][] = [
  ['a name', 'encoder', (as, { member }) => editMember(as, member, { fullName: 'Another Name' })],
  ['a phone', 'encoder', (as, { member }) => editMember(as, member, { phone: '09180000001' })],
  ['a status', 'encoder', (as, { member }) => editMember(as, member, { status: 'suspended' })],
  ['a score', 'encoder', (as, { member }) => editMember(as, member, { creditScore: 512 })],
  ['a code', 'cashier', (as, { member }) => editMember(as, member, { otpCode: '765432' })],
  ['a password', 'approver', (as, { member }) => editMember(as, member, { password: 'a new one for you' })],
  ['a balance', 'approver', (as, { member }) => editMember(as, member, { balance: 4_321 })],
  ['the amount of a loan', 'encoder', (as, { loan }) => editLoan(as, loan, { amount: 160_000 })],
  ['the term of a loan', 'encoder', (as, { loan }) => editLoan(as, loan, { termMonths: 24 })],
  ['the status of a loan', 'encoder', (as, { loan }) => editLoan(as, loan, { status: 'in review' })],
  ['a loan to approved', 'approver', (as, { loan }) => editLoan(as, loan, { status: 'approved' })],
  ['a loan away', 'encoder', (as, { spare }) => removeLoan(as, spare)],
  ['a member away', 'encoder', (as, { leaver }) => removeUser(as, leaver)],
];
type Ids = { member: number; loan: number; spare: number; leaver: number };

describe('every change by staff takes its role', () => {
  it.each(sampleOf(memberWrites, 2))('to set or take %s', async (_, role, ask) => {
    const borrower = await server.verifiedBorrower();
    const ids = {
      member: borrower.id,
      loan: (await apply(server, borrower)).id,
      spare: (await apply(server, await server.verifiedBorrower())).id,
      leaver: (await server.registerBorrower()).id,
    };
    const without = await staffWith(...staffRoles.filter((other) => other !== role));
    const none = await staffWith();
    for (const person of [without, none]) expect(told(await ask(person, ids))).toEqual([403, 'role_missing']);
    expect((await ask(await staffWith(role), ids)).status).toBe(200);
  });

  it('and a value that stays as it is takes none', async () => {
    const borrower = await server.verifiedBorrower();
    const none = await staffWith();
    const { phone, fullName, balance, status } = await none.readMember(borrower.id);
    const same = { phone, fullName, balance, status };
    expect((await editMember(none, borrower.id, same)).status).toBe(200);
  });

  it('so who has none sets no balance, no code and completes no withdrawal', async () => {
    const friend = await server.verifiedBorrower();
    const [none, cashier] = [await staffWith(), await staffWith('cashier', 'encoder')];
    expect(told(await editMember(none, friend.id, { balance: 1_000_000 }))).toEqual([403, 'role_missing']);
    expect(told(await editMember(none, friend.id, { otpCode: '123456' }))).toEqual([403, 'role_missing']);
    // Nor does a cashier settle a loan by raising the wallet and paying from it.
    expect(told(await editMember(cashier, friend.id, { balance: 150_000 }))).toEqual([403, 'role_missing']);
    await server.fund(friend.id, 1_000);
    const { id } = await withdraw(server, friend, 1_000, { bankName: 'Bank B' });
    for (const person of [none, cashier]) {
      await refused(person.updateWithdrawal(id, { status: 'completed' }), 403, 'role_missing');
    }
  });
});

type Refusal = {
  what: string;
  /** The code of the refusal. */
  code: string;
  call: () => Promise<Answer>;
  preview: () => Promise<Answer>;
};

describe('a preview refuses what the call refuses', () => {
  const preview = write('previewLoan');
  const direct = { channel: 'direct', reference: 'BNK 0001' };

  async function expectAlike(refusals: readonly Refusal[]) {
    for (const { what, code, call, preview: previewed } of refusals) {
      const before = await previewed();
      const done = await call();
      const shown = ({ status, body }: Answer) => [what, status, body.code, body.errors];
      expect(shown(before)).toEqual(shown(done));
      expect([what, done.body.code]).toEqual([what, code]);
    }
  }

  const release = (what: string, code: string, person: Caller, id: number, body: object): Refusal => ({
    what,
    code,
    call: () => disburse(person, id, body),
    preview: () => preview(person, id, { step: 'disbursement', ...body }),
  });
  const cancelling = (what: string, code: string, person: Caller, id: number): Refusal => ({
    what,
    code,
    call: () => cancel(person, id, { reason }),
    preview: () => preview(person, id, { step: 'cancellation' }),
  });
  const paying = (what: string, code: string, person: Caller, id: number, body: object): Refusal => ({
    what,
    code,
    call: () => pay(person, id, body),
    preview: () => preview(person, id, { step: 'payment', ...body }),
  });
  const updating = (
    what: string,
    code: string,
    person: Caller,
    id: number,
    paymentId: number,
    body: object,
  ): Refusal => ({
    what,
    code,
    call: () => change(person, paymentId, { ...body, reason }),
    preview: () => preview(person, id, { step: 'payment_update', paymentId, ...body }),
  });
  const acting = (what: string, code: string, person: Caller, id: number, body: object): Refusal => ({
    what,
    code,
    call: () => act(person, id, { ...body, reason }),
    preview: () => preview(person, id, { step: 'action', ...body }),
  });
  const deciding = (what: string, code: string, person: Caller, id: number, approvalId: number): Refusal => ({
    what,
    code,
    call: () => decide(person, approvalId, approve),
    preview: () => preview(person, id, { step: 'approval', approvalId }),
  });

  it('of a release', async () => {
    const out = await runningLoan();
    const fresh = await apply(server, await server.verifiedBorrower());
    const { id } = await approvedLoan();
    const suspended = await approvedLoan();
    await editMember(main, suspended.borrower.id, { status: 'suspended' });
    const edited = await approvedLoan();
    await editLoan(main, edited.id, { amount: 200_000 });
    const byHand = await takeOverLoan(server, out.borrower.id, {
      status: 'approved',
      releasedAt: server.clock.now(),
      releasedCentavos: centavos(120_000_00),
    });
    const [cashier, encoder] = [await staffWith('cashier'), await staffWith('encoder')];
    await expectAlike([
      release('without the role', 'role_missing', cashier, id, wallet),
      release('of what is out', 'already_disbursed', main, out.id, wallet),
      release('of what nobody approved', 'loan_not_approved', main, fresh.id, wallet),
      release('of what was not agreed', 'terms_not_agreed', main, edited.id, wallet),
      release('of what was credited', 'already_credited', main, byHand, wallet),
      release('to who is suspended', 'account_suspended', main, suspended.id, wallet),
      release('of nothing', 'not_found', main, 99_999, wallet),
      release('without a reference', 'validation_failed', main, id, { channel: 'direct' }),
      release('tomorrow', 'validation_failed', main, id, { ...direct, date: '2026-03-11' }),
      release('yesterday into the wallet', 'validation_failed', main, id, { ...wallet, date: '2026-03-09' }),
    ]);
    requestOf(await disburse(encoder, id, wallet));
    await expectAlike([release('asked for', 'already_asked', encoder, id, wallet)]);
  });

  it('of a cancellation', async () => {
    const [inWallet, paid, waiting] = [await approvedLoan(), await approvedLoan(), await approvedLoan()];
    const [spent, approved, out] = [await approvedLoan(), await approvedLoan(), await runningLoan()];
    for (const { id } of [inWallet, paid, waiting, spent]) {
      expect((await disburse(main, id, wallet)).status).toBe(201);
    }
    await pay(main, paid.id, { amount: 100, channel: 'cash' });
    await pay(main, waiting.id, { amount: 100, channel: 'maya', reference: 'M 0001' });
    await server.fund(spent.borrower.id, 100);
    await expectAlike([
      cancelling('without the role', 'role_missing', await staffWith('cashier'), inWallet.id),
      cancelling('of what is not out', 'not_disbursed', main, approved.id),
      cancelling('of what was recorded', 'not_in_wallet', main, out.id),
      cancelling('of what was paid on', 'has_payments', main, paid.id),
      cancelling('of what a payment waits on', 'payment_waiting', main, waiting.id),
      cancelling('of what has left', 'already_withdrawn', main, spent.id),
    ]);
  });

  it('of a payment', async () => {
    const { id } = await runningLoan();
    const approved = await approvedLoan();
    const cashier = await staffWith('cashier');
    const foreign = await server.upload(cashier.token);
    const own = await server.upload(await server.signInMainAdmin());
    const transfer = { amount: 100, channel: 'gcash', reference: 'G 0001' };
    expect((await pay(main, id, { ...transfer, proofUrl: own.url })).status).toBe(201);
    const cash = { amount: 100, channel: 'cash' };
    const other = { ...transfer, reference: 'G 0002' };
    await expectAlike([
      paying('without the role', 'role_missing', await staffWith('encoder'), id, cash),
      paying('on what is not out', 'not_disbursed', main, approved.id, cash),
      paying('of nothing', 'validation_failed', main, id, { ...cash, amount: 0 }),
      paying('known', 'payment_known', main, id, transfer),
      paying('from an empty wallet', 'insufficient_funds', main, id, { ...cash, channel: 'wallet', reason }),
      paying('with a picture that proves another', 'validation_failed', main, id, {
        ...other,
        proofUrl: own.url,
      }),
      paying('with somebody else’s picture', 'foreign_document', main, id, {
        ...other,
        proofUrl: foreign.url,
      }),
      paying('with no picture at all', 'foreign_document', main, id, {
        ...other,
        proofUrl: '/api/files/none',
      }),
      paying('of before the release', 'validation_failed', main, id, { ...cash, valueDate: '2025-11-09' }),
    ]);
  });

  it('of what is decided about a payment', async () => {
    const { id } = await runningLoan();
    const cashier = await staffWith('cashier', 'approver');
    const recorded = async (body: object) => Number((await pay(cashier, id, body)).body.id);
    const waiting = await recorded({ amount: 100, channel: 'gcash', reference: 'G 0001' });
    const cash = await recorded({ amount: 100, channel: 'cash' });
    const asked = await recorded({ amount: 200, channel: 'cash' });
    const reversal = { status: 'reversed' };
    const confirmation = { status: 'confirmed' };
    await staffWith('approver');
    requestOf(await change(main, asked, { ...reversal, reason }));
    await expectAlike([
      updating('without the role', 'role_missing', await staffWith('cashier'), id, waiting, confirmation),
      updating('of one’s own', 'own_request', cashier, id, waiting, confirmation),
      updating('of what is decided', 'payment_final', main, id, cash, confirmation),
      updating('reversing what waits', 'payment_final', main, id, waiting, reversal),
      updating('asked for', 'already_asked', main, id, asked, reversal),
      updating('of tomorrow', 'validation_failed', main, id, waiting, {
        ...confirmation,
        valueDate: '2026-03-11',
      }),
      updating('of nothing', 'not_found', main, id, 99_999, confirmation),
    ]);
  });

  it('of a change', async () => {
    const { id } = await runningLoan();
    const approved = await approvedLoan();
    const encoder = await staffWith('encoder');
    await staffWith('approver');
    const deferral = { kind: 'deferral', months: 6 };
    requestOf(await act(main, id, { ...deferral, reason }));
    await expectAlike([
      acting('without the role', 'role_missing', await staffWith('cashier'), id, deferral),
      acting('for the main admin alone', 'main_admin_only', encoder, id, { kind: 'write_off' }),
      acting('of what is not out', 'not_disbursed', main, approved.id, deferral),
      acting('asked for', 'already_asked', main, id, deferral),
      acting('too short a deferral', 'deferral_not_possible', main, id, { ...deferral, months: 1 }),
      acting('a deferral of no months', 'validation_failed', main, id, { kind: 'deferral' }),
      acting('a waiver of nothing', 'validation_failed', main, id, { kind: 'waiver' }),
      acting('a waiver above what is owed', 'validation_failed', main, id, {
        kind: 'waiver',
        amount: 90_000,
      }),
      acting('a refund of what is not there', 'validation_failed', main, id, { kind: 'refund', amount: 5 }),
      acting('the reversal of nothing', 'validation_failed', main, id, { kind: 'reversal', reverses: 99 }),
    ]);
  });

  it('of deciding a request', async () => {
    const [encoder, cashier] = [await staffWith('encoder'), await staffWith('cashier', 'approver')];
    const approver = await staffWith('approver');
    const [first, second, edited] = [await approvedLoan(), await approvedLoan(), await approvedLoan()];
    const asked = requestOf(await disburse(encoder, first.id, wallet));
    const own = requestOf(await disburse(main, second.id, wallet));
    const old = requestOf(await disburse(encoder, edited.id, wallet));
    await editLoan(main, edited.id, { amount: 200_000 });
    await expectAlike([
      deciding('without the role', 'role_missing', encoder, first.id, asked),
      deciding('without the role, of nothing', 'role_missing', encoder, first.id, 99_999),
      deciding('of nothing', 'not_found', approver, first.id, 99_999),
      deciding('one’s own', 'own_request', main, second.id, own),
      deciding('of what is another by now', 'request_outdated', approver, edited.id, old),
      deciding('again', 'already_decided', approver, edited.id, old),
    ]);
    for (const request of [asked, own]) expect((await decide(approver, request, approve)).status).toBe(200);
    const typed = { amount: 5, channel: 'gcash', reference: 'GC 10001' };
    const payment = Number((await pay(cashier, first.id, typed)).body.id);
    expect((await change(main, payment, { status: 'confirmed' })).status).toBe(200);
    const reversing = requestOf(await change(main, payment, { status: 'reversed', reason }));
    await server.fund(first.borrower.id, 100);
    const fromWallet = requestOf(await pay(main, first.id, { amount: 100, channel: 'wallet', reason }));
    await server.fund(first.borrower.id, 0);
    await expectAlike([
      deciding('of what one recorded', 'own_request', cashier, first.id, reversing),
      deciding('without the money', 'insufficient_funds', approver, first.id, fromWallet),
    ]);
    expect((await preview(approver, first.id, { step: 'approval', approvalId: reversing })).status).toBe(200);
  });
});

it('a preview says that one person does it where nobody else may', async () => {
  const { id } = await runningLoan();
  const typed = { amount: 5, channel: 'gcash', reference: 'GC 10001' };
  const paymentId = Number((await pay(main, id, typed)).body.id);
  const preview = write('previewLoan');
  const confirming = { step: 'payment_update', paymentId, status: 'confirmed' };
  expect(await preview(main, id, confirming)).toMatchObject({ status: 200, body: { isAlone: true } });
  const colleague = await staffWith('approver');
  const request = requestOf(await act(main, id, { kind: 'deferral', months: 6, reason }));
  await suspend(colleague);
  const deciding = { step: 'approval', approvalId: request };
  expect(await preview(main, id, deciding)).toMatchObject({ status: 200, body: { isAlone: true } });
});

describe('a deferral', () => {
  const deferral = { kind: 'deferral', reason };

  it('is refused when a row that it moves is still in the past on the day of recording', async () => {
    const { id } = await approvedLoan();
    expect((await disburse(main, id, wallet)).status).toBe(201);
    // Its first instalment, of 10 May, is two months late on 11 July, whatever the value date.
    server.clock.advance({ days: 123 });
    const late = { ...deferral, valueDate: '2026-05-11' };
    for (const months of [1, 2]) {
      const refused = await act(main, id, { ...late, months });
      expect(told(refused)).toEqual([409, 'deferral_not_possible']);
    }
    expect((await act(main, id, { ...late, months: 3 })).status).toBe(201);
  });

  it('of before the loan was taken over is judged by its own day', async () => {
    const { id } = await runningLoan();
    const before = { ...deferral, months: 1 };
    expect((await act(main, id, { ...before, valueDate: '2026-01-11' })).status).toBe(201);
    const { id: other } = await runningLoan();
    expect(told(await act(main, other, before))).toEqual([409, 'deferral_not_possible']);
  });
});
