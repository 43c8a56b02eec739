import type { Member } from '#contract/member.ts';

/** A member as far as their money goes: from the members list, or as they stand in a loan. */
export type MoneyHolder = Pick<
  Member,
  'id' | 'fullName' | 'phone' | 'balance' | 'creditScore' | 'hasOtpCode'
> &
  Partial<Pick<Member, 'creditTrend' | 'otpExpiresAt' | 'codeRequestedAt' | 'creditWithoutLoanAt'>>;
