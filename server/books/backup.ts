import { mkdir, readdir } from 'node:fs/promises';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { createDiskFileStore, type FileStore, syncFolder } from '#server/platform/file-store.ts';
import { findSecretKey, fingerprintOfKey, keepSecretKey } from '#server/platform/secret-box.ts';
import { readStoredFiles, type StoredFileInUse } from '#server/store/document-store.ts';
import { readMigration } from '#server/store/migrate.ts';
import { findNewestSeal } from './audit-seal-store.ts';
import {
  bytesOf,
  type DocumentLine,
  type LinesFile,
  type Manifest,
  placesIn,
  sha256Of,
  writeLines,
  writeManifest,
} from './backup-files.ts';
import { counted, createProgress, Refusal, type Say } from './console-text.ts';
import { inSnapshot, readRowLines, readSequences, readTables } from './table-store.ts';

export type BackupRequest = {
  /** Made when it does not exist; must be empty. */
  folder: string;
  /** Puts the secret key into the folder too. */
  withKey: boolean;
  /** The migrations of the running version. */
  migrations: string;
};

export type BackedUp = {
  rows: number;
  documents: number;
  /** Documents that an account refers to and that the file store has no longer, or not as they were stored. */
  lostDocuments: string[];
  /** Whether a restore can prove that it was not changed: only with a key. */
  isProvable: boolean;
};

/**
 * Copies every table as of one moment, and the documents that they tell of, into a folder (laid out as in
 * `backup-files.ts`). Nobody is kept waiting on PostgreSQL; the embedded engine serves nobody else while the rows are
 * read.
 */
export async function backUp(deps: Deps, request: BackupRequest, say: Say): Promise<BackedUp> {
  const { folder, withKey, migrations } = request;
  const secretKey = findSecretKey({ setting: deps.config.secretKey, dataDir: deps.config.dataDir });
  if (withKey && !secretKey) throw new Refusal('There is no secret key yet that could go into the backup.');
  await prepareFolder(folder);
  const rows = await inSnapshot(deps.database, (reader) => copyRows(reader, folder, migrations, say));
  const { list, lostDocuments } = await copyDocuments(deps.files, rows.storedFiles, folder, say);
  if (withKey && secretKey) keepSecretKey(folder, secretKey, deps.random);
  const manifest = {
    ...rows.copied,
    madeAt: deps.clock.now().toISOString(),
    documents: { count: list.lines, sha256: list.sha256 },
    keyFingerprint: secretKey ? fingerprintOfKey(secretKey) : null,
  };
  await writeManifest(folder, manifest, secretKey);
  const rowCount = rows.copied.tables.reduce((sum, table) => sum + table.rows, 0);
  return { rows: rowCount, documents: list.lines, lostDocuments, isProvable: secretKey !== undefined };
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const isEmpty = (await readdir(folder)).length === 0;
    if (!isEmpty) throw new Refusal(`${folder} is not empty: a backup needs a folder of its own.`);
    await mkdir(placesIn(folder).tables, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The folder ${folder} cannot be used: ${reason}.`);
  }
}

async function copyRows(reader: Reader, folder: string, migrations: string, say: Say) {
  const places = placesIn(folder);
  const tables: Manifest['tables'] = [];
  for (const table of await readTables(reader)) {
    const batches = told(readRowLines(reader, table), table.name, say);
    const { lines: rows, sha256 } = await writeLines(places.table(table.name), batches);
    tables.push({ ...table, rows, sha256 });
  }
  await syncFolder(places.tables);
  const seal = await findNewestSeal(reader);
  return {
    copied: {
      migration: await readMigration(reader, migrations),
      tables,
      sequences: await readSequences(reader),
      newestSeal: seal ? { number: seal.number, hash: seal.hash } : null,
    },
    storedFiles: await readStoredFiles(reader),
  };
}

async function* told(batches: AsyncIterable<string[]>, name: string, say: Say) {
  const progress = createProgress(say);
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    progress(`${name}: ${counted(rows, 'row')} …`);
    yield batch;
  }
}

/**
 * After the rows, which hold the snapshot open. A document never changes, and one that nobody uses may be cleared away
 * in the meantime: only those in use are missed.
 */
async function copyDocuments(
  from: FileStore,
  storedFiles: readonly StoredFileInUse[],
  folder: string,
  say: Say,
): Promise<{ list: LinesFile; lostDocuments: string[] }> {
  const places = placesIn(folder);
  const to = createDiskFileStore(places.documents);
  const progress = createProgress(say);
  const lostDocuments: string[] = [];

  async function* copyAll() {
    let copied = 0;
    for (const { id, sizeBytes, isInUse } of storedFiles) {
      const bytes = await bytesOf(from, id);
      if (bytes?.length === sizeBytes) {
        await to.write(id, bytes);
        copied += 1;
        progress(`documents: ${counted(copied, 'file')} …`);
        const line: DocumentLine = { id, sizeBytes, sha256: sha256Of(bytes) };
        yield [JSON.stringify(line)];
      } else if (isInUse) {
        lostDocuments.push(id);
      }
    }
  }

  const list = await writeLines(places.documentList, copyAll());
  return { list, lostDocuments };
}
