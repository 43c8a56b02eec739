import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { foldEdition } from '#domain/servicing.ts';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import { profileColumn } from '#server/store/account-store.ts';
import { hashOfLoanEvent } from '#server/store/loan-event-store.ts';
import * as schema from '#server/store/schema.ts';
import {
  laterColumns,
  namedColumns,
  type SealedTable,
  sealedColumns,
  sealedTables,
} from '#server/store/sealed-columns.ts';

const profileColumns = Object.values(profileColumn)
  .map((name) => schema.accounts[name].name)
  .filter((name) => !sealedColumns.accounts.includes(name));

/** Columns of sealed rows that a forger gains nothing by, or whose change shows elsewhere. */
const unsealed: Record<SealedTable, string> = {
  accounts: [
    ...profileColumns,
    'phone old_number',
    'id_front_file_id id_back_file_id selfie_file_id search_text credit_score previous_credit_score',
    'is_password_issued issued_password_sealed issued_password_at otp_code_sealed otp_expires_at',
    'otp_wrong_tries code_requested_at access_news_since deletion_requested_at created_at updated_at',
    'erased_at second_step_used phone_share format is_otp_by_text wants_reminders wants_news wants_changed_at language',
  ].join(' '),
  loans: 'old_number_folded purpose purpose_folded updated_at',
  loan_terms: 'quote agreement',
  loan_acceptances: '',
  withdrawals: 'bank_name_folded updated_at',
  payments: 'reference_folded updated_at',
  files: 'created_at',
  loan_positions: '',
  approvals: '',
  contacts: '',
  complaints: '',
  drawers: '',
  drawer_movements: '',
  statements: '',
  statement_lines: '',
  complaint_messages: '',
  consents: '',
  audit_entries: '',
  audit_seals: 'first_id last_id entry_count entry_hashes positions previous_hash sealed_at',
  book_keys: '',
  book_checks: '',
  allowed_ips: 'id description created_at',
};

const tables = new Map<string, PgTable>(
  Object.values(schema).flatMap((table) => (is(table, PgTable) ? [[getTableName(table), table]] : [])),
);

it.each(sealedTables)('every column of %s is declared sealed or not', (name) => {
  const stored = Object.values(getTableColumns(tables.get(name) as PgTable)).map((column) => column.name);
  const later = [...(laterColumns[name] ?? []), ...(namedColumns[name] ?? [])];
  const declared = [...sealedColumns[name], ...later, ...unsealed[name].split(' ')];
  expect(declared.filter(Boolean).sort()).toEqual(stored.sort());
});

it('docs/books.md names the sealed columns of every table, in their order', () => {
  const page = readFileSync('docs/books.md', 'utf8');
  const told = [...page.matchAll(/^\| `(\w+)` \| ([a-z_, ]+) \| ([a-z_, ]*) ?\| ([a-z_, ]*) ?\|$/gm)];
  expect(told.map(([, name, ...columns]) => [name, ...columns.map((some) => some.trim())])).toEqual(
    sealedTables.map((name) => [
      name,
      sealedColumns[name].join(', '),
      (laterColumns[name] ?? []).join(', '),
      (namedColumns[name] ?? []).join(', '),
    ]),
  );
});

it('the hash of a loan event holds each of its columns but those declared here', () => {
  const hashed = new Set<unknown>();
  const event = new Proxy({ createdAt: new Date(0) } as never, {
    get: (row, name) => {
      hashed.add(name);
      return row[name];
    },
  });
  hashOfLoanEvent(event);
  // `textHash` is in it for the salt and both texts, which go when the person is erased.
  const apart = ['id', 'textSalt', 'reference', 'reason', 'hash'];
  expect([...hashed, ...apart].sort()).toEqual(Object.keys(getTableColumns(schema.loanEvents)).sort());
});

/**
 * A version that folds or seals otherwise would write books that the others take for wrong. If a released version differs,
 * raise `booksEdition` in a migration that updates `drizzle.books_edition`; then write the new hash here.
 */
it('the edition of the books stands for one way to fold and to seal them', () => {
  const ways = JSON.stringify([foldEdition, schema.presentFormat, sealedColumns, laterColumns, namedColumns]);
  const hash = createHash('sha256').update(ways).digest('hex').slice(0, 16);
  expect([booksEdition, hash]).toEqual([1, '7fb2092120f80bfb']);
});

it('the newest migration leaves the edition that the server writes', () => {
  const folder = 'server/store/migrations';
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'));
  const texts: string[] = entries.map(({ tag }: { tag: string }) =>
    readFileSync(`${folder}/${tag}.sql`, 'utf8'),
  );
  const raised =
    /(?:INTO drizzle\.books_edition VALUES \(|UPDATE drizzle\.books_edition SET edition = )(\d+)/gi;
  expect(
    texts.flatMap((text) => [...text.matchAll(raised)].map(([, edition]) => Number(edition))).at(-1),
  ).toBe(booksEdition);
});
