import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { newFileId } from '#server/platform/randomness.ts';
import { findFile, insertFile } from '#server/store/file-store.ts';
import { fileUrl } from './account-view.ts';
import { audit } from './audit-service.ts';
import { lockOwnAccount } from './profile-service.ts';
import type { Caller } from './session-service.ts';

/**
 * Stores an uploaded image, encoded anew and without metadata, as the caller's (contract section 3). The bytes are
 * safe before the row tells of them, and when the row cannot be written they are removed again. Throws `NotAnImage`
 * for what is none.
 */
export async function storeDocument(deps: Deps, caller: Caller, upload: Buffer, address: string) {
  const image = await deps.images.readImage(upload);
  const id = newFileId(deps.random);
  await deps.files.write(id, image.bytes);
  const size = image.bytes.length;
  try {
    await deps.database.transaction(async (tx) => {
      const { id: accountId } = await lockOwnAccount(tx, caller);
      await insertFile(tx, {
        id,
        accountId,
        contentType: image.contentType,
        sizeBytes: size,
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        createdAt: deps.clock.now(),
      });
      const target = { type: 'account' as const, id: accountId };
      await audit(deps, tx, { id: accountId, address }, { action: 'document_uploaded', target });
    });
  } catch (error) {
    await deps.files
      .remove(id)
      .catch((err) => deps.log.warn({ err }, 'an unused document could not be removed'));
    throw error;
  }
  const url = `${fileUrl(id)}`;
  return { url, id, contentType: image.contentType, size, width: image.widthPx, height: image.heightPx };
}

/**
 * An image for its owner, for the member it is attached to, and for staff; to anybody else it is not there (contract
 * section 3).
 */
export async function openDocument(deps: Deps, { account }: Caller, id: string) {
  const file = await deps.database.read((reader) => findFile(reader, id));
  if (!file) fail('not_found');
  const attached = [account.idFrontFileId, account.idBackFileId, account.selfieFileId];
  const mayRead = account.isAdmin || file.accountId === account.id || attached.includes(id);
  if (!mayRead) fail('not_found');
  const bytes = await deps.files.read(id);
  if (!bytes) fail('not_found');
  return { bytes, contentType: file.contentType, sizeBytes: file.sizeBytes };
}
