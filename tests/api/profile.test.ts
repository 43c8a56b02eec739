import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { findAccount } from '#server/store/account-store.ts';
import { fullProfile, testServer } from '#tests/setup/test-server.ts';

const server = await testServer();

describe('the own account', () => {
  it('has every field of the schema and no other', async () => {
    const { token, id, phone } = await server.verifiedBorrower();
    const { body, headers } = await server.succeed(api.readProfile, { token });
    expect(Object.keys(body).sort()).toEqual(
      [
        ...['id', 'phone', 'email', 'fullName', 'address', 'countryOfWork', 'monthlySalary', 'referenceName'],
        ...['referencePhone', 'bankName', 'bankAccountNumber', 'balance', 'creditScore', 'creditTrend'],
        ...['idFrontUrl', 'idBackUrl', 'selfieUrl', 'status', 'accountStatus', 'isAdmin', 'isMainAdmin'],
        ...['isVerified', 'mustChangePassword', 'createdAt'],
      ].sort(),
    );
    expect(body).toMatchObject({ ...fullProfile, id, phone, isVerified: true });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('never carries a code or a password that staff set', async () => {
    const { id, phone } = await server.registerBorrower();
    const staff = await server.signInMainAdmin();
    await server.succeed(api.updateMember, {
      token: staff,
      params: { id },
      body: { otpCode: '482913', password: 'issued word' },
    });
    const token = await server.signIn({ phone, password: 'issued word' });
    const { text } = await server.succeed(api.readProfile, { token });
    expect(text).not.toMatch(/482913|issued word|otpCode|plainPassword/);
  });

  it('is read at the same address for staff', async () => {
    const { body } = await server.succeed(api.readProfile, { token: await server.signInMainAdmin() });
    expect(body).toMatchObject({ id: 3, phone: 'admin', isAdmin: true, isMainAdmin: true });
  });
});

describe('changing the profile', () => {
  it('changes any subset and leaves the rest', async () => {
    const { token } = await server.registerBorrower();
    await server.succeed(api.updateProfile, { token, body: fullProfile });
    const { status, body } = await server.call(api.updateProfile, { token, body: { bankName: 'Bank B' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...fullProfile, bankName: 'Bank B' });
    expect((await server.succeed(api.updateProfile, { token, body: {} })).body).toEqual(body);
  });

  it('takes the salary as a number too, and a zero', async () => {
    const { token } = await server.registerBorrower();
    const salary = async (monthlySalary: number | string) =>
      (await server.succeed(api.updateProfile, { token, body: { monthlySalary } })).body.monthlySalary;
    expect(await salary(0)).toBe('0.00');
    expect(await salary(35_000.5)).toBe('35000.50');
    expect(await salary('1234.5')).toBe('1234.50');
  });

  it('clears the email', async () => {
    const { token } = await server.registerBorrower({ email: 'maria@example.com' });
    for (const email of ['', null]) {
      await server.succeed(api.updateProfile, { token, body: { email: 'maria@example.com' } });
      expect((await server.succeed(api.updateProfile, { token, body: { email } })).body.email).toBeNull();
    }
  });

  it('keeps the text that staff search in step', async () => {
    const { token, phone, id } = await server.registerBorrower();
    await server.succeed(api.updateProfile, {
      token,
      body: { fullName: 'Ligaya Ramos', email: 'Ligaya@Example.com' },
    });
    const account = await server.database.read((reader) => findAccount(reader, id));
    expect(account?.searchText).toBe(`ligaya ramos\n${phone}\nligaya@example.com`);
    expect(account?.emailKey).toBe('ligaya@example.com');
  });

  it('changes nothing that a borrower may not change', async () => {
    const { token, id, phone } = await server.registerBorrower();
    const anyBody = {
      fullName: 'Ligaya Ramos',
      id: 3,
      phone: '09189999999',
      isAdmin: true,
      balance: '1000000.00',
      balanceCentavos: 100,
      creditScore: 850,
      status: 'active',
      accountStatus: 'active',
      otpCode: '111111',
      idFrontFileId: 'AAAAAAAAAAAAAAAAAAAAAAAA',
      passwordHash: 'x',
      createdAt: '2020-01-01T00:00:00.000Z',
    };
    const { body } = await server.succeed(api.updateProfile, { token, anyBody });
    expect(body).toMatchObject({
      id,
      phone,
      fullName: 'Ligaya Ramos',
      isAdmin: false,
      balance: '0.00',
      creditScore: 500,
      status: 'pending',
      idFrontUrl: null,
      createdAt: '2026-03-10T04:00:00.000Z',
    });
  });

  it.each([
    ['fullName', 'A', 'Full name is required'],
    ['email', 'not an email', 'Valid email is required'],
    ['address', 'too short', 'Address is required'],
    ['countryOfWork', 'P', 'Country of work is required'],
    ['monthlySalary', -1, 'Monthly salary is required'],
    ['monthlySalary', 'NaN', 'Monthly salary is required'],
    ['monthlySalary', '1e400', 'Monthly salary is required'],
    ['monthlySalary', '1.234', 'Please give at most two decimals'],
    ['monthlySalary', 1.234, 'Please give at most two decimals'],
    ['monthlySalary', null, 'Monthly salary is required'],
    ['referenceName', '', 'Reference name is required'],
    ['referencePhone', '091812', 'Reference phone is required'],
    ['bankName', '  ', 'Bank name is required'],
    ['bankAccountNumber', '123456789', 'Account number is required'],
    ['idFrontUrl', 'https://example.com/a.jpg', 'Please upload the image again'],
    ['idFrontUrl', '/api/files/../../etc/passwd', 'Please upload the image again'],
    ['selfieUrl', 7, 'Please upload the image again'],
    ['address', 'x'.repeat(501), 'Please use a shorter text'],
  ])('refuses %s %j and changes nothing', async (field, value, message) => {
    const { token } = await server.registerBorrower();
    const before = await server.succeed(api.updateProfile, { token, body: fullProfile });
    const { status, body } = await server.call(api.updateProfile, {
      token,
      anyBody: { ...fullProfile, bankName: 'Bank B', [field]: value },
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'validation_failed',
      message,
      errors: { [field]: message },
    });
    expect((await server.succeed(api.readProfile, { token })).body).toEqual(before.body);
  });

  it('answers with the first failing field’s sentence and one for each', async () => {
    const { token } = await server.registerBorrower();
    const { body } = await server.call(api.updateProfile, {
      token,
      body: { fullName: 'A', address: 'short' },
    });
    expect(body).toEqual({
      code: 'validation_failed',
      message: 'Full name is required',
      errors: { fullName: 'Full name is required', address: 'Address is required' },
    });
  });

  it('loses nothing when two changes arrive at once', async () => {
    const { token } = await server.registerBorrower();
    await server.succeed(api.updateProfile, { token, body: fullProfile });
    await Promise.all([
      server.succeed(api.updateProfile, { token, body: { fullName: 'Ligaya Ramos' } }),
      server.succeed(api.updateProfile, { token, body: { email: 'ligaya@example.com' } }),
      server.succeed(api.updateProfile, { token, body: { bankName: 'Bank C' } }),
    ]);
    const { body } = await server.succeed(api.readProfile, { token });
    expect(body).toMatchObject({ fullName: 'Ligaya Ramos', email: 'ligaya@example.com', bankName: 'Bank C' });
    const staff = await server.signInMainAdmin();
    for (const search of ['ligaya ramos', 'ligaya@example.com']) {
      const found = await server.succeed(api.listMembers, { token: staff, query: { search } });
      expect(found.body, search).toHaveLength(1);
    }
  });
});

describe('documents of the profile', () => {
  it('are the account’s own uploads', async () => {
    const { token } = await server.registerBorrower();
    const { url } = await server.upload(token);
    const { body } = await server.succeed(api.updateProfile, { token, body: { idFrontUrl: url } });
    expect(body.idFrontUrl).toBe(url);
    // A form sends back what it was given.
    expect((await server.succeed(api.updateProfile, { token, body: { idFrontUrl: url } })).body).toEqual(
      body,
    );
  });

  it('are never another account’s, nor invented', async () => {
    const { token } = await server.registerBorrower();
    const other = await server.verifiedBorrower();
    const stolen = (await server.succeed(api.readProfile, { token: other.token })).body.idFrontUrl ?? '';
    for (const url of [stolen, `/api/files/${'A'.repeat(32)}`]) {
      const { status, body } = await server.call(api.updateProfile, {
        token,
        body: { fullName: 'Ligaya Ramos', selfieUrl: url },
      });
      expect(status).toBe(400);
      expect(body).toEqual({
        code: 'foreign_document',
        message: 'Please upload the image again',
      });
    }
    expect((await server.succeed(api.readProfile, { token })).body).toMatchObject({
      fullName: 'Maria Clara Santos',
      selfieUrl: null,
    });
  });
});

it('the audit log is told which fields changed, not what they say', async () => {
  const { token, id } = await server.registerBorrower();
  await server.succeed(api.updateProfile, { token, body: fullProfile });
  await server.succeed(api.updateProfile, { token, body: { ...fullProfile, bankName: 'Bank B' } });
  const { body, text } = await server.succeed(api.listAudit, { token: await server.signInMainAdmin() });
  const changes = body.filter(({ action }) => action === 'profile_updated');
  expect(
    changes.map(({ actorId, targetId, before, after }) => ({ actorId, targetId, before, after })),
  ).toEqual([
    { actorId: id, targetId: id, before: null, after: { changed: ['bankName'] } },
    {
      actorId: id,
      targetId: id,
      before: null,
      after: {
        changed: [
          ...[
            'email',
            'address',
            'countryOfWork',
            'monthlySalaryCentavos',
            'referenceName',
            'referencePhone',
          ],
          ...['bankName', 'bankAccountNumber'],
        ],
      },
    },
  ]);
  expect(text).not.toContain(fullProfile.bankAccountNumber);
  expect(text).not.toContain(fullProfile.address);
});
