import type { Deps } from '#server/deps.ts';
import { changeAccount } from '#server/store/account-store.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import { lockOwnAccount } from './profile-service.ts';
import type { Caller } from './session-service.ts';
import { countToday } from './tries-service.ts';

/** Input of `DeletionRequestReply`. */
export const readDeletionRequest = ({ account }: Caller) => ({ requestedAt: account.deletionRequestedAt });

/**
 * Keeps that a borrower asks to be deleted (RA 10173, section 16(e)). Staff see it on the member and settle it by deleting
 * them. Asking again while it is open changes nothing. The borrower has it among their messages, so that a stranger who
 * asks for it does not go unnoticed.
 */
export async function requestDeletion(deps: Deps, caller: Caller, address: string) {
  return deps.database.transaction(async (tx) => {
    const account = await lockOwnAccount(tx, caller);
    const { id } = account;
    if (account.deletionRequestedAt !== null) return { requestedAt: account.deletionRequestedAt };
    await countToday(deps, tx, 'deletion_request', id);
    const now = deps.clock.now();
    await changeAccount(tx, id, { deletionRequestedAt: now, updatedAt: now });
    const target = { type: 'account' as const, id };
    await audit(deps, tx, { id, address }, { action: 'deletion_requested', target });
    await tellBorrower(deps, tx, id, 'deletion_requested');
    return { requestedAt: now };
  });
}

/** Takes the request back; nothing happens where there is none. */
export async function withdrawDeletion(deps: Deps, caller: Caller, address: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const account = await lockOwnAccount(tx, caller);
    const { id } = account;
    if (account.deletionRequestedAt === null) return;
    await countToday(deps, tx, 'deletion_request', id);
    await changeAccount(tx, id, { deletionRequestedAt: null, updatedAt: deps.clock.now() });
    const target = { type: 'account' as const, id };
    await audit(deps, tx, { id, address }, { action: 'deletion_withdrawn', target });
    await tellBorrower(deps, tx, id, 'deletion_withdrawn');
  });
}
