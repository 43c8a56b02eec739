import { describe, expect, it } from 'vitest';
import { changeAccount } from '#server/store/account-store.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { bothEngines } from '#tests/setup/test-database.ts';
import { fullProfile, mainAdminPassword, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks, ledgerOf } from './books.ts';
import { apply } from './lending.ts';

describe.each(bothEngines)('on %s', async (engine) => {
  const server = await testServer({ engine });

  const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };

  /** A borrower whose profile has the bank details of `bank`, with money and a code. */
  async function richBorrower(pesos: number | string = 50_000): Promise<TestBorrower> {
    const member = await server.registerBorrower();
    await member.updateProfile(bank);
    await server.fund(member.id, pesos);
    await server.setCode(member.id);
    return member;
  }

  const withdraw = (
    { token }: { token?: string | undefined },
    change: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) =>
    server.as(token).requestWithdrawal(odd({ ...bank, amount: 1000, otp: '123456', ...change }), { headers });

  const editAsStaff = (id: number, body: Record<string, unknown>) => server.main.updateMember(id, odd(body));

  const balanceOf = async (member: TestBorrower) => (await member.readProfile()).balance;

  const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

  describe('a withdrawal', () => {
    it('takes the money out of the wallet and answers with the withdrawal', async () => {
      const member = await richBorrower();
      const answer = await withdraw(member, { amount: '12345.67' }).answer();
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        userId: member.id,
        withdrawalNumber: 'WD-2026-000001',
        amount: '12345.67',
        ...bank,
        status: 'approved',
        createdAt: '2026-03-10T04:00:00.000Z',
        processedAt: null,
        bankReference: null,
      });
      expect(await balanceOf(member)).toBe('37654.33');
      expect(await ledgerOf(server.database, member.id)).toMatchObject([
        { type: 'admin_adjustment' },
        {
          type: 'withdrawal',
          amountCentavos: -1_234_567,
          balanceAfterCentavos: 3_765_433,
          actorId: member.id,
          withdrawalId: answer.body.id,
          reason: 'WD-2026-000001',
        },
      ]);
      expect(await auditOf(server.database, 'withdrawal_requested')).toMatchObject([
        {
          actorId: member.id,
          targetType: 'withdrawal',
          targetId: answer.body.id,
          after: { amount: '12345.67' },
        },
      ]);
      await expectSoundBooks(server.database);
    });

    it('may take the whole balance, and then nothing more', async () => {
      const member = await richBorrower('1000.00');
      expect((await withdraw(member).answer()).status).toBe(201);
      await server.setCode(member.id);
      await refused(withdraw(member), 400, 'insufficient_funds');
      expect(await balanceOf(member)).toBe('0.00');
    });

    it('is numbered by the year in Manila', async () => {
      server.clock.set('2026-12-31T16:30:00.000Z');
      const member = await richBorrower();
      expect((await withdraw(member)).withdrawalNumber).toBe('WD-2027-000001');
    });

    it('is listed to its borrower only, newest first', async () => {
      const member = await richBorrower();
      const other = await richBorrower();
      await withdraw(member, { amount: 1000 });
      await server.setCode(member.id);
      await withdraw(member, { amount: 2000 });
      await withdraw(other, { amount: 3000 });
      const list = await member.listOwnWithdrawals();
      expect(list.map(({ amount }) => amount)).toEqual(['2000.00', '1000.00']);
      expect(list.every(({ userId }) => userId === member.id)).toBe(true);
      const none = await server.registerBorrower();
      expect(await none.listOwnWithdrawals()).toEqual([]);
    });

    it('is for signed-in borrowers', async () => {
      const member = await richBorrower();
      const admin = await server.signInMainAdmin();
      await refused(withdraw({ token: undefined }), 401);
      await refused(withdraw({ token: admin }), 403, 'forbidden');
      await refused(server.main.listOwnWithdrawals(), 403);
      await editAsStaff(member.id, { status: 'suspended' });
      await refused(withdraw(member), 403, { code: 'account_suspended', accountStatus: 'suspended' });
      expect(await ledgerOf(server.database, member.id)).toHaveLength(1);
    });

    it.each([
      [{ amount: 999.99 }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: 0 }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: -5000 }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: '1e4' }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: 'NaN' }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: 1000.555 }, 'amount', 'Please give at most two decimals'],
      [{ amount: '0.001' }, 'amount', 'Please give at most two decimals'],
      [{ amount: ['1000'] }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: null }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ amount: undefined }, 'amount', 'Minimum withdrawal amount is ₱1,000'],
      [{ bankName: '  ' }, 'bankName', 'Bank name is required'],
      [{ bankName: 7 }, 'bankName', 'Bank name is required'],
      [{ bankAccountNumber: '123456789' }, 'bankAccountNumber', 'Account number is required'],
      [{ bankAccountNumber: undefined }, 'bankAccountNumber', 'Account number is required'],
      [{ bankName: 'Bank\u0000A' }, 'bankName', 'This text has characters that cannot be stored'],
      [{ otp: '12345' }, 'otp', 'OTP must be exactly 6 digits'],
      [{ otp: 'abcdef' }, 'otp', 'OTP must be exactly 6 digits'],
      [{ otp: 123456 }, 'otp', 'OTP must be exactly 6 digits'],
      [{ otp: undefined }, 'otp', 'OTP must be exactly 6 digits'],
    ])('with %j is refused', async (change, field, message) => {
      const member = await richBorrower();
      await refused(withdraw(member, change), 400, {
        code: 'validation_failed',
        message,
        errors: { [field]: message },
      });
      expect(await balanceOf(member)).toBe('50000.00');
    });

    it('is refused for lack of funds above what anybody can have', async () => {
      const member = await richBorrower();
      for (const amount of [50_000.01, 90_000_000_000, '90000000000000.00']) {
        await refused(withdraw(member, { amount }), 400, {
          code: 'insufficient_funds',
          message: 'Insufficient funds',
        });
      }
    });

    it('takes no status, owner, number or date from the request', async () => {
      const member = await richBorrower();
      const other = await richBorrower();
      const extra = {
        status: 'completed',
        userId: other.id,
        accountId: other.id,
        withdrawalNumber: 'WD-1',
        processedAt: '2026-01-01T00:00:00Z',
      };
      const { body } = await withdraw(member, extra).answer();
      expect(body).toMatchObject({
        userId: member.id,
        status: 'approved',
        withdrawalNumber: 'WD-2026-000001',
        processedAt: null,
      });
      expect(await balanceOf(other)).toBe('50000.00');
    });
  });

  describe('the first status', () => {
    it('is approved to the bank account of the profile, however it is typed', async () => {
      const member = await richBorrower();
      const typed = { bankName: '  bank  a ', bankAccountNumber: '1234-5678 90123' };
      expect((await withdraw(member, typed)).status).toBe('approved');
    });

    it('is pending to any other account, or without one in the profile', async () => {
      const member = await richBorrower();
      expect((await withdraw(member, { bankAccountNumber: '9999999999' })).status).toBe('pending');
      await server.setCode(member.id);
      expect((await withdraw(member, { bankName: 'Bank B' })).status).toBe('pending');
      const bare = await server.registerBorrower();
      await server.fund(bare.id, 5000);
      await server.setCode(bare.id);
      expect((await withdraw(bare)).status).toBe('pending');
    });

    it.each([
      ['password', { password: 'issued by staff' }],
      ['bank account', { bankAccountNumber: '1234567890124' }],
      ['bank name', { bankName: 'Bank B' }],
    ])('is pending for 48 hours after staff changed the %s', async (_, change) => {
      const member = await richBorrower();
      await editAsStaff(member.id, change);
      const password = 'password' in change ? change.password : member.password;
      const user = await server.main.readMember(member.id);
      const details = { bankName: user.bankName, bankAccountNumber: user.bankAccountNumber };
      const token = await server.signIn({ phone: member.phone, password });
      expect((await withdraw({ token }, details)).status).toBe('pending');

      server.clock.advance({ hours: 48, ms: -1 });
      const admin = await server.signIn({ username: 'admin', password: mainAdminPassword });
      const setCode = () => server.as(admin).updateMember(member.id, { otpCode: '123456' });
      await setCode();
      expect((await withdraw({ token }, details)).status).toBe('pending');
      server.clock.advance({ ms: 1 });
      await setCode();
      expect((await withdraw({ token }, details)).status).toBe('approved');
    });

    const moved = { bankName: 'Bank B', bankAccountNumber: '9876543210987' };
    const issued = 'issued by staff';
    const moveOwnBank = (token: string) => server.as(token).updateProfile(moved);
    const signInIssued = ({ phone }: TestBorrower) => server.signIn({ phone, password: issued });
    const asNewStaff = async (id: number, anyBody: object) => {
      const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
      return server.as(token).updateMember(id, odd(anyBody)).success();
    };

    /** Each answers the password that the account has then. */
    const ways: [string, number, (member: TestBorrower) => Promise<string>][] = [
      [
        'a password was issued and whoever had it moved the bank details',
        30 * 24,
        async (member) => {
          await editAsStaff(member.id, { password: issued });
          server.clock.advance({ hours: 40 });
          await moveOwnBank(await signInIssued(member));
          return issued;
        },
      ],
      [
        'the same was done after a password of one’s own was set',
        30 * 24,
        async (member) => {
          await editAsStaff(member.id, { password: issued });
          const token = await signInIssued(member);
          const newPassword = 'looks like my own';
          await server.as(token).changePassword({ currentPassword: issued, newPassword });
          await moveOwnBank(token);
          return newPassword;
        },
      ],
      [
        'staff issued a password and moved the bank details',
        30 * 24,
        async (member) => {
          await editAsStaff(member.id, { password: issued, ...moved });
          return issued;
        },
      ],
      [
        'staff moved the bank details and days later issued a password',
        30 * 24,
        async (member) => {
          await editAsStaff(member.id, moved);
          server.clock.advance({ days: 3 });
          await asNewStaff(member.id, { password: issued });
          return issued;
        },
      ],
      [
        'the member moved the bank details and then had a password issued',
        48,
        async (member) => {
          await moveOwnBank(member.token);
          await editAsStaff(member.id, { password: issued });
          return issued;
        },
      ],
    ];
    it.each(ways)('is pending where %s, for %i hours', async (_, hours, change) => {
      const member = await richBorrower();
      const password = await change(member);
      const firstStatus = async () => {
        await asNewStaff(member.id, { otpCode: '123456' });
        const token = await server.signIn({ phone: member.phone, password });
        return (await withdraw({ token }, moved)).status;
      };
      server.clock.advance({ hours, seconds: -1 });
      expect(await firstStatus()).toBe('pending');
      server.clock.advance({ seconds: 2 });
      // Where the member moved the bank details, money has to have come in since.
      await server.fund(member.id, 60_000);
      expect(await firstStatus()).toBe('approved');
      const held = await auditOf(server.database, 'withdrawals_held');
      expect(held).toHaveLength(hours > 48 ? 1 : 0);
      const notices = await server
        .as(await server.signIn({ phone: member.phone, password }))
        .listNotifications();
      expect(notices.filter(({ type }) => type === 'withdrawals_held')).toHaveLength(held.length);
    });

    it('is pending while the member has moved the bank details since money last came in', async () => {
      const member = await richBorrower();
      server.clock.advance({ minutes: 1 });
      await moveOwnBank(member.token);
      const firstStatus = async () => {
        await server.setCode(member.id);
        return (await withdraw(member, moved)).status;
      };
      expect(await firstStatus()).toBe('pending');
      server.clock.advance({ days: 29 });
      expect(await firstStatus()).toBe('pending');
      const requests = await member.listOwnWithdrawals();
      // The money that a rejection gives back is not new.
      await server.main.updateWithdrawal(requests[0]?.id ?? 0, { status: 'rejected' });
      expect(await firstStatus()).toBe('pending');
      await server.fund(member.id, 90_000);
      expect(await firstStatus()).toBe('approved');
    });

    it('is pending for 48 hours after anybody moved the bank details of an account that was ever verified, whenever money came in', async () => {
      const write = (id: number, change: Parameters<typeof changeAccount>[2]) =>
        server.database.transaction((tx) => changeAccount(tx, id, change));
      const verified = () => server.verifiedBorrower();
      const asBefore = async () => {
        const member = await server.verifiedBorrower();
        // From before this was kept.
        await write(member.id, { verifiedAt: null });
        return member;
      };
      const once = async () => {
        const member = await server.verifiedBorrower();
        await write(member.id, { address: null });
        return member;
      };
      const onceBefore = async () => {
        const member = await asBefore();
        await apply(server, member);
        await write(member.id, { address: null });
        return member;
      };
      for (const [build, byStaff] of [
        [verified, false],
        [asBefore, false],
        [once, false],
        [onceBefore, false],
        [verified, true],
      ] as const) {
        const member = await build();
        if (byStaff) await editAsStaff(member.id, moved);
        else await moveOwnBank(member.token);
        await server.fund(member.id, 90_000);
        const status = async () => {
          await server.setCode(member.id);
          return (await withdraw(member, moved)).status;
        };
        expect(await status()).toBe('pending');
        server.clock.advance({ hours: 48, seconds: -1 });
        expect(await status()).toBe('pending');
        server.clock.advance({ seconds: 2 });
        await server.fund(member.id, 60_000);
        expect(await status()).toBe('approved');
      }
    });

    it('is approved to what was entered before the account was first verified', async () => {
      const member = await server.registerBorrower();
      const { bankName, bankAccountNumber, ...rest } = fullProfile;
      await member.updateProfile({ bankName: 'Bank Z', bankAccountNumber: '99999999999' });
      await member.updateProfile({ bankName, bankAccountNumber });
      await member.updateProfile(rest);
      const documents = [];
      for (let count = 0; count < 3; count += 1) documents.push((await server.upload(member.token)).url);
      const [idFrontUrl, idBackUrl, selfieUrl] = documents;
      await member.updateProfile({ idFrontUrl, idBackUrl, selfieUrl });
      server.clock.advance({ seconds: 1 });
      await server.fund(member.id, 5_000);
      await server.setCode(member.id);
      const request = { amount: 1_000, bankName, bankAccountNumber, otp: '123456' };
      expect((await member.requestWithdrawal(request)).status).toBe('approved');
    });

    it('is not held by staff who save the same details again, nor by what the member changes', async () => {
      const member = await richBorrower();
      await editAsStaff(member.id, { ...bank, fullName: 'Another Name', status: 'active', creditScore: 700 });
      await member.changePassword({ currentPassword: member.password, newPassword: 'a new one of my own' });
      expect((await withdraw(member)).status).toBe('approved');
    });
  });

  describe('withdrawals at the same moment', () => {
    it('with one code: one is done', async () => {
      const member = await richBorrower(5000);
      const answers = await atOnce(25, () => withdraw(member).answer());
      expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 24 }, () => 400)]);
      expect(await balanceOf(member)).toBe('4000.00');
      await expectSoundBooks(server.database);
    });

    it('do not block each other when each has a retry key of its own', async () => {
      const member = await richBorrower(5000);
      const answers = await atOnce(25, (index) =>
        withdraw(member, { amount: 1000 + index }, { 'idempotency-key': `key-${index}` }).answer(),
      );
      expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 24 }, () => 400)]);
      await expectSoundBooks(server.database);
    });

    it('while staff renew code and balance never take more than there is', async () => {
      const member = await richBorrower(3000);
      const staff = Array.from({ length: 10 }, (_, index) =>
        editAsStaff(
          member.id,
          index % 3 === 0 ? { otpCode: '123456', balance: 3000 } : { otpCode: '123456' },
        ).answer(),
      );
      const requests = Array.from({ length: 30 }, () => withdraw(member, { amount: 2000 }).answer());
      const answers = await Promise.all(requests);
      await Promise.all(staff);
      expect(statusesOf(answers).every((status) => status === 201 || status === 400)).toBe(true);
      expect(statusesOf(answers)).toContain(201);
      await expectSoundBooks(server.database);
    });

    it('beside a deletion of the member, which is refused, leave the books whole', async () => {
      const member = await richBorrower(5000);
      const requests = Array.from({ length: 10 }, (_, index) =>
        withdraw(member, {}, { 'idempotency-key': `key-${index}` }).answer(),
      );
      const deletion = server.main.deleteUser(member.id).answer();
      const answers = await Promise.all(requests);
      expect(await deletion).toMatchObject({ status: 409, body: { code: 'member_not_settled' } });
      for (const { status } of answers) expect([201, 400, 401]).toContain(status);
      await expectSoundBooks(server.database);
    });
  });

  describe('a withdrawal sent again', () => {
    it('with its key is done once and answered alike, even when all arrive at once', async () => {
      const member = await richBorrower(5000);
      const key = { 'idempotency-key': 'submit-1' };
      const answers = await atOnce(10, () => withdraw(member, {}, key).answer());
      await server.setCode(member.id);
      answers.push(await withdraw(member, {}, key).answer());
      for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: answers[0]?.body });
      expect(await balanceOf(member)).toBe('4000.00');
      await expectSoundBooks(server.database);
    });

    it('repeats a refusal without counting another try', async () => {
      const member = await richBorrower(5000);
      const key = { 'idempotency-key': 'submit-2' };
      for (let count = 0; count < 8; count += 1) {
        await refused(withdraw(member, { otp: '000000' }, key), 400, 'invalid_otp');
      }
      expect(await auditOf(server.database, 'otp_refused')).toHaveLength(1);
      expect((await withdraw(member, {}, { 'idempotency-key': 'submit-3' }).answer()).status).toBe(201);
    });

    it('with its key and another body is refused, and keys are each member’s own', async () => {
      const member = await richBorrower(5000);
      const other = await richBorrower(5000);
      const key = { 'idempotency-key': 'submit-4' };
      await withdraw(member, {}, key);
      await refused(withdraw(member, { amount: 1001 }, key), 409, 'idempotency_key_reused');
      expect(await withdraw(other, {}, key).answer()).toMatchObject({
        status: 201,
        body: { userId: other.id },
      });
    });
  });
});
