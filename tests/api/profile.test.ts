import { describe, expect, it } from 'vitest';
import { profileFieldNames } from '#domain/profile.ts';
import { findAccount } from '#server/store/account-store.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { fullProfile, testServer } from '#tests/setup/test-server.ts';

const server = await testServer({ engine: 'postgres' });

describe('the own account', () => {
  it('has every field of the schema and no other', async () => {
    const borrower = await server.verifiedBorrower();
    const { body, headers } = await borrower.readProfile().success();
    expect(Object.keys(body).sort()).toEqual(
      [
        ...profileFieldNames,
        ...['id', 'phone', 'balance', 'creditScore', 'creditTrend'],
        ...['idFrontUrl', 'idBackUrl', 'selfieUrl', 'status', 'accountStatus', 'isAdmin', 'isMainAdmin'],
        ...['isVerified', 'mustChangePassword', 'createdAt'],
      ].sort(),
    );
    expect(body).toMatchObject({ ...fullProfile, id: borrower.id, phone: borrower.phone, isVerified: true });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('never carries a code or a password that staff set', async () => {
    const { id, phone } = await server.registerBorrower();
    await server.main.updateMember(id, { otpCode: '482913', password: 'issued word' });
    const token = await server.signIn({ phone, password: 'issued word' });
    const { text } = await server.as(token).readProfile().success();
    expect(text).not.toMatch(/482913|issued word|otpCode|plainPassword/);
  });

  it('is read at the same address for staff', async () => {
    const body = await server.main.readProfile();
    expect(body).toMatchObject({ id: 3, phone: 'admin', isAdmin: true, isMainAdmin: true });
  });
});

describe('changing the profile', () => {
  it('changes any subset and leaves the rest', async () => {
    const borrower = await server.registerBorrower();
    await borrower.updateProfile(fullProfile);
    const body = await borrower.updateProfile({ bankName: 'Bank B' });
    expect(body).toMatchObject({ ...fullProfile, bankName: 'Bank B' });
    expect(await borrower.updateProfile({})).toEqual(body);
  });

  it('takes the salary as a number too, and a zero', async () => {
    const borrower = await server.registerBorrower();
    const salary = async (monthlySalary: number | string) =>
      (await borrower.updateProfile({ monthlySalary })).monthlySalary;
    expect(await salary(0)).toBe('0.00');
    expect(await salary(35_000.5)).toBe('35000.50');
    expect(await salary('1234.5')).toBe('1234.50');
  });

  it('clears the email', async () => {
    const borrower = await server.registerBorrower({ email: 'maria@example.com' });
    for (const email of ['', null]) {
      await borrower.updateProfile({ email: 'maria@example.com' });
      expect((await borrower.updateProfile({ email })).email).toBeNull();
    }
  });

  it('keeps the text that staff search in step', async () => {
    const borrower = await server.registerBorrower();
    await borrower.updateProfile({ fullName: 'Ligaya Ramos', email: 'Ligaya@Example.com' });
    const account = await server.database.read((reader) => findAccount(reader, borrower.id));
    expect(account?.searchText).toBe(`ligaya ramos\n${borrower.phone}\nligaya@example.com`);
    expect(account?.emailKey).toBe('ligaya@example.com');
  });

  it('changes nothing that a borrower may not change', async () => {
    const borrower = await server.registerBorrower();
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
    const body = await borrower.updateProfile(odd(anyBody));
    expect(body).toMatchObject({
      id: borrower.id,
      phone: borrower.phone,
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
    ...['0917 123 4567', '+639171234567'].map((own): [string, string, string] => [
      'referencePhone',
      own,
      'This is your own number. Please give your reference person’s.',
    ]),
    ['idFrontUrl', 'https://example.com/a.jpg', 'Please upload the image again'],
    ['idFrontUrl', '/api/files/../../etc/passwd', 'Please upload the image again'],
    ['selfieUrl', 7, 'Please upload the image again'],
    ['address', 'x'.repeat(501), 'Please use a shorter text'],
  ])('refuses %s %j and changes nothing', async (field, value, message) => {
    const borrower = await server.registerBorrower({ phone: '0917-1234567' });
    const before = await borrower.updateProfile(fullProfile);
    const body = await refused(
      borrower.updateProfile(odd({ ...fullProfile, bankName: 'Bank B', [field]: value })),
      400,
    );
    expect(body).toEqual({
      code: 'validation_failed',
      message,
      errors: { [field]: message },
    });
    expect(await borrower.readProfile()).toEqual(before);
  });

  it('answers with the first failing field’s sentence and one for each', async () => {
    const borrower = await server.registerBorrower();
    const { body } = await borrower.updateProfile({ fullName: 'A', address: 'short' }).answer();
    expect(body).toEqual({
      code: 'validation_failed',
      message: 'Full name is required',
      errors: { fullName: 'Full name is required', address: 'Address is required' },
    });
  });

  it('loses nothing when two changes arrive at once', async () => {
    const borrower = await server.registerBorrower();
    await borrower.updateProfile(fullProfile);
    await Promise.all([
      borrower.updateProfile({ fullName: 'Ligaya Ramos' }).success(),
      borrower.updateProfile({ email: 'ligaya@example.com' }).success(),
      borrower.updateProfile({ bankName: 'Bank C' }).success(),
    ]);
    const body = await borrower.readProfile();
    expect(body).toMatchObject({ fullName: 'Ligaya Ramos', email: 'ligaya@example.com', bankName: 'Bank C' });
    for (const search of ['ligaya ramos', 'ligaya@example.com']) {
      const found = await server.main.listMembers({ search });
      expect(found, search).toHaveLength(1);
    }
  });
});

describe('documents of the profile', () => {
  it('are the account’s own uploads', async () => {
    const borrower = await server.registerBorrower();
    const { url } = await server.upload(borrower.token);
    const body = await borrower.updateProfile({ idFrontUrl: url });
    expect(body.idFrontUrl).toBe(url);
    // A form sends back what it was given.
    expect(await borrower.updateProfile({ idFrontUrl: url })).toEqual(body);
  });

  it('are never another account’s, nor invented', async () => {
    const borrower = await server.registerBorrower();
    const other = await server.verifiedBorrower();
    const stolen = (await other.readProfile()).idFrontUrl ?? '';
    for (const url of [stolen, `/api/files/${'A'.repeat(32)}`]) {
      const body = await refused(borrower.updateProfile({ fullName: 'Ligaya Ramos', selfieUrl: url }), 400);
      expect(body).toEqual({
        code: 'foreign_document',
        message: 'Please upload the image again',
      });
    }
    expect(await borrower.readProfile()).toMatchObject({
      fullName: 'Maria Clara Santos',
      selfieUrl: null,
    });
  });
});

it('the audit log is told which fields changed, not what they say', async () => {
  const borrower = await server.registerBorrower();
  await borrower.updateProfile(fullProfile);
  await borrower.updateProfile({ ...fullProfile, bankName: 'Bank B' });
  const { body, text } = await server.main.listAudit().success();
  const changes = body.filter(({ action }) => action === 'profile_updated');
  expect(
    changes.map(({ actorId, targetId, before, after }) => ({ actorId, targetId, before, after })),
  ).toEqual([
    { actorId: borrower.id, targetId: borrower.id, before: null, after: { changed: ['bankName'] } },
    {
      actorId: borrower.id,
      targetId: borrower.id,
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
