import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { dayMs } from '#server/platform/clock.ts';
import { deleteSessionsOf } from '#server/store/access-store.ts';
import {
  type Account,
  type AccountChange,
  eraseIssuedPasswords,
  ownPassword,
} from '#server/store/account-store.ts';
import { keptSpan } from '#server/store/spans.ts';
import { secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import type { Act, Staff } from './session-service.ts';
import { holdAfterBoth } from './withdrawal-hold-service.ts';

/** Hashed outside transactions because it is slow. */
export type HashedPassword = { plain: string; hash: string };

/** Throws `Overloaded`. */
export async function hashed(deps: Deps, plain: string): Promise<HashedPassword> {
  return { plain, hash: await deps.passwords.hash(plain) };
}

/** The columns of an issued password, which staff can read for seven days (§issued-passwords). */
export function issuedPasswordColumns(deps: Deps, accountId: number, { plain, hash }: HashedPassword) {
  return {
    passwordHash: hash,
    isPasswordIssued: true,
    issuedPasswordSealed: deps.secrets.seal(plain, secretContext.password(accountId)),
    issuedPasswordAt: deps.clock.now(),
  } satisfies AccountChange;
}

/**
 * The columns of a password set by staff. Every session of the account ends; a member is notified, and their
 * withdrawals are held for a while. The main admin's own password is not issued: nobody can read it, and the current
 * session continues.
 */
export async function setPassword(
  act: Act<Staff>,
  account: Account,
  password: HashedPassword,
): Promise<AccountChange> {
  const { deps, tx, actor: staff } = act;
  if (account.id === staff.id) {
    await deleteSessionsOf(tx, account.id, staff.tokenHash);
    await audit(act, 'own_password_changed', { account: account.id });
    return ownPassword(password.hash);
  }
  await deleteSessionsOf(tx, account.id);
  await audit(act, 'password_issued', { account: account.id });
  if (!account.isAdmin) await tellBorrower(act, account.id, 'password_set');
  await holdAfterBoth(act, account, 'password');
  return { ...issuedPasswordColumns(deps, account.id, password), staffChangedAccessAt: deps.clock.now() };
}

/** Replies stopped showing them before. */
export async function eraseOldIssuedPasswords(deps: Deps): Promise<number> {
  const kept = keptSpan(deps.clock.now(), limits.issuedPasswordShownDays * dayMs);
  return deps.database.transaction((tx) => eraseIssuedPasswords(tx, kept));
}
