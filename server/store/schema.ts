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
import {
  type ComplaintCategory,
  type ComplaintStatus,
  complaintCategories,
  complaintStatuses,
} from '#domain/complaint.ts';
import {
  type ContactChannel,
  type ContactOutcome,
  contactChannels,
  contactOutcomes,
} from '#domain/contact.ts';
import { limits } from '#domain/limits.ts';
import {
  type ConsentPurpose,
  consentPurposes,
  type MemberStatus,
  memberStatuses,
  type StaffRole,
} from '#domain/member.ts';
import type { Centavos } from '#domain/money.ts';
import {
  type ApprovalOutcome,
  approvalOutcomes,
  type LoanEventChannel,
  type LoanEventKind,
  type LoanStepKind,
  livePaymentStatuses,
  loanEventChannels,
  loanEventKinds,
  loanStepKinds,
  type PaymentChannel,
  type PaymentStatus,
  paymentChannels,
  paymentStatuses,
  type StoredLoanState,
  storedLoanStates,
} from '#domain/servicing.ts';
import { type WithdrawalStatus, withdrawalStatuses } from '#domain/withdrawal.ts';

/**
 * The tables. Every constraint is named, because its name is how a violation finds its error code. Money is whole
 * centavos, moments are UTC with the millisecond that JavaScript can hold, so a value read back equals the one written.
 *
 * Triggers that drizzle cannot express (append-only tables) stand in the migration `append_only`.
 */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const centavos = (name: string) => bigint(name, { mode: 'number' }).$type<Centavos>();
const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));
const reference = (name: string) => bigint(name, { mode: 'number' });
const account = (name = 'account_id') =>
  reference(name)
    .notNull()
    .references((): AnyPgColumn => accounts.id);
/** How rows are hashed or sealed now. Those of an earlier version have 1, until the next start (`renewal.ts`). */
export const presentFormat = 2;
const format = () => integer('format').notNull().default(1);
const loan = () =>
  reference('loan_id')
    .notNull()
    .references((): AnyPgColumn => loans.id);

export const loanNumbers = pgSequence('loan_numbers');
export const withdrawalNumbers = pgSequence('withdrawal_numbers');

/** Members and staff alike. A deleted account keeps its row for the books and frees its phone and email. */
export const accounts = pgTable(
  'accounts',
  {
    id: bigint('id', { mode: 'number' })
      .primaryKey()
      .generatedByDefaultAsIdentity({ startWith: limits.firstOrdinaryAccountId }),
    isAdmin: boolean('is_admin').notNull().default(false),
    status: text('status').$type<MemberStatus>().notNull().default('pending'),
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

    balanceCentavos: centavos('balance_centavos')
      .notNull()
      .default(0 as Centavos),
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
    /** What the main admin has taken from a member of staff; null and empty are nothing. */
    withheldRoles: jsonb('withheld_roles').$type<StaffRole[]>(),
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
    index('accounts_code_asked').on(table.codeRequestedAt).where(sql`${table.codeRequestedAt} is not null`),
    index('accounts_pending')
      .on(table.id)
      .where(sql`${table.status} = 'pending' and not ${table.isAdmin} and ${table.deletedAt} is null`),
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
    accountId: account(),
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
    accountId: account(),
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
    accountId: account(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    widthPx: integer('width_px').notNull(),
    heightPx: integer('height_px').notNull(),
    /** SHA-256 of the stored picture. Null in files of an earlier version. */
    contentHash: text('content_hash'),
    createdAt: moment('created_at').notNull(),
    /** What its seal knows it by. */
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
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: account(),
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
    index('loans_waiting')
      .on(table.status, table.id)
      .where(sql`${table.status} in ('pending', 'approved') and ${table.deletedAt} is null`),
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
    loanId: loan(),
    version: integer('version').notNull(),
    /** The quote as it crossed the wire (§quote). */
    quote: jsonb('quote').$type<Record<string, unknown>>().notNull(),
    /** SHA-256 of the quote's canonical text. */
    hash: text('hash').notNull(),
    /** What was agreed beside the quote; null in versions from before it was kept. */
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

/** The lender's facts that contracts were issued with, by the SHA-256 of their canonical text. Append-only. */
export const lenders = pgTable('lenders', {
  hash: text('hash').primaryKey(),
  facts: jsonb('facts').$type<ContractLender>().notNull(),
});

/**
 * Who a version of a contract is made out to, apart from it because a person can be erased and a contract cannot. The
 * agreement has its hash, which the salt keeps from being guessed at once this row is gone.
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
  (table) => [
    primaryKey({ name: 'loan_borrowers_pk', columns: [table.loanId, table.version] }),
    foreignKey({
      name: 'loan_borrowers_terms_fk',
      columns: [table.loanId, table.version],
      foreignColumns: [loanTerms.loanId, loanTerms.version],
    }),
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
    accountId: account(),
    withdrawalNumber: text('withdrawal_number').notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    bankName: text('bank_name').notNull(),
    bankAccountNumber: text('bank_account_number').notNull(),
    status: text('status').$type<WithdrawalStatus>().notNull(),
    createdAt: moment('created_at').notNull(),
    processedAt: moment('processed_at'),
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
    index('withdrawals_completed').on(table.updatedAt).where(sql`${table.status} = 'completed'`),
    check('withdrawals_amount_positive', sql`${table.amountCentavos} > 0`),
    check('withdrawals_status_known', sql`${table.status} in (${oneOf(withdrawalStatuses)})`),
    check(
      'withdrawals_processed_when_completed',
      sql`(${table.status} = 'completed') = (${table.processedAt} is not null)`,
    ),
  ],
);

const ofWithdrawals = ['withdrawal', 'withdrawal_refund'] as const;
const ofLoans = ['disbursement_reversal', 'loan_payment', 'loan_payment_reversal', 'loan_refund'] as const;
const ledgerTypes = ['admin_adjustment', 'disbursement', 'correction', ...ofWithdrawals, ...ofLoans] as const;

/**
 * Every movement of money, append-only (§balance). `amount_centavos` is signed; `hash` covers this entry and
 * the account's entry before it, so that a changed or missing row shows.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: account(),
    sequence: integer('sequence').notNull(),
    type: text('type').$type<(typeof ledgerTypes)[number]>().notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    balanceAfterCentavos: centavos('balance_after_centavos').notNull(),
    actorId: account('actor_id'),
    withdrawalId: reference('withdrawal_id').references(() => withdrawals.id),
    /** The loan event that moved it; null for what staff and withdrawals move. */
    loanEventId: reference('loan_event_id').references((): AnyPgColumn => loanEvents.id),
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
    /** A loan event moves the wallet once. */
    uniqueIndex('ledger_entries_loan_event_once')
      .on(table.loanEventId, table.type)
      .where(sql`${table.loanEventId} is not null`),
    check('ledger_entries_type_known', sql`${table.type} in (${oneOf(ledgerTypes)})`),
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

/** Money paid or said to be paid on a loan, whichever way it came. What counts of it is its receipt among the loan's events. */
export const payments = pgTable(
  'payments',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    loanId: loan(),
    /** The borrower, whoever paid. */
    accountId: account(),
    amountCentavos: centavos('amount_centavos').notNull(),
    channel: text('channel').$type<PaymentChannel>().notNull(),
    reference: text('reference'),
    /** The reference as it is compared: see `referenceKey`. */
    referenceKey: text('reference_key'),
    valueDate: date('value_date').$type<ManilaDate>().notNull(),
    /** Meant to settle the loan, however few instalments are to come. */
    isSettlement: boolean('is_settlement').notNull().default(false),
    reason: text('reason').notNull().default(''),
    proofFileId: text('proof_file_id'),
    status: text('status').$type<PaymentStatus>().notNull(),
    /** `AR-2026-000123` in two numbers; without a gap within a year. Null until confirmed. */
    receiptYear: integer('receipt_year'),
    receiptSerial: integer('receipt_serial'),
    /** What it went to when the receipt was made; a payment found later may change what the loan's fold says. */
    application: jsonb('application').$type<PrintedReceipt>(),
    recordedBy: account('recorded_by'),
    confirmedBy: reference('confirmed_by').references(() => accounts.id),
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
    uniqueIndex('payments_reference_unique')
      .on(table.channel, table.referenceKey)
      .where(sql`${table.referenceKey} is not null and ${table.status} in (${oneOf(livePaymentStatuses)})`),
    unique('payments_receipt_unique').on(table.receiptYear, table.receiptSerial),
    check('payments_amount_positive', sql`${table.amountCentavos} > 0`),
    check('payments_channel_known', sql`${table.channel} in (${oneOf(paymentChannels)})`),
    check('payments_status_known', sql`${table.status} in (${oneOf(paymentStatuses)})`),
    check(
      'payments_receipt_when_confirmed',
      sql`(${table.status} in ('confirmed', 'reversed')) = (${table.receiptSerial} is not null) and (${table.receiptSerial} is null) = (${table.receiptYear} is null)`,
    ),
  ],
);

/** The last receipt number of each year. Its row is locked by who takes the next one, so that none is left out. */
export const receiptNumbers = pgTable('receipt_numbers', {
  year: integer('year').primaryKey(),
  lastSerial: integer('last_serial').notNull(),
});

/**
 * What happened to a loan after its approval. Append-only: a mistake is undone by another event, and an erasure takes
 * away no more than the texts. `hash` covers this event and the loan's event before it.
 */
export const loanEvents = pgTable(
  'loan_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    loanId: loan(),
    sequence: integer('sequence').notNull(),
    kind: text('kind').$type<LoanEventKind>().notNull(),
    /** The day it counts from. */
    valueDate: date('value_date').$type<ManilaDate>().notNull(),
    amountCentavos: centavos('amount_centavos'),
    months: integer('months'),
    channel: text('channel').$type<LoanEventChannel>(),
    reference: text('reference'),
    isSettlement: boolean('is_settlement').notNull().default(false),
    /** A refund that the server made itself, right after the receipt that left it over. */
    isAuto: boolean('is_auto').notNull().default(false),
    paymentId: reference('payment_id').references(() => payments.id),
    /**
     * The event that this one takes back. A disbursement names the cancellation that it follows, 0 where there was none: so
     * the same unique index lets a loan be disbursed, cancelled and reversed only once each.
     */
    undoes: integer('undoes'),
    reason: text('reason').notNull().default(''),
    actorId: account('actor_id'),
    approverId: reference('approver_id').references(() => accounts.id),
    /** It takes two people, and there was only one. */
    isAlone: boolean('is_alone').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    format: format(),
    /** Goes with the texts about a person, reference and reason, when the person is erased; `text_hash` stays. */
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
    unique('loan_events_undone_once').on(table.loanId, table.undoes),
    unique('loan_events_payment_once').on(table.paymentId, table.kind),
    check('loan_events_channel_known', sql`${table.channel} in (${oneOf(loanEventChannels)})`),
    check('loan_events_kind_known', sql`${table.kind} in (${oneOf(loanEventKinds)})`),
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

/**
 * A disbursed loan as its events left it, written with each: what does not depend on the day that it is looked at, so that
 * arrears and a portfolio are plain SQL with a date.
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
    /** `open` also while something is overdue, which depends on the day. */
    state: text('state').$type<StoredLoanState>().notNull(),
    disbursedOn: date('disbursed_on').$type<ManilaDate>().notNull(),
    closedOn: date('closed_on').$type<ManilaDate>(),
    principalLeftCentavos: centavos('principal_left_centavos').notNull(),
    creditCentavos: centavos('credit_centavos').notNull(),
    refundToReturnCentavos: centavos('refund_to_return_centavos').notNull(),
    lateChargesPaidCentavos: centavos('late_charges_paid_centavos').notNull(),
    lateChargesWaivedCentavos: centavos('late_charges_waived_centavos').notNull(),
    writtenOffCentavos: centavos('written_off_centavos').notNull(),
    /** When the oldest instalment that is not paid is due; null where all are. */
    oldestDueOn: date('oldest_due_on').$type<ManilaDate>(),
    /** Which edition of the fold wrote it; null is the first. */
    foldEdition: integer('fold_edition'),
  },
  (table) => [
    index('loan_positions_open').on(table.loanId).where(sql`${table.state} in ('open', 'written_off')`),
    index('loan_positions_oldest_due')
      .on(table.oldestDueOn)
      .where(sql`${table.state} in ('open', 'written_off') and ${table.oldestDueOn} is not null`),
    check('loan_positions_state_known', sql`${table.state} in (${oneOf(storedLoanStates)})`),
  ],
);

/** The instalments of a disbursed loan as its events left them. */
export const instalments = pgTable(
  'instalments',
  {
    loanId: loan(),
    number: integer('number').notNull(),
    dueDate: date('due_date').$type<ManilaDate>().notNull(),
    amountCentavos: centavos('amount_centavos').notNull(),
    interestCentavos: centavos('interest_centavos').notNull(),
    principalCentavos: centavos('principal_centavos').notNull(),
    paidCentavos: centavos('paid_centavos').notNull(),
    leftCentavos: centavos('left_centavos').notNull(),
  },
  (table) => [
    primaryKey({ name: 'instalments_pk', columns: [table.loanId, table.number] }),
    index('instalments_unpaid').on(table.dueDate, table.loanId).where(sql`${table.leftCentavos} > 0`),
  ],
);

/** What somebody asked for that another person has to decide. */
export const approvals = pgTable(
  'approvals',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    loanId: loan(),
    /** The borrower. */
    accountId: account(),
    kind: text('kind').$type<LoanStepKind>().notNull(),
    /** What is to be done, as it will be done. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    askedBy: account('asked_by'),
    askedAt: moment('asked_at').notNull(),
    /** By the person who asked where nobody else may decide; `withdrawn` and `outdated` by who caused it. */
    decision: text('decision').$type<ApprovalOutcome>(),
    decidedBy: reference('decided_by').references(() => accounts.id),
    decidedAt: moment('decided_at'),
    reason: text('reason').notNull().default(''),
    format: format(),
  },
  (table) => [
    index('approvals_open').on(table.id.desc()).where(sql`${table.decision} is null`),
    index('approvals_old_format').on(table.id).where(sql`${table.format} = 1`),
    index('approvals_loan').on(table.loanId),
    index('approvals_account').on(table.accountId),
    check('approvals_kind_known', sql`${table.kind} in (${oneOf(loanStepKinds)})`),
    check('approvals_decision_known', sql`${table.decision} in (${oneOf(approvalOutcomes)})`),
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
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    loanId: loan(),
    /** The borrower. */
    accountId: account(),
    channel: text('channel').$type<ContactChannel>().notNull(),
    outcome: text('outcome').$type<ContactOutcome>().notNull(),
    note: text('note').notNull().default(''),
    promiseDate: date('promise_date').$type<ManilaDate>(),
    promiseCentavos: centavos('promise_centavos'),
    /** It happened although the guard said no. */
    isAgainstGuard: boolean('is_against_guard').notNull().default(false),
    actorId: account('actor_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('contacts_loan_newest').on(table.loanId, table.id.desc()),
    index('contacts_account_newest').on(table.accountId, table.createdAt.desc()),
    index('contacts_promises').on(table.loanId, table.id.desc()).where(sql`${table.promiseDate} is not null`),
    check('contacts_channel_known', sql`${table.channel} in (${oneOf(contactChannels)})`),
    check('contacts_outcome_known', sql`${table.outcome} in (${oneOf(contactOutcomes)})`),
    check(
      'contacts_promise_whole',
      sql`(${table.promiseDate} is null) = (${table.promiseCentavos} is null) and ${table.promiseCentavos} > 0`,
    ),
  ],
);

export const complaints = pgTable(
  'complaints',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: account(),
    loanId: reference('loan_id').references(() => loans.id),
    category: text('category').$type<ComplaintCategory>().notNull(),
    status: text('status').$type<ComplaintStatus>().notNull().default('open'),
    createdAt: moment('created_at').notNull(),
    acknowledgedBy: reference('acknowledged_by').references(() => accounts.id),
    acknowledgedAt: moment('acknowledged_at'),
    resolvedBy: reference('resolved_by').references(() => accounts.id),
    resolvedAt: moment('resolved_at'),
  },
  (table) => [
    index('complaints_account_newest').on(table.accountId, table.id.desc()),
    index('complaints_unresolved').on(table.createdAt).where(sql`${table.status} <> 'resolved'`),
    check('complaints_category_known', sql`${table.category} in (${oneOf(complaintCategories)})`),
    check('complaints_status_known', sql`${table.status} in (${oneOf(complaintStatuses)})`),
    check(
      'complaints_resolved_whole',
      sql`(${table.status} = 'resolved') = (${table.resolvedAt} is not null)`,
    ),
  ],
);

/** What borrower and staff write to each other about a complaint. Append-only but for an erasure. */
export const complaintMessages = pgTable(
  'complaint_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
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
    id: bigserial('id', { mode: 'number' }).primaryKey(),
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
 * What a person agreed to by sending a form: the very sentence that stood over the button. Append-only. `language` is
 * null for a client that does not say which one it showed; the sentence is then the English one.
 */
export const consents = pgTable(
  'consents',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: account(),
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

/** An entry that tells of changed bank details, by staff or by their owner. */
export const isBankChange = sql.raw(
  `action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['bankName', 'bankAccountNumber']`,
);

/** Entries about an account that tell of changed access to its money (`access-store.ts`). */
export const isAccessEntry = sql.raw(
  `(action in ('password_issued', 'otp_set', 'withdrawals_held') or action in ('member_updated', 'profile_updated') and after -> 'changed' ?| array['phone', 'bankName', 'bankAccountNumber'])`,
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
    /** Earlier versions kept references in the log (`renewal.ts`). */
    index('audit_entries_reference').on(table.id).where(sql`${table.after} ? 'reference'`),
    /** Whose passwords or codes were looked at in a list of several: such an entry has no one target. */
    index('audit_entries_revealed')
      .using('gin', sql`(${table.after} -> 'accountIds')`)
      .where(sql`${table.action} in ('password_revealed', 'code_revealed') and ${table.targetId} is null`),
  ],
);

/**
 * The audit log, sealed batch by batch: who changes, removes or slips in a sealed entry breaks its seal, and a seal is
 * chained to the one before. Append-only. The forms that are hashed are told in `audit-seals.ts`.
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
    accountId: account(),
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
