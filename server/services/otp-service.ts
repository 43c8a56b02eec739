import type { output } from 'zod/mini';
import type { WithdrawalRequest } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { hourMs } from '#server/platform/clock.ts';
import { isSameSecret } from '#server/platform/secret-box.ts';
import { type Account, type AccountChange, changeAccount, noCode } from '#server/store/account-store.ts';
import { hasLiveOtp, secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { countWrongTextCode, isRightTextCode, textIssuedCode } from './contact-details-service.ts';
import { tellBorrower } from './notice-service.ts';
import { type Act, lockOwnAccount, type Staff } from './session-service.ts';
import { countCodeRequest } from './tries-service.ts';

/**
 * The columns of a new one-time code: sealed, valid for `OTP_TTL_HOURS`, no tries used (§one-time-codes). Log and
 * member learn that there is a code, not which; `isTexted` if it went to the member's phone.
 */
export async function issueOtp(act: Act<Staff>, account: Account, code: string) {
  const { deps } = act;
  const { otpTtlHours } = deps.config;
  const otpCodeSealed = deps.secrets.seal(code, secretContext.otp(account.id));
  const otpExpiresAt = new Date(deps.clock.now().getTime() + otpTtlHours * hourMs);
  await audit(act, 'otp_set', { account: account.id }, { after: { validHours: otpTtlHours } });
  const texted = { otpCodeSealed, expiresAt: otpExpiresAt, hours: otpTtlHours };
  const isTexted = await textIssuedCode(act, account, texted);
  const details = { hours: String(otpTtlHours), ...(isTexted && { byText: '1' }) };
  const telling = { ...act, isToldOutside: !isTexted };
  await tellBorrower(telling, account.id, 'otp_set', details);
  const change = {
    otpCodeSealed,
    otpExpiresAt,
    isOtpByText: false,
    otpWrongTries: 0,
    codeRequestedAt: null,
  } satisfies AccountChange;
  return { change, isTexted };
}

/** §asking-for-a-code: once in ten minutes, even if a code was set since. */
export async function requestOtp(act: Act): Promise<void> {
  const { deps, tx } = act;
  const { id } = await lockOwnAccount(act);
  await countCodeRequest(act);
  const now = deps.clock.now();
  await changeAccount(tx, id, { codeRequestedAt: now, updatedAt: now });
  await audit(act, 'otp_requested', { account: id });
}

/**
 * Checks the entered code against the account's live one. A wrong code counts as a try, and the fifth
 * clears the stored one (§one-time-codes); the right code is used up with the money it releases
 * (`moveMoney`). A texted one is good for its own amount and account only. This transaction must have locked `account`, and must commit even if the result is false,
 * or the try would not count.
 */
export async function isRightOtp(
  act: Act,
  account: Account,
  { otp: typed, ...withdrawal }: output<typeof WithdrawalRequest>,
): Promise<boolean> {
  const { deps, tx } = act;
  if (!hasLiveOtp(deps, account) || account.otpCodeSealed === null) return false;
  const tries = account.otpWrongTries + 1;
  const isRight = account.isOtpByText
    ? isRightTextCode(deps, account, typed, withdrawal)
    : isSameSecret(deps.secrets.open(account.otpCodeSealed, secretContext.otp(account.id)) ?? '', typed);
  if (tries <= limits.otpMaxWrongTries && isRight) return true;
  if (account.isOtpByText) await countWrongTextCode(act, account.id);
  const isCleared = tries >= limits.otpMaxWrongTries;
  await changeAccount(tx, account.id, isCleared ? noCode : { otpWrongTries: tries });
  await audit(act, 'otp_refused', { account: account.id }, { after: { wrongTries: tries, isCleared } });
  return false;
}
