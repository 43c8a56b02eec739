import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { sealAuditLog } from '#server/services/audit-seal-service.ts';
import { insertAuditEntry } from '#server/store/audit-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { auditEntries, auditSeals, withdrawals } from '#server/store/schema.ts';
import { testEngine } from '#tests/setup/test-database.ts';
import { fullProfile, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { hashOf, ledgerOf } from './books.ts';
import { apply } from './lending.ts';
import { tamper, verify } from './tampering.ts';

const server = await testServer();
const { database } = server;

const change = (statement: SQL) => tamper(database, statement);
const ledger = (accountId: number) => ledgerOf(database, accountId);
const auditIds = () =>
  database.read(async (reader) => {
    const rows = await reader
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .orderBy(asc(auditEntries.id));
    return rows.map(({ id }) => id);
  });

async function withdraw({ id, token }: TestBorrower, amount: number) {
  const otp = await server.setCode(id);
  const { bankName, bankAccountNumber } = fullProfile;
  const body = { amount, bankName, bankAccountNumber, otp };
  return (await server.succeed(api.requestWithdrawal, { token, body })).body;
}

const decide = async (id: number, status: 'completed' | 'rejected') =>
  server.succeed(api.updateWithdrawal, {
    token: await server.signInMainAdmin(),
    params: { id },
    body: { status },
  });

/** Five ledger entries, one withdrawal of each fate, a loan with two versions of its terms, everything sealed. */
async function keepBooks() {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 10_000);
  const rejected = await withdraw(borrower, 1_000);
  await decide(rejected.id, 'rejected');
  const completed = await withdraw(borrower, 2_000);
  await decide(completed.id, 'completed');
  const waiting = await withdraw(borrower, 1_500);
  const loan = await apply(server, borrower);
  await server.succeed(api.updateLoan, {
    token: await server.signInMainAdmin(),
    params: { id: loan.id },
    body: { amount: 200_000 },
  });
  await sealAuditLog(server.deps);
  return { borrower, rejected, completed, waiting, loan };
}

describe('sound books', () => {
  it('are found sound, with what was looked at', async () => {
    await keepBooks();
    await server.registerBorrower();
    const { isWell, lines } = await verify(database);
    const audited = await auditIds();
    expect(lines).toHaveLength(1);
    expect(isWell).toBe(true);
    expect(lines[0]).toMatch(
      new RegExp(
        `^The books are sound: 5 ledger entries, 3 accounts, 3 withdrawals, 2 versions of loan terms, ${audited.length - 1} sealed audit entries; 1 not sealed yet\\. Seal 1 is [0-9a-f]{64}\\. \\(\\d+\\.\\d s\\)$`,
      ),
    );
  });

  it('are sound when they are empty', async () => {
    expect((await verify(database)).last).toContain('sound: 0 ledger entries, 1 account, 0 withdrawals');
  });

  it('are found sound at any moment, while money moves and the log is sealed', async () => {
    const { borrower, waiting } = await keepBooks();
    let isMoving = true;
    async function move(): Promise<void> {
      for (let pesos = 20_000; isMoving; pesos += 1) await server.fund(borrower.id, pesos);
    }
    async function seal(): Promise<void> {
      while (isMoving) await sealAuditLog(server.deps);
    }
    const others = [move(), seal(), decide(waiting.id, 'rejected')];
    for (let round = 0; round < 10; round += 1) {
      const { wrong } = await verify(database);
      expect(wrong).toEqual([]);
    }
    isMoving = false;
    await Promise.all(others);
  });

  it('are read without being changed', async () => {
    await keepBooks();
    await server.registerBorrower();
    await verify(database);
    const seals = await database.read((reader) => reader.select().from(auditSeals));
    expect(seals).toHaveLength(1);
  });
});

describe('a fault planted by a superuser', () => {
  let books: Awaited<ReturnType<typeof keepBooks>>;
  beforeEach(async () => {
    books = await keepBooks();
  });

  /** Expects exactly this to be wrong. */
  async function expectWrong(...lines: string[]): Promise<void> {
    const { isWell, wrong, last } = await verify(database);
    expect(wrong).toEqual(lines.map((line) => `Wrong: ${line}.`));
    expect(isWell).toBe(false);
    expect(last).toMatch(/^The books are not sound: \d+ rows? (is|are) wrong\./);
  }

  const entry = async (sequence: number) => {
    const found = (await ledger(books.borrower.id)).find((one) => one.sequence === sequence);
    if (!found) throw new Error('there is no such entry');
    return found;
  };
  const named = async (sequence: number) =>
    `ledger_entries ${(await entry(sequence)).id}, account ${books.borrower.id}`;

  it('is named: one centavo more in an entry', async () => {
    await change(
      sql`update ledger_entries set amount_centavos = amount_centavos + 1 where id = ${(await entry(1)).id}`,
    );
    await expectWrong(`${await named(1)}: its values do not match its hash`);
  });

  it.each([
    ['reason', sql`reason = 'another'`],
    ['actor', sql`actor_id = account_id`],
    ['moment', sql`created_at = created_at + interval '1 millisecond'`],
    ['type', sql`type = 'correction'`],
    ['hash', sql`hash = upper(hash)`],
  ])('is named: another %s in an account’s newest entry', async (_, assignment) => {
    const { id } = await server.registerBorrower();
    await server.fund(id, 5_000);
    const [only] = await ledger(id);
    await change(sql`update ledger_entries set ${assignment} where id = ${only?.id}`);
    const { wrong } = await verify(database);
    expect(wrong[0]).toBe(
      `Wrong: ledger_entries ${only?.id}, account ${id}: its values do not match its hash.`,
    );
  });

  it('is named: one centavo more in a balance', async () => {
    const { id } = books.borrower;
    await change(sql`update accounts set balance_centavos = balance_centavos + 1 where id = ${id}`);
    await expectWrong(`accounts ${id}: its balance is 6500.01, and its ledger comes to 6500.00`);
  });

  it('is named: a balance without any ledger', async () => {
    const { id } = await server.registerBorrower();
    await change(sql`update accounts set balance_centavos = 1 where id = ${id}`);
    await expectWrong(`accounts ${id}: its balance is 0.01, and its ledger comes to 0.00`);
  });

  it('is named: an entry of the middle that is gone', async () => {
    const { id } = await entry(2);
    const next = await named(3);
    await change(sql`delete from ledger_entries where id = ${id}`);
    const { wrong } = await verify(database);
    expect(wrong).toEqual([
      `Wrong: ${next}: it is entry 3 of its account, and entry 2 before it is missing.`,
      `Wrong: withdrawals ${books.rejected.id}, account ${books.borrower.id}: its debit is missing in the ledger.`,
    ]);
  });

  it('is named: the first entry that is gone', async () => {
    await change(sql`delete from ledger_entries where id = ${(await entry(1)).id}`);
    await expectWrong(`${await named(2)}: it is entry 2 of its account, and entry 1 before it is missing`);
  });

  it('is named: the newest entry that is gone', async () => {
    await server.fund(books.borrower.id, 20_000);
    await change(sql`delete from ledger_entries where id = ${(await entry(6)).id}`);
    await expectWrong(`accounts ${books.borrower.id}: its newest ledger entry is missing: there are 5 of 6`);
  });

  it('is named: an entry that was changed together with its hash', async () => {
    const changed = { ...(await entry(1)), reason: 'another' };
    await change(
      sql`update ledger_entries set reason = 'another', hash = ${hashOf(changed)} where id = ${changed.id}`,
    );
    await expectWrong(`${await named(2)}: it does not continue the entry before it`);
  });

  it('is named: the newest entry that was changed together with its hash', async () => {
    const changed = { ...(await entry(5)), reason: 'another' };
    await change(
      sql`update ledger_entries set reason = 'another', hash = ${hashOf(changed)} where id = ${changed.id}`,
    );
    await expectWrong(
      `accounts ${books.borrower.id}: it does not end in the hash of its newest ledger entry`,
    );
  });

  it('is named: an entry that was put in', async () => {
    await change(sql`
      insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id, reason,
                                  created_at, previous_hash, hash)
      select account_id, sequence + 1, 'correction', 100, balance_after_centavos + 100, actor_id, 'x', created_at, hash, 'x'
        from ledger_entries where id = ${(await entry(5)).id}`);
    const { wrong } = await verify(database);
    expect(wrong).toEqual([
      `Wrong: ${await named(6)}: its values do not match its hash.`,
      `Wrong: accounts ${books.borrower.id}: its ledger has 6 entries where 5 were written.`,
    ]);
  });

  it('is named: an account that is gone with its balance', async () => {
    const { id } = books.borrower;
    await change(sql`delete from accounts where id = ${id}`);
    const { wrong } = await verify(database);
    expect(wrong[0]).toBe(`Wrong: ${await named(1)}: its account is missing.`);
  });

  it.each([
    ['completed', 'rejected', 'it is rejected, and its refund is missing in the ledger'],
    ['rejected', 'approved', 'it was refunded and is not rejected'],
  ] as const)('is named: a %s withdrawal that became %s', async (from, to, what) => {
    const { id } = books[from];
    await change(sql`update withdrawals set status = ${to}, processed_at = null where id = ${id}`);
    await expectWrong(`withdrawals ${id}, account ${books.borrower.id}: ${what}`);
  });

  it('is named: a withdrawal of another amount', async () => {
    const { id } = books.waiting;
    await change(sql`update withdrawals set amount_centavos = amount_centavos + 1 where id = ${id}`);
    await expectWrong(
      `withdrawals ${id}, account ${books.borrower.id}: its debit is of another amount or account`,
    );
  });

  it('is named: a withdrawal that is gone', async () => {
    const { id } = books.waiting;
    await change(sql`delete from withdrawals where id = ${id}`);
    await expectWrong(`${await named(5)}: its withdrawal is missing`);
  });

  it('is named: terms that were changed, are gone, or are not the loan’s', async () => {
    const { loan, borrower } = books;
    const terms = (version: number) => `loan_terms ${loan.id}, version ${version}, account ${borrower.id}`;
    await change(sql`update loans set amount_centavos = amount_centavos + 1 where id = ${loan.id}`);
    await expectWrong(`${terms(2)}: their loan has another amount or term`);
    await change(
      sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"1.00"') where loan_id = ${loan.id} and version = 2`,
    );
    await expectWrong(`${terms(2)}: their quote does not match their hash`);
    await change(sql`delete from loan_terms where loan_id = ${loan.id} and version = 1`);
    await change(
      sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"2.00"') where loan_id = ${loan.id}`,
    );
    await expectWrong(`${terms(2)}: their quote does not match their hash`);
  });

  it('is named: an audit entry that was edited', async () => {
    const [, second] = await auditIds();
    await change(sql`update audit_entries set ip_address = '203.0.113.9' where id = ${second}`);
    await expectWrong(`audit_entries ${second}: it is not as it was sealed (seal 1)`);
  });

  it('is named: an audit entry whose details were edited', async () => {
    const [row] = await database.read((reader) =>
      reader.select().from(auditEntries).where(eq(auditEntries.action, 'balance_changed')),
    );
    await change(
      sql`update audit_entries set after = jsonb_set(after, '{balance}', '"1000.01"') where id = ${row?.id}`,
    );
    await expectWrong(`audit_entries ${row?.id}: it is not as it was sealed (seal 1)`);
  });

  it.each([
    ['first', 0],
    ['newest', -1],
  ])('is named: the %s audit entry that is gone', async (_, index) => {
    const id = (await auditIds()).at(index);
    await change(sql`delete from audit_entries where id = ${id}`);
    await expectWrong(`audit_entries ${id}: it was sealed and is missing (seal 1)`);
  });

  it('is named: an audit entry that was put in between', async () => {
    await database
      .transaction(async (tx) => {
        await insertAuditEntry(tx, { action: 'never committed', createdAt: new Date() });
        throw new Error('undone');
      })
      .catch(() => undefined);
    await server.registerBorrower();
    await sealAuditLog(server.deps);
    const gap = ((await auditIds()).at(-1) ?? 0) - 1;
    await change(
      sql`insert into audit_entries (id, action, created_at) values (${gap}, 'sign_in', ${new Date().toISOString()})`,
    );
    await expectWrong(`audit_entries ${gap}: it was put in after its neighbours were sealed (seal 2)`);
  });

  it('is named: a seal that was edited together with its entry, and one that is gone', async () => {
    for (let more = 0; more < 2; more += 1) {
      await server.registerBorrower();
      await sealAuditLog(server.deps);
    }
    await change(sql`update audit_seals set sealed_at = sealed_at + interval '1 second' where number = 2`);
    await expectWrong('audit_seals 2: its values do not match its hash');
    await change(sql`delete from audit_seals where number = 2`);
    await expectWrong('audit_seals 3: the seal before it is missing');
  });

  it('is named together with the others', async () => {
    const [first] = await auditIds();
    await server.fund(books.borrower.id, 20_000);
    const gone = await entry(6);
    await change(sql`delete from ledger_entries where id = ${gone.id}`);
    await change(
      sql`update ledger_entries set amount_centavos = amount_centavos + 1 where id = ${(await entry(1)).id}`,
    );
    await change(sql`update audit_entries set action = 'sign_out' where id = ${first}`);
    await expectWrong(
      `${await named(1)}: its values do not match its hash`,
      `accounts ${books.borrower.id}: its newest ledger entry is missing: there are 5 of 6`,
      `audit_entries ${first}: it is not as it was sealed (seal 1)`,
    );
  });

  it('is told twenty times at the most', async () => {
    for (let more = 0; more < 25; more += 1) {
      await database.transaction((tx) =>
        tx.insert(withdrawals).values({
          accountId: books.borrower.id,
          withdrawalNumber: `planted-${more}`,
          amountCentavos: 1,
          bankName: 'x',
          bankAccountNumber: '1',
          status: 'pending',
          createdAt: new Date(),
          updatedAt: new Date(),
        }),
      );
    }
    expect((await verify(database)).wrong).toHaveLength(20);
  });
});

describe('more than a page', () => {
  const pageRows = testEngine === 'embedded' ? 500 : 2_000;
  const entriesEach = pageRows + 50;

  async function fill(accountId: number) {
    await database.transaction(async (tx) => {
      for (let n = 0; n < entriesEach; n += 1) {
        const at = server.clock.now();
        await moveMoney(tx, {
          accountId,
          amountCentavos: 1,
          type: 'disbursement',
          actorId: 3,
          reason: 'x',
          at,
        });
      }
    });
  }

  it('is read whole, with a fault at either side of a page’s end', async () => {
    const one = await server.registerBorrower();
    const two = await server.registerBorrower();
    await fill(one.id);
    await fill(two.id);
    expect((await verify(database)).last).toContain(
      `sound: ${(2 * entriesEach).toLocaleString('en')} ledger entries`,
    );
    const entries = await ledger(one.id);
    // The first page ends with this account's entry of the number `pageRows`, where the next one begins.
    for (const sequence of [pageRows - 1, pageRows, pageRows + 1]) {
      const id = entries[sequence - 1]?.id;
      const add = (centavos: number) =>
        change(
          sql`update ledger_entries set amount_centavos = amount_centavos + ${centavos} where id = ${id}`,
        );
      await add(1);
      expect((await verify(database)).wrong).toEqual([
        `Wrong: ledger_entries ${id}, account ${one.id}: its values do not match its hash.`,
      ]);
      await add(-1);
    }
    const [gone, next] = entries.slice(pageRows - 1);
    await change(sql`delete from ledger_entries where id = ${gone?.id}`);
    expect((await verify(database)).wrong).toEqual([
      `Wrong: ledger_entries ${next?.id}, account ${one.id}: it is entry ${pageRows + 1} of its account, and entry ${pageRows} before it is missing.`,
    ]);
  });
});

describe('sealing', () => {
  const insertEntries = (count: number) =>
    database.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        await insertAuditEntry(tx, { action: 'sign_in', createdAt: server.clock.now() });
      }
    });

  const seals = () =>
    database.read((reader) => reader.select().from(auditSeals).orderBy(asc(auditSeals.number)));

  it('takes what is new, and nothing twice', async () => {
    expect(await sealAuditLog(server.deps)).toBe(1);
    expect(await sealAuditLog(server.deps)).toBe(0);
    await insertEntries(3);
    expect(await sealAuditLog(server.deps)).toBe(3);
    const [first, second] = await seals();
    expect(second).toMatchObject({ number: 2, entryCount: 3, previousHash: first?.hash });
  });

  it('is done by several processes at once without a gap or an overlap', async () => {
    await insertEntries(1_200);
    const counts = await Promise.all(Array.from({ length: 4 }, () => sealAuditLog(server.deps)));
    // Who finds another one sealing leaves it to that one.
    expect(counts.reduce((sum, count) => sum + count, 0) + (await sealAuditLog(server.deps))).toBe(1_201);
    const found = await seals();
    expect(found.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect((await verify(database)).last).toContain('1,201 sealed audit entries; 0 not sealed yet');
  });

  it('cannot be undone or changed', async () => {
    await sealAuditLog(server.deps);
    const attempts = [
      sql`update audit_seals set number = 2`,
      sql`delete from audit_seals`,
      sql`truncate audit_seals`,
    ];
    for (const attempt of attempts) {
      await expect(database.transaction((tx) => tx.execute(attempt))).rejects.toThrow('append-only');
    }
  });

  it.skipIf(testEngine === 'embedded')(
    'waits for an entry with a lower id that is committed later',
    async () => {
      let commit = () => {};
      const holding = new Promise<void>((resolve) => {
        commit = resolve;
      });
      const slow = database.transaction(async (tx) => {
        await insertAuditEntry(tx, { action: 'slow', createdAt: server.clock.now() });
        await holding;
      });
      await insertEntries(1);
      const [, lower] = [await auditIds(), (await auditIds()).at(-1) ?? 0];
      const sealing = sealAuditLog(server.deps);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await seals()).toEqual([]);
      commit();
      await slow;
      expect(await sealing).toBe(3);
      expect((await seals())[0]).toMatchObject({ lastId: lower, entryCount: 3 });
      expect((await verify(database)).isWell).toBe(true);
    },
  );
});
