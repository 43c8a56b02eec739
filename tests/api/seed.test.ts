import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { ProfileForm } from '#contract/profile.ts';
import { seedAndTell } from '#server/books/seed.ts';
import type { Deps } from '#server/deps.ts';
import { fillInBulk, growLedger } from '#tests/bench/bulk-fill.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { verify } from './tampering.ts';

const server = await testServer();

async function seed(words: string[], deps: Deps = server.deps): Promise<string[]> {
  const lines: string[] = [];
  expect(await seedAndTell(deps, { words, say: (line) => void lines.push(line) })).toBe(true);
  return lines;
}

// A sample is one long transaction.
vi.setConfig({ testTimeout: 180_000 });

const small = ['--members', '20', '--loans', '45', '--withdrawals=100'];
const seedSmall = server.built(() => seed(small));

async function lists() {
  const token = await server.signInMainAdmin();
  const members = await server.main.listMembers();
  const loans = await server.main.listLoans();
  const withdrawals = await server.main.listWithdrawals();
  return { token, members, loans, withdrawals };
}

it('fills an empty installation with as many as asked, and its books are sound', async () => {
  const lines = await seedSmall();
  expect(lines.at(-2)).toMatch(/^20 members, 45 loans, 100 withdrawals are there now \(\d+\.\d s\)\.$/);
  const { isWell, last } = await verify(server.database);
  expect(last).toContain('22 accounts, 100 withdrawals, ');
  expect(isWell).toBe(true);

  const { members, loans, withdrawals } = await lists();
  expect([members.length, loans.length, withdrawals.length]).toEqual([20, 45, 100]);
  expect(new Set(withdrawals.map(({ status }) => status))).toEqual(
    new Set(['pending', 'approved', 'completed', 'rejected']),
  );
  expect(new Set(loans.map(({ user }) => user.id)).size).toBe(20);
  // Newest first by number and by day alike, and nothing lies ahead of the clock.
  for (const list of [members, loans, withdrawals] as { createdAt: string }[][]) {
    const days = list.map(({ createdAt }) => createdAt);
    expect(days).toEqual([...days].sort().reverse());
    expect(days[0] && days[0] <= server.clock.now().toISOString()).toBe(true);
  }
});

it('leaves nothing behind when it fails, says why, and can be done again', async () => {
  const { deps } = server;
  let written = 0;
  const failing: Deps = {
    ...deps,
    files: {
      ...deps.files,
      write: async (id, bytes) => {
        written += 1;
        if (written === 5) throw new Error('the disk is full');
        return deps.files.write(id, bytes);
      },
    },
  };
  const few = isTorture ? small : ['--members', '6', '--loans', '9', '--withdrawals', '5'];
  await expect(seed(few, failing)).rejects.toThrow('the disk is full');
  expect((await lists()).members).toEqual([]);
  await seed(few);
  expect((await lists()).members).toHaveLength(Number(few[1]));
});

const hours = ['2026-03-10T15:59:59.999Z', '2026-03-10T16:00:00.000Z', '2026-03-31T20:10:00.000Z'];

it.each(isTorture ? hours : hours.slice(0, 1))('works at any hour, with any counts: %s', async (moment) => {
  server.clock.set(moment);
  await seed(['--members', '2', '--loans', isTorture ? '33' : '9', '--withdrawals', '1']);
  expect((await verify(server.database)).wrong).toEqual([]);
});

it('decides on the last application and withdrawal too, however few there are', async () => {
  await seed(['--members', '1', '--loans', '1', '--withdrawals', '1']);
  const { loans, withdrawals } = await lists();
  expect(loans).toMatchObject([{ status: expect.not.stringMatching('pending') }]);
  expect(withdrawals).toMatchObject([{ status: expect.stringMatching(/completed|rejected/) }]);
});

it('asks for no release into the wallet of a suspended member', async () => {
  await seed(['--members', '72', '--loans', '3', '--withdrawals', '0']);
  expect((await lists()).members).toHaveLength(72);
});

it('has loans in every state and bucket, with payments of every kind and what waits for a decision', async () => {
  await seedSmall();
  const { token, loans } = await lists();
  const accounts = await Promise.all(loans.map(async ({ id }) => await server.as(token).readLoanAccount(id)));
  const of = <T>(values: readonly T[]) => [...new Set(values)].sort();
  expect(of(accounts.map(({ account }) => account.state))).toEqual([
    ...['cancelled', 'completed', 'not_disbursed', 'open', 'overdue', 'settled', 'written_off'],
  ]);
  expect(of(accounts.map(({ account }) => account.bucket))).toEqual(
    ['1-30', '31-60', '61-90', '91+', 'current'].sort(),
  );
  expect(of(accounts.flatMap(({ events }) => events.map(({ kind }) => kind)))).toEqual([
    ...['cancellation', 'deferral', 'disbursement', 'receipt', 'refund', 'reversal', 'waiver', 'write_off'],
  ]);
  const payments = await server.as(token).listPayments();
  expect(of(payments.map(({ status }) => status))).toEqual([
    'confirmed',
    'rejected',
    'reversed',
    'submitted',
  ]);
  expect(of(payments.map(({ channel }) => channel)).length).toBeGreaterThan(5);
  const isOwn = payments.flatMap(({ status, recordedBy, user }) =>
    status === 'submitted' ? [recordedBy === user.id] : [],
  );
  expect(of(isOwn)).toEqual([true]);
  for (const { reference, proofUrl, status } of payments) {
    expect(reference).toMatch(/^SAMPLE \d{6}$/);
    expect(proofUrl !== null).toBe(status === 'submitted');
  }
  const waiting = await server.as(token).listApprovals();
  expect(of(waiting.map(({ kind }) => kind))).toEqual(['disbursement', 'payment_reversal']);
  const all = await server.as(token).listApprovals({ status: 'all' });
  expect(of(all.map(({ decision }) => decision))).toEqual(['approved', null, 'rejected'].sort());
});

it('marks every person as a sample, with a valid profile', async () => {
  await seedSmall();
  for (const { email, ...member } of (await lists()).members) {
    expect(member.address).toContain('Sample Street');
    expect(email ?? '@sample.example').toContain('@sample.example');
    expect(member.phone).toMatch(/^0900\d{7}$/);
    expect(ProfileForm.safeParse({ ...member, email: email ?? '' }).error).toBeUndefined();
  }
});

it('prints the sample members’ password, and their books can be carried on', async () => {
  const lines = await seed(['--members', '2', '--loans', '2', '--withdrawals', '2']);
  const password = /the password (\S+) \(shown only this once\)\.$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
  const token = await server.signIn({ phone: '09000000001', password });
  const body = await server.as(token).readProfile();
  expect(body.phone).toBe('09000000001');
  const [loan] = await server.as(token).listOwnLoans();
  expect(loan?.loanNumber).toMatch(/^LN-\d{4}-00000[12]$/);
  await server.fund(body.id, 123_456);
  expect((await verify(server.database)).isWell).toBe(true);
});

it.runIf(isTorture)('gives the same sample each time', async () => {
  const few = ['--members', '3', '--loans', '12', '--withdrawals', '10'];
  await seed(few);
  const first = await lists();
  await server.reset();
  await seed(few);
  const second = await lists();
  // All but the token and where the photos are read, which nobody may guess.
  const sample = ({ members, loans, withdrawals }: typeof first) => ({
    members: members.map(({ idFrontUrl, idBackUrl, selfieUrl, ...member }) => member),
    loans,
    withdrawals,
  });
  expect(sample(second)).toEqual(sample(first));
});

it('is written down in the audit log', async () => {
  await seed(['--members', '3', '--loans', '0', '--withdrawals', '0']);

  const body = await server.main.listAudit();
  expect(body.find(({ action }) => action === 'sample_data_added')).toMatchObject({
    actorId: null,
    after: { members: 3, loans: 0, withdrawals: 0 },
  });
});

it('refuses an installation in use, a real lender’s, and impossible counts', async () => {
  const { deps } = server;
  const lender = { ...deps.config.lender, isSample: false };
  await expect(seed(small, { ...deps, config: { ...deps.config, lender } })).rejects.toThrow(
    'Sample data is for the sample lender only: LENDER_CONFIG names another one.',
  );
  await expect(seed(['--members', '0'])).rejects.toThrow('Loans and withdrawals need at least one member.');
  for (const words of [['--members'], ['--members', 'many'], ['--people', '3'], ['3'], ['--loans', '-1']]) {
    await expect(seed(words)).rejects.toThrow('Usage: npm run seed -- [--members <count>]');
  }
  await expect(seed(['--loans', '1000001'])).rejects.toThrow('each at most 1,000,000');
  expect((await lists()).members).toEqual([]);

  // A member who was deleted has books all the same.
  const { id } = await server.registerBorrower();
  await server.main.deleteUser(id);
  await expect(seed(small)).rejects.toThrow(
    'There are members already, and sample data is for an empty installation only.',
  );
  expect((await lists()).members).toEqual([]);
});

it('has a bulk filler for measuring, whose books are sound too', async () => {
  await fillInBulk(server.deps, { members: 40, loans: 90, withdrawals: 130 });
  const { members, loans, withdrawals } = await lists();
  expect([members.length, loans.length, withdrawals.length]).toEqual([40, 90, 130]);
  const before = await countEntries();
  await growLedger(server.deps, 400);
  expect(await countEntries()).toBe(before + 400);
  expect((await verify(server.database)).isWell).toBe(true);
});

async function countEntries(): Promise<number> {
  const counted = await server.database.read((reader) =>
    reader.execute(sql`select count(*) from ledger_entries`),
  );
  return Number(counted.rows[0]?.count);
}
