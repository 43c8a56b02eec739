import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { changeAccount } from '#server/store/account-store.ts';
import { deleteSessionsOf } from '#server/store/session-store.ts';
import { audit } from './audit-service.ts';
import { lockOwnAccount } from './profile-service.ts';
import type { Caller } from './session-service.ts';
import { countToday, tryPassword } from './tries-service.ts';

type PasswordChange = { currentPassword: string; newPassword: string };

/**
 * Sets a password that from then on only its owner knows: an issued one is erased, and every session but the one that
 * asks ends at once (§passwords). Fails with `wrong_password`, which counts as a try, also when
 * the password was changed by somebody else meanwhile.
 */
export async function changePassword(deps: Deps, caller: Caller, change: PasswordChange, address: string) {
  const { account } = caller;
  // Counted with the account's sign-ins, so that here nobody gets ten more guesses.
  const tried = { accountId: account.id, name: '', address };
  const isRight = () => deps.passwords.verify(account.passwordHash, change.currentPassword);
  if (!(await tryPassword(deps, tried, isRight))) fail('wrong_password');

  const passwordHash = await deps.passwords.hash(change.newPassword);
  await deps.database.transaction(async (tx) => {
    const locked = await lockOwnAccount(tx, caller);
    if (locked.passwordHash !== account.passwordHash) fail('wrong_password');
    await countToday(deps, tx, 'password_change', account.id);
    await changeAccount(tx, account.id, {
      passwordHash,
      isPasswordIssued: false,
      issuedPasswordSealed: null,
      issuedPasswordAt: null,
      updatedAt: deps.clock.now(),
    });
    await deleteSessionsOf(tx, account.id, caller.tokenHash);
    const target = { type: 'account' as const, id: account.id };
    await audit(deps, tx, { id: account.id, address }, { action: 'own_password_changed', target });
  });
}
