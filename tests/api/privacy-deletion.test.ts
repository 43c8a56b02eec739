import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { changeAccount } from '#server/store/account-store.ts';
import { files, idempotencyKeys, knownNetworks, notifications, withdrawals } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { everythingStored, storedAccount } from '#tests/setup/test-database.ts';
import { fullProfile, mainAdminPassword, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { applicant, apply, countLoans, termsOf, withdraw } from './lending.ts';
import { verify } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });

/** Anew each time: years pass in here. */
const signInStaff = () => server.signIn({ username: 'admin', password: mainAdminPassword });

const requestOf = async ({ token }: TestBorrower) =>
  (await server.as(token).readDeletionRequest()).requestedAt;

const noticesOf = async ({ token }: TestBorrower) =>
  (await server.as(token).listNotifications()).map(({ type }) => type);

async function actionsOn(id: number): Promise<string[]> {
  const token = await signInStaff();
  const body = await server.as(token).listAudit();
  return body.filter(({ targetId }) => targetId === id).map(({ action }) => action);
}

async function asMemberOf(id: number) {
  const token = await signInStaff();
  return await server.as(token).readMember(id);
}

async function remove(id: number): Promise<void> {
  await server.as(await signInStaff()).deleteUser(id);
}

const accountOf = (id: number) => storedAccount(server.database, id);

/** Every text that the database holds, but the log and the books' own hashes: for looking for a person in it. */
const tables = [
  ...['accounts', 'sessions', 'files', 'loans', 'loan_terms', 'withdrawals', 'ledger_entries'],
  ...['notifications', 'consents', 'audit_entries', 'idempotency_keys', 'tries', 'loan_borrowers'],
];

const afterTheTerm = () => {
  const then = new Date(server.clock.now());
  then.setUTCFullYear(then.getUTCFullYear() + limits.closedAccountKeptYears);
  return then;
};

describe('asking for deletion', () => {
  it('is kept once with its date, however often it is asked, and shown to the borrower', async () => {
    const borrower = await server.registerBorrower();
    expect(await requestOf(borrower)).toBeNull();
    const first = await borrower.requestDeletion({ password: borrower.password }).success();
    expect([first.status, first.body.requestedAt]).toEqual([201, '2026-03-10T04:00:00.000Z']);
    server.clock.advance({ days: 1 });
    const again = await borrower.requestDeletion({ password: borrower.password });
    expect(again).toEqual(first.body);
    expect(await requestOf(borrower)).toBe('2026-03-10T04:00:00.000Z');
    expect(await noticesOf(borrower)).toEqual(['deletion_requested']);
    expect((await actionsOn(borrower.id)).filter((action) => action === 'deletion_requested')).toHaveLength(
      1,
    );
  });

  it('is one request also when two arrive at once', async () => {
    const borrower = await server.registerBorrower();
    await Promise.all(
      [1, 2, 3].map(() => borrower.requestDeletion({ password: borrower.password }).success()),
    );
    expect(await noticesOf(borrower)).toEqual(['deletion_requested']);
  });

  it('can be withdrawn and made again', async () => {
    const borrower = await server.registerBorrower();
    await borrower.requestDeletion({ password: borrower.password });
    const { status, body } = await borrower.withdrawDeletion().answer();
    expect([status, body.message]).toEqual([200, 'Your request was taken back']);
    expect(await requestOf(borrower)).toBeNull();
    await borrower.withdrawDeletion();
    await borrower.requestDeletion({ password: borrower.password });
    expect(await noticesOf(borrower)).toEqual([
      'deletion_requested',
      'deletion_withdrawn',
      'deletion_requested',
    ]);
  });

  it('is seen by staff on the member, in the list and alone', async () => {
    const borrower = await server.registerBorrower();
    await borrower.requestDeletion({ password: borrower.password });
    expect((await asMemberOf(borrower.id)).deletionRequestedAt).toBe('2026-03-10T04:00:00.000Z');
    const body = await server.as(await signInStaff()).listMembers();
    expect(body.map(({ deletionRequestedAt }) => deletionRequestedAt)).toEqual(['2026-03-10T04:00:00.000Z']);
    await borrower.withdrawDeletion();
    expect((await asMemberOf(borrower.id)).deletionRequestedAt).toBeNull();
  });

  it('changes nothing else: the borrower goes on as before', async () => {
    const borrower = await server.verifiedBorrower();
    await borrower.requestDeletion({ password: borrower.password });
    await apply(server, borrower);
    await borrower.readProfile();
  });
});

describe('deleting a member', () => {
  it('without books erases everything that identifies them, pictures and messages too', async () => {
    const borrower = await server.verifiedBorrower();
    await server.setCode(borrower.id);
    await borrower.requestDeletion({ password: borrower.password });
    const before = await accountOf(borrower.id);
    await remove(borrower.id);

    const stored = await everythingStored(server.database, tables);
    for (const trace of [...Object.values(fullProfile), borrower.phone, 'Maria'])
      expect(stored).not.toContain(trace);
    const row = await accountOf(borrower.id);
    expect(row).toMatchObject({ fullName: 'Erased member', phone: '', phoneKey: null, passwordHash: '' });
    expect([row.deletedAt, row.erasedAt, row.deletionRequestedAt]).toEqual([
      server.clock.now(),
      server.clock.now(),
      null,
    ]);
    expect(await server.deps.files.read(String(before.idFrontFileId))).toBeUndefined();
    expect(await server.database.read((reader) => reader.select().from(files))).toEqual([]);
    const isTheirs = eq(knownNetworks.accountId, borrower.id);
    expect(await server.database.read((reader) => reader.$count(knownNetworks, isTheirs))).toBe(0);
    expect(await actionsOn(borrower.id)).toContain('member_deleted');
    expect((await verify(server.database)).isWell).toBe(true);
    // The number is free again, and whoever has it now is somebody new.
    const next = await server.registerBorrower({ phone: borrower.phone });
    expect(next.id).not.toBe(borrower.id);
  });

  it('with books keeps their identity for the legal term, but not the reference person', async () => {
    const { borrower, loan } = await applicant(server);
    await borrower.applyForLoan(
      { amount: 150_000, purpose: 'Kept in an answer', termMonths: 12 },
      { headers: { 'idempotency-key': 'kept' } },
    );
    await remove(borrower.id);
    const row = await accountOf(borrower.id);
    expect(row).toMatchObject({
      fullName: fullProfile.fullName,
      address: fullProfile.address,
      bankAccountNumber: fullProfile.bankAccountNumber,
      referenceName: null,
      referencePhone: null,
      erasedAt: null,
      otpCodeSealed: null,
    });
    expect(await server.database.read((reader) => reader.select().from(idempotencyKeys))).toEqual([]);
    expect(await termsOf(server, loan.id)).toHaveLength(1);

    // Nothing goes before its time.
    const end = afterTheTerm();
    server.clock.set(new Date(end.getTime() - 1));
    await keepSteadyHouse(server.deps);
    expect((await accountOf(borrower.id)).fullName).toBe(fullProfile.fullName);
    const contract = () => server.main.readLoanContract(loan.id);
    const kept = await contract();
    expect(kept.borrower).toMatchObject({ fullName: fullProfile.fullName, phone: borrower.phone });

    server.clock.set(end);
    await keepSteadyHouse(server.deps);
    const stored = await everythingStored(server.database, tables);
    for (const trace of [...Object.values(fullProfile), borrower.phone, 'Stock for a small store']) {
      expect(stored).not.toContain(trace);
    }
    expect(await accountOf(borrower.id)).toMatchObject({ fullName: 'Erased member', erasedAt: end });
    expect(await server.deps.files.read(String(row.selfieFileId))).toBeUndefined();
    expect(await termsOf(server, loan.id)).toHaveLength(1);
    // The contract stands, with nobody's name in it and nothing that a name could be tried against.
    expect(await contract()).toMatchObject({
      lender: kept.lender,
      quote: kept.quote,
      borrower: { fullName: 'Erased member', phone: '', email: null, address: null },
      agreement: { ...kept.agreement, salt: null },
    });
    expect(await actionsOn(borrower.id)).toContain('member_erased');
    expect((await verify(server.database)).isWell).toBe(true);
  });

  it('whose money moved keeps the amounts but not their destinations', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 10_000);
    const bank = { bankName: 'Bank X', bankAccountNumber: '9900990099' };
    const { id } = await withdraw(server, borrower, 2_500, bank);
    // Earlier versions could delete an account with money in its wallet.
    const deletedAt = server.clock.now();
    await server.database.transaction((tx) => changeAccount(tx, borrower.id, { deletedAt, phoneKey: null }));

    // Housekeeping does not take from staff what waits for them.
    server.clock.set(afterTheTerm());
    await keepSteadyHouse(server.deps);
    expect((await accountOf(borrower.id)).erasedAt).toBeNull();
    const token = await signInStaff();
    await server.as(token).updateWithdrawal(id, { status: 'rejected' });
    // A refund moves money: the term begins anew.
    await keepSteadyHouse(server.deps);
    expect((await accountOf(borrower.id)).erasedAt).toBeNull();

    server.clock.set(afterTheTerm());
    server.clock.advance({ ms: 1 });
    await keepSteadyHouse(server.deps);
    expect(await accountOf(borrower.id)).toMatchObject({
      fullName: 'Erased member',
      balanceCentavos: 10_000_00,
      ledgerSequence: 3,
    });
    const [withdrawal] = await server.database.read((reader) => reader.select().from(withdrawals));
    expect(withdrawal).toMatchObject({ amountCentavos: 2_500_00, bankName: '', bankAccountNumber: '' });
    expect(await server.database.read((reader) => reader.select().from(notifications))).toEqual([]);
    expect((await verify(server.database)).isWell).toBe(true);
    // Staff still see the movement, under nobody's name.
    const list = await server.as(await signInStaff()).listWithdrawals();
    expect(list.map(({ user }) => [user.fullName, user.phone])).toEqual([['Erased member', '']]);
  });

  it('takes no picture from another member', async () => {
    const token = await signInStaff();
    const shared = await server.upload(token);
    const [first, second] = [await server.registerBorrower(), await server.registerBorrower()];
    for (const { id } of [first, second]) {
      await server.as(token).updateMember(id, { idFrontUrl: shared.url });
    }
    await remove(first.id);
    await second.readFile(shared.id);
    await remove(second.id);
    expect(await server.deps.files.read(shared.id)).toBeUndefined();
  });

  it('leaves an admin’s name beside what they did', async () => {
    const staff = await server.createAdmin();
    await remove(staff.id);
    expect(await accountOf(staff.id)).toMatchObject({ fullName: 'Ordinary Admin', erasedAt: null });
    server.clock.set(afterTheTerm());
    server.clock.advance({ days: 400 });
    await keepSteadyHouse(server.deps);
    expect((await accountOf(staff.id)).fullName).toBe('Ordinary Admin');
  });
});

describe('an application', () => {
  it.each([
    ['deletion', 401],
    ['suspension', 403],
  ] as const)('loses against the %s of its account', async (kind, status) => {
    const borrower = await server.verifiedBorrower();
    const { database } = server.deps;
    // Between the guard's look at the account and the application's own transaction.
    server.deps.database = {
      ...database,
      async transaction(work) {
        server.deps.database = database;
        if (kind === 'deletion') await server.as(await signInStaff()).deleteUser(borrower.id);
        else await server.as(await signInStaff()).updateMember(borrower.id, { status: 'suspended' });
        return database.transaction(work);
      },
    };
    const body = { amount: 150_000, purpose: 'Too late', termMonths: 12 };
    expect((await borrower.applyForLoan(body).answer()).status).toBe(status);
    expect(await countLoans(server)).toBe(0);
  });
});

it('asking for deletion and taking it back is bounded per day', async () => {
  const borrower = await server.registerBorrower();
  for (let times = 0; times < limits.deletionRequestsPerDay; times += 2) {
    await borrower.requestDeletion({ password: borrower.password });
    await borrower.withdrawDeletion();
  }
  await refused(borrower.requestDeletion({ password: borrower.password }), 429, 'too_many_requests');
  server.clock.advance({ hours: 24 });
  await borrower.requestDeletion({ password: borrower.password });
});
