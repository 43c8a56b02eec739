import { and, between, type Column, desc, eq, exists, gt, inArray, ne, notExists, or } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { type Account, attachedFileIds, documentColumns } from './account-store.ts';
import { firstOf } from './packed-columns.ts';
import { accounts, files, payments, presentFormat } from './schema.ts';
import { insertSealed } from './sealed-rows.ts';
import { isOutside, type KeptSpan } from './spans.ts';

/** A row of `files`; the file store has the bytes under the same id. */
export type StoredFile = typeof files.$inferSelect;

export const insertFile = (tx: Tx, file: typeof files.$inferInsert): Promise<StoredFile> =>
  insertSealed(tx, files, { ...file, format: presentFormat });

export const findFile = (reader: Reader, id: string): Promise<StoredFile | undefined> =>
  firstOf(reader.select().from(files).where(eq(files.id, id)));

/** Locks this file and all files of the same picture, in the order in which an upload locks them. */
export const lockSamePictures = (tx: Tx, id: string) =>
  tx
    .select({ id: files.id })
    .from(files)
    .where(
      or(
        eq(files.id, id),
        eq(files.contentHash, tx.select({ hash: files.contentHash }).from(files).where(eq(files.id, id))),
      ),
    )
    .orderBy(desc(files.createdAt), desc(files.id))
    .for('update');

type FilesOf = { ids: readonly string[]; uploaded: KeptSpan; orStaff?: boolean; isLocking?: boolean };

/**
 * Finds these files if the account has uploaded them, locked until they are attached if `isLocking`; with
 * `orStaff` also files that an admin uploaded for it. Files from outside `uploaded` may be deleted at any
 * moment and do not count, unless the account has attached them elsewhere.
 */
export async function readFilesOf(
  reader: Reader,
  account: Account,
  { ids, uploaded, orStaff = false, isLocking = true }: FilesOf,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const isOwn = eq(files.accountId, account.id);
  const isFresh = between(files.createdAt, uploaded.from, uploaded.to);
  const isThere = and(inArray(files.id, [...ids]), or(isFresh, inArray(files.id, attachedFileIds(account))));
  const found = reader
    .select({ id: files.id })
    .from(files)
    .innerJoin(accounts, eq(accounts.id, files.accountId))
    .where(and(isThere, orStaff ? or(isOwn, accounts.isAdmin) : isOwn));
  const rows = await (isLocking ? found.for('update', { of: files }) : found);
  return new Set(rows.map(({ id }) => id));
}

export function readStoredFiles(reader: Reader) {
  const { id, sizeBytes } = files;
  const isInUse = exists(attachmentsOf(reader)).mapWith(Boolean);
  return reader.select({ id, sizeBytes, isInUse }).from(files).orderBy(id);
}

const hasAttached = (file: Column | string) => or(...documentColumns.map((name) => eq(accounts[name], file)));

export const accountsAttaching = (reader: Reader) =>
  reader.select({ id: accounts.id }).from(accounts).where(hasAttached(files.id));

const attachmentsOf = (reader: Reader) =>
  accountsAttaching(reader).unionAll(
    reader.select({ id: payments.id }).from(payments).where(eq(payments.proofFileId, files.id)),
  );

/** Ids of unattached files from outside a span, in order, after one of them. */
export async function readUnusedFiles(
  reader: Reader,
  { kept, afterId, limit }: { kept: KeptSpan; afterId: string; limit: number },
): Promise<string[]> {
  const rows = await reader
    .select({ id: files.id })
    .from(files)
    .where(and(isOutside(files.createdAt, kept), gt(files.id, afterId), notExists(attachmentsOf(reader))))
    .orderBy(files.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Drops the account's oldest unattached files beyond the maximum, and returns their ids. The rows stay until the bytes
 * are gone, with an old date: nobody can attach them, and housekeeping finds them.
 */
export async function dropSurplusFiles(tx: Tx, newest: StoredFile): Promise<string[]> {
  const others = await tx
    .select({ id: files.id, sizeBytes: files.sizeBytes })
    .from(files)
    .where(and(eq(files.accountId, newest.accountId), ne(files.id, newest.id), notExists(attachmentsOf(tx))))
    .orderBy(desc(files.createdAt), desc(files.id))
    .for('update');
  let bytes = newest.sizeBytes;
  const surplus = others.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index + 1 >= limits.unusedDocumentsPerAccount || bytes > limits.unusedDocumentsPerAccountMaxBytes;
  });
  if (surplus.length === 0) return [];
  const ids = surplus.map(({ id }) => id);
  // Checked again: somebody may have attached it while we waited for the lock.
  const dropped = await tx
    .update(files)
    .set({ createdAt: longAgo })
    .where(and(inArray(files.id, ids), notExists(attachmentsOf(tx))))
    .returning({ id: files.id });
  return dropped.map(({ id }) => id);
}

const longAgo = new Date(0);

/** True if a file was given up in favour of newer ones, or is gone already. */
export async function isDropped(reader: Reader, id: string): Promise<boolean> {
  const file = await findFile(reader, id);
  return file === undefined || file.createdAt <= longAgo;
}

export const deleteFiles = (tx: Tx, ids: readonly string[]) =>
  tx.delete(files).where(inArray(files.id, [...ids]));

/** The member who uploaded it, or whom staff attached it to. */
export async function findShownMember(reader: Reader, file: StoredFile): Promise<number | undefined> {
  const members = () => reader.select({ id: accounts.id }).from(accounts);
  const isUploader = and(eq(accounts.id, file.accountId), eq(accounts.isAdmin, false));
  const found =
    (await firstOf(members().where(isUploader))) ?? (await firstOf(members().where(hasAttached(file.id))));
  return found?.id;
}
