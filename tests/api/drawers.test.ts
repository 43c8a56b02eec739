import { describe, expect, it } from 'vitest';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectBooksVerified } from './books.ts';
import { borrowerWithLoan } from './lending.ts';

/** The cash of an employee, from the float in the morning to the count at night (§drawer). */
const server = await testServer();
const { main } = server;
const reason = 'As agreed';

const loanOut = () => borrowerWithLoan(server, { date: '2026-01-10' });
const current = async (person: Caller) => (await person.readCurrentDrawer()).drawer;
const answerOf = async (call: { answer(): Promise<unknown> }) =>
  (await call.answer()) as { status: number; body: { code?: string; approval?: { id: number } } };
const idOf = async (person: Caller) => (await current(person))?.id ?? 0;

/** Two of everything, since the office of the tests has a main admin beside them. */
async function cashiers() {
  const bella = await server.createAdmin({ fullName: 'Bella Reyes' });
  const carlo = await server.createAdmin({ fullName: 'Carlo Diaz' });
  return { bella, carlo };
}

describe('a drawer', () => {
  it('begins with a float, takes the cash of its owner, and is counted', async () => {
    const { id } = await loanOut();
    const { bella, carlo } = await cashiers();
    expect(await current(bella)).toBeNull();
    expect(await bella.openDrawer({ float: 2_000 })).toMatchObject({
      by: 'Bella Reyes',
      float: '2000.00',
      cashIn: { count: 0, amount: '0.00' },
      cashOut: { count: 0, amount: '0.00' },
      expected: '2000.00',
    });
    await refused(bella.openDrawer({ float: 1 }), 409, 'drawer_open');
    await bella.recordPayment(id, { amount: 1_500.5, channel: 'cash' });
    await bella.recordPayment(id, { amount: 300, channel: 'gcash', reference: 'GC-1001' });
    await carlo.recordPayment(id, { amount: 100, channel: 'cash' });
    expect(await current(bella)).toMatchObject({
      cashIn: { count: 1, amount: '1500.50' },
      expected: '3500.50',
    });
    const drawer = await idOf(bella);
    await refused(bella.closeDrawer(drawer, { counted: 3_500 }), 400, 'validation_failed');
    const closed = { expected: '3500.50', counted: '3500.00', difference: '-0.50' };
    expect(await bella.closeDrawer(drawer, { counted: 3_500, reason: 'Small change' })).toEqual(closed);
    await refused(bella.closeDrawer(drawer, { counted: 3_500 }), 409, 'drawer_closed');
    expect(await current(bella)).toBeNull();
    const listed = expect.objectContaining({ ...closed, by: 'Bella Reyes', reason: 'Small change' });
    expect(await main.listDrawers()).toEqual([
      listed,
      expect.objectContaining({ by: 'Carlo Diaz', float: '0.00', expected: '100.00', counted: null }),
    ]);
    expect((await main.readDay()).drawers).toEqual(await main.listDrawers());
    expect((await main.readToday()).drawers.map(({ by }) => by)).toEqual(['Carlo Diaz']);
    await expectBooksVerified(server.deps);
  });

  it('is opened with nothing in it by the first cash, and anew by cash after it was closed', async () => {
    const { id } = await loanOut();
    await main.recordPayment(id, { amount: 700, channel: 'cash' });
    expect(await current(main)).toMatchObject({ float: '0.00', expected: '700.00' });
    await main.closeDrawer(await idOf(main), { counted: 700 });
    await main.recordPayment(id, { amount: 50, channel: 'cash' });
    expect(await current(main)).toMatchObject({ float: '0.00', expected: '50.00' });
    expect(await main.listDrawers()).toHaveLength(2);
  });

  it('of somebody else is closed by an approver, marked, and by nobody without the role', async () => {
    const { bella, carlo } = await cashiers();
    const collector = await server.createAdmin({ roles: ['collector'] });
    const cashier = await server.createAdmin({ roles: ['cashier'] });
    await bella.openDrawer({ float: 500 });
    const drawer = await idOf(bella);
    await refused(collector.openDrawer({ float: 1 }), 403, 'role_missing');
    await refused(cashier.closeDrawer(drawer, { counted: 500 }), 403, 'role_missing');
    await refused(carlo.closeDrawer(999_999, { counted: 500 }), 404, 'not_found');
    await carlo.closeDrawer(drawer, { counted: 500 });
    expect(await main.listDrawers()).toMatchObject([{ by: 'Bella Reyes', closedBy: 'Carlo Diaz' }]);
    expect(await auditOf(server.database, 'drawer_closed')).toMatchObject([
      { after: { closedForAnother: true } },
    ]);
  });

  it.each([-1, 0.001, '1e3', 'much', null])('takes no %s for an amount', async (amount) => {
    await refused(main.openDrawer(odd({ float: amount })), 400, 'validation_failed');
    await main.openDrawer({ float: 0 });
    await refused(main.closeDrawer(await idOf(main), odd({ counted: amount })), 400, 'validation_failed');
  });

  it('is on the list of the day on which it was opened and of the one on which it was closed', async () => {
    server.clock.set('2026-03-02T04:00:00.000Z');
    await main.openDrawer({ float: 10 });
    // 23:59 and 00:00 in Manila.
    server.clock.set('2026-03-04T15:59:59.000Z');
    await main.closeDrawer(await idOf(main), { counted: 10 });
    const on = async (date: string) => (await main.listDrawers({ date })).length;
    expect([await on('2026-03-02'), await on('2026-03-03'), await on('2026-03-04')]).toEqual([1, 0, 1]);
    await refused(main.listDrawers({ date: 'yesterday' }), 400, 'validation_failed');
  });
});

describe('cash that waits for a second person', () => {
  const waitingCash = async (person: Caller, id: number) => {
    const { status, body } = await answerOf(person.recordPayment(id, { amount: 60_000, channel: 'cash' }));
    expect(status).toBe(202);
    return body.approval?.id ?? 0;
  };

  it('is in the drawer from its recording, and stays there when it counts', async () => {
    const { id } = await loanOut();
    const { bella, carlo } = await cashiers();
    const request = await waitingCash(bella, id);
    expect(await current(bella)).toMatchObject({ cashIn: { count: 1, amount: '60000.00' } });
    await carlo.decideApproval(request, { decision: 'approved' });
    expect(await current(bella)).toMatchObject({ expected: '60000.00' });
    expect(await current(carlo)).toBeNull();
  });

  it.each(['rejected', 'withdrawn'] as const)(
    'leaves its recorder’s drawer when it is %s',
    async (decision) => {
      const { id } = await loanOut();
      const { bella, carlo } = await cashiers();
      const request = await waitingCash(bella, id);
      await (decision === 'rejected' ? carlo : bella).decideApproval(request, { decision, reason });
      expect(await current(bella)).toMatchObject({
        cashIn: { count: 1, amount: '60000.00' },
        cashOut: { count: 1, amount: '60000.00' },
        expected: '0.00',
      });
    },
  );

  it('leaves the drawer of whoever hands it back once that of its recorder is closed', async () => {
    const { id } = await loanOut();
    const { bella, carlo } = await cashiers();
    const request = await waitingCash(bella, id);
    await bella.closeDrawer(await idOf(bella), { counted: 60_000 });
    // Bella alone would take the money out of a drawer that nobody counts together with the one it came into.
    await refused(bella.decideApproval(request, { decision: 'withdrawn' }), 403, 'own_request');
    await carlo.decideApproval(request, { decision: 'rejected', reason });
    expect(await current(bella)).toBeNull();
    expect(await current(carlo)).toMatchObject({ cashOut: { count: 1 }, expected: '-60000.00' });
    await expectBooksVerified(server.deps);
  });
});

describe('cash that was counted', () => {
  it('stays in the drawer when it is reversed, unless it was handed back: out of the asker’s', async () => {
    const { id } = await loanOut();
    const { bella, carlo } = await cashiers();
    const paid = [];
    for (const amount of [400, 500]) {
      paid.push(
        ((await answerOf(bella.recordPayment(id, { amount, channel: 'cash' }))).body as { id: number }).id,
      );
    }
    const reverse = async (paymentId: number, cashReturned?: boolean) => {
      const body = odd({ status: 'reversed', reason, ...(cashReturned && { cashReturned }) });
      const { body: asked } = await answerOf(carlo.updatePayment(paymentId, body));
      await main.decideApproval(asked.approval?.id ?? 0, { decision: 'approved' });
    };
    await reverse(paid[0] ?? 0);
    expect(await current(bella)).toMatchObject({ cashOut: { count: 0 }, expected: '900.00' });
    await reverse(paid[1] ?? 0, true);
    expect(await current(bella)).toMatchObject({ expected: '900.00' });
    expect(await current(carlo)).toMatchObject({ cashOut: { count: 1, amount: '500.00' } });
    await expectBooksVerified(server.deps);
  });

  it('is handed back only as cash, and only when it is reversed', async () => {
    const { id } = await loanOut();
    const { body } = await answerOf(main.recordPayment(id, { amount: 400, channel: 'cash' }));
    const cash = (body as { id: number }).id;
    const form = { status: 'confirmed', cashReturned: true };
    await refused(main.updatePayment(cash, odd(form)), 400, 'validation_failed');
  });

  it('of a borrower’s slip comes into the drawer of who confirms it, as it was counted', async () => {
    const { id, borrower } = await loanOut();
    const { bella } = await cashiers();
    const paidOn = '2026-01-20';
    const slip = await borrower.payOwnLoan(id, { amount: 900, channel: 'cash', paidOn });
    expect(await main.listDrawers()).toEqual([]);
    await bella.updatePayment(slip.id, { status: 'confirmed', amount: 850, note: 'We counted 850.' });
    expect(await current(bella)).toMatchObject({ cashIn: { count: 1, amount: '850.00' } });
    const refusedSlip = await borrower.payOwnLoan(id, { amount: 100, channel: 'cash', paidOn });
    await main.updatePayment(refusedSlip.id, { status: 'rejected', note: 'Nobody came.' });
    expect(await main.listDrawers()).toHaveLength(1);
  });
});

it('cash of one person that arrives at once opens one drawer and is all in it', async () => {
  const loans = [await loanOut(), await loanOut(), await loanOut()];
  await Promise.all(loans.map(({ id }) => main.recordPayment(id, { amount: 100, channel: 'cash' })));
  expect(await main.listDrawers()).toMatchObject([{ cashIn: { count: 3, amount: '300.00' } }]);
});
