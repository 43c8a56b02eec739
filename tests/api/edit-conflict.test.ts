import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { idempotencyKeys } from '#server/store/schema.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { fullProfile, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { applicant, termsOf, withdraw } from './lending.ts';

const server = await testServer();

const changedTo = (now: string) => `Changed to ${now} in the meantime`;
const sentence = 'This was changed in the meantime. Please look at it again.';

const edit = (id: number, anyBody: unknown, headers: Record<string, string> = {}) =>
  server.main.updateMember(id, odd(anyBody), { headers });

const editLoan = (id: number, anyBody: unknown) => server.main.updateLoan(id, odd(anyBody));

const read = (id: number) => server.main.readMember(id);

const readLoan = async (id: number) => (await server.main.listLoans()).find((loan) => loan.id === id);

const logLength = async () => (await server.main.listAudit()).length;

const noticesOf = async ({ token }: TestBorrower) => (await server.as(token).listNotifications()).length;

/** Field → what it was, what somebody else makes of it, what a person and a program are told of that. */
const memberFields: [field: string, before: unknown, meanwhile: unknown, said: string, present?: unknown][] =
  [
    ['phone', '0917 555 0101', '0917 555 0102', '0917 555 0102'],
    ['status', 'active', 'suspended', 'Suspended', 'suspended'],
    ['fullName', 'Maria Clara Santos', 'Maria Clara Reyes', 'Maria Clara Reyes'],
    ['email', 'maria@example.com', 'reyes@example.com', 'reyes@example.com'],
    ['address', fullProfile.address, '14 Luna Street, Iloilo City', '14 Luna Street, Iloilo City'],
    ['countryOfWork', 'Philippines', 'Singapore', 'Singapore'],
    ['monthlySalary', '35000.00', '40000.5', '₱40,000.50', '40000.50'],
    ['referenceName', 'Juan Santos', 'Jose Santos', 'Jose Santos'],
    ['referencePhone', '09181234567', '09187654321', '09187654321'],
    ['bankName', 'Bank A', 'Bank B', 'Bank B'],
    ['bankAccountNumber', '1234567890123', '9876543210', '9876543210'],
    ['creditScore', 500, 640, '640', 640],
  ];

/** The values that the second person asks for. */
const wanted: Record<string, unknown> = {
  ...fullProfile,
  phone: '0917 555 0103',
  status: 'pending',
  fullName: 'Clara Santos',
  email: 'clara@example.com',
  address: '99 Del Pilar Street, Naga City',
  countryOfWork: 'Qatar',
  monthlySalary: 51_000,
  referenceName: 'Pedro Santos',
  referencePhone: '09180000001',
  bankName: 'Bank C',
  bankAccountNumber: '5554443332221',
  creditScore: 700,
};

describe('an edit of a member', () => {
  it.each(memberFields)(
    'of %s that is another by now is refused and told',
    async (field, before, meanwhile, said, present) => {
      const borrower = await server.verifiedBorrower();
      const { id } = borrower;
      await edit(id, { [field]: before });
      await edit(id, { [field]: meanwhile });
      const was = await read(id);
      const entries = await logLength();
      const notices = await noticesOf(borrower).catch(() => undefined);
      const body = { [field]: wanted[field], creditScore: 800, expected: { [field]: before } };
      const refused = await edit(id, field === 'creditScore' ? { ...body, creditScore: 700 } : body).answer();
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.body).toEqual({
        message: sentence,
        code: 'edited_meanwhile',
        errors: { [field]: changedTo(said) },
        present: { [field]: present ?? meanwhile },
      });
      expect(await read(id)).toEqual(was);
      expect(await logLength()).toBe(entries);
      expect(await noticesOf(borrower).catch(() => undefined)).toBe(notices);

      // With what it is now as what is expected, it is a decision.
      const again = await edit(id, {
        [field]: wanted[field],
        expected: { [field]: present ?? meanwhile },
      }).answer();
      expect(again.status).toBe(200);
    },
  );

  it('is refused when a document has changed, and names no address in words', async () => {
    const borrower = await server.verifiedBorrower();
    const { idFrontUrl } = await read(borrower.id);
    const [second, third] = [await server.upload(borrower.token), await server.upload(borrower.token)];
    await edit(borrower.id, { idFrontUrl: second.url });
    await refused(edit(borrower.id, { idFrontUrl: third.url, expected: { idFrontUrl } }), 409, {
      errors: { idFrontUrl: changedTo('another photo') },
      present: { idFrontUrl: second.url },
    });
    expect((await read(borrower.id)).idFrontUrl).toBe(second.url);
  });

  it('names each conflicting field and no other', async () => {
    const { id } = await server.verifiedBorrower();
    await edit(id, {
      address: '14 Luna Street, Iloilo City',
      countryOfWork: 'Singapore',
      fullName: 'Clara Reyes',
    });
    const refused = await edit(id, {
      address: '99 Del Pilar Street, Naga City',
      countryOfWork: 'Qatar',
      expected: fullProfile,
    }).answer();
    expect(refused.body.errors).toEqual({
      address: changedTo('14 Luna Street, Iloilo City'),
      countryOfWork: changedTo('Singapore'),
    });
    // The refusal also tells of other changes: a form that was opened with the old name shows the new one.
    expect(refused.body.present).toEqual({
      address: '14 Luna Street, Iloilo City',
      countryOfWork: 'Singapore',
      fullName: 'Clara Reyes',
    });
  });

  it('ignores changes to what it does not touch, such as money arriving', async () => {
    const { id } = await server.verifiedBorrower();
    const expected = { ...fullProfile, status: 'pending', creditScore: 500, balance: '0.00' };
    await server.fund(id, 700);
    await edit(id, { creditScore: 610, fullName: 'Clara Reyes', status: 'active' });
    const done = await edit(id, { address: '99 Del Pilar Street, Naga City', expected }).answer();
    expect(done).toMatchObject({ status: 200, body: { balance: '700.00', fullName: 'Clara Reyes' } });
  });

  it.each([
    ['bankAccountNumber', 'bankName', 'Bank B'],
    ['bankName', 'bankAccountNumber', '9876543210'],
    ['referencePhone', 'referenceName', 'Jose Santos'],
  ] as const)('of %s looks at %s too', async (field, companion, meanwhile) => {
    const { id } = await server.verifiedBorrower();
    await edit(id, { [companion]: meanwhile });
    const refused = await edit(id, { [field]: wanted[field], expected: fullProfile }).answer();
    expect(refused.body.errors).toEqual({ [companion]: changedTo(meanwhile) });
    expect((await read(id))[field]).toBe(fullProfile[field]);
  });

  it.each([
    ['phone', '+63 917 555 0101', '09175550101'],
    ['phone', '0917-555-0101', '639175550101'],
    ['referencePhone', '+639181234567', '0918 123 4567'],
    ['email', 'Maria@Example.com', 'maria@example.com'],
    ['monthlySalary', '35000', 35_000],
    ['monthlySalary', '35000.0', '35000.00'],
    ['fullName', 'Maria Clara Santos', '  Maria Clara Santos '],
  ])('takes %s %j for %j', async (field, stored, expected) => {
    const { id } = await server.verifiedBorrower();
    await edit(id, { [field]: stored });
    const done = await edit(id, { [field]: wanted[field], expected: { [field]: expected } }).answer();
    expect(done.status).toBe(200);
  });

  it.each(['', null, '  '])('takes %j for nothing', async (nothing) => {
    const { id } = await server.registerBorrower();
    const expected = {
      email: nothing,
      address: nothing,
      ...(nothing !== '  ' && { monthlySalary: nothing }),
    };
    const { email, address, monthlySalary } = fullProfile;
    const done = await edit(id, { email, address, monthlySalary, expected }).answer();
    expect(done.status).toBe(200);
    const told = await refused(edit(id, { email: 'clara@example.com', expected: { email: nothing } }), 409);
    expect(told.errors).toEqual({ email: changedTo(email) });
    await edit(id, { email: null });
    const emptied = await refused(edit(id, { email: 'clara@example.com', expected: { email } }), 409);
    expect(emptied).toMatchObject({
      errors: { email: 'Cleared in the meantime' },
      present: { email: null },
    });
  });

  it('has no conflict over a field that already has the requested value', async () => {
    const { id } = await server.verifiedBorrower();
    await edit(id, { status: 'suspended', bankName: 'Bank B', email: null });
    const entries = await logLength();
    const same = await edit(id, {
      status: 'suspended',
      bankName: 'Bank B',
      email: '',
      expected: { status: 'pending', bankName: 'Bank A', email: 'maria@example.com' },
    }).answer();
    expect(same.status).toBe(200);
    expect(await logLength()).toBe(entries);
  });

  it('never compares or reveals codes, passwords and other fields of no form', async () => {
    const { id } = await server.verifiedBorrower();
    await edit(id, { otpCode: '482913', password: 'issued word' });
    const expected = {
      otpCode: '111111',
      password: 'x',
      plainPassword: 'x',
      isAdmin: true,
      balance: '9.00',
      id: 1,
    };
    const done = await edit(id, { otpCode: '731204', password: 'another word', expected }).answer();
    expect(done.status).toBe(200);
    const refused = await edit(id, {
      otpCode: '905172',
      fullName: 'Clara Reyes',
      expected: { ...expected, fullName: 'Somebody' },
    }).answer();
    expect(refused).toMatchObject({ status: 409, body: { present: { fullName: 'Maria Clara Santos' } } });
    expect(refused.text).not.toMatch(/731204|482913|905172|word/);
    expect(await read(id)).toMatchObject({ otpCode: '731204' });
  });

  it('leaves the balance to its own guard', async () => {
    const { id } = await server.verifiedBorrower();
    await server.fund(id, 300);
    const body = { balance: 700, expectedBalance: '0.00', expected: { balance: '300.00' } };
    await refused(edit(id, body), 409, 'balance_changed');
    const both = { ...body, fullName: 'Clara Reyes', expected: { fullName: 'Somebody' } };
    await refused(edit(id, both), 409, 'edited_meanwhile');
  });

  it.each([
    [{ status: 'asleep' }, 'expected.status'],
    [{ fullName: 7 }, 'expected.fullName'],
    [{ monthlySalary: 'much' }, 'expected.monthlySalary'],
    [{ creditScore: '500' }, 'expected.creditScore'],
  ])('is a 400 with %j', async (expected, field) => {
    const { id } = await server.verifiedBorrower();
    await refused(edit(id, { fullName: 'Clara Reyes', expected }), 400, {
      errors: { [field]: expect.any(String) },
    });
  });

  it.each(['everything', 7, ['fullName'], null])('is a 400 when what is expected is %j', async (expected) => {
    const { id } = await server.verifiedBorrower();
    await refused(edit(id, { fullName: 'Clara Reyes', expected }), 400);
  });

  it('gives the same refusal again under the same key, and keeps no code in it', async () => {
    const { id } = await server.verifiedBorrower();
    const once = { 'idempotency-key': 'one-submit' };
    const body = { otpCode: '905172', fullName: 'Clara Reyes', expected: { fullName: 'Somebody' } };
    const first = await refused(edit(id, body, once), 409);
    await edit(id, { fullName: 'Somebody' });
    const again = await edit(id, body, once).answer();
    expect([again.status, again.body]).toEqual([409, first]);
    const kept = await server.database.read((reader) => reader.select().from(idempotencyKeys));
    expect(kept).toMatchObject([{ key: 'one-submit', status: 409 }]);
    expect(JSON.stringify(kept)).not.toContain('905172');
  });

  it('is a 404 when the member is gone', async () => {
    const { id } = await server.verifiedBorrower();
    await server.main.deleteUser(id);
    await refused(edit(id, { fullName: 'Clara Reyes', expected: { fullName: 'X' } }), 404);
  });

  it('tells an ordinary admin nothing about another admin', async () => {
    const { id } = await server.createAdmin();
    const admin = await server.createAdmin();
    const body = { fullName: 'Clara Reyes', expected: { fullName: 'Somebody' } };
    const refused = await admin.updateMember(id, odd(body)).answer();
    expect(refused).toMatchObject({ status: 403, body: { code: 'main_admin_only' } });
    expect(refused.body).not.toHaveProperty('present');
  });
});

describe('an edit of a loan', () => {
  it.each([
    ['status', 'pending', 'bank check', 'approved', 'Bank check', 'bank_check'],
    ['status', 'Pending', 'account_issue', 'denied', 'Account issue', 'account_issue'],
    ['amount', '150000.00', 240_000, 200_000, '₱240,000.00', '240000.00'],
    ['termMonths', 12, 24, 36, '24 months', 24],
  ])(
    'of its %s, %j at first, is refused once it is %j',
    async (field, before, meanwhile, asked, said, present) => {
      const { id } = await applicant(server);
      await editLoan(id, { [field]: meanwhile });
      const was = await readLoan(id);
      const entries = await logLength();
      const told = await refused(editLoan(id, { [field]: asked, expected: { [field]: before } }), 409);
      expect(told).toMatchObject({
        message: sentence,
        code: 'edited_meanwhile',
        present: { [field]: present },
      });
      expect(told.errors).toEqual({ [field]: changedTo(said) });
      expect(await readLoan(id)).toEqual(was);
      expect(await logLength()).toBe(entries);
      const again = await editLoan(id, { [field]: asked, expected: { [field]: present } }).answer();
      expect(again.status).toBe(200);
    },
  );

  it('compares amount and term together, and says what the payment is now', async () => {
    const { id } = await applicant(server);
    await editLoan(id, { termMonths: 24 });
    const expected = { amount: '150000', termMonths: 12 };
    const refused = await editLoan(id, { amount: 240_000, expected }).answer();
    expect(refused.body).toMatchObject({
      errors: { termMonths: changedTo('24 months') },
      // (150,000 + 150,000 × 2.5 % × 24) / 24
      present: { amount: '150000.00', termMonths: 24, monthlyPayment: '10000.00' },
    });
    expect(await termsOf(server, id)).toHaveLength(2);
    expect(await editLoan(id, { status: 'approved', expected }).answer()).toMatchObject({ status: 200 });
    expect(await editLoan(id, { amount: 240_000, expected: { ...expected, termMonths: 24 } })).toMatchObject({
      amount: '240000.00',
      termMonths: 24,
    });
  });

  it('changes nothing when only expected values are sent', async () => {
    const { id } = await applicant(server);
    await refused(editLoan(id, { expected: { status: 'pending' } }), 400);
    await refused(editLoan(id, { status: 'approved', expected: { amount: 'x' } }), 400, {
      errors: { 'expected.amount': expect.any(String) },
    });
  });

  it('is a 404 when the loan is gone', async () => {
    const { id } = await applicant(server);
    await server.main.deleteLoan(id);
    await refused(editLoan(id, { status: 'approved', expected: { status: 'denied' } }), 404);
  });
});

describe('an edit of an admin', () => {
  const patch = (id: number, anyBody: unknown) => server.main.updateAdmin(id, odd(anyBody));

  it('is refused when the email has changed, whatever else it contains', async () => {
    const { id, email } = await server.createAdmin();
    await patch(id, { email: 'first@example.com' });
    const body = { email: 'second@example.com', password: 'a new password', expected: { email } };
    const refused = await patch(id, body).answer();
    expect(refused).toMatchObject({ status: 409, body: { code: 'edited_meanwhile' } });
    expect(refused.body.errors).toEqual({ email: changedTo('first@example.com') });
    expect(refused.body.present).toEqual({ email: 'first@example.com' });
    expect(await read(id)).toMatchObject({ email: 'first@example.com', plainPassword: 'staff password' });
    expect(await patch(id, { ...body, expected: { email: 'FIRST@example.com' } })).toMatchObject({
      email: 'second@example.com',
    });
  });

  it('ignores the email when only the password changes', async () => {
    const { id } = await server.createAdmin();
    const body = { password: 'a new password', expected: { email: 'nobody@example.com' } };
    expect(await patch(id, body).answer()).toMatchObject({ status: 200 });
  });
});

describe('a withdrawal that somebody else has settled', () => {
  it('is reported as it is now', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 5_000);
    const withdrawal = await withdraw(server, borrower, limits.withdrawalMinCentavos / 100);
    const move = (status: 'completed' | 'rejected') =>
      server.main.updateWithdrawal(withdrawal.id, { status });
    const { body: settled } = await move('completed').answer();
    await refused(move('rejected'), 409, {
      code: 'withdrawal_final',
      present: { status: 'completed', processedAt: settled.processedAt },
    });
  });
});

describe('two saves at once', () => {
  it('of a member: one wins, the other is told', async () => {
    const { id } = await server.verifiedBorrower();
    const names = Array.from({ length: 8 }, (_, number) => `Bank ${number}`);
    const answers = await Promise.all(
      names.map((bankName) => edit(id, { bankName, expected: { bankName: 'Bank A' } }).answer()),
    );
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [names[index]] : []));
    expect(winners).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, present: body.present }).toEqual({ status: 409, present: { bankName: winners[0] } });
    }
    expect((await read(id)).bankName).toBe(winners[0]);
  });

  it('of a loan: one new version of the contract', async () => {
    const { id } = await applicant(server);
    const answers = await Promise.all(
      [18, 24, 30, 36].map((termMonths) =>
        editLoan(id, { termMonths, expected: { termMonths: 12 } }).answer(),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await termsOf(server, id)).toHaveLength(2);
  });

  it('of an admin: one email', async () => {
    const { id, email } = await server.createAdmin();
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        server.main.updateAdmin(id, { email: `${name}@example.com`, expected: { email } }).answer(),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
