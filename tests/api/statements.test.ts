import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { bothEngines, rowsOf } from '#tests/setup/test-database.ts';
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts';
import { auditOf, expectBooksVerified } from './books.ts';
import { borrowerWithLoan } from './lending.ts';

/** Matching a statement of the lender's own account with payments and loans (§statements). */

type Line = Sent<typeof api.readStatement, 'body'>['lines'][number];

const due = '16250.00';

describe.each(bothEngines)('a statement on the %s engine', (engine) => {
  let server: TestServer;
  beforeEach(async () => {
    server ??= await startTestServer({ engine });
    await server.reset();
  });
  afterAll(() => server.close());

  /** Released so that one instalment is due today and nothing is late. */
  const loanOut = async () => borrowerWithLoan(server, { date: '2026-01-10' });

  const statementOf = (person: Caller, lines: Partial<Line>[], account = 'GCash 0917 000 0001') =>
    person.readStatement({
      channel: 'gcash',
      account,
      lines: lines.map((line) => ({ date: today(), amount: due, reference: '', text: '', ...line })),
    });
  const today = () => server.deps.clock.now().toISOString().slice(0, 10);

  const countedPayments = async () => {
    const rows = await rowsOf<{ status: string; count: number }>(
      server.database,
      sql`select status, count(*)::int as count from payments group by status order by status`,
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  async function office() {
    const bella = await server.createAdmin({ fullName: 'Bella Reyes' });
    const carlo = await server.createAdmin({ fullName: 'Carlo Diaz' });
    return { bella, carlo };
  }

  it('is matched without booking anything, and confirmed line by line under the rules of each', async () => {
    const { borrower, id, loanNumber } = await loanOut();
    const { bella, carlo } = await office();
    const { account } = await server.main.readLoanAccount(id);
    const own = await borrower.payOwnLoan(id, {
      amount: 1_000,
      channel: 'gcash',
      reference: 'GC 1001',
      paidOn: '2026-01-20',
    });
    const lines = [
      { reference: 'GC1001', amount: '1000.00' },
      { reference: 'GC-2002', text: `Pymt ${loanNumber.replaceAll('-', '')}`, amount: account.nextDueAmount },
      { text: loanNumber, amount: account.nextDueAmount },
      { reference: 'GC-1001', amount: '900.00' },
      { reference: 'GC-2003', text: loanNumber, amount: '1.00' },
      { reference: 'GC-2004', text: 'Salary' },
    ];
    const read = await statementOf(bella, lines);
    expect(read.lines).toEqual([
      { n: 1, match: 'matched', paymentId: own.id, loanId: id },
      { n: 2, match: 'matched', loanId: id },
      { n: 3, match: 'matched', loanId: id, code: 'reference_wanted' },
      { n: 4, match: 'perhaps', paymentId: own.id, loanId: id, code: 'amount_differs' },
      { n: 5, match: 'perhaps', loanId: id, code: 'amount_differs' },
      { n: 6, match: 'unknown' },
    ]);
    expect(read.loans).toEqual([{ id, loanNumber, fullName: 'Maria Clara Santos' }]);
    expect(await countedPayments()).toEqual({ submitted: 1 });

    const all = { lines: [1, 2, 3, 4, 5, 6] };
    expect(await bella.confirmStatement(read.id, all)).toEqual([
      { n: 1, status: 'confirmed' },
      { n: 2, status: 'waiting' },
      { n: 3, status: 'refused', code: 'reference_wanted' },
      { n: 4, status: 'refused', code: 'not_matched' },
      { n: 5, status: 'refused', code: 'not_matched' },
      { n: 6, status: 'refused', code: 'not_matched' },
    ]);
    const stored = await server.main.listPayments();
    const [recorded, confirmed] = stored.sort((one, other) => other.id - one.id);
    expect(confirmed).toMatchObject({ status: 'confirmed', valueDate: '2026-01-20' });
    expect(recorded).toMatchObject({ status: 'submitted', reference: 'GC-2002', valueDate: today() });

    // The second person has the same file, and finds what is left to do.
    const again = await statementOf(carlo, lines.slice(0, 2));
    expect(again.lines.map(({ match }) => match)).toEqual(['known', 'matched']);
    expect(await bella.confirmStatement(read.id, { lines: [2] })).toEqual([{ n: 2, status: 'waiting' }]);
    expect(await carlo.confirmStatement(again.id, { lines: [1, 2] })).toEqual([
      { n: 1, status: 'known' },
      { n: 2, status: 'confirmed' },
    ]);
    expect(await bella.confirmStatement(read.id, { lines: [2, 1] })).toEqual([
      { n: 2, status: 'known' },
      { n: 1, status: 'known' },
    ]);
    const third = await statementOf(bella, lines.slice(0, 2));
    expect(third.lines.map(({ match }) => match)).toEqual(['known', 'known']);
    expect(await countedPayments()).toEqual({ confirmed: 2 });
    expect(await auditOf(server.database, 'statement_read')).toHaveLength(3);
    await expectBooksVerified(server.deps);
  });

  it('remembers a line by its account and by how many equal ones came before it', async () => {
    const { id, loanNumber } = await loanOut();
    const { bella, carlo } = await office();
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    const line = { reference: 'GC-3001', text: `Payment ${loanNumber}`, amount };
    const read = await statementOf(bella, [line]);
    await bella.confirmStatement(read.id, { lines: [1] });
    const [payment] = await server.main.listPayments();
    await carlo.updatePayment(payment?.id ?? 0, { status: 'confirmed' });
    // Even once it has bounced and its reference is free again.
    await carlo.updatePayment(payment?.id ?? 0, { status: 'reversed', reason: 'Sent by mistake' });
    const [request] = await server.main.listApprovals();
    await server.main.decideApproval(request?.id ?? 0, { decision: 'approved' });
    const matchOf = async (...given: Parameters<typeof statementOf>) =>
      (await statementOf(...given)).lines.map(({ match }) => match);
    expect(await matchOf(bella, [{ text: 'Before' }, line, line])).toEqual(['unknown', 'known', 'matched']);
    expect(await matchOf(bella, [line], 'Another account')).toEqual(['matched']);
  });

  it('finds what is due now and old numbers', async () => {
    const { id, loanNumber } = await borrowerWithLoan(server, { date: '2025-06-10' });
    const { bella } = await office();
    await server.database.transaction((tx) =>
      tx.execute(sql`update loans set old_number = 'Book 7/12' where id = ${id}`),
    );
    const { dueNow } = (await server.main.readLoanAccount(id)).account;
    expect(Number(dueNow)).toBeGreaterThan(16_250);
    const read = await statementOf(bella, [
      { reference: 'GC-4001', text: 'loan BOOK 7-12 thank you', amount: dueNow },
      { reference: 'GC-4002', text: `LN${loanNumber.slice(2)}`, amount: dueNow },
      { reference: loanNumber, text: '', amount: 1 },
    ]);
    expect(read.lines.map(({ match }) => match)).toEqual(['matched', 'matched', 'perhaps']);
  });

  it('books nothing twice when several people confirm the same lines at once, and again', async () => {
    const { borrower, id, loanNumber } = await loanOut();
    const { bella, carlo } = await office();
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    const references = ['GC-5001', 'GC-5002', 'GC-5003'];
    for (const reference of references)
      await borrower.payOwnLoan(id, { amount: 500, channel: 'gcash', reference, paidOn: today() });
    const lines = [
      ...references.map((reference) => ({ reference, amount: 500 })),
      { reference: 'GC-5004', text: loanNumber, amount },
    ];
    // Each has a statement of their own, as if both had dropped the file.
    const [one, other] = [await statementOf(bella, lines), await statementOf(carlo, lines)];
    const calls = [
      () => bella.confirmStatement(one.id, { lines: [1, 2, 3, 4] }),
      () => carlo.confirmStatement(other.id, { lines: [4, 3, 2, 1] }),
      () => carlo.confirmStatement(one.id, { lines: [2, 4] }),
    ];
    const answers = (await atOnce(9, (racer) => calls[racer % 3]?.())).flatMap((answer) => answer ?? []);
    const confirmed = answers.filter(({ status, n }) => status === 'confirmed' && n <= 3);
    expect(confirmed).toHaveLength(3);
    expect(answers.filter(({ status, n }) => status === 'refused' && n <= 3)).toEqual([]);
    // The payment that nobody had sent is there once. The second of the two may have confirmed it.
    const fourth = (await server.main.listPayments()).filter(({ reference }) => reference === 'GC-5004');
    expect(fourth).toHaveLength(1);
    const total = Object.values(await countedPayments()).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(4);
    await expectBooksVerified(server.deps);
  });

  it('gives a repeated call its first answer', async () => {
    const { id, loanNumber } = await loanOut();
    const { bella } = await office();
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    const body = {
      channel: 'gcash' as const,
      account: 'GCash',
      lines: [{ date: today(), amount, reference: 'GC-6001', text: loanNumber }],
    };
    const headers = (key: string) => ({ headers: { 'idempotency-key': key } });
    const read = await bella.readStatement(body, headers('statement'));
    expect(await bella.readStatement(body, headers('statement'))).toEqual(read);
    const confirm = () => bella.confirmStatement(read.id, { lines: [1] }, headers('confirm'));
    expect(await confirm()).toEqual([{ n: 1, status: 'waiting' }]);
    expect(await confirm()).toEqual([{ n: 1, status: 'waiting' }]);
    expect(await countedPayments()).toEqual({ submitted: 1 });
  });
});

describe('a statement', () => {
  let server: TestServer;
  beforeEach(async () => {
    server ??= await startTestServer();
    await server.reset();
  });
  afterAll(() => server.close());

  const line = { date: '2026-01-20', amount: 100, reference: 'GC-1', text: 'Text' };
  const form = { channel: 'gcash', account: 'GCash', lines: [line] };

  it('takes the role of a cashier, and for each line that of the step', async () => {
    const { borrower, id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10' });
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    const cashier = await server.createAdmin({ roles: ['cashier'] });
    const approver = await server.createAdmin({ roles: ['approver'] });
    await borrower.payOwnLoan(id, {
      amount: 500,
      channel: 'gcash',
      reference: 'GC-7001',
      paidOn: '2026-01-20',
    });
    const lines = [
      { ...line, reference: 'GC-7001', amount: 500 },
      { ...line, reference: 'GC-7002', text: loanNumber, amount },
    ];
    const body = { channel: 'gcash' as const, account: 'GCash', lines };
    await refused(approver.readStatement(body), 403, 'role_missing');
    const read = await cashier.readStatement(body);
    await refused(approver.confirmStatement(read.id, { lines: [1] }), 403, 'role_missing');
    expect(await cashier.confirmStatement(read.id, { lines: [1, 2] })).toEqual([
      { n: 1, status: 'refused', code: 'role_missing' },
      { n: 2, status: 'waiting' },
    ]);
  });

  it('is confirmed by one person where nobody else may, after they have recorded it', async () => {
    const { id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10' });
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    const body = {
      channel: 'gcash' as const,
      account: 'GCash',
      lines: [{ ...line, reference: 'GC-8001', text: loanNumber, amount }],
    };
    const first = await server.main.readStatement(body);
    const confirm = (statement: number) => server.main.confirmStatement(statement, { lines: [1] });
    expect(await confirm(first.id)).toEqual([{ n: 1, status: 'waiting' }]);
    expect(await confirm(first.id)).toEqual([{ n: 1, status: 'waiting' }]);
    const second = await server.main.readStatement(body);
    expect(second.lines).toMatchObject([{ match: 'matched' }]);
    expect(await confirm(second.id)).toEqual([{ n: 1, status: 'confirmed' }]);
  });

  it('refuses a line as the call by hand would', async () => {
    const { id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10', amount: 1_000_000 });
    const bella = await server.createAdmin();
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    expect(Number(amount)).toBeGreaterThan(50_000);
    const early = { ...line, date: '2026-01-09', reference: 'IP-9001', text: loanNumber, amount };
    const read = await bella.readStatement({
      channel: 'instapay',
      account: 'Sample Bank 0000 1111',
      lines: [early, { ...early, date: '2026-01-20', reference: 'IP-9002' }],
    });
    expect(await bella.confirmStatement(read.id, { lines: [1, 2] })).toEqual([
      { n: 1, status: 'refused', code: 'validation_failed' },
      { n: 2, status: 'refused', code: 'validation_failed' },
    ]);
    await refused(bella.confirmStatement(read.id, { lines: [3] }), 400, 'validation_failed');
    await refused(bella.confirmStatement(999_999, { lines: [1] }), 404, 'not_found');
  });

  it.each([
    ['no lines', { lines: [] }],
    ['too many lines', { lines: Array.from({ length: limits.statementMaxLines + 1 }, () => line) }],
    ['a debit', { lines: [{ ...line, amount: '-100.00' }] }],
    ['no day', { lines: [{ ...line, date: '28/11/2026' }] }],
    ['no account', { account: ' ' }],
    ['cash', { channel: 'cash' }],
    ['the wallets here', { channel: 'wallet' }],
  ])('with %s is refused', async (_what, wrong) => {
    await refused(server.main.readStatement(odd({ ...form, ...wrong })), 400, 'validation_failed');
  });

  it('keeps of its lines those that it knows, without their text; the borrower reads them', async () => {
    const { borrower, id, loanNumber } = await borrowerWithLoan(server, { date: '2026-01-10' });
    const { nextDueAmount: amount } = (await server.main.readLoanAccount(id)).account;
    await server.main.readStatement({
      channel: 'gcash',
      account: 'GCash',
      lines: [line, { ...line, reference: 'GC-1234', text: `Somebody for ${loanNumber}`, amount }],
    });
    const kept = await rowsOf(server.database, sql`select * from statement_lines`);
    expect(kept).toMatchObject([{ number: 2, reference: 'GC-1234' }]);
    expect(JSON.stringify(kept)).not.toMatch(/Somebody|GC-1"/);
    const { text } = await borrower.downloadOwnData({ password: borrower.password }).success();
    expect(JSON.parse(text).statementLines).toEqual([
      { loanId: id, date: '2026-01-20', amount, reference: 'GC-1234', paymentId: null },
    ]);
  });
});
