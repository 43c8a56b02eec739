import type { Deps } from '#server/deps.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { changeAccount, insertAccount } from '#server/store/account-store.ts';
import { type SecretsShown, viewMember } from './account-view.ts';
import { type Actor, audit } from './audit-service.ts';
import { issuedPasswordColumns } from './issued-password-service.ts';

type AdminForm = {
  email: string;
  password: string;
  fullName?: string | undefined;
  phone?: string | undefined;
};

/**
 * Creates an admin, who signs in with the email, or the phone if there is one (§main-admin). The password counts
 * as issued: shown to the main admin until its owner sets their own. A taken email or phone is told by the constraint.
 */
export async function createAdmin(deps: Deps, actor: Actor, form: AdminForm, wants: SecretsShown) {
  const password = { plain: form.password, hash: await deps.passwords.hash(form.password) };
  const now = deps.clock.now();
  const { fullName = '', phone = '', email } = form;
  return deps.database.transaction(async (tx) => {
    const inserted = await insertAccount(tx, {
      fullName,
      phone,
      email,
      isAdmin: true,
      status: 'active',
      phoneKey: phone === '' ? null : phoneKey(phone),
      passwordHash: password.hash,
      createdAt: now,
      updatedAt: now,
    });
    // The seal is bound to the account's id, which is known only now.
    const account = await changeAccount(tx, inserted.id, issuedPasswordColumns(deps, inserted.id, password));
    const target = { type: 'account' as const, id: account.id };
    await audit(deps, tx, actor, { action: 'admin_created', target });
    await audit(deps, tx, actor, { action: 'password_issued', target });
    if (wants.password) await audit(deps, tx, actor, { action: 'password_revealed', target });
    return { user: viewMember(deps, account, wants) };
  });
}
