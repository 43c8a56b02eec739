import type { output } from 'zod/mini';
import type { MemberCreation } from '#contract/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { changeAccount, findAccountByPhone, insertAccount } from '#server/store/account-store.ts';
import { allSecrets, viewMember } from './account-view.ts';
import { audit } from './audit-service.ts';
import { issuedPasswordColumns } from './issued-password-service.ts';
import type { StaffReader } from './member-list-service.ts';
import { profileColumns } from './profile-columns.ts';
import { failWhenPhoneIsTaken } from './registration-service.ts';

/**
 * Creates a member on their behalf (§registering, register with an admin's token): the password, generated when
 * none is given, counts as issued, so the member's withdrawals are looked at for the first while. Fails with
 * `already_registered` when the phone is taken. Answers the input of `CreatedMemberReply`.
 */
export async function createMember(deps: Deps, staff: StaffReader, form: output<typeof MemberCreation>) {
  const { phone, password, status = 'pending', ...profile } = form;
  const key = phoneKey(phone);
  const taken = await deps.database.read((reader) => findAccountByPhone(reader, key));
  if (taken) fail('already_registered');

  const plain = password ?? newPassword(deps.random);
  const hash = await deps.passwords.hash(plain);
  const columns = profileColumns(profile);
  const now = deps.clock.now();
  const actor = { id: staff.caller.account.id, address: staff.address };
  const { wants = allSecrets } = staff;

  const created = deps.database.transaction(async (tx) => {
    const { id } = await insertAccount(tx, {
      ...columns,
      phone,
      status,
      phoneKey: key,
      passwordHash: hash,
      staffChangedAccessAt: now,
      createdAt: now,
      updatedAt: now,
    });
    // The seal is bound to the account's id, which is known only now.
    const account = await changeAccount(tx, id, issuedPasswordColumns(deps, id, { plain, hash }));
    const target = { type: 'account' as const, id };
    const changed = ['phone', ...Object.keys(columns)];
    await audit(deps, tx, actor, { action: 'member_created', target, after: { status, changed } });
    await audit(deps, tx, actor, { action: 'password_issued', target });
    if (wants.password) await audit(deps, tx, actor, { action: 'password_revealed', target });
    return { user: viewMember(deps, account, wants) };
  });
  return created.catch(failWhenPhoneIsTaken);
}
