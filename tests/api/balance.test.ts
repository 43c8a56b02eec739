import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { centavos } from '#domain/money.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { accounts } from '#server/store/schema.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { bothEngines } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks, hashOf, ledgerOf } from './books.ts';
import { approvedApplication } from './lending.ts';

describe.each(bothEngines)('on %s', async (engine) => {
  const server = await testServer({ engine });

  const edit = (memberId: number, anyBody: unknown, headers: Record<string, string> = {}) =>
    server.main.updateMember(memberId, odd(anyBody), { headers });

  describe('a balance set by staff', () => {
    it('becomes a ledger entry for the difference, with who and why', async () => {
      const member = await server.registerBorrower();
      const first = await edit(member.id, { balance: '150000.50', reason: 'correction' }).answer();
      expect(first).toMatchObject({ status: 200, body: { balance: '150000.50' } });
      await edit(member.id, { balance: 100000, expectedBalance: '150000.50' });

      expect(await ledgerOf(server.database, member.id)).toMatchObject([
        { type: 'correction', amountCentavos: 15_000_050, balanceAfterCentavos: 15_000_050, actorId: 3 },
        { type: 'admin_adjustment', amountCentavos: -5_000_050, balanceAfterCentavos: 10_000_000 },
      ]);
      await expectSoundBooks(server.database);
    });

    it('is told to the member and logged', async () => {
      const member = await server.registerBorrower();
      await edit(member.id, { balance: 5000, reason: 'correction' });
      const notices = await member.listNotifications();
      expect(notices).toMatchObject([
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
      await edit(member.id, { balance: '5000.00', expectedBalance: 5000 });
      expect(await ledgerOf(server.database, member.id)).toHaveLength(1);
      expect(await auditOf(server.database, 'balance_changed')).toHaveLength(1);
    });

    it('is refused when the expected balance has moved', async () => {
      const member = await server.registerBorrower();
      await edit(member.id, { balance: 5000 });
      await refused(edit(member.id, { balance: 9000, expectedBalance: 0 }), 409, 'balance_changed');
      const alone = await edit(member.id, {
        expectedBalance: 0,
        address: '45 Rizal Avenue, Cabanatuan',
      }).answer();
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
      await refused(edit(member.id, { balance }), 400, { errors: { balance: expect.any(String) } });
      expect(await ledgerOf(server.database, member.id)).toEqual([]);
    });

    it('of 1e400 or with an unknown reason is refused', async () => {
      const member = await server.registerBorrower();
      await refused(
        server.main.updateMember(member.id, undefined, {
          rawBody: '{"balance":1e400}',
          headers: { 'content-type': 'application/json' },
        }),
        400,
      );
      for (const reason of ['withdrawal', 'gift', 7]) {
        await refused(edit(member.id, { balance: 5, reason }), 400);
      }
      expect(await ledgerOf(server.database, member.id)).toEqual([]);
    });

    it('cannot be set by the member', async () => {
      const member = await server.registerBorrower();
      await member.updateProfile(
        odd({
          balance: 5000,
          creditScore: 850,
          status: 'active',
          otpCode: '123456',
          countryOfWork: 'Qatar',
        }),
      );
      const profile = await member.readProfile();
      expect(profile).toMatchObject({
        balance: '0.00',
        creditScore: 500,
        status: 'pending',
        countryOfWork: 'Qatar',
      });
      await refused(member.updateMember(member.id, { balance: 5000 }), 403, 'forbidden');
    });

    it('is rolled back with the rest of a failing edit', async () => {
      const member = await server.registerBorrower();
      const stranger = await server.registerBorrower();
      const { url } = await server.upload(stranger.token);
      await refused(
        edit(member.id, {
          fullName: 'Another Name',
          status: 'suspended',
          password: 'new password',
          otpCode: '654321',
          creditScore: 700,
          balance: 5000,
          selfieUrl: url,
        }),
        400,
        'foreign_document',
      );
      await refused(
        edit(member.id, {
          status: 'suspended',
          password: 'new password',
          creditScore: 700,
          balance: 5000,
          expectedBalance: 1,
        }),
        409,
      );

      const profile = await member.readProfile();
      expect(profile).toMatchObject({ fullName: 'Maria Clara Santos', balance: '0.00', creditScore: 500 });
      await server.signIn({ phone: member.phone, password: member.password });
      expect(await member.listNotifications()).toEqual([]);
      for (const action of ['member_updated', 'password_issued', 'otp_set', 'credit_score_changed']) {
        expect(await auditOf(server.database, action)).toEqual([]);
      }
    });
  });

  describe('balance edits at the same moment', () => {
    it('from the same expected balance: one is done', async () => {
      const member = await server.registerBorrower();
      await edit(member.id, { balance: 1000 });
      const answers = await atOnce(12, (index) =>
        edit(member.id, { balance: 2000 + index, expectedBalance: 1000 }).answer(),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
      expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
      await expectSoundBooks(server.database);
    });

    it('without one: each is done after the other', async () => {
      const member = await server.registerBorrower();
      await server.signInMainAdmin();
      const answers = await atOnce(12, (index) => edit(member.id, { balance: 100 + index }).answer());
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(await ledgerOf(server.database, member.id)).toHaveLength(12);
      await expectSoundBooks(server.database);
    });
  });

  describe('a balance edit sent again', () => {
    it('has one effect and one answer, even when all arrive at once', async () => {
      const member = await server.registerBorrower();
      const body = { balance: 7000, otpCode: '123456', reason: 'correction' };
      const key = { 'idempotency-key': 'edit-1' };
      await server.signInMainAdmin();
      const answers = await atOnce(8, () => edit(member.id, body, key).answer());
      await server.fund(member.id, 9000);
      answers.push(await edit(member.id, body, key).answer());
      for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
      expect(answers[0]?.body).toMatchObject({ balance: '7000.00', otpCode: '123456' });
      expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
      expect(await auditOf(server.database, 'otp_set')).toHaveLength(1);
    });

    it('with another body is refused', async () => {
      const member = await server.registerBorrower();
      const key = { 'idempotency-key': 'edit-2' };
      await edit(member.id, { balance: 7000 }, key);
      await refused(edit(member.id, { balance: 7001 }, key), 409, 'idempotency_key_reused');
      const stale = { balance: 1, expectedBalance: 3 };
      const first = await refused(edit(member.id, stale, { 'idempotency-key': 'edit-3' }), 409);
      await server.fund(member.id, 3);
      await refused(edit(member.id, stale, { 'idempotency-key': 'edit-3' }), 409, first);
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
      const moved = await atOnce(30, (index) => move(index % 3 ? -150 : 100));
      expect(moved.includes(false)).toBe(true);
      await expectSoundBooks(server.database);
    });

    it('never gives more than there is, nothing to the deleted, and nothing from another balance', async () => {
      const member = await server.registerBorrower();
      await server.fund(member.id, 10);
      const base = { accountId: member.id, type: 'correction', actorId: 3, reason: 'a try' } as const;
      const at = server.clock.now();
      await server.database.transaction(async (tx) => {
        expect(await moveMoney(tx, { ...base, at, amountCentavos: -1001 })).toBe(false);
        expect(await moveMoney(tx, { ...base, at, amountCentavos: 1, expectedBalanceCentavos: 999 })).toBe(
          false,
        );
        expect(await moveMoney(tx, { ...base, at, amountCentavos: 1, accountId: 999_999 })).toBe(false);
      });
      await server.database.transaction(async (tx) => {
        await tx.update(accounts).set({ deletedAt: at }).where(eq(accounts.id, member.id));
      });
      await server.database.transaction(async (tx) => {
        expect(await moveMoney(tx, { ...base, at, amountCentavos: 1 })).toBe(false);
        expect(await moveMoney(tx, { ...base, at, amountCentavos: 1, evenIfDeleted: true })).toBe(true);
      });
      const ledger = await ledgerOf(server.database, member.id);
      expect(ledger.map(({ balanceAfterCentavos }) => balanceAfterCentavos)).toEqual([1000, 1001]);
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

  it('releases no loan: a disbursement or a loan in it is refused, and the loan is released instead', async () => {
    const { borrower: member, id: loanId } = await approvedApplication(server);
    for (const body of [
      { balance: 150_000, reason: 'disbursement' },
      { balance: 150_000, reason: 'disbursement', loanId },
      { balance: 150_000, reason: 'correction', loanId },
      { balance: 150_000, loanId: 999 },
    ]) {
      const message = 'A balance edit releases no loan. Release the loan instead.';
      await refused(edit(member.id, body), 400, { errors: { reason: message } });
    }
    expect(await ledgerOf(server.database, member.id)).toEqual([]);
    await server.main.disburseLoan(loanId, { channel: 'wallet' });
    expect(await ledgerOf(server.database, member.id)).toMatchObject([
      { type: 'disbursement', amountCentavos: 15_000_000 },
    ]);
  });

  it('takes the word adjustment, and marks money that no loan explains for staff', async () => {
    const member = await server.registerBorrower();
    const { body } = await edit(member.id, { balance: 500, reason: 'adjustment' }).answer();
    expect(body).toMatchObject({ balance: '500.00', creditWithoutLoanAt: server.clock.now().toISOString() });
    expect(await ledgerOf(server.database, member.id)).toMatchObject([{ type: 'admin_adjustment' }]);
    expect(await auditOf(server.database, 'balance_changed')).toMatchObject([
      { after: { withoutLoan: true } },
    ]);
  });
});
