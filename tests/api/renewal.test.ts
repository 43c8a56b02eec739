import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eq, type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Payment } from '#contract/servicing.ts';
import { limits } from '#domain/limits.ts';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { holdBooksToKey } from '#server/books/book-key.ts';
import { hashOfTexts, type LoanEventRow } from '#server/store/loan-event-store.ts';
import { approvals, files, loanEvents, loanPositions, payments, withdrawals } from '#server/store/schema.ts';
import { updateEachSealed } from '#server/store/sealed-rows.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { everythingStored, pastTriggers, rowsOf } from '#tests/setup/test-database.ts';
import { type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { auditOf } from './books.ts';
import { approvedApplication } from './lending.ts';
import { tamper, verify } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });
const { database } = server;

const marks = {
  disbursement: 'REF-OUT-4711',
  payment: 'REF-IN-4712',
  paid: 'Paid by her aunt Remedios',
  rejected: 'Not from her cousin Tomas',
  reversed: 'Her brother Andoy wants it back',
  waived: 'Her son Paeng was ill',
};

/** A loan with texts of every kind about its borrower, all but paid off. */
async function livedIn() {
  const token = await server.signInMainAdmin();
  const { borrower, id: loanId } = await approvedApplication(server);
  const release = { channel: 'direct', date: '2025-12-10', reference: marks.disbursement } as const;
  await server.main.disburseLoan(loanId, release);
  const pay = async (body: Sent<typeof api.recordPayment, 'body'>) =>
    (await server.main.recordPayment(loanId, body)) as Payment;
  const proof = await server.upload(token);
  const recorded = { amount: 1_000, channel: 'gcash', reason: marks.paid, proofUrl: proof.url } as const;
  const paid = await pay({ ...recorded, reference: marks.payment });
  const decide = (id: number, body: { status: 'confirmed' | 'rejected' | 'reversed'; reason?: string }) =>
    server.main.updatePayment(id, body);
  await decide(paid.id, { status: 'confirmed' });
  const rejected = await pay({ amount: 2_000, channel: 'maya', reference: `${marks.payment}-2` });
  await decide(rejected.id, { status: 'rejected', reason: marks.rejected });
  const reversed = await pay({ amount: 3_000, channel: 'cash' });
  await decide(reversed.id, { status: 'reversed', reason: marks.reversed });
  await server.main.actOnLoan(loanId, { kind: 'waiver', amount: 1, reason: marks.waived });
  return { borrower, loanId, paymentId: paid.id, fileId: proof.id };
}

/** A request that somebody asked for and another person declined, with a reason. */
async function decline(loanId: number): Promise<number> {
  const main = await server.signInMainAdmin();
  const { token, id } = await server.createAdmin();
  const deferral = { kind: 'deferral', months: 6, reason: 'She asked for it' } as const;
  const body = await server.as(token).actOnLoan(loanId, deferral);
  const approvalId = 'approval' in body ? body.approval.id : 0;
  await server.as(main).decideApproval(approvalId, { decision: 'rejected', reason: 'Too late' });
  await server.as(main).updateMember(id, { status: 'suspended' });
  return approvalId;
}

/** Pays everything, deletes the member, and lets the years pass after which the books name them no more. */
async function eraseAfterTheTerm({ loanId, borrower }: { loanId: number; borrower: TestBorrower }) {
  const token = await server.signInMainAdmin();
  const body = await server.main.readSettlement(loanId);
  await server.as(token).recordPayment(loanId, { amount: body.amount, channel: 'cash', settlement: true });
  await server.main.deleteUser(borrower.id);
  const then = new Date(server.clock.now());
  then.setUTCFullYear(then.getUTCFullYear() + limits.closedAccountKeptYears);
  server.clock.set(then);
  await keepSteadyHouse(server.deps);
}

const found = async () => {
  const stored = await everythingStored(database);
  return Object.values(marks).filter((mark) => stored.includes(mark));
};

const force = (statement: SQL) => tamper(database, statement);

describe('the texts about a person', () => {
  it('go with the person from every table, and the books go on to fit', async () => {
    const books = await livedIn();
    expect(await found()).toEqual(Object.values(marks));
    expect((await verify(database)).wrong).toEqual([]);
    await eraseAfterTheTerm(books);
    expect(await found()).toEqual([]);
    expect((await verify(database)).wrong).toEqual([]);
    const events = await database.read((reader) => reader.select().from(loanEvents));
    expect(events.filter(({ textSalt }) => textSalt !== null)).toEqual([]);
  });

  it('are missed by verify when they go while the person is there, and when they are others', async () => {
    const { borrower, loanId } = await livedIn();
    const named = `loan_events ${loanId}, event 1, account ${borrower.id}`;
    const first = sql`where loan_id = ${loanId} and sequence = 1`;
    await force(sql`update loan_events set reference = 'another' ${first}`);
    expect((await verify(database)).wrong).toEqual([`Wrong: ${named}: its texts do not match their hash.`]);
    await force(sql`update loan_events set reference = null, reason = '', text_salt = null ${first}`);
    expect((await verify(database)).wrong).toEqual([`Wrong: ${named}: its texts are missing.`]);
  });

  it('may go and not change: the database refuses the rest', async () => {
    await livedIn();
    const change = (set: SQL) =>
      database.transaction((tx) => tx.execute(sql`update loan_events set ${set} where sequence = 1`));
    for (const set of [sql`reference = 'another'`, sql`reason = 'another'`, sql`actor_id = actor_id + 1`])
      await expect(change(set)).rejects.toThrow('append-only');
    await change(sql`reference = null, text_salt = null`);
  });

  it('cannot reach into their neighbours', async () => {
    const { loanId } = await livedIn();
    const [event] = await database.read((reader) => reader.select().from(loanEvents));
    if (!event) throw new Error('there is no event');
    const shifted = [
      { ...event, reference: 'a\nb', reason: 'c' },
      { ...event, reference: 'a', reason: 'b\nc' },
    ];
    const hashes = shifted.map((one) => hashOfTexts({ ...one, textSalt: 'salt' }));
    expect(new Set(hashes).size).toBe(2);
    expect(event.loanId).toBe(loanId);
  });
});

it('an examiner comes to the same hashes with docs/books.md alone', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const page = readFileSync('docs/books.md', 'utf8');
  const [, told = ''] = /\n {4}format \(2\), (.*?)\n\n/s.exec(page) ?? [];
  const columns = told
    .replace(/\([^)]*\)/g, '')
    .split(/,\s+/)
    .map((name) => name.trim());
  expect(columns).toHaveLength(17);
  const { loanId } = await livedIn();
  const rows = await rowsOf<{ row: Record<string, unknown> }>(
    database,
    sql`select to_jsonb(loan_events) as row from loan_events order by sequence`,
  );
  let previous = '';
  for (const { row } of rows) {
    expect(row.text_hash).toBe(sha256(JSON.stringify([row.text_salt, row.reference, row.reason])));
    const moment = new Date(String(row.created_at)).toISOString();
    const values: Record<string, unknown> = { ...row, previous_hash: previous, created_at: moment };
    previous = sha256(JSON.stringify([2, ...columns.map((name) => values[name])]));
    expect(row.hash).toBe(previous);
  }
  expect(rows.length).toBeGreaterThan(4);
  const [end] = await database.read((reader) => reader.select().from(loanPositions));
  expect(end).toMatchObject({ loanId, eventSequence: rows.length, eventHash: previous });
});

describe('verify', () => {
  it.each(
    sampleOf(
      [
        ['reference_key', 'another'],
        ['reason', 'another'],
        ['note', 'another'],
        ['sent_centavos', 1],
        ['proof_file_id', 'another'],
      ],
      3,
    ),
  )('notices another %s of a payment', async (column, value) => {
    const { paymentId } = await livedIn();
    await force(sql`update payments set ${sql.raw(column)} = ${value} where id = ${paymentId}`);
    const named = `Wrong: payments ${paymentId}: it is not as the server wrote it.`;
    expect((await verify(database)).wrong).toEqual([named]);
    // Nor by calling it a row of an earlier version.
    await force(sql`update payments set format = 1 where id = ${paymentId}`);
    expect((await verify(database)).wrong).toEqual([named]);
  });

  it('notices another owner of a file', async () => {
    const { borrower, fileId } = await livedIn();
    const named = `Wrong: files ${fileId}, account ${borrower.id}: it is not as the server wrote it.`;
    await force(sql`update files set account_id = ${borrower.id} where id = ${fileId}`);
    expect((await verify(database)).wrong).toEqual([named]);
    await force(sql`update files set format = 1 where id = ${fileId}`);
    await holdBooksToKey(server.deps);
    expect((await verify(database)).wrong).toEqual([named]);
  });

  it('notices another content of a file, and none', async () => {
    const { fileId } = await livedIn();
    for (const hash of [sql`'another'`, sql`null`]) {
      await force(sql`update files set content_hash = ${hash} where id = ${fileId}`);
      expect((await verify(database)).wrong).toEqual([
        expect.stringMatching(`files ${fileId}, account \\d+: it is not as the server wrote it`),
      ]);
    }
  });

  it.each(
    sampleOf(
      [
        "reason = 'Never said'",
        "reason = ''",
        'account_id = asked_by',
        'asked_by = 3',
        'decided_by = asked_by',
        "asked_at = asked_at - interval '1 day'",
        "decided_at = decided_at + interval '1 day'",
        "decision = 'approved'",
        "kind = 'write_off'",
        `payload = payload || '{"months": 1}'`,
      ],
      3,
    ),
  )('notices of a request that %s', async (assignment) => {
    const approvalId = await decline((await livedIn()).loanId);
    const set = (change: string) =>
      force(sql`update approvals set ${sql.raw(change)} where id = ${approvalId}`);
    await set(assignment);
    const named = `Wrong: approvals ${approvalId}: it is not as the server wrote it.`;
    expect((await verify(database)).wrong).toEqual([named]);
    // Nor by calling it a row of an earlier version, which the next start seals anew.
    await set('format = 1');
    await holdBooksToKey(server.deps);
    expect((await verify(database)).wrong).toEqual([named]);
  });
});

describe('the day on which a withdrawal was sent', () => {
  const sent = async () => {
    const borrower = await server.registerBorrower();
    await borrower.updateProfile({ bankName: 'Bank A', bankAccountNumber: '1234567890123' });
    await server.fund(borrower.id, 5_000);
    await server.setCode(borrower.id);
    const body = { amount: 1_000, bankName: 'Bank A', bankAccountNumber: '1234567890123', otp: '123456' };
    const { id } = await borrower.requestWithdrawal(body);
    await server.main.updateWithdrawal(id, { status: 'completed' });
    return id;
  };
  const completedAt = async () =>
    (await database.read((reader) => reader.select().from(withdrawals)))[0]?.completedAt;

  it('is sealed', async () => {
    const id = await sent();
    expect((await verify(database)).wrong).toEqual([]);
    await force(sql`update withdrawals set completed_at = completed_at - interval '1 day'`);
    expect((await verify(database)).wrong).toEqual([expect.stringContaining(`Wrong: withdrawals ${id}`)]);
  });

  it('is noted for those of the version before by the next start, and no forged one is made good', async () => {
    const [forged, honest] = [await sent(), await sent()];
    const moment = await completedAt();
    await database.transaction((tx) => updateEachSealed(tx, withdrawals, undefined, { completedAt: null }));
    await force(sql`update withdrawals set amount_centavos = 1 where id = ${forged}`);
    const before = (await verify(database)).wrong;
    expect(before).toEqual(expect.arrayContaining([expect.stringContaining(`withdrawals ${forged}`)]));
    await holdBooksToKey(server.deps);
    expect(await completedAt()).toEqual(moment);
    expect((await verify(database)).wrong).toEqual(before);
    expect(before.join()).not.toContain(`withdrawals ${honest}`);
    const [renewed] = await auditOf(database, 'books_renewed');
    expect(renewed?.after).toMatchObject({ withdrawals: 2 });
  });
});

/** The hash of an event as the version before this one made it. */
function oldHash(event: LoanEventRow, previousHash: string): string {
  const flag = (is: boolean) => (is ? 1 : 0);
  const values = [
    ...[previousHash, event.loanId, event.sequence, event.kind, event.valueDate, event.amountCentavos],
    ...[event.months, event.channel, event.reference, flag(event.isSettlement), flag(event.isAuto)],
    ...[event.paymentId, event.undoes, event.actorId, event.approverId, flag(event.isAlone)],
    ...[event.createdAt.toISOString(), event.reason],
  ];
  const text = values.map((value) => value ?? '').join('\n');
  return createHash('sha256').update(text).digest('hex');
}

const oldPayment = sql.raw(`json_build_array(id, loan_id, amount_centavos, channel, reference, value_date,
  is_settlement, status, receipt_year, receipt_serial, application, recorded_by, confirmed_by,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`);
const oldApproval = sql.raw(`json_build_array(id, loan_id, kind, payload, asked_by,
  to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), decision, decided_by,
  to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`);
const position =
  sql.raw(`json_build_array(loan_id, terms_version, event_sequence, event_hash, state, disbursed_on,
  closed_on, principal_left_centavos, credit_centavos, refund_to_return_centavos, late_charges_paid_centavos,
  late_charges_waived_centavos, written_off_centavos)::text`);

/** Writes the books as the version before this one left them, and answers the end of the loan's chain. */
async function makeOld(loanId: number): Promise<string> {
  return pastTriggers(database, async (tx) => {
    const events = await tx.select().from(loanEvents).orderBy(loanEvents.sequence);
    let hash = '';
    for (const event of events) {
      const previousHash = hash;
      hash = oldHash(event, previousHash);
      const old = { format: 1, textSalt: null, textHash: null, previousHash, hash };
      await tx.update(loanEvents).set(old).where(eq(loanEvents.id, event.id));
    }
    await tx
      .update(loanPositions)
      .set({ eventHash: hash, foldEdition: null, oldestDueOn: null })
      .where(eq(loanPositions.loanId, loanId));
    await tx.update(payments).set({ format: 1 });
    await tx.update(approvals).set({ format: 1 });
    await tx.update(files).set({ format: 1, contentHash: null });
    await tx.execute(sql`delete from row_seals where table_name = 'files'`);
    for (const [table, id, text] of [
      ['payments', 'id', oldPayment],
      ['approvals', 'id', oldApproval],
      ['loan_positions', 'loan_id', position],
    ] as const) {
      const { rows } = await tx.execute<{ id: string; text: string; number: string }>(
        sql`select ${sql.raw(id)} as id, ${text} as text, nextval('row_seals_id_seq') as number from ${sql.raw(table)}`,
      );
      for (const row of rows) {
        const mac = server.deps.secrets.fingerprint(`${row.number} ${row.text}`, `row of ${table}`);
        await tx.execute(sql`insert into row_seals (id, table_name, row_id, mac)
          values (${row.number}::bigint, ${table}, ${row.id}::bigint, ${mac})`);
      }
    }
    return hash;
  });
}

/** Entries as the version before wrote them: a payment's and a disbursement's had the reference. */
async function writeReferencesIntoTheLog(): Promise<number> {
  return pastTriggers(database, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update audit_entries
         set after = after || jsonb_build_object('reference', case action
               when 'loan_disbursed' then ${marks.disbursement} else ${marks.payment} end)
       where action in ('loan_disbursed', 'payment_recorded')`);
    return Number(rowCount);
  });
}

const referencesInTheLog = async () =>
  (await rowsOf(database, sql`select id from audit_entries where after ? 'reference' order by id`)).map(
    ({ id }) => Number(id),
  );

const formats = async () => {
  const rows = await rowsOf(
    database,
    sql`select format from loan_events union select format from payments union select format from files
        union select format from approvals`,
  );
  return rows.map(({ format }) => format);
};

describe('books of the version before', () => {
  it('are sound as they are, and are hashed and sealed anew by the next start', async () => {
    const books = await livedIn();
    await decline(books.loanId);
    const oldHead = await makeOld(books.loanId);
    const entries = await writeReferencesIntoTheLog();
    await sealAuditLog(server.deps);
    expect((await verify(database)).wrong).toEqual([]);
    await holdBooksToKey(server.deps);
    expect(await formats()).toEqual([2]);
    expect(await referencesInTheLog()).toEqual([]);
    expect((await verify(database)).wrong).toEqual([]);
    const [noted] = await auditOf(database, 'events_rehashed');
    expect(noted).toMatchObject({ targetId: books.loanId, before: { hash: oldHead } });
    // Three payments and the proof, beside the three documents of the borrower.
    const [renewed] = await auditOf(database, 'books_renewed');
    expect(renewed?.after).toEqual({
      accounts: 0,
      loans: 1,
      payments: 3,
      approvals: 1,
      files: 4,
      withdrawals: 0,
      entries,
    });
    expect(await found()).toEqual(Object.values(marks));
    // Once.
    await holdBooksToKey(server.deps);
    expect(await auditOf(database, 'books_renewed')).toHaveLength(1);
    await eraseAfterTheTerm(books);
    expect(await found()).toEqual([]);
    expect((await verify(database)).wrong).toEqual([]);
  });

  it('vouch for what is left of an entry that lost its reference', async () => {
    await livedIn();
    await writeReferencesIntoTheLog();
    await sealAuditLog(server.deps);
    await holdBooksToKey(server.deps);
    await sealAuditLog(server.deps);
    expect((await verify(database)).wrong).toEqual([]);
    const [entry] = await auditOf(database, 'payment_recorded');
    const wrong = [`Wrong: audit_entries ${entry?.id}: it is not as the server wrote it.`];
    const one = sql`where id = ${entry?.id}::bigint`;
    await force(sql`update audit_entries set after = after || '{"amount": "9.00"}' ${one}`);
    expect((await verify(database)).wrong).toEqual(wrong);
    await force(
      sql`update audit_entries set after = ${JSON.stringify(entry?.after)}::jsonb || '{"reference": "x"}' ${one}`,
    );
    expect((await verify(database)).wrong).toEqual(wrong);
    await force(sql`update audit_entries set after = ${JSON.stringify(entry?.after)}::jsonb ${one}`);
    expect((await verify(database)).wrong).toEqual([]);
  });

  it('keep a forged entry of the log as it is', async () => {
    await livedIn();
    await writeReferencesIntoTheLog();
    await sealAuditLog(server.deps);
    const [entry] = await auditOf(database, 'payment_recorded');
    await force(
      sql`update audit_entries set after = after || '{"amount": "9.00"}' where id = ${entry?.id}::bigint`,
    );
    const before = (await verify(database)).wrong;
    expect(before).toEqual([`Wrong: audit_entries ${entry?.id}: it is not as it was sealed (seal 1).`]);
    await holdBooksToKey(server.deps);
    expect((await verify(database)).wrong).toEqual(before);
    expect(await referencesInTheLog()).toEqual([entry?.id]);
  });

  it('may lose a reference from the log and nothing else: the database refuses the rest', async () => {
    await livedIn();
    await writeReferencesIntoTheLog();
    const change = (set: SQL) =>
      database.transaction((tx) =>
        tx.execute(sql`update audit_entries set ${set} where action = 'payment_recorded'`),
      );
    for (const set of [sql`after = after - 'amount'`, sql`after = null`, sql`actor_id = actor_id + 1`])
      await expect(change(set)).rejects.toThrow('append-only');
    await change(sql`after = after - 'reference'`);
  });

  it('that were forged are not made good', async () => {
    const { loanId, paymentId, borrower } = await livedIn();
    await makeOld(loanId);
    await force(sql`update loan_events set reason = 'another' where loan_id = ${loanId} and sequence = 2`);
    await force(sql`update payments set reference = 'another' where id = ${paymentId}`);
    const before = (await verify(database)).wrong;
    expect(before).toEqual([
      `Wrong: loan_events ${loanId}, event 2, account ${borrower.id}: its values do not match its hash.`,
      `Wrong: payments ${paymentId}: it is not as the server wrote it.`,
    ]);
    await holdBooksToKey(server.deps);
    expect((await verify(database)).wrong).toEqual(before);
  });

  it('whose chain was forged together with its end are not made good either', async () => {
    const { loanId } = await livedIn();
    await pastTriggers(database, (tx) =>
      tx.update(loanEvents).set({ reason: 'another' }).where(eq(loanEvents.sequence, 2)),
    );
    const [sealed] = await rowsOf(database, sql`select max(id) as id from row_seals`);
    await makeOld(loanId);
    await force(
      sql`delete from row_seals where table_name = 'loan_positions' and id > ${sealed?.id}::bigint`,
    );
    await holdBooksToKey(server.deps);
    expect((await verify(database)).wrong).toEqual([
      `Wrong: loan_positions ${loanId}: it is not as the server wrote it.`,
    ]);
  });
});
