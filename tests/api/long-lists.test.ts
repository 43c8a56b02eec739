import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import type { CallOptions } from '#tests/setup/caller.ts';
import { refused } from '#tests/setup/caller.ts';
import { multiplyRows } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { applicant, borrowerWithLoan } from './lending.ts';
import { tamper } from './tampering.ts';

// Lists that end before their last row: they say so, and can be gone through to the end.

const server = await testServer({ engine: 'postgres' });

const most = limits.ownListMaxRows;

/** Follows `next` from page to page, and answers how many rows each has and all their ids. */
async function goThrough<Row extends Endpoint>(row: Row, options: CallOptions<Row>) {
  const pages: number[] = [];
  const ids: number[] = [];
  let query: Record<string, string> | undefined = options.query as Record<string, string> | undefined;
  while (query !== undefined || pages.length === 0) {
    const { body, headers } = await server.succeed(row, {
      ...options,
      ...(query && { query: query as never }),
    });
    const rows = body as { id: number }[];
    pages.push(rows.length);
    ids.push(...rows.map(({ id }) => id));
    const next = /^<(?<address>[^>]+)>; rel="next"$/.exec(headers.link ?? '')?.groups?.address;
    query = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next.split('?')[1]));
    if (next) expect(next.split('?')[0]).toBe(row.path);
  }
  return { pages, ids };
}

/** Adds to a table as many copies of a row as make it a number. */
async function fillUp(table: string, id: number, total: number, columns: string, values: SQL): Promise<void> {
  await server.database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into ${sql.raw(table)} (${sql.raw(columns)})
      select ${values} from ${sql.raw(table)}, generate_series(2, ${total}::int) n where id = ${id}::bigint`);
  });
}

const newestFirst = (ids: number[]) => ids.toSorted((one, other) => other - one);

async function withMessages(total: number) {
  const borrower = await server.registerBorrower();
  await server.main.notifyMember({ userId: borrower.id, title: 'Hello', message: 'Welcome' });
  const [first] = await borrower.listNotifications();
  const columns = 'account_id, type, title, message, created_at';
  await fillUp('notifications', first?.id ?? 0, total, columns, sql.raw(columns));
  return borrower;
}

describe('a list that ends before its last row says where it goes on', () => {
  it.each([
    [most, [most]],
    [most + 1, [most, 1]],
    [2 * most, [most, most]],
  ])('with %i messages', async (total, pages) => {
    const { token } = await withMessages(total);
    const gone = await goThrough(api.listNotifications, { token });
    expect(gone.pages).toEqual(pages);
    expect(new Set(gone.ids).size).toBe(total);
    expect(gone.ids).toEqual(newestFirst(gone.ids));
  });

  it('with loans', async () => {
    const { borrower, id } = await applicant(server);
    const copied =
      'amount_centavos, term_months, monthly_payment_centavos, purpose, status, created_at, updated_at';
    const columns = `account_id, loan_number, ${copied}`;
    await fillUp('loans', id, most + 2, columns, sql.raw(`account_id, 'OLD-' || n, ${copied}`));
    expect((await goThrough(api.listOwnLoans, borrower)).pages).toEqual([most, 2]);
  });

  it('with withdrawals', async () => {
    const borrower = await server.registerBorrower();
    await server.fund(borrower.id, 5_000);
    const otp = await server.setCode(borrower.id);
    const body = await borrower.requestWithdrawal({
      amount: 5_000,
      bankName: 'Bank A',
      bankAccountNumber: '1234567890123',
      otp,
    });
    const copied = 'amount_centavos, bank_name, bank_account_number, status, created_at, updated_at';
    const columns = `account_id, withdrawal_number, ${copied}`;
    await fillUp('withdrawals', body.id, most + 3, columns, sql.raw(`account_id, 'OLD-' || n, ${copied}`));
    expect((await goThrough(api.listOwnWithdrawals, borrower)).pages).toEqual([most, 3]);
  });

  it('with approvals, open ones and all', async () => {
    const { id } = await borrowerWithLoan(server, { date: '2026-03-10' });
    await server.createAdmin();
    const token = await server.signInMainAdmin();
    await server.as(token).actOnLoan(id, { kind: 'deferral', months: 1, reason: 'Her son was ill' });
    const [asked] = await server.main.listApprovals();
    const columns = 'loan_id, account_id, kind, payload, asked_by, asked_at';
    await fillUp('approvals', asked?.id ?? 0, most + 4, columns, sql.raw(columns));
    expect((await goThrough(api.listApprovals, { token })).pages).toEqual([most, 4]);
    const all = { token, query: { status: 'all' as const } };
    expect((await goThrough(api.listApprovals, all)).pages).toEqual([most, 4]);
  });

  it('with the audit log, part by part', async () => {
    const token = await server.signInMainAdmin();
    for (let count = 0; count < 7; count += 1)
      await refused(server.visitor.signIn({ username: 'nobody', password: 'wrong password' }), 401);
    const query = { action: 'sign_in_failed', limit: '3' };
    expect((await goThrough(api.listAudit, { token, query })).pages).toEqual([3, 3, 1]);
  });
});

it('`before` with another borrower’s id lists none of that borrower’s rows', async () => {
  await withMessages(3);
  const borrower = await server.registerBorrower();
  expect(await borrower.listNotifications({ before: '999999' })).toEqual([]);
  await refused(borrower.listNotifications({ before: 'all' }), 400);
});

it('the one live code is known on the page that has its message', async () => {
  const borrower = await server.registerBorrower();
  await server.setCode(borrower.id, '111111');
  await server.setCode(borrower.id, '222222');
  const ofCodes = async (before?: number) => {
    const query = before === undefined ? {} : { before: String(before) };
    return (await borrower.listNotifications(query)).filter(({ type }) => type === 'otp_set');
  };
  const [newest] = await ofCodes();
  expect((await ofCodes()).map(({ isOver }) => isOver)).toEqual([undefined, true]);
  expect((await ofCodes(newest?.id)).map(({ isOver }) => isOver)).toEqual([true]);
  await tamper(
    server.database,
    sql`update accounts set otp_expires_at = created_at where id = ${borrower.id}`,
  );
  expect((await ofCodes()).map(({ isOver }) => isOver)).toEqual([true, true]);
});

describe('a past day of hundreds of loans', () => {
  const copies = limits.listPageRows;
  const day = { asOf: '2026-03-15' };

  /** A loan that is past due on the day, and as many copies of it as fill another page. */
  async function manyLate() {
    const { id } = await borrowerWithLoan(server, { date: '2026-01-10' });
    server.clock.set(new Date('2026-03-20T04:00:00Z'));
    await server.database.transaction(async (tx) => {
      for (const [table, key, changes] of [
        ['loans', 'id', `'id', id + n * 1000, 'loan_number', 'MANY-' || n`],
        ['loan_terms', 'loan_id', `'id', id + n * 1000, 'loan_id', loan_id + n * 1000`],
        ['loan_events', 'loan_id', `'id', id + n * 1000, 'loan_id', loan_id + n * 1000`],
        ['loan_positions', 'loan_id', `'loan_id', loan_id + n * 1000`],
        ['instalments', 'loan_id', `'loan_id', loan_id + n * 1000`],
      ] as const) {
        await multiplyRows(tx, table, { copies, which: `${key} = ${id}`, changed: changes });
      }
    });
  }

  it('is folded page by page, with blanks meanwhile that no reader of JSON minds', async () => {
    await manyLate();
    const csv = { headers: { accept: 'text/csv' } };
    const [portfolio, figures, array, lines, table] = [
      await server.main.readPortfolio(day).success(),
      await server.main.readPortfolio(day, csv).success(),
      await server.main.listCollections(day).success(),
      await server.main.listCollections(day, { headers: { accept: 'application/x-ndjson' } }).success(),
      await server.main.listCollections(day, csv).success(),
    ];
    expect(portfolio.text).toMatch(/^ \{/);
    expect(JSON.parse(portfolio.text)).toMatchObject({ loans: copies + 1, overdue: { loans: copies + 1 } });
    // A spreadsheet takes the byte order mark for one only at the very beginning.
    expect(figures.text).toMatch(/^\uFEFF"figure","value"\r\n/);
    expect(JSON.parse(array.text)).toHaveLength(copies + 1);
    const rows = lines.text.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^ \{/);
    expect(rows.map((row) => JSON.parse(row).daysPastDue)).toEqual(Array(copies + 1).fill(5));
    expect(table.text.trimEnd().split('\r\n')).toHaveLength(copies + 2);
    await refused(server.main.readPortfolio({ asOf: '2099-01-01' }), 400);
  });
});
