import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Payment } from '#contract/servicing.ts';
import { limits } from '#domain/limits.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { disbursedLoan, takeOverLoan } from './lending.ts';
import { tamper } from './tampering.ts';

const server = await testServer();

const closed = async () => (await server.main.listClosedAccounts()).accounts;

/** A member whose loan was paid off by this payment, and whose account is closed. */
async function closedAfter(body: Sent<typeof api.recordPayment, 'body'>) {
  const borrower = await server.verifiedBorrower();
  if (body.channel === 'wallet') await server.fund(borrower.id, 150_000);
  const loan = await disbursedLoan(server, borrower, { date: '2026-03-10' });
  const paid = await server.main.recordPayment(loan.id, body);
  await server.main.deleteUser(borrower.id);
  return { borrower, loan, payment: paid as Payment };
}

async function reverse({ id }: Payment): Promise<void> {
  await server.main.updatePayment(id, { status: 'reversed' as const, reason: 'The bank took it back' });
}

const settling = { amount: 150_000, settlement: true, reason: 'All of it' };

it('closed accounts with money or a debt are a list, the last closed first', async () => {
  server.clock.set('2026-03-11T10:00:00+08:00');
  const bounced = await closedAfter({ ...settling, channel: 'cash' });
  server.clock.advance({ minutes: 5 });
  const back = await closedAfter({ ...settling, channel: 'wallet' });
  expect(await closed()).toEqual([]);
  await reverse(bounced.payment);
  await reverse(back.payment);
  const debt = { principalLeft: '150000.00', credit: '0.00', state: 'open' };
  const left = ({ loan, borrower }: typeof bounced) => ({
    userId: borrower.id,
    fullName: 'Maria Clara Santos',
    closedAt: expect.any(String),
    owed: '195000.00',
    loans: [{ loanId: loan.id, loanNumber: loan.loanNumber, ...debt }],
  });
  const [newest, oldest] = await closed();
  expect(newest).toEqual({ ...left(back), balance: '150000.00' });
  expect(oldest).toEqual({ ...left(bounced), balance: '0.00' });
  expect(newest?.closedAt).toBe('2026-03-11T02:05:00.000Z');

  // Late charges run there too.
  server.clock.set('2026-05-26T10:00:00+08:00');
  expect((await closed()).map(({ owed, loans }) => [owed, loans[0]?.state])).toEqual([
    ['195167.74', 'overdue'],
    ['195167.74', 'overdue'],
  ]);

  const end = new Date(server.clock.now());
  end.setUTCFullYear(end.getUTCFullYear() + limits.closedAccountKeptYears + 1);
  server.clock.set(end);
  await keepSteadyHouse(server.deps);
  expect((await closed()).map(({ fullName, balance }) => [fullName, balance])).toEqual([
    [null, '150000.00'],
    [null, '0.00'],
  ]);
});

it('credit that waits to be handed back is in it', async () => {
  server.clock.set('2026-03-11T10:00:00+08:00');
  const { loan } = await closedAfter({ ...settling, channel: 'cash' });
  await server.main.recordPayment(loan.id, { amount: 500, channel: 'cash' });
  expect(await closed()).toMatchObject([
    { balance: '0.00', owed: '0.00', loans: [{ principalLeft: '0.00', credit: '500.00' }] },
  ]);
});

it('a loan that an earlier version released is in it until it is repaid', async () => {
  const { id } = await server.registerBorrower();
  const released = {
    status: 'active',
    releasedAt: server.clock.now(),
    releasedCentavos: 12_000_000 as never,
  };
  const loanId = await takeOverLoan(server, id, released);
  await tamper(server.database, sql`update accounts set deleted_at = created_at where id = ${id}`);
  expect(await closed()).toMatchObject([
    {
      userId: id,
      owed: '120000.00',
      loans: [{ loanId, principalLeft: '120000.00', state: 'not_disbursed' }],
    },
  ]);
  await server.main.updateLoan(loanId, { status: 'completed' });
  expect(await closed()).toEqual([]);
});
