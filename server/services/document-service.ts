import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import { newFileId } from '#server/platform/randomness.ts';
import {
  deleteFiles,
  dropSurplusFiles,
  findFile,
  findShownMember,
  insertFile,
  isDropped,
  type StoredFile,
} from '#server/store/document-store.ts';
import { fileUrl } from './account-view.ts';
import { audit, auditLook } from './audit-service.ts';
import type { Caller } from './session-service.ts';
import { lockOwnAccount } from './session-service.ts';
import { countToday } from './tries-service.ts';

/**
 * Stores an uploaded image, encoded anew and without metadata, as the caller's (§photos). Throws
 * `NotAnImage` for what is none, and fails with `too_many_requests` after a borrower's share of a day.
 *
 * The row comes first, so that there is never a file that no row knows of: whatever is cut short is a document that
 * nobody has attached, and housekeeping removes those. Its id is told only when the bytes are safe.
 */
export async function storeDocument(deps: Deps, caller: Caller, upload: Buffer) {
  const image = await deps.images.readImage(upload, networkOf(caller.address));
  const id = newFileId(deps.random);
  const size = image.bytes.length;
  await deps.room.take(size, async () => {
    const dropped = await deps.database.transaction(async (tx) => {
      const { id: accountId, isAdmin } = await lockOwnAccount(tx, caller);
      if (!isAdmin) await countToday(deps, tx, 'upload', accountId);
      const file = {
        id,
        accountId,
        contentType: image.contentType,
        sizeBytes: size,
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        createdAt: deps.clock.now(),
      };
      await insertFile(tx, file);
      return dropSurplusFiles(tx, file, unusedBounds);
    });
    await removeDocuments(deps, dropped);
    try {
      await deps.files.write(id, image.bytes);
      await deps.database.transaction(async (tx) => {
        // Again: an account that was erased meanwhile must not keep this one, nor one that newer ones have displaced.
        const { id: accountId } = await lockOwnAccount(tx, caller);
        if (await isDropped(tx, id)) fail('too_many_uploads');
        const target = { type: 'account' as const, id: accountId };
        await audit(deps, tx, caller, { action: 'document_uploaded', target });
      });
    } catch (error) {
      await removeDocuments(deps, [id]);
      throw error;
    }
  });
  const url = `${fileUrl(id)}`;
  return { url, id, contentType: image.contentType, size, width: image.widthPx, height: image.heightPx };
}

const unusedBounds = {
  maxFiles: limits.unusedDocumentsPerAccount,
  maxBytes: limits.unusedDocumentsPerAccountMaxBytes,
};

/** Throws `NoRoom` when the disk takes no document at all, so that nobody sends one in vain. */
export const requireRoom = ({ room }: Deps) => room.take(0, async () => undefined);

/** One file may be stuck; after so many it is the store, and each more would only be waited for. */
const removalFailuresMax = 3;

/**
 * Removes documents that nobody has attached and nobody can attach. The bytes go first and then the row, so that
 * housekeeping finds again what could not be removed now; that is only logged. Answers whether more can be removed.
 */
export async function removeDocuments(deps: Deps, ids: readonly string[]): Promise<boolean> {
  const removed: string[] = [];
  let failures = 0;
  for (const id of ids) {
    if (failures >= removalFailuresMax) break;
    try {
      await deps.files.remove(id);
      removed.push(id);
    } catch (err) {
      failures += 1;
      deps.log.warn({ err }, 'an unused document could not be removed; it is tried again');
    }
  }
  if (removed.length > 0) {
    await deps.database
      .transaction((tx) => deleteFiles(tx, removed))
      .catch((err) => deps.log.warn({ err }, 'removed documents could not be forgotten; it is tried again'));
  }
  return failures < removalFailuresMax;
}

/**
 * An image for its owner, for the member it is attached to, and for staff, which is noted; to anybody else it is not
 * there (§reading-a-photo).
 */
export async function openDocument(deps: Deps, caller: Caller, id: string) {
  const { account } = caller;
  const file = await deps.database.read((reader) => findFile(reader, id));
  if (!file) fail('not_found');
  const attached = [account.idFrontFileId, account.idBackFileId, account.selfieFileId];
  const mayRead = account.isAdmin || file.accountId === account.id || attached.includes(id);
  if (!mayRead) fail('not_found');
  const bytes = await deps.files.read(id, file.sizeBytes);
  if (!bytes) fail('not_found');
  if (account.isAdmin) await noteLook(deps, caller, file);
  return { bytes, contentType: file.contentType, sizeBytes: file.sizeBytes };
}

/**
 * One entry for the photos of a member, however many are on the screen; none for what staff uploaded and nobody has.
 */
async function noteLook(deps: Deps, staff: Caller, file: StoredFile): Promise<void> {
  const memberId = await deps.database.read((reader) => findShownMember(reader, file));
  if (memberId === undefined) return;
  await auditLook(deps, staff, { action: 'documents_opened', target: { type: 'account', id: memberId } });
}
