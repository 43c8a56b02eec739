import type { input } from 'zod/mini';
import type { EmbeddedUser, MemberReply } from '#contract/member.ts';
import type { UserReply } from '#contract/profile.ts';
import { creditTrendPercent } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';
import { accountStatus, isMainAdmin, rolesOf } from '#domain/member.ts';
import type { MessageChannel } from '#domain/message.ts';
import { type DocumentPiece, isVerified, type ProfileField, profileFieldNames } from '#domain/profile.ts';
import type { Deps } from '#server/deps.ts';
import { hourMs } from '#server/platform/clock.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import {
  type Account,
  type ListedAccount,
  type listedMember,
  profileColumn,
} from '#server/store/account-store.ts';

/** Returns the address that a stored image is read from. */
export const fileUrl = <Id extends string | null>(fileId: Id) =>
  (fileId === null ? null : `/api/files/${fileId}`) as Id extends null ? null : string;

/** Ties a sealed secret to its account and kind: in another row it does not open. */
export const secretContext = {
  otp: (accountId: number) => `otp:${accountId}`,
  password: (accountId: number) => `password:${accountId}`,
  /** A texted code, with the amount and account that it is for: staff's view does not open it. */
  textCode: (accountId: number) => `text code:${accountId}`,
  /** A code that confirms an address. */
  contactCode: (accountId: number, channel: MessageChannel) => `contact code:${accountId}:${channel}`,
  secondStep: (accountId: number) => `second step:${accountId}`,
};

type Profile = { [Name in ProfileField]: Account[(typeof profileColumn)[Name]] } & Record<
  DocumentPiece,
  string | null
>;

// Lists have a hundred thousand of these: objects are extended in place, since copying took longer than building them.
export function viewUser(account: ListedAccount): input<typeof UserReply> {
  const { status } = account;
  const profile = {
    idFrontUrl: fileUrl(account.idFrontFileId),
    idBackUrl: fileUrl(account.idBackFileId),
    selfieUrl: fileUrl(account.selfieFileId),
  } as Profile;
  for (const name of profileFieldNames) profile[name] = account[profileColumn[name]] as never;
  return Object.assign(profile, {
    id: account.id,
    phone: account.phone,
    balance: account.balanceCentavos,
    creditScore: account.creditScore,
    creditTrend: creditTrendPercent(account.previousCreditScore, account.creditScore),
    status,
    accountStatus: accountStatus(status),
    isAdmin: account.isAdmin,
    isMainAdmin: isMainAdmin(account),
    isVerified: isVerified(profile),
    mustChangePassword: account.isPasswordIssued && account.isAdmin,
    ...(account.isAdmin && { roles: rolesOf(account) }),
    ...(account.secondStepAt && {
      secondStep: { since: account.secondStepAt, recoveryCodesLeft: account.recoveryCodes?.length ?? 0 },
    }),
    ...(account.accessNewsSince && { accessNewsSince: account.accessNewsSince }),
    createdAt: account.createdAt,
  });
}

/** The secrets of a member that a reply holds: none in long lists (§secrets-in-answers). */
export type SecretsShown = { password: boolean; otp: boolean };
export const noSecrets: SecretsShown = { password: false, otp: false };

/** A member as staff see them. An expired code counts as none. */
export function viewMember(
  deps: Deps,
  account: ListedAccount,
  shown: SecretsShown,
): input<typeof MemberReply> {
  const code = viewOtp(deps, account, shown.otp);
  const hasIssuedPassword = hasReadablePassword(account, deps.clock.now());
  const sealedPassword = hasIssuedPassword && shown.password ? account.issuedPasswordSealed : null;
  return Object.assign(viewUser(account), {
    plainPassword: open(deps.secrets, sealedPassword, secretContext.password(account.id)),
    hasIssuedPassword,
    ...code,
    otpExpiresAt: code.hasOtpCode ? account.otpExpiresAt : null,
    phoneConfirmedAt: account.phoneConfirmedAt,
    phoneConfirmedBy:
      account.phoneConfirmedAt === null
        ? null
        : account.phoneConfirmedBy === account.id
          ? ('borrower' as const)
          : ('staff' as const),
    emailConfirmedAt: account.emailConfirmedAt,
    codeRequestedAt: account.codeRequestedAt,
    deletionRequestedAt: account.deletionRequestedAt,
    creditWithoutLoanAt: account.creditWithoutLoanAt,
    ...(account.phoneShare !== 0 && { sharesPhone: true as const }),
    ...(account.oldNumber !== null && { oldNumber: account.oldNumber }),
  });
}

type CodeHolder = Pick<Account, 'id' | 'otpCodeSealed' | 'otpExpiresAt'>;

/**
 * True if a one-time code is set, unused and not expired (§one-time-codes). A code that expires later than
 * one set now would was set while the clock was ahead, or under a longer OTP_TTL_HOURS, and does not count.
 */
export function hasLiveOtp({ clock, config }: Deps, { otpCodeSealed, otpExpiresAt }: CodeHolder) {
  if (otpCodeSealed === null || otpExpiresAt === null) return false;
  const leftMs = otpExpiresAt.getTime() - clock.now().getTime();
  return leftMs > 0 && leftMs <= config.otpTtlHours * hourMs + limits.clockSkewMs;
}

const issuedPasswordShownMs = limits.issuedPasswordShownDays * 24 * hourMs;

/**
 * An issued password is shown for seven days (§issued-passwords), and never if it was issued while the clock was ahead.
 */
function hasReadablePassword({ issuedPasswordSealed, issuedPasswordAt }: ListedAccount, now: Date): boolean {
  if (issuedPasswordSealed === null || issuedPasswordAt === null) return false;
  const ageMs = now.getTime() - issuedPasswordAt.getTime();
  return ageMs >= -limits.clockSkewMs && ageMs < issuedPasswordShownMs;
}

const open = (secrets: SecretBox, sealed: string | null, context: string): string | null =>
  sealed === null ? null : (secrets.open(sealed, context) ?? null);

function viewOtp(deps: Deps, account: CodeHolder & Pick<Account, 'isOtpByText'>, isShown: boolean) {
  const hasOtpCode = hasLiveOtp(deps, account);
  const sealed = hasOtpCode && isShown ? account.otpCodeSealed : null;
  return {
    hasOtpCode,
    otpCode: open(deps.secrets, sealed, secretContext.otp(account.id)),
    ...(hasOtpCode && account.isOtpByText && { otpByText: true as const }),
  };
}

export type EmbeddedMember = Pick<Account, keyof typeof listedMember>;

export function viewEmbeddedMember(
  deps: Deps,
  member: EmbeddedMember,
  showsCode: boolean,
): input<typeof EmbeddedUser> {
  return {
    id: member.id,
    fullName: member.fullName,
    email: member.email,
    phone: member.phone,
    balance: member.balanceCentavos,
    ...viewOtp(deps, member, showsCode),
    creditScore: member.creditScore,
  };
}
