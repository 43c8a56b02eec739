import { limits } from '#domain/limits.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import { areHeldLonger, readAccessChanges } from '#server/store/access-change-store.ts';
import type { Account } from '#server/store/account-store.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import type { Act } from './session-service.ts';

/**
 * If staff issue a password and the bank details change within the same weeks, withdrawals are held for weeks instead
 * of days. One person may be behind both: somebody who deceived staff, or one of the staff. `changed` is the one
 * changing now; `account` is the row before it. Bank details that the borrower entered before the password was issued
 * do not count.
 */
export async function holdAfterBoth(act: Act, account: Account, changed: 'bank' | 'password'): Promise<void> {
  const { deps, tx } = act;
  if (account.isAdmin || account.bankAccountNumber === null) return;
  const since = accessChangesSince(deps.clock.now());
  const changes = await readAccessChanges(tx, account.id, since);
  const isOther = ({ what, actorId }: (typeof changes)[number]) =>
    changed === 'bank' ? what === 'password' : what === 'bank' && actorId !== account.id;
  if (!changes.some(isOther)) return;
  const isNews = !(await areHeldLonger(tx, account.id, since));
  const days = limits.accessChangeDays;
  await audit(act, 'withdrawals_held', { account: account.id }, { after: { days } });
  if (isNews) await tellBorrower(act, account.id, 'withdrawals_held', { days: String(days) });
}
