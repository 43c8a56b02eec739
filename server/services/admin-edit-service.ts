import type { output } from 'zod/mini';
import type { AdminUpdate } from '#contract/staff.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import {
  type AccountChange,
  changeAccount,
  findAdminByEmail,
  lockAccount,
  personChange,
} from '#server/store/account-store.ts';
import { audit } from './audit-service.ts';
import { requireAdminUnchanged } from './edited-meanwhile.ts';
import { hashed, setPassword } from './issued-password-service.ts';
import { type MemberView, type StaffReader, withSecrets } from './member-list-service.ts';
import { requireWayIn } from './member-service.ts';

/** As the schema has read it. */
type AdminEdit = output<typeof AdminUpdate>;

/**
 * Changes the email or the password of an admin, or both; only the main admin gets here (§main-admin). Fails
 * with `not_found` unless there is such an admin, with `edited_meanwhile`, and with `email_taken`.
 */
export async function updateAdmin(
  deps: Deps,
  staff: StaffReader,
  id: number,
  edit: AdminEdit,
): Promise<MemberView> {
  const password = await hashed(deps, edit.password);
  const changed = await deps.database.transaction(async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account?.isAdmin) fail('not_found');
    requireAdminUnchanged(account, edit, edit.expected);
    const change: AccountChange = { updatedAt: deps.clock.now() };
    if (edit.email !== undefined && edit.email !== account.email) {
      const { email } = edit;
      requireWayIn(account, { phone: account.phone, email });
      const emailKey = email?.toLowerCase() ?? null;
      const holder = emailKey === null ? undefined : await findAdminByEmail(tx, emailKey);
      if (holder && holder.id !== id) fail('email_taken');
      Object.assign(change, personChange(account, { email }));
      await audit(
        deps,
        tx,
        { id: staff.caller.account.id, address: staff.address },
        { action: 'admin_updated', target: { type: 'account', id }, after: { changed: ['email'] } },
      );
    }
    if (password) Object.assign(change, await setPassword(deps, tx, staff, account, password));
    return changeAccount(tx, id, change);
  });
  return withSecrets(deps, staff, changed);
}
