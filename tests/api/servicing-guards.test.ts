import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import { verifyBooks } from '#server/books/verify.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { expectSoundBooks } from './books.ts';
import { apply } from './lending.ts';
import { tamper } from './tampering.ts';

const server = await testServer();

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

async function approvedLoan() {
  const borrower = await server.verifiedBorrower();
  const { id } = await apply(server, borrower);
  await write(api.updateLoan, id, { status: 'approved' });
  return { borrower, id };
}

const accountOf = async (id: number) =>
  (await server.succeed(api.readLoanAccount, { token: await mainAdmin(), params: { id } })).body;

async function expectBooksVerified() {
  await expectSoundBooks(server.database);
  const { faults } = await verifyBooks(server.deps, () => undefined);
  expect(faults).toEqual([]);
}

describe('a loan disbursed again after a cancellation', () => {
  it('is out, also when it is recorded as of a day before the cancelled one', async () => {
    const { id } = await approvedLoan();
    await disburse(id, { channel: 'wallet' });
    await cancel(id);
    expect((await disburse(id, { channel: 'recorded', date: '2026-03-01' })).status).toBe(201);
    const { account, disbursedOn } = await accountOf(id);
    expect([disbursedOn, account.state, account.principalLeft]).toEqual(['2026-03-01', 'open', '150000.00']);
    expect((await disburse(id, { channel: 'wallet' })).body.code).toBe('already_disbursed');
    await expectBooksVerified();
  });

  it('has nothing of what was changed before it', async () => {
    const { id } = await approvedLoan();
    await disburse(id, { channel: 'wallet' });
    await act(id, { kind: 'deferral', months: 6 });
    await act(id, { kind: 'write_off' });
    await cancel(id);
    const { body } = await disburse(id, { channel: 'wallet' });
    expect(body.account).toMatchObject({ state: 'open', writeOffAmount: '0.00', nextDueDate: '2026-05-10' });
    for (const months of [1, 1]) expect((await act(id, { kind: 'deferral', months })).status).toBe(201);
    await expectBooksVerified();
  });

  it('may be of another amount, and the books keep both', async () => {
    const { borrower, id } = await approvedLoan();
    await disburse(id, { channel: 'wallet' });
    await cancel(id);
    await write(api.updateLoan, id, { amount: 200_000 });
    expect((await disburse(id, { channel: 'wallet' })).body.code).toBe('terms_not_agreed');
    const { body: contract } = await server.succeed(api.readLoanContract, {
      token: borrower.token,
      params: { id },
    });
    await server.succeed(api.acceptContract, {
      token: borrower.token,
      params: { id },
      body: { version: contract.version },
    });
    const { body } = await disburse(id, { channel: 'wallet' });
    expect(body.account?.principalLeft).toBe('200000.00');
    await expectBooksVerified();
  });
});

it('a payment that waits is not confirmed once the disbursement was cancelled', async () => {
  const { id } = await approvedLoan();
  await disburse(id, { channel: 'wallet' });
  const { body } = await pay(id, { amount: 1_000, channel: 'gcash', reference: 'G 1' });
  await cancel(id);
  const refused = await change(Number(body.id), { status: 'confirmed' });
  expect([refused.status, refused.body.code]).toEqual([409, 'not_disbursed']);
  expect((await change(Number(body.id), { status: 'rejected', reason: 'Cancelled' })).status).toBe(200);
  await expectBooksVerified();
});

it('verify names the terms of a disbursed loan when they were changed, and goes on', async () => {
  const { id } = await approvedLoan();
  await disburse(id, { channel: 'wallet' });
  const changed = sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"1.00"') where version = 2`;
  await tamper(server.database, changed);
  const { faults } = await verifyBooks(server.deps, () => undefined);
  expect(faults.map(({ table }) => table)).toContain('loan_terms');
});
