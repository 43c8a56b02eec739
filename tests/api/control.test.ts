import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import { type StaffRole, staffRoles } from '#domain/member.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks } from './books.ts';
import { apply } from './lending.ts';

/** Who may do what alone, and what becomes of a request that waits (§four-eyes). */
const server = await testServer();

type Answer = {
  status: number;
  body: Partial<Payment> & Partial<LoanAccount> & { approval?: { id: number } } & Partial<ErrorBody>;
};
type Person = { id: number; token: string };

const mainAdmin = async (): Promise<Person> => ({ id: 1, token: await server.signInMainAdmin() });

/** A staff account with these roles alone. */
async function staffWith(...roles: StaffRole[]): Promise<Person> {
  const person = await server.createAdmin();
  await setRoles(person, roles);
  return person;
}

async function setRoles({ id }: Person, roles: StaffRole[]) {
  await server.succeed(api.updateAdmin, { ...(await mainAdmin()), params: { id }, body: { roles } });
}

async function suspend({ id }: Person) {
  const status = 'suspended';
  await server.succeed(api.updateMember, { ...(await mainAdmin()), params: { id }, body: { status } });
}

const write =
  (row: Parameters<typeof server.call>[0]) =>
  async ({ token }: Person, id: number, anyBody: object = {}) =>
    server.call(row, { token, params: { id }, anyBody } as object) as Promise<Answer>;

const disburse = write(api.disburseLoan);
const cancel = write(api.cancelDisbursement);
const pay = write(api.recordPayment);
const change = write(api.updatePayment);
const act = write(api.actOnLoan);
const decide = write(api.decideApproval);
const editLoan = write(api.updateLoan);
const editMember = write(api.updateMember);
const removeLoan = write(api.deleteLoan);
const removeUser = write(api.deleteUser);

const reason = 'As agreed';
const wallet = { channel: 'wallet' };
const approve = { decision: 'approved' };
const withdraw = { decision: 'withdrawn' };
const reject = { decision: 'rejected', reason };

const told = ({ status, body }: Answer) => [status, body.code];
const requestOf = ({ status, body }: Answer): number => {
  expect([status, body.code]).toEqual([202, undefined]);
  return body.approval?.id ?? 0;
};
const requests = async (query: { status?: 'all' } = {}) =>
  (await server.succeed(api.listApprovals, { ...(await mainAdmin()), query })).body;
const decisionOf = async (id: number) =>
  (await requests({ status: 'all' })).find((row) => row.id === id)?.decision;

async function approvedLoan(amount = 150_000) {
  const borrower = await server.verifiedBorrower();
  const { id } = await apply(server, borrower, { amount });
  expect((await editLoan(await mainAdmin(), id, { status: 'approved' })).status).toBe(200);
  return { borrower, id };
}

/** Released while there is one approver: hire others after it. */
async function runningLoan(date = '2025-11-10') {
  const loan = await approvedLoan();
  expect((await disburse(await mainAdmin(), loan.id, { channel: 'recorded', date })).status).toBe(201);
  return loan;
}

describe('a second person', () => {
  it('is asked as soon as one may decide, though it be only the owner', async () => {
    const clerk = await staffWith('encoder');
    const { id } = await approvedLoan();
    const request = requestOf(await disburse(clerk, id, wallet));
    expect(told(await decide(clerk, request, approve))).toEqual([403, 'role_missing']);
    expect((await decide(await mainAdmin(), request, approve)).status).toBe(200);
    await expectSoundBooks(server.database);
  });

  it('is not asked where no other may: it runs at once and says so', async () => {
    await staffWith('encoder', 'cashier');
    const { id } = await approvedLoan();
    const { status, body } = await disburse(await mainAdmin(), id, wallet);
    expect([status, body.events?.at(-1)]).toEqual([201, expect.objectContaining({ isAlone: true })]);
    expect(await auditOf(server.database, 'loan_disbursed')).toMatchObject([{ after: { onePerson: true } }]);
  });

  it('who leaves meanwhile leaves the request to who asked', async () => {
    const colleague = await staffWith('approver');
    const { id } = await approvedLoan();
    const request = requestOf(await disburse(await mainAdmin(), id, wallet));
    expect(told(await decide(await mainAdmin(), request, approve))).toEqual([403, 'own_request']);
    expect(told(await decide(await mainAdmin(), request, reject))).toEqual([403, 'own_request']);
    await suspend(colleague);
    expect((await decide(await mainAdmin(), request, approve)).status).toBe(200);
    expect(await decisionOf(request)).toBe('approved');
  });

  it('neither locks out an office of two nor lets either act alone', async () => {
    const colleague = await staffWith(...staffRoles);
    const owner = await mainAdmin();
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
    requestOf(await disburse(await mainAdmin(), id, wallet));
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
    const waive = (person: Person, amount: number, loan = id) =>
      act(person, loan, { kind: 'waiver', amount, reason });
    expect((await waive(clerk, 999)).status).toBe(201);
    const request = requestOf(await waive(clerk, 2));
    expect((await waive(other, 999)).status).toBe(201);
    expect((await waive(clerk, 999, elsewhere)).status).toBe(201);
    expect((await decide(await mainAdmin(), request, reject)).status).toBe(200);
    expect((await waive(clerk, 1)).status).toBe(201);
    server.clock.advance({ days: 1 });
    expect((await waive(await staffWith('encoder'), 999)).status).toBe(201);
  });

  it('of cash', async () => {
    const { id } = await runningLoan('2025-11-10');
    const { clerk, other } = await hired();
    const cash = (person: Person, amount: number) => pay(person, id, { amount, channel: 'cash' });
    expect((await cash(clerk, 40_000)).status).toBe(201);
    expect((await cash(clerk, 10_001)).status).toBe(202);
    expect((await cash(clerk, 10_000)).status).toBe(201);
    expect((await cash(other, 20_000)).status).toBe(201);
    expect((await cash(clerk, 1)).status).toBe(202);
  });
});

describe('credit', () => {
  /** Paid off the day before yesterday by a transfer that another person confirmed. */
  async function settledLoan() {
    const { id } = await approvedLoan();
    expect((await disburse(await mainAdmin(), id, { channel: 'recorded', date: '2026-03-08' })).status).toBe(
      201,
    );
    const all = { amount: 150_000, channel: 'cash', valueDate: '2026-03-09', settlement: true, reason };
    expect((await pay(await mainAdmin(), id, all)).status).toBe(201);
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
  ['a deferral', (person: Person, id: number) => act(person, id, { kind: 'deferral', months: 6, reason })],
  [
    'a wallet payment by staff',
    (person: Person, id: number) => pay(person, id, { amount: 5, channel: 'wallet', reason }),
  ],
  [
    'a payment of 61 days ago',
    (person: Person, id: number) => pay(person, id, { amount: 5, channel: 'cash', valueDate: '2026-01-08' }),
  ],
  [
    'a receipt that settles',
    (person: Person, id: number) =>
      pay(person, id, { amount: 45_000, channel: 'cash', settlement: true, reason }),
  ],
])('%s', (what, ask) => {
  it('waits for a second person', async () => {
    const { id, borrower } = await runningLoan('2026-03-09');
    if (what.includes('61')) {
      const early = await runningLoan('2025-11-10');
      await staffWith('approver');
      requestOf(await ask(await mainAdmin(), early.id));
      return;
    }
    if (what.includes('wallet')) await server.fund(borrower.id, 1_000);
    if (what.includes('settles')) {
      expect((await pay(await mainAdmin(), id, { amount: 106_000, channel: 'cash' })).status).toBe(201);
    }
    await staffWith('approver');
    requestOf(await ask(await mainAdmin(), id));
  });
});

it('a day older than 60 days given on confirming waits, and so does confirming what one typed', async () => {
  const { id } = await runningLoan('2025-11-10');
  const cashier = await staffWith('cashier', 'approver');
  const typed = { amount: 5, channel: 'gcash', reference: 'GC 10001' };
  const { body } = await pay(cashier, id, typed);
  const payment = Number(body.id);
  expect(told(await change(cashier, payment, { status: 'confirmed' }))).toEqual([403, 'own_request']);
  const third = await staffWith('approver');
  const old = { status: 'confirmed', valueDate: '2026-01-08' };
  const request = requestOf(await change(await mainAdmin(), payment, old));
  // The main admin asked and the cashier typed it: only the third may decide.
  expect(told(await decide(cashier, request, approve))).toEqual([403, 'own_request']);
  expect((await decide(third, request, approve)).status).toBe(200);
});

describe('a request is for what was seen', () => {
  const outdated = [409, 'request_outdated'];
  const isOutdated = async (person: Person, request: number) => {
    expect(told(await decide(person, request, approve))).toEqual(outdated);
    expect(await decisionOf(request)).toBe('outdated');
    expect(told(await decide(person, request, approve))).toEqual([409, 'already_decided']);
  };

  it('and not for another amount', async () => {
    const { id } = await approvedLoan();
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await disburse(colleague, id, wallet));
    expect((await editLoan(colleague, id, { amount: 2_000_000 })).status).toBe(200);
    await isOutdated(await mainAdmin(), request);
  });

  it('nor for less principal than the write-off was asked for', async () => {
    const { id } = await runningLoan();
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await act(await mainAdmin(), id, { kind: 'write_off', reason }));
    expect((await pay(colleague, id, { amount: 40_000, channel: 'cash' })).status).toBe(201);
    await isOutdated(colleague, request);
  });

  it.each([
    ['lost the role', (clerk: Person) => setRoles(clerk, ['cashier'])],
    ['was suspended', suspend],
    [
      'was deleted',
      async (clerk: Person) => expect((await removeUser(await mainAdmin(), clerk.id)).status).toBe(200),
    ],
  ])('nor of somebody who %s', async (_, leave) => {
    const { id } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    await leave(clerk);
    await isOutdated(await mainAdmin(), request);
  });

  it('and one is open per loan, kind and target', async () => {
    const { id } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    const preview = write(api.previewLoan);
    for (const person of [clerk, await staffWith('encoder')]) {
      expect(told(await disburse(person, id, wallet))).toEqual([409, 'already_asked']);
      expect(told(await preview(person, id, { step: 'disbursement', ...wallet }))).toEqual([
        409,
        'already_asked',
      ]);
    }
    expect((await decide(await mainAdmin(), request, approve)).status).toBe(200);
    expect((await cancel(await mainAdmin(), id, { reason })).status).toBe(201);
    expect(told(await decide(await mainAdmin(), request, approve))).toEqual([409, 'already_decided']);
    // It may be asked for again, and that is another request.
    expect(requestOf(await disburse(clerk, id, wallet))).not.toBe(request);
    await expectSoundBooks(server.database);
  });

  it('another refusal leaves it open, and it can be rejected', async () => {
    const { id, borrower } = await runningLoan();
    await server.fund(borrower.id, 100);
    const colleague = await staffWith('approver');
    const request = requestOf(await pay(await mainAdmin(), id, { amount: 100, channel: 'wallet', reason }));
    await server.fund(borrower.id, 0);
    expect(told(await decide(colleague, request, approve))).toEqual([409, 'insufficient_funds']);
    expect(await decisionOf(request)).toBeNull();
    expect((await decide(colleague, request, reject)).status).toBe(200);
  });
});

describe('a request is closed', () => {
  it('by who asked and by the main admin, and by nobody else', async () => {
    const clerk = await staffWith('encoder');
    const [first, second] = [await approvedLoan(), await approvedLoan()];
    const own = requestOf(await disburse(clerk, first.id, wallet));
    const left = requestOf(await disburse(clerk, second.id, wallet));
    expect(told(await decide(await staffWith('approver'), own, withdraw))).toEqual([403, 'forbidden']);
    expect((await decide(clerk, own, withdraw)).status).toBe(200);
    expect((await decide(await mainAdmin(), left, withdraw)).status).toBe(200);
    expect([await decisionOf(own), await decisionOf(left)]).toEqual(['withdrawn', 'withdrawn']);
    expect(await requests()).toEqual([]);
    expect((await disburse(clerk, first.id, wallet)).status).toBe(202);
  });

  it('by cancelling the release', async () => {
    const { id } = await approvedLoan();
    expect((await disburse(await mainAdmin(), id, wallet)).status).toBe(201);
    const colleague = await staffWith(...staffRoles);
    const request = requestOf(await act(colleague, id, { kind: 'deferral', months: 1, reason }));
    expect((await cancel(colleague, id, { reason })).status).toBe(201);
    expect(await decisionOf(request)).not.toBeNull();
    expect(await requests()).toEqual([]);
  });

  it.each([
    ['deleting the loan', (id: number) => mainAdmin().then((main) => removeLoan(main, id))],
    [
      'deleting its member',
      (_: number, borrower: number) => mainAdmin().then((main) => removeUser(main, borrower)),
    ],
  ])('by %s', async (_, remove) => {
    const { id, borrower } = await approvedLoan();
    const clerk = await staffWith('encoder');
    const request = requestOf(await disburse(clerk, id, wallet));
    expect((await remove(id, borrower.id)).status).toBe(200);
    expect(await requests()).toEqual([]);
    expect(told(await decide(await mainAdmin(), request, reject))).toEqual([409, 'already_decided']);
  });

  it('with its payment, which is rejected once and told once', async () => {
    const { id, borrower } = await runningLoan();
    const cashier = await staffWith('cashier');
    const colleague = await staffWith('approver');
    const answer = await pay(cashier, id, { amount: 60_000, channel: 'cash' });
    const request = requestOf(answer);
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
});

it('what is open is not done at once beside it', async () => {
  const { id } = await runningLoan('2026-03-09');
  const colleague = await staffWith('approver');
  const deferral = { kind: 'deferral', months: 1, reason };
  const request = requestOf(await act(await mainAdmin(), id, deferral));
  await suspend(colleague);
  expect(told(await act(await mainAdmin(), id, deferral))).toEqual([409, 'already_asked']);
  expect((await decide(await mainAdmin(), request, approve)).status).toBe(200);
});

it('every request about a payment goes with it', async () => {
  const { id } = await runningLoan();
  const [one, other] = [await staffWith('cashier', 'approver'), await staffWith('approver')];
  await staffWith('approver');
  const request = requestOf(await pay(one, id, { amount: 60_000, channel: 'cash' }));
  const [row] = await requests();
  const old = { status: 'confirmed', valueDate: '2026-01-08' };
  const confirming = requestOf(await change(other, Number(row?.payload.paymentId), old));
  expect((await decide(one, request, withdraw)).status).toBe(200);
  expect([await decisionOf(request), await decisionOf(confirming)]).toEqual(['withdrawn', 'outdated']);
});

describe('there is one way to release a loan', () => {
  it.each([{ reason: 'disbursement' }, { loanId: 1 }])('and it is no balance edit with %j', async (extra) => {
    const { id, borrower } = await approvedLoan();
    const answer = await editMember(await mainAdmin(), borrower.id, {
      balance: 150_000,
      ...extra,
      ...('loanId' in extra && { loanId: id }),
    });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['reason']]);
    expect(JSON.stringify(answer.body)).toContain('Release the loan instead');
    expect((await disburse(await mainAdmin(), id, wallet)).status).toBe(201);
    await expectSoundBooks(server.database);
  });

  it('but not into the wallet of a suspended account', async () => {
    const { id, borrower } = await approvedLoan();
    await editMember(await mainAdmin(), borrower.id, { status: 'suspended' });
    expect(told(await disburse(await mainAdmin(), id, wallet))).toEqual([409, 'account_suspended']);
    const direct = { channel: 'direct', reference: 'BNK 0001' };
    expect((await disburse(await mainAdmin(), id, direct)).status).toBe(201);
  });

  it.each(['wallet', 'direct', 'recorded'])('and a member with a loan out (%s) stays', async (channel) => {
    const { id, borrower } = await approvedLoan();
    const body = { channel, ...(channel === 'direct' && { reference: 'BNK 0001' }) };
    expect((await disburse(await mainAdmin(), id, body)).status).toBe(201);
    expect(told(await removeUser(await mainAdmin(), borrower.id))).toEqual([409, 'member_not_settled']);
    expect(told(await removeLoan(await mainAdmin(), id))).toEqual([409, 'loan_disbursed']);
    expect(told(await editLoan(await mainAdmin(), id, { status: 'denied' }))).toEqual([
      409,
      'loan_disbursed',
    ]);
  });
});

/** Every write of staff that section "Roles" of the rules names outside a loan's own steps. */
const memberWrites: [what: string, role: StaffRole, ask: (person: Person, ids: Ids) => Promise<Answer>][] = [
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
  it.each(memberWrites)('to set or take %s', async (_, role, ask) => {
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
    const body = await server.as(none).readMember(borrower.id);
    const same = { phone: body.phone, fullName: body.fullName, balance: body.balance, status: body.status };
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
    await server.setCode(friend.id);
    const body = await friend.requestWithdrawal({
      bankName: 'Bank B',
      bankAccountNumber: '1234567890',
      amount: 1_000,
      otp: '123456',
    });
    for (const person of [none, cashier]) {
      const answer = await server.as(person).updateWithdrawal(body.id, { status: 'completed' }).answer();
      expect([answer.status, answer.body.code]).toEqual([403, 'role_missing']);
    }
  });
});
