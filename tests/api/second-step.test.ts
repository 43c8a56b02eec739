import { eq } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { verifyAndTell } from '#server/books/verify.ts';
import { resetMainAdmin } from '#server/services/first-start-service.ts';
import { accounts } from '#server/store/schema.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { storedAccount } from '#tests/setup/test-database.ts';
import { mainAdminPassword, type TestAdmin, testServer } from '#tests/setup/test-server.ts';
import { totp } from '#tests/setup/totp.ts';

const server = await testServer();
const required = await testServer({ config: { isSecondStepRequired: true } });

type Server = typeof server;
type WithStep = { secret: string; recoveryCodes: string[] };

const codeAt = (secret: string, seconds = 0, of: Server = server) =>
  totp(secret, new Date(of.clock.now().getTime() + seconds * 1_000));

/** The main admin's unless it is somebody's. */
const passwordOf = ({ password = mainAdminPassword }: { password?: string }) => ({ password });

/** Switches it on, and waits until the code that did so is over. */
async function setUp(
  admin: Pick<TestAdmin, 'setUpSecondStep' | 'confirmSecondStep'> & { password?: string },
  of = server,
): Promise<WithStep> {
  const { secret } = await admin.setUpSecondStep(passwordOf(admin));
  const { recoveryCodes } = await admin.confirmSecondStep({ code: codeAt(secret, 0, of) });
  of.clock.advance({ minutes: 1 });
  return { secret, recoveryCodes };
}

async function staffWithStep() {
  const admin = await server.createAdmin({ fullName: 'Ana Reyes' });
  return { ...admin, ...(await setUp(admin)) };
}

const attempt = ({ email: username, password }: Pick<TestAdmin, 'email' | 'password'>, code?: string) =>
  server.visitor.signIn({ username, password, ...(code !== undefined && { code }) });

describe('a second step', () => {
  it('is a secret for an app, in force once a code of it confirms it', async () => {
    const admin = await server.createAdmin();
    const { secret, uri } = await admin.setUpSecondStep(passwordOf(admin));
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const { protocol, host, pathname, searchParams } = new URL(uri);
    expect([protocol, host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(pathname)).toContain(admin.email);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
      issuer: 'Hiram',
    });
    await attempt(admin);

    const wrong = codeAt(secret) === '000000' ? '000001' : '000000';
    for (const code of [wrong, '１２３４５６', '𖢓𑴏𛇦'])
      await refused(admin.confirmSecondStep({ code }), 401, 'wrong_code');
    await attempt(admin);
    const { recoveryCodes } = await admin.confirmSecondStep({ code: codeAt(secret) });
    expect(new Set(recoveryCodes).size).toBe(limits.recoveryCodes);
    await refused(attempt(admin), 401, 'second_step_required');
    expect((await admin.readProfile()).secondStep).toMatchObject({ recoveryCodesLeft: 10 });

    await refused(admin.setUpSecondStep(passwordOf(admin)), 409, 'second_step_on');
    await refused(admin.confirmSecondStep({ code: codeAt(secret, 30) }), 409, 'second_step_on');
  });

  it('cannot be confirmed or switched off before it was begun, and is not for borrowers', async () => {
    const admin = await server.createAdmin();
    await refused(admin.confirmSecondStep({ code: '123456' }), 409, 'second_step_off');
    const form = { password: admin.password, code: '123456' };
    for (let asked = 0; asked < 12; asked += 1)
      await refused(admin.removeSecondStep(form), 409, 'second_step_off');
    await refused(server.main.resetSecondStep(admin.id), 409, 'second_step_off');
    const borrower = await server.registerBorrower();
    await refused(borrower.setUpSecondStep(passwordOf(borrower)), 403, 'forbidden');
    await refused(server.main.resetSecondStep(borrower.id), 404);
  });

  it('begun twice counts as begun the second time', async () => {
    const admin = await server.createAdmin();
    const first = await admin.setUpSecondStep(passwordOf(admin));
    const second = await admin.setUpSecondStep(passwordOf(admin));
    await refused(admin.confirmSecondStep({ code: codeAt(first.secret) }), 401, 'wrong_code');
    await admin.confirmSecondStep({ code: codeAt(second.secret) });
  });
});

describe('a sign-in with it', () => {
  it('takes password and code, by either form', async () => {
    const admin = await server.createAdmin({ phone: '09181112222' });
    const { secret } = await setUp(admin);
    await refused(attempt(admin), 401, 'second_step_required');
    await refused(attempt(admin, ''), 401, 'second_step_required');
    expect((await attempt(admin, codeAt(secret))).user.id).toBe(admin.id);
    server.clock.advance({ seconds: 30 });
    const { password } = admin;
    await refused(server.visitor.signIn({ phone: '09181112222', password }), 401, 'second_step_required');
    const typed = codeAt(secret).replace(/^.{3}/, '$& ');
    await server.visitor.signIn({ phone: '09181112222', password, code: typed });
  });

  it('says nothing of it to who has not the password, nor from elsewhere, nor to the suspended', async () => {
    const admin = await staffWithStep();
    const stranger = { ...admin, password: 'wrong word' };
    await refused(attempt(stranger), 401, 'invalid_credentials');
    await refused(attempt(stranger, codeAt(admin.secret)), 401, 'invalid_credentials');
    await server.main.addAllowedIp({ ipAddress: '127.0.0.0/8' });
    const { email: username, password } = admin;
    const elsewhere = { address: '198.51.100.1' };
    await refused(server.visitor.signIn({ username, password }, elsewhere), 403, 'ip_not_allowed');
    await server.main.updateMember(admin.id, { status: 'suspended' });
    await refused(attempt(admin), 403, 'account_suspended');
  });

  it('leaves in the log why it was refused', async () => {
    const admin = await staffWithStep();
    await refused(attempt(admin), 401, 'second_step_required');
    await refused(attempt(admin, 'wrong'), 401, 'wrong_code');
    expect((await server.main.listAudit()).slice(0, 2)).toMatchObject([
      { action: 'sign_in_failed', targetId: admin.id, after: { reason: 'wrong_code' } },
      { action: 'sign_in_failed', targetId: admin.id, after: { reason: 'second_step_required' } },
    ]);
  });

  it.each([
    ['of now', 0],
    ['of half a minute ago', -30],
    ['of half a minute ahead', 30],
  ])('takes the code %s', async (_, seconds) => {
    const admin = await staffWithStep();
    await attempt(admin, codeAt(admin.secret, seconds));
  });

  it.each([
    ['that came late', -60],
    ['that came early', 60],
  ])('refuses a code %s', async (_, seconds) => {
    const admin = await staffWithStep();
    server.clock.advance({ minutes: 2 });
    await refused(attempt(admin, codeAt(admin.secret, seconds)), 401, 'wrong_code');
  });

  it('takes each code once, and none older than the last', async () => {
    const admin = await server.createAdmin();
    const { secret } = await admin.setUpSecondStep(passwordOf(admin));
    const first = codeAt(secret);
    await admin.confirmSecondStep({ code: first });
    await refused(attempt(admin, first), 401, 'wrong_code');
    await attempt(admin, codeAt(secret, 30));
    server.clock.advance({ seconds: 30 });
    await refused(attempt(admin, codeAt(secret)), 401, 'wrong_code');
    server.clock.advance({ seconds: 30 });
    const both = [attempt(admin, codeAt(secret)), attempt(admin, codeAt(secret))];
    const statuses = await Promise.all(both.map(async (one) => (await one.answer()).status));
    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('takes codes again after the clock was years ahead', async () => {
    const admin = await staffWithStep();
    const now = server.clock.now();
    server.clock.set('2031-01-01T00:00:00.000Z');
    await attempt(admin, codeAt(admin.secret));
    server.clock.set(now);
    await attempt(admin, codeAt(admin.secret));
    await refused(attempt(admin, codeAt(admin.secret)), 401, 'wrong_code');
  });

  it('takes the codes of the real time in a demo that starts on another day', async () => {
    const admin = await staffWithStep();
    const real = server.clock.now();
    server.clock.advance({ days: 70 });
    server.deps.clock.aheadMs = server.clock.now().getTime() - real.getTime();
    onTestFinished(() => void delete server.deps.clock.aheadMs);
    await refused(attempt(admin, codeAt(admin.secret)), 401, 'wrong_code');
    await attempt(admin, totp(admin.secret, real));
  });

  it('takes each recovery code once, however it is typed', async () => {
    const admin = await staffWithStep();
    const [first = '', second = ''] = admin.recoveryCodes;
    const { user, token } = await attempt(admin, first);
    expect(user.secondStep).toMatchObject({ recoveryCodesLeft: 9 });
    await refused(attempt(admin, first), 401, 'wrong_code');
    await attempt(admin, ` ${second.toUpperCase().replaceAll('-', ' ')} `);
    expect((await server.as(token).readProfile()).secondStep).toMatchObject({ recoveryCodesLeft: 8 });
    const other = await staffWithStep();
    await refused(attempt(other, admin.recoveryCodes[2]), 401, 'wrong_code');
  });
});

describe('tries', () => {
  const wrongCodes = async (admin: TestAdmin, count: number) => {
    for (let tries = 0; tries < count; tries += 1) await refused(attempt(admin, 'wrong'), 401, 'wrong_code');
  };

  it('of codes are counted with those of passwords, and a right password does not clear them', async () => {
    const admin = await staffWithStep();
    for (let tries = 0; tries < 4; tries += 1) {
      await refused(attempt({ ...admin, password: 'wrong word' }), 401, 'invalid_credentials');
    }
    await wrongCodes(admin, 3);
    // Neither cleared nor counted.
    for (let asked = 0; asked < 12; asked += 1) await refused(attempt(admin), 401, 'second_step_required');
    await wrongCodes(admin, 3);
    await refused(attempt(admin, codeAt(admin.secret)), 429, 'too_many_tries');
    await refused(attempt(admin), 429, 'too_many_tries');
  });

  it('begin anew after a complete sign-in, and only then', async () => {
    const admin = await staffWithStep();
    await wrongCodes(admin, 9);
    await refused(attempt(admin), 401, 'second_step_required');
    await attempt(admin, codeAt(admin.secret));
    await wrongCodes(admin, 10);
    await refused(attempt(admin), 429, 'too_many_tries');
  });

  it('wait ever longer, though the password is right in between', async () => {
    const admin = await staffWithStep();
    await wrongCodes(admin, limits.wrongPasswordsPerAccount);
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const seconds = Number((await attempt(admin).answer()).headers['retry-after']);
      waits.push(seconds);
      server.clock.advance({ seconds });
      await refused(attempt(admin), 401, 'second_step_required');
      await wrongCodes(admin, 1);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it('are not cleared by changing the password, which takes no code', async () => {
    const admin = await staffWithStep();
    const newPassword = 'another word';
    await wrongCodes(admin, 9);
    await admin.changePassword({ currentPassword: admin.password, newPassword });
    await wrongCodes({ ...admin, password: newPassword }, 1);
    await refused(attempt({ ...admin, password: newPassword }), 429, 'too_many_tries');
  });

  it('are counted where it is switched off, too', async () => {
    const admin = await staffWithStep();
    const off = (password: string, code: string) => admin.removeSecondStep({ password, code });
    for (let tries = 0; tries < 5; tries += 1) {
      await refused(off('wrong word', codeAt(admin.secret)), 400, 'wrong_password');
      await refused(off(admin.password, '000000'), 401, 'wrong_code');
    }
    await refused(off(admin.password, codeAt(admin.secret)), 429, 'too_many_tries');
    await refused(attempt(admin, codeAt(admin.secret)), 429, 'too_many_tries');
  });
});

describe('a token that was stolen', () => {
  it.each([
    ['an ordinary admin’s', async () => server.createAdmin()],
    [
      'a lone owner’s',
      async () => ({ ...server.as(await server.signInMainAdmin()), password: mainAdminPassword }),
    ],
  ])('of %s sets none up without the password, whose tries are counted', async (_, build) => {
    const staff = await build();
    await refused(staff.setUpSecondStep(odd({})), 400, 'validation_failed');
    for (let tries = 0; tries < 10; tries += 1)
      await refused(staff.setUpSecondStep({ password: 'a guess' }), 400, 'wrong_password');
    await refused(staff.setUpSecondStep({ password: staff.password }), 429, 'too_many_tries');
    expect((await staff.readProfile()).secondStep).toBeUndefined();
    await refused(staff.confirmSecondStep({ code: '123456' }), 409, 'second_step_off');
    server.clock.advance({ minutes: 15 });
    await staff.setUpSecondStep({ password: staff.password });
  });

  it('is worth nothing once its owner switches it on or off, while the owner goes on with another', async () => {
    const admin = await server.createAdmin();
    const { token: stolen } = admin;
    const { secret } = await admin.setUpSecondStep({ password: admin.password });
    const on = await admin.confirmSecondStep({ code: codeAt(secret) });
    expect(on.token).not.toBe(stolen);
    await refused(server.as(stolen).readProfile(), 401, 'not_signed_in');
    await server.as(on.token).readProfile();
    server.clock.advance({ minutes: 1 });
    const form = { password: admin.password, code: codeAt(secret) };
    const off = await server.as(on.token).removeSecondStep(form);
    await refused(server.as(on.token).readProfile(), 401, 'not_signed_in');
    expect((await server.as(off.token).readProfile()).secondStep).toBeUndefined();
  });
});

describe('switching it on and off', () => {
  const newsOf = async (who: Pick<TestAdmin, 'readProfile' | 'listNotifications'>) => {
    const { accessNewsSince } = await who.readProfile();
    return (accessNewsSince === undefined ? [] : await who.listNotifications()).map(({ title }) => title);
  };

  it('ends the account’s other sessions, and tells the other admins on their next visit', async () => {
    const colleague = await server.createAdmin();
    const admin = await server.createAdmin({ fullName: 'Ana Reyes' });
    const second = (await attempt(admin)).token;
    const { secret } = await setUp(admin);
    await refused(server.as(second).readProfile(), 401, 'not_signed_in');
    const on = 'Second step set up: Ana Reyes';
    expect(await newsOf(colleague)).toEqual([on]);
    expect(await newsOf(server.main)).toEqual([on]);
    expect(await newsOf(admin)).toEqual([]);

    const [notice] = await colleague.listNotifications();
    await colleague.closeAccessNews({ lastId: notice?.id ?? 0 });
    expect(await newsOf(colleague)).toEqual([]);

    const third = (await attempt(admin, codeAt(secret))).token;
    server.clock.advance({ seconds: 30 });
    await admin.removeSecondStep({ password: admin.password, code: codeAt(secret) });
    await refused(server.as(third).readProfile(), 401, 'not_signed_in');
    expect((await admin.readProfile()).secondStep).toBeUndefined();
    expect((await newsOf(colleague))[0]).toBe('Second step switched off: Ana Reyes');
    await attempt(admin);

    const actions = (await server.main.listAudit()).map(({ action, actorId }) => [action, actorId]);
    expect(actions).toContainEqual(['second_step_on', admin.id]);
    expect(actions).toContainEqual(['second_step_off', admin.id]);
  });

  it('takes a code, which may be a recovery code', async () => {
    const admin = await staffWithStep();
    const [code = ''] = admin.recoveryCodes;
    await admin.removeSecondStep({ password: admin.password, code });
    // Set up again, the old recovery codes are void.
    await setUp(admin);
    await refused(attempt(admin, admin.recoveryCodes[1]), 401, 'wrong_code');
  });

  it('is for the main admin when a colleague’s phone is lost, and ends their sessions', async () => {
    const admin = await staffWithStep();
    const colleague = await server.createAdmin();
    await refused(colleague.resetSecondStep(admin.id), 403, 'main_admin_only');
    await server.main.resetSecondStep(admin.id);
    await refused(admin.readProfile(), 401, 'not_signed_in');
    const { token } = await attempt(admin);
    const reset = 'Second step reset: Ana Reyes';
    expect((await newsOf(server.as(token)))[0]).toBe(reset);
    expect((await newsOf(colleague))[0]).toBe(reset);
  });

  it('of the main admin’s own takes password and code; on the console neither', async () => {
    const colleague = await server.createAdmin();
    const { secret } = await setUp(server.main);
    await refused(server.main.resetSecondStep(3), 403, 'main_admin_protected');
    const form = { username: 'admin', password: mainAdminPassword };
    await refused(server.visitor.signIn(form), 401, 'second_step_required');
    const { token } = await server.visitor.signIn({ ...form, code: codeAt(secret) });
    await resetMainAdmin(server.deps);
    await refused(server.as(token).readProfile(), 401, 'not_signed_in');
    await server.visitor.signIn(form);
    expect((await newsOf(colleague))[0]).toBe('Second step reset: Main Admin');
  });

  it('leaves nothing of it with a deleted admin', async () => {
    const admin = await staffWithStep();
    await server.main.deleteUser(admin.id);
    expect(await storedAccount(server.database, admin.id)).toMatchObject({
      secondStepSealed: null,
      secondStepAt: null,
      secondStepUsed: null,
      recoveryCodes: null,
    });
  });
});

describe('what is stored of it', () => {
  const stored = (id: number) => storedAccount(server.database, id);
  const write = (id: number, change: Partial<typeof accounts.$inferInsert>) =>
    server.database.transaction((tx) => tx.update(accounts).set(change).where(eq(accounts.id, id)));
  const verified = async () => {
    const said: string[] = [];
    const isSound = await verifyAndTell(server.deps, (line) => void said.push(line), []);
    return { isSound, said: said.join('\n') };
  };

  it('is sealed, and opens in no other row', async () => {
    const admin = await staffWithStep();
    const other = await staffWithStep();
    const row = await stored(admin.id);
    const text = JSON.stringify(row);
    for (const secret of [admin.secret, ...admin.recoveryCodes]) expect(text).not.toContain(secret);
    await write(other.id, { secondStepSealed: row.secondStepSealed, recoveryCodes: row.recoveryCodes });
    await refused(attempt(other, codeAt(admin.secret)), 401, 'wrong_code');
    await refused(attempt(other, admin.recoveryCodes[0]), 401, 'wrong_code');
  });

  it('is covered by the seals: verify names who took it away, or moved it', async () => {
    const admin = await staffWithStep();
    await attempt(admin, admin.recoveryCodes[0]);
    await attempt(admin, codeAt(admin.secret));
    expect(await verified()).toMatchObject({ isSound: true });
    const row = await stored(admin.id);
    const { secondStepSealed, secondStepAt, recoveryCodes } = row;
    const forged = [
      { secondStepAt: null },
      { secondStepSealed: null, secondStepAt: null, recoveryCodes: null },
      { recoveryCodes: [...(recoveryCodes ?? []), 'another'] },
      {
        secondStepAt: null,
        secondStepSealed: `${secondStepSealed}\nsecond_step_at ${JSON.stringify(secondStepAt)}`,
      },
      { recoveryCodes: null, withheldRoles: recoveryCodes as never },
    ];
    for (const change of forged) {
      await write(admin.id, change);
      expect(await verified(), JSON.stringify(change)).toMatchObject({ isSound: false });
      await write(admin.id, {
        withheldRoles: row.withheldRoles,
        secondStepSealed,
        secondStepAt,
        recoveryCodes,
      });
    }
    expect(await verified()).toMatchObject({ isSound: true });
  });
});

describe('where it is required', () => {
  it('a session without it may only set it up', async () => {
    const { token, user } = await required.visitor.signIn({ username: 'admin', password: mainAdminPassword });
    expect(user.mustSetUpSecondStep).toBe(true);
    const main = required.as(token);
    const open = ['readProfile', 'setUpSecondStep', 'confirmSecondStep', 'signOut'];
    for (const [name, row] of Object.entries<Endpoint>(api)) {
      if (row.access === 'anyone' || row.access === 'borrower' || name === 'createMember') continue;
      if (open.includes(name)) continue;
      const { status, body } = await required.call(row, { token, params: { id: 999 }, anyBody: {} });
      expect([name, status, body.code]).toEqual([name, 403, 'second_step_required']);
    }
    await refused(main.createMember({ phone: '09171112222' }), 403, 'second_step_required');
    expect((await main.readProfile()).mustSetUpSecondStep).toBe(true);
    await setUp(main, required);
    expect((await main.readProfile()).mustSetUpSecondStep).toBeUndefined();
    await main.readStats();
  });

  it('leaves borrowers alone, and switching it off closes all else again', async () => {
    const borrower = await required.registerBorrower();
    expect((await borrower.readProfile()).mustSetUpSecondStep).toBeUndefined();
    await borrower.listOwnLoans();
    const { token } = await required.visitor.signIn({ username: 'admin', password: mainAdminPassword });
    const main = required.as(token);
    const { secret } = await setUp(main, required);
    await main.removeSecondStep({ password: mainAdminPassword, code: codeAt(secret, 0, required) });
    await refused(main.readStats(), 403, 'second_step_required');
    await main.signOut();
  });
});

it('Today reminds who may approve, until it is set up', async () => {
  const toSetUp = async (who: Pick<TestAdmin, 'readToday'>) => (await who.readToday()).toSetUp;
  expect(await toSetUp(server.main)).toEqual(['lender', 'secondStep', 'allowedIps', 'backup', 'sms']);
  const approver = await server.createAdmin();
  expect(await toSetUp(approver)).toEqual(['secondStep']);
  const encoder = await server.createAdmin({ roles: ['encoder'] });
  expect(await toSetUp(encoder)).toEqual([]);
  await setUp(approver);
  expect(await toSetUp(approver)).toEqual([]);
});
