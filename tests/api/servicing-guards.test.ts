import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import type { StaffRole } from '#domain/member.ts';
import { verifyBooks } from '#server/books/verify-run.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { expectBooksVerified } from './books.ts';
import { approvedApplication } from './lending.ts';
import { tamper } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });

type Answer = {
  status: number;
  body: Partial<Payment> & Partial<LoanAccount> & { approval?: { id: number } } & Partial<ErrorBody>;
};

const mainAdmin = () => server.signInMainAdmin();

const write = async (row: Parameters<typeof server.call>[0], id: number, anyBody: object, token?: string) =>
  server.call(row, {
    token: token ?? (await mainAdmin()),
    params: { id },
    anyBody,
  } as object) as Promise<Answer>;

const disburse = (id: number, body: object, token?: string) => write(api.disburseLoan, id, body, token);
const cancel = (id: number, token?: string) =>
  write(api.cancelDisbursement, id, { reason: 'A mistake' }, token);
const pay = (id: number, body: object, token?: string) => write(api.recordPayment, id, body, token);
const change = (id: number, body: object, token?: string) => write(api.updatePayment, id, body, token);
const act = (id: number, body: object, token?: string) =>
  write(api.actOnLoan, id, { reason: 'As agreed', ...body }, token);

describe('a loan disbursed again after a cancellation', () => {
  it('is out, also when it is recorded as of a day before the cancelled one', async () => {
    const { id } = await approvedApplication(server);
    await disburse(id, { channel: 'wallet' });
    await cancel(id);
    expect((await disburse(id, { channel: 'recorded', date: '2026-03-01' })).status).toBe(201);
    const { account, disbursedOn } = await server.main.readLoanAccount(id);
    expect([disbursedOn, account.state, account.principalLeft]).toEqual(['2026-03-01', 'open', '150000.00']);
    expect((await disburse(id, { channel: 'wallet' })).body.code).toBe('already_disbursed');
    await expectBooksVerified(server.deps);
  });

  it('has nothing of what was changed before it', async () => {
    const { id } = await approvedApplication(server);
    await disburse(id, { channel: 'wallet' });
    await act(id, { kind: 'deferral', months: 6 });
    await act(id, { kind: 'write_off' });
    await cancel(id);
    const { body } = await disburse(id, { channel: 'wallet' });
    expect(body.account).toMatchObject({ state: 'open', writeOffAmount: '0.00', nextDueDate: '2026-05-10' });
    for (const months of [1, 1]) expect((await act(id, { kind: 'deferral', months })).status).toBe(201);
    await expectBooksVerified(server.deps);
  });

  it('may be of another amount and shorter, and the books keep both', async () => {
    const { borrower, id } = await approvedApplication(server);
    await disburse(id, { channel: 'wallet' });
    await cancel(id);
    await write(api.updateLoan, id, { amount: 200_000, termMonths: 6 });
    expect((await disburse(id, { channel: 'wallet' })).body.code).toBe('terms_not_agreed');
    const contract = await borrower.readLoanContract(id);
    await borrower.acceptContract(id, { version: contract.version });
    const { body } = await disburse(id, { channel: 'wallet' });
    expect(body.account?.principalLeft).toBe('200000.00');
    await expectBooksVerified(server.deps);
  });
});

it('a disbursement is not cancelled while a payment waits', async () => {
  const { id } = await approvedApplication(server);
  await disburse(id, { channel: 'wallet' });
  const { body } = await pay(id, { amount: 1_000, channel: 'gcash', reference: 'G 1234' });
  const refused = await cancel(id);
  expect([refused.status, refused.body.code]).toEqual([409, 'payment_waiting']);
  expect((await change(Number(body.id), { status: 'rejected', reason: 'Cancelled' })).status).toBe(200);
  expect((await cancel(id)).status).toBe(201);
  await expectBooksVerified(server.deps);
});

it('verify names the terms of a disbursed loan when they were changed, and goes on', async () => {
  const { id } = await approvedApplication(server);
  await disburse(id, { channel: 'wallet' });
  const changed = sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"1.00"') where version = 2`;
  await tamper(server.database, changed);
  const { faults } = await verifyBooks(server.deps, () => undefined);
  expect(faults.map(({ table }) => table)).toContain('loan_terms');
});

/** A loan that is long overdue with a receipt, one in the wallet, one only approved, and a transfer that waits. */
async function house() {
  const [late, inWallet, approved] = [
    await approvedApplication(server),
    await approvedApplication(server),
    await approvedApplication(server),
  ];
  await disburse(late.id, { channel: 'recorded', date: '2025-09-10' });
  await disburse(inWallet.id, { channel: 'wallet' });
  const { body: cash } = await pay(late.id, { amount: 1_000, channel: 'cash' });
  const { body: transfer } = await pay(late.id, { amount: 500, channel: 'maya', reference: 'M 1234' });
  const ids = { late: late.id, inWallet: inWallet.id, approved: approved.id };
  return { ...ids, cash: Number(cash.id), transfer: Number(transfer.id) };
}
type House = Awaited<ReturnType<typeof house>>;

type Write = [
  what: string,
  role: StaffRole,
  /** Done at once, or only asked for: somebody else may always decide what a person with one role asks for. */
  status: number,
  ask: (house: House, token?: string) => Promise<Answer>,
];

/** In an order in which each can be done after the others. */
const writes: Write[] = [
  ['waives a little', 'encoder', 201, ({ late }, as) => act(late, { kind: 'waiver', amount: 100 }, as)],
  [
    'waives for 61 days ago',
    'encoder',
    202,
    ({ late }, as) => act(late, { kind: 'waiver', amount: 1, valueDate: '2026-01-08' }, as),
  ],
  ['disburses', 'encoder', 202, ({ approved }, as) => disburse(approved, { channel: 'wallet' }, as)],
  ['cancels a disbursement', 'encoder', 201, ({ inWallet }, as) => cancel(inWallet, as)],
  ['takes cash', 'cashier', 201, ({ late }, as) => pay(late, { amount: 100, channel: 'cash' }, as)],
  [
    'takes much cash',
    'cashier',
    202,
    ({ late }, as) => pay(late, { amount: '50000.01', channel: 'cash' }, as),
  ],
  [
    'takes cash of 61 days ago',
    'cashier',
    202,
    ({ late }, as) => pay(late, { amount: 100, channel: 'cash', valueDate: '2026-01-08' }, as),
  ],
  [
    'writes a transfer down',
    'cashier',
    201,
    ({ late }, as) => pay(late, { amount: 100, channel: 'gcash', reference: 'G 1234' }, as),
  ],
  [
    'confirms another’s transfer',
    'approver',
    200,
    ({ transfer }, as) => change(transfer, { status: 'confirmed' }, as),
  ],
  [
    'reverses a payment',
    'cashier',
    202,
    ({ cash }, as) => change(cash, { status: 'reversed', reason: 'Typed in twice' }, as),
  ],
  ['defers', 'encoder', 202, ({ late }, as) => act(late, { kind: 'deferral', months: 6 }, as)],
];

describe.each([
  ['the main admin alone', false],
  ['two people', true],
] as const)('where %s may approve', (_, isTwo) => {
  it('every write is for its role alone, and waits for the second person where it takes two', async () => {
    const loans = await house();
    const admin = await mainAdmin();
    const staffWith = async (roles: StaffRole[]) => {
      const staff = await server.createAdmin();
      await server.as(admin).updateAdmin(staff.id, { roles });
      return staff.token;
    };
    const only = {
      encoder: await staffWith(['encoder']),
      cashier: await staffWith(['cashier']),
      collector: await staffWith(['collector']),
      approver: isTwo ? await staffWith(['approver']) : admin,
    };
    const decide = (id: number, token?: string) =>
      write(api.decideApproval, id, { decision: 'approved' }, token);
    for (const [what, role, usual, ask] of writes) {
      // The main admin recorded it, so in the first office nobody is left to decide.
      const expected = what === 'reverses a payment' && !isTwo ? 200 : usual;
      for (const other of ['encoder', 'cashier', 'collector', 'approver'] as const) {
        if (other === role || only[other] === admin) continue;
        const { status, body } = await ask(loans, only[other]);
        expect([what, other, status, body.code]).toEqual([what, other, 403, 'role_missing']);
      }
      const { status, body } = await ask(loans, only[role]);
      expect([what, status]).toEqual([what, expected]);
      if (status !== 202) continue;
      const again = await ask(loans, only[role]);
      expect([what, again.body.code ?? again.status]).toEqual([
        what,
        what.includes('cash') ? 202 : 'already_asked',
      ]);
      const id = body.approval?.id ?? 0;
      for (const other of [only.encoder, only.cashier, only.collector]) {
        expect((await decide(id, other)).body.code).toBe('role_missing');
      }
      expect([what, (await decide(id, only.approver)).status]).toEqual([what, 200]);
    }
    const writeOff = { kind: 'write_off' };
    expect((await act(loans.late, writeOff, only.encoder)).body.code).toBe('main_admin_only');
    const { status, body } = await act(loans.late, writeOff);
    // Nobody but the main admin may decide it in the first office: it is done, and marked.
    expect(status).toBe(isTwo ? 202 : 201);
    if (isTwo) {
      const id = body.approval?.id ?? 0;
      expect((await decide(id)).body.code).toBe('own_request');
      expect((await decide(id, only.approver)).status).toBe(200);
    } else {
      expect(body.events?.at(-1)).toMatchObject({ kind: 'write_off', isAlone: true });
    }
    await expectBooksVerified(server.deps);
  });
});

describe('what cannot be', () => {
  const tables = [
    ...[
      'accounts',
      'approvals',
      'instalments',
      'journal_movements',
      'ledger_entries',
      'loan_events',
      'loan_movements',
      'loan_positions',
      'loan_terms',
    ],
    ...['notifications', 'payments', 'receipt_numbers', 'audit_entries'],
  ];
  /** Every row there is, as text. */
  const everything = () =>
    server.database.read(async (reader) => {
      const parts = tables.map(
        (table) =>
          sql`select ${table}::text as name, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as rows
                from ${sql.identifier(table)} t`,
      );
      const { rows } = await reader.execute(sql.join(parts, sql` union all `));
      return rows;
    });

  it('is refused with its status and its field, and nothing of it is stored', async () => {
    const loans = await house();
    const { late, inWallet, approved, cash, transfer } = loans;
    for (const months of [1, 1]) await act(inWallet, { kind: 'deferral', months });
    const { body: waived } = await act(late, { kind: 'waiver', amount: 1 });
    const waiver = waived.events?.at(-1)?.sequence;
    await act(late, { kind: 'reversal', reverses: waiver });
    const { body: gone } = await pay(late, { amount: 5, channel: 'cash' });
    await change(Number(gone.id), { status: 'reversed', reason: 'Typed in twice' });
    const money = [0, '0.00', -5, '-0.01', '1000000000000.01', 1e13, '1.005', '', 'many', null, {}, true];
    const days = ['2025-09-09', '2026-03-11', '2026-02-30', '', 'today', 20_260_310, null];
    const reason = 'Typed in twice';
    const refused: (readonly [number, string, () => Promise<Answer>])[] = [
      ...money.map((amount) => [400, 'amount', () => pay(late, { amount, channel: 'cash' })] as const),
      ...money.map((amount) => [400, 'amount', () => act(late, { kind: 'waiver', amount })] as const),
      ...money.map((amount) => [400, 'amount', () => act(late, { kind: 'refund', amount })] as const),
      ...days.map(
        (valueDate) =>
          [400, 'valueDate', () => pay(late, { amount: 1, channel: 'cash', valueDate })] as const,
      ),
      ...days.map(
        (valueDate) => [400, 'valueDate', () => act(late, { kind: 'write_off', valueDate })] as const,
      ),
      ...days.map(
        (valueDate) =>
          [400, 'valueDate', () => change(cash, { status: 'reversed', reason, valueDate })] as const,
      ),
      ...days
        .slice(1)
        .map((date) => [400, 'date', () => disburse(approved, { channel: 'recorded', date })] as const),
      ...[0, 7, -1, 1.5, '2', null].map(
        (months) => [400, 'months', () => act(late, { kind: 'deferral', months })] as const,
      ),
      ...[0, -1, 999, 1, 2, '3', 1.5, null].map(
        (reverses) => [400, 'reverses', () => act(late, { kind: 'reversal', reverses })] as const,
      ),
      [409, 'already_reversed', () => act(late, { kind: 'reversal', reverses: waiver })],
      [409, 'already_reversed', () => change(Number(gone.id), { status: 'reversed', reason })],
      [409, 'payment_final', () => change(Number(gone.id), { status: 'confirmed' })],
      [409, 'payment_final', () => change(cash, { status: 'rejected', reason })],
      [409, 'payment_final', () => change(transfer, { status: 'reversed', reason })],
      [400, 'reason', () => change(transfer, { status: 'rejected' })],
      [400, 'reason', () => change(cash, { status: 'reversed' })],
      [400, 'status', () => change(cash, { status: 'submitted' })],
      [409, 'deferral_not_possible', () => act(inWallet, { kind: 'deferral', months: 1 })],
      [409, 'not_disbursed', () => pay(approved, { amount: 1, channel: 'cash' })],
      [409, 'not_disbursed', () => act(approved, { kind: 'write_off' })],
      [409, 'not_disbursed', () => cancel(approved)],
      [409, 'not_in_wallet', () => cancel(late)],
      [409, 'payment_known', () => pay(late, { amount: 1, channel: 'maya', reference: 'm-1234' })],
      [400, 'reason', () => pay(inWallet, { amount: 1, channel: 'wallet' })],
      [409, 'insufficient_funds', () => pay(late, { amount: 1, channel: 'wallet', reason })],
      [404, 'not_found', () => pay(99_999, { amount: 1, channel: 'cash' })],
      [404, 'not_found', () => change(99_999, { status: 'confirmed' })],
      [404, 'not_found', () => act(99_999, { kind: 'write_off' })],
      [404, 'not_found', () => cancel(99_999)],
      [404, 'not_found', () => disburse(99_999, { channel: 'wallet' })],
      [404, 'not_found', () => write(api.decideApproval, 99_999, { decision: 'approved' })],
      [400, 'decision', () => write(api.decideApproval, 1, { decision: 'maybe' })],
    ];
    const before = await everything();
    for (const [index, [status, what, ask]] of refused.entries()) {
      const told = await ask();
      const said = told.body.errors ? Object.keys(told.body.errors).join() : told.body.code;
      expect([index, told.status, said]).toEqual([index, status, what]);
      expect(told.body.message).toMatch(/^[A-Z].* \w/);
    }
    expect(await everything()).toEqual(before);
  });

  it('is a payment on a loan that was cancelled', async () => {
    const { inWallet } = await house();
    await cancel(inWallet);
    const before = await everything();
    const { status, body } = await pay(inWallet, { amount: 1, channel: 'cash' });
    expect([status, body.code]).toEqual([409, 'not_disbursed']);
    expect((await act(inWallet, { kind: 'waiver', amount: 1 })).body.code).toBe('not_disbursed');
    expect(await everything()).toEqual(before);
  });
});

it('a loan whose borrower has left is not paid out', async () => {
  const { borrower, id } = await approvedApplication(server);
  await server.main.deleteUser(borrower.id);
  for (const channel of ['wallet', 'recorded']) {
    const { status, body } = await disburse(id, { channel });
    expect([status, body.code]).toEqual([404, 'not_found']);
  }
});

it('a loan that was paid off before its borrower left is as little there to be paid out', async () => {
  const { borrower, id } = await approvedApplication(server);
  expect((await disburse(id, { channel: 'recorded' })).status).toBe(201);
  const { body } = await write(api.recordPayment, id, {
    amount: 150_000,
    channel: 'cash',
    settlement: true,
    reason: 'At the counter',
  });
  expect(body.status).toBe('confirmed');
  await server.main.deleteUser(borrower.id);
  const answer = await disburse(id, { channel: 'wallet' });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

it('new terms of a loan whose borrower has left name them as the terms before did', async () => {
  const { borrower, id } = await approvedApplication(server);
  await server.main.deleteUser(borrower.id);
  expect((await write(api.updateLoan, id, { amount: 200_000 })).status).toBe(200);
  await expectBooksVerified(server.deps);
});
