import { createHash, timingSafeEqual } from 'node:crypto';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Account, type AccountChange, changeAccount } from '#server/store/account-store.ts';
import { countOtpTry } from '#server/store/member-store.ts';
import { hasLiveOtp, secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import type { Caller, Staff } from './session-service.ts';
import { lockOwnAccount } from './session-service.ts';
import { countCodeRequest } from './tries-service.ts';

const hourMs = 3_600_000;

const noCode = { otpCodeSealed: null, otpExpiresAt: null, otpWrongTries: 0 } satisfies AccountChange;

/**
 * A new one-time code for a member, as columns to be written: sealed, valid for `OTP_TTL_HOURS`, with no tries used
 * (§one-time-codes). Tells the log and the member that there is one, and neither which.
 */
export async function issueOtp(deps: Deps, tx: Tx, staff: Staff, account: Account, code: string) {
  const { otpTtlHours } = deps.config;
  const target = { type: 'account' as const, id: account.id };
  await audit(deps, tx, staff, { action: 'otp_set', target, after: { validHours: otpTtlHours } });
  await tellBorrower(deps, tx, account.id, 'otp_set', { hours: String(otpTtlHours) });
  return {
    otpCodeSealed: deps.secrets.seal(code, secretContext.otp(account.id)),
    otpExpiresAt: new Date(deps.clock.now().getTime() + otpTtlHours * hourMs),
    otpWrongTries: 0,
    codeRequestedAt: null,
  } satisfies AccountChange;
}

/**
 * Keeps that a borrower waits for a code, so that staff see it (§asking-for-a-code). Fails with
 * `code_already_requested` when they asked within the last ten minutes, also where a code was set since.
 */
export async function requestOtp(deps: Deps, caller: Caller): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { id } = await lockOwnAccount(tx, caller);
    await countCodeRequest(deps, tx, id);
    const now = deps.clock.now();
    await changeAccount(tx, id, { codeRequestedAt: now, updatedAt: now });
    await audit(deps, tx, caller, { action: 'otp_requested', target: { type: 'account', id } });
  });
}

/**
 * Uses an account's one-time code up. False when there is no live one or the typed one is wrong; the fifth wrong try
 * clears the code (§one-time-codes). `account` must be locked by this transaction, and the transaction must be
 * committed also when the answer is false, or the try would not count.
 */
export async function spendOtp(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  account: Account,
  typed: string,
): Promise<boolean> {
  if (!hasLiveOtp(deps, account) || account.otpCodeSealed === null) return false;
  const tries = await countOtpTry(tx, account.id);
  const code = deps.secrets.open(account.otpCodeSealed, secretContext.otp(account.id));
  const isRight = tries <= limits.otpMaxWrongTries && code !== undefined && areSame(code, typed);
  if (isRight) await changeAccount(tx, account.id, { ...noCode, codeRequestedAt: null });
  else if (tries >= limits.otpMaxWrongTries) await changeAccount(tx, account.id, noCode);
  if (!isRight) {
    await audit(deps, tx, caller, {
      action: 'otp_refused',
      target: { type: 'account', id: account.id },
      after: { wrongTries: tries, isCleared: tries >= limits.otpMaxWrongTries },
    });
  }
  return isRight;
}

/** Compared by digest, so that neither length nor content of the code shows in the time it takes. */
function areSame(code: string, typed: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(code), digest(typed));
}
