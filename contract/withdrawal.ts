import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import { momentReply, moneyReply, numberText, pesosBetween, says, sixDigits, text } from './fields.ts';

/** Exactly six digits (§one-time-codes). */
export const oneTimeCode = z.string(says('otpSixDigits')).check(...sixDigits(says('otpSixDigits')));

export const WithdrawalStatus = z.enum(withdrawalStatuses, says('withdrawalStatusUnknown'));

/** The first dialog: everything except the code. */
export const WithdrawalForm = z.object({
  amount: pesosBetween([limits.withdrawalMinCentavos, says('minimumWithdrawal')]),
  bankName: text({ min: limits.bankNameMinLength, message: says('bankNameRequired') }),
  bankAccountNumber: numberText({
    min: limits.bankAccountNumberMinLength,
    message: says('bankAccountNumberRequired'),
  }),
});

export const WithdrawalRequest = z.extend(WithdrawalForm, { otp: oneTimeCode });

export const WithdrawalReply = z.object({
  id: z.number(),
  userId: z.number(),
  withdrawalNumber: z.string(),
  amount: moneyReply,
  bankName: z.string(),
  bankAccountNumber: z.string(),
  status: WithdrawalStatus,
  createdAt: momentReply,
  processedAt: z.nullable(momentReply),
  /** The bank's number of the transfer, once staff have written it down. */
  bankReference: z.nullable(z.string()),
});
export type Withdrawal = z.output<typeof WithdrawalReply>;
