import { expect, it } from 'vitest';
import { multiplyRows } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { disbursedLoan } from './lending.ts';

const server = await testServer();

/** The longest time in which nothing else could run while this did. */
async function longestStallMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  // The next look sees what held up the end of the work.
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}

const payments = isTorture ? 400 : 100;

it(`a statement of ${payments} payments keeps nobody else waiting`, async () => {
  const borrower = await server.verifiedBorrower();

  const { id } = await disbursedLoan(server, borrower, { date: '2026-03-10' });

  await server.main.recordPayment(id, { amount: 10, channel: 'cash' });
  // Copied, since recording each folds all those before it.
  await server.database.transaction(async (tx) => {
    for (const [table, changes] of [
      ['payments', `'receipt_serial', receipt_serial + n`],
      ['loan_events', `'sequence', sequence + n, 'payment_id', payment_id + n`],
    ] as const) {
      const changed = `'id', nextval('${table}_id_seq'), ${changes}`;
      await multiplyRows(tx, table, { copies: payments - 1, which: 'amount_centavos = 1000', changed });
    }
  });
  const read = () => server.main.readStatementPdf(id);
  // The first one loads what prints it.
  await read();
  // The stall is a share of the reading's own time, which depends on the machine. Work in one piece
  // would stall for all of it.
  const share = async () => {
    const startMs = performance.now();
    return (await longestStallMs(read)) / (performance.now() - startMs);
  };
  await expect.poll(share).toBeLessThan(0.2);
});
