import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Payment } from '#contract/servicing.ts';
import { limits } from '#domain/limits.ts';
import { refused } from '#tests/setup/caller.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { applicant, approvedApplication, borrowerWithLoan, disbursedLoan } from './lending.ts';

const server = await testServer();

/** Four payments of two days and two people: what each is in the list by. */
async function fourPayments() {
  server.clock.set('2026-05-11T23:30:00+08:00');
  const main = { token: await server.signInMainAdmin() };
  const { id } = await borrowerWithLoan(server, { date: '2026-03-10' });

  const pay = async ({ token }: { token: string }, body: Sent<typeof api.recordPayment, 'body'>) =>
    ((await server.as(token).recordPayment(id, body)) as Payment).id;
  const cash = await pay(main, { amount: 100, channel: 'cash', valueDate: '2026-05-10' });
  const waiting = await pay(main, { amount: 200, channel: 'gcash', reference: 'G 0002' });
  const confirmedLater = await pay(main, { amount: 300, channel: 'gcash', reference: 'G 0003' });
  // Past midnight in Manila, not yet in UTC.
  server.clock.set('2026-05-12T00:30:00+08:00');
  const helper = await server.createAdmin();
  const byHelper = await pay(helper, { amount: 400, channel: 'cash' });
  await helper.updatePayment(confirmedLater, { status: 'confirmed' });
  return { cash, waiting, confirmedLater, byHelper, helper };
}

type Query = Record<string, string>;

/** Asked for as JSON and one row a line: both have the same rows. */
async function listed(query: Query): Promise<number[]> {
  const body = await server.main.listPayments(query);
  const headers = { accept: 'application/x-ndjson' };
  const { text } = await server.main.listPayments(query, { headers }).success();
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line))).toEqual(body);
  return body.map(({ id }) => id);
}

describe('the list of payments', () => {
  it('takes status, channel, days and who wrote them down, as JSON and in lines alike', async () => {
    const { cash, waiting, confirmedLater, byHelper, helper } = await fourPayments();
    const all = [byHelper, confirmedLater, waiting, cash];
    expect(await listed({})).toEqual(all);
    expect(await listed({ status: 'submitted' })).toEqual([waiting]);
    expect(await listed({ channel: 'cash' })).toEqual([byHelper, cash]);
    expect(await listed({ to: '2026-05-10' })).toEqual([cash]);
    expect(await listed({ from: '2026-05-11', to: '2026-05-11' })).toEqual([confirmedLater, waiting]);
    expect(await listed({ receivedOn: '2026-05-11' })).toEqual([cash]);
    expect(await listed({ receivedOn: '2026-05-12' })).toEqual([byHelper, confirmedLater]);
    expect(await listed({ receivedOn: '2027-05-12' })).toEqual([]);
    expect(await listed({ receivedOn: '9999-12-31' })).toEqual([]);
    await refused(server.main.listPayments({ search: 'a\u0000b' }), 400);
    expect(await listed({ by: String(limits.mainAdminId) })).toEqual([confirmedLater, waiting, cash]);
    expect(await listed({ by: String(helper.id), channel: 'cash', receivedOn: '2026-05-12' })).toEqual([
      byHelper,
    ]);
    expect(await listed({ by: 'borrower' })).toEqual([]);
  });

  it('has a reversed receipt on the day of its number', async () => {
    const { cash, helper } = await fourPayments();
    const token = await server.signInMainAdmin();
    const asked = await server.succeed(api.updatePayment, {
      token,
      params: { id: cash },
      body: { status: 'reversed', reason: 'It was counted twice' },
    });
    const [approval] = await server.main.listApprovals();
    expect(asked.status).toBe(202);
    await helper.decideApproval(approval?.id ?? 0, { decision: 'approved' });
    expect(await listed({ receivedOn: '2026-05-11', status: 'reversed' })).toEqual([cash]);
  });

  it.each<[Query, string]>([
    [{ receivedOn: 'today' }, 'receivedOn'],
    [{ by: 'somebody' }, 'by'],
    [{ by: '0' }, 'by'],
  ])('refuses %j', async (query, field) => {
    const { status, body } = await server.main.listPayments(query).answer();
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]]);
  });
});

it.skipIf(server.engine === 'postgres')('those of a status are found by their index', async () => {
  const { waiting } = await fourPayments();
  const columns =
    'loan_id, account_id, amount_centavos, channel, value_date, recorded_by, created_at, updated_at';
  const copies = async (count: number, status: string) =>
    server.database.upkeep(async (session) => {
      await session.execute(sql`
        insert into payments (status, ${sql.raw(columns)})
        select ${status}, ${sql.raw(columns)} from payments, generate_series(1, ${count}::int) where id = ${waiting}::bigint`);
      await session.execute(sql`vacuum (analyze) payments`);
    });
  // Many and old: a scan back from the newest payment reads every other payment first.
  await copies(1_500, 'submitted');
  await copies(10_000, 'withdrawn');
  const rowsRead = async () => {
    await server.database.read((reader) => reader.execute(sql`select pg_stat_force_next_flush()`));
    const rows = await rowsOf<{ read: string }>(
      server.database,
      sql`
        select sum(idx_tup_read) + (select seq_tup_read from pg_stat_user_tables where relname = 'payments') as read
          from pg_stat_user_indexes where relname = 'payments'`,
    );
    return Number(rows[0]?.read);
  };

  const before = await rowsRead();
  expect(await server.main.listPayments({ status: 'submitted' })).toHaveLength(1_501);
  expect((await rowsRead()) - before).toBeLessThan(10_000);
});

describe('what somebody names by a whole number', () => {
  it('is found alone: a loan by its number, a member’s loans and payments by the phone in any spelling', async () => {
    const { borrower, id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10' });
    const other = await borrowerWithLoan(server, { date: '2026-01-10' });
    // The number is in another member's text, too: a search would find both.
    await server.main.updateMember(other.borrower.id, {
      fullName: `For ${loanNumber}`,
      address: borrower.phone,
    });
    await server.main.recordPayment(id, { amount: 100, channel: 'cash' });
    const idsOf = async (search: string) => {
      const { members, loans, payments } = await server.main.find({ search });
      return {
        members: members.map((one) => one.id),
        loans: loans.map((one) => one.id),
        payments: payments.length,
      };
    };
    for (const typed of [loanNumber, loanNumber.toLowerCase()])
      expect(await idsOf(typed), typed).toEqual({ members: [], loans: [id], payments: 1 });
    const { phone } = borrower;
    for (const typed of [phone, phone.replace(/^0/, '+63 '), phone.replace(/(....)(...)/, '$1-$2 ')])
      expect(await idsOf(typed), typed).toEqual({ members: [borrower.id], loans: [id], payments: 1 });
    await server.database.transaction((tx) =>
      tx.execute(sql`update loans set old_number = 'OLD-17' where id = ${other.id}`),
    );
    expect((await idsOf('OLD-17')).loans).toEqual([other.id]);
    // A part of a number is searched for.
    expect((await idsOf(loanNumber.slice(-3))).loans).toContain(id);
  });

  it('is found as a clerk types it: a loan’s number without its letters, dashes or zeros, a surname first', async () => {
    const { borrower, id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10' });
    await borrowerWithLoan(server, { date: '2026-01-10' });
    await server.main.updateMember(borrower.id, { fullName: 'Liza Dela Cruz' });
    const [, year = '', serial = ''] = loanNumber.split('-');
    const short = String(Number(serial));
    const loansOf = async (search: string) => (await server.main.find({ search })).loans.map((one) => one.id);
    for (const typed of [
      ...[
        `${year} ${serial}`,
        `LN${year}${serial}`,
        `ln ${year}-${short}`,
        `${year}-${short}`,
        `ln${serial}`,
      ],
      ...['Dela Cruz, Liza', 'dela cruz liza', 'CRUZ  LIZA', 'liza cruz'],
    ])
      expect(await loansOf(typed), typed).toEqual([id]);
    expect(await loansOf('cruz zamora')).toEqual([]);
  });

  it('is found for a payment or a release among those that take one, however many others fit', async () => {
    const person = await server.verifiedBorrower();
    const { id } = await disbursedLoan(server, person, { date: '2026-01-10' });
    const approved = await approvedApplication(server);
    for (let count = 0; count < limits.foundRows; count += 1) await applicant(server);
    const foundFor = async (work?: 'payment' | 'release') => {
      const { loans } = await server.main.find({ search: 'maria clara', ...(work && { for: work }) });
      return loans.map((one) => [one.id, one.borrowerPhone]);
    };
    expect((await foundFor()).map(([found]) => found)).not.toContain(id);
    expect(await foundFor('payment')).toEqual([[id, person.phone]]);
    expect(await foundFor('release')).toEqual([[approved.id, approved.borrower.phone]]);
    const { payments, members } = await server.main.find({ search: 'maria clara', for: 'payment' });
    expect([members, payments]).toEqual([[], []]);
  });
});
