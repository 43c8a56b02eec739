import { diskFileOf, type FileStore } from '#server/platform/file-store.ts';
import { type LinesFile, readLines, sha256Of } from '#server/platform/lines-file.ts';
import { readRegularFile } from '#server/platform/regular-file.ts';
import { counted, createProgress, type Say } from '#server/progress.ts';
import { Refusal } from '#server/refusal.ts';
import { DocumentLine, jsonOf, type Manifest, placesIn } from './backup-manifest.ts';

/** Larger than any picture that was ever stored. */
const documentMaxBytes = 64 * 1024 * 1024;

/** Holds every file of a backup against the hashes in its manifest. Throws a `Refusal` for the first that is another. */
export async function checkBackup(folder: string, manifest: Manifest, say: Say): Promise<void> {
  const progress = createProgress(say);
  for (const table of manifest.tables) {
    for await (const _ of readTableLines(folder, table)) progress(`Checking the backup: ${table.name} …`);
  }
  let documents = 0;
  for await (const _ of readDocuments(folder, manifest)) {
    documents += 1;
    progress(`Checking the backup: ${counted(documents, 'document')} …`);
  }
}

/** The rows of a table, a batch at a time. Throws a `Refusal` when they are not those that the manifest promises. */
export function readTableLines(
  folder: string,
  { name, rows, sha256 }: Manifest['tables'][number],
): AsyncGenerator<string[]> {
  return promisedLines(folder, placesIn(folder).table(name), { lines: rows, sha256 });
}

/** Writes a checked backup's documents into the file store; those that are there already stay. Answers how many. */
export async function putDocumentsBack(
  files: FileStore,
  folder: string,
  manifest: Manifest,
  say: Say,
): Promise<number> {
  const progress = createProgress(say);
  let documents = 0;
  for await (const { id, bytes } of readDocuments(folder, manifest)) {
    const present = await bytesOf(files, id);
    // A document never changes: another one under its id is a damaged one.
    if (!present?.equals(bytes)) await files.write(id, bytes);
    documents += 1;
    progress(`documents: ${counted(documents, 'file')} written …`);
  }
  return documents;
}

/** Each document of a backup. Throws a `Refusal` for one that is missing or not as it was. */
async function* readDocuments(
  folder: string,
  manifest: Manifest,
): AsyncGenerator<{ id: string; bytes: Buffer }> {
  const { documentList } = placesIn(folder);
  const { count, sha256 } = manifest.documents;
  for await (const lines of promisedLines(folder, documentList, { lines: count, sha256 })) {
    for (const line of lines) {
      const told = DocumentLine.safeParse(jsonOf(line));
      if (!told.success) throw damaged(documentList);
      const { id } = told.data;
      const bytes = await readDocument(folder, id).catch(() => undefined);
      if (!bytes || sha256Of(bytes) !== told.data.sha256) throw damaged(`document ${id}`);
      yield { id, bytes };
    }
  }
}

async function readDocument(folder: string, id: string): Promise<Buffer> {
  return readRegularFile(folder, diskFileOf(placesIn(folder).documents, id), documentMaxBytes);
}

/** A whole document; undefined when the store does not have it. */
export async function bytesOf(files: FileStore, id: string): Promise<Buffer | undefined> {
  const stream = await files.read(id);
  if (!stream) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function* promisedLines(folder: string, file: string, promised: LinesFile): AsyncGenerator<string[]> {
  try {
    yield* readLines(folder, file, promised);
  } catch {
    throw damaged(file);
  }
}

const damaged = (what: string) => new Refusal(`The backup is damaged: ${what} is not as it was written.`);
