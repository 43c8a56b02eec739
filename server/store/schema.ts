import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { limits } from '#domain/limits.ts';
import { type ConsentPurpose, consentPurposes, memberStatuses } from '#domain/member.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';

/**
 * The tables. Every constraint is named, because its name is how a violation finds its error code. Money is whole
 * centavos, moments are UTC with the millisecond that JavaScript can hold, so a value read back equals the one written.
 *
 * Triggers that drizzle cannot express (append-only tables) stand in the migration `append_only`.
 */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const centavos = (name: string) => bigint(name, { mode: 'number' });
const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));
const reference = (name: string) => bigint(name, { mode: 'number' });

export const loanNumbers = pgSequence('loan_numbers');
export const withdrawalNumbers = pgSequence('withdrawal_numbers');

/** Members and staff alike. A deleted account keeps its row for the books and gives its phone and email free. */
export const accounts = pgTable(
  'accounts',
  {
    id: bigint('id', { mode: 'number' })
      .primaryKey()
      .generatedByDefaultAsIdentity({ startWith: limits.firstOrdinaryAccountId }),
    isAdmin: boolean('is_admin').notNull().default(false),
    status: text('status').notNull().default('pending'),
    /** As typed. Empty for an admin without one. */
    phone: text('phone').notNull().default(''),
    /** International form, what is compared; null when there is no phone or the account is deleted. */
    phoneKey: text('phone_key'),
    email: text('email'),
    /** Lower case, what is compared; null when there is no email or the account is deleted. */
    emailKey: text('email_key'),
    fullName: text('full_name').notNull().default(''),
    address: text('address'),
    countryOfWork: text('country_of_work'),
    monthlySalaryCentavos: centavos('monthly_salary_centavos'),
    referenceName: text('reference_name'),
    referencePhone: text('reference_phone'),
    bankName: text('bank_name'),
    bankAccountNumber: text('bank_account_number'),
    idFrontFileId: text('id_front_file_id'),
    idBackFileId: text('id_back_file_id'),
    selfieFileId: text('selfie_file_id'),
    /** Name, phone and email in lower case, one a line: what the staff's search looks in. */
    searchText: text('search_text').notNull().default(''),

    balanceCentavos: centavos('balance_centavos').notNull().default(0),
    /** Number and hash of this account's newest ledger entry; the next one is chained to them. */
    ledgerSequence: integer('ledger_sequence').notNull().default(0),
    ledgerHash: text('ledger_hash').notNull().default(''),

    creditScore: integer('credit_score').notNull().default(limits.creditScoreDefault),
    previousCreditScore: integer('previous_credit_score'),

    passwordHash: text('password_hash').notNull(),
    /** True until the owner sets a password of their own. */
    isPasswordIssued: boolean('is_password_issued').notNull().default(false),
    /** The issued password, sealed; erased when the owner sets their own or after seven days. */
    issuedPasswordSealed: text('issued_password_sealed'),
    issuedPasswordAt: moment('issued_password_at'),

    otpCodeSealed: text('otp_code_sealed'),
    otpExpiresAt: moment('otp_expires_at'),
    otpWrongTries: integer('otp_wrong_tries').notNull().default(0),
    /** When the owner asked staff for a code; null again once one was set or used. */
    codeRequestedAt: moment('code_requested_at'),

    /** When staff last changed bank details or password: withdrawals soon after wait for a person to look. */
    staffChangedAccessAt: moment('staff_changed_access_at'),
    /** Since when there are notices of changed access that the owner has not closed; null when there are none. */
    accessNewsSince: moment('access_news_since'),
    /** When staff last put money into the wallet that no loan explains. */
    creditWithoutLoanAt: moment('credit_without_loan_at'),
    /** When the owner asked for deletion; null when they did not, took it back, or were deleted. */
    deletionRequestedAt: moment('deletion_requested_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    deletedAt: moment('deleted_at'),
    /** When everything that tells who it was went from a deleted account. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    uniqueIndex('accounts_phone_unique').on(table.phoneKey),
    uniqueIndex('accounts_admin_email_unique').on(table.emailKey).where(sql`${table.isAdmin}`),
    index('accounts_members_newest')
      .on(table.id.desc())
      .where(sql`not ${table.isAdmin} and ${table.deletedAt} is null`),
    /** The closed accounts whose time in the archive runs. */
    index('accounts_closed')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null and ${table.erasedAt} is null`),
    check('accounts_status_known', sql`${table.status} in (${oneOf(memberStatuses)})`),
    check('accounts_balance_not_negative', sql`${table.balanceCentavos} >= 0`),
    check('accounts_salary_not_negative', sql`${table.monthlySalaryCentavos} >= 0`),
    check(
      'accounts_credit_score_range',
      sql`${table.creditScore} between 0 and ${sql.raw(String(limits.creditScoreMax))}`,
    ),
    check(
      'accounts_main_admin',
      sql`${table.id} <> ${sql.raw(String(limits.mainAdminId))} or (${table.isAdmin} and ${table.deletedAt} is null and ${table.status} <> 'suspended')`,
    ),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** Keyed hash of the token; the token itself is never stored, nor the key in this database. */
    tokenHash: text('token_hash').primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Set by a suspension: the token answers 403 while it lasts and 401 ever after. */
    endedAt: moment('ended_at'),
  },
  (table) => [index('sessions_account').on(table.accountId)],
);

/** From where an account was signed in to: a guesser elsewhere does not keep its owner out there. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Keyed hash of the network. */
    networkHash: text('network_hash').notNull(),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'known_networks_pk', columns: [table.accountId, table.networkHash] }),
    index('known_networks_age').on(table.seenAt),
  ],
);

export const files = pgTable(
  'files',
  {
    /** Unguessable; also the name of the object in the file store. */
    id: text('id').primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    widthPx: integer('width_px').notNull(),
    heightPx: integer('height_px').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('files_account').on(table.accountId)],
);

export const loans = pgTable(
  'loans',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    loanNumber: text('loan_number').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    termMonths: integer('term_months').notNull(),
    /** Null in books taken over from elsewhere: each view then shows its own default (§loan-rate). */
    monthlyRateBasisPoints: integer('monthly_rate_basis_points'),
    monthlyPaymentCentavos: centavos('monthly_payment_centavos').notNull(),
    purpose: text('purpose').notNull(),
    status: text('status').notNull().default('pending'),
    /** When money was first paid out for it, and how much by now; null until then, and for loans paid out elsewhere. */
    releasedAt: moment('released_at'),
    releasedCentavos: centavos('released_centavos'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    unique('loans_number_unique').on(table.loanNumber),
    index('loans_account_newest').on(table.accountId, table.id.desc()),
    check(
      'loans_amount_range',
      sql`${table.amountCentavos} between 1 and ${sql.raw(String(limits.staffLoanAmountMaxCentavos))}`,
    ),
    check(
      'loans_term_range',
      sql`${table.termMonths} between ${sql.raw(String(limits.loanTermMinMonths))} and ${sql.raw(String(limits.staffLoanTermMaxMonths))}`,
    ),
    check('loans_rate_not_negative', sql`${table.monthlyRateBasisPoints} >= 0`),
    check('loans_payment_not_negative', sql`${table.monthlyPaymentCentavos} >= 0`),
    check('loans_released_positive', sql`${table.releasedCentavos} > 0`),
    check('loans_released_whole', sql`(${table.releasedAt} is null) = (${table.releasedCentavos} is null)`),
  ],
);

/** The quote frozen with a loan, one row a version. Append-only: nobody can change what a borrower agreed to. */
export const loanTerms = pgTable(
  'loan_terms',
  {
    /** In the order of writing, so that a missing row shows in the seals' counts. */
    id: bigserial('id', { mode: 'number' }),
    loanId: reference('loan_id')
      .notNull()
      .references(() => loans.id),
    version: integer('version').notNull(),
    /** The quote as it crossed the wire (§quote). */
    quote: jsonb('quote').$type<Record<string, unknown>>().notNull(),
    /** SHA-256 of the quote's canonical text. */
    hash: text('hash').notNull(),
    issuedBy: reference('issued_by')
      .notNull()
      .references(() => accounts.id),
    issuedAt: moment('issued_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'loan_terms_pk', columns: [table.loanId, table.version] }),
    unique('loan_terms_id_unique').on(table.id),
    check('loan_terms_version_positive', sql`${table.version} >= 1`),
  ],
);

/**
 * The versions that staff issued and the borrower accepted; those that a borrower applied for are agreed as they are.
 * Append-only.
 */
export const loanAcceptances = pgTable(
  'loan_acceptances',
  {
    loanId: reference('loan_id').notNull(),
    version: integer('version').notNull(),
    /** The hash of the terms that were on the screen. */
    hash: text('hash').notNull(),
    acceptedAt: moment('accepted_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'loan_acceptances_pk', columns: [table.loanId, table.version] }),
    foreignKey({
      name: 'loan_acceptances_terms_fk',
      columns: [table.loanId, table.version],
      foreignColumns: [loanTerms.loanId, loanTerms.version],
    }),
  ],
);

export const withdrawals = pgTable(
  'withdrawals',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    withdrawalNumber: text('withdrawal_number').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    bankName: text('bank_name').notNull(),
    bankAccountNumber: text('bank_account_number').notNull(),
    status: text('status').notNull(),
    createdAt: moment('created_at').notNull(),
    processedAt: moment('processed_at'),
    /** It was held, and released by the one person there, who had changed the account's access or balance. */
    isReleasedAlone: boolean('is_released_alone').notNull().default(false),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('withdrawals_number_unique').on(table.withdrawalNumber),
    index('withdrawals_account_newest').on(table.accountId, table.id.desc()),
    index('withdrawals_status_newest').on(table.status, table.id.desc()),
    check('withdrawals_amount_positive', sql`${table.amountCentavos} > 0`),
    check('withdrawals_status_known', sql`${table.status} in (${oneOf(withdrawalStatuses)})`),
    check(
      'withdrawals_processed_when_completed',
      sql`(${table.status} = 'completed') = (${table.processedAt} is not null)`,
    ),
  ],
);

/**
 * Every movement of money, append-only (§balance). `amount_centavos` is signed; `hash` covers this entry and
 * the account's entry before it, so that a changed or missing row shows.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    sequence: integer('sequence').notNull(),
    type: text('type').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    balanceAfterCentavos: centavos('balance_after_centavos').notNull(),
    actorId: reference('actor_id')
      .notNull()
      .references(() => accounts.id),
    withdrawalId: reference('withdrawal_id').references(() => withdrawals.id),
    reason: text('reason').notNull(),
    createdAt: moment('created_at').notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    unique('ledger_entries_sequence_unique').on(table.accountId, table.sequence),
    /** One debit and one refund a withdrawal, whatever arrives at the same moment. */
    uniqueIndex('ledger_entries_withdrawal_once')
      .on(table.withdrawalId, table.type)
      .where(sql`${table.withdrawalId} is not null`),
    check(
      'ledger_entries_type_known',
      sql`${table.type} in ('admin_adjustment', 'disbursement', 'correction', 'withdrawal', 'withdrawal_refund')`,
    ),
    check('ledger_entries_amount_not_zero', sql`${table.amountCentavos} <> 0`),
    check('ledger_entries_balance_not_negative', sql`${table.balanceAfterCentavos} >= 0`),
    check(
      'ledger_entries_withdrawal_named',
      sql`(${table.type} in ('withdrawal', 'withdrawal_refund')) = (${table.withdrawalId} is not null)`,
    ),
  ],
);

export const notifications = pgTable(
  'notifications',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    type: text('type').notNull(),
    title: text('title').notNull(),
    message: text('message').notNull(),
    details: jsonb('details').$type<Record<string, string>>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('notifications_account_newest').on(table.accountId, table.id.desc())],
);

/**
 * What a person agreed to by sending a form: the very sentence that stood over the button. Append-only. `language` is
 * null for a client that does not say which one it showed; the sentence is then the English one.
 */
export const consents = pgTable(
  'consents',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    purpose: text('purpose').$type<ConsentPurpose>().notNull(),
    language: text('language').$type<'en' | 'fil'>(),
    wording: text('wording').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('consents_account').on(table.accountId, table.id),
    check('consents_purpose_known', sql`${table.purpose} in (${oneOf(consentPurposes)})`),
    check('consents_language_known', sql`${table.language} in ('en', 'fil')`),
  ],
);

export const allowedIps = pgTable(
  'allowed_ips',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Canonical: a single address, or `network/prefix`. */
    ipAddress: text('ip_address').notNull(),
    description: text('description'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('allowed_ips_address_unique').on(table.ipAddress)],
);

/** Entries about an account that tell of changed access to its money (`access-store.ts`). */
export const isAccessEntry = sql.raw(
  `(action in ('password_issued', 'otp_set', 'withdrawals_held') or action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['bankName', 'bankAccountNumber'])`,
);

/** Who did what to whom, append-only (§audit-log). Of secrets and personal fields only that they changed. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    action: text('action').notNull(),
    /** Null when nobody is known: a failed sign-in, or the server's own console. */
    actorId: reference('actor_id'),
    ipAddress: text('ip_address'),
    targetType: text('target_type'),
    targetId: reference('target_id'),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('audit_entries_target').on(table.targetType, table.targetId, table.id.desc()),
    index('audit_entries_actor').on(table.actorId, table.id.desc()),
    index('audit_entries_access').on(table.targetId, table.createdAt).where(isAccessEntry),
    /** Whose passwords or codes were looked at in a list of several: such an entry has no one target. */
    index('audit_entries_revealed')
      .using('gin', sql`(${table.after} -> 'accountIds')`)
      .where(sql`${table.action} in ('password_revealed', 'code_revealed') and ${table.targetId} is null`),
  ],
);

/**
 * The audit log, sealed batch by batch: who changes, removes or slips in a sealed entry breaks its seal, and a seal is
 * chained to the one before. Append-only. The forms that are hashed are told in `audit-seal-store.ts`.
 */
export const auditSeals = pgTable(
  'audit_seals',
  {
    /** 1, 2, 3 without a gap. */
    number: integer('number').primaryKey(),
    firstId: reference('first_id').notNull(),
    lastId: reference('last_id').notNull(),
    entryCount: integer('entry_count').notNull(),
    /** One line an entry: its id and its own hash, so that a broken seal names the entry. */
    entryHashes: text('entry_hashes').notNull(),
    /** One line a table of the books: how many rows there were, up to which id. Null in seals of earlier versions. */
    positions: text('positions'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
    sealedAt: moment('sealed_at').notNull(),
  },
  (table) => [
    check('audit_seals_number_positive', sql`${table.number} >= 1`),
    check('audit_seals_range', sql`${table.firstId} <= ${table.lastId} and ${table.entryCount} >= 1`),
  ],
);

/**
 * What is written with the key about a row that is worth forging (`row-seal-store.ts`): the newest one must fit the row
 * as it is. Append-only, and counted in `audit_seals`: an older row cannot be put back together with its older seal.
 */
export const rowSeals = pgTable(
  'row_seals',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    tableName: text('table_name').notNull(),
    rowId: reference('row_id').notNull(),
    mac: text('mac').notNull(),
  },
  (table) => [index('row_seals_newest').on(table.tableName, table.rowId, table.id.desc())],
);

/** Which key the books are sealed with, and since when: the newest row. Append-only. */
export const bookKeys = pgTable('book_keys', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  /** Tells the key from others, and nothing else of it. */
  fingerprint: text('fingerprint').notNull(),
  sealedAt: moment('sealed_at').notNull(),
});

/** The first answer to a request that carried an `Idempotency-Key`, stored in the transaction of its effect. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    endpoint: text('endpoint').notNull(),
    key: text('key').notNull(),
    /** Keyed hash of method, path and body: the same key with another request is a conflict. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    /** Sealed, letter for letter as it was given. */
    reply: json('reply').$type<string>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'idempotency_keys_pk', columns: [table.accountId, table.endpoint, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);

/** Tries counted in windows, for every server process together (§tries). */
export const tries = pgTable(
  'tries',
  {
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    count: integer('count').notNull(),
    windowStartedAt: moment('window_started_at').notNull(),
    blockedUntil: moment('blocked_until'),
  },
  (table) => [
    primaryKey({ name: 'tries_pk', columns: [table.scope, table.key] }),
    index('tries_age').on(table.windowStartedAt),
  ],
);
