import { sql } from 'drizzle-orm';
import { manilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { recordNumber } from '#domain/record-number.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { vacuumTables } from '#server/books/backup-rows.ts';
import {
  decisions,
  pick,
  purposes,
  type SeedCounts,
  sampleBank,
  sampleLoanCentavos,
  samplePerson,
  seededRandom,
  terms,
} from '#server/books/seed.ts';
import { entryHash } from '#server/books/verify-store.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { freezeQuote } from '#server/services/quote-service.ts';
import { derivedColumns, type NewAccount } from '#server/store/account-store.ts';
import type { LedgerType } from '#server/store/ledger-store.ts';
import { drawIds, drawNumbers, insertManySealed, listOf } from '#server/store/many-rows.ts';
import { accounts, loans, loanTerms, withdrawals } from '#server/store/schema.ts';
import { noteNewRows } from '#server/store/sealed-rows.ts';

/**
 * Sample rows by the thousand in one statement, for measuring: as many as a large lender has, in seconds. `seed.ts` makes
 * the sample that people look at, with the product's services.
 */

/**
 * Rows in one transaction. One of the embedded engine keeps everybody else waiting meanwhile. Each leaves sound books,
 * so what is broken off is a smaller sample.
 */
const rowsAtATime = { embedded: 500, postgres: 5_000 };

const dayMs = 24 * 60 * 60 * 1000;
/** How long before now the sample's things happened: first to last. Members join, then borrow, then withdraw. */
const days = { members: [700, 200], loans: [190, 0], funded: [110, 101], withdrawals: [100, 0] } as const;
const decidedWithinMs = 4 * 60 * 60 * 1000;

/** Fills an empty installation; its books are sound. Its members can sign in if a hash of their password is given. */
export async function fillInBulk(
  deps: Deps,
  { members, loans, withdrawals }: SeedCounts,
  passwordHash = 'nobody signs in with this',
): Promise<void> {
  const house = { deps, now: deps.clock.now().getTime(), passwordHash };
  const ids = await putMembers(house, members);
  await putAllLoans(house, ids, loans);
  await fundMembers(house, ids, withdrawals);
  await putAllWithdrawals(house, ids, withdrawals);
  await vacuumTables(deps.database);
}

type House = { deps: Deps; now: number; passwordHash: string };

/** The moment of row `number` of `of`, spread evenly from the first day to the last. */
function momentOf(
  { now }: House,
  [first, last]: readonly [number, number],
  number: number,
  of: number,
): Date {
  return new Date(Math.floor(now - (first - ((first - last) * (number + 1)) / of) * dayMs));
}

/** Calls `put` with the numbers 0, 1, 2 and so on, some thousand at a time, at most `atMost` of them. */
async function inBatches(
  { deps }: House,
  { of, atMost = of }: { of: number; atMost?: number },
  put: (numbers: number[]) => Promise<void>,
): Promise<void> {
  const size = Math.min(deps.database.hasOneSession ? rowsAtATime.embedded : rowsAtATime.postgres, atMost);
  for (let start = 0; start < of; start += size) {
    const count = Math.min(size, of - start);
    await put(Array.from({ length: count }, (_, index) => start + index));
  }
}

async function putMembers(house: House, of: number): Promise<number[]> {
  const { deps } = house;
  const all: number[] = [];
  await inBatches(house, { of }, async (numbers) => {
    await deps.database.transaction(async (tx) => {
      const ids = await drawIds(tx, accounts, numbers.length);
      const rows = numbers.map((number, index) =>
        sampleMember(deps, {
          number,
          id: ids[index] ?? 0,
          createdAt: momentOf(house, days.members, number, of),
          passwordHash: house.passwordHash,
        }),
      );
      await insertManySealed(tx, accounts, rows);
      all.splice(numbers[0] ?? 0, numbers.length, ...ids);
    });
  });
  return all;
}

/** Which member a loan or a withdrawal belongs to. As many in a row as there are members belong to different ones. */
function memberOf(ids: readonly number[], number: number): { number: number; id: number } {
  const member = (number * stride(ids.length)) % ids.length;
  return { number: member, id: ids[member] ?? 0 };
}

/** About two fifths of the way round, and without a divisor in common, so that every member has a turn. */
function stride(count: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
  let step = Math.max(1, Math.floor(count * 0.382));
  while (divides(step, count) !== 1) step += 1;
  return step;
}

async function putAllLoans(house: House, ids: readonly number[], of: number): Promise<void> {
  await inBatches(house, { of }, (numbers) =>
    house.deps.database.transaction((tx) =>
      putLoans(
        house.deps,
        tx,
        numbers.map((number) => ({
          number,
          accountId: memberOf(ids, number).id,
          createdAt: momentOf(house, days.loans, number, of),
        })),
        of,
      ),
    ),
  );
}

/** Gives every member what their withdrawals take, and most of them something more. */
async function fundMembers(house: House, ids: readonly number[], withdrawals: number): Promise<void> {
  const { deps } = house;
  const needed = new Map<number, number>();
  for (let number = 0; number < withdrawals; number += 1) {
    const { id } = memberOf(ids, number);
    needed.set(id, (needed.get(id) ?? 0) + sampleWithdrawalCentavos(number));
  }
  await inBatches(house, { of: ids.length }, async (numbers) => {
    const moves = numbers.flatMap((number) => {
      const id = ids[number] ?? 0;
      const rest = Math.floor(seededRandom(number, 'balance') * 80 - 20) * 1_250_25;
      const amountCentavos = (needed.get(id) ?? 0) + Math.max(0, rest);
      const at = momentOf(house, days.funded, number, ids.length);
      const actorId = limits.mainAdminId;
      return amountCentavos === 0
        ? []
        : [{ accountId: id, amountCentavos, actorId, withdrawalId: null, reason: 'disbursement', at }];
    });
    await deps.database.transaction((tx) => moveMoneyOfMany(tx, 'disbursement', moves));
  });
}

async function putAllWithdrawals(house: House, ids: readonly number[], of: number): Promise<void> {
  const { deps, now } = house;
  // A member's next withdrawal comes when the one before was decided.
  const [first, last] = days.withdrawals;
  const betweenMs = ((first - last) * dayMs * ids.length) / Math.max(of, 1);
  const decidedAfterMs = Math.min(decidedWithinMs, betweenMs / 2);
  await inBatches(house, { of, atMost: ids.length }, (numbers) =>
    deps.database.transaction((tx) =>
      putWithdrawals(
        deps,
        tx,
        numbers.map((number) => {
          const createdAt = momentOf(house, days.withdrawals, number, of);
          const decidedAt = new Date(Math.floor(Math.min(now, createdAt.getTime() + decidedAfterMs)));
          return { number, member: memberOf(ids, number), createdAt, decidedAt };
        }),
        of,
      ),
    ),
  );
}

/** The row of the sample member `number`, counted from 0. */
function sampleMember(
  deps: Pick<Deps, 'config'>,
  { number, id, ...given }: { number: number; id: number; createdAt: Date; passwordHash: string },
): NewAccount & { id: number } {
  const { monthlySalary, ...person } = samplePerson(number, banksOf(deps));
  return {
    ...person,
    id,
    phoneKey: phoneKey(person.phone),
    ...derivedColumns(person),
    monthlySalaryCentavos: monthlySalary,
    previousCreditScore: seededRandom(number, 'trend') < 0.3 ? Math.max(300, person.creditScore - 40) : null,
    ...given,
    updatedAt: given.createdAt,
  };
}

const banksOf = ({ config }: Pick<Deps, 'config'>) => config.lender.partnerBanks.map(({ name }) => name);

/** A share of the newest ones still waits for a decision. */
const waitingShare = 0.05;

/** A loan of the sample: which one, whose, and when it was applied for. */
type SampleLoan = { number: number; accountId: number; createdAt: Date };

/** Loans with their first terms, `of` so many in all. Call it for loans in the order of their days. */
async function putLoans(deps: Deps, tx: Tx, sample: readonly SampleLoan[], of: number): Promise<void> {
  const ids = await drawIds(tx, loans, sample.length);
  const numbers = await drawNumbers(tx, `'loan_numbers'`, sample.length);
  const quotes = new Map<string, QuoteOfMany>();
  const rows = sample.map(({ number, accountId, createdAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const amountCentavos = centavos(sampleLoanCentavos(number));
    const termMonths = pick(terms, number, 'term');
    const monthlyRate = deps.config.loanMonthlyRate;
    const startDate = manilaDate(createdAt);
    // Many loans of one day are alike: working out a quote costs more than all the rest of a loan.
    const key = `${amountCentavos} ${termMonths} ${startDate}`;
    const shared = quotes.get(key) ?? quoteOfMany({ amountCentavos, termMonths, monthlyRate, startDate });
    quotes.set(key, shared);
    shared.loans.push({ loanId: id, issuedBy: accountId, issuedAt: createdAt });
    const isWaiting = number >= of * (1 - waitingShare);
    return {
      id,
      accountId,
      loanNumber: recordNumber('LN', manilaYear(createdAt), sequence),
      amountCentavos,
      termMonths,
      monthlyRateBasisPoints: monthlyRate,
      monthlyPaymentCentavos: shared.monthlyPaymentCentavos,
      purpose: pick(purposes, number, 'purpose'),
      status: isWaiting ? 'pending' : pick(decisions, number, 'loan status'),
      createdAt,
      updatedAt: createdAt,
    };
  });
  await insertManySealed(tx, loans, rows);
  await insertTermsOfMany(tx, [...quotes.values()]);
}

type QuoteOfMany = SampleTerms & { monthlyPaymentCentavos: Centavos; loans: SampleTermsOf[] };

function quoteOfMany(terms: Parameters<typeof quoteLoan>[0]): QuoteOfMany {
  const quote = quoteLoan(terms);
  return { ...freezeQuote(quote), monthlyPaymentCentavos: quote.monthlyPaymentCentavos, loans: [] };
}

/** The newest ones still wait for staff. */
const waitingWithdrawalsShare = 0.04;

/** A withdrawal of the sample: which one, whose, when it was asked for and, if it was, when it was decided. */
type SampleWithdrawal = {
  number: number;
  member: { number: number; id: number };
  createdAt: Date;
  decidedAt: Date;
};

/** Returns what the sample's withdrawal `number` takes, in centavos. */
const sampleWithdrawalCentavos = (number: number): Centavos =>
  centavos(limits.withdrawalMinCentavos * (1 + Math.floor(seededRandom(number, 'withdrawal amount') * 30)));

/**
 * Withdrawals with the entries that their status demands: a debit each, and a refund when rejected. `of` so many in
 * all; a member may be among them once, and must have the money.
 */
async function putWithdrawals(
  deps: Deps,
  tx: Tx,
  sample: readonly SampleWithdrawal[],
  of: number,
): Promise<void> {
  const ids = await drawIds(tx, withdrawals, sample.length);
  const numbers = await drawNumbers(tx, `'withdrawal_numbers'`, sample.length);
  const rows = sample.map(({ number, member, createdAt, decidedAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const status = statusOf(number, of);
    const isFinal = status === 'completed' || status === 'rejected';
    return {
      id,
      accountId: member.id,
      withdrawalNumber: recordNumber('WD', manilaYear(createdAt), sequence),
      amountCentavos: sampleWithdrawalCentavos(number),
      ...sampleBank(member.number, banksOf(deps)),
      status,
      createdAt,
      processedAt: status === 'completed' ? decidedAt : null,
      updatedAt: isFinal ? decidedAt : createdAt,
    };
  });
  await insertManySealed(tx, withdrawals, rows);
  const moveOf = (row: (typeof rows)[number]) => ({
    accountId: row.accountId,
    withdrawalId: row.id,
    reason: row.withdrawalNumber,
  });
  await moveMoneyOfMany(
    tx,
    'withdrawal',
    rows.map((row) => ({
      ...moveOf(row),
      amountCentavos: -row.amountCentavos,
      actorId: row.accountId,
      at: row.createdAt,
    })),
  );
  await moveMoneyOfMany(
    tx,
    'withdrawal_refund',
    rows
      .filter(({ status }) => status === 'rejected')
      .map((row) => ({
        ...moveOf(row),
        amountCentavos: row.amountCentavos,
        actorId: limits.mainAdminId,
        at: row.updatedAt,
      })),
  );
}

function statusOf(number: number, of: number): WithdrawalStatus {
  const decision = seededRandom(number, 'withdrawal status');
  if (number >= of * (1 - waitingWithdrawalsShare)) return decision < 0.5 ? 'pending' : 'approved';
  return decision < 0.85 ? 'completed' : 'rejected';
}

/** A frozen quote and the loans that it is the first version of. */
type SampleTerms = { quote: unknown; hash: string; loans: readonly SampleTermsOf[] };
type SampleTermsOf = { loanId: number; issuedBy: number; issuedAt: Date };

/** Many loans share a quote, which is sent once. */
async function insertTermsOfMany(tx: Tx, terms: readonly SampleTerms[]): Promise<void> {
  const versions = terms.flatMap((one, number) => one.loans.map((loan) => ({ ...loan, number })));
  const inserted = await tx.execute<{ id: string }>(sql`
    insert into ${loanTerms} (loan_id, version, quote, hash, issued_by, issued_at)
    select versions.loan_id, 1, quotes.quote, quotes.hash, versions.issued_by, versions.issued_at
      from unnest(
        ${listOf(
          versions.map(({ loanId }) => loanId),
          'bigint',
        )},
        ${listOf(
          versions.map(({ issuedBy }) => issuedBy),
          'bigint',
        )},
        ${listOf(
          versions.map(({ issuedAt }) => issuedAt.toISOString()),
          'timestamptz',
        )},
        ${listOf(
          versions.map(({ number }) => number),
          'int',
        )}
      ) as versions(loan_id, issued_by, issued_at, number)
      join unnest(
        ${listOf(
          terms.map((_, number) => number),
          'int',
        )},
        ${listOf(
          terms.map(({ quote }) => JSON.stringify(quote)),
          'jsonb',
        )},
        ${listOf(
          terms.map(({ hash }) => hash),
          'text',
        )}
      ) as quotes(number, quote, hash) using (number)
    returning id`);
  noteNewRows(
    tx,
    'loan_terms',
    inserted.rows.map(({ id }) => Number(id)),
  );
}

/** One of many movements of one kind: see `MoneyMove`. */
type SampleMove = {
  accountId: number;
  amountCentavos: number;
  actorId: number;
  withdrawalId: number | null;
  reason: string;
  at: Date;
};

/**
 * `moveMoney` for many accounts in one statement: balance, end of the hash chain and ledger entry of each, under the
 * same rules. An account may be among them once. Throws, and so undoes the transaction, unless all of it could be done.
 */
async function moveMoneyOfMany(tx: Tx, type: LedgerType, moves: readonly SampleMove[]): Promise<void> {
  if (moves.length === 0) return;
  const column = (name: keyof SampleMove, sqlType: string) =>
    listOf(
      moves.map((move) => (name === 'at' ? move.at.toISOString() : move[name])),
      sqlType,
    );
  const { rows } = await tx.execute<{ count: number }>(sql`
    with entries as (
      select accounts.id as account_id, ledger_sequence + 1 as sequence, ${type}::text as type, amount_centavos,
             balance_centavos + amount_centavos as balance_after_centavos, actor_id, withdrawal_id,
             null::bigint as loan_event_id, reason,
             at as created_at, ledger_hash as previous_hash
        from unnest(${column('accountId', 'bigint')}, ${column('amountCentavos', 'bigint')},
                    ${column('actorId', 'bigint')}, ${column('withdrawalId', 'bigint')}, ${column('reason', 'text')},
                    ${column('at', 'timestamptz')})
             as moves(account_id, amount_centavos, actor_id, withdrawal_id, reason, at)
        join accounts on accounts.id = moves.account_id
       where balance_centavos + amount_centavos >= 0
         for no key update of accounts
    ), hashed as (
      select *, ${entryHash} as hash from entries
    ), moved as (
      update accounts
         set balance_centavos = balance_after_centavos,
             ledger_sequence = sequence,
             ledger_hash = hash,
             updated_at = hashed.created_at
        from hashed
       where accounts.id = account_id
    ), written as (
      insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id,
                                  withdrawal_id, reason, created_at, previous_hash, hash)
      select account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id, withdrawal_id, reason,
             created_at, previous_hash, hash
        from hashed
      returning 1
    )
    select count(*)::int as count from written`);
  if (rows[0]?.count !== moves.length) throw new Error('a movement of the sample data could not be made');
  noteNewRows(
    tx,
    'accounts',
    moves.map(({ accountId }) => accountId),
  );
}

/** Gives every member as many ledger entries more, a centavo each, so that there are about so many in all; the books stay sound. */
export async function growLedger({ database }: Pick<Deps, 'database'>, entries: number): Promise<void> {
  const { rows } = await database.read((reader) =>
    reader.execute<{ id: string }>(sql`select id from accounts where not is_admin`),
  );
  const each = Math.round(entries / rows.length);
  for (const { id } of rows) await database.transaction((tx) => addEntries(tx, Number(id), each));
  await vacuumTables(database);
  await database.upkeep((session) => session.execute(sql`checkpoint`));
}

async function addEntries(tx: Tx, accountId: number, count: number): Promise<void> {
  await tx.execute(sql`
    with recursive chain as (
      select 0 as number, id as account_id, ledger_sequence as sequence, balance_centavos as balance_after_centavos,
             ''::text as previous_hash, ledger_hash as hash, null::text as type, 1::bigint as amount_centavos,
             id as actor_id, null::bigint as withdrawal_id, null::bigint as loan_event_id, null::text as reason,
             date_trunc('milliseconds', now()) as created_at
        from accounts where id = ${accountId}::bigint
      union all
      select number, account_id, sequence, balance_after_centavos, previous_hash, ${entryHash}, type, amount_centavos,
             actor_id, withdrawal_id, loan_event_id, reason, created_at
        from (select number + 1 as number, account_id, sequence + 1 as sequence,
                     balance_after_centavos + amount_centavos as balance_after_centavos, hash as previous_hash,
                     'correction'::text as type, amount_centavos, actor_id, withdrawal_id, loan_event_id,
                     'to fill the ledger'::text as reason, created_at
                from chain where number < ${count}::int) next
    ), written as (
      insert into ledger_entries (account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id, reason,
                                  created_at, previous_hash, hash)
      select account_id, sequence, type, amount_centavos, balance_after_centavos, actor_id, reason, created_at,
             previous_hash, hash
        from chain where number > 0
    )
    update accounts
       set balance_centavos = balance_after_centavos, ledger_sequence = sequence, ledger_hash = hash
      from chain where accounts.id = account_id and number = ${count}::int`);
  noteNewRows(tx, 'accounts', [accountId]);
}
