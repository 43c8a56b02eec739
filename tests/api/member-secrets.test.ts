import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { limits } from '#domain/limits.ts';
import { sha256Of } from '#server/books/backup.ts';
import { eraseOldIssuedPasswords } from '#server/services/issued-password-service.ts';
import { accounts } from '#server/store/schema.ts';
import { type Caller, refused } from '#tests/setup/caller.ts';
import { everythingStored, rowsOf, storedAccount } from '#tests/setup/test-database.ts';
import { fullProfile, mainAdminPassword, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { applicant } from './lending.ts';

const server = await testServer();

const issued = 'issued by staff';

const edit = async (
  id: number,
  body: Record<string, unknown>,
  { token, headers }: { token?: string; headers?: Record<string, string> } = {},
) =>
  server.call(api.updateMember, {
    token: token ?? (await server.signInMainAdmin()),
    params: { id },
    anyBody: body,
    ...(headers ? { headers } : {}),
  });

const read = (id: number, who: Caller = server.main) => who.readMember(id);

/** Asks for an answer with these secrets alone. */
const prefer = (secrets: string) => ({ prefer: `secrets=${secrets}` });

const reveals = () => auditOf(server.database, 'password_revealed');

const stored = (id: number) => storedAccount(server.database, id);

/** Where a secret could have been left behind. */
const tables = ['accounts', 'idempotency_keys', 'audit_entries', 'notifications', 'ledger_entries', 'tries'];

describe('a password issued by staff', () => {
  it('opens the account, ends every session, and is shown to staff', async () => {
    const member = await server.registerBorrower();
    const second = await server.signIn({ phone: member.phone, password: member.password });
    const admin = await server.createAdmin();
    const answer = await edit(member.id, { password: issued, plainPassword: 'not read' }, admin);
    expect(answer.body).toMatchObject({ plainPassword: issued, hasIssuedPassword: true });
    expect(await read(member.id, admin)).toMatchObject({ plainPassword: issued });
    for (const token of [member.token, second]) {
      await refused(server.as(token).readProfile(), 401);
    }
    const old = { phone: member.phone, password: member.password };
    await refused(server.visitor.signIn(old), 401);
    const token = await server.signIn({ phone: member.phone, password: issued });
    const notices = await server.as(token).listNotifications().success();
    expect(notices.body.map(({ type }) => type)).toEqual(['password_set']);
    expect(notices.text).not.toContain(issued);
  });

  it('is nowhere readable in the database, not even in the answer kept for a retry', async () => {
    const member = await server.registerBorrower();
    const body = { password: issued, otpCode: '905172', balance: 5000 };
    await edit(member.id, body, { headers: { 'idempotency-key': 'edit-1' } });
    const everything = await everythingStored(server.database, tables);
    expect(everything).toContain('edit-1');
    expect(everything).not.toContain(issued);
    expect(everything).not.toContain('905172');
  });

  it('cannot be found by trying every code against what is kept for a retry', async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 5000);
    await server.setCode(member.id, '000412');
    const body = { amount: 1000, bankName: 'Bank A', bankAccountNumber: '1234567890123' };
    const headers = { 'idempotency-key': 'withdrawal-1' };
    await member.requestWithdrawal({ ...body, otp: '000412' }, { headers });
    const everything = await everythingStored(server.database, tables);
    expect(everything).toContain('withdrawal-1');
    // Method, path and the body's fields in their order: what a thief of the database knows but for the code.
    const hashWith = (otp: string) => {
      const fields = Object.entries({ ...body, otp }).sort(([a], [b]) => (a < b ? -1 : 1));
      return sha256Of(Buffer.from(JSON.stringify(['POST', '/api/withdrawals', fields])));
    };
    const found = Array.from({ length: 1000 }, (_, code) => String(code).padStart(6, '0')).filter((code) =>
      everything.includes(hashWith(code)),
    );
    expect(found).toEqual([]);
  });

  it('is in a repeated answer as it was in the first', async () => {
    const member = await server.registerBorrower();
    const once = { headers: { 'idempotency-key': 'edit-2' } };
    const first = await edit(member.id, { password: issued, otpCode: '905172' }, once);
    const token = await server.signIn({ phone: member.phone, password: issued });
    const again = await edit(member.id, { password: issued, otpCode: '905172' }, once);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(first.body).toMatchObject({ plainPassword: issued, otpCode: '905172' });
    // The repeated one did nothing: the session since then goes on.
    await server.as(token).readProfile();
    expect(await auditOf(server.database, 'password_issued')).toHaveLength(1);
    expect(await reveals()).toHaveLength(2);
  });

  it('is erased as soon as its owner sets their own', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { password: issued });
    const token = await server.signIn({ phone: member.phone, password: issued });
    await server.as(token).changePassword({ currentPassword: issued, newPassword: 'a new one of my own' });
    expect(await read(member.id)).toMatchObject({ plainPassword: null, hasIssuedPassword: false });
    expect((await stored(member.id)).issuedPasswordSealed).toBeNull();
  });

  it('is shown for seven days and then erased, but goes on working', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { password: issued });
    server.clock.advance({ days: limits.issuedPasswordShownDays, ms: -1 });
    const signInAgain = () => server.signIn({ username: 'admin', password: mainAdminPassword });
    expect(await read(member.id, server.as(await signInAgain()))).toMatchObject({ plainPassword: issued });
    expect(await eraseOldIssuedPasswords(server.deps)).toBe(0);

    server.clock.advance({ ms: 1 });
    const token = await signInAgain();
    expect(await read(member.id, server.as(token))).toMatchObject({
      plainPassword: null,
      hasIssuedPassword: false,
    });
    const list = await server.as(token).listMembers();
    expect(list).toMatchObject([{ plainPassword: null, hasIssuedPassword: false }]);
    expect((await stored(member.id)).issuedPasswordSealed).not.toBeNull();
    expect(await eraseOldIssuedPasswords(server.deps)).toBe(1);
    expect((await stored(member.id)).issuedPasswordSealed).toBeNull();
    await server.signIn({ phone: member.phone, password: issued });
  });

  it('cannot be opened on another row', async () => {
    const one = await server.registerBorrower();
    const two = await server.registerBorrower();
    await edit(one.id, { password: issued, otpCode: '905172' });
    const { issuedPasswordSealed, issuedPasswordAt, otpCodeSealed, otpExpiresAt } = await stored(one.id);
    await server.database.transaction(async (tx) => {
      const moved = { issuedPasswordSealed, issuedPasswordAt, otpCodeSealed, otpExpiresAt };
      await tx.update(accounts).set(moved).where(eq(accounts.id, two.id));
    });
    expect(await read(two.id)).toMatchObject({ plainPassword: null, otpCode: null });
  });

  it('is untouched by an edit that does not mention it', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { password: issued, otpCode: '905172', balance: 5000 });
    const before = await stored(member.id);
    await edit(member.id, { fullName: 'Berta Cruz', status: 'active', creditScore: 700 });
    const { passwordHash, issuedPasswordSealed, otpCodeSealed, balanceCentavos, staffChangedAccessAt } =
      await stored(member.id);
    expect(before).toMatchObject({
      passwordHash,
      issuedPasswordSealed,
      otpCodeSealed,
      balanceCentavos,
      staffChangedAccessAt,
    });
  });

  it('is never readable when the member chose it', async () => {
    const member = await server.registerBorrower();
    expect(await read(member.id)).toMatchObject({ plainPassword: null, hasIssuedPassword: false });
    expect(await everythingStored(server.database, tables)).not.toContain(member.password);
    expect(await reveals()).toEqual([]);
  });
});

describe('the answers kept for the retries of staff', () => {
  it('hold nothing readable about the member, and are repeated as they were', async () => {
    const { borrower: member, loan } = await applicant(server, {}, { fullName: 'Clara Reyes' });
    await server.fund(member.id, 5000);
    const [token, headers] = [await server.signInMainAdmin(), { 'idempotency-key': 'kept' }];
    const calls = [
      () => edit(member.id, { creditScore: 700 }, { headers }),
      () => server.as(token).updateLoan(loan.id, { termMonths: 24 }, { headers }).answer(),
      () => edit(member.id, { fullName: 'Somebody', expected: { fullName: 'Nobody' } }, { headers: stale }),
    ];
    const stale = { 'idempotency-key': 'stale' };
    for (const call of calls) {
      const [first, second] = [await call(), await call()];
      expect([second.status, second.text]).toEqual([first.status, first.text]);
      expect(first.text).toContain('Clara Reyes');
    }
    const rows = await rowsOf<{ line: string }>(
      server.database,
      sql`select row_to_json(k)::text as line from idempotency_keys k`,
    );
    expect(rows).toHaveLength(3);
    const kept = JSON.stringify(rows);
    for (const personal of [member.phone, ...Object.values(fullProfile), 'Clara Reyes']) {
      expect(kept).not.toContain(personal);
    }
  });
});

describe('the log of revealed passwords', () => {
  it('has one entry for every answer that carries any, naming whose', async () => {
    const one = await server.registerBorrower();
    const two = await server.registerBorrower();
    await server.registerBorrower();
    await edit(one.id, { otpCode: '905172' });
    expect(await reveals()).toEqual([]);
    await edit(one.id, { password: issued });
    await edit(two.id, { password: issued });
    expect(await reveals()).toMatchObject([{ targetId: one.id }, { targetId: two.id }]);

    const admin = await server.createAdmin();
    const before = (await reveals()).length;
    const list = await admin.listMembers();
    expect(list.map(({ plainPassword }) => plainPassword)).toEqual([null, issued, issued]);
    await read(one.id, admin);
    await admin.listMembers({ search: one.phone });
    await admin.listMembers({ search: 'nobody' });
    const entries = (await reveals()).slice(before);
    expect(entries).toMatchObject([
      { actorId: admin.id, ipAddress: '127.0.0.1', after: { accountIds: [two.id, one.id] } },
      { actorId: admin.id, targetType: 'account', targetId: one.id },
      { actorId: admin.id, targetId: one.id },
    ]);
    expect(JSON.stringify(entries)).not.toContain(issued);
  });

  it('has none for an answer requested without secrets, and one for the password alone', async () => {
    const { id } = await server.registerBorrower();
    await edit(id, { password: issued, otpCode: '905172' });
    const logged = (await reveals()).length;
    const readWith = (secrets: string) => server.main.readMember(id, { headers: prefer(secrets) });
    const kept = { hasIssuedPassword: true, hasOtpCode: true };

    expect(await readWith('none')).toMatchObject({ ...kept, plainPassword: null, otpCode: null });
    expect(await readWith('otpCode')).toMatchObject({ ...kept, plainPassword: null, otpCode: '905172' });
    const headers = { ...prefer('none'), 'idempotency-key': 'a-change-of-status' };
    for (const status of [200, 200]) {
      const answer = await edit(id, { status: 'active' }, { headers });
      expect(answer).toMatchObject({ status, body: { ...kept, plainPassword: null, otpCode: null } });
    }
    await edit(id, { password: 'issued again' }, { headers: prefer('none') });
    expect(await reveals()).toHaveLength(logged);

    expect(await readWith('plainPassword')).toMatchObject({ plainPassword: 'issued again', otpCode: null });
    expect(await reveals()).toHaveLength(logged + 1);
    // A value that is no such wish changes nothing.
    expect(await readWith('some')).toMatchObject({ plainPassword: 'issued again', otpCode: '905172' });
  });

  it('has none for an account created or changed without asking for its password', async () => {
    const headers = prefer('none');
    const member = await server.main.createMember({ phone: '09170000001', password: issued }, { headers });
    const admin = await server.main.createAdmin(
      { email: 'ligaya@example.com', password: issued },
      { headers },
    );
    const changed = await server.main.updateAdmin(admin.user.id, { email: 'l@example.com' }, { headers });
    for (const account of [member.user, admin.user, changed])
      expect(account).toMatchObject({ plainPassword: null, hasIssuedPassword: true });
    expect(await reveals()).toEqual([]);
  });

  it('has an entry for a created member', async () => {
    const created = await server.main.createMember({ phone: '09170000001', password: undefined });
    expect(await reveals()).toMatchObject([{ targetId: created.user.id }]);
    expect(await everythingStored(server.database, tables)).not.toContain(String(created.user.plainPassword));
  });
});

describe('secrets in long lists', () => {
  it('are left out above fifty rows and in line-by-line answers', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { password: issued, otpCode: '905172' });
    const addMembers = (count: number) =>
      server.database.transaction(async (tx) => {
        const createdAt = server.clock.now();
        const row = { fullName: 'Filler', passwordHash: 'none', createdAt, updatedAt: createdAt };
        await tx.insert(accounts).values(Array.from({ length: count }, () => row));
      });
    await addMembers(limits.secretRowsMax - 1);
    const short = await server.main.listMembers();
    expect(short).toHaveLength(limits.secretRowsMax);
    expect(short.at(-1)).toMatchObject({ plainPassword: issued, otpCode: '905172' });
    const lines = await server.main
      .listMembers(undefined, { headers: { accept: 'application/x-ndjson' } })
      .answer();
    const logged = (await reveals()).length;

    await addMembers(1);
    const long = await server.main.listMembers().success();
    for (const text of [long.text, lines.text]) {
      expect(text).not.toContain(issued);
      expect(text).not.toContain('905172');
    }
    expect(long.body.at(-1)).toMatchObject({ hasIssuedPassword: true, hasOtpCode: true });
    expect(await reveals()).toHaveLength(logged);
  });
});

describe('the secrets of a member', () => {
  it.each([
    ['none', [], null, null],
    ['encoder', ['encoder', 'collector'], null, null],
    ['approver', ['approver'], issued, null],
    ['cashier', ['cashier'], null, '482913'],
    ['all', undefined, issued, '482913'],
  ] as const)(
    'are read in no answer by staff who may not set them: %s',
    async (_, roles, plainPassword, otpCode) => {
      const { borrower } = await applicant(server);
      const { id } = borrower;
      await server.main.updateMember(id, { balance: 5_000, otpCode: '111111', password: issued });
      const { token } = await server.visitor.signIn({ phone: borrower.phone, password: issued });
      const { bankName, bankAccountNumber } = fullProfile;
      const withdrawn = { amount: 1_000, bankName, bankAccountNumber, otp: '111111' };
      await server.as(token).requestWithdrawal(withdrawn);
      await server.main.updateMember(id, { otpCode: '482913' });
      const staff = await server.createAdmin(roles && { roles: [...roles] });
      const noReveals = (await reveals()).length;
      const secrets = { plainPassword, otpCode };
      expect(await staff.readMember(id)).toMatchObject({
        ...secrets,
        hasIssuedPassword: true,
        hasOtpCode: true,
      });
      expect(await staff.listMembers({ search: borrower.phone })).toMatchObject([secrets]);
      expect((await staff.listAllUsers()).find((one) => one.id === id)).toMatchObject(secrets);
      expect(await staff.listLoans()).toMatchObject([{ user: { otpCode } }]);
      expect(await staff.listWithdrawals()).toMatchObject([{ user: { otpCode } }]);
      const texts = await Promise.all([
        staff.find({ search: borrower.phone }).answer(),
        staff.listMembers({}, { headers: { accept: 'application/x-ndjson' } }).answer(),
        staff.listWithdrawals({}, { headers: { accept: 'text/csv' } }).answer(),
        staff.listMembers({}, { headers: prefer('plainPassword') }).answer(),
        staff.updateMember(id, { fullName: 'Maria Clara Reyes' }).answer(),
      ]);
      for (const { text } of texts) {
        if (plainPassword === null) expect(text).not.toContain(issued);
        if (otpCode === null) expect(text).not.toContain('482913');
      }
      if (plainPassword === null) expect(await reveals()).toHaveLength(noReveals);
      const looks = (await auditOf(server.database, 'code_revealed')).filter(
        ({ actorId }) => actorId === staff.id,
      );
      expect(looks.length > 0).toBe(otpCode !== null);
    },
  );

  it('are shown to no encoder who creates the member, and to a lone owner', async () => {
    const encoder = await server.createAdmin({ roles: ['encoder'] });
    const { user } = await encoder.createMember({ fullName: 'Ana Reyes', phone: '09181112222' });
    expect(user).toMatchObject({ plainPassword: null, hasIssuedPassword: true });
    expect((await server.main.readMember(user.id)).plainPassword).toEqual(expect.any(String));
  });
});

describe('the password of an admin', () => {
  it('is shown to the main admin only', async () => {
    const one = await server.createAdmin();
    const two = await server.createAdmin();
    const main = await server.signInMainAdmin();
    const passwordsFor = async (token: string) => {
      const body = await server.as(token).listAllUsers({ role: 'admin' });
      return body.map(({ id, plainPassword }) => [id, plainPassword]);
    };
    expect(await passwordsFor(main)).toEqual([
      [two.id, two.password],
      [one.id, one.password],
      [limits.mainAdminId, null],
    ]);
    const logged = (await reveals()).length;
    expect(await passwordsFor(one.token)).toEqual([
      [two.id, null],
      [one.id, null],
      [limits.mainAdminId, null],
    ]);
    expect(await read(two.id, one)).toMatchObject({ plainPassword: null, hasIssuedPassword: true });
    expect(await reveals()).toHaveLength(logged);
    expect(await read(two.id, server.as(main))).toMatchObject({ plainPassword: two.password });
  });

  it('counts as issued when the main admin sets it, and ends their sessions', async () => {
    const admin = await server.createAdmin();
    const own = { currentPassword: admin.password, newPassword: 'a new one of my own' };
    await admin.changePassword(own);
    expect(await read(admin.id)).toMatchObject({ plainPassword: null, mustChangePassword: false });

    const answer = await server.main.updateAdmin(admin.id, { password: issued });
    expect(answer).toMatchObject({ plainPassword: issued, mustChangePassword: true });
    await refused(admin.readProfile(), 401);
    await server.signIn({ username: admin.email, password: issued });
    expect((await edit(admin.id, { password: 'issued again' })).body.plainPassword).toBe('issued again');
    await server.signIn({ username: admin.email, password: 'issued again' });
  });

  it.each(['patch', 'put'])('is the main admin’s own when they set it themselves (%s)', async (way) => {
    const other = await server.signIn({ username: 'admin', password: mainAdminPassword });
    const body = { password: 'a new one of my own' };
    const answer =
      way === 'patch'
        ? await server.main.updateAdmin(limits.mainAdminId, body).success()
        : await server.main.updateMember(limits.mainAdminId, body).success();
    expect(answer.body).toMatchObject({
      plainPassword: null,
      hasIssuedPassword: false,
      mustChangePassword: false,
    });
    await server.main.readProfile();
    await refused(server.as(other).readProfile(), 401);
    await server.signIn({ username: 'admin', password: 'a new one of my own' });
    expect(await auditOf(server.database, 'own_password_changed')).toHaveLength(1);
    expect(await auditOf(server.database, 'password_issued')).toEqual([]);
  });
});

describe('the secrets of a deleted account', () => {
  it('are erased', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { password: issued, otpCode: '905172' });
    await server.main.deleteUser(member.id);
    expect(await stored(member.id)).toMatchObject({
      issuedPasswordSealed: null,
      otpCodeSealed: null,
      phoneKey: null,
    });
  });
});
