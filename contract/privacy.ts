import * as z from 'zod/mini';
import { consentPurposes } from '#domain/member.ts';
import { messageChannels, messageStates } from '#domain/message.ts';
import { attempt, ComplaintReply } from './collection.ts';
import { each, momentReply, moneyReply, password } from './fields.ts';
import { ContractBorrower, ContractLender, LoanRecord } from './loan.ts';
import { NotificationReply } from './notification.ts';
import { DocumentReply, UserReply } from './profile.ts';
import { LoanEventReply, PaymentReply } from './servicing.ts';
import { WithdrawalReply } from './withdrawal.ts';

/** The caller's own password once more: a phone found open, or a stolen token, is not enough. */
export const OwnPassword = z.object({ password });

/** Null if the caller never asked for deletion, or cancelled the request. */
export const DeletionRequestReply = z.object({ requestedAt: z.nullable(momentReply) });

// A person's own data. Columns not listed here cannot leak: no password, no code, no hash of either.

export const OwnProfile = z.extend(UserReply, {
  previousCreditScore: z.nullable(z.number()),
  ...each(z.nullable(momentReply), 'passwordIssuedAt', 'oneTimeCodeExpiresAt', 'codeRequestedAt'),
  ...each(
    z.nullable(momentReply),
    'staffChangedAccessAt',
    'verifiedAt',
    'creditWithoutLoanAt',
    'deletionRequestedAt',
  ),
  /** The owner confirmed phone and e-mail address then, and wants these messages, in this language. */
  ...each(z.nullable(momentReply), 'phoneConfirmedAt', 'emailConfirmedAt', 'wantsChangedAt'),
  wantsReminders: z.boolean(),
  wantsNews: z.boolean(),
  language: z.nullable(z.enum(['en', 'fil'])),
  /** The number in the lender's older books, if the account was taken over. */
  oldNumber: z.nullable(z.string()),
  updatedAt: momentReply,
});

/** `file` is the picture's path in the archive; null if it is left out. */
export const OwnDocument = z.extend(DocumentReply, {
  file: z.nullable(z.string()),
  createdAt: momentReply,
});

/**
 * `terms`: every version, exactly as frozen. `history`: events since the disbursement; `undoes` is the event that this
 * one reverses.
 */
export const OwnLoan = z.extend(LoanRecord, {
  oldNumber: z.nullable(z.string()),
  deletedAt: z.nullable(momentReply),
  terms: z.array(
    z.object({
      version: z.number(),
      hash: z.string(),
      issuedAt: momentReply,
      agreedAt: z.nullable(momentReply),
      quote: z.record(z.string(), z.unknown()),
      agreement: z.nullable(z.record(z.string(), z.unknown())),
      agreementHash: z.nullable(z.string()),
      lender: z.nullable(ContractLender),
      borrower: z.nullable(z.extend(ContractBorrower, { salt: z.string() })),
    }),
  ),
  history: z.array(
    z.extend(LoanEventReply, {
      reference: z.nullable(z.string()),
      undoes: z.nullable(z.number()),
      reason: z.string(),
    }),
  ),
});

/** A payment without the member of staff who recorded it: that is personal data of the staff. */
export const OwnPayment = z.omit(PaymentReply, { recordedBy: true, confirmedBy: true });

/** A line of the lender's own bank or wallet that was matched with a loan of the person. */
export const OwnStatementLine = z.object({
  loanId: z.number(),
  date: z.string(),
  amount: moneyReply,
  reference: z.nullable(z.string()),
  paymentId: z.nullable(z.number()),
});

export const OwnWithdrawal = z.extend(WithdrawalReply, { updatedAt: momentReply });

/** `amount` is negative for money out. */
export const OwnLedgerEntry = z.object({
  sequence: z.number(),
  type: z.string(),
  amount: moneyReply,
  balanceAfter: moneyReply,
  reason: z.string(),
  withdrawalId: z.nullable(z.number()),
  createdAt: momentReply,
});

/** A message that left the app, or was about to: never a code. `details` go after 90 days. */
export const OwnMessage = z.object({
  kind: z.string(),
  channel: z.enum(messageChannels),
  sentTo: z.string(),
  state: z.enum(messageStates),
  reason: z.nullable(z.string()),
  tries: z.number(),
  details: z.nullable(z.record(z.string(), z.string())),
  createdAt: momentReply,
});

export const OwnConsent = z.object({
  purpose: z.enum(consentPurposes),
  language: z.nullable(z.enum(['en', 'fil'])),
  wording: z.string(),
  createdAt: momentReply,
});

export const OwnSession = z.object({
  createdAt: momentReply,
  expiresAt: momentReply,
  endedAt: z.nullable(momentReply),
});

/** Staff appear only as `staff`: their names and addresses are their own data. */
export const OwnEvent = z.object({
  action: z.string(),
  by: z.enum(['you', 'staff', 'unknown']),
  ipAddress: z.nullable(z.string()),
  targetType: z.nullable(z.string()),
  targetId: z.nullable(z.number()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  createdAt: momentReply,
});

/**
 * Staff's note of each attempt to reach the person about a loan. It leaves out who wrote it: that
 * is the staff's own data.
 */
export const OwnContact = z.object({
  ...attempt,
  /** Null for a message to a person without a loan. */
  loanId: z.nullable(z.number()),
  note: z.string(),
  promise: z.nullable(z.object({ date: z.string(), amount: moneyReply })),
});

export const OwnComplaint = z.omit(ComplaintReply, { loanNumber: true });

export const OwnDataReply = z.object({
  about: z.object({ lender: z.string(), accountId: z.number(), exportedAt: momentReply }),
  profile: OwnProfile,
  documents: z.array(OwnDocument),
  loans: z.array(OwnLoan),
  withdrawals: z.array(OwnWithdrawal),
  ledgerEntries: z.array(OwnLedgerEntry),
  payments: z.array(OwnPayment),
  statementLines: z.array(OwnStatementLine),
  contacts: z.array(OwnContact),
  complaints: z.array(OwnComplaint),
  notifications: z.array(NotificationReply),
  messages: z.array(OwnMessage),
  consents: z.array(OwnConsent),
  sessions: z.array(OwnSession),
  events: z.array(OwnEvent),
});
