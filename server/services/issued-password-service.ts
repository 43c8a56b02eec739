import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Account, AccountChange } from '#server/store/account-store.ts';
import { keptSpan } from '#server/store/kept-span.ts';
import { eraseIssuedPasswords } from '#server/store/member-store.ts';
import { deleteSessionsOf } from '#server/store/session-store.ts';
import { secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { holdAfterBoth } from './hold-service.ts';
import { tellBorrower } from './notice-service.ts';
import type { Staff } from './session-service.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A password as typed and its hash, made outside the transaction because it takes long. */
export type HashedPassword = { plain: string; hash: string };

/** Throws `PasswordQueueFull`. */
export async function hashed(deps: Deps, plain: string): Promise<HashedPassword> {
  return { plain, hash: await deps.passwords.hash(plain) };
}

/** An issued password as columns to be written: it can be read again for seven days (§issued-passwords). */
export function issuedPasswordColumns(deps: Deps, accountId: number, { plain, hash }: HashedPassword) {
  return {
    passwordHash: hash,
    isPasswordIssued: true,
    issuedPasswordSealed: deps.secrets.seal(plain, secretContext.password(accountId)),
    issuedPasswordAt: deps.clock.now(),
  } satisfies AccountChange;
}

/**
 * A password that staff set, as columns to be written; every session of the account ends, and a member is told and has
 * their withdrawals looked at for a while. The main admin who sets their own issues nothing: it stays unreadable, and
 * the session they are using goes on.
 */
export async function setPassword(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  account: Account,
  password: HashedPassword,
): Promise<AccountChange> {
  const target = { type: 'account' as const, id: account.id };
  if (account.id === staff.id) {
    await deleteSessionsOf(tx, account.id, staff.tokenHash);
    await audit(deps, tx, staff, { action: 'own_password_changed', target });
    return {
      passwordHash: password.hash,
      isPasswordIssued: false,
      issuedPasswordSealed: null,
      issuedPasswordAt: null,
    };
  }
  await deleteSessionsOf(tx, account.id);
  await audit(deps, tx, staff, { action: 'password_issued', target });
  if (!account.isAdmin) await tellBorrower(deps, tx, account.id, 'password_set');
  await holdAfterBoth(deps, tx, staff, account, 'password');
  return { ...issuedPasswordColumns(deps, account.id, password), staffChangedAccessAt: deps.clock.now() };
}

/**
 * Erases the readable copies of passwords issued seven days ago or earlier; how many. No answer shows them any more
 * even before: this takes them out of the database, and is to be run now and then.
 */
export async function eraseOldIssuedPasswords(deps: Deps): Promise<number> {
  const kept = keptSpan(deps.clock.now(), limits.issuedPasswordShownDays * dayMs);
  return deps.database.transaction((tx) => eraseIssuedPasswords(tx, kept));
}
