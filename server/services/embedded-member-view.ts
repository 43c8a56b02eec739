import { centavos } from '#domain/money.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import type { Account } from '#server/store/account-store.ts';
import { hasLiveOtp, secretContext } from './account-view.ts';

/** As much of an account as a staff list shows beside a row of its own. */
export type EmbeddedMember = Pick<
  Account,
  'id' | 'fullName' | 'email' | 'phone' | 'balanceCentavos' | 'creditScore' | 'otpCodeSealed' | 'otpExpiresAt'
>;

/** The member that a row of a staff list belongs to. Without `secrets` the code stays hidden. */
export function viewEmbeddedMember(member: EmbeddedMember, now: Date, secrets?: SecretBox) {
  const hasOtpCode = hasLiveOtp(member, now);
  const sealed = hasOtpCode && secrets ? member.otpCodeSealed : null;
  return {
    id: member.id,
    fullName: member.fullName,
    email: member.email,
    phone: member.phone,
    balance: centavos(member.balanceCentavos),
    otpCode: sealed === null ? null : (secrets?.open(sealed, secretContext.otp(member.id)) ?? null),
    hasOtpCode,
    creditScore: member.creditScore,
  };
}
