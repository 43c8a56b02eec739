import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { accounts, withdrawals } from '#server/store/schema.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks, ledgerOf } from './books.ts';
import { verify } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });

const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };

type Status = 'pending' | 'approved' | 'completed' | 'rejected';

/** A withdrawal of ₱1,000 from ₱5,000, in the first status it has by the bank account it goes to. */
async function requested(first: 'pending' | 'approved' = 'approved', borrower?: TestBorrower) {
  const member = borrower ?? (await server.registerBorrower());
  if (!borrower) {
    await member.updateProfile(bank);
    await server.fund(member.id, 5000);
  }
  await server.setCode(member.id);
  const bankName = first === 'approved' ? bank.bankName : 'Bank B';
  const body = await member.requestWithdrawal({ ...bank, bankName, amount: 1000, otp: '123456' });
  expect(body.status).toBe(first);
  return { member, id: body.id, number: body.withdrawalNumber };
}

const move = (id: number, anyBody: unknown, headers: Record<string, string> = {}) =>
  server.main.updateWithdrawal(id, odd(anyBody), { headers });

const balanceOf = async (member: TestBorrower) => (await member.readProfile()).balance;

/** Marks a member as deleted, as was once possible whatever was in the wallet. */
const markDeleted = (member: TestBorrower) =>
  server.database.transaction(async (tx) => {
    const gone = { deletedAt: server.clock.now(), phoneKey: null, otpCodeSealed: null, otpExpiresAt: null };
    await tx.update(accounts).set(gone).where(eq(accounts.id, member.id));
  });

const final = { status: 409, body: { code: 'withdrawal_final' } };
const impossible = { status: 409, body: { code: 'withdrawal_transition' } };

describe('a withdrawal decided by staff', () => {
  it.each<[Status, Status, object]>([
    ['pending', 'approved', { status: 200 }],
    ['pending', 'completed', { status: 200 }],
    ['pending', 'rejected', { status: 200 }],
    ['pending', 'pending', impossible],
    ['approved', 'completed', { status: 200 }],
    ['approved', 'rejected', { status: 200 }],
    ['approved', 'approved', impossible],
    ['approved', 'pending', impossible],
    ['completed', 'completed', final],
    ['completed', 'rejected', final],
    ['completed', 'approved', final],
    ['completed', 'pending', final],
    ['rejected', 'rejected', final],
    ['rejected', 'completed', final],
    ['rejected', 'approved', final],
    ['rejected', 'pending', final],
  ])('goes from %s to %s as allowed', async (from, to, expected) => {
    const { id } = await requested(from === 'pending' ? 'pending' : 'approved');
    if (from === 'completed' || from === 'rejected') await move(id, { status: from });
    expect(await move(id, { status: to }).answer()).toMatchObject(expected);
    await expectSoundBooks(server.database);
  });

  it('is completed at the server’s time or the given one, and takes no more money', async () => {
    const one = await requested();
    server.clock.advance({ minutes: 5 });
    const answer = await move(one.id, { status: 'completed' });
    expect(answer).toMatchObject({
      id: one.id,
      status: 'completed',
      processedAt: '2026-03-10T04:05:00.000Z',
      user: { id: one.member.id, balance: '4000.00', phone: one.member.phone },
    });
    const two = await requested();
    server.clock.advance({ minutes: 5 });
    const given = { status: 'completed', processedAt: '2026-03-10T12:07:00+08:00' };
    expect((await move(two.id, given)).processedAt).toBe('2026-03-10T04:07:00.000Z');
    const three = await requested();
    expect((await move(three.id, { status: 'completed', processedAt: null })).processedAt).toBe(
      '2026-03-10T04:10:00.000Z',
    );
    const told = await auditOf(server.database, 'withdrawal_status_changed');
    expect(told.map(({ after }) => after?.processedAt)).toEqual([
      '2026-03-10T04:05:00.000Z',
      '2026-03-10T04:07:00.000Z',
      '2026-03-10T04:10:00.000Z',
    ]);
    expect(await balanceOf(one.member)).toBe('4000.00');
  });

  it('is refunded when it is rejected, and told to both the member and the log', async () => {
    const { member, id, number } = await requested();
    const admin = await server.createAdmin();
    await admin.updateWithdrawal(id, { status: 'rejected' });
    expect(await balanceOf(member)).toBe('5000.00');
    const entries = await ledgerOf(server.database, member.id);
    expect(entries.at(-1)).toMatchObject({
      type: 'withdrawal_refund',
      amountCentavos: 100_000,
      withdrawalId: id,
      actorId: admin.id,
    });
    const notices = await member.listNotifications();
    expect(notices[0]).toMatchObject({
      type: 'withdrawal_status_changed',
      message: `Withdrawal ${number}: rejected.\nThe money is back in your wallet.`,
      details: { withdrawalNumber: number, status: 'rejected' },
    });
    expect(await auditOf(server.database, 'withdrawal_status_changed')).toMatchObject([
      {
        actorId: admin.id,
        targetType: 'withdrawal',
        targetId: id,
        before: { status: 'approved' },
        after: { status: 'rejected', amount: '1000.00' },
      },
    ]);
  });

  it.each([
    ['more than a minute before it was requested', -61, 400],
    ['as its clock is a minute slow', -60, 200],
    ['as its clock is a minute fast', 600 + 60, 200],
    ['more than a minute ahead', 600 + 61, 400],
  ])('is not completed at a time %s', async (_, secondsAfterRequest, status) => {
    const { id } = await requested();
    const requestedAt = server.clock.now().getTime();
    server.clock.advance({ minutes: 10 });
    const processedAt = new Date(requestedAt + secondsAfterRequest * 1000).toISOString();
    const answer = await move(id, { status: 'completed', processedAt }).answer();
    expect(answer).toMatchObject(
      status === 200
        ? { status, body: { processedAt } }
        : {
            status,
            body: {
              message: 'The time of processing must lie between the request and now',
              errors: { processedAt: expect.any(String) },
            },
          },
    );
  });

  it('is refunded to the books of a member who was deleted earlier', async () => {
    const { member, id } = await requested('pending');
    await markDeleted(member);
    expect(await move(id, { status: 'rejected' })).toMatchObject({ user: { balance: '5000.00' } });
    await expectSoundBooks(server.database);
  });

  it.each([
    [{}],
    [{ status: 'paid' }],
    [{ status: 'COMPLETED' }],
    [{ status: null }],
    [{ status: ['completed'] }],
    [{ status: 'rejected', processedAt: '2026-03-10T04:00:00Z' }],
    [{ status: 'approved', processedAt: '2026-03-10T04:00:00Z' }],
    [{ status: 'completed', processedAt: 'yesterday' }],
    [{ status: 'completed', processedAt: '2026-13-45T00:00:00Z' }],
    [{ status: 'completed', processedAt: '0001-01-01T00:00:00+14:00' }],
    [{ status: 'completed', processedAt: '9999-12-31T23:59:59-14:00' }],
    [{ status: 'completed', processedAt: 1_700_000_000 }],
    ['completed'],
    [[]],
  ])('with %j is refused', async (body) => {
    const { id } = await requested('pending');
    await refused(move(id, body), 400);
    expect(await move(id, { status: 'completed' }).answer()).toMatchObject({ status: 200 });
  });

  it('must exist, and be decided by staff', async () => {
    const { member, id } = await requested();
    for (const unknown of ['999999', '0', '-1', 'x', '1.5', '99999999999999999999']) {
      await refused(server.main.updateWithdrawal(unknown, { status: 'completed' }), 404, 'not_found');
    }
    const body = { status: 'completed' } as const;
    await refused(member.updateWithdrawal(id, body), 403, { message: 'Access denied' });
    await refused(server.visitor.updateWithdrawal(id, body), 401);
    expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
  });

  it('is answered alike when sent again with its key, and is final without', async () => {
    const { member, id } = await requested();
    const key = { 'idempotency-key': 'reject-1' };
    const first = await move(id, { status: 'rejected' }, key);
    const second = await move(id, { status: 'rejected' }, key).answer();
    expect(second).toMatchObject({ status: 200, body: first });
    await refused(move(id, { status: 'completed' }, key), 409, 'idempotency_key_reused');
    expect(await balanceOf(member)).toBe('5000.00');
  });
});

describe('a held withdrawal', () => {
  const own = {
    status: 403,
    body: {
      code: 'own_request',
      message: expect.stringContaining('somebody else has to release this withdrawal'),
    },
  };
  const as = (token: string, id: number, status: Status) =>
    server.as(token).updateWithdrawal(id, odd({ status }));
  const holdOf = (id: number, token: string) => server.as(token).readWithdrawalHold(id);
  const noticesOf = ({ token }: TestBorrower) => server.as(token).listNotifications();

  /** Held, with funds and code of the main admin; what else is changed is then another's. */
  async function heldAmongTwo() {
    const held = await requested('pending');
    return { ...held, main: await server.signInMainAdmin(), colleague: await server.createAdmin() };
  }

  it('is released by one of two who both changed the account, marked, since nobody else may', async () => {
    const { id, member, colleague } = await heldAmongTwo();
    const { token } = colleague;
    await server.as(token).updateMember(member.id, { password: 'a new one for you' });
    expect(await as(token, id, 'completed')).toMatchObject({ isReleasedAlone: true });
  });

  it.each([['approved'], ['completed']] as const)(
    'is %s by somebody other than who changed the account',
    async (to) => {
      const { id, main, colleague } = await heldAmongTwo();
      expect(await as(main, id, to).answer()).toMatchObject(own);
      await as(colleague.token, id, to);
      expect(await auditOf(server.database, 'withdrawal_status_changed')).toMatchObject([
        { actorId: colleague.id, after: expect.not.objectContaining({ releasedAlone: expect.anything() }) },
      ]);
    },
  );

  it.each([
    ['phone', { phone: '09180000001' }],
    ['password', { password: 'a new one for you' }],
    ['bank', { bankName: 'Bank C', bankAccountNumber: '9876543210987' }],
    ['code', { otpCode: '654321' }],
    ['balance', { balance: 9000 }],
  ])('is not released by whoever changed its account’s %s within 30 days', async (what, body) => {
    const { id, member, colleague } = await heldAmongTwo();
    await server.createAdmin();
    await colleague.updateMember(member.id, body);
    expect(await as(colleague.token, id, 'completed').answer()).toMatchObject(own);
    expect(await holdOf(id, colleague.token)).toMatchObject({
      isOwnRequest: true,
      changes: expect.arrayContaining([
        {
          what,
          actorId: colleague.id,
          actorName: 'Ordinary Admin',
          isStaff: true,
          at: server.clock.now().toISOString(),
        },
      ]),
    });
    server.clock.advance({ days: 30, seconds: 1 });
    const token = await server.signIn({ username: colleague.email, password: colleague.password });
    expect(await holdOf(id, token)).toEqual({ isOwnRequest: false, changes: [], raises: [] });
    await as(token, id, 'completed');
  });

  it('may be released by whoever rejected an earlier one', async () => {
    const { id, member, colleague } = await heldAmongTwo();
    const earlier = await requested('pending', member);
    await as(colleague.token, earlier.id, 'rejected');
    await as(colleague.token, id, 'approved');
  });

  it('may be rejected by anybody', async () => {
    const { id, main, member } = await heldAmongTwo();
    await as(main, id, 'rejected');
    expect(await balanceOf(member)).toBe('5000.00');
  });

  it('is counted among what waits for those who may send it', async () => {
    const counted = async (who: Pick<typeof server.main, 'readToday'>) =>
      (await who.readToday()).waiting.withdrawalsToSend;
    const { id, member, colleague } = await heldAmongTwo();
    const owner = await server.createAdmin({ email: 'own.account@example.com' });
    await colleague.updateMember((await requested()).member.id, { email: 'own.account+loan@example.com' });
    // The main admin set the code of the first; the second goes to an employee's own account.
    expect([await counted(server.main), await counted(colleague), await counted(owner)]).toEqual([1, 2, 1]);
    expect(await holdOf(id, await server.signInMainAdmin())).toMatchObject({ isOwnRequest: true });
    await as(colleague.token, id, 'approved');
    expect([await counted(server.main), await counted(colleague), await counted(owner)]).toEqual([2, 2, 1]);
    await as(colleague.token, id, 'completed');
    expect(await counted(server.main)).toBe(1);
    await server.main.updateMember(member.id, { fullName: 'Another Name' });
  });

  it('is not held back once it was approved', async () => {
    const { id, main, colleague } = await heldAmongTwo();
    await as(colleague.token, id, 'approved');
    await as(main, id, 'completed');
  });

  it('may be released by the only staff account there is, and log, list and member are told', async () => {
    const { id, member, number } = await requested('pending');
    const other = await server.createAdmin();
    const suspend = (status: 'suspended' | 'active') =>
      server.signInMainAdmin().then((token) => server.as(token).updateMember(other.id, { status }).success());
    await suspend('suspended');
    expect(await holdOf(id, await server.signInMainAdmin())).toMatchObject({ isOwnRequest: false });
    expect(await move(id, { status: 'completed' })).toMatchObject({ isReleasedAlone: true });
    expect(await auditOf(server.database, 'withdrawal_status_changed')).toMatchObject([
      {
        actorId: 3,
        after: { status: 'completed', releasedAlone: expect.arrayContaining(['balance', 'code']) },
      },
    ]);
    const [told] = await noticesOf(member);
    expect(told?.message).toContain(`Withdrawal ${number}: completed.`);
    expect(told?.message).toMatch(/had recently changed your .*one-time code/);
    expect((await verify(server.database)).wrong).toEqual([]);
    await suspend('active');
    expect(await server.main.listWithdrawals()).toMatchObject([{ id, isReleasedAlone: true }]);
  });

  it('says who changed what, the member included, for staff only', async () => {
    const { id, member } = await requested('pending');
    await member.updateProfile({ bankName: 'Bank D' });
    const { changes } = await holdOf(id, await server.signInMainAdmin());
    expect(changes.map(({ what, actorId, isStaff }) => [what, actorId, isStaff]).sort()).toEqual([
      ['balance', 3, true],
      ['bank', member.id, false],
      ['code', 3, true],
    ]);
    await refused(member.readWithdrawalHold(id), 403);
  });
});

describe('decisions at the same moment', () => {
  it('of one withdrawal: one rejection is done, and refunds once', async () => {
    const { member, id } = await requested();
    await server.signInMainAdmin();
    const answers = await atOnce(20, () => move(id, { status: 'rejected' }).answer());
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'withdrawal_final')).toHaveLength(19);
    expect(await balanceOf(member)).toBe('5000.00');
    await expectSoundBooks(server.database);
  });

  it('of one withdrawal: completed or rejected, never both', async () => {
    const { member, id } = await requested('pending');
    await server.signInMainAdmin();
    const answers = await atOnce(20, (index) =>
      move(id, { status: index % 2 ? 'rejected' : 'completed' }).answer(),
    );
    const [done, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(await balanceOf(member)).toBe(done?.body.status === 'rejected' ? '5000.00' : '4000.00');
    await expectSoundBooks(server.database);
  });

  it('of several withdrawals of one member, beside new ones and a balance edit', async () => {
    const first = await requested();
    const second = await requested('approved', first.member);
    const third = await requested('pending', first.member);
    await server.setCode(first.member.id);
    const answers = await Promise.all([
      ...[first, second, third].flatMap(({ id }) =>
        Array.from({ length: 4 }, (_, index) =>
          move(id, { status: 'rejected' }, { 'idempotency-key': `${id}-${index}` }).answer(),
        ),
      ),
      server.main.updateMember(first.member.id, { balance: 2500 }).answer(),
      first.member.requestWithdrawal({ ...bank, amount: 1000, otp: '123456' }).answer(),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 12).filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.slice(12)).toEqual([200, 201]);
    await expectSoundBooks(server.database);
  });
});

describe('the staff’s list of withdrawals', () => {
  const list = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    server.main.listWithdrawals(query, { headers });

  it('is newest first, with the member of each', async () => {
    const one = await requested();
    const two = await requested('pending');
    await server.setCode(two.member.id, '777777');
    const { body } = await list().answer();
    expect(body.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(body[0]?.user).toEqual({
      id: two.member.id,
      fullName: 'Maria Clara Santos',
      email: null,
      phone: two.member.phone,
      balance: '4000.00',
      otpCode: '777777',
      hasOtpCode: true,
      creditScore: 500,
    });
    expect(body[1]?.user).toMatchObject({ otpCode: null, hasOtpCode: false });
  });

  it('filters by status', async () => {
    const pending = await requested('pending');
    const approved = await requested();
    const rejected = await requested();
    await move(rejected.id, { status: 'rejected' });
    const idsOf = async (status: string) => (await list({ status })).map(({ id }) => id);
    expect(await idsOf('pending')).toEqual([pending.id]);
    expect(await idsOf('approved')).toEqual([approved.id]);
    expect(await idsOf('rejected')).toEqual([rejected.id]);
    expect(await idsOf('completed')).toEqual([]);
    for (const all of ['', 'all']) {
      expect(await idsOf(all)).toEqual([rejected.id, approved.id, pending.id]);
    }
    for (const unknown of ['paid', 'PENDING', "' or 1=1"]) {
      await refused(list({ status: unknown }), 400);
    }
  });

  it('is searched by number, bank and member, alone and with a status', async () => {
    const first = await requested('pending');
    const second = await requested();
    const [two, one] = await list();
    const idsOf = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id);
    expect(await idsOf({ search: one?.withdrawalNumber.toLowerCase() ?? '' })).toEqual([first.id]);
    expect(await idsOf({ search: one?.bankName.toUpperCase() ?? '' })).toContain(first.id);
    expect(await idsOf({ search: first.member.phone })).toEqual([first.id]);
    expect(await idsOf({ search: two?.user.fullName ?? '', status: 'approved' })).toEqual([second.id]);
    expect(await idsOf({ search: first.member.phone, status: 'approved' })).toEqual([]);
    expect(await idsOf({ search: '%' })).toEqual([]);
    await refused(list({ search: 'x'.repeat(121) }), 400);
  });

  it('keeps the withdrawals of a deleted member', async () => {
    const { member, id } = await requested();
    await markDeleted(member);
    expect(await list()).toMatchObject([{ id, user: { id: member.id, hasOtpCode: false } }]);
  });

  it('carries codes in short answers only, and spans many pages', async () => {
    const { member } = await requested();
    await server.setCode(member.id, '777777');
    const add = (count: number) =>
      server.database.transaction(async (tx) => {
        const createdAt = server.clock.now();
        const tag = `${createdAt.getTime()}-${count}`;
        await tx.insert(withdrawals).values(
          Array.from({ length: count }, (_, index) => ({
            accountId: member.id,
            withdrawalNumber: `WD-${tag}-${index}`,
            amountCentavos: centavos(100_000),
            ...bank,
            status: 'pending' as const,
            createdAt,
            updatedAt: createdAt,
          })),
        );
      });
    await add(limits.secretRowsMax - 1);
    const short = await list();
    expect(short).toHaveLength(limits.secretRowsMax);
    expect(short.every(({ user }) => user.otpCode === '777777')).toBe(true);
    const lines = await list({}, { accept: 'application/x-ndjson' }).answer();
    expect(lines.headers['content-type']).toContain('application/x-ndjson');
    expect(lines.text).not.toContain('777777');

    await add(limits.listPageRows + 1);
    const long = await list().answer();
    expect(long.text).not.toContain('777777');
    expect(long.body.every(({ user }) => user.hasOtpCode && user.otpCode === null)).toBe(true);
    const ids = long.body.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(ids).toHaveLength(limits.secretRowsMax + limits.listPageRows + 1);
    const streamed = await list({ status: 'pending' }, { accept: 'application/x-ndjson' }).answer();
    const rows = streamed.text.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).id)).toEqual(
      long.body.filter(({ status }) => status === 'pending').map(({ id }) => id),
    );
  });

  it('is for staff', async () => {
    const member = await server.registerBorrower();
    await refused(member.listWithdrawals(), 403);
    await refused(server.visitor.listWithdrawals(), 401);
    const admin = await server.createAdmin();
    expect(await admin.listWithdrawals()).toEqual([]);
  });
});

describe('who raised wallets by hand', () => {
  const own = { status: 403, body: { code: 'own_request' } };

  /** A withdrawal of a wallet that the main admin has raised, and that nobody has to look at. */
  async function withdrawal(amount: number, borrower?: TestBorrower) {
    const member = borrower ?? (await server.registerBorrower());
    if (!borrower) await member.updateProfile(bank);
    await server.fund(member.id, Number(await balanceOf(member)) + amount);
    return withdrawalOf(member, amount);
  }

  async function withdrawalOf(member: TestBorrower, amount: number) {
    await server.setCode(member.id);
    const { id, status } = await member.requestWithdrawal({ ...bank, amount, otp: '123456' });
    expect(status).toBe('approved');
    return { id, member };
  }

  /** Completes a withdrawal, and expects the panel to have been told the same before. */
  async function complete(id: number, staff: Caller = server.main) {
    const { isOwnRequest } = await staff.readWithdrawalHold(id);
    const answer = await staff.updateWithdrawal(id, { status: 'completed' }).answer();
    expect(isOwnRequest).toBe(answer.status === 403);
    return answer;
  }

  it('completes at most ₱50,000 of all of them together, while another may', async () => {
    const [one, other] = [await withdrawal(30_000), await withdrawal(19_000)];
    const [last, above] = [await withdrawal(1_000), await withdrawal(1_000, one.member)];
    const colleague = await server.createAdmin();
    for (const { id } of [one, other, last]) expect((await complete(id)).status).toBe(200);
    expect(await complete(above.id)).toMatchObject(own);
    const done = await complete(above.id, colleague);
    expect([done.status, done.body.isReleasedAlone]).toEqual([200, undefined]);
    // A withdrawal that the colleague completed is not the main admin's own, and neither is a wallet
    // that the colleague raised.
    const { member, id } = await withdrawal(1_000);
    expect(await complete(id)).toMatchObject(own);
    await move(id, { status: 'rejected' });
    const raised = await server.registerBorrower();
    await raised.updateProfile(bank);
    await colleague.updateMember(raised.id, { balance: 60_000 });
    expect((await complete((await withdrawalOf(raised, 60_000)).id)).status).toBe(200);
    expect(await balanceOf(member)).toBe('1000.00');
    await expectSoundBooks(server.database);
  });

  it('in one withdrawal too, for 30 days and not one second longer', async () => {
    const { id } = await withdrawal(50_001);
    await server.createAdmin();
    expect(await complete(id)).toMatchObject(own);
    server.clock.advance({ days: 30 });
    expect(await complete(id)).toMatchObject(own);
    server.clock.advance({ seconds: 1 });
    expect((await complete(id)).status).toBe(200);
  });

  it('and what was completed more than 30 days ago does not count', async () => {
    const { id, member } = await withdrawal(40_000);
    await server.createAdmin();
    expect((await complete(id)).status).toBe(200);
    server.clock.advance({ days: 30 });
    const token = await server.signIn({ phone: member.phone, password: member.password });
    const next = await withdrawal(50_000, { ...member, token, ...server.as(token) });
    expect(await complete(next.id)).toMatchObject(own);
    server.clock.advance({ seconds: 1 });
    expect((await complete(next.id)).status).toBe(200);
  });

  it('completes them alone, marked, where nobody else may', async () => {
    const [one, other] = [await withdrawal(50_000), await withdrawal(1_000)];
    const done = await complete(one.id);
    expect([done.status, done.body.isReleasedAlone]).toEqual([200, undefined]);
    expect(await complete(other.id)).toMatchObject({ status: 200, body: { isReleasedAlone: true } });
    expect((await auditOf(server.database, 'withdrawal_status_changed')).at(-1)).toMatchObject({
      actorId: 3,
      after: { releasedAlone: ['balance'] },
    });
  });
});
