import { Secret, TOTP } from 'otpauth';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { KeptFailure } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { newRecoveryCode } from '#server/platform/randomness.ts';
import { type Account, type AccountChange, changeAccount } from '#server/store/account-store.ts';
import { secretContext } from './account-view.ts';

/** The columns of an account whose second step is off (§second-step). */
export const noSecondStep = {
  secondStepSealed: null,
  secondStepAt: null,
  secondStepUsed: null,
  recoveryCodes: null,
} satisfies AccountChange;

export const hasSecondStep = ({ secondStepAt }: Account): boolean => secondStepAt !== null;

export const mustSetUpSecondStep = ({ config }: Deps, account: Account): boolean =>
  config.isSecondStepRequired && account.isAdmin && !hasSecondStep(account);

/** Six digits of HMAC-SHA-1 in half a minute are what every authenticator app can do (RFC 6238). */
const totpOf = (secret: Secret, name: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...name,
    secret,
    algorithm: 'SHA1',
    digits: limits.otpLength,
    period: limits.secondStepSeconds,
  });

export function newSecret(deps: Deps, { id, email, phone }: Account) {
  const secret = new Secret({ size: 20 });
  const { name, tradeName: issuer = name } = deps.config.lender;
  return {
    secret: secret.base32,
    uri: totpOf(secret, { issuer, label: email ?? phone }).toString(),
    sealed: deps.secrets.seal(secret.base32, secretContext.secondStep(id)),
  };
}

/** The half-minute for which the account's app shows this code; undefined if it is wrong or was used before. */
export function stepOfCode(deps: Deps, account: Account, code: string): number | undefined {
  // Other characters take more bytes, and the library throws when lengths differ.
  const isDigits = /^\d+$/.test(code);
  const secret =
    isDigits &&
    account.secondStepSealed !== null &&
    deps.secrets.open(account.secondStepSealed, secretContext.secondStep(account.id));
  if (!secret) return undefined;
  const totp = totpOf(Secret.fromBase32(secret));
  // Authenticator apps use the real time, even in a demo.
  const timestamp = deps.clock.now().getTime() - (deps.clock.aheadMs ?? 0);
  const delta = totp.validate({ token: code, timestamp, window: limits.secondStepWindow });
  if (delta === null) return undefined;
  const present = totp.counter({ timestamp });
  const step = present + delta;
  const used = account.secondStepUsed ?? 0;
  // One much newer than now was used while the clock was ahead.
  const skewSteps = limits.clockSkewMs / 1000 / limits.secondStepSeconds;
  const isAhead = used > present + limits.secondStepWindow + skewSteps;
  return step > used || isAhead ? step : undefined;
}

const recoveryHash = (deps: Deps, { id }: Account, code: string) =>
  deps.secrets.fingerprint(code, `recovery code of ${id}`);

export function newRecoveryCodes(deps: Deps, account: Account) {
  const codes = Array.from({ length: limits.recoveryCodes }, newRecoveryCode);
  return { codes, hashes: codes.map((code) => recoveryHash(deps, account, bare(code))) };
}

/** Strips the spaces and dashes that people add when they copy a code. */
const bare = (typed: string) => typed.replace(/[\s\p{Dash_Punctuation}\u2212]/gu, '').toLowerCase();

/** Uses up a code from a locked account's app, or one of its recovery codes; the failure if it is neither. */
export async function spendCode(deps: Deps, tx: Tx, account: Account, typed: string) {
  const code = bare(typed);
  const secondStepUsed = stepOfCode(deps, account, code);
  const hash = recoveryHash(deps, account, code);
  if (secondStepUsed !== undefined) return changeAccount(tx, account.id, { secondStepUsed });
  if (!account.recoveryCodes?.includes(hash)) return new KeptFailure('wrong_code');
  const recoveryCodes = account.recoveryCodes.filter((one) => one !== hash);
  return changeAccount(tx, account.id, { recoveryCodes });
}
