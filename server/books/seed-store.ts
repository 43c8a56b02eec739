import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import type { NewAccount } from '#server/store/account-store.ts';
import type { LedgerType } from '#server/store/ledger-store.ts';
import type { NewLoan } from '#server/store/loan-store.ts';
import { noteNewRows, type SealedTable } from '#server/store/row-seal-store.ts';
import { accounts, loans, loanTerms, withdrawals } from '#server/store/schema.ts';
import type { NewWithdrawal } from '#server/store/withdrawal-store.ts';
import { entryHash } from './verify-store.ts';

/** Rows by the thousand in one statement, for the sample data. What the product itself writes goes another way. */

/** The sequences that ids and record numbers are drawn from. */
const sequences = {
  account: `pg_get_serial_sequence('accounts', 'id')`,
  loan: `pg_get_serial_sequence('loans', 'id')`,
  withdrawal: `pg_get_serial_sequence('withdrawals', 'id')`,
  loanNumber: `'loan_numbers'`,
  withdrawalNumber: `'withdrawal_numbers'`,
};

/** Of the tables whose ids are drawn before their rows are written. */
const tablesOfIds = { account: accounts, loan: loans, withdrawal: withdrawals };

/** So many numbers of a sequence, rising. */
export async function drawNumbers(
  tx: Tx,
  sequence: keyof typeof sequences,
  count: number,
): Promise<number[]> {
  // As an insert does it: whoever seals the books waits for those who hold an id (`audit-seal-store.ts`).
  if (sequence in tablesOfIds) {
    const table = tablesOfIds[sequence as keyof typeof tablesOfIds];
    await tx.execute(sql`lock table ${table} in row exclusive mode`);
  }
  const { rows } = await tx.execute<{ number: string }>(
    sql`select nextval(${sql.raw(sequences[sequence])}) as number from generate_series(1, ${count}::int)`,
  );
  return rows.map(({ number }) => Number(number));
}

/** Whether there is any account but those of staff, deleted ones too. */
export async function hasMembers(reader: Reader): Promise<boolean> {
  const { rows } = await reader.execute(sql`select 1 from accounts where not is_admin limit 1`);
  return rows.length > 0;
}

type WithId<Row> = Row & { id: number };
export const insertAccounts = (tx: Tx, rows: readonly WithId<NewAccount>[]) =>
  insertRows(tx, accounts, rows, 'accounts');
export const insertLoans = (tx: Tx, rows: readonly WithId<NewLoan>[]) => insertRows(tx, loans, rows, 'loans');
export const insertWithdrawals = (tx: Tx, rows: readonly WithId<NewWithdrawal>[]) =>
  insertRows(tx, withdrawals, rows, 'withdrawals');

/** All rows name the same columns. */
async function insertRows<Row extends { id: number }>(
  tx: Tx,
  table: PgTable,
  rows: readonly Row[],
  name: SealedTable,
): Promise<void> {
  noteNewRows(
    tx,
    name,
    rows.map(({ id }) => id),
  );
  const [first] = rows;
  if (!first) return;
  const all: Record<string, PgColumn> = getTableColumns(table);
  const columns = Object.keys(first).flatMap((name) => {
    const column = all[name];
    return column ? [{ column, values: rows.map((row) => wireForm(column, row[name as keyof Row])) }] : [];
  });
  const names = columns.map(({ column }) => sql.identifier(column.name));
  await tx.execute(sql`
    insert into ${table} (${sql.join(names, sql`, `)})
    select * from unnest(${sql.join(
      columns.map(({ column, values }) => list(values, column.getSQLType().replace('serial', 'int'))),
      sql`, `,
    )})`);
}

const wireForm = (column: PgColumn, value: unknown) =>
  value === null || value === undefined ? null : column.mapToDriverValue(value);

/** One parameter for a whole column; Drizzle would make one of each value. */
const list = (values: readonly unknown[], type: string): SQL => sql`${sql.param(values)}::${sql.raw(type)}[]`;

/** A frozen quote and the loans that it is the first version of. */
export type SampleTerms = { quote: unknown; hash: string; loans: readonly SampleTermsOf[] };
export type SampleTermsOf = { loanId: number; issuedBy: number; issuedAt: Date };

/** Many loans share a quote, which is sent once. */
export async function insertTermsOfMany(tx: Tx, terms: readonly SampleTerms[]): Promise<void> {
  const versions = terms.flatMap((one, number) => one.loans.map((loan) => ({ ...loan, number })));
  const inserted = await tx.execute<{ id: string }>(sql`
    insert into ${loanTerms} (loan_id, version, quote, hash, issued_by, issued_at)
    select versions.loan_id, 1, quotes.quote, quotes.hash, versions.issued_by, versions.issued_at
      from unnest(
        ${list(
          versions.map(({ loanId }) => loanId),
          'bigint',
        )},
        ${list(
          versions.map(({ issuedBy }) => issuedBy),
          'bigint',
        )},
        ${list(
          versions.map(({ issuedAt }) => issuedAt.toISOString()),
          'timestamptz',
        )},
        ${list(
          versions.map(({ number }) => number),
          'int',
        )}
      ) as versions(loan_id, issued_by, issued_at, number)
      join unnest(
        ${list(
          terms.map((_, number) => number),
          'int',
        )},
        ${list(
          terms.map(({ quote }) => JSON.stringify(quote)),
          'jsonb',
        )},
        ${list(
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
export type SampleMove = {
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
export async function moveMoneyOfMany(tx: Tx, type: LedgerType, moves: readonly SampleMove[]): Promise<void> {
  if (moves.length === 0) return;
  const column = (name: keyof SampleMove, sqlType: string) =>
    list(
      moves.map((move) => (name === 'at' ? move.at.toISOString() : move[name])),
      sqlType,
    );
  const { rows } = await tx.execute<{ count: number }>(sql`
    with entries as (
      select accounts.id as account_id, ledger_sequence + 1 as sequence, ${type}::text as type, amount_centavos,
             balance_centavos + amount_centavos as balance_after_centavos, actor_id, withdrawal_id, reason,
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
