import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { consoleCommands } from '#server/books/console-commands.ts';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { insertAuditEntry } from '#server/store/audit-store.ts';
import { writeCheck } from '#server/store/check-store.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { disbursedLoan, withdraw } from './lending.ts';
import { check, tamper } from './tampering.ts';

const server = await testServer();
const { database, deps } = server;

const change = (statement: string) => tamper(database, sql.raw(statement));
const daily = () => check(deps, ['--daily']);
const checks = () =>
  rowsOf<{ kind: string; status: string; seal: number }>(
    database,
    sql`select kind, status, seal_number as seal from book_checks order by id`,
  );

/** Money moved, a loan paid, everything sealed, and a full check that found it sound. */
const keepChecked = server.built(async () => {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 10_000);
  const withdrawal = await withdraw(server, borrower, 1_000);
  const payments = [{ amount: 100, channel: 'cash' as const }];
  const loan = await disbursedLoan(server, borrower, { date: '2026-03-10', payments });
  await sealAuditLog(deps);
  expect((await check(deps)).isWell).toBe(true);
  server.clock.advance({ days: 1 });
  return { borrower, withdrawal, loan };
});

/** Lives a day of the books: a movement of money, a payment, a withdrawal, another member. */
async function liveADay({ borrower, loan }: Awaited<ReturnType<typeof keepChecked>>) {
  await server.fund(borrower.id, 20_000);
  await withdraw(server, borrower, 1_500);
  await server.main.recordPayment(loan.id, { amount: 50, channel: 'cash' });
  await server.registerBorrower();
  await sealAuditLog(deps);
}

describe('a daily check', () => {
  it('reads new rows and a sample, says that it read no more, and is where the next one begins', async () => {
    const books = await keepChecked();
    await liveADay(books);
    const { isWell, lines } = await daily();
    expect(isWell).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^What is new since seal 1 is sound: 2 ledger entries, \d+ sealed audit entries, \d+ sealed rows; 0 not sealed yet\. Seal 2 is [0-9a-f]{64}\. Rows are sealed .+ So is a sample of \d+ old rows\. No more was read: an old row that was changed, removed or put in shows in a full check\. The last full check was on 2026-03-10T\S+Z\. \(\d+\.\d s\)$/,
    );
    const sampled = Number(/sample of (\d+) old/.exec(lines[0] ?? '')?.[1]);
    expect(sampled).toBeGreaterThan(20);
    expect((await daily()).last).toMatch(/^What is new since seal 2 is sound: 0 ledger entries/);
    expect(await checks()).toEqual([
      { kind: 'full', status: 'sound', seal: 1 },
      { kind: 'daily', status: 'sound', seal: 2 },
      { kind: 'daily', status: 'sound', seal: 2 },
    ]);
  });

  it('is a full one where none was sound before, and the next one is not', async () => {
    const first = await daily();
    expect(first.isWell).toBe(true);
    expect(first.lines[0]).toBe('There is no sound full check yet. This check is a full one.');
    expect(first.last).toMatch(/^The books are sound: /);
    expect((await daily()).last).toMatch(/^What is new since seal 0 is sound: /);
  });

  const newest = (table: string, key = 'id') => `${key} = (select max(${key}) from ${table})`;

  it.each([
    [
      'an amount in the ledger',
      `update ledger_entries set amount_centavos = amount_centavos + 1 where ${newest('ledger_entries')}`,
      /^Wrong: ledger_entries \d+, account \d+: its values do not match its hash/,
    ],
    [
      'an entry of the audit log',
      `update audit_entries set ip_address = '203.0.113.9' where ${newest('audit_entries')}`,
      /^Wrong: audit_entries \d+: it is not as it was sealed \(seal 2\)/,
    ],
    [
      'an event of a loan',
      `update loan_events set amount_centavos = amount_centavos + 1 where ${newest('loan_events')}`,
      /^Wrong: loan_events \d+, event 3, account \d+: /,
    ],
    [
      'a receipt that is gone',
      `delete from payments where ${newest('payments')}`,
      /^Wrong: receipt_numbers 2026: its newest receipt, 2, is missing/,
    ],
    [
      'a receipt of another number',
      `update payments set receipt_serial = 7 where ${newest('payments')}`,
      /^Wrong: payments \d+: it is not as the server wrote it/,
    ],
    [
      'a withdrawal that is gone',
      `delete from withdrawals where ${newest('withdrawals')}`,
      /^Wrong: withdrawals \d+: it was sealed and is missing/,
    ],
    [
      'a consent that the server did not write',
      `insert into consents (account_id, purpose, wording, created_at)
       select max(id), 'application', 'I owe more', now() from accounts`,
      /^Wrong: consents \d+, account \d+: it was not written by the server/,
    ],
    [
      'a seal of a row that is gone',
      `delete from row_seals where id = (select max(id) from row_seals where table_name = 'payments')`,
      /^Wrong: row_seals \d+ to \d+: they are not as seal 2 found them/,
    ],
  ])('names among the new: %s', async (_, statement, named) => {
    await liveADay(await keepChecked());
    await change(statement);
    const { isWell, wrong } = await daily();
    expect(wrong).toContainEqual(expect.stringMatching(named));
    expect(isWell).toBe(false);
    // It begins there again, and not behind what it found.
    expect((await daily()).isWell).toBe(false);
  });

  it('names an old row of its sample, which holds all of books as small as these', async () => {
    const { borrower, loan } = await keepChecked();
    const old = `account_id = ${borrower.id} and sequence = 1`;
    await change(`update ledger_entries set reason = 'another' where ${old}`);
    expect((await daily()).wrong).toEqual([
      expect.stringMatching(/^Wrong: ledger_entries \d+, account \d+: its values do not match its hash/),
    ]);
    await change(`update loans set term_months = 13 where id = ${loan.id}`);
    expect((await daily()).wrong).toContainEqual(
      expect.stringContaining(`loans ${loan.id}, account ${borrower.id}: it is not as the server wrote it`),
    );
  });

  it('leaves to the full check an old row that was put in, and says from then on that one found it', async () => {
    const { borrower } = await keepChecked();
    await change(`insert into consents (id, account_id, purpose, wording, created_at)
                  values (-1, ${borrower.id}, 'application', 'I owe more', now())`);
    expect((await daily()).isWell).toBe(true);
    expect((await check(deps)).wrong).toEqual([
      `Wrong: consents -1, account ${borrower.id}: it was not written by the server.`,
    ]);
    const after = await daily();
    expect(after).toMatchObject({ isWell: false, wrong: [] });
    expect(after.last).toMatch(
      /THE LAST FULL CHECK, on 2026-03-11T\S+, FOUND WRONG ROWS: run npm run verify\./,
    );
  });

  it.each([
    ['of a later seal', 'update book_checks set seal_number = 2, seal_hash = repeat($$0$$, 64)'],
    ['of another kind', `update book_checks set kind = 'daily'`],
    [
      'that nobody made',
      `insert into book_checks (kind, status, edition, seal_number, seal_hash, started_at, finished_at)
       select kind, status, edition, number, hash, now(), now() from book_checks, audit_seals
        order by number desc limit 1`,
    ],
  ])('does not believe a result %s: it is full, and names it', async (what, statement) => {
    const books = await keepChecked();
    await liveADay(books);
    await change(statement);
    const { isWell, lines, wrong } = await daily();
    if (what === 'of another kind') {
      // No full check is left to begin with.
      expect(lines[0]).toBe('There is no sound full check yet. This check is a full one.');
    } else {
      expect(lines[0]).toBe('The last sound check is not as it was written. This check is a full one.');
    }
    expect(wrong).toEqual([
      expect.stringMatching(/^Wrong: book_checks \d: it (is not as|was not written by) the server/),
    ]);
    expect(isWell).toBe(false);
  });

  it('is full where the result is gone, or the books of another edition, or renewed', async () => {
    await keepChecked();
    await change('delete from book_checks');
    expect((await daily()).lines[0]).toContain('There is no sound full check yet.');
    const soundOf = (edition: number) =>
      database.transaction((tx) =>
        writeCheck(tx, undefined, {
          kind: 'full',
          status: 'sound',
          edition,
          sealNumber: 0,
          sealHash: '',
          state: null,
          startedAt: deps.clock.now(),
          finishedAt: deps.clock.now(),
        }),
      );
    await soundOf(booksEdition - 1);
    expect((await daily()).lines[0]).toBe(
      'The books were brought up to date since the last sound check. This check is a full one.',
    );
    expect((await daily()).lines).toHaveLength(1);
    await database.transaction((tx) =>
      insertAuditEntry(tx, { action: 'books_renewed', createdAt: deps.clock.now() }),
    );
    expect((await daily()).lines[0]).toContain('The books were brought up to date');
  });

  it('knows books of an earlier moment by the seal that it found sound', async () => {
    await liveADay(await keepChecked());
    expect((await daily()).isWell).toBe(true);
    await change('delete from audit_seals where number = 2');
    const { lines, wrong } = await daily();
    expect(lines[0]).toBe('The last sound check was of other books. This check is a full one.');
    expect(wrong[0]).toBe(
      'Wrong: audit_seals 2: the last sound check found it, and it is missing: these are the books of an earlier moment.',
    );
  });

  it('without the key reads everything each time, and keeps nothing', async () => {
    await keepChecked();
    const { isWell, lines } = await check({ ...deps, secrets: withoutSecrets }, ['--daily']);
    expect(isWell).toBe(true);
    expect(lines[0]).toBe(
      'Without the key of the books nothing proves the last sound check. This check is a full one.',
    );
    expect(await checks()).toHaveLength(1);
  });
});

describe('a full check that is stopped', () => {
  /** Stops the check as it is about to take piece number `pieces`. */
  async function stopAt(pieces: number, words: string[] = []) {
    const told = new AbortController();
    let taken = 0;
    const snapshot: typeof database.snapshot = (work) => {
      taken += 1;
      if (taken === pieces) told.abort();
      return database.snapshot(work);
    };
    const counted = { ...deps, database: { ...database, hasOneSession: true, snapshot } };
    return check(counted, words, told.signal);
  }

  it('goes on where it stopped, tells it, and comes to the same as one that was not', async () => {
    const { borrower } = await keepChecked();
    const stopped = await stopAt(4);
    expect(stopped.isWell).toBe(false);
    expect(stopped.lines).toEqual([
      expect.stringMatching(
        /^Stopped at the (.+), part \d+ of \d+\. npm run verify -- --continue goes on there\.$/,
      ),
    ]);
    const place = /^Stopped at the (.+), part/.exec(stopped.last)?.[1];
    // Rows that were read already and change now are new to the next check, and no fault of this one.
    await server.fund(borrower.id, 30_000);
    await change(
      `update ledger_entries set reason = 'another' where account_id = ${borrower.id} and sequence = 1`,
    );
    const rest = await check(deps, ['--continue']);
    expect(rest.lines[0]).toBe(
      `Going on with the full check of ${deps.clock.now().toISOString()}, at the ${place}.`,
    );
    expect(rest.last).toMatch(/^The books are sound: \d+ ledger entries, 2 accounts, 1 withdrawal, /);
    expect(rest.isWell).toBe(true);
    expect((await checks()).at(-1)).toEqual({ kind: 'full', status: 'sound', seal: 1 });
    // One from the beginning reads them.
    expect((await check(deps)).wrong).toHaveLength(1);
  });

  it('still names what it had found before', async () => {
    const { borrower } = await keepChecked();
    const first = `where account_id = ${borrower.id} and sequence = 1`;
    await change(`update ledger_entries set amount_centavos = amount_centavos + 1 ${first}`);
    await stopAt(4);
    await stopAt(4, ['--continue']);
    await change(`update ledger_entries set amount_centavos = amount_centavos - 1 ${first}`);
    const { isWell, wrong } = await check(deps, ['--continue']);
    expect(wrong).toEqual([expect.stringContaining('its values do not match its hash')]);
    expect(isWell).toBe(false);
  });

  it('begins anew without the option, or where none was stopped, and says so', async () => {
    await keepChecked();
    expect((await check(deps, ['--continue'])).lines[0]).toBe(
      'No full check waits to be continued: this one begins anew.',
    );
    await stopAt(4);
    const anew = await check(deps);
    expect(anew.lines[0]).toMatch(
      /^The full check of \S+ stopped, and this one begins anew: --continue goes on with it\.$/,
    );
    expect(anew.isWell).toBe(true);
    expect((await check(deps, ['--continue'])).lines[0]).toContain('No full check waits');
  });

  it('does not go on from a place that somebody else wrote', async () => {
    await keepChecked();
    await stopAt(4);
    await change(
      `update book_checks set state = jsonb_set(state, '{part}', '"sequences"') where status = 'underway'`,
    );
    const { lines, wrong } = await check(deps, ['--continue']);
    expect(lines[0]).toContain('this one begins anew');
    expect(wrong).toEqual([expect.stringMatching(/^Wrong: book_checks 2: it is not as the server wrote it/)]);
  });

  it('does not leave its daily ones', async () => {
    await keepChecked();
    const told = new AbortController();
    told.abort();
    const stopped = await check(deps, ['--daily'], told.signal);
    expect(stopped).toMatchObject({ isWell: false, lines: [expect.stringContaining('Nothing is kept')] });
    expect(await checks()).toHaveLength(1);
  });
});

it('an option that nobody knows is refused with the usage', async () => {
  for (const words of [
    ['--weekly'],
    ['--daily', '--continue'],
    ['--seal', '1'],
    ['--daily', '--seal', '1', 'x'],
  ]) {
    await expect(check(deps, words)).rejects.toThrow(
      'Usage: npm run verify [-- [--continue | --daily] [--seal <number> <hash>]]',
    );
  }
});

it('a key that is adopted forgets every check: the next one is full', async () => {
  await keepChecked();
  await consoleCommands['key-adopt'](deps, { words: [], say: () => undefined });
  expect((await daily()).lines[0]).toContain('There is no sound full check yet.');
});
