import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, passingServer, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectSoundBooks, ledgerOf } from './books.ts';

const server = await testServer({ engine: 'postgres' });

const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };

async function memberWithCode(code = '123456', pesos = 50_000): Promise<TestBorrower> {
  const member = await server.registerBorrower();
  await server.fund(member.id, pesos);
  await server.setCode(member.id, code);
  return member;
}

const withdraw = (member: TestBorrower, otp: string, amount: unknown = 1000) =>
  member.requestWithdrawal(odd({ ...bank, amount, otp }));

const readMember = (id: number) => server.main.readMember(id);

const invalid = {
  status: 400,
  body: { code: 'invalid_otp', message: 'Invalid or expired OTP code' },
};

describe('a one-time code', () => {
  it('is shown to staff with its expiry, and to nobody else', async () => {
    const member = await memberWithCode('048291');
    expect(await readMember(member.id)).toMatchObject({
      otpCode: '048291',
      hasOtpCode: true,
      otpExpiresAt: '2026-03-11T04:00:00.000Z',
    });
    const own = await member.readProfile().success();
    expect(own.text).not.toContain('048291');
    expect(own.text).not.toContain('otp');
    const notices = await member.listNotifications().success();
    expect(notices.body[0]).toMatchObject({ type: 'otp_set', details: { hours: '24' } });
    expect(notices.text).not.toContain('048291');
    expect(JSON.stringify(await auditOf(server.database, 'otp_set'))).not.toContain('048291');
  });

  it.each([
    ['', 'OTP code cannot be empty'],
    ['12345', 'OTP code must be exactly 6 digits'],
    ['1234567', 'OTP code must be exactly 6 digits'],
    ['12a456', 'OTP code must be exactly 6 digits'],
    ['12 456', 'OTP code must be exactly 6 digits'],
    ['１２３４５６', 'OTP code must be exactly 6 digits'],
    [123456, 'OTP code must be exactly 6 digits'],
    [null, 'OTP code must be exactly 6 digits'],
  ])('cannot be set to %j', async (otpCode, message) => {
    const member = await memberWithCode('123456');
    await refused(server.main.updateMember(member.id, odd({ otpCode })), 400, {
      message,
      errors: { otpCode: message },
    });
    expect(await readMember(member.id)).toMatchObject({ otpCode: '123456' });
  });

  it('works once', async () => {
    const member = await memberWithCode();
    expect((await withdraw(member, '123456').answer()).status).toBe(201);
    expect(await readMember(member.id)).toMatchObject({
      otpCode: null,
      hasOtpCode: false,
      otpExpiresAt: null,
    });
    expect(await withdraw(member, '123456').answer()).toMatchObject(invalid);
    expect(await ledgerOf(server.database, member.id)).toHaveLength(2);
  });

  it('works until the last moment of its 24 hours and not a moment longer', async () => {
    const member = await memberWithCode();
    const late = await memberWithCode();
    server.clock.advance({ hours: 24, ms: -1 });
    expect((await withdraw(member, '123456').answer()).status).toBe(201);
    server.clock.advance({ ms: 1 });
    expect(await withdraw(late, '123456').answer()).toMatchObject(invalid);
    const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
    const seen = await server.as(token).readMember(late.id);
    expect(seen).toMatchObject({ otpCode: null, hasOtpCode: false, otpExpiresAt: null });
  });

  it('is cleared by the fifth wrong try, and a new one has five tries again', async () => {
    const member = await memberWithCode();
    for (let count = 1; count < limits.otpMaxWrongTries; count += 1) {
      expect(await withdraw(member, '000000').answer()).toMatchObject(invalid);
    }
    expect(await readMember(member.id)).toMatchObject({ hasOtpCode: true });
    expect(await withdraw(member, '000000').answer()).toMatchObject(invalid);
    expect(await readMember(member.id)).toMatchObject({ hasOtpCode: false });
    expect(await withdraw(member, '123456').answer()).toMatchObject(invalid);

    await server.setCode(member.id, '222222');
    for (let count = 1; count < limits.otpMaxWrongTries; count += 1)
      await refused(withdraw(member, '000000'), invalid.status);
    expect((await withdraw(member, '222222').answer()).status).toBe(201);
    expect(await auditOf(server.database, 'otp_refused')).toHaveLength(2 * limits.otpMaxWrongTries - 1);
    await expectSoundBooks(server.database);
  });

  it('belongs to one member', async () => {
    const member = await memberWithCode('111111');
    const other = await memberWithCode('222222');
    expect(await withdraw(member, '222222').answer()).toMatchObject(invalid);
    expect((await withdraw(other, '222222').answer()).status).toBe(201);
  });

  it('is neither used nor counted by a request that fails earlier', async () => {
    const member = await memberWithCode('123456', 5000);
    for (let count = 0; count < 10; count += 1) {
      await refused(withdraw(member, '000000', 5000.01), 400, {
        code: 'insufficient_funds',
        message: 'Insufficient funds',
      });
      await refused(withdraw(member, '000000', 10), 400);
      await refused(withdraw(member, '12345'), 400);
    }
    expect((await withdraw(member, '123456', 5000).answer()).status).toBe(201);
  });

  it('is untouched by an edit that does not mention it', async () => {
    const member = await memberWithCode();
    await refused(withdraw(member, '000000'), invalid.status);
    await server.main.updateMember(member.id, { address: '45 Rizal Avenue, Cabanatuan', status: 'active' });
    for (let count = 2; count <= limits.otpMaxWrongTries; count += 1)
      await refused(withdraw(member, '000000'), invalid.status);
    expect(await readMember(member.id)).toMatchObject({ hasOtpCode: false });
  });
});

describe('fifty wrong codes at once', () => {
  it('are checked five times at most', async () => {
    const member = await memberWithCode();
    const answers = await atOnce(50, (index) => withdraw(member, String(200_000 + index)).answer());
    for (const answer of answers) expect(answer).toMatchObject(invalid);
    const refusals = await auditOf(server.database, 'otp_refused');
    expect(refusals.map(({ after }) => after?.wrongTries)).toEqual([1, 2, 3, 4, 5]);
    expect(await withdraw(member, '123456').answer()).toMatchObject(invalid);
  });
});

describe('the message that there is a code', () => {
  /** Newest first: `true` where it is over. */
  const messagesOf = async ({ token }: TestBorrower) =>
    (await server.as(token).listNotifications())
      .filter(({ type }) => type === 'otp_set')
      .map(({ isOver }) => isOver === true);

  it('ends once the code was replaced, was used or has expired', async () => {
    const member = await memberWithCode('111111');
    expect(await messagesOf(member)).toEqual([false]);
    await server.setCode(member.id, '222222');
    expect(await messagesOf(member)).toEqual([false, true]);
    expect((await withdraw(member, '222222').answer()).status).toBe(201);
    expect(await messagesOf(member)).toEqual([true, true]);

    await server.setCode(member.id, '333333');
    server.clock.advance({ hours: 24, ms: -1 });
    expect(await messagesOf(member)).toEqual([false, true, true]);
    server.clock.advance({ ms: 1 });
    expect(await messagesOf(member)).toEqual([true, true, true]);
  });

  it('ends once wrong tries have cleared the code', async () => {
    const member = await memberWithCode();
    for (let count = 0; count < limits.otpMaxWrongTries; count += 1)
      await refused(withdraw(member, '000000'), invalid.status);
    expect(await messagesOf(member)).toEqual([true]);
  });
});

describe('asking for a code', () => {
  const ask = ({ token }: TestBorrower) => server.as(token).requestCode();

  it('tells staff who waits and since when, and carries no code', async () => {
    const member = await memberWithCode('048291');
    const answer = await ask(member).answer();
    expect(answer).toMatchObject({ status: 202, body: { message: expect.any(String) } });
    expect(Object.keys(answer.body)).toEqual(['message']);
    expect(await readMember(member.id)).toMatchObject({ codeRequestedAt: '2026-03-10T04:00:00.000Z' });
    expect(await auditOf(server.database, 'otp_requested')).toMatchObject([
      { actorId: member.id, targetType: 'account', targetId: member.id },
    ]);
    const list = await server.main.listMembers();
    expect(list[0]).toMatchObject({ id: member.id, codeRequestedAt: '2026-03-10T04:00:00.000Z' });
  });

  it('ends once staff set a code, or one was used', async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 50_000);
    await ask(member);
    await server.setCode(member.id, '111111');
    expect(await readMember(member.id)).toMatchObject({ codeRequestedAt: null });

    server.clock.advance({ minutes: limits.codeRequestEveryMinutes });
    expect((await ask(member).answer()).status).toBe(202);
    await refused(withdraw(member, '000000'), 400);
    expect(await readMember(member.id)).toMatchObject({ codeRequestedAt: '2026-03-10T04:10:00.000Z' });
    expect((await withdraw(member, '111111').answer()).status).toBe(201);
    expect(await readMember(member.id)).toMatchObject({ codeRequestedAt: null });
  });

  it('is accepted once in ten minutes, and the rest are told how long to wait', async () => {
    const member = await server.registerBorrower();
    const other = await server.registerBorrower();
    expect((await ask(member).answer()).status).toBe(202);
    server.clock.advance({ minutes: 4 });
    // A code that was set meanwhile opens no way around it.
    await server.setCode(member.id);
    const early = await ask(member).answer();
    expect(early).toMatchObject({
      status: 429,
      // The code was set and is used up: nobody sees this member wait.
      body: { code: 'code_already_requested', message: expect.stringMatching(/10 minutes.*call/) },
      headers: { 'retry-after': '360' },
    });
    expect(await readMember(member.id)).toMatchObject({ codeRequestedAt: null });
    expect((await ask(other).answer()).status).toBe(202);

    server.clock.advance({ minutes: 6, ms: -1 });
    expect((await ask(member).answer()).headers['retry-after']).toBe('1');
    server.clock.advance({ ms: 1 });
    expect((await ask(member).answer()).status).toBe(202);
  });

  it('is accepted once, however many ask at once and on whichever process', async () => {
    const member = await server.registerBorrower();
    const second = await passingServer({ deps: { database: server.database, clock: server.clock } });
    const answers = await atOnce(20, (index) =>
      (index % 2 === 0 ? server : second).as(member).requestCode().answer(),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, ...Array(19).fill(429)]);
    expect(await auditOf(server.database, 'otp_requested')).toHaveLength(1);
  });

  it('is not multiplied by the scale of the other limits', async () => {
    const scaled = await passingServer({ engine: 'postgres', config: { rateLimitScale: 100 } });
    const borrower = await scaled.registerBorrower();
    expect((await borrower.requestCode().answer()).status).toBe(202);
    await refused(borrower.requestCode(), 429);
  });
});
