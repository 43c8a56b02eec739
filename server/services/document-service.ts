import { hash } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import { newFileId } from '#server/platform/randomness.ts';
import { attachedFileIds } from '#server/store/account-store.ts';
import {
  deleteFiles,
  dropSurplusFiles,
  findFile,
  findShownMember,
  insertFile,
  isDropped,
  type StoredFile,
} from '#server/store/document-store.ts';
import { findPaymentProvedBy } from '#server/store/payment-store.ts';
import { fileUrl } from './account-view.ts';
import { type AuditEntry, audit, auditLook } from './audit-service.ts';
import { type Caller, lockOwnAccount } from './session-service.ts';
import { countToday } from './tries-service.ts';

/**
 * Stores an uploaded image as the caller's, re-encoded and without metadata (§photos). The row is written first, so
 * that every file has one: an interrupted upload leaves an unattached document, which housekeeping removes. Its id is
 * returned only once the bytes are safe.
 */
export async function storeDocument(deps: Deps, caller: Caller, upload: Buffer) {
  const { bytes, ...picture } = await deps.images.readImage(upload, networkOf(caller.address));
  const id = newFileId();
  const size = bytes.length;
  await deps.room.take(size, async () => {
    const dropped = await deps.database.transaction(async (tx) => {
      const act = { deps, tx, actor: caller };
      const { id: accountId, isAdmin } = await lockOwnAccount(act);
      if (!isAdmin) await countToday(act, 'upload');
      const file = await insertFile(tx, {
        id,
        accountId,
        ...picture,
        sizeBytes: size,
        contentHash: hash('sha256', bytes, 'hex'),
        createdAt: deps.clock.now(),
      });
      return dropSurplusFiles(tx, file);
    });
    await removeDocuments(deps, dropped);
    try {
      await deps.files.write(id, bytes);
      await deps.database.transaction(async (tx) => {
        // Checked again: the account may have been erased meanwhile, or its newer uploads displaced this one.
        const act = { deps, tx, actor: caller };
        const { id: accountId } = await lockOwnAccount(act);
        if (await isDropped(tx, id)) fail('too_many_uploads');
        await audit(act, 'document_uploaded', { account: accountId });
      });
    } catch (error) {
      await removeDocuments(deps, [id]);
      throw error;
    }
  });
  const { contentType, widthPx: width, heightPx: height } = picture;
  return { url: fileUrl(id), id, contentType, size, width, height };
}

/** Throws `NoRoom` if the disk is too full for any document, so that nobody sends one in vain. */
export const requireRoom = ({ room }: Deps) => room.take(0, async () => undefined);

/** A single file may fail; after this many the store itself is down, and more tries would only wait. */
const removalFailuresMax = 3;

/**
 * Removes documents that nobody can attach any more. Bytes are removed before the row, so that housekeeping finds again
 * what failed. False if the store itself seems to be down.
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

/** One entry for all photos of a member, one for each proof; none for an unattached upload of staff. */
async function lookAt(reader: Reader, file: StoredFile): Promise<AuditEntry | undefined> {
  const payment = await findPaymentProvedBy(reader, file.id);
  if (payment) {
    return { action: 'proof_opened', on: { loan: payment.loanId }, after: { paymentId: payment.id } };
  }
  const memberId = await findShownMember(reader, file);
  return memberId === undefined ? undefined : { action: 'documents_opened', on: { account: memberId } };
}

/**
 * Opens a document for its owner, the member it is attached to, and staff, whose views are
 * logged (§reading-a-photo).
 */
export async function openDocument(deps: Deps, caller: Caller, id: string) {
  const { account } = caller;
  const file = (await deps.database.read((reader) => findFile(reader, id))) ?? fail('not_found');
  const isOwn = file.accountId === account.id || attachedFileIds(account).includes(id);
  if (!account.isAdmin && !isOwn) fail('not_found');
  const bytes = (await deps.files.read(id, file.sizeBytes)) ?? fail('not_found');
  if (account.isAdmin) {
    const event = await deps.database.read((reader) => lookAt(reader, file));
    if (event) await auditLook(deps, caller, event);
  }
  return { bytes, contentType: file.contentType, sizeBytes: file.sizeBytes };
}
