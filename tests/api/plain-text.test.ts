import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { holdBooksToKey } from '#server/books/book-key.ts';
import { changeAccount } from '#server/store/account-store.ts';
import { accounts } from '#server/store/schema.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { rowsOf, storedAccount } from '#tests/setup/test-database.ts';
import { fullProfile, mainAdminPassword, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { approvedApplication } from './lending.ts';
import { verify } from './tampering.ts';

const server = await testServer();
const person = { fullName: 'Ana Reyes', phone: '09171234567', password: 'secret word' };

/** One number, as contact apps, links and keyboards of other scripts give it. */
const spellings = [
  '\u202A09171234567\u202C',
  '\u2066+639171234567\u2069',
  '\u200E0917\u200B123\u200F4567\uFEFF',
  '0\uFE0F9171234567',
  '0917\u00AD123\u20604567',
  '0917\u00A0123\u20034567',
  'tel:+63-917-123-4567',
  'TEL:%2B63%20917%20123%204567',
  '\u202Atel:09171234567\u202C',
  '٠٩١٧١٢٣٤٥٦٧',
  '०९१७१२३४५६७',
  '０９１７１２３４５６７',
  '＋６３ 917 123 4567',
  '\u{E0030}09171234567\u{E007F}',
];

describe('a number that was copied with invisible marks', () => {
  it.each(spellings)('signs in to the account and registers no second one: %j', async (phone) => {
    await server.visitor.register(person);
    await server.visitor.signIn({ phone, password: person.password });
    await refused(server.visitor.register({ ...person, phone }), 409, 'already_registered');
    await refused(server.main.createMember({ phone }), 409, 'already_registered');
  });

  it('is kept without them', async () => {
    const phone = '\u202A0917 123 4567\u202C';
    const { user } = await server.visitor.register({ ...person, phone });
    expect(user.phone).toBe('0917 123 4567');
    const { id } = await server.main.updateMember(user.id, { phone: 'tel:+63-918-123-4567' });
    const [member] = await server.main.listMembers({ search: '\u2066+63 918 123\u2069' });
    expect(member).toMatchObject({ id, phone: '+63-918-123-4567' });
  });

  it('names the same member of staff', async () => {
    const { email, password } = await server.createAdmin({ phone: '09181112222' });
    for (const username of ['\u202A09181112222\u202C', `\u200E${email}\u200F`])
      await server.visitor.signIn({ username, password });
    await server.visitor.signIn({ username: '\u200Eadmin', password: mainAdminPassword });
  });

  it('is the same bank account: a withdrawal to it does not wait', async () => {
    const member = await server.verifiedBorrower({ bankAccountNumber: '1234\u200B567890123' });
    const profile = await member.readProfile();
    expect(profile.bankAccountNumber).toBe('1234567890123');
    await server.fund(member.id, 50_000);
    await server.setCode(member.id);
    const account = {
      bankName: 'Bank\u00A0A\u200B',
      bankAccountNumber: '\u202A1234\u2011567890１２３\u202C',
    };
    const made = await member.requestWithdrawal({ ...account, amount: 1000, otp: '\u200E123456\u200F' });
    expect(made.status).toBe('approved');
  });

  it('is the same reference, code, amount and day', async () => {
    const { borrower, id } = await approvedApplication(server);
    await server.main.disburseLoan(id, { channel: 'recorded', date: '2025-12-10' });
    const pay = (reference: string, amount: unknown = 1_000) =>
      server.main.recordPayment(
        id,
        odd({ amount, channel: 'gcash', reference, valueDate: '\u200E2026-01-10\u200F' }),
      );
    const first = await pay('\u202A1234 5678\u202C', '\u200E1000\u200F');
    expect(first).toMatchObject({ reference: '1234 5678', amount: '1000.00', valueDate: '2026-01-10' });
    await refused(pay('12\uFE0F34\u200B5678'), 409);
    await server.main.updateMember(borrower.id, { otpCode: '\u200E123456' });
  });

  it('is the same address of the office', async () => {
    const allowed = await server.main.addAllowedIp({ ipAddress: '\u200E127.0.0.1\u200B' });
    expect(allowed.ipAddress).toBe('127.0.0.1');
  });

  it('has to be long enough without them', async () => {
    const phone = `admin${'\u200B'.repeat(5)}`;
    expect((await refused(server.visitor.register({ ...person, phone }), 400)).message).toBe(
      'Phone number is required',
    );
  });
});

/** Texts in which nobody can see anything, or nothing but marks. */
const nothing = [
  ['zero-width spaces', '\u200B'],
  ['Hangul fillers', '\u3164'],
  ['braille blanks', '\u2800'],
  ['word joiners', '\u2060'],
  ['soft hyphens', '\u00AD'],
  ['jamo fillers', '\u115F\u1160'],
  ['narrow fillers', '\uFFA0'],
  ['combining accents', '\u0301'],
  ['joiners', '\u200D\u200C'],
  ['tag characters', '\u{E0041}'],
  ['Mongolian selectors', '\u180B'],
  ['dashes', '-'],
] as const;

describe('a field filled with what cannot be seen', () => {
  it.each(nothing)('is empty: %s', async (_, mark) => {
    const text = mark.repeat(12);
    const refusal = async (call: Promise<unknown>, field: string, message: string) =>
      expect((await refused(call as never, 400)).errors).toMatchObject({ [field]: message });
    await refusal(
      server.visitor.register({ ...person, fullName: text }),
      'fullName',
      'Full name is required',
    );
    const borrower = await server.verifiedBorrower();
    for (const [field, message] of [
      ['fullName', 'Full name is required'],
      ['address', 'Address is required'],
      ['countryOfWork', 'Country of work is required'],
      ['referenceName', 'Reference name is required'],
      ['referencePhone', 'Reference phone is required'],
      ['bankName', 'Bank name is required'],
      ['bankAccountNumber', 'Account number is required'],
    ] as const)
      await refusal(borrower.updateProfile({ [field]: text }), field, message);
    await refusal(
      borrower.applyForLoan({ amount: 150_000, termMonths: 12, purpose: text }),
      'purpose',
      'Please describe the purpose of the loan',
    );
    await refusal(
      borrower.complain({ category: 'service', message: text }),
      'message',
      'Please say what happened, in at least three letters',
    );
    const send = (title: string, message: string) =>
      server.main.notifyMember({ userId: borrower.id, title, message });
    await refusal(send(text, 'Hello'), 'title', 'Title is required');
    await refusal(send('Hello', text), 'message', 'Message is required');
  });

  it('counts only what can be seen', async () => {
    const borrower = await server.registerBorrower();
    for (const change of [
      { fullName: 'A\u200B' },
      { fullName: 'A\u3164' },
      { address: `Sta. Ana${'\u2800'.repeat(5)}` },
    ])
      await refused(borrower.updateProfile(change), 400);
  });

  it('is kept composed, without direction overrides, and with the joiners of its script', async () => {
    const borrower = await server.registerBorrower();
    const typed = { fullName: ' Jose\u0301 \u202Eseyer\u202C ', referenceName: 'क्\u200Dष \u200Dअ' };
    expect(await borrower.updateProfile(typed)).toMatchObject({
      fullName: 'José seyer',
      referenceName: 'क्\u200Dष अ',
    });
  });

  it('is no status either', async () => {
    const { id } = await approvedApplication(server);
    const loan = await server.main.updateLoan(id, { status: 'Bank\u200B check\u2060' });
    expect(loan.status).toBe('bank_check');
    await refused(server.main.updateLoan(id, { status: '\u200B\u200B\u200B' }), 400);
  });
});

describe('a password with accents', () => {
  const composed = 'contraseña é';
  const decomposed = composed.normalize('NFD');
  const signIn = (password: string) => server.visitor.signIn({ phone: person.phone, password });

  it.each([
    [composed, decomposed],
    [decomposed, composed],
  ])('opens however the device writes it: %j', async (set, typed) => {
    await server.visitor.register({ ...person, password: set });
    await signIn(typed);
    await signIn(set);
  });

  it.each([
    ['as it was typed', decomposed],
    ['composed', composed],
  ])('opens what an earlier version stored, and is stored in one form from then on: %s', async (_, typed) => {
    const { user } = await server.visitor.register(person);
    const { hash } = await import('@node-rs/argon2');
    const passwordHash = await hash(decomposed, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await server.database.transaction((tx) => changeAccount(tx, user.id, { passwordHash }));
    await signIn(typed);
    const stored = await storedAccount(server.database, user.id);
    expect(stored.passwordHash).not.toBe(passwordHash);
    const { verify: opens } = await import('@node-rs/argon2');
    expect(await opens(stored.passwordHash, composed)).toBe(true);
    expect((await verify(server.database)).wrong).toEqual([]);
  });

  it('counts one try for all of its forms', async () => {
    await server.visitor.register(person);
    const wrong = () => server.visitor.signIn({ phone: person.phone, password: decomposed }).answer();
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries += 1)
      expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
  });

  it('has six characters as it is compared', async () => {
    await refused(server.visitor.register({ ...person, password: 'e\u0301e\u0301e\u0301' }), 400);
  });
});

describe('two accounts whose numbers became one', () => {
  const marked = '\u202A09171234567\u202C';

  /** Two accounts that an older version kept apart, because the second number had its marks. */
  async function olderPair(second: { password?: string } = {}) {
    const one = await server.registerBorrower({ phone: person.phone, password: 'first word' });
    const other = await server.registerBorrower({ password: 'second word', ...second, fullName: 'Bea Cruz' });
    const old = { phone: marked, phoneKey: marked, fullName: 'Bea\u200B Cruz', address: '\u3164'.repeat(12) };
    await server.database.transaction(async (tx) => {
      await changeAccount(tx, other.id, old);
      await tx.update(accounts).set({ format: 1, searchText: 'older' });
    });
    await holdBooksToKey(server.deps);
    return { one, other };
  }

  const signIn = (password: string, address?: string) =>
    server.visitor.signIn({ phone: person.phone, password }, address === undefined ? {} : { address });

  it('are both kept, sealed, written down and listed, and each password opens its own', async () => {
    const { one, other } = await olderPair();
    expect((await signIn('first word')).user.id).toBe(one.id);
    expect((await signIn('second word')).user.id).toBe(other.id);
    await refused(signIn('third word'), 401);
    expect((await verify(server.database)).wrong).toEqual([]);
    const members = await server.main.listMembers({ search: '09171234567' });
    expect(members).toMatchObject([
      { id: other.id, phone: '09171234567', fullName: 'Bea Cruz', address: null, sharesPhone: true },
      { id: one.id, phone: '09171234567', sharesPhone: true },
    ]);
    expect((await server.main.readToday()).waiting.phonesShared).toBe(2);
    const entries = await auditOf(server.database, 'phone_shared');
    expect(entries.map(({ targetId, after }) => [targetId, after])).toEqual(
      expect.arrayContaining([
        [one.id, { sharedWith: [other.id] }],
        [other.id, { sharedWith: [one.id] }],
      ]),
    );
  });

  it('let nobody else in under the number, and are found by the next start only once', async () => {
    await olderPair();
    await refused(server.visitor.register(person), 409, 'already_registered');
    await refused(server.main.createMember({ phone: person.phone }), 409, 'already_registered');
    const third = await server.registerBorrower();
    await refused(server.main.updateMember(third.id, { phone: person.phone }), 409, 'phone_taken');
    await holdBooksToKey(server.deps);
    expect(await auditOf(server.database, 'phone_shared')).toHaveLength(2);
  });

  it('are apart again once one has another number or leaves', async () => {
    const { one, other } = await olderPair();
    await server.main.updateMember(one.id, { phone: '09180000000' });
    expect((await server.main.readToday()).waiting.phonesShared).toBe(0);
    expect((await signIn('second word')).user.id).toBe(other.id);
    await refused(signIn('first word'), 401);
    await refused(server.visitor.register(person), 409);
    await server.main.deleteUser(other.id);
    await server.visitor.register(person);
  });

  it('stay as they are when staff change something else', async () => {
    const { one, other } = await olderPair();
    await server.main.updateMember(other.id, { fullName: 'Bea Dizon', phone: '+63 917 123 4567' });
    expect((await signIn('first word')).user.id).toBe(one.id);
    expect((await signIn('second word')).user.id).toBe(other.id);
  });

  it('count a try once, and no holder forgets the tries at the other', async () => {
    const { other } = await olderPair();
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries += 1) {
      await refused(signIn('wrong word'), 401);
      if (tries < limits.wrongPasswordsPerAccount - 1)
        expect((await signIn('second word')).user.id).toBe(other.id);
    }
    await refused(signIn('wrong word'), 429);
  });

  it('open the one that is not suspended where both have one password', async () => {
    const { one, other } = await olderPair({ password: 'first word' });
    expect((await signIn('first word')).user.id).toBe(one.id);
    await server.main.updateMember(one.id, { status: 'suspended' });
    expect((await signIn('first word')).user.id).toBe(other.id);
    await server.main.updateMember(other.id, { status: 'suspended' });
    await refused(signIn('first word'), 403, 'account_suspended');
  });

  it('make every wrong sign-in take the work of two passwords', async () => {
    await olderPair();
    const { verify: real, verifyNothing } = server.deps.passwords;
    let works = 0;
    Object.assign(server.deps.passwords, {
      verify: (...given: Parameters<typeof real>) => {
        works += 1;
        return real(...given);
      },
      verifyNothing: (plain: string) => {
        works += 1;
        return verifyNothing(plain);
      },
    });
    const alone = await server.registerBorrower();
    const worksOf = async (phone: string) => {
      works = 0;
      await refused(server.visitor.signIn({ phone, password: 'wrong word' }), 401);
      return works;
    };
    expect([await worksOf(person.phone), await worksOf(alone.phone), await worksOf('09179999999')]).toEqual([
      2, 2, 2,
    ]);
    Object.assign(server.deps.passwords, { verify: real, verifyNothing });
  });

  it('leave a borrower in who shares a number with staff, from any address', async () => {
    const { password } = await server.createAdmin({ phone: person.phone });
    const other = await server.registerBorrower({ password: 'second word' });
    await server.database.transaction(async (tx) => {
      await changeAccount(tx, other.id, { phone: marked, phoneKey: marked });
      await tx.update(accounts).set({ format: 1 }).where(eq(accounts.id, other.id));
    });
    await holdBooksToKey(server.deps);
    await server.main.addAllowedIp({ ipAddress: '127.0.0.1' });
    expect((await signIn('second word', '198.51.100.7')).user.id).toBe(other.id);
    await refused(signIn(password, '198.51.100.7'), 401);
    const form = { username: person.phone, password };
    await refused(server.visitor.signIn(form, { address: '198.51.100.7' }), 403, 'ip_not_allowed');
    await server.visitor.signIn(form);
  });

  it('never make the main admin of somebody', async () => {
    const other = await server.registerBorrower();
    const phone = `admin${'\u200B'.repeat(5)}`;
    await server.database.transaction(async (tx) => {
      await changeAccount(tx, other.id, { phone, phoneKey: phone });
      await tx.update(accounts).set({ format: 1 }).where(eq(accounts.id, other.id));
    });
    await holdBooksToKey(server.deps);
    const [row] = await rowsOf(
      server.database,
      sql`select phone_key, phone_share from accounts where id = ${other.id}`,
    );
    expect(row).toEqual({ phone_key: phone, phone_share: '0' });
  });

  it('leave what fits no seal as it is', async () => {
    const other = await server.registerBorrower();
    await server.database.transaction((tx) =>
      tx
        .update(accounts)
        .set({ format: 1, phone: marked, phoneKey: marked })
        .where(eq(accounts.id, other.id)),
    );
    const before = (await verify(server.database)).wrong;
    expect(before).toHaveLength(1);
    await holdBooksToKey(server.deps);
    expect((await verify(server.database)).wrong).toEqual(before);
  });
});

it('nobody is verified by a name that cannot be seen', async () => {
  const borrower = await server.verifiedBorrower();
  await server.database.transaction(async (tx) => {
    await changeAccount(tx, borrower.id, { fullName: '\u200B\u200B' });
    await tx.update(accounts).set({ format: 1 }).where(eq(accounts.id, borrower.id));
  });
  expect((await borrower.readProfile()).isVerified).toBe(false);
  await holdBooksToKey(server.deps);
  expect(await borrower.readProfile()).toMatchObject({ isVerified: false, fullName: '' });
  await refused(borrower.applyForLoan({ amount: 150_000, termMonths: 12, purpose: 'House' }), 403);
  await borrower.updateProfile({ fullName: fullProfile.fullName });
  expect((await borrower.readProfile()).isVerified).toBe(true);
});

describe('a search', () => {
  const names = {
    decomposed: 'Jose\u0301 Pen\u0303a',
    quoted: 'Ana D\u2019Angelo',
    spaced: 'Maria\u00A0 Clara  Santos',
    percent: '100% Reyes',
  };
  const typed = {
    decomposed: ['José Peña', 'jose pena', 'PEN\u0303A', 'pena', 'peña'],
    quoted: ["d'angelo", 'D\u2019ANGELO', 'd\u02BCangelo', 'd`angelo', 'd\u2018angelo'],
    spaced: ['maria clara santos', 'Maria  Clara', 'clara\u00A0santos', 'ria cla'],
    percent: ['100%', '% reyes'],
  };
  type Name = keyof typeof names;

  it('finds names, purposes, banks and references in whatever form they were stored', async () => {
    const { borrower, id } = await approvedApplication(server);
    await server.main.disburseLoan(id, { channel: 'recorded', date: '2025-12-10' });
    await server.fund(borrower.id, 100_000);
    const names = Object.entries(typed) as [Name, string[]][];
    for (const [name, searches] of names) {
      const text = stored(name);
      // An earlier version stored it so.
      await server.database.transaction((tx) =>
        tx.execute(sql`update loans set purpose = ${text} where id = ${id}`),
      );
      for (const search of searches) {
        expect(await server.main.listLoans({ search }), search).toMatchObject([{ id }]);
        expect((await server.main.find({ search })).loans, search).toMatchObject([{ id }]);
      }
    }
    for (const [name, searches] of names) {
      await borrower.updateProfile({ fullName: stored(name) });
      for (const search of searches) {
        expect(await server.main.listMembers({ search }), search).toMatchObject([{ id: borrower.id }]);
        expect((await server.main.find({ search })).members, search).toMatchObject([{ id: borrower.id }]);
      }
    }
  });

  const stored = (name: Name) => names[name];

  it('takes % and _ as they are', async () => {
    await server.registerBorrower({ fullName: 'Ana Reyes' });
    const percent = await server.registerBorrower({ fullName: '100% Reyes_' });
    for (const search of ['%', '_', '%\u200B'])
      expect(await server.main.listMembers({ search }), search).toMatchObject([{ id: percent.id }]);
    expect(await server.main.listMembers({ search: 'A_a' })).toEqual([]);
  });
});
