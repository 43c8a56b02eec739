import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '#server/platform/database/database.ts';
import type { Model } from './model-request.ts';
import type { World } from './model-world.ts';
import { instalmentCentavos, type Loan, type Person, type Withdrawal } from './oracle.ts';

type StoredEntry = {
  account: number;
  sequence: number;
  type: string;
  amount: number;
  after: number;
  actor: number;
  withdrawal: number | null;
  event: number | null;
  reason: string;
  at: string;
  previous: string;
  hash: string;
};

type StoredAccount = {
  id: number;
  balance: number;
  entries: number;
  hash: string;
  status: string;
  deleted: boolean;
  code: boolean;
  tries: number;
  notices: number;
};

type Books = {
  accounts: StoredAccount[];
  ledger: StoredEntry[];
  withdrawals: {
    id: number;
    account: number;
    number: string;
    amount: number;
    status: string;
    processed: boolean;
  }[];
  loans: {
    id: number;
    amount: number;
    term: number;
    payment: number;
    status: string;
    released: number | null;
    versions: number;
  }[];
  /** The disbursed loans: the fold as it is stored, and every event by kind and value date. */
  positions: { loan: number; state: string; principal: number; rows: string[]; events: string[] }[];
  payments: { id: number; amount: number; status: string; serial: number | null }[];
  audited: Record<string, number>;
};

/**
 * The faults with money in all runs, for the table: acknowledged and not there, there twice, below nought.
 */
export type Wrongs = { acknowledged: number; lost: number; doubled: number; negative: number };

/** Everything of the books that concerns money, in one statement, past the product's own way of reading it. */
async function readBooks(database: Database): Promise<Books> {
  const { rows } = await database.read((reader) => reader.execute<{ books: Books }>(everything));
  const [row] = rows;
  if (!row) throw new Error('no books');
  return row.books;
}

const moment = sql.raw(`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const everything = sql`
  select jsonb_build_object(
    'accounts', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'balance', balance_centavos, 'entries', ledger_sequence, 'hash', ledger_hash, 'status', status,
        'deleted', deleted_at is not null, 'code', otp_code_sealed is not null, 'tries', otp_wrong_tries,
        'notices', (select count(*) from notifications n where n.account_id = accounts.id)) order by id), '[]')
      from accounts where not is_admin),
    'ledger', (select coalesce(jsonb_agg(jsonb_build_object(
        'account', account_id, 'sequence', sequence, 'type', type, 'amount', amount_centavos,
        'after', balance_after_centavos, 'actor', actor_id, 'withdrawal', withdrawal_id,
        'event', loan_event_id, 'reason', reason,
        'at', ${moment}, 'previous', previous_hash, 'hash', hash) order by account_id, id), '[]')
      from ledger_entries),
    'withdrawals', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'account', account_id, 'number', withdrawal_number, 'amount', amount_centavos, 'status', status,
        'processed', processed_at is not null) order by id), '[]') from withdrawals),
    'loans', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'amount', amount_centavos, 'term', term_months, 'payment', monthly_payment_centavos,
        'status', status, 'released', released_centavos, 'versions', (select count(*) from loan_terms t where t.loan_id = loans.id)) order by id),
        '[]') from loans where deleted_at is null),
    'positions', (select coalesce(jsonb_agg(jsonb_build_object(
        'loan', loan_id, 'state', state, 'principal', principal_left_centavos,
        'rows', (select jsonb_agg(due_date || ' ' || paid_centavos || ' ' || left_centavos order by number)
          from instalments where instalments.loan_id = loan_positions.loan_id),
        'events', (select jsonb_agg(kind || ' ' || value_date || ' ' || coalesce(amount_centavos::text, '') order by sequence)
          from loan_events where loan_events.loan_id = loan_positions.loan_id)) order by loan_id), '[]')
      from loan_positions),
    'payments', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'amount', amount_centavos, 'status', status, 'serial', receipt_serial) order by id), '[]') from payments),
    'audited', (select coalesce(jsonb_object_agg(action, count), '{}')
      from (select action, count(*) from audit_entries group by action) counted)) as books`;

/** After every step: the books are what the oracle says, entry by entry, and hold together by themselves. */
export async function inspectBooks(model: Model, world: World, wrongs: Wrongs): Promise<void> {
  const books = await readBooks(world.database());
  const people = model.people.toSorted((a, b) => a.id - b.id);
  countWrongs(people, books, wrongs);
  expect(books.accounts.map(accountText)).toEqual(
    people.map((person) => accountText(expectedAccount(person, books))),
  );
  for (const person of people) expectChain(person, books);
  expect(books.withdrawals).toEqual(model.withdrawals.map(expectedWithdrawal));
  expectEntriesOfWithdrawals(model.withdrawals, books);
  expect(books.loans).toEqual(
    model.loans
      .filter(({ isDeleted }) => !isDeleted)
      .map((loan) => ({
        id: loan.id,
        amount: loan.amountCentavos,
        term: loan.termMonths,
        payment: instalmentCentavos(loan),
        status: loan.status,
        released: loan.releasedCentavos,
        versions: loan.versions,
      })),
  );
  expect(books.positions).toEqual(model.loans.flatMap(expectedPosition));
  expect(books.payments).toEqual(
    model.payments.map(({ id, amountCentavos: amount, status, serial }) => ({ id, amount, status, serial })),
  );
  const audited = Object.keys(model.audited).map((action) => [action, books.audited[action] ?? 0]);
  expect(Object.fromEntries(audited)).toEqual(model.audited);
}

function expectedPosition({ id, account }: Loan) {
  if (!account) return [];
  const { state, principalLeft } = account.stored.account;
  return [
    {
      loan: id,
      state: state === 'overdue' ? 'open' : state,
      principal: Number(principalLeft),
      rows: account.stored.instalments.map(({ dueDate, paid, left }) => `${dueDate} ${paid} ${left}`),
      events: account.events.map(
        (event) => `${event.kind} ${event.date} ${'amountCentavos' in event ? event.amountCentavos : ''}`,
      ),
    },
  ];
}

/** Short enough that a difference can be read in a counterexample. */
const accountText = (account: StoredAccount) =>
  `${account.id} ${account.status}${account.deleted ? ' deleted' : ''}: ${account.balance} after ${account.entries} entries, ${account.code ? `a code tried ${account.tries} times` : 'no code'}, ${account.notices} notices`;

function expectedAccount(person: Person, books: Books): StoredAccount {
  return {
    id: person.id,
    balance: person.balanceCentavos,
    entries: person.ledger.length,
    hash: books.ledger.findLast(({ account }) => account === person.id)?.hash ?? '',
    status: person.status,
    deleted: person.isDeleted,
    code: person.code !== undefined,
    tries: person.code?.wrongTries ?? 0,
    notices: person.notices,
  };
}

function expectedWithdrawal({ id, owner, number, amountCentavos, status }: Withdrawal) {
  return {
    id,
    account: owner.id,
    number,
    amount: amountCentavos,
    status,
    processed: status === 'completed',
  };
}

function expectChain(person: Person, books: Books): void {
  const entries = books.ledger.filter(({ account }) => account === person.id);
  expect(
    entries.map(({ type, amount, after, actor, withdrawal }) => ({
      type,
      amountCentavos: amount,
      balanceAfterCentavos: after,
      actorId: actor,
      withdrawalId: withdrawal,
    })),
  ).toEqual(person.ledger);
  let sum = 0;
  let hash = '';
  for (const [index, entry] of entries.entries()) {
    sum += entry.amount;
    expect([entry.sequence, entry.after, entry.previous]).toEqual([index + 1, sum, hash]);
    expect(entry.after).toBeGreaterThanOrEqual(0);
    hash = hashOf(entry);
    expect(entry.hash).toBe(hash);
  }
  const account = books.accounts.find(({ id }) => id === person.id);
  expect([account?.balance, account?.hash]).toEqual([sum, hash]);
}

/** Hashes an entry as `ledger-store.ts` describes it, by other means. */
function hashOf(entry: StoredEntry): string {
  const { previous, account, sequence, type, amount, after, actor, withdrawal, at, reason, event } = entry;
  const canonical = [previous, account, sequence, type, amount, after, actor, withdrawal ?? '', at, reason];
  if (event !== null) canonical.push(event);
  return createHash('sha256').update(canonical.join('\n')).digest('hex');
}

/** One debit; and one refund exactly when it was rejected. */
function expectEntriesOfWithdrawals(withdrawals: readonly Withdrawal[], books: Books): void {
  for (const { id, amountCentavos, status } of withdrawals) {
    const own = books.ledger.filter(({ withdrawal }) => withdrawal === id);
    const refunded = status === 'rejected' ? [`withdrawal_refund ${amountCentavos}`] : [];
    expect(own.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
      `withdrawal ${-amountCentavos}`,
      ...refunded,
    ]);
  }
}

function countWrongs(people: readonly Person[], books: Books, wrongs: Wrongs): void {
  for (const { id, ledger } of people) {
    const stored = books.ledger.filter(({ account }) => account === id).length;
    wrongs.lost += Math.max(0, ledger.length - stored);
    wrongs.doubled += Math.max(0, stored - ledger.length);
  }
  wrongs.negative += books.accounts.filter(({ balance }) => balance < 0).length;
}
