import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { createPasswords } from '#server/platform/passwords.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, testServer } from '#tests/setup/test-server.ts';

const looked = { known: 0, unknown: 0 };
const real = createPasswords();
const server = await testServer({
  deps: {
    passwords: {
      ...real,
      verify: (hash, plain) => {
        looked.known += 1;
        return real.verify(hash, plain);
      },
      verifyNothing: (plain) => {
        looked.unknown += 1;
        return real.verifyNothing(plain);
      },
    },
  },
});

const person = { fullName: 'Ana Reyes', phone: '09171234567', password: 'secret word' };

describe('registration', () => {
  it('answers with a token and the new account, pending and empty', async () => {
    const { status, body } = await server.visitor.register({ ...person, email: 'ana@example.com' }).answer();
    expect(status).toBe(201);
    expect(body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(body.user).toMatchObject({
      id: limits.firstOrdinaryAccountId,
      phone: person.phone,
      email: 'ana@example.com',
      fullName: 'Ana Reyes',
      status: 'pending',
      accountStatus: 'active',
      creditScore: 500,
      creditTrend: '0.00',
      balance: '0.00',
      isAdmin: false,
      isMainAdmin: false,
      isVerified: false,
      createdAt: '2026-03-10T04:00:00.000Z',
    });
    expect(JSON.stringify(body)).not.toMatch(/secret word|password(?!")|otpCode|argon2/i);
    await server.as(body).readProfile();
  });

  it('ignores every field that cannot be registered', async () => {
    const anyBody = {
      ...person,
      id: 3,
      isAdmin: true,
      balance: '999999.00',
      creditScore: 850,
      status: 'active',
      otpCode: '123456',
      isMainAdmin: true,
      plainPassword: 'x',
      idFrontUrl: '/api/files/AAAAAAAAAAAAAAAAAAAAAAAA',
    };
    const body = await server.visitor.register(odd(anyBody));
    expect(body.user).toMatchObject({
      id: limits.firstOrdinaryAccountId,
      isAdmin: false,
      balance: '0.00',
      creditScore: 500,
      status: 'pending',
      idFrontUrl: null,
    });
  });

  it.each(['09171234567', '+63 917 123 4567', '639171234567', '0917-123-4567', ' 09171234567 '])(
    'knows the number again when it is written %s',
    async (phone) => {
      await server.visitor.register(person);
      const { status, body } = await server.visitor.register({ ...person, phone }).answer();
      expect({ status, ...body }).toEqual({
        status: 409,
        code: 'already_registered',
        message: 'You already have an account, please login',
      });
    },
  );

  it('lets exactly one through of many that arrive at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => server.visitor.register(person).answer()));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('takes an empty email as none', async () => {
    expect((await server.visitor.register({ ...person, email: '  ' })).user.email).toBeNull();
  });

  it.each([
    [{ ...person, phone: '123456789' }, 'phone', 'Phone number is required'],
    [{ ...person, phone: undefined }, 'phone', 'Phone number is required'],
    [{ ...person, phone: 9171234567 }, 'phone', 'Phone number is required'],
    [{ ...person, password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ ...person, fullName: 'A' }, 'fullName', 'Full name is required'],
    [{ ...person, fullName: '   A   ' }, 'fullName', 'Full name is required'],
    [{ ...person, email: 'ana@' }, 'email', 'Valid email is required'],
    [{ ...person, fullName: 'A\u0000B' }, 'fullName', 'This text has characters that cannot be stored'],
    [{ ...person, fullName: '\ud800 half' }, 'fullName', 'This text has characters that cannot be stored'],
    [{ ...person, password: 'x'.repeat(201) }, 'password', 'Please use a shorter text'],
  ])('refuses %j', async (anyBody, field, message) => {
    const { status, body } = await server.visitor.register(odd(anyBody)).answer();
    expect({ status, ...body }).toEqual({
      status: 400,
      code: 'validation_failed',
      message,
      errors: { [field]: message },
    });
  });

  it('creates a member when sent with an admin’s token, without signing in', async () => {
    const { status, body } = await server.main
      .createMember({ phone: person.phone, fullName: 'Ana Reyes', status: 'active' })
      .answer();
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('token');
    expect(body.user).toMatchObject({ status: 'active', isAdmin: false, phone: person.phone });
    const password = body.user.plainPassword ?? '';
    await server.visitor.signIn({ phone: person.phone, password });
  });
});

describe('signing in', () => {
  it.each(['09171234567', '+639171234567', '63 917 123 4567'])('finds the account by %s', async (phone) => {
    await server.visitor.register(person);
    const body = await server.visitor.signIn({ phone, password: person.password });
    expect(body.user.phone).toBe(person.phone);
    expect(body.token).not.toBe('');
  });

  it('gives an unknown number and a wrong password the same answer for the same work', async () => {
    await server.visitor.register(person);
    looked.known = 0;
    looked.unknown = 0;
    const wrong = await server.visitor.signIn({ phone: person.phone, password: 'wrong word' }).answer();
    expect(looked).toEqual({ known: 1, unknown: 0 });
    const unknown = await server.visitor.signIn({ phone: '09179999999', password: 'wrong word' }).answer();
    expect(looked).toEqual({ known: 1, unknown: 1 });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ code: 'invalid_credentials', message: 'Please check your credentials' });
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  it('neither trims a password nor ignores its letter case', async () => {
    await server.visitor.register(person);
    for (const password of [' secret word', 'Secret word', 'secret word ']) {
      await refused(server.visitor.signIn({ phone: person.phone, password }), 401);
    }
  });

  it.each([
    [{ phone: '091', password: 'secret word' }, 'Phone number is required'],
    [
      { phone: '0917\u00001234567', password: 'secret word' },
      'This text has characters that cannot be stored',
    ],
    [{ phone: '09171234567', password: '12345' }, 'Password must be at least 6 characters'],
    [{ username: '', password: 'secret word' }, 'Username is required'],
    [{ password: 'secret word' }, 'Phone number is required'],
  ])('refuses %j', async (anyBody, message) => {
    expect((await refused(server.visitor.signIn(odd(anyBody)), 400)).message).toBe(message);
  });

  it('tells a suspended borrower so, but only after the right password', async () => {
    const { id, phone, password } = await server.registerBorrower();
    await server.main.updateMember(id, { status: 'suspended' });
    await refused(server.visitor.signIn({ phone, password: 'wrong word' }), 401);
    const { status, body } = await server.visitor.signIn({ phone, password }).answer();
    expect({ status, ...body }).toEqual({
      status: 403,
      code: 'account_suspended',
      message: 'Your account has been suspended. Please contact support.',
      accountStatus: 'suspended',
    });
  });
});

describe('staff signing in', () => {
  it.each([
    ['username admin', { username: 'admin' }],
    ['username Admin', { username: 'Admin' }],
    ['username ADMIN', { username: ' ADMIN ' }],
    ['phone admin', { phone: 'admin' }],
  ])('lets the main admin in by %s', async (_, name) => {
    const body = await server.visitor.signIn({ ...name, password: mainAdminPassword } as never);
    expect(body.user).toMatchObject({ id: 3, phone: 'admin', isAdmin: true, isMainAdmin: true });
  });

  it('finds an admin by email in any letter case and by phone in any form', async () => {
    const { password } = await server.createAdmin({ email: 'Staff@Example.com', phone: '09181112222' });
    for (const username of ['staff@example.com', 'STAFF@EXAMPLE.COM', '09181112222', '+63 918 111 2222']) {
      const { status, body } = await server.visitor.signIn({ username, password }).answer();
      expect(status, username).toBe(200);
      expect(body.user).toMatchObject({ isAdmin: true, isMainAdmin: false });
    }
  });

  it('refuses a borrower, and says so only after the right password', async () => {
    await server.visitor.register({ ...person, email: 'ana@example.com' });
    const right = await server.visitor.signIn({ username: person.phone, password: person.password }).answer();
    expect({ status: right.status, ...right.body }).toEqual({
      status: 403,
      code: 'forbidden',
      message: 'Access denied',
    });
    await refused(server.visitor.signIn({ username: person.phone, password: 'wrong word' }), 401);
    // A borrower's email is no way in: it is not unique.
    await refused(server.visitor.signIn({ username: 'ana@example.com', password: person.password }), 401);
  });

  it('refuses an admin from an address that is not allowed', async () => {
    const admin = await server.createAdmin();
    await server.main.addAllowedIp({ ipAddress: '127.0.0.1' });
    const form = { username: admin.email, password: admin.password };
    const { status, body } = await server.visitor.signIn(form, { address: '198.51.100.1' }).answer();
    expect([status, body.code]).toEqual([403, 'ip_not_allowed']);
    await server.visitor.signIn(form);
  });
});
