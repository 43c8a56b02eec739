import * as z from 'zod/mini';
import { accessParts } from '#domain/withdrawal.ts';
import { changesSome, day, momentReply, moneyReply, numberText, optional, says } from './fields.ts';
import { EmbeddedUser, listQuery } from './member.ts';
import { WithdrawalReply, WithdrawalStatus } from './withdrawal.ts';

export const StaffWithdrawalReply = z.extend(WithdrawalReply, {
  user: EmbeddedUser,
  /**
   * Present if the withdrawal was held and the one person who could release it had changed the account's access or
   * balance.
   */
  isReleasedAlone: z.optional(z.literal(true)),
});
export type StaffWithdrawal = z.output<typeof StaffWithdrawalReply>;

/**
 * The people who recently changed the access to an account's money, the newest change of each kind
 * first. `isOwnRequest`: the caller is one of them, or raised the wallet, so that somebody else has to
 * complete the withdrawal.
 */
export const WithdrawalHoldReply = z.object({
  changes: z.array(
    z.object({
      what: z.enum(accessParts),
      actorId: z.nullable(z.number()),
      actorName: z.nullable(z.string()),
      isStaff: z.nullable(z.boolean()),
      at: momentReply,
    }),
  ),
  raises: z.array(
    z.object({ actorId: z.number(), actorName: z.string(), amount: moneyReply, at: momentReply }),
  ),
  /** Somebody else has to complete it, or release it. */
  isOwnRequest: z.boolean(),
  /** The member has the reader's own e-mail address, phone or bank account, or had it lately. */
  isOwnAccount: z.optional(z.literal(true)),
});
export type WithdrawalHold = z.output<typeof WithdrawalHoldReply>;

export const WithdrawalsQuery = z.extend(listQuery(WithdrawalStatus, 'withdrawalStatusUnknown'), {
  /** The day on which it was sent. */
  completedOn: z.optional(day),
});

export const WithdrawalUpdate = z
  .object({
    status: z.optional(WithdrawalStatus),
    bankReference: optional(numberText({ message: says('textUnreadable') })),
    processedAt: z.optional(z.nullable(z.iso.datetime({ offset: true, error: says('momentInvalid') }))),
  })
  .check(
    changesSome('status', 'bankReference'),
    z.refine(
      ({ status, bankReference }) =>
        bankReference === undefined || status === undefined || status === 'completed',
      { error: says('bankReferenceOnlyCompleted'), path: ['bankReference'] },
    ),
    z.refine(
      ({ status, processedAt }) =>
        processedAt === undefined || processedAt === null || status === 'completed',
      { error: says('processedAtOnlyCompleted'), path: ['processedAt'] },
    ),
  );
