import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { centavos } from '#domain/money.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { accounts } from '#server/store/schema.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks, hashOf, ledgerOf } from './books.ts';
import { apply } from './lending.ts';

const server = await testServer();

async function edit(memberId: number, anyBody: unknown, headers: Record<string, string> = {}) {
  return server.call(api.updateMember, {
    token: await server.signInMainAdmin(),
    params: { id: memberId },
    anyBody,
    headers,
  });
}

describe('a balance set by staff', () => {
  it('becomes a ledger entry for the difference, with who and why', async () => {
    const member = await server.registerBorrower();
    const first = await edit(member.id, { balance: '150000.50', reason: 'disbursement' });
    expect(first).toMatchObject({ status: 200, body: { balance: '150000.50' } });
    await edit(member.id, { balance: 100000, expectedBalance: '150000.50' });

    expect(await ledgerOf(server.database, member.id)).toMatchObject([
      { type: 'disbursement', amountCentavos: 15_000_050, balanceAfterCentavos: 15_000_050, actorId: 3 },
      { type: 'admin_adjustment', amountCentavos: -5_000_050, balanceAfterCentavos: 10_000_000 },
    ]);
    await expectSoundBooks(server.database);
  });

  it('is told to the member and logged', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { balance: 5000, reason: 'correction' });
    const notices = await server.succeed(api.listNotifications, { token: member.token });
    expect(notices.body).toMatchObject([
      { type: 'balance_changed', message: 'From ₱0.00 to ₱5,000.00.', details: { after: '₱5,000.00' } },
    ]);
    expect(await auditOf(server.database, 'balance_changed')).toMatchObject([
      {
        actorId: 3,
        ipAddress: '127.0.0.1',
        targetId: member.id,
        before: { balance: '0.00' },
        after: { balance: '5000.00', reason: 'correction' },
      },
    ]);
  });

  it('leaves no trace when nothing changes', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { balance: 5000 });
    expect((await edit(member.id, { balance: '5000.00', expectedBalance: 5000 })).status).toBe(200);
    expect(await ledgerOf(server.database, member.id)).toHaveLength(1);
    expect(await auditOf(server.database, 'balance_changed')).toHaveLength(1);
  });

  it('is refused when the expected balance has moved', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { balance: 5000 });
    const refused = await edit(member.id, { balance: 9000, expectedBalance: 0 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'balance_changed' } });
    const alone = await edit(member.id, { expectedBalance: 0, address: '45 Rizal Avenue, Cabanatuan' });
    expect(alone).toMatchObject({ status: 200, body: { balance: '5000.00' } });
    await expectSoundBooks(server.database);
  });

  it.each([
    -1,
    '-1',
    'abc',
    'NaN',
    '1e3',
    '1,000',
    ' 5',
    '',
    1.234,
    '5.001',
    '1000000000.01',
    true,
    null,
    [],
    ['5'],
    {},
    '9'.repeat(400),
  ])('of %j is refused', async (balance) => {
    const member = await server.registerBorrower();
    const refused = await edit(member.id, { balance });
    expect(refused).toMatchObject({ status: 400, body: { errors: { balance: expect.any(String) } } });
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
  });

  it('of 1e400 or with an unknown reason is refused', async () => {
    const member = await server.registerBorrower();
    const tooLarge = await server.call(api.updateMember, {
      token: await server.signInMainAdmin(),
      params: { id: member.id },
      rawBody: '{"balance":1e400}',
      headers: { 'content-type': 'application/json' },
    });
    expect(tooLarge.status).toBe(400);
    for (const reason of ['withdrawal', 'gift', 7]) {
      expect((await edit(member.id, { balance: 5, reason })).status).toBe(400);
    }
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
  });

  it('cannot be set by the member', async () => {
    const member = await server.registerBorrower();
    await server.succeed(api.updateProfile, {
      token: member.token,
      anyBody: {
        balance: 5000,
        creditScore: 850,
        status: 'active',
        otpCode: '123456',
        countryOfWork: 'Qatar',
      },
    });
    const profile = await server.succeed(api.readProfile, { token: member.token });
    expect(profile.body).toMatchObject({
      balance: '0.00',
      creditScore: 500,
      status: 'pending',
      countryOfWork: 'Qatar',
    });
    const refused = await server.call(api.updateMember, {
      token: member.token,
      params: { id: member.id },
      body: { balance: 5000 },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('is rolled back with the rest of a failing edit', async () => {
    const member = await server.registerBorrower();
    const stranger = await server.registerBorrower();
    const { url } = await server.upload(stranger.token);
    const refused = await edit(member.id, {
      fullName: 'Another Name',
      status: 'suspended',
      password: 'new password',
      otpCode: '654321',
      creditScore: 700,
      balance: 5000,
      selfieUrl: url,
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'foreign_document' } });
    const stale = await edit(member.id, {
      status: 'suspended',
      password: 'new password',
      creditScore: 700,
      balance: 5000,
      expectedBalance: 1,
    });
    expect(stale.status).toBe(409);

    const profile = await server.succeed(api.readProfile, { token: member.token });
    expect(profile.body).toMatchObject({ fullName: 'Maria Clara Santos', balance: '0.00', creditScore: 500 });
    await server.signIn({ phone: member.phone, password: member.password });
    expect((await server.succeed(api.listNotifications, { token: member.token })).body).toEqual([]);
    for (const action of ['member_updated', 'password_issued', 'otp_set', 'credit_score_changed']) {
      expect(await auditOf(server.database, action)).toEqual([]);
    }
  });
});

describe('balance edits at the same moment', () => {
  it('from the same expected balance: one is done', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { balance: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        edit(member.id, { balance: 2000 + index, expectedBalance: 1000 }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
    await expectSoundBooks(server.database);
  });

  it('without one: each is done after the other', async () => {
    const member = await server.registerBorrower();
    await server.signInMainAdmin();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => edit(member.id, { balance: 100 + index })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await ledgerOf(server.database, member.id)).toHaveLength(12);
    await expectSoundBooks(server.database);
  });
});

describe('a balance edit sent again', () => {
  it('has one effect and one answer, even when all arrive at once', async () => {
    const member = await server.registerBorrower();
    const body = { balance: 7000, otpCode: '123456', reason: 'disbursement' };
    const key = { 'idempotency-key': 'edit-1' };
    await server.signInMainAdmin();
    const answers = await Promise.all(Array.from({ length: 8 }, () => edit(member.id, body, key)));
    await server.fund(member.id, 9000);
    answers.push(await edit(member.id, body, key));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
    expect(answers[0]?.body).toMatchObject({ balance: '7000.00', otpCode: '123456' });
    expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
    expect(await auditOf(server.database, 'otp_set')).toHaveLength(1);
  });

  it('with another body is refused', async () => {
    const member = await server.registerBorrower();
    const key = { 'idempotency-key': 'edit-2' };
    await edit(member.id, { balance: 7000 }, key);
    const refused = await edit(member.id, { balance: 7001 }, key);
    expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const stale = { balance: 1, expectedBalance: 3 };
    const first = await edit(member.id, stale, { 'idempotency-key': 'edit-3' });
    await server.fund(member.id, 3);
    expect(await edit(member.id, stale, { 'idempotency-key': 'edit-3' })).toMatchObject({
      status: 409,
      body: first.body,
    });
  });
});

describe('the ledger', () => {
  it('stays whole when movements meet without a lock taken before', async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 10);
    const move = (amountCentavos: number) =>
      server.database.transaction((tx) =>
        moveMoney(tx, {
          accountId: member.id,
          amountCentavos,
          type: 'correction',
          actorId: 3,
          reason: 'a race',
          at: server.clock.now(),
        }),
      );
    const moved = await Promise.all(Array.from({ length: 30 }, (_, index) => move(index % 3 ? -150 : 100)));
    expect(moved.some((one) => one === undefined)).toBe(true);
    await expectSoundBooks(server.database);
  });

  it('never gives more than there is, nothing to the deleted, and nothing from another balance', async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 10);
    const base = { accountId: member.id, type: 'correction', actorId: 3, reason: 'a try' } as const;
    const at = server.clock.now();
    await server.database.transaction(async (tx) => {
      expect(await moveMoney(tx, { ...base, at, amountCentavos: -1001 })).toBeUndefined();
      expect(
        await moveMoney(tx, { ...base, at, amountCentavos: 1, expectedBalanceCentavos: 999 }),
      ).toBeUndefined();
      expect(await moveMoney(tx, { ...base, at, amountCentavos: 1, accountId: 999_999 })).toBeUndefined();
    });
    await server.database.transaction(async (tx) => {
      await tx.update(accounts).set({ deletedAt: at }).where(eq(accounts.id, member.id));
    });
    await server.database.transaction(async (tx) => {
      expect(await moveMoney(tx, { ...base, at, amountCentavos: 1 })).toBeUndefined();
      const paid = await moveMoney(tx, { ...base, at, amountCentavos: 1, evenIfDeleted: true });
      expect(paid).toMatchObject({ balanceCentavos: 1001, sequence: 2 });
    });
    await expectSoundBooks(server.database);
  });

  it('shows a changed entry by its hash', async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 10);
    const [entry] = await ledgerOf(server.database, member.id);
    if (!entry) throw new Error('no entry');
    expect(hashOf(entry)).toBe(entry.hash);
    expect(hashOf({ ...entry, amountCentavos: centavos(1_001) })).not.toBe(entry.hash);
    expect(hashOf({ ...entry, reason: 'another' })).not.toBe(entry.hash);
  });
});

describe('a loan that money is paid out for', () => {
  const own = async (token: string) => (await server.succeed(api.listOwnLoans, { token })).body;

  async function change(loanId: number, status: string) {
    const token = await server.signInMainAdmin();
    await server.succeed(api.updateLoan, { token, params: { id: loanId }, body: { status } });
  }

  async function approved(...statuses: string[]) {
    const member = await server.verifiedBorrower();
    const loans = [];
    for (const status of statuses) {
      const loan = await apply(server, member);
      if (status !== 'pending') await change(loan.id, status);
      loans.push(loan);
    }
    return { member, loans };
  }

  it('is released from that moment on, for the member, the staff and the log', async () => {
    const { member, loans } = await approved('approved');
    const [loan] = loans;
    expect(await own(member.token)).toMatchObject([{ releasedAt: null, releasedAmount: null }]);
    server.clock.advance({ hours: 3 });
    const at = server.clock.now().toISOString();
    const answer = await edit(member.id, { balance: 150_000, reason: 'disbursement', loanId: loan?.id });

    const released = { id: loan?.id, status: 'approved', releasedAt: at, releasedAmount: '150000.00' };
    expect(answer).toMatchObject({
      status: 200,
      body: { balance: '150000.00', releasedLoan: { id: loan?.id, releasedAt: at } },
    });
    expect(await own(member.token)).toMatchObject([released]);
    const token = await server.signInMainAdmin();
    expect((await server.succeed(api.listLoans, { token })).body).toMatchObject([released]);
    expect(await auditOf(server.database, 'loan_released')).toMatchObject([
      { actorId: 3, targetType: 'loan', targetId: loan?.id, after: { amount: '150000.00' } },
    ]);
    const [notice] = (await server.succeed(api.listNotifications, { token: member.token })).body;
    expect(notice).toMatchObject({
      type: 'balance_changed',
      title: '₱150,000.00 released',
      message: `Loan ${loan?.loanNumber}: ₱150,000.00 is in your wallet. You can withdraw it.`,
    });
    await expectSoundBooks(server.database);
  });

  it('is the newest approved one without its money, where none is named', async () => {
    const { member } = await approved('approved', 'approved', 'pending', 'denied');
    await edit(member.id, { balance: 150_000, reason: 'disbursement' });
    const isReleased = async () => (await own(member.token)).map(({ releasedAt }) => releasedAt !== null);
    expect(await isReleased()).toEqual([false, false, true, false]);
    await edit(member.id, { balance: 300_000, reason: 'disbursement' });
    expect(await isReleased()).toEqual([false, false, true, true]);
    expect(await edit(member.id, { balance: 400_000, reason: 'disbursement' })).toMatchObject({
      status: 200,
    });
    expect(await isReleased()).toEqual([false, false, true, true]);
  });

  it.each([
    ['an adjustment', { balance: 5_000 }],
    ['a correction', { balance: 5_000, reason: 'correction' }],
    ['a balance that stands already', { balance: '0.00', reason: 'disbursement' }],
  ])('is not so by %s', async (_, body) => {
    const { member } = await approved('approved');
    expect((await edit(member.id, body)).status).toBe(200);
    expect(await own(member.token)).toMatchObject([{ releasedAt: null, releasedAmount: null }]);
  });

  it('keeps its first release date, whatever comes after', async () => {
    const { member, loans } = await approved('approved');
    const loanId = loans[0]?.id ?? 0;
    await edit(member.id, { balance: 100_000, reason: 'disbursement', loanId });
    const [first] = await own(member.token);
    server.clock.advance({ hours: 5 });
    await edit(member.id, { balance: 150_000, reason: 'disbursement', loanId });
    await edit(member.id, { balance: 0, reason: 'correction' });
    await edit(member.id, { balance: 20, reason: 'admin_adjustment' });
    await edit(member.id, { balance: 10, reason: 'disbursement' });
    for (const status of ['active', 'denied', 'pending']) await change(loanId, status);
    expect(await own(member.token)).toMatchObject([
      { releasedAt: first?.releasedAt, releasedAmount: '150000.00', status: 'pending' },
    ]);
    await expectSoundBooks(server.database);
  });

  it('may be active already', async () => {
    const { member, loans } = await approved('active');
    await edit(member.id, { balance: 150_000, reason: 'disbursement', loanId: loans[0]?.id });
    expect(await own(member.token)).toMatchObject([{ status: 'active', releasedAt: expect.any(String) }]);
  });

  it.each(['pending', 'denied', 'account_issue', 'completed'])('is refused while %s', async (status) => {
    const { member, loans } = await approved(status);
    const body = { balance: 150_000, reason: 'disbursement', loanId: loans[0]?.id };
    expect(await edit(member.id, body)).toMatchObject({ status: 409, body: { code: 'loan_not_approved' } });
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
  });

  it('is refused for another member’s loan, a deleted one, or an unknown one', async () => {
    const { loans: others } = await approved('approved');
    const { member, loans } = await approved('approved');
    const token = await server.signInMainAdmin();
    await server.succeed(api.deleteLoan, { token, params: { id: loans[0]?.id ?? 0 } });
    for (const loanId of [others[0]?.id, loans[0]?.id, 999_999, 0, -1, 1.5, '7', null, 2 ** 60, {}]) {
      const refused = await edit(member.id, { balance: 150_000, reason: 'disbursement', loanId });
      expect(refused).toMatchObject({ status: 400, body: { errors: { loanId: expect.any(String) } } });
    }
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
  });

  it('is refused when no money comes in', async () => {
    const { member, loans } = await approved('approved');
    const loanId = loans[0]?.id;
    const asCorrection = await edit(member.id, { balance: 5_000, reason: 'correction', loanId });
    expect(asCorrection).toMatchObject({ status: 400, body: { errors: { loanId: expect.any(String) } } });
    const asNothing = await edit(member.id, { balance: 0, reason: 'disbursement', loanId });
    expect(asNothing).toMatchObject({ status: 400, body: { errors: { balance: expect.any(String) } } });
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
  });

  it('is not released with terms that the borrower has not accepted, named or not', async () => {
    const { member, loans } = await approved('approved');
    const loanId = loans[0]?.id ?? 0;
    const token = await server.signInMainAdmin();
    await server.succeed(api.updateLoan, { token, params: { id: loanId }, body: { termMonths: 24 } });
    const release = { balance: 150_000, reason: 'disbursement' };
    for (const body of [release, { ...release, loanId }]) {
      expect(await edit(member.id, body)).toMatchObject({ status: 409, body: { code: 'terms_not_agreed' } });
    }
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
    const agree = { token: member.token, params: { id: loanId }, body: { version: 2 } };
    await server.succeed(api.acceptContract, agree);
    expect((await edit(member.id, release)).body).toMatchObject({ releasedLoan: { id: loanId } });
  });

  it.each([
    ['a disbursement that no loan waits for', { balance: 5_000, reason: 'disbursement' }, true],
    ['an adjustment', { balance: 5_000 }, true],
    ['a correction', { balance: 5_000, reason: 'correction' }, true],
    ['money taken out', { balance: 500 }, false],
    ['the same sum', { balance: 1_000 }, false],
  ])('is marked in the list and in the log when no loan explains it: %s', async (_, body, isMarked) => {
    const member = await server.registerBorrower();
    await edit(member.id, { balance: 1_000 });
    server.clock.advance({ hours: 1 });
    await edit(member.id, body);
    const hour = isMarked ? '05' : '04';
    const { body: members } = await server.succeed(api.listMembers, {
      token: await server.signInMainAdmin(),
    });
    expect(members).toMatchObject([{ creditWithoutLoanAt: `2026-03-10T${hour}:00:00.000Z` }]);
    const log = await auditOf(server.database, 'balance_changed');
    expect(log.filter(({ after }) => after?.withoutLoan === true)).toHaveLength(isMarked ? 2 : 1);
  });

  it('marks nothing', async () => {
    const { member } = await approved('approved');
    const { body } = await edit(member.id, { balance: 150_000, reason: 'disbursement' });
    expect(body).toMatchObject({ creditWithoutLoanAt: null, releasedLoan: {} });
    expect(await auditOf(server.database, 'balance_changed')).toMatchObject([
      { after: expect.not.objectContaining({ withoutLoan: true }) },
    ]);
  });

  it('is released once by a request sent twice', async () => {
    const { member, loans } = await approved('approved');
    const headers = { 'idempotency-key': 'one-release' };
    const body = { balance: 150_000, reason: 'disbursement', loanId: loans[0]?.id };
    const [first, second] = [await edit(member.id, body, headers), await edit(member.id, body, headers)];
    expect(second.text).toBe(first.text);
    expect(await own(member.token)).toMatchObject([{ releasedAmount: '150000.00' }]);
    expect(await auditOf(server.database, 'loan_released')).toHaveLength(1);
  });
});
