import { centavos } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import type { Account } from '#server/store/account-store.ts';
import { hasLiveOtp, secretContext } from './account-view.ts';

/** As much of an account as a staff list shows beside a row of its own. */
export type EmbeddedMember = Pick<
  Account,
  'id' | 'fullName' | 'email' | 'phone' | 'balanceCentavos' | 'creditScore' | 'otpCodeSealed' | 'otpExpiresAt'
>;

/** The member that a row of a staff list belongs to. */
export function viewEmbeddedMember(deps: Deps, member: EmbeddedMember, showsCode: boolean) {
  const hasOtpCode = hasLiveOtp(deps, member);
  const sealed = hasOtpCode && showsCode ? member.otpCodeSealed : null;
  return {
    id: member.id,
    fullName: member.fullName,
    email: member.email,
    phone: member.phone,
    balance: centavos(member.balanceCentavos),
    otpCode: sealed === null ? null : (deps.secrets.open(sealed, secretContext.otp(member.id)) ?? null),
    hasOtpCode,
    creditScore: member.creditScore,
  };
}
