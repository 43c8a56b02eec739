import { type SQL, sql } from 'drizzle-orm';

/**
 * The sealed columns of each table: those by which somebody with SQL could steal, or hide a theft. `docs/books.md` says
 * how row seals work.
 */
export const sealedColumns = {
  accounts: [
    ...['id', 'is_admin', 'status', 'phone_key', 'email_key', 'password_hash', 'deleted_at'],
    ...['bank_name', 'bank_account_number', 'staff_changed_access_at', 'credit_without_loan_at'],
    ...['balance_centavos', 'ledger_sequence', 'ledger_hash'],
  ],
  loans: [
    ...['id', 'account_id', 'loan_number', 'amount_centavos', 'term_months', 'monthly_rate_basis_points'],
    ...['monthly_payment_centavos', 'status', 'released_at', 'released_centavos', 'created_at', 'deleted_at'],
  ],
  loan_terms: ['id', 'loan_id', 'version', 'hash', 'issued_by', 'issued_at'],
  /** Identified by the id of the terms. */
  loan_acceptances: ['loan_id', 'version', 'hash', 'accepted_at'],
  withdrawals: [
    ...['id', 'account_id', 'withdrawal_number', 'amount_centavos', 'bank_name', 'bank_account_number'],
    ...['status', 'created_at', 'processed_at', 'is_released_alone'],
  ],
  payments: [
    ...['id', 'format', 'loan_id', 'account_id', 'amount_centavos', 'channel', 'reference', 'reference_key'],
    ...['value_date', 'is_settlement', 'reason', 'proof_file_id', 'status', 'receipt_year', 'receipt_serial'],
    ...['application', 'recorded_by', 'confirmed_by', 'created_at'],
  ],
  /** Without `created_at`, which only decides when an unused file is deleted. */
  files: ['number', 'id', 'account_id', 'format', 'content_type', 'size_bytes', 'width_px', 'height_px'],
  loan_positions: [
    ...['loan_id', 'terms_version', 'event_sequence', 'event_hash', 'state', 'disbursed_on', 'closed_on'],
    ...['principal_left_centavos', 'credit_centavos', 'refund_to_return_centavos'],
    ...['late_charges_paid_centavos', 'late_charges_waived_centavos', 'written_off_centavos'],
  ],
  approvals: [
    ...['id', 'format', 'loan_id', 'account_id', 'kind', 'payload', 'asked_by', 'asked_at'],
    ...['decision', 'decided_by', 'decided_at', 'reason'],
  ],
  contacts: [
    ...['id', 'loan_id', 'account_id', 'channel', 'outcome', 'note', 'promise_date', 'promise_centavos'],
    ...['is_against_guard', 'actor_id', 'created_at'],
  ],
  complaints: [
    ...['id', 'account_id', 'loan_id', 'category', 'status', 'created_at'],
    ...['acknowledged_by', 'acknowledged_at', 'resolved_by', 'resolved_at'],
  ],
  drawers: [
    ...['id', 'account_id', 'float_centavos', 'opened_at', 'closed_at', 'closed_by'],
    ...['counted_centavos', 'expected_centavos', 'reason'],
  ],
  drawer_movements: [
    ...['id', 'drawer_id', 'kind', 'amount_centavos', 'loan_id', 'payment_id', 'actor_id', 'created_at'],
  ],
  statements: ['id', 'channel', 'account', 'line_count', 'created_by', 'created_at'],
  statement_lines: [
    ...[
      'id',
      'statement_id',
      'number',
      'hash',
      'date',
      'amount_centavos',
      'reference',
      'loan_id',
      'payment_id',
    ],
  ],
  complaint_messages: ['id', 'complaint_id', 'author_id', 'text', 'created_at'],
  consents: ['id', 'account_id', 'purpose', 'language', 'wording', 'created_at'],
  /**
   * Only entries from which the server itself removed something. The log's own seals cover them as they were before.
   */
  audit_entries: [
    ...['id', 'action', 'actor_id', 'ip_address', 'target_type', 'target_id', 'before', 'after'],
    'created_at',
  ],
  audit_seals: ['number', 'hash'],
  book_keys: ['id', 'fingerprint', 'sealed_at'],
  book_checks: [
    ...['id', 'kind', 'status', 'edition', 'seal_number', 'seal_hash', 'state', 'started_at', 'finished_at'],
  ],
  /** The whole list is one row, 0, so that an added or removed entry shows. */
  allowed_ips: ['ip_address'],
};

export type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as SealedTable[];

/** A table whose rows are sealed one by one, each under its own id. */
export type PlainTable = Exclude<SealedTable, 'allowed_ips' | 'loan_acceptances'>;

export const idOf = (name: PlainTable) => sealedColumns[name][0] ?? 'id';

/** Columns added later. They are left out while null, so that older seals still fit. */
export const laterColumns: Partial<Record<SealedTable, readonly string[]>> = {
  accounts: ['withheld_roles'],
  files: ['content_hash'],
  loan_terms: ['agreement_hash'],
  loan_positions: ['fold_edition', 'oldest_due_on'],
  withdrawals: ['bank_reference'],
};

/** Columns added since then, with their names and as JSON, so that no value can be moved from one column to another. */
export const namedColumns: Partial<Record<SealedTable, readonly string[]>> = {
  accounts: [
    ...['second_step_sealed', 'second_step_at', 'recovery_codes', 'verified_at'],
    ...['phone_confirmed_at', 'phone_confirmed_by', 'email_confirmed_at'],
  ],
  loans: ['old_number'],
  payments: ['note', 'sent_centavos'],
  complaints: ['withdrawn_at'],
  withdrawals: ['completed_at'],
};

/** The columns that seals of rows of format 1 are over. */
const formerColumns: Partial<Record<SealedTable, readonly string[]>> = {
  payments: [
    ...['id', 'loan_id', 'amount_centavos', 'channel', 'reference', 'value_date', 'is_settlement', 'status'],
    ...['receipt_year', 'receipt_serial', 'application', 'recorded_by', 'confirmed_by', 'created_at'],
  ],
  approvals: [
    'id',
    ...['loan_id', 'kind', 'payload', 'asked_by', 'asked_at', 'decision', 'decided_by', 'decided_at'],
  ],
};

/** Writes a moment as JavaScript does, with milliseconds and in UTC. */
export function momentText(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The text that a row's seal is over. `row` is the row's name in the statement. */
export function textOf(name: SealedTable, row: string = name): SQL {
  const asText = (column: string) => {
    const value = sql.raw(`${row}.${column}`);
    return column.endsWith('_at') ? momentText(value) : value;
  };
  const arrayOf = (columns: readonly string[]) =>
    sql`json_build_array(${sql.join(columns.map(asText), sql`, `)})::text`;
  const later = (laterColumns[name] ?? []).map(
    (column) => sql` || coalesce(E'\\n' || ${sql.raw(`${row}.${column}`)}::text, '')`,
  );
  const named = (namedColumns[name] ?? []).map(
    (column) =>
      sql` || coalesce(E'\\n' || ${sql.raw(`'${column} '`)} || to_json(${asText(column)})::text, '')`,
  );
  const former = formerColumns[name];
  const present = sql`${arrayOf(sealedColumns[name])}${sql.join([...later, ...named])}`;
  return former
    ? sql`(case when ${sql.raw(row)}.format = 1 then ${arrayOf(former)} else ${present} end)`
    : sql`(${present})`;
}
