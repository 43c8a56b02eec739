import { asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { centavos } from '#domain/money.ts';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { checkTriggers } from '#server/books/verify-store.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import { insertAuditEntry } from '#server/store/audit-store.ts';
import { writeCheck } from '#server/store/check-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { changeLoan } from '#server/store/loan-store.ts';
import { auditEntries, auditSeals, withdrawals } from '#server/store/schema.ts';
import { gate } from '#tests/setup/gate.ts';
import { copyRows, pastTriggers, rowsOf } from '#tests/setup/test-database.ts';
import { fullProfile, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { hashOf, ledgerOf } from './books.ts';
import { apply, disbursedLoan, withdraw } from './lending.ts';
import { check, tamper, verify } from './tampering.ts';

const server = await testServer();
const { database } = server;

const change = (statement: SQL) => tamper(database, statement);
const ledger = (accountId: number) => ledgerOf(database, accountId);
const auditIds = () =>
  database.read(async (reader) =>
    (await reader.select().from(auditEntries).orderBy(asc(auditEntries.id))).map(({ id }) => id),
  );

const decide = (id: number, status: 'completed' | 'rejected') => server.main.updateWithdrawal(id, { status });

/** Five ledger entries, one withdrawal of each fate, a loan with two versions of its terms, everything sealed. */
async function buildBooks() {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 10_000);
  const rejected = await withdraw(server, borrower, 1_000);
  await decide(rejected.id, 'rejected');
  const completed = await withdraw(server, borrower, 2_000);
  await decide(completed.id, 'completed');
  const waiting = await withdraw(server, borrower, 1_500);
  const loan = await apply(server, borrower);
  await server.main.updateLoan(loan.id, { amount: 200_000 });
  await sealAuditLog(server.deps);
  return { borrower, rejected, completed, waiting, loan };
}

const keepBooks = server.built(buildBooks);

describe('sound books', () => {
  it('are found sound, with what was checked', async () => {
    await keepBooks();
    await server.registerBorrower();
    const { isWell, lines } = await verify(database);
    const audited = await auditIds();
    expect(lines).toHaveLength(1);
    expect(isWell).toBe(true);
    expect(lines[0]).toMatch(
      new RegExp(
        `^The books are sound: 5 ledger entries, 3 accounts, 3 withdrawals, 2 versions of loan terms, ${audited.length - 1} sealed audit entries; 1 not sealed yet\\. Seal 1 is [0-9a-f]{64}\\. Rows are sealed with the key since 2026-03-10T04:00:00\\.000Z\\. \\(\\d+\\.\\d s\\)$`,
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
    const others = [move(), seal(), decide(waiting.id, 'rejected').answer()];
    for (let round = 0; round < (isTorture ? 10 : 3); round += 1) {
      const { wrong } = await verify(database);
      expect(wrong).toEqual([]);
    }
    isMoving = false;
    await Promise.all(others);
  });

  it('are found sound at any moment, while loans are paid', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => server.verifiedBorrower()));
    const ids: number[] = [];
    for (const person of people) ids.push((await disbursedLoan(server, person, { date: '2026-03-10' })).id);
    let isPaying = true;
    async function pay(id: number): Promise<number> {
      let paid = 0;
      for (; isPaying; paid += 1) {
        await server.main.recordPayment(id, { amount: 10, channel: 'cash' });
      }
      return paid;
    }
    const payers = ids.map(pay);
    for (let round = 0; round < (isTorture ? 8 : 3); round += 1)
      expect((await verify(database)).wrong).toEqual([]);
    isPaying = false;
    expect(Math.min(...(await Promise.all(payers)))).toBeGreaterThan(2);
  });

  it('are found sound after the ordinary changes of several accounts, all at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => server.verifiedBorrower()));
    for (const person of people) await server.fund(person.id, 100_000);
    const edit = (id: number, body: object) => server.main.updateMember(id, body);
    async function live(person: TestBorrower): Promise<void> {
      const { id } = await withdraw(server, person, 1_000);
      await Promise.all([
        server.main.updateWithdrawal(id, { status: 'rejected' }).answer(),
        edit(person.id, { balance: 50_000 }).answer(),
        edit(person.id, { bankName: 'Bank C' }).answer(),
        edit(person.id, { status: 'active' }).answer(),
        person.updateProfile({ bankName: fullProfile.bankName }).answer(),
        apply(server, person),
        server.registerBorrower(),
        sealAuditLog(server.deps),
      ]);
    }
    for (let round = 0; round < 3; round += 1) await Promise.all(people.map(live));
    await sealAuditLog(server.deps);
    const { wrong, last } = await verify(database);
    expect(wrong).toEqual([]);
    expect(last).toContain('9 withdrawals, 9 versions of loan terms');
  });

  it('are not changed by being read', async () => {
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

  it('is named: a missing entry in the middle', async () => {
    const { id } = await entry(2);
    const next = await named(3);
    await change(sql`delete from ledger_entries where id = ${id}`);
    const { wrong } = await verify(database);
    expect(wrong).toEqual([
      `Wrong: ${next}: it is entry 3 of its account, and entry 2 before it is missing.`,
      `Wrong: withdrawals ${books.rejected.id}, account ${books.borrower.id}: its debit is missing in the ledger.`,
    ]);
  });

  it('is named: a missing first entry', async () => {
    await change(sql`delete from ledger_entries where id = ${(await entry(1)).id}`);
    await expectWrong(`${await named(2)}: it is entry 2 of its account, and entry 1 before it is missing`);
  });

  it('is named: a missing newest entry', async () => {
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
    await expectWrong(
      `${await named(5)}: its withdrawal is missing`,
      `withdrawals ${id}: it was sealed and is missing`,
    );
  });

  it('is named: terms that were changed, are gone, or are not the loan’s', async () => {
    const { loan, borrower } = books;
    const terms = (version: number) => `loan_terms ${loan.id}, version ${version}, account ${borrower.id}`;
    const changedLoan = `loans ${loan.id}, account ${borrower.id}: it is not as the server wrote it`;
    await change(sql`update loans set amount_centavos = amount_centavos + 1 where id = ${loan.id}`);
    await expectWrong(`${terms(2)}: their loan has another amount or term`, changedLoan);
    await change(
      sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"1.00"') where loan_id = ${loan.id} and version = 2`,
    );
    await expectWrong(`${terms(2)}: their quote does not match their hash`, changedLoan);
    await change(sql`delete from loan_terms where loan_id = ${loan.id} and version = 1`);
    await change(
      sql`update loan_terms set quote = jsonb_set(quote, '{monthlyPayment}', '"2.00"') where loan_id = ${loan.id}`,
    );
    await expectWrong(`${terms(2)}: their quote does not match their hash`, changedLoan);
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

  it('is reported twenty times at most', async () => {
    for (let more = 0; more < 25; more += 1) {
      await database.transaction((tx) =>
        tx.insert(withdrawals).values({
          accountId: books.borrower.id,
          withdrawalNumber: `planted-${more}`,
          amountCentavos: centavos(1),
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

/** Gives an account's ledger the sequences, balances and hashes that its entries come to, and the account its end. */
const chained = (accountId: number) =>
  sql.raw(`do $$ declare e record; previous text := ''; n int := 0; balance bigint := 0; h text;
    begin
      for e in select * from ledger_entries where account_id = ${accountId} order by sequence, id loop
        n := n + 1;
        balance := balance + e.amount_centavos;
        h := encode(sha256(convert_to(concat_ws(chr(10), previous, e.account_id, n, e.type, e.amount_centavos, balance,
          e.actor_id, coalesce(e.withdrawal_id::text, ''),
          to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), e.reason), 'UTF8')), 'hex');
        update ledger_entries set sequence = n, balance_after_centavos = balance, previous_hash = previous, hash = h
         where id = e.id;
        previous := h;
      end loop;
      update accounts set balance_centavos = balance, ledger_sequence = n, ledger_hash = previous
       where id = ${accountId};
    end $$`);

/** Gives the seals of the audit log the hashes that its entries come to. */
const sealedAgain =
  sql.raw(`do $$ declare s record; previous text := ''; covered bigint := 0; lines text; h text;
    begin
      for s in select * from audit_seals order by number loop
        select string_agg(id || ' ' || encode(sha256(convert_to(json_build_array(id, action, actor_id, ip_address,
                 target_type, target_id, before, after,
                 to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')), 'hex'),
                 chr(10) order by id)
          into lines from audit_entries where id > covered and id <= s.last_id;
        h := encode(sha256(convert_to(concat_ws(chr(10), previous, s.number, s.first_id, s.last_id, s.entry_count,
          to_char(s.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), lines, s.positions), 'UTF8')), 'hex');
        update audit_seals set previous_hash = previous, entry_hashes = lines, hash = h where number = s.number;
        previous := h;
        covered := s.last_id;
      end loop;
    end $$`);

/** Runs what anybody with SQL, but without the key, can do with the triggers off. */
const forge = (...statements: SQL[]) =>
  pastTriggers(database, async (tx) => {
    for (const statement of statements) await tx.execute(statement);
  });

describe('a forgery by who writes to the database and lacks the key', () => {
  type Books = Awaited<ReturnType<typeof keepForgeableBooks>>;

  /** The same books, with a loan paid out, a suspended member, an employee, and a list of allowed addresses. */
  const keepForgeableBooks = server.built(async () => {
    // A sound check, after which everything is new to a daily one.
    await sealAuditLog(server.deps);
    expect((await check(server.deps)).isWell).toBe(true);
    for (const ipAddress of ['127.0.0.1', '10.0.0.0/8']) {
      await server.main.addAllowedIp({ ipAddress });
    }
    const other = await server.registerBorrower();
    await server.fund(other.id, 9_000);
    const books = await buildBooks();
    const { loan, borrower } = books;
    const edit = (id: number, body: object) => server.main.updateMember(id, body);
    await server.main.updateLoan(loan.id, { status: 'approved' });
    await borrower.acceptContract(loan.id, { version: 2 });
    // An earlier version released a loan in this way.
    await server.database.transaction(async (tx) => {
      const at = server.clock.now();
      const amountCentavos = centavos(200_000_00);
      const move = { accountId: borrower.id, amountCentavos, actorId: 3, at };
      await moveMoney(tx, { ...move, type: 'disbursement', reason: 'disbursement' });
      await changeLoan(tx, loan.id, { releasedAt: at, releasedCentavos: amountCentavos, updatedAt: at });
    });
    const suspended = await server.registerBorrower();
    await edit(suspended.id, { status: 'suspended' });
    const employee = await server.createAdmin();
    await sealAuditLog(server.deps);
    await server.main.updateMember(borrower.id, { bankAccountNumber: '5550001112223' });
    await sealAuditLog(server.deps);
    expect((await verify(database)).wrong).toEqual([]);
    return { ...books, other, suspended, employee };
  });

  const updateOf = (table: string, id: number, assignment: string) =>
    sql.raw(`update ${table} set ${assignment} where id = ${id}`);
  const newestEntryOf = (id: number) =>
    sql`id = (select max(id) from ledger_entries where account_id = ${id})`;
  const newestSealOf = (table: string, id: number) =>
    sql`delete from row_seals where id = (select max(id) from row_seals where table_name = ${table} and row_id = ${id})`;
  /** New terms with the hashes that belong to them. */
  async function quoteOf(loanId: number, part: object) {
    const [terms] = await rowsOf<{ quote: object; agreement: object }>(
      database,
      sql`select quote, agreement from loan_terms where loan_id = ${loanId} order by version desc limit 1`,
    );
    const quote = { ...terms?.quote, ...part };
    const hash = canonicalHash(quote);
    const agreementHash = canonicalHash({ quoteHash: hash, ...terms?.agreement });
    return sql`update loan_terms
      set quote = ${JSON.stringify(quote)}::jsonb, hash = ${hash}, agreement_hash = ${agreementHash}
      where loan_id = ${loanId} and version = (select max(version) from loan_terms where loan_id = ${loanId})`;
  }
  const cutTail = (table: string, key: string) =>
    sql.raw(`delete from ${table} where ${key} = (select max(${key}) from ${table})`);

  const forgery = (
    ...row: [name: string, named: RegExp, statements: (books: Books) => SQL[] | Promise<SQL[]>]
  ) => row;
  const otherAccount = /accounts \d+: it is not as the server wrote it/;
  const otherLoan = /loans \d+, account \d+: it is not as the server wrote it/;
  const otherWithdrawal = /withdrawals \d+, account \d+: it is not as the server wrote it/;
  const otherList = /allowed_ips \(the whole list\): it is not as the server wrote it/;
  const cutSeal = /audit_seals 4: it was sealed and is missing/;
  const otherSeals = /row_seals \d+ to \d+: they are not as seal \d found them/;
  const otherTerms = /loan_terms \d+, version 2, account \d+: their loan has another rate or monthly payment/;

  const forgeries = [
    forgery('money minted with an entry of its own', otherAccount, ({ borrower: { id } }) => [
      sql`insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id,
                                        reason, created_at, previous_hash, hash)
            values (${id}, 99, 'correction', 1000000, 0, 3, 'correction', now(), '', '')`,
      chained(id),
    ]),
    forgery('an old entry rewritten, and the whole chain after it', otherAccount, ({ borrower: { id } }) => [
      sql`update ledger_entries set amount_centavos = 5000000 where account_id = ${id} and sequence = 1`,
      chained(id),
    ]),
    forgery(
      'the newest entry cut, and the account put back with its older seal',
      /ledger_entries up to \d+: 1 row of \d+ missing that seal 4 counted/,
      ({ other: { id } }) => [
        sql`delete from ledger_entries where ${newestEntryOf(id)}`,
        chained(id),
        newestSealOf('accounts', id),
      ],
    ),
    forgery('a ledger emptied', /ledger_entries up to \d+: 1 row of \d+ missing/, ({ other: { id } }) => [
      sql`delete from ledger_entries where account_id = ${id}`,
      chained(id),
    ]),
    forgery('an entry moved to another account', otherAccount, ({ borrower, other }) => [
      sql`update ledger_entries set account_id = ${borrower.id}, sequence = 99 where ${newestEntryOf(other.id)}`,
      chained(borrower.id),
      chained(other.id),
    ]),
    forgery('an entry of another type', otherAccount, ({ other: { id } }) => [
      sql`update ledger_entries set type = 'correction' where account_id = ${id}`,
      chained(id),
    ]),
    forgery(
      'a withdrawal deleted with its entries',
      /withdrawals up to \d+: 1 row of 3 missing/,
      ({ rejected, borrower }) => [
        sql`delete from ledger_entries where withdrawal_id = ${rejected.id}`,
        sql`delete from withdrawals where id = ${rejected.id}`,
        chained(borrower.id),
      ],
    ),
    forgery('a withdrawal of another amount, debited so', otherWithdrawal, ({ completed, borrower }) => [
      updateOf('withdrawals', completed.id, 'amount_centavos = 100000'),
      sql`update ledger_entries set amount_centavos = -100000 where withdrawal_id = ${completed.id}`,
      chained(borrower.id),
    ]),
    ...(
      [
        ['to another bank', `bank_name = 'Bank Z'`],
        ['to another bank account', `bank_account_number = '666000666'`],
        ['of another status', `status = 'pending'`],
        ['processed without anybody', `status = 'completed', processed_at = now()`],
      ] as const
    ).map(([what, assignment]) =>
      forgery(`a withdrawal ${what}`, otherWithdrawal, ({ waiting }) => [
        updateOf('withdrawals', waiting.id, assignment),
      ]),
    ),
    forgery('a withdrawal processed at another time', otherWithdrawal, ({ completed }) => [
      updateOf('withdrawals', completed.id, `processed_at = now() + interval '1 day'`),
    ]),
    forgery(
      'a withdrawal added with its debit',
      /withdrawals \d+, account \d+: it was not written by the server/,
      ({ borrower: { id } }) => [
        sql`insert into withdrawals (account_id, withdrawal_number, amount_centavos, bank_name, bank_account_number,
                                     status, created_at, updated_at)
            values (${id}, 'WD-1', 100, 'Bank Z', '1', 'approved', now(), now())`,
        sql`insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id,
                                        withdrawal_id, reason, created_at, previous_hash, hash)
            values (${id}, 99, 'withdrawal', -100, 0, ${id}, (select max(id) from withdrawals), 'WD-1', now(), '', '')`,
        chained(id),
      ],
    ),
    forgery('a loan of another amount, agreed so', otherLoan, async ({ loan }) => [
      updateOf('loans', loan.id, 'amount_centavos = 100'),
      await quoteOf(loan.id, { amount: '1.00' }),
    ]),
    forgery('a loan of another term, agreed so', otherLoan, async ({ loan }) => [
      updateOf('loans', loan.id, 'term_months = 48'),
      await quoteOf(loan.id, { termMonths: 48 }),
    ]),
    forgery('a loan at another rate', otherTerms, ({ loan }) => [
      updateOf('loans', loan.id, 'monthly_rate_basis_points = 1'),
    ]),
    forgery('a loan with another monthly payment', otherTerms, ({ loan }) => [
      updateOf('loans', loan.id, 'monthly_payment_centavos = 1'),
    ]),
    forgery('a loan of another status', otherLoan, ({ loan }) => [
      updateOf('loans', loan.id, `status = 'completed'`),
    ]),
    forgery('a loan as if never paid out', otherLoan, ({ loan }) => [
      updateOf('loans', loan.id, 'released_at = null, released_centavos = null'),
    ]),
    forgery('a loan deleted with its terms', /loans \d+: it was sealed and is missing/, ({ loan }) => [
      sql`delete from loan_terms where loan_id = ${loan.id}`,
      sql`delete from loans where id = ${loan.id}`,
    ]),
    forgery(
      'a loan without terms',
      /loans \d+, account \d+: it has no terms that anybody agreed to/,
      ({ loan }) => [sql`delete from loan_terms where loan_id = ${loan.id}`],
    ),
    forgery(
      'other terms with their hashes',
      /loan_terms \d+, version 2: it is not as the server wrote it/,
      async ({ loan }) => [await quoteOf(loan.id, { totalPayment: '1.00' })],
    ),
    forgery(
      'the newest terms removed, and the loan as before',
      /loan_terms no\. \d+: it was sealed and is missing/,
      ({ loan }) => [
        sql`delete from loan_terms where loan_id = ${loan.id} and version = 2`,
        sql`update loans set amount_centavos = 15000000, monthly_payment_centavos =
              (select (replace(quote ->> 'monthlyPayment', '.', ''))::bigint from loan_terms where loan_id = loans.id)
             where id = ${loan.id}`,
      ],
    ),
    forgery('a member made an employee', otherAccount, ({ borrower }) => [
      updateOf('accounts', borrower.id, 'is_admin = true'),
    ]),
    forgery('a suspended member let in again', otherAccount, ({ suspended }) => [
      updateOf('accounts', suspended.id, `status = 'active'`),
    ]),
    forgery(
      'a suspended member let in again, with the seal of that time',
      otherSeals,
      ({ suspended: { id } }) => [
        updateOf('accounts', id, `status = 'pending'`),
        newestSealOf('accounts', id),
      ],
    ),
    forgery(
      'a suspended member let in again, with a copy of the seal of that time',
      otherAccount,
      ({ suspended: { id } }) => [
        updateOf('accounts', id, `status = 'pending'`),
        sql`insert into row_seals (table_name, row_id, mac)
            select table_name, row_id, mac from row_seals
             where table_name = 'accounts' and row_id = ${id} order by id limit 1`,
      ],
    ),
    forgery(
      'a suspended member let in again, and the newer seal replaced by another',
      otherSeals,
      ({ suspended: { id } }) => [
        updateOf('accounts', id, `status = 'pending'`),
        sql`update row_seals set row_id = 3
             where id = (select max(id) from row_seals where table_name = 'accounts' and row_id = ${id})`,
      ],
    ),
    forgery('another password', otherAccount, ({ employee, borrower }) => [
      sql`update accounts set password_hash = (select password_hash from accounts where id = ${borrower.id})
             where id = ${employee.id}`,
    ]),
    forgery('another phone to sign in with', otherAccount, ({ other }) => [
      updateOf('accounts', other.id, `phone_key = '+639990000000'`),
    ]),
    forgery(
      'bank details of a member, and the hold after staff changed them',
      otherAccount,
      ({ borrower }) => [updateOf('accounts', borrower.id, 'staff_changed_access_at = null')],
    ),
    forgery('an allowed address removed', otherList, () => [
      sql`delete from allowed_ips where ip_address = '10.0.0.0/8'`,
    ]),
    forgery('an allowed address added', otherList, () => [
      sql`insert into allowed_ips (ip_address, created_at) values ('203.0.113.0/24', now())`,
    ]),
    forgery('the allow-list emptied', otherList, () => [sql`delete from allowed_ips`]),
    forgery(
      'an audit entry edited, and every seal made anew',
      /audit_seals 2: it is not as the server wrote it/,
      () => [sql`update audit_entries set ip_address = '203.0.113.9' where id = 2`, sealedAgain],
    ),
    forgery(
      'the end of the audit log cut',
      /audit_entries \d+: it was sealed and is missing \(seal 4\)/,
      () => [cutTail('audit_entries', 'id')],
    ),
    forgery('the end of the audit log cut with its seal', cutSeal, () => [
      cutTail('audit_entries', 'id'),
      cutTail('audit_seals', 'number'),
    ]),
    forgery('the audit log emptied with its seals', cutSeal, () => [
      sql`delete from audit_entries`,
      sql`delete from audit_seals`,
    ]),
    forgery(
      'every seal of the log cut, and of the rows the newest',
      /audit_seals \d: it was sealed and is missing/,
      () => [sql`delete from audit_seals`, cutTail('row_seals', 'id')],
    ),
    forgery(
      'a sequence set back over what was cut',
      /ledger_entries \d+: the sequence has not given this number/,
      () => [cutTail('ledger_entries', 'id'), sql`select setval('ledger_entries_id_seq', 2)`],
    ),
    forgery(
      'every seal of rows removed, and the record of the key',
      /book_keys 1: the record of the key is gone/,
      () => [sql`delete from row_seals`, sql`delete from book_keys`],
    ),
    forgery(
      'another record of the key',
      /book_keys 2: the key here is another one than these books are sealed with/,
      () => [sql`insert into book_keys (fingerprint, sealed_at) values ('0123456789abcdef', now())`],
    ),
    forgery(
      'terms accepted at another time',
      /loan_acceptances \d+, version 2: it is not as the server wrote it/,
      () => [sql`update loan_acceptances set accepted_at = accepted_at - interval '1 day'`],
    ),
    forgery(
      'a consent put into somebody’s mouth',
      /consents \d+, account \d+: it was not written by the server/,
      ({ borrower }) => [
        sql`insert into consents (account_id, purpose, wording, created_at)
            values (${borrower.id}, 'application', 'I owe more', now())`,
      ],
    ),
  ];

  it.each(sampleOf(forgeries, 4))('is named: %s', async (_, named, statements) => {
    const books = await keepForgeableBooks();
    await forge(...(await statements(books)));
    const { isWell, wrong } = await verify(database);
    expect(wrong).toContainEqual(expect.stringMatching(named));
    expect(isWell).toBe(false);
    const daily = await check(server.deps, ['--daily']);
    expect(daily.wrong).toContainEqual(expect.stringMatching(named));
    expect(daily.isWell).toBe(false);
  });

  it.each([
    ['dropped', sql`drop trigger ledger_entries_append_only on ledger_entries`, 'is missing'],
    ['disabled', sql`alter table audit_entries disable trigger audit_entries_append_only`, 'is disabled'],
    [
      'made to refuse nothing',
      sql.raw(
        `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
      ),
      'is not as the migrations made it',
    ],
  ])('is named: a trigger %s', async (_, statement, what) => {
    const undone = new Error('undone');
    const forging = database.transaction(async (tx) => {
      await tx.execute(statement);
      const faults = await checkTriggers(tx);
      expect(faults[0]?.what).toContain(what);
      throw undone;
    });
    await expect(forging).rejects.toBe(undone);
    expect(await database.read(checkTriggers)).toEqual([]);
  });

  it('is not laundered by the next honest change of the row', async () => {
    const { other, waiting } = await keepForgeableBooks();
    await forge(
      sql`update accounts set bank_name = 'Bank Z' where id = ${other.id}`,
      updateOf('withdrawals', waiting.id, `bank_account_number = '666000666'`),
    );
    await server.fund(other.id, 12_000);
    await decide(waiting.id, 'completed');
    expect((await verify(database)).wrong).toEqual([
      expect.stringContaining(`accounts ${other.id}: it is not as the server wrote it`),
      expect.stringContaining(`withdrawals ${waiting.id}, account`),
    ]);
  });

  it('is seen only with a seal noted earlier when a whole older state is put back', async () => {
    await keepForgeableBooks();
    const putOlderBack = await copyRows(database);
    await server.registerBorrower();
    await sealAuditLog(server.deps);
    const [newest] = await database.read((reader) =>
      reader.select().from(auditSeals).orderBy(desc(auditSeals.number)).limit(1),
    );
    const noted = [{ number: newest?.number ?? 0, hash: newest?.hash ?? '' }];
    expect((await verify(database, noted)).isWell).toBe(true);
    await putOlderBack();
    expect((await verify(database)).isWell).toBe(true);
    const { isWell, wrong } = await verify(database, noted);
    expect(isWell).toBe(false);
    expect(wrong).toEqual([
      'Wrong: audit_seals 5: it was noted and is missing: these are the books of an earlier moment.',
    ]);
    // And what came after it, with other seals of the same numbers.
    await server.registerBorrower();
    await server.registerBorrower();
    await sealAuditLog(server.deps);
    expect((await verify(database, noted)).wrong).toEqual([
      'Wrong: audit_seals 5: it is not the one that was noted.',
    ]);
  });
});

describe('more than a page', () => {
  const pageRows = server.engine === 'embedded' ? 500 : 2_000;
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

  it('is read completely, with a fault on either side of a page break', { timeout: 60_000 }, async () => {
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

  it('covers what is new, and nothing twice', async () => {
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
    // A server that finds another one sealing leaves it to that one.
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

  it.skipIf(server.engine === 'embedded')(
    'waits for an entry with a lower id that is committed later',
    async () => {
      const holding = gate();
      const written = gate();
      const slow = database.transaction(async (tx) => {
        await insertAuditEntry(tx, { action: 'slow', createdAt: server.clock.now() });
        // The insert is sent without awaiting its answer; this one comes after it, so the id is drawn.
        await tx.execute(sql`select 1`);
        written.open();
        await holding.passed;
      });
      await written.passed;
      await insertEntries(1);
      const [, lower] = [await auditIds(), (await auditIds()).at(-1) ?? 0];
      const sealing = sealAuditLog(server.deps);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await seals()).toEqual([]);
      holding.open();
      await slow;
      expect(await sealing).toBe(3);
      expect((await seals())[0]).toMatchObject({ lastId: lower, entryCount: 3 });
      expect((await verify(database)).isWell).toBe(true);
    },
  );

  it.skipIf(server.engine === 'embedded')(
    'waits for the seal of a row of any sealed table that has drawn a lower number',
    async () => {
      const holding = gate();
      const written = gate();
      const at = server.clock.now();
      const slow = database.transaction(async (tx) => {
        await writeCheck(tx, undefined, {
          kind: 'daily',
          status: 'sound',
          edition: 1,
          sealNumber: 0,
          sealHash: '',
          startedAt: at,
          finishedAt: at,
        });
        written.open();
        await holding.passed;
      });
      await written.passed;
      await server.registerBorrower();
      const sealing = sealAuditLog(server.deps);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await seals()).toEqual([]);
      holding.open();
      await slow;
      expect(await sealing).toBeGreaterThan(0);
      expect((await verify(database)).wrong).toEqual([]);
    },
  );
});
