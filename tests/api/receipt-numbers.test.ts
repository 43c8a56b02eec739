import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { centavos } from '#domain/money.ts';
import { backUp, restore } from '#server/books/backup.ts';
import { verifyBooks } from '#server/books/verify-run.ts';
import { startNumbering } from '#server/services/receipt-service.ts';
import { unnumberedReceipts } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { openTestDatabase, pastTriggers } from '#tests/setup/test-database.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { approvedApplication, releaseLoan } from './lending.ts';

const server = await testServer();
const migrations = path.resolve('server/store/migrations');

const cash = { amount: 1_000, channel: 'cash' } as const;
const headers = { 'idempotency-key': 'one-payment' };

async function openLoan() {
  const { id, borrower } = await approvedApplication(server);
  await releaseLoan(server, { id }, { channel: 'recorded' });
  return { id, borrower };
}

const waitingNow = () => server.database.read((reader) => reader.$count(unnumberedReceipts));
const faults = async () => (await verifyBooks(server.deps, () => {})).faults;

/** Pays by a process that dies as soon as the payment is committed: it answers nobody, and gives no number. */
async function payWithoutNumber(id: number): Promise<void> {
  const before = await waitingNow();
  const numbering = { waiting: new Map(), isRunning: true };
  const dying = await passingServer({
    deps: { database: server.database, clock: server.clock, numbering },
  });
  void dying.as(await server.signInMainAdmin()).recordPayment(id, cash, { headers });
  await expect.poll(waitingNow).toBe(before + 1);
}

const paymentsOf = async (id: number) => (await server.main.readLoanAccount(id)).payments;
const numbersOf = async (id: number) =>
  (await paymentsOf(id)).toSorted((one, other) => one.id - other.id).map((one) => one.receiptNumber);

describe('a payment whose server died before it had a number', () => {
  it('counts without one, and gets it when the same request comes again', async () => {
    const { id, borrower } = await openLoan();
    await payWithoutNumber(id);
    const [payment] = await paymentsOf(id);
    expect(payment).toMatchObject({ status: 'confirmed', receiptNumber: null });
    expect(await faults()).toEqual([]);
    await refused(server.main.readReceiptPdf(id, 'AR-2026-000001'), 404);
    expect(await auditOf(server.database, 'payment_confirmed')).toEqual([]);

    const again = await server.main.recordPayment(id, cash, { headers });
    expect(again).toMatchObject({ id: payment?.id, status: 'confirmed', receiptNumber: 'AR-2026-000001' });
    expect(await numbersOf(id)).toEqual(['AR-2026-000001']);
    const [entry] = await auditOf(server.database, 'payment_confirmed');
    expect(entry?.after).toMatchObject({ paymentId: payment?.id, receipt: 'AR-2026-000001' });
    const [notice] = await borrower.listNotifications();
    expect(notice?.message).toContain('AR-2026-000001');
    expect([await waitingNow(), await faults()]).toEqual([0, []]);
  });

  it('gets it from the next server that starts', async () => {
    const { id } = await openLoan();
    await payWithoutNumber(id);
    await startNumbering(server.deps)();
    expect(await numbersOf(id)).toEqual(['AR-2026-000001']);
  });

  it('gets it where a backup of the books is restored', async () => {
    const { id } = await openLoan();
    await payWithoutNumber(id);
    const folder = path.join(server.dataDir, 'backup');
    await backUp(server.deps, { folder, migrations, withKey: false }, () => {});
    const database = await openTestDatabase(server.engine);
    onTestFinished(() => database.close());
    const restored = await passingServer({
      deps: { database, clock: server.clock, secrets: server.deps.secrets },
    });
    fs.copyFileSync(path.join(server.dataDir, 'secret.key'), path.join(restored.dataDir, 'secret.key'));
    await restore(restored.deps, { folder, migrations, withKey: false, withoutKey: false }, () => {});
    await startNumbering(restored.deps)();
    const { payments } = await restored.main.readLoanAccount(id);
    expect(payments[0]).toMatchObject({ status: 'confirmed', receiptNumber: 'AR-2026-000001' });
  });

  it('gets it with the next payment, and before that one', async () => {
    const { id } = await openLoan();
    await payWithoutNumber(id);
    expect(await server.main.recordPayment(id, cash)).toMatchObject({ receiptNumber: 'AR-2026-000002' });
    expect(await numbersOf(id)).toEqual(['AR-2026-000001', 'AR-2026-000002']);
    expect(await faults()).toEqual([]);
  });

  it('gets it when it is reversed, so that the borrower reads which receipt', async () => {
    const { id, borrower } = await openLoan();
    await payWithoutNumber(id);
    const [payment] = await paymentsOf(id);
    const body = { status: 'reversed', reason: 'Typed in twice' } as const;
    expect(await server.main.updatePayment(payment?.id ?? 0, body)).toMatchObject({
      status: 'reversed',
      receiptNumber: 'AR-2026-000001',
    });
    const messages = (await borrower.listNotifications()).map(({ message }) => message);
    expect(messages.filter((message) => message.includes('AR-2026-000001'))).toHaveLength(2);
    expect(await faults()).toEqual([]);
  });

  it('is not made of one with a number by somebody who writes to the database', async () => {
    const { id } = await openLoan();
    await server.main.recordPayment(id, cash);
    const [payment] = await paymentsOf(id);
    const none = centavos(0);
    const forged = {
      paymentId: payment?.id ?? 0,
      year: 2026,
      creditCentavos: none,
      returnedCentavos: none,
      marks: {},
    };
    await pastTriggers(server.database, (tx) => tx.insert(unnumberedReceipts).values(forged));
    await startNumbering(server.deps)();
    await server.main.recordPayment(id, cash);
    expect(await numbersOf(id)).toEqual(['AR-2026-000001', 'AR-2026-000002']);
    expect((await faults()).map(({ what }) => what)).toEqual(['it waits for a receipt number, and has one']);
  });

  it('gets one of the year in which it was confirmed', async () => {
    const { id } = await openLoan();
    const midnight = Date.parse('2026-12-31T16:00:00Z');
    server.clock.set(new Date(midnight - 1));
    await payWithoutNumber(id);
    server.clock.set(new Date(midnight));
    const next = await openLoan();
    expect(await server.main.recordPayment(next.id, cash)).toMatchObject({ receiptNumber: 'AR-2027-000001' });
    expect(await numbersOf(id)).toEqual(['AR-2026-000001']);
    expect(await faults()).toEqual([]);
  });

  it.each([
    ['counts without a receipt number', 'delete from unnumbered_receipts'],
    [
      'it waits for a receipt number, and has one',
      `update payments set receipt_year = 2026, receipt_serial = 1 where receipt_serial is null`,
    ],
  ])('is named by verify: %s', async (what, forgery) => {
    const { id } = await openLoan();
    await payWithoutNumber(id);
    await pastTriggers(server.database, (tx) => tx.execute(sql.raw(forgery)));
    expect((await faults()).map((fault) => fault.what).join('\n')).toContain(what);
  });
});
