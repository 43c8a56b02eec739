import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { ensureMainAdmin, resetMainAdmin } from '#server/services/first-start-service.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { truncateAll } from '#tests/setup/test-database.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';
import { apply, withdraw } from './lending.ts';

const server = await testServer();

const form = { email: 'staff@example.com', password: 'staff password' };

describe('creating an admin', () => {
  it('answers the account, with the password issued to it', async () => {
    const { status, body } = await server.main
      .createAdmin({ ...form, fullName: 'Jose Cruz', phone: '09181112222' })
      .answer();
    expect(status).toBe(201);
    expect(body.user).toMatchObject({
      email: form.email,
      fullName: 'Jose Cruz',
      phone: '09181112222',
      status: 'active',
      isAdmin: true,
      isMainAdmin: false,
      plainPassword: form.password,
      hasIssuedPassword: true,
    });
    expect(body.user.id).toBeGreaterThanOrEqual(limits.firstOrdinaryAccountId);
    const audit = await server.main.listAudit().success();
    const told = audit.body.filter(({ targetId }) => targetId === body.user.id).map(({ action }) => action);
    expect(told).toEqual(['password_revealed', 'password_issued', 'admin_created']);
    expect(audit.text).not.toContain(form.password);
  });

  it('needs neither a name nor a phone', async () => {
    const body = await server.main.createAdmin({ ...form, fullName: '', phone: ' ' });
    expect(body.user).toMatchObject({ fullName: '', phone: '' });
    await server.signIn({ username: form.email, password: form.password });
  });

  it('with some of the roles has these alone', async () => {
    const roles = ['cashier', 'collector'] as const;
    expect((await server.main.createAdmin({ ...form, roles: [...roles] })).user.roles).toEqual(roles);
    const audit = await server.main.listAudit();
    expect(audit.find(({ action }) => action === 'admin_created')?.after).toEqual({ roles });
    await refused(server.main.createAdmin(odd({ ...form, email: 'king@example.com', roles: ['king'] })), 400);
  });

  it('creates an account that is an admin and nothing else', async () => {
    const body = await server.main.createAdmin(
      odd({ ...form, id: 3, isMainAdmin: true, phone: '', balance: 5, status: 'suspended' }),
    );
    expect(body.user).toMatchObject({ isMainAdmin: false, balance: '0.00', status: 'active' });
  });

  it.each([
    [{ password: 'staff password' }, 'Please fill in both email and password'],
    [{ email: 'staff@example.com' }, 'Please fill in both email and password'],
    [{ email: '', password: 'staff password' }, 'Please fill in both email and password'],
    [{ email: 'staff@example.com', password: '' }, 'Please fill in both email and password'],
    [{ email: 'staff', password: 'staff password' }, 'Valid email is required'],
    [{ email: 'staff@example.com', password: '12345' }, 'Password must be at least 6 characters'],
    [{ ...form, phone: '123' }, 'Phone number is required'],
    [{ ...form, fullName: 'J' }, 'Full name is required'],
  ])('refuses %j', async (anyBody, message) => {
    const { status, body } = await server.main.createAdmin(odd(anyBody)).answer();
    expect([status, body.code, body.message]).toEqual([400, 'validation_failed', message]);
  });

  it('refuses an email that another admin has, in any letter case, even when both arrive at once', async () => {
    const create = (email: string) => server.main.createAdmin({ ...form, email });
    const all = await Promise.all(Array.from({ length: 5 }, () => create(form.email).answer()));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const { body } = await create('STAFF@example.com').answer();
    expect(body).toEqual({ code: 'email_taken', message: 'Another admin has this email' });
  });

  it('refuses a phone that anybody has', async () => {
    const { phone } = await server.registerBorrower();
    const { status, body } = await server.main.createAdmin({ ...form, phone }).answer();
    expect([status, body.code]).toEqual([409, 'phone_taken']);
  });

  it('allows an email that a borrower has', async () => {
    await server.registerBorrower({ email: form.email });
    await server.createAdmin(form);
  });
});

describe('the main admin', () => {
  const password = async (given: string) =>
    (await server.visitor.signIn({ username: 'admin', password: given }).answer()).status;

  it("has id 3 and the phone 'admin'", async () => {
    const body = await server.main.readProfile();
    expect(body).toMatchObject({
      id: limits.mainAdminId,
      phone: 'admin',
      isMainAdmin: true,
      status: 'active',
    });
  });

  it('is created once, however many processes start together', async () => {
    await truncateAll(server.database);
    const generating = { ...server.deps, config: { ...server.deps.config, mainAdminPassword: undefined } };
    const starts = await Promise.all(Array.from({ length: 6 }, () => ensureMainAdmin(generating)));
    const [generated, ...more] = starts.flatMap(({ generatedPassword }) => generatedPassword ?? []);
    expect(more).toEqual([]);
    expect(generated).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){4}$/);
    expect(await password(generated ?? '')).toBe(200);
    const body = await server
      .as(await server.signIn({ username: 'admin', password: generated ?? '' }))
      .listAudit();
    expect(body.filter(({ action }) => action === 'main_admin_created')).toHaveLength(1);
    // Another start changes nothing, whatever the setting says by then.
    await ensureMainAdmin(server.deps);
    expect(await password(mainAdminPassword)).toBe(401);
  });

  it('gets a new password on the server’s own console, and all sessions end', async () => {
    const held = server.as(await server.signInMainAdmin());
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries += 1) await password('wrong word');
    expect(await password(mainAdminPassword)).toBe(429);
    const generating = { ...server.deps, config: { ...server.deps.config, mainAdminPassword: undefined } };
    const { generatedPassword = '' } = await resetMainAdmin(generating);
    await refused(held.readProfile(), 401);
    // The person who reset the password need not wait for somebody else's guesses.
    expect(await password(generatedPassword)).toBe(200);
    expect(await password(mainAdminPassword)).toBe(401);
    const fresh = await server.signIn({ username: 'admin', password: generatedPassword });
    const body = await server.as(fresh).listAudit();
    expect(body.find(({ action }) => action === 'main_admin_reset')).toMatchObject({
      actorId: null,
      ipAddress: null,
      targetId: limits.mainAdminId,
    });
  });

  it('cannot be registered as a phone', async () => {
    for (const phone of ['admin', 'a-d-m-i-n--', 'admin     ', 'ad min-----']) {
      const { status } = await server.visitor
        .register({ phone, fullName: 'Ana Reyes', password: 'secret word' })
        .answer();
      expect([400, 409], phone).toContain(status);
    }
  });
});

describe('the counts', () => {
  it('are those of the lists', async () => {
    const borrower = await server.verifiedBorrower();
    const suspended = await server.registerBorrower();
    const deleted = await server.registerBorrower();
    await server.registerBorrower();
    await server.createAdmin();
    const status = (id: number, value: 'active' | 'suspended') =>
      server.main.updateMember(id, { status: value });
    await status(borrower.id, 'active');
    await status(suspended.id, 'suspended');
    await server.main.deleteUser(deleted.id);

    const loanIds: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      loanIds.push((await apply(server, borrower)).id);
    }
    const [approved = 0, active = 0, gone = 0] = loanIds;
    await server.main.updateLoan(approved, { status: 'approved' });
    await server.main.updateLoan(active, { status: 'active' });
    await server.main.deleteLoan(gone);

    await server.fund(borrower.id, 10_000);
    const withdrawalIds: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      withdrawalIds.push((await withdraw(server, borrower)).id);
    }
    const [completed = 0, rejected = 0] = withdrawalIds;
    await server.main.updateWithdrawal(completed, { status: 'completed' });
    await server.main.updateWithdrawal(rejected, { status: 'rejected' });

    const body = await server.main.readStats();
    expect(body).toEqual({
      members: { total: 3, active: 1, pending: 1, suspended: 1 },
      loans: { total: 3, pending: 1, approved: 1, active: 1 },
      withdrawals: { total: 3, processed: 1, pending: 1 },
    });
    const lists = [
      await server.main.listMembers().success(),
      await server.main.listLoans().success(),
      await server.main.listWithdrawals().success(),
    ];
    expect(lists.map((list) => (list.body as unknown as unknown[]).length)).toEqual([3, 3, 3]);
  });
});

it('an installation without MAIN_ADMIN_PASSWORD has no default password', async () => {
  const fresh = await passingServer({ config: { mainAdminPassword: undefined } });
  for (const password of ['admin', 'admin123', 'password', '123456', mainAdminPassword]) {
    const { status } = await fresh.visitor.signIn({ username: 'admin', password }).answer();
    expect([400, 401]).toContain(status);
  }
});
