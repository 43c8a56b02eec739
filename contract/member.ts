import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { ExpectedMember } from './edit-conflict.ts';
import {
  momentReply,
  newPassword,
  optional,
  pesosBetween,
  phone,
  says,
  searchText,
  sixDigits,
  wholeNumber,
} from './fields.ts';
import { documentUrls, MemberStatus, ProfileForm, UserReply } from './profile.ts';
import type { ValidationKey } from './wording/en.ts';

/** The number in the lender's older books of an account or loan that was taken over (§taking-over-a-book). */
export const oldNumber = z.optional(z.string());

/**
 * `plainPassword` and `otpCode` are null in replies of more than 50 rows; the flags are set in all
 * (§secrets-in-answers).
 */
export const MemberReply = z.extend(UserReply, {
  plainPassword: z.nullable(z.string()),
  hasIssuedPassword: z.boolean(),
  otpCode: z.nullable(z.string()),
  hasOtpCode: z.boolean(),
  otpExpiresAt: z.nullable(momentReply),
  /** A live code went to the member's phone: staff do not see it. */
  otpByText: z.optional(z.literal(true)),
  /** In the answer to setting a code: it was texted to the member too, so nobody has to read it out. */
  otpTexted: z.optional(z.literal(true)),
  /** When phone and e-mail address were confirmed for messages, and the phone by whom. */
  phoneConfirmedAt: z.nullable(momentReply),
  phoneConfirmedBy: z.nullable(z.enum(['borrower', 'staff'])),
  emailConfirmedAt: z.nullable(momentReply),
  /** Null unless the member asked for a code and none was set since. */
  codeRequestedAt: z.nullable(momentReply),
  deletionRequestedAt: z.nullable(momentReply),
  /** When staff last put money into the wallet that belongs to no loan; null if never. */
  creditWithoutLoanAt: z.nullable(momentReply),
  /** Another account has the same number (§shared-numbers). */
  sharesPhone: z.optional(z.literal(true)),
  oldNumber,
});
export type Member = z.output<typeof MemberReply>;

export const CreatedAccountReply = z.object({ user: MemberReply });

/** Only the phone is required; a missing password is generated (§registering). */
export const MemberCreation = z.extend(z.partial(ProfileForm), {
  phone,
  password: optional(newPassword),
  status: z.optional(MemberStatus),
});

/** The panel's member form (§editing-members). */
export const MemberForm = z.extend(ProfileForm, { phone, status: MemberStatus });

export const BalanceReason = z.enum(['admin_adjustment', 'correction'], says('balanceReasonUnknown'));
export type BalanceReason = z.output<typeof BalanceReason>;

/** Clients also send `adjustment`. Older ones sent `disbursement` to release a loan, which is refused now. */
const balanceReason = z.pipe(
  z
    .enum(['adjustment', 'disbursement', ...BalanceReason.options], says('balanceReasonUnknown'))
    .check(z.refine((reason) => reason !== 'disbursement', says('releaseTheLoan'))),
  z.transform((reason) => (reason === 'correction' ? reason : 'admin_adjustment')),
);

/** A one-time code set by staff (§one-time-codes). */
export const issuedCode = z
  .string(says('otpCodeSixDigits'))
  .check(z.minLength(1, says('otpCodeEmpty')), ...sixDigits(says('otpCodeSixDigits')));

export const passwordOr = (empty: ValidationKey) =>
  z.pipe(z.string(empty).check(z.minLength(1, empty)), newPassword);

export const issuedPassword = passwordOr(says('passwordEmpty'));

export const creditScore = wholeNumber(
  says('creditScoreRange'),
  [limits.staffCreditScoreMin, says('creditScoreRange')],
  [limits.staffCreditScoreMax, says('creditScoreRange')],
);

export const balance = pesosBetween(
  [0, says('balanceNegative')],
  [limits.balanceMaxCentavos, says('amountTooLarge')],
);

/**
 * Any subset of a member. Older clients also send `plainPassword`, which is ignored. `expectedBalance` and `expected`
 * prevent overwriting what changed meanwhile.
 */
export const MemberUpdate = z
  .extend(z.partial(z.extend(MemberForm, documentUrls)), {
    password: z.optional(issuedPassword),
    otpCode: z.optional(issuedCode),
    /** Staff saw that messages to this phone arrive. */
    phoneConfirmed: z.optional(z.literal(true, says('actionUnknown'))),
    balance: z.optional(balance),
    expectedBalance: z.optional(balance),
    reason: z.optional(balanceReason),
    loanId: z.optional(z.unknown()),
    creditScore: z.optional(creditScore),
    expected: z.optional(ExpectedMember),
  })
  .check(z.refine(({ loanId }) => loanId === undefined, { error: says('releaseTheLoan'), path: ['reason'] }));

/** Filters of a staff list. Empty text and the status `all` filter nothing. */
export const listQuery = <Status extends z.ZodMiniType>(status: Status, message: ValidationKey) =>
  z.object({
    search: z.optional(searchText({ message: says('textTooLong') })),
    status: z.optional(z.union([z.literal(''), z.literal('all'), status], says(message))),
  });

export const MembersQuery = listQuery(MemberStatus, 'memberStatusUnknown');

/** The member beside a loan or a withdrawal in a staff list. */
export const EmbeddedUser = z.pick(MemberReply, {
  id: true,
  fullName: true,
  email: true,
  phone: true,
  balance: true,
  otpCode: true,
  hasOtpCode: true,
  otpByText: true,
  creditScore: true,
});
