import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { limits } from '#domain/limits.ts';
import { accounts } from '#server/store/schema.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { fullProfile, mainAdminPassword, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';

const server = await testServer({ engine: 'postgres' });

const edit = (id: number, anyBody: unknown, who: Caller = server.main) => who.updateMember(id, odd(anyBody));

const create = (anyBody: unknown, who: Caller = server.main) => who.createMember(odd(anyBody));

const remove = (id: number | string, who: Caller = server.main) => who.deleteUser(id);

const list = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  server.main.listMembers(query, { headers });

const read = (id: number | string, who: Caller = server.main) => who.readMember(id);

const sees = async (token: string) => (await server.as(token).readProfile().answer()).status;

describe('the list of members', () => {
  it('has members but no admins or deleted accounts, newest first', async () => {
    const one = await server.registerBorrower();
    await server.createAdmin();
    const two = await server.registerBorrower();
    const gone = await server.registerBorrower();
    await remove(gone.id);
    const { body } = await list().answer();
    expect(body.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(body[0]).toMatchObject({
      phone: two.phone,
      fullName: 'Maria Clara Santos',
      status: 'pending',
      accountStatus: 'active',
      balance: '0.00',
      creditScore: 500,
      isAdmin: false,
      isVerified: false,
      plainPassword: null,
      hasIssuedPassword: false,
      otpCode: null,
      hasOtpCode: false,
    });
    expect(JSON.stringify(body)).not.toMatch(/hash|sealed|argon/i);
  });

  it('is searched by name, phone and email, in any letter case and literally', async () => {
    const ana = await server.registerBorrower({ fullName: 'Ana Lopez', email: 'Ana.Lopez@Example.com' });
    const ben = await server.registerBorrower({ fullName: '100%_Ben \\ Ñuñez', phone: '+63 918 555 7777' });
    const idsFor = async (search: string) => (await list({ search })).map(({ id }) => id);
    expect(await idsFor('ana')).toEqual([ana.id]);
    expect(await idsFor('ANA.LOPEZ@example.COM')).toEqual([ana.id]);
    expect(await idsFor('  lopez ')).toEqual([ana.id]);
    expect(await idsFor('918 555')).toEqual([ben.id]);
    expect(await idsFor('ñUÑEZ')).toEqual([ben.id]);
    for (const literal of ['%', '_', '\\', '100%_b', 'n \\ ñ'])
      expect(await idsFor(literal)).toEqual([ben.id]);
    for (const nobody of ['%a%', 'a_a', "' or '1'='1", 'zzz', '\\%'])
      expect(await idsFor(nobody)).toEqual([]);
    expect(await idsFor('')).toEqual([ben.id, ana.id]);
  });

  it('finds a phone however the number is written', async () => {
    const ana = await server.registerBorrower({ phone: '+63 917-123-4567' });
    const ben = await server.registerBorrower({ phone: '0918 555 7777' });
    const idsFor = async (search: string) => (await list({ search })).map(({ id }) => id);
    for (const search of ['09171234567', '0917 123', '+639171234567', '639171234567', '9171234567'])
      expect(await idsFor(search), search).toEqual([ana.id]);
    for (const search of ['+63 918 555-7777', '09185557777']) expect(await idsFor(search)).toEqual([ben.id]);
    expect(await idsFor('0917 1234568')).toEqual([]);
    expect(await idsFor('(')).toEqual([]);
  });

  it('finds a member by what staff changed', async () => {
    const { id } = await server.registerBorrower({ fullName: 'Ana Lopez' });
    await edit(id, { fullName: 'Berta Cruz', email: 'BERTA@example.com', phone: '0918 000 1111' });
    for (const search of ['berta cruz', 'berta@', '0918 000']) {
      expect((await list({ search })).map((member) => member.id)).toEqual([id]);
    }
    expect(await list({ search: 'lopez' })).toEqual([]);
    await edit(id, { email: '' });
    expect(await list({ search: 'berta@' })).toEqual([]);
  });

  it('is filtered by status, alone and with a search', async () => {
    const active = await server.registerBorrower({ fullName: 'Ana Active' });
    const suspended = await server.registerBorrower({ fullName: 'Ana Suspended' });
    const pending = await server.registerBorrower({ fullName: 'Ben Pending' });
    await edit(active.id, { status: 'active' });
    await edit(suspended.id, { status: 'suspended' });
    const idsFor = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id);
    expect(await idsFor({ status: 'active' })).toEqual([active.id]);
    expect(await idsFor({ status: 'suspended' })).toEqual([suspended.id]);
    expect(await idsFor({ status: 'pending', search: '' })).toEqual([pending.id]);
    expect(await idsFor({ status: 'active', search: 'ana' })).toEqual([active.id]);
    expect(await idsFor({ status: 'active', search: 'ben' })).toEqual([]);
    for (const status of ['', 'all']) {
      expect(await idsFor({ status })).toEqual([pending.id, suspended.id, active.id]);
    }
  });

  it.each<Record<string, string>>([{ status: 'gone' }, { search: 'x'.repeat(121) }, { search: 'a\u0000b' }])(
    'with %j is refused',
    async (query) => {
      await refused(list(query), 400);
    },
  );

  it('spans many pages, in one array or one row a line', async () => {
    const count = limits.listPageRows * 2 + 1;
    const createdAt = server.clock.now();
    await server.database.transaction(async (tx) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        phone: `member ${index}`,
        fullName: index % 2 ? 'Odd' : 'Even',
        searchText: index % 2 ? 'odd' : 'even',
        passwordHash: 'none',
        createdAt,
        updatedAt: createdAt,
      }));
      for (let at = 0; at < count; at += 500) await tx.insert(accounts).values(rows.slice(at, at + 500));
    });
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    const lines = await list({ search: 'EVEN' }, { accept: 'application/x-ndjson' }).answer();
    const rows = lines.text.trimEnd().split('\n');
    expect(rows).toHaveLength(limits.listPageRows + 1);
    expect(rows.every((row) => JSON.parse(row).fullName === 'Even')).toBe(true);
    const none = await list({ search: 'neither' }, { accept: 'application/x-ndjson' }).answer();
    expect(none.text).toBe('');
  });
});

describe('all users', () => {
  it('are admins and members, or one of the two', async () => {
    const admin = await server.createAdmin();
    const member = await server.registerBorrower();
    const idsFor = async (query: Record<string, string>) => {
      return (await admin.listAllUsers(query)).map(({ id }) => id);
    };
    expect(await idsFor({})).toEqual([member.id, admin.id, limits.mainAdminId]);
    expect(await idsFor({ role: 'admin' })).toEqual([admin.id, limits.mainAdminId]);
    expect(await idsFor({ role: 'member' })).toEqual([member.id]);
    await refused(admin.listAllUsers({ role: 'owner' }), 400);
  });
});

describe('one member', () => {
  it('is read by id; anything else is a 404', async () => {
    const member = await server.registerBorrower();
    expect(await read(member.id)).toMatchObject({ id: member.id });
    for (const id of [999_999, 0, -1, 'x', '1e3', '99999999999999999999', '%00']) {
      await refused(read(id), 404, 'not_found');
    }
    await remove(member.id);
    await refused(read(member.id), 404, 'not_found');
  });

  it('is not read by members', async () => {
    const member = await server.registerBorrower();
    await refused(read(member.id, member), 403, { message: 'Access denied' });
  });
});

describe('a member created by staff', () => {
  it('has what was given and defaults for the rest', async () => {
    const admin = await server.createAdmin();
    const bare = await create({ phone: '0917 000 0001' }, admin).answer();
    expect(bare).toMatchObject({
      status: 201,
      body: {
        user: {
          id: expect.any(Number),
          phone: '0917 000 0001',
          fullName: '',
          email: null,
          status: 'pending',
          balance: '0.00',
          creditScore: 500,
          isAdmin: false,
          isVerified: false,
          mustChangePassword: false,
        },
      },
    });
    expect(bare.body).not.toHaveProperty('token');
    const { user } = bare.body;
    await server.signIn({ phone: '+639170000001', password: String(user.plainPassword) });

    const full = await create({
      ...fullProfile,
      phone: '09170000002',
      password: 'given one',
      status: 'active',
    });
    expect(full.user).toMatchObject({ ...fullProfile, status: 'active', plainPassword: 'given one' });
    await server.signIn({ phone: '09170000002', password: 'given one' });
    expect(await auditOf(server.database, 'member_created')).toMatchObject([
      { actorId: admin.id, targetId: user.id, after: { status: 'pending', changed: ['phone'] } },
      { actorId: limits.mainAdminId, after: { status: 'active' } },
    ]);
  });

  it('counts empty optional texts as absent and ignores what staff cannot set here', async () => {
    const answer = await create({
      phone: '09170000001',
      password: '',
      email: '',
      isAdmin: true,
      balance: 5000,
      creditScore: 800,
      otpCode: '123456',
      id: 3,
    }).answer();
    expect(answer).toMatchObject({
      status: 201,
      body: { user: { email: null, isAdmin: false, balance: '0.00', creditScore: 500, hasOtpCode: false } },
    });
    expect(String(answer.body.user.plainPassword).length).toBeGreaterThan(12);
  });

  it('may be created suspended, and then cannot sign in', async () => {
    const body = { phone: '09170000001', password: 'given one', status: 'suspended' };
    expect((await create(body)).user).toMatchObject({ status: 'suspended', accountStatus: 'suspended' });
    await refused(server.visitor.signIn({ phone: body.phone, password: body.password }), 403, {
      accountStatus: 'suspended',
    });
  });

  it('is refused a phone that another account has, also when both arrive at once', async () => {
    const taken = { status: 409, body: { code: 'already_registered' } };
    await server.registerBorrower({ phone: '09171234567' });
    await refused(create({ phone: '+63 917 123 4567' }), 409, 'already_registered');
    await server.signInMainAdmin();
    const answers = await atOnce(6, () => create({ phone: '09170000009', password: 'given one' }).answer());
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const answer of answers) if (answer !== created[0]) expect(answer).toMatchObject(taken);
  });

  it.each([
    [{}, 'phone', 'Phone number is required'],
    [{ phone: '123' }, 'phone', 'Phone number is required'],
    [{ phone: 9_171_234_567 }, 'phone', 'Phone number is required'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ fullName: 'x' }, 'fullName', 'Full name is required'],
    [{ email: 'nobody' }, 'email', 'Valid email is required'],
    [{ address: 'short' }, 'address', 'Address is required'],
    [{ monthlySalary: -1 }, 'monthlySalary', 'Monthly salary is required'],
    [{ bankAccountNumber: '1' }, 'bankAccountNumber', 'Account number is required'],
    [{ status: 'gone' }, 'status', 'Status must be active, pending or suspended'],
  ])('with %j is refused', async (change, field, message) => {
    const body = Object.keys(change).length === 0 ? {} : { phone: '09170000001', ...change };
    await refused(create(body), 400, { errors: { [field]: message } });
    expect(await list()).toEqual([]);
  });

  it('has their first withdrawals reviewed, because staff know the password', async () => {
    const phone = '09170000001';
    const { body } = await create({ ...fullProfile, phone, password: 'given one' }).answer();
    await server.fund(body.user.id, 5000);
    await server.setCode(body.user.id);
    const token = await server.signIn({ phone, password: 'given one' });
    const { bankName, bankAccountNumber } = fullProfile;
    const form = { bankName, bankAccountNumber, amount: 1000, otp: '123456' };
    expect((await server.as(token).requestWithdrawal(form)).status).toBe('pending');
  });
});

describe('a member changed by staff', () => {
  it('has what was sent and keeps the rest', async () => {
    const member = await server.registerBorrower({ email: 'first@example.com' });
    const answer = await edit(member.id, fullProfile).answer();
    expect(answer).toMatchObject({ status: 200, body: { ...fullProfile, phone: member.phone } });
    const part = await edit(member.id, { countryOfWork: 'Qatar', monthlySalary: 40000.5, email: null });
    expect(part).toMatchObject({
      ...fullProfile,
      countryOfWork: 'Qatar',
      monthlySalary: '40000.50',
      email: null,
    });
    expect(await edit(member.id, {})).toEqual(part);
    const own = await member.readProfile();
    expect(own).toMatchObject({ countryOfWork: 'Qatar', fullName: fullProfile.fullName });
  });

  it('is logged by the names of what changed, never the values', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { fullName: 'Berta Cruz', address: '45 Rizal Avenue, Cabanatuan' });
    await edit(member.id, { fullName: 'Berta Cruz' });
    const entries = await auditOf(server.database, 'member_updated');
    expect(entries.map(({ after }) => after)).toEqual([{ changed: ['fullName', 'address'] }]);
    expect(JSON.stringify(entries)).not.toMatch(/Berta|Rizal/);
  });

  it('is told about changed bank details', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { bankName: 'Bank C' });
    await edit(member.id, { bankName: 'Bank C', address: '45 Rizal Avenue, Cabanatuan' });
    expect((await member.listNotifications()).map(({ type }) => type)).toEqual(['bank_details_changed']);
  });

  it('gets another phone and signs in with it, but not one that is taken', async () => {
    const member = await server.registerBorrower();
    const other = await server.registerBorrower({ phone: '09181112222' });
    for (const phone of ['0918 111 2222', '+639181112222']) {
      await refused(edit(member.id, { phone }), 409, 'phone_taken');
    }
    expect((await edit(member.id, { phone: '0918 333 4444' })).phone).toBe('0918 333 4444');
    await server.signIn({ phone: '+639183334444', password: member.password });
    await refused(server.visitor.signIn({ phone: member.phone, password: member.password }), 401);
    expect((await edit(other.id, { phone: '+63 918 111 2222' })).phone).toBe('+63 918 111 2222');
    await server.signInMainAdmin();
    const race = await Promise.all(
      [member, other].map(({ id }) => edit(id, { phone: '09185556666', countryOfWork: 'Qatar' }).answer()),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is signed out by a suspension at once, and returns only by a new sign-in', async () => {
    const member = await server.registerBorrower();
    await edit(member.id, { status: 'suspended' });
    await refused(member.readProfile(), 403, {
      accountStatus: 'suspended',
      message: 'Your account has been suspended. Please contact support.',
    });
    const answer = await edit(member.id, { status: 'active' });
    expect(answer).toMatchObject({ status: 'active', accountStatus: 'active' });
    expect(await sees(member.token)).toBe(401);
    const token = await server.signIn({ phone: member.phone, password: member.password });
    const notices = await server.as(token).listNotifications();
    expect(notices.map(({ details }) => details)).toEqual([{ status: 'active' }, { status: 'suspended' }]);
    expect(await auditOf(server.database, 'member_updated')).toMatchObject([
      { before: { status: 'pending' }, after: { status: 'suspended' } },
      { before: { status: 'suspended' }, after: { status: 'active' } },
    ]);
  });

  it('keeps the previous score for the trend only when there is a new one', async () => {
    const member = await server.registerBorrower();
    expect((await edit(member.id, { creditScore: 500 })).creditTrend).toBe('0.00');
    expect(await edit(member.id, { creditScore: 600 })).toMatchObject({
      creditScore: 600,
      creditTrend: '20.00',
    });
    expect((await edit(member.id, { creditScore: 600 })).creditTrend).toBe('20.00');
    expect((await edit(member.id, { creditScore: 570 })).creditTrend).toBe('-5.00');
    expect(await auditOf(server.database, 'credit_score_changed')).toMatchObject([
      { before: { creditScore: 500 }, after: { creditScore: 600 } },
      { before: { creditScore: 600 }, after: { creditScore: 570 } },
    ]);
  });

  it('takes documents that the member or staff uploaded, and nobody else’s', async () => {
    const member = await server.registerBorrower();
    const stranger = await server.registerBorrower();
    const admin = await server.createAdmin();
    const own = await server.upload(member.token);
    const byStaff = await server.upload(admin.token);
    const foreign = await server.upload(stranger.token);
    const done = await edit(member.id, { idFrontUrl: own.url, selfieUrl: byStaff.url }, admin);
    expect(done).toMatchObject({ idFrontUrl: own.url, selfieUrl: byStaff.url, idBackUrl: null });
    const unknown = '/api/files/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    for (const url of [foreign.url, unknown]) {
      await refused(edit(member.id, { idFrontUrl: own.url, idBackUrl: url }), 400, 'foreign_document');
    }
    for (const url of ['https://example.com/a.jpg', '/api/files/../x', '', null, 7]) {
      await refused(edit(member.id, { idBackUrl: url }), 400);
    }
    await edit(member.id, { selfieUrl: byStaff.url, idFrontUrl: own.url });
    const file = String(byStaff.url.split('/').pop());
    const seen = await member.readFile(file).answer();
    expect(seen.status).toBe(200);
    await refused(stranger.readFile(file), 404);
  });

  it.each([
    [{ fullName: '' }, 'Full name is required'],
    [{ fullName: null }, 'Full name is required'],
    [{ email: 'x@' }, 'Valid email is required'],
    [{ phone: '12345' }, 'Phone number is required'],
    [{ phone: '' }, 'Phone number is required'],
    [{ status: 'deleted' }, 'Status must be active, pending or suspended'],
    [{ creditScore: 299 }, 'Credit score must be a whole number from 300 to 850'],
    [{ creditScore: 851 }, 'Credit score must be a whole number from 300 to 850'],
    [{ creditScore: 500.5 }, 'Credit score must be a whole number from 300 to 850'],
    [{ creditScore: '600' }, 'Credit score must be a whole number from 300 to 850'],
    [{ creditScore: null }, 'Credit score must be a whole number from 300 to 850'],
    [{ password: '' }, 'Password cannot be empty'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ password: 'x'.repeat(201) }, 'Please use a shorter text'],
    [{ address: `${'x'.repeat(500)}y` }, 'Please use a shorter text'],
    [{ bankName: '\ud800' }, 'This text has characters that cannot be stored'],
  ])('is refused as a whole with %j', async (change, message) => {
    const member = await server.registerBorrower();
    await refused(edit(member.id, { countryOfWork: 'Qatar', ...change }), 400, {
      code: 'validation_failed',
      message,
    });
    expect(await read(member.id)).toMatchObject({ countryOfWork: null, status: 'pending' });
    expect(await sees(member.token)).toBe(200);
  });

  it('must exist', async () => {
    for (const id of [999_999, 4]) await refused(edit(id, { status: 'active' }), 404, 'not_found');
  });

  it('keeps both changes when two staff edit at the same moment', async () => {
    const member = await server.registerBorrower();
    await server.signInMainAdmin();
    await Promise.all([
      edit(member.id, { fullName: 'Berta Cruz' }).answer(),
      edit(member.id, { email: 'berta@example.com' }).answer(),
      edit(member.id, { creditScore: 700 }).answer(),
      edit(member.id, { countryOfWork: 'Qatar' }).answer(),
    ]);
    expect(await read(member.id)).toMatchObject({
      fullName: 'Berta Cruz',
      email: 'berta@example.com',
      creditScore: 700,
      countryOfWork: 'Qatar',
    });
    for (const search of ['berta cruz', 'berta@example']) {
      expect(await list({ search })).toHaveLength(1);
    }
  });
});

describe('a deleted member', () => {
  it('is gone from every list, signed out, and their phone and email are free', async () => {
    const member = await server.registerBorrower({ phone: '09171230000', email: 'ana@example.com' });
    await server.fund(member.id, 5000);
    await server.fund(member.id, 0);
    expect(await remove(member.id)).toMatchObject({ message: expect.any(String) });
    expect(await sees(member.token)).toBe(401);
    await refused(server.visitor.signIn({ phone: member.phone, password: member.password }), 401);
    expect(await list()).toEqual([]);
    const all = await server.main.listAllUsers();
    expect(all.map(({ id }) => id)).toEqual([limits.mainAdminId]);
    await refused(remove(member.id), 404, 'not_found');
    await refused(edit(member.id, { status: 'active' }), 404, 'not_found');

    const again = await server.registerBorrower({ phone: '09171230000', email: 'ana@example.com' });
    expect(again.id).not.toBe(member.id);
    expect(await auditOf(server.database, 'member_deleted')).toMatchObject([
      { targetId: member.id, before: { status: 'pending', balance: '0.00' } },
    ]);
  });

  it('needs settled wallet, withdrawals and loans first, and staff are told which are not', async () => {
    const member = await server.verifiedBorrower();
    const token = await server.signInMainAdmin();
    const refusal = async () => {
      const { status, body } = await remove(member.id).answer();
      expect([status, body.code]).toEqual([409, 'member_not_settled']);
      return body.message;
    };
    await server.fund(member.id, 5000);
    expect(await refusal()).toBe(
      'The wallet holds ₱5,000.00: have it withdrawn, or correct the balance to zero. Then the member can be deleted.',
    );
    await server.setCode(member.id);
    const { bankName, bankAccountNumber } = fullProfile;
    const request = { amount: 5000, bankName, bankAccountNumber, otp: '123456' };
    const withdrawal = await member.requestWithdrawal(request);
    expect(await refusal()).toBe(
      `Still open: ${withdrawal.withdrawalNumber}. Complete or reject each withdrawal. Then the member can be deleted.`,
    );
    const decide = { token, params: { id: withdrawal.id }, body: { status: 'completed' } } as const;
    await server.succeed(api.updateWithdrawal, decide);

    const application = { amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 };
    const loan = await member.applyForLoan(application);
    const setLoan = (status: string) => server.main.updateLoan(loan.id, { status });
    const stillOut = `Still out: ${loan.loanNumber}. Each has to be paid back first. Take over one that was released before as already paid out, and record what was paid on it. Then the member can be deleted.`;
    await setLoan('active');
    expect(await refusal()).toBe(stillOut);
    await setLoan('approved');
    await server.main.disburseLoan(loan.id, { channel: 'recorded' });
    await setLoan('my own status');
    expect(await refusal()).toBe(stillOut);
    await server.main.recordPayment(loan.id, { amount: 150_000, channel: 'cash', settlement: true });
    await remove(member.id);
  });

  it('leaves loans and withdrawals to the books and files to staff', async () => {
    const member = await server.verifiedBorrower();
    const loan = { amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 };
    await member.applyForLoan(loan);
    const { body: user } = await read(member.id).answer();
    const admin = await server.createAdmin();
    await remove(member.id, admin);
    const loans = await admin.listLoans();
    expect(loans).toMatchObject([{ userId: member.id }]);
    const id = String(user.selfieUrl?.split('/').pop());
    await admin.readFile(id);
  });

  it('is deleted once when two delete at the same moment', async () => {
    const member = await server.registerBorrower();
    await server.signInMainAdmin();
    const answers = await atOnce(5, () => remove(member.id).answer());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await auditOf(server.database, 'member_deleted')).toHaveLength(1);
  });

  it('is deleted by staff, and must exist', async () => {
    const member = await server.registerBorrower();
    await refused(remove(member.id, member), 403);
    for (const id of [999_999, 'x', '-3']) await refused(remove(id), 404, 'not_found');
  });
});

describe('an admin’s account', () => {
  it('can be changed and deleted by the main admin only', async () => {
    const one = await server.createAdmin();
    const two = await server.createAdmin();
    for (const id of [one.id, two.id, limits.mainAdminId]) {
      await refused(edit(id, { fullName: 'Somebody Else' }, one), 403, 'main_admin_only');
      await refused(edit(id, { status: 'suspended' }, one), 403, 'main_admin_only');
      await refused(remove(id, one), 403, 'main_admin_only');
      await refused(one.updateAdmin(id, { email: 'x@example.com' }), 403, 'main_admin_only');
    }
    expect(await edit(two.id, { fullName: 'Second Admin', phone: '09170000002' })).toMatchObject({
      fullName: 'Second Admin',
      phone: '09170000002',
    });
    await server.signIn({ username: '09170000002', password: two.password });
    await remove(two.id);
    expect(await sees(two.token)).toBe(401);
    expect(await auditOf(server.database, 'admin_deleted')).toMatchObject([{ targetId: two.id }]);
  });

  it('cannot be demoted when it is the main admin’s', async () => {
    const id = limits.mainAdminId;
    await refused(remove(id), 403, 'main_admin_protected');
    for (const change of [{ status: 'suspended' }, { status: 'pending' }, { phone: '09170000001' }]) {
      await refused(edit(id, change), 403, 'main_admin_protected');
    }
    const named = { fullName: 'Main Admin', status: 'active', email: 'main@example.com' };
    expect(await edit(id, named)).toMatchObject({ ...named, isMainAdmin: true, phone: 'admin' });
    await server.signIn({ username: 'MAIN@example.com', password: mainAdminPassword });
  });

  it('may be suspended by the main admin and returns by a new sign-in', async () => {
    const admin = await server.createAdmin();
    await edit(admin.id, { status: 'suspended' });
    expect(await sees(admin.token)).toBe(403);
    await edit(admin.id, { status: 'active' });
    expect(await sees(admin.token)).toBe(401);
    await server.signIn({ username: admin.email, password: admin.password });
  });

  it('has no money, code or score to set', async () => {
    const admin = await server.createAdmin();
    for (const change of [{ balance: 5000 }, { otpCode: '123456' }, { creditScore: 700 }]) {
      const [field = ''] = Object.keys(change);
      await refused(edit(admin.id, change), 400, { errors: { [field]: expect.any(String) } });
    }
  });

  it('gets another email, which no other admin may have', async () => {
    const one = await server.createAdmin({ email: 'one@example.com' });
    const two = await server.createAdmin({ email: 'two@example.com' });
    await server.registerBorrower({ email: 'member@example.com' });
    const patch = (id: number, anyBody: unknown) => server.main.updateAdmin(id, odd(anyBody));
    await refused(patch(two.id, { email: 'ONE@example.com' }), 409, 'email_taken');
    await refused(edit(two.id, { email: 'One@Example.com' }), 409, 'email_taken');
    expect((await patch(two.id, { email: 'member@example.com' })).email).toBe('member@example.com');
    await server.signIn({ username: 'Member@example.com', password: two.password });
    const race = await Promise.all([
      patch(one.id, { email: 'both@example.com' }).answer(),
      patch(two.id, { email: 'BOTH@example.com' }).answer(),
    ]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const body of [{}, { email: 'x' }, { email: '' }, { password: '' }, { password: '123' }]) {
      await refused(patch(one.id, body), 400);
    }
    const member = await server.registerBorrower();
    for (const id of [member.id, 999_999]) {
      await refused(patch(id, { email: 'z@example.com' }), 404, 'not_found');
    }
  });
});
