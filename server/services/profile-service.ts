import type { DateLanguage } from '#domain/calendar.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Account, changeAccount, personChange } from '#server/store/account-store.ts';
import { type FilesToAttach, lockFilesOf } from '#server/store/document-store.ts';
import { closeAccessNews } from '#server/store/notification-store.ts';
import { viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { holdAfterBoth } from './hold-service.ts';
import {
  changedNames,
  filesToAttach,
  isBankAmong,
  isDocument,
  type ProfileChange,
  profileColumns,
} from './profile-columns.ts';
import { type Caller, lockOwnAccount } from './session-service.ts';
import { countToday } from './tries-service.ts';

/**
 * Changes what was sent of a borrower's own profile (§profile-fields) and answers the whole account. Fails with
 * `foreign_document` for an image that this account neither uploaded nor has in the same place already, and with
 * `too_many_requests` after a day's share. `language` is the form's, for what was agreed to by sending it.
 */
export async function updateProfile(
  deps: Deps,
  caller: Caller,
  change: ProfileChange,
  language: DateLanguage | null,
) {
  return deps.database.transaction(async (tx) => {
    const account = await lockOwnAccount(tx, caller);
    const columns = profileColumns(change);
    await requireOwnFiles(tx, account, filesToAttach(columns, account, deps.clock.now()));
    const names = changedNames(account, columns);
    if (names.length === 0) return viewUser(account);
    await countToday(deps, tx, 'profile_change', account.id);

    const person = personChange(account, columns);
    const changed = await changeAccount(tx, account.id, { ...person, updatedAt: deps.clock.now() });
    const target = { type: 'account' as const, id: account.id };
    await audit(deps, tx, caller, { action: 'profile_updated', target, after: { changed: names } });
    if (isBankAmong(names)) await holdAfterBoth(deps, tx, caller, account, 'bank');
    for (const purpose of ['profile', 'documents'] as const) {
      const isMeant = names.some((name) => isDocument(name) === (purpose === 'documents'));
      if (isMeant) await recordConsent(deps, tx, account.id, purpose, language);
    }
    return viewUser(changed);
  });
}

/** Shows the messages of changed access up to this one no longer after a sign-in. */
export async function closeNews(deps: Deps, caller: Caller, lastId: number): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { id } = await lockOwnAccount(tx, caller);
    await closeAccessNews(tx, id, lastId);
  });
}

async function requireOwnFiles(tx: Tx, account: Account, wanted: FilesToAttach): Promise<void> {
  const own = await lockFilesOf(tx, account.id, wanted);
  if (wanted.ids.some((id) => !own.has(id))) fail('foreign_document');
}
