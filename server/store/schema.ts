import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  check,
  date,
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
import type { ContractLender, LoanAgreement } from '#contract/loan.ts';
import type { PrintedReceipt } from '#contract/servicing.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { complaintCategories, complaintStatuses, finalComplaintStatuses } from '#domain/complaint.ts';
import { contactOutcomes, keptContactChannels } from '#domain/contact.ts';
import { drawerMovementKinds } from '#domain/drawer.ts';
import { limits } from '#domain/limits.ts';
import { movementKinds } from '#domain/loan-movement.ts';
import { consentPurposes, memberStatuses, type StaffRole } from '#domain/member.ts';
import { messageChannels, messageGateNames, messageStates } from '#domain/message.ts';
import type { Centavos } from '#domain/money.ts';
import { paymentChannels, paymentStatuses } from '#domain/payment.ts';
import {
  approvalOutcomes,
  loanEventChannels,
  loanEventKinds,
  loanStepKinds,
  storedLoanStates,
} from '#domain/servicing.ts';
import { searchMarks } from '#domain/text.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';

/**
 * The tables. Every constraint is named, because its name maps a violation to its error code. Money is in whole
 * centavos; moments are UTC with milliseconds, as in JavaScript, so a value read equals the one written. Triggers that
 * drizzle cannot express (append-only tables) are in the migration `append_only`.
 */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const centavos = (name: string) => bigint(name, { mode: 'number' }).$type<Centavos>();
const day = (name: string) => date(name).$type<ManilaDate>();
export const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));
/** One of a list of words; `known` makes the database refuse any other. */
const word = <const Word extends string>(name: string, words: readonly Word[]) =>
  text(name, { enum: words as [Word, ...Word[]] });
const known = (name: string, column: AnyPgColumn, words: readonly string[]) =>
  check(name, sql`${column} in (${oneOf(words)})`);
const between = (name: string, column: AnyPgColumn, least: number, most: number) =>
  check(name, sql`${column} between ${sql.raw(String(least))} and ${sql.raw(String(most))}`);
/**
 * Another column of the row as staff search it (§search), written by the database: folding a hundred thousand texts for
 * each search would take seconds. Plain text, which most is, only becomes lower-case.
 */
const folded = (name: string, column: string) => {
  const { apostrophes, unseen, spaces } = searchMarks;
  const bare = `regexp_replace(normalize(regexp_replace(${column}, '${apostrophes}', '''', 'g'), NFKD), '${unseen}', '', 'g')`;
  const isPlain = `octet_length(${column}) = char_length(${column}) and ${column} !~ '  |[\\t\\n\\r\\x60]'`;
  return text(name).generatedAlwaysAs(
    sql.raw(
      `case when ${isPlain} then lower(${column}) else regexp_replace(lower(${bare}), '${spaces}', ' ', 'g') end`,
    ),
  );
};
const rowId = () => bigserial('id', { mode: 'number' });
const reference = (name: string) => bigint(name, { mode: 'number' });
const optionalAccount = (name: string) => reference(name).references((): AnyPgColumn => accounts.id);
const account = (name = 'account_id') => optionalAccount(name).notNull();
/**
 * The present way to hash or seal rows. Rows of an earlier version have 1, until the
 * next start (`renewal.ts`).
 */
export const presentFormat = 2;
const format = () => integer('format').notNull().default(1);
const loan = () =>
  reference('loan_id')
    .notNull()
    .references((): AnyPgColumn => loans.id);

const bookCheckKinds = ['full', 'daily'] as const;
const bookCheckStatuses = ['underway', 'sound', 'wrong'] as const;

export const loanNumbers = pgSequence('loan_numbers');
export const withdrawalNumbers = pgSequence('withdrawal_numbers');

/** Members and staff. A deleted account keeps its row for the books and frees its phone and email. */
export const accounts = pgTable(
  'accounts',
  {
    id: bigint('id', { mode: 'number' })
      .primaryKey()
      .generatedByDefaultAsIdentity({ startWith: limits.firstOrdinaryAccountId }),
    isAdmin: boolean('is_admin').notNull().default(false),
    status: word('status', memberStatuses).notNull().default('pending'),
    /** The phone as typed; empty for an admin without one. */
    phone: text('phone').notNull().default(''),
    /** International form, as compared; null without a phone or after deletion. */
    phoneKey: text('phone_key'),
    /** 0, or the account's own id while another account has the same number (§shared-numbers). */
    phoneShare: bigint('phone_share', { mode: 'number' }).notNull().default(0),
    format: format(),
    email: text('email'),
    /** Lower case, as compared; null without an email or after deletion. */
    emailKey: text('email_key'),
    /** The number in the books that the member was taken over from; null for all others. */
    oldNumber: text('old_number'),
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
    /** Name, phone, email and old number, folded, one per line: the text that staff search (§search). */
    searchText: text('search_text').notNull().default(''),

    balanceCentavos: centavos('balance_centavos')
      .notNull()
      .default(0 as Centavos),
    ledgerSequence: integer('ledger_sequence').notNull().default(0),
    ledgerHash: text('ledger_hash').notNull().default(''),

    creditScore: integer('credit_score').notNull().default(limits.creditScoreDefault),
    previousCreditScore: integer('previous_credit_score'),

    passwordHash: text('password_hash').notNull(),
    isPasswordIssued: boolean('is_password_issued').notNull().default(false),
    /** Sealed; erased when the owner sets their own, or after seven days. */
    issuedPasswordSealed: text('issued_password_sealed'),
    issuedPasswordAt: moment('issued_password_at'),

    otpCodeSealed: text('otp_code_sealed'),
    otpExpiresAt: moment('otp_expires_at'),
    otpWrongTries: integer('otp_wrong_tries').notNull().default(0),
    /** Null again once a code was set or used. */
    codeRequestedAt: moment('code_requested_at'),

    /** The one-time code went to the phone as a text: it is good for one amount and account, and staff never see it. */
    isOtpByText: boolean('is_otp_by_text').notNull().default(false),

    /** When the owner or staff confirmed the phone for messages, and who; null again once it is another number. */
    phoneConfirmedAt: moment('phone_confirmed_at'),
    phoneConfirmedBy: reference('phone_confirmed_by'),
    emailConfirmedAt: moment('email_confirmed_at'),
    /** The owner's wishes for text messages and e-mail, and when they last changed. */
    wantsReminders: boolean('wants_reminders').notNull().default(true),
    wantsNews: boolean('wants_news').notNull().default(true),
    wantsChangedAt: moment('wants_changed_at'),
    /** The language of the last request that named one. */
    language: word('language', ['en', 'fil']),

    /** When staff last changed bank details or password: withdrawals soon after wait for a review. */
    staffChangedAccessAt: moment('staff_changed_access_at'),
    /** When it was first seen to have all that verifies it; also null where that was before this was kept (`noteVerified`). */
    verifiedAt: moment('verified_at'),
    /** Date of the first notice of changed access that the owner has not closed; null if there is none. */
    accessNewsSince: moment('access_news_since'),
    /** When staff last put money into the wallet that belongs to no loan. */
    creditWithoutLoanAt: moment('credit_without_loan_at'),
    /** Roles that the main admin has withheld; null and empty are none. */
    withheldRoles: jsonb('withheld_roles').$type<StaffRole[]>(),
    /** Null if the owner never asked, cancelled the request, or was deleted. */
    deletionRequestedAt: moment('deletion_requested_at'),
    /** The secret of the second step, sealed: in force once `second_step_at` says since when. */
    secondStepSealed: text('second_step_sealed'),
    secondStepAt: moment('second_step_at'),
    /** The newest code that was used, by its half-minute since 1970: each counts once. */
    secondStepUsed: integer('second_step_used'),
    /** Keyed hashes of the codes not used yet. */
    recoveryCodes: jsonb('recovery_codes').$type<string[]>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    deletedAt: moment('deleted_at'),
    /** When a deleted account's personal data was erased. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    uniqueIndex('accounts_phone_unique').on(table.phoneKey, table.phoneShare),
    index('accounts_phone_shared').on(table.phoneKey).where(sql`${table.phoneShare} <> 0`),
    uniqueIndex('accounts_old_number_unique').on(table.oldNumber).where(sql`${table.oldNumber} is not null`),
    uniqueIndex('accounts_admin_email_unique').on(table.emailKey).where(sql`${table.isAdmin}`),
    index('accounts_members_newest')
      .on(table.id.desc())
      .where(sql`not ${table.isAdmin} and ${table.deletedAt} is null`),
    index('accounts_code_asked').on(table.codeRequestedAt).where(sql`${table.codeRequestedAt} is not null`),
    index('accounts_pending')
      .on(table.id)
      .where(sql`${table.status} = 'pending' and ${table.selfieFileId} is not null and not ${table.isAdmin}
        and ${table.deletedAt} is null`),
    /** The closed accounts whose time in the archive runs. */
    index('accounts_closed')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null and ${table.erasedAt} is null`),
    known('accounts_status_known', table.status, memberStatuses),
    check('accounts_balance_not_negative', sql`${table.balanceCentavos} >= 0`),
    check('accounts_salary_not_negative', sql`${table.monthlySalaryCentavos} >= 0`),
    between('accounts_credit_score_range', table.creditScore, 0, limits.creditScoreMax),
    check(
      'accounts_main_admin',
      sql`${table.id} <> ${sql.raw(String(limits.mainAdminId))} or (${table.isAdmin} and ${table.deletedAt} is null and ${table.status} <> 'suspended')`,
    ),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** Keyed hash; neither the token nor the key is in this database. */
    tokenHash: text('token_hash').primaryKey(),
    accountId: account(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Set by a suspension, where the token answers 403 while it lasts and 401 afterwards, and by too long without a request. */
    endedAt: moment('ended_at'),
    /** Kept for staff, to within a minute or so. Null until a session is a minute old. */
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [index('sessions_account').on(table.accountId)],
);

/** Networks an account has signed in from: a guesser elsewhere does not lock its owner out there. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    accountId: account(),
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
    /** Unguessable; also the object's name in the file store. */
    id: text('id').primaryKey(),
    accountId: account(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    widthPx: integer('width_px').notNull(),
    heightPx: integer('height_px').notNull(),
    /** SHA-256 of the stored picture; null in files of an earlier version. */
    contentHash: text('content_hash'),
    createdAt: moment('created_at').notNull(),
    /** Identifies the row in its seal. */
    number: bigserial('number', { mode: 'number' }),
    format: format(),
  },
  (table) => [
    index('files_account').on(table.accountId),
    index('files_content').on(table.contentHash),
    unique('files_number_unique').on(table.number),
    index('files_old_format').on(table.number).where(sql`${table.format} = 1`),
  ],
);

export const loans = pgTable(
  'loans',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    loanNumber: text('loan_number').notNull(),
    /** The number in the books that the loan was taken over from; null for all others. */
    oldNumber: text('old_number'),
    oldNumberFolded: folded('old_number_folded', 'old_number'),
    amountCentavos: centavos('amount_centavos').notNull(),
    termMonths: integer('term_months').notNull(),
    /** Null for loans from other books: each view then shows its own default (§loan-rate). */
    monthlyRateBasisPoints: integer('monthly_rate_basis_points'),
    monthlyPaymentCentavos: centavos('monthly_payment_centavos').notNull(),
    purpose: text('purpose').notNull(),
    purposeFolded: folded('purpose_folded', 'purpose'),
    status: text('status').notNull().default('pending'),
    /** When money was first paid out, and how much so far; null until then, and for loans paid out elsewhere. */
    releasedAt: moment('released_at'),
    releasedCentavos: centavos('released_centavos'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    unique('loans_number_unique').on(table.loanNumber),
    uniqueIndex('loans_old_number_unique').on(table.oldNumber).where(sql`${table.oldNumber} is not null`),
    index('loans_account_newest').on(table.accountId, table.id.desc()),
    index('loans_waiting')
      .on(table.status, table.id)
      .where(sql`${table.status} in ('pending', 'approved') and ${table.deletedAt} is null`),
    between('loans_amount_range', table.amountCentavos, 1, limits.staffLoanAmountMaxCentavos),
    between('loans_term_range', table.termMonths, limits.loanTermMinMonths, limits.staffLoanTermMaxMonths),
    check('loans_rate_not_negative', sql`${table.monthlyRateBasisPoints} >= 0`),
    check('loans_payment_not_negative', sql`${table.monthlyPaymentCentavos} >= 0`),
    check('loans_released_positive', sql`${table.releasedCentavos} > 0`),
    check('loans_released_whole', sql`(${table.releasedAt} is null) = (${table.releasedCentavos} is null)`),
  ],
);

/** Frozen quotes, one row per version. Append-only: nobody can change what a borrower agreed to. */
export const loanTerms = pgTable(
  'loan_terms',
  {
    /** The order of writing, so that a missing row shows in the seals' counts. */
    id: rowId(),
    loanId: loan(),
    version: integer('version').notNull(),
    /** The quote as sent (§quote). */
    quote: jsonb('quote').$type<Record<string, unknown>>().notNull(),
    hash: text('hash').notNull(),
    /** The facts agreed to in addition to the quote; null in earlier versions. */
    agreement: jsonb('agreement').$type<LoanAgreement>(),
    /** SHA-256 of the canonical text of the agreement with the quote's hash. */
    agreementHash: text('agreement_hash'),
    issuedBy: account('issued_by'),
    issuedAt: moment('issued_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'loan_terms_pk', columns: [table.loanId, table.version] }),
    unique('loan_terms_id_unique').on(table.id),
    check('loan_terms_version_positive', sql`${table.version} >= 1`),
    check(
      'loan_terms_agreement_hashed',
      sql`(${table.agreement} is null) = (${table.agreementHash} is null)`,
    ),
  ],
);

/** At most one row for each version of a loan's terms. */
const ofOneVersion = (name: string, { loanId, version }: Record<'loanId' | 'version', AnyPgColumn>) => [
  primaryKey({ name: `${name}_pk`, columns: [loanId, version] }),
  foreignKey({
    name: `${name}_terms_fk`,
    columns: [loanId, version],
    foreignColumns: [loanTerms.loanId, loanTerms.version],
  }),
];

/** The lender's facts in contracts, by the SHA-256 of their canonical text. Append-only. */
export const lenders = pgTable('lenders', {
  hash: text('hash').primaryKey(),
  facts: jsonb('facts').$type<ContractLender>().notNull(),
});

/**
 * The borrower named in a version of a contract, in a table of its own because a person can be erased and a contract
 * cannot. The agreement has its hash; the salt prevents guessing once this row is gone.
 */
export const loanBorrowers = pgTable(
  'loan_borrowers',
  {
    loanId: reference('loan_id').notNull(),
    version: integer('version').notNull(),
    fullName: text('full_name').notNull(),
    phone: text('phone').notNull(),
    email: text('email'),
    address: text('address'),
    salt: text('salt').notNull(),
  },
  (table) => ofOneVersion('loan_borrowers', table),
);

/**
 * Versions that staff issued and the borrower accepted; versions that a borrower applied for are agreed without it.
 * Append-only.
 */
export const loanAcceptances = pgTable(
  'loan_acceptances',
  {
    loanId: reference('loan_id').notNull(),
    version: integer('version').notNull(),
    /** The hash of the terms on the screen. */
    hash: text('hash').notNull(),
    acceptedAt: moment('accepted_at').notNull(),
  },
  (table) => ofOneVersion('loan_acceptances', table),
);

export const withdrawals = pgTable(
  'withdrawals',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    withdrawalNumber: text('withdrawal_number').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    bankName: text('bank_name').notNull(),
    bankNameFolded: folded('bank_name_folded', 'bank_name'),
    bankAccountNumber: text('bank_account_number').notNull(),
    status: word('status', withdrawalStatuses).notNull(),
    createdAt: moment('created_at').notNull(),
    processedAt: moment('processed_at'),
    /** When it was marked as sent, by the server's clock; `processedAt` may be given. */
    completedAt: moment('completed_at'),
    /** The bank's own number of the transfer, written once it is sent. */
    bankReference: text('bank_reference'),
    /** It was held, and released by the one person there, who had changed the account's access or balance. */
    isReleasedAlone: boolean('is_released_alone').notNull().default(false),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('withdrawals_number_unique').on(table.withdrawalNumber),
    index('withdrawals_account_newest').on(table.accountId, table.id.desc()),
    index('withdrawals_status_newest').on(table.status, table.id.desc()),
    index('withdrawals_completed').on(table.completedAt).where(sql`${table.completedAt} is not null`),
    check('withdrawals_amount_positive', sql`${table.amountCentavos} > 0`),
    known('withdrawals_status_known', table.status, withdrawalStatuses),
    check(
      'withdrawals_processed_when_completed',
      sql`(${table.status} = 'completed') = (${table.processedAt} is not null)`,
    ),
  ],
);

const ofWithdrawals = ['withdrawal', 'withdrawal_refund'] as const;
const ofLoans = ['disbursement_reversal', 'loan_payment', 'loan_payment_reversal', 'loan_refund'] as const;
const ledgerTypes = ['admin_adjustment', 'disbursement', 'correction', ...ofWithdrawals, ...ofLoans] as const;

/** A wallet raised by hand: what staff put in that no loan's event explains. */
export const isRaise = sql.raw(
  `amount_centavos > 0 and loan_event_id is null and type in ('admin_adjustment', 'correction', 'disbursement')`,
);

/**
 * Every movement of money, append-only (§balance). `amount_centavos` is signed; `hash` covers this entry and the
 * account's entry before it, so that a changed or missing row shows.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    sequence: integer('sequence').notNull(),
    type: word('type', ledgerTypes).notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    balanceAfterCentavos: centavos('balance_after_centavos').notNull(),
    actorId: account('actor_id'),
    withdrawalId: reference('withdrawal_id').references(() => withdrawals.id),
    /** Null for movements by staff and withdrawals. */
    loanEventId: reference('loan_event_id').references((): AnyPgColumn => loanEvents.id),
    reason: text('reason').notNull(),
    createdAt: moment('created_at').notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    unique('ledger_entries_sequence_unique').on(table.accountId, table.sequence),
    /** One debit and one refund per withdrawal, even for simultaneous requests. */
    uniqueIndex('ledger_entries_withdrawal_once')
      .on(table.withdrawalId, table.type)
      .where(sql`${table.withdrawalId} is not null`),
    uniqueIndex('ledger_entries_loan_event_once')
      .on(table.loanEventId, table.type)
      .where(sql`${table.loanEventId} is not null`),
    index('ledger_entries_raises').on(table.actorId, table.createdAt).where(isRaise),
    known('ledger_entries_type_known', table.type, ledgerTypes),
    check(
      'ledger_entries_loan_event_named',
      sql`${table.loanEventId} is not null or ${table.type} not in (${oneOf(ofLoans)})`,
    ),
    check('ledger_entries_amount_not_zero', sql`${table.amountCentavos} <> 0`),
    check('ledger_entries_balance_not_negative', sql`${table.balanceAfterCentavos} >= 0`),
    check(
      'ledger_entries_withdrawal_named',
      sql`(${table.type} in (${oneOf(ofWithdrawals)})) = (${table.withdrawalId} is not null)`,
    ),
  ],
);

/** Payments on loans, by any channel. Only the receipt event counts. */
export const payments = pgTable(
  'payments',
  {
    id: rowId().primaryKey(),
    loanId: loan(),
    /** The borrower, whoever paid. */
    accountId: account(),
    amountCentavos: centavos('amount_centavos').notNull(),
    channel: word('channel', paymentChannels).notNull(),
    reference: text('reference'),
    referenceFolded: folded('reference_folded', 'reference'),
    /** The reference as it is compared: see `referenceKey`. */
    referenceKey: text('reference_key'),
    valueDate: day('value_date').notNull(),
    /** Meant to settle the loan, even with fewer than two instalments to come. */
    isSettlement: boolean('is_settlement').notNull().default(false),
    /** Staff read the reason; the borrower reads `note`. */
    reason: text('reason').notNull().default(''),
    note: text('note'),
    /** The sum that the borrower wrote, if staff counted another. */
    sentCentavos: centavos('sent_centavos'),
    proofFileId: text('proof_file_id'),
    status: word('status', paymentStatuses).notNull(),
    /** `AR-2026-000123` in two numbers, without gaps within a year. Null until confirmed, and of those taken over. */
    receiptYear: integer('receipt_year'),
    receiptSerial: integer('receipt_serial'),
    /** The allocation when the receipt was made; a payment recorded later may change the fold's. */
    application: jsonb('application').$type<PrintedReceipt>(),
    recordedBy: account('recorded_by'),
    confirmedBy: optionalAccount('confirmed_by'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    format: format(),
  },
  (table) => [
    index('payments_old_format').on(table.id).where(sql`${table.format} = 1`),
    index('payments_loan').on(table.loanId, table.id.desc()),
    index('payments_account').on(table.accountId),
    index('payments_proof').on(table.proofFileId).where(sql`${table.proofFileId} is not null`),
    index('payments_status_newest').on(table.status, table.id.desc()),
    index('payments_reference').on(table.referenceKey).where(sql`${table.referenceKey} is not null`),
    // A borrower's own report does not keep staff from recording the payment that has this reference.
    uniqueIndex('payments_reference_unique')
      .on(table.channel, table.referenceKey)
      .where(
        sql`${table.referenceKey} is not null and (${table.status} = 'confirmed' or (${table.status} = 'submitted' and ${table.recordedBy} <> ${table.accountId}))`,
      ),
    unique('payments_receipt_unique').on(table.receiptYear, table.receiptSerial),
    check('payments_amount_positive', sql`${table.amountCentavos} > 0`),
    known('payments_channel_known', table.channel, paymentChannels),
    known('payments_status_known', table.status, paymentStatuses),
    check(
      'payments_receipt_when_confirmed',
      sql`(${table.receiptSerial} is null) = (${table.receiptYear} is null) and (${table.receiptSerial} is null or ${table.status} in ('confirmed', 'reversed'))`,
    ),
  ],
);

/** The last receipt number of each year. One transaction at a time gives numbers, so that none is skipped. */
export const receiptNumbers = pgTable('receipt_numbers', {
  year: integer('year').primaryKey(),
  lastSerial: integer('last_serial').notNull(),
});

/**
 * Receipts that wait for their numbers, for as long as a commit takes (§receipt-numbers). Beside it, a row holds what is told
 * with the number and is stored nowhere else.
 */
export const unnumberedReceipts = pgTable('unnumbered_receipts', {
  /** The order of the numbers, among receipts that wait at the same time. */
  id: rowId().primaryKey(),
  paymentId: reference('payment_id')
    .notNull()
    .unique('unnumbered_receipts_payment_unique')
    .references(() => payments.id),
  /** The Manila year in which the payment was confirmed, whenever the number is given. */
  year: integer('year').notNull(),
  creditCentavos: centavos('credit_centavos').notNull(),
  returnedCentavos: centavos('returned_centavos').notNull(),
  /** The address from which it was confirmed, for the log. */
  ipAddress: text('ip_address'),
  /** The log's marks of who agreed. */
  marks: jsonb('marks').$type<Record<string, unknown>>().notNull(),
});

/**
 * The events of a loan after its approval. Append-only: another event reverses a mistake, and an erasure removes only
 * the texts. `hash` covers this event and the loan's event before it.
 */
export const loanEvents = pgTable(
  'loan_events',
  {
    id: rowId().primaryKey(),
    loanId: loan(),
    sequence: integer('sequence').notNull(),
    kind: word('kind', loanEventKinds).notNull(),
    valueDate: day('value_date').notNull(),
    amountCentavos: centavos('amount_centavos'),
    months: integer('months'),
    channel: word('channel', loanEventChannels),
    reference: text('reference'),
    isSettlement: boolean('is_settlement').notNull().default(false),
    /** A refund made by the server, right after the receipt that caused it. */
    isAuto: boolean('is_auto').notNull().default(false),
    paymentId: reference('payment_id').references(() => payments.id),
    /**
     * The event that this one reverses. A disbursement names the cancellation before it, or 0, so that the same unique
     * index lets a loan be disbursed, cancelled and reversed only once each.
     */
    undoes: integer('undoes'),
    reason: text('reason').notNull().default(''),
    actorId: account('actor_id'),
    approverId: optionalAccount('approver_id'),
    /** It takes two people, and there was only one. */
    isAlone: boolean('is_alone').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    format: format(),
    /** Erased with the personal texts, reference and reason; `text_hash` stays. */
    textSalt: text('text_salt'),
    /** Null in format 1. */
    textHash: text('text_hash'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('loan_events_old_format').on(table.loanId).where(sql`${table.format} = 1`),
    unique('loan_events_sequence_unique').on(table.loanId, table.sequence),
    index('loan_events_recorded').on(table.createdAt, table.kind),
    // The receipts of a few days tell whether a promise was kept, among the events of thousands of loans.
    index('loan_events_receipts').on(table.loanId, table.valueDate).where(sql`${table.kind} = 'receipt'`),
    unique('loan_events_undone_once').on(table.loanId, table.undoes),
    unique('loan_events_payment_once').on(table.paymentId, table.kind),
    known('loan_events_channel_known', table.channel, loanEventChannels),
    known('loan_events_kind_known', table.kind, loanEventKinds),
    check(
      'loan_events_undoing',
      sql`(${table.kind} in ('disbursement', 'cancellation', 'reversal')) = (${table.undoes} is not null)`,
    ),
    check(
      'loan_events_amount',
      sql`(${table.kind} in ('receipt', 'waiver', 'refund')) = (${table.amountCentavos} is not null) and ${table.amountCentavos} > 0`,
    ),
    check('loan_events_months', sql`(${table.kind} = 'deferral') = (${table.months} is not null)`),
    check('loan_events_four_eyes', sql`${table.approverId} <> ${table.actorId}`),
  ],
);

/** The cash of one employee, from a float to a count (§drawer). Each has one open at most. */
export const drawers = pgTable(
  'drawers',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    floatCentavos: centavos('float_centavos').notNull(),
    openedAt: moment('opened_at').notNull(),
    closedAt: moment('closed_at'),
    closedBy: optionalAccount('closed_by'),
    countedCentavos: centavos('counted_centavos'),
    /** The sum of float and movements when it was closed. */
    expectedCentavos: centavos('expected_centavos'),
    reason: text('reason'),
  },
  (table) => [
    uniqueIndex('drawers_one_open').on(table.accountId).where(sql`${table.closedAt} is null`),
    index('drawers_opened').on(table.openedAt),
    index('drawers_closed').on(table.closedAt),
    check(
      'drawers_closed_whole',
      sql`num_nonnulls(${table.closedAt}, ${table.closedBy}, ${table.countedCentavos}, ${table.expectedCentavos}) in (0, 4)`,
    ),
    check('drawers_amounts', sql`${table.floatCentavos} >= 0 and ${table.countedCentavos} >= 0`),
  ],
);

/** Cash that came into a drawer or left it. Append-only. */
export const drawerMovements = pgTable(
  'drawer_movements',
  {
    id: rowId().primaryKey(),
    drawerId: reference('drawer_id')
      .notNull()
      .references(() => drawers.id),
    kind: word('kind', drawerMovementKinds).notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    loanId: reference('loan_id')
      .notNull()
      .references(() => loans.id),
    /** Absent for a refund, which is no payment. */
    paymentId: reference('payment_id').references(() => payments.id),
    actorId: account('actor_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('drawer_movements_drawer').on(table.drawerId, table.id),
    uniqueIndex('drawer_movements_once').on(table.paymentId, table.kind),
    known('drawer_movements_kind_known', table.kind, drawerMovementKinds),
    check(
      'drawer_movements_amount',
      sql`(${table.kind} = 'taken') = (${table.amountCentavos} > 0) and ${table.amountCentavos} <> 0`,
    ),
  ],
);

/** A statement of one of the lender's accounts that staff read (§statements). `account`: as they named it. */
export const statements = pgTable(
  'statements',
  {
    id: rowId().primaryKey(),
    channel: word('channel', paymentChannels).notNull(),
    account: text('account').notNull(),
    lineCount: integer('line_count').notNull(),
    createdBy: account('created_by'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    known('statements_channel_known', table.channel, paymentChannels),
    check('statements_lines', sql`${table.lineCount} > 0`),
  ],
);

/** The lines of a statement that were known or matched. Nothing else of it is kept. */
export const statementLines = pgTable(
  'statement_lines',
  {
    id: rowId().primaryKey(),
    statementId: reference('statement_id')
      .notNull()
      .references(() => statements.id),
    /** Its place in the statement, from 1. */
    number: integer('number').notNull(),
    /** Keyed: what makes it the same line in another statement of the account. */
    hash: text('hash').notNull(),
    date: day('date').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    /** Null if its payment is there already, and has one. */
    reference: text('reference'),
    loanId: loan(),
    /** The payment that it is; null until it is recorded. */
    paymentId: reference('payment_id').references(() => payments.id),
  },
  (table) => [
    unique('statement_lines_number_unique').on(table.statementId, table.number),
    index('statement_lines_hash').on(table.hash),
    index('statement_lines_loan').on(table.loanId),
    check('statement_lines_amount', sql`${table.amountCentavos} > 0`),
  ],
);

/**
 * A disbursed loan after its events, written with each: everything that does not depend on the day, so that arrears and
 * a portfolio are plain SQL with a date.
 */
export const loanPositions = pgTable(
  'loan_positions',
  {
    loanId: reference('loan_id')
      .primaryKey()
      .references(() => loans.id),
    termsVersion: integer('terms_version').notNull(),
    eventSequence: integer('event_sequence').notNull(),
    eventHash: text('event_hash').notNull(),
    /** `open` includes overdue loans, which depend on the day. */
    state: word('state', storedLoanStates).notNull(),
    disbursedOn: day('disbursed_on').notNull(),
    closedOn: day('closed_on'),
    principalLeftCentavos: centavos('principal_left_centavos').notNull(),
    creditCentavos: centavos('credit_centavos').notNull(),
    refundToReturnCentavos: centavos('refund_to_return_centavos').notNull(),
    lateChargesPaidCentavos: centavos('late_charges_paid_centavos').notNull(),
    lateChargesWaivedCentavos: centavos('late_charges_waived_centavos').notNull(),
    writtenOffCentavos: centavos('written_off_centavos').notNull(),
    /** When the oldest instalment that is not paid is due; null where all are. */
    oldestDueOn: day('oldest_due_on'),
    /** The edition of the fold that wrote it; null is the first. */
    foldEdition: integer('fold_edition'),
  },
  (table) => [
    index('loan_positions_open').on(table.loanId).where(sql`${table.state} in ('open', 'written_off')`),
    // The index holds what the portfolio and the collections read of each, so that they read it alone.
    index('loan_positions_oldest_due')
      .on(
        table.oldestDueOn,
        table.state,
        table.loanId,
        table.principalLeftCentavos,
        table.refundToReturnCentavos,
      )
      .where(sql`${table.state} in ('open', 'written_off') and ${table.oldestDueOn} is not null`),
    known('loan_positions_state_known', table.state, storedLoanStates),
  ],
);

/** The instalments of a disbursed loan after its events. */
export const instalments = pgTable(
  'instalments',
  {
    loanId: loan(),
    number: integer('number').notNull(),
    dueDate: day('due_date').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    interestCentavos: centavos('interest_centavos').notNull(),
    principalCentavos: centavos('principal_centavos').notNull(),
    paidCentavos: centavos('paid_centavos').notNull(),
    leftCentavos: centavos('left_centavos').notNull(),
  },
  (table) => [
    primaryKey({ name: 'instalments_pk', columns: [table.loanId, table.number] }),
    // The index holds the amount, so that what is due or overdue is added up from it alone.
    index('instalments_unpaid')
      .on(table.dueDate, table.loanId, table.leftCentavos)
      .where(sql`${table.leftCentavos} > 0`),
  ],
);

/**
 * A row says what an event that counts changes in its loan's share of the portfolio, as the fold has it now (§month): a report of
 * a month adds these up. Written with the position.
 */
export const loanMovements = pgTable(
  'loan_movements',
  {
    loanId: loan(),
    number: integer('number').notNull(),
    valueDate: day('value_date').notNull(),
    /** The day of the next one; null for the last. */
    untilDate: day('until_date'),
    kind: word('kind', movementKinds).notNull(),
    principalCentavos: centavos('principal_centavos').notNull(),
    loans: integer('loans').notNull(),
    principalLeftCentavos: centavos('principal_left_centavos').notNull(),
    /** The oldest instalment that is then not paid; null without principal left. */
    oldestDueOn: day('oldest_due_on'),
    receivedCentavos: centavos('received_centavos').notNull(),
  },
  (table) => [
    primaryKey({ name: 'loan_movements_pk', columns: [table.loanId, table.number] }),
    index('loan_movements_written_off').on(table.loanId).where(sql`${table.kind} = 'written_off'`),
    known('loan_movements_kind_known', table.kind, movementKinds),
  ],
);

/** Principal and income of the journal's entry for each event: what was booked stays, whatever is recorded later. */
export const journalMovements = pgTable(
  'journal_movements',
  {
    loanId: loan(),
    sequence: integer('sequence').notNull(),
    /** In Manila. */
    recordedOn: day('recorded_on').notNull(),
    valueDate: day('value_date').notNull(),
    principalCentavos: centavos('principal_centavos').notNull(),
    interestCentavos: centavos('interest_centavos').notNull(),
    lateChargesCentavos: centavos('late_charges_centavos').notNull(),
  },
  (table) => [
    primaryKey({ name: 'journal_movements_pk', columns: [table.loanId, table.sequence] }),
    index('journal_movements_recorded').on(table.recordedOn),
    index('journal_movements_dated').on(table.valueDate),
  ],
);

/** Requests that a second person has to decide. */
export const approvals = pgTable(
  'approvals',
  {
    id: rowId().primaryKey(),
    loanId: loan(),
    /** The borrower. */
    accountId: account(),
    kind: word('kind', loanStepKinds).notNull(),
    /** The step to do. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    askedBy: account('asked_by'),
    askedAt: moment('asked_at').notNull(),
    /** The person who asked decides only if nobody else may; whoever makes a request void closes it. */
    decision: word('decision', approvalOutcomes),
    decidedBy: optionalAccount('decided_by'),
    decidedAt: moment('decided_at'),
    reason: text('reason').notNull().default(''),
    format: format(),
  },
  (table) => [
    index('approvals_open').on(table.id.desc()).where(sql`${table.decision} is null`),
    index('approvals_old_format').on(table.id).where(sql`${table.format} = 1`),
    index('approvals_loan').on(table.loanId),
    index('approvals_account').on(table.accountId),
    known('approvals_kind_known', table.kind, loanStepKinds),
    known('approvals_decision_known', table.decision, approvalOutcomes),
    check(
      'approvals_decided_whole',
      sql`(${table.decision} is null) = (${table.decidedBy} is null) and (${table.decision} is null) = (${table.decidedAt} is null)`,
    ),
  ],
);

/** Each time that staff tried to reach a borrower about a loan, or the borrower came. Append-only but for an erasure. */
export const contacts = pgTable(
  'contacts',
  {
    id: rowId().primaryKey(),
    /** Null for a message to a borrower without a loan. */
    loanId: reference('loan_id').references(() => loans.id),
    /** The borrower. */
    accountId: account(),
    channel: word('channel', keptContactChannels).notNull(),
    outcome: word('outcome', contactOutcomes).notNull(),
    note: text('note').notNull().default(''),
    promiseDate: day('promise_date'),
    promiseCentavos: centavos('promise_centavos'),
    /** It happened although the guard said no. */
    isAgainstGuard: boolean('is_against_guard').notNull().default(false),
    actorId: account('actor_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('contacts_loan_newest').on(table.loanId, table.id.desc()),
    index('contacts_account_newest').on(table.accountId, table.createdAt.desc()),
    // The newest promise of each loan, from the index alone.
    index('contacts_promises')
      .on(table.loanId, table.id.desc(), table.promiseDate, table.promiseCentavos, table.createdAt)
      .where(sql`${table.promiseDate} is not null`),
    known('contacts_channel_known', table.channel, keptContactChannels),
    known('contacts_outcome_known', table.outcome, contactOutcomes),
    check(
      'contacts_promise_whole',
      sql`(${table.promiseDate} is null) = (${table.promiseCentavos} is null) and ${table.promiseCentavos} > 0`,
    ),
  ],
);

export const complaints = pgTable(
  'complaints',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    loanId: reference('loan_id').references(() => loans.id),
    category: word('category', complaintCategories).notNull(),
    status: word('status', complaintStatuses).notNull().default('open'),
    createdAt: moment('created_at').notNull(),
    acknowledgedBy: optionalAccount('acknowledged_by'),
    acknowledgedAt: moment('acknowledged_at'),
    resolvedBy: optionalAccount('resolved_by'),
    resolvedAt: moment('resolved_at'),
    withdrawnAt: moment('withdrawn_at'),
  },
  (table) => [
    index('complaints_account_newest').on(table.accountId, table.id.desc()),
    index('complaints_unresolved')
      .on(table.createdAt)
      .where(sql`${table.status} not in (${oneOf(finalComplaintStatuses)})`),
    known('complaints_category_known', table.category, complaintCategories),
    known('complaints_status_known', table.status, complaintStatuses),
    check(
      'complaints_resolved_whole',
      sql`(${table.status} = 'resolved') = (${table.resolvedAt} is not null)`,
    ),
    check(
      'complaints_withdrawn_whole',
      sql`(${table.status} = 'withdrawn') = (${table.withdrawnAt} is not null)`,
    ),
  ],
);

/** The messages between borrower and staff about a complaint. Append-only, except for an erasure. */
export const complaintMessages = pgTable(
  'complaint_messages',
  {
    id: rowId().primaryKey(),
    complaintId: reference('complaint_id')
      .notNull()
      .references(() => complaints.id),
    authorId: account('author_id'),
    text: text('text').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('complaint_messages_complaint').on(table.complaintId, table.id)],
);

export const notifications = pgTable(
  'notifications',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    type: text('type').notNull(),
    title: text('title').notNull(),
    message: text('message').notNull(),
    details: jsonb('details').$type<Record<string, string>>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('notifications_account_newest').on(table.accountId, table.id.desc())],
);

/**
 * Messages that leave the app (§outbox): a row for each, written in the transaction that makes its news. It never holds a
 * code. Details and address go with time; what was sent, and when, stays.
 */
export const messages = pgTable(
  'messages',
  {
    id: rowId().primaryKey(),
    /** Null for a trial message. */
    accountId: optionalAccount('account_id'),
    kind: text('kind').notNull(),
    /** The rank of its purpose: the smaller one goes first. */
    rank: integer('rank').notNull(),
    channel: word('channel', messageChannels).notNull(),
    language: word('language', ['en', 'fil']).notNull().default('en'),
    details: jsonb('details').$type<Record<string, string>>(),
    /** It goes to a former address, to that of a closed account or a trial's, sealed; else to the account's present one. */
    hasOwnAddress: boolean('has_own_address').notNull().default(false),
    addressSealed: text('address_sealed'),
    /** The address as staff see it, masked. */
    sentTo: text('sent_to').notNull().default(''),
    /** Which code it carries; the code itself is unsealed when it is sent. */
    codeName: text('code_name'),
    /** A reminder's loan and instalment, and the day that it is for. */
    loanId: reference('loan_id').references(() => loans.id),
    instalment: integer('instalment'),
    offsetDays: integer('offset_days'),
    remindOn: day('remind_on'),
    state: word('state', messageStates).notNull(),
    reason: text('reason'),
    tries: integer('tries').notNull().default(0),
    /** How often staff sent it again. */
    repeats: integer('repeats').notNull().default(0),
    /** Not to be tried before; null for at once. */
    notBefore: moment('not_before'),
    expiresAt: moment('expires_at'),
    /** When a process last took it to be sent. */
    claimedAt: moment('claimed_at'),
    /** The gateway's own number of it, and when to ask what became of it. */
    gatewayId: text('gateway_id'),
    askAt: moment('ask_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('messages_account_newest').on(table.accountId, table.id.desc()),
    index('messages_waiting').on(table.channel, table.rank, table.id).where(sql`${table.state} = 'queued'`),
    index('messages_held').on(table.id).where(sql`${table.state} = 'held'`),
    index('messages_sending').on(table.claimedAt).where(sql`${table.state} = 'sending'`),
    index('messages_claimed').on(table.channel, table.claimedAt),
    index('messages_codes').on(table.createdAt).where(sql`${table.rank} = 0`),
    index('messages_state_newest').on(table.state, table.id.desc()),
    index('messages_asked').on(table.askAt).where(sql`${table.askAt} is not null`),
    index('messages_addressed').on(table.createdAt).where(sql`${table.addressSealed} is not null`),
    index('messages_detailed').on(table.createdAt).where(sql`${table.details} is not null`),
    /** Also after a restart, by another process, or when the clock goes back (§reminders). */
    uniqueIndex('messages_reminder_once')
      .on(table.loanId, table.instalment, table.offsetDays)
      .where(sql`${table.loanId} is not null`),
    uniqueIndex('messages_reminder_a_day')
      .on(table.accountId, table.remindOn)
      .where(sql`${table.remindOn} is not null and ${table.reason} is distinct from 'merged'`),
    known('messages_channel_known', table.channel, messageChannels),
    known('messages_state_known', table.state, messageStates),
    check(
      'messages_reminder_whole',
      sql`(${table.loanId} is null) = (${table.instalment} is null) and (${table.loanId} is null) = (${table.offsetDays} is null) and (${table.loanId} is null) = (${table.remindOn} is null)`,
    ),
    check('messages_sent_to_somebody', sql`${table.accountId} is not null or ${table.kind} = 'trial'`),
  ],
);

/**
 * The state that all processes share: of a channel; of the whole book, which `held` keeps back;
 * and of the day's reminders.
 */
export const messageGates = pgTable('message_gates', {
  name: word('name', messageGateNames).primaryKey(),
  /** Since when nothing goes out: the gateway refuses the key, or a restored book waits for the main admin. */
  closedAt: moment('closed_at'),
  reason: text('reason'),
  /** Not to be tried before. */
  nextAt: moment('next_at'),
  /** When the last message went through. */
  lastSentAt: moment('last_sent_at'),
  /** The last day whose reminders were made. */
  doneOn: day('done_on'),
});

/** Codes that confirm an address, one for each account and channel. */
export const contactCodes = pgTable(
  'contact_codes',
  {
    accountId: account(),
    channel: word('channel', messageChannels).notNull(),
    codeSealed: text('code_sealed').notNull(),
    /** Keyed hash of the address that it is for. */
    addressHash: text('address_hash').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'contact_codes_pk', columns: [table.accountId, table.channel] }),
    index('contact_codes_age').on(table.expiresAt),
  ],
);

/**
 * The consent that a person gave by sending a form: the exact sentence above the button. Append-only. `language` is
 * null if the client did not say which one it showed; the sentence is then English.
 */
export const consents = pgTable(
  'consents',
  {
    id: rowId().primaryKey(),
    accountId: account(),
    purpose: word('purpose', consentPurposes).notNull(),
    language: word('language', ['en', 'fil']),
    wording: text('wording').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('consents_account').on(table.accountId, table.id),
    known('consents_purpose_known', table.purpose, consentPurposes),
    known('consents_language_known', table.language, ['en', 'fil']),
  ],
);

export const allowedIps = pgTable(
  'allowed_ips',
  {
    id: rowId().primaryKey(),
    /** Canonical: a single address, or `network/prefix`. */
    ipAddress: text('ip_address').notNull(),
    description: text('description'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('allowed_ips_address_unique').on(table.ipAddress)],
);

export const isBankChange = sql.raw(
  `action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['bankName', 'bankAccountNumber']`,
);

/** Entries about changed access to an account's money (`access-change-store.ts`). */
export const isAccessEntry = sql.raw(
  `(action in ('password_issued', 'otp_set', 'withdrawals_held') or action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['phone', 'bankName', 'bankAccountNumber'])`,
);

/** Entries about a profile by which an account ceased to be an employee's own (§own-account). */
export const isOwnNoMore = sql.raw(`after ? 'wasOwnOf'`);

/** The log of who did what to whom, append-only (§audit-log). Secrets and personal fields are only named. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: rowId().primaryKey(),
    action: text('action').notNull(),
    /** Null if unknown: a failed sign-in, or the server's console. */
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
    index('audit_entries_own').on(table.targetId, table.createdAt).where(isOwnNoMore),
    /** Earlier versions kept references in the log (`renewal.ts`). */
    index('audit_entries_reference').on(table.id).where(sql`${table.after} ? 'reference'`),
    /** The people whose passwords or codes were viewed in a list: such an entry has no single target. */
    index('audit_entries_revealed')
      .using('gin', sql`(${table.after} -> 'accountIds')`)
      .where(sql`${table.action} in ('password_revealed', 'code_revealed') and ${table.targetId} is null`),
  ],
);

/** Seals of the audit log, batch by batch, chained. Append-only. `audit-seals.ts` defines what is hashed. */
export const auditSeals = pgTable(
  'audit_seals',
  {
    /** 1, 2, 3 without gaps. */
    number: integer('number').primaryKey(),
    firstId: reference('first_id').notNull(),
    lastId: reference('last_id').notNull(),
    entryCount: integer('entry_count').notNull(),
    /** One line per entry: its id and hash, so that a broken seal names the entry. */
    entryHashes: text('entry_hashes').notNull(),
    /** One line per table of the books: its row count, up to which id. Null in seals of earlier versions. */
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
 * Seals of rows that are worth forging (`sealed-rows.ts`): the newest must fit the row. Append-only, and counted in
 * `audit_seals`, so that no older row can be put back with its older seal.
 */
export const rowSeals = pgTable(
  'row_seals',
  {
    id: rowId().primaryKey(),
    tableName: text('table_name').notNull(),
    rowId: reference('row_id').notNull(),
    mac: text('mac').notNull(),
  },
  (table) => [index('row_seals_newest').on(table.tableName, table.rowId, table.id.desc())],
);

/** The keys that the books were sealed with, and since when; the newest row is in use. Append-only. */
export const bookKeys = pgTable('book_keys', {
  id: rowId().primaryKey(),
  /** Identifies the key, and reveals nothing else. */
  fingerprint: text('fingerprint').notNull(),
  sealedAt: moment('sealed_at').notNull(),
});

/** Rereadings of the books by `npm run verify`. A daily one covers only what came since the last sound one. */
export const bookChecks = pgTable(
  'book_checks',
  {
    id: rowId().primaryKey(),
    kind: word('kind', bookCheckKinds).notNull(),
    status: word('status', bookCheckStatuses).notNull(),
    /** The edition of the program that read them. */
    edition: integer('edition').notNull(),
    /** The newest seal of the audit log at the start: what came after it is new to the next check. 0 if there was none. */
    sealNumber: integer('seal_number').notNull(),
    sealHash: text('seal_hash').notNull(),
    /** Where one that is under way has come to. */
    state: jsonb('state').$type<object>(),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    known('book_checks_kind_known', table.kind, bookCheckKinds),
    known('book_checks_status_known', table.status, bookCheckStatuses),
    check(
      'book_checks_state_while_underway',
      sql`(${table.status} = 'underway') = (${table.state} is not null) and (${table.state} is null) = (${table.finishedAt} is not null)`,
    ),
  ],
);

/** The first reply to a request with an `Idempotency-Key`, stored in the same transaction as its effect. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: account(),
    endpoint: text('endpoint').notNull(),
    key: text('key').notNull(),
    /** Keyed hash of method, path and body: the same key with another request is a conflict. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    /** Sealed, exactly as sent. */
    reply: json('reply').$type<string>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'idempotency_keys_pk', columns: [table.accountId, table.endpoint, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);

/** Counted tries, shared by all server processes (§tries). */
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
