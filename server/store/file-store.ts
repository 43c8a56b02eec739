import { and, eq, exists, inArray, lt, notExists, or } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { accounts, files } from './schema.ts';

/** A row of `files`; the bytes lie in the file store under the same id. */
export type StoredFile = typeof files.$inferSelect;

export async function insertFile(tx: Tx, file: StoredFile): Promise<void> {
  await tx.insert(files).values(file);
}

export async function findFile(handle: Tx | Reader, id: string): Promise<StoredFile | undefined> {
  const [file] = await handle.select().from(files).where(eq(files.id, id));
  return file;
}

/** Which of these files the account has uploaded, locked so that none is cleared away before it is attached. */
export async function lockFilesOf(tx: Tx, accountId: number, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.accountId, accountId), inArray(files.id, [...ids])))
    .for('update');
  return new Set(rows.map(({ id }) => id));
}

export type StoredFileInUse = { id: string; sizeBytes: number; isInUse: boolean };

/** Every stored file, and whether an account has attached it. */
export async function readStoredFiles(handle: Tx | Reader): Promise<StoredFileInUse[]> {
  return handle
    .select({
      id: files.id,
      sizeBytes: files.sizeBytes,
      isInUse: exists(attachmentsOf(handle)).mapWith(Boolean),
    })
    .from(files)
    .orderBy(files.id);
}

/** The accounts that have attached the file of the query around it. */
const attachmentsOf = (handle: Tx | Reader) =>
  handle
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      or(
        eq(accounts.idFrontFileId, files.id),
        eq(accounts.idBackFileId, files.id),
        eq(accounts.selfieFileId, files.id),
      ),
    );

/**
 * Deletes the rows of files from before a moment that no account has attached, at most `limit` of them, and answers
 * their ids. What another transaction is attaching just now is left alone.
 */
export async function deleteUnusedFiles(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const attached = attachmentsOf(tx);
  const unused = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(lt(files.createdAt, before), notExists(attached)))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (unused.length === 0) return [];
  const ids = unused.map(({ id }) => id);
  const deleted = await tx
    .delete(files)
    .where(and(inArray(files.id, ids), notExists(attached)))
    .returning({ id: files.id });
  return deleted.map(({ id }) => id);
}
