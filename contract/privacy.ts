import * as z from 'zod/mini';
import { UserReply } from './account.ts';
import { momentReply, moneyReply } from './fields.ts';
import { LoanRecord } from './loan.ts';
import { NotificationReply } from './notification.ts';
import { WithdrawalReply } from './withdrawal.ts';

/** Whether the caller has asked for deletion, and when; null when not, or when it was taken back. */
export const DeletionRequestReply = z.object({ requestedAt: z.nullable(momentReply) });

// What a person gets of their own data, part by part. A column that is not in here cannot get out: no password, no code,
// no hash of either.

/** All of the account that is not already in `UserReply`. */
export const OwnProfile = z.extend(UserReply, {
  previousCreditScore: z.nullable(z.number()),
  passwordIssuedAt: z.nullable(momentReply),
  oneTimeCodeExpiresAt: z.nullable(momentReply),
  codeRequestedAt: z.nullable(momentReply),
  staffChangedAccessAt: z.nullable(momentReply),
  creditWithoutLoanAt: z.nullable(momentReply),
  deletionRequestedAt: z.nullable(momentReply),
  updatedAt: momentReply,
});

/** `file` is the picture's place in the archive, null where it has none. */
export const OwnDocument = z.object({
  id: z.string(),
  url: z.string(),
  file: z.nullable(z.string()),
  contentType: z.string(),
  size: z.number(),
  width: z.number(),
  height: z.number(),
  createdAt: momentReply,
});

/**
 * With every version of what was agreed to, schedule included, letter for letter as it was frozen; `deletedAt` when staff
 * took it out of the lists.
 */
export const OwnLoan = z.extend(LoanRecord, {
  deletedAt: z.nullable(momentReply),
  terms: z.array(
    z.object({
      version: z.number(),
      hash: z.string(),
      issuedAt: momentReply,
      agreedAt: z.nullable(momentReply),
      quote: z.record(z.string(), z.unknown()),
    }),
  ),
});

export const OwnWithdrawal = z.extend(WithdrawalReply, { updatedAt: momentReply });

/** A movement of money; `amount` is negative for money that left. */
export const OwnLedgerEntry = z.object({
  sequence: z.number(),
  type: z.string(),
  amount: moneyReply,
  balanceAfter: moneyReply,
  reason: z.string(),
  withdrawalId: z.nullable(z.number()),
  createdAt: momentReply,
});

export const OwnConsent = z.object({
  purpose: z.string(),
  language: z.nullable(z.enum(['en', 'fil'])),
  wording: z.string(),
  createdAt: momentReply,
});

export const OwnSession = z.object({
  createdAt: momentReply,
  expiresAt: momentReply,
  endedAt: z.nullable(momentReply),
});

/** What happened to the account. Of staff only that it was staff: who, and from where, is their own data. */
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

/** All that is stored about a person, as the file that they download. */
export const OwnDataReply = z.object({
  about: z.object({ lender: z.string(), accountId: z.number(), exportedAt: momentReply }),
  profile: OwnProfile,
  documents: z.array(OwnDocument),
  loans: z.array(OwnLoan),
  withdrawals: z.array(OwnWithdrawal),
  ledgerEntries: z.array(OwnLedgerEntry),
  notifications: z.array(NotificationReply),
  consents: z.array(OwnConsent),
  sessions: z.array(OwnSession),
  events: z.array(OwnEvent),
});
