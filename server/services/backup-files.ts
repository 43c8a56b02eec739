import { createDiskFileStore, type FileStore } from '#server/platform/file-store.ts';
import { type LinesFile, measureLines, readLines, sha256Of } from '#server/platform/lines-file.ts';
import { counted, createProgress, type Say } from '#server/progress.ts';
import { Refusal } from '#server/refusal.ts';
import { DocumentLine, type Manifest, placesIn, readManifest } from './backup-manifest.ts';

/** Holds every file of a backup against the hashes that were written with it. Throws a `Refusal` for the first. */
export async function checkBackup(folder: string, say: Say): Promise<Manifest> {
  const places = placesIn(folder);
  const manifest = await readManifest(folder);
  const progress = createProgress(say);
  for (const { name, rows, sha256 } of manifest.tables) {
    progress(`Checking the backup: ${name} …`);
    await refuseUnlessWhole(places.table(name), { lines: rows, sha256 });
  }
  const { count, sha256 } = manifest.documents;
  await refuseUnlessWhole(places.documentList, { lines: count, sha256 });
  let documents = 0;
  for await (const { id, bytes } of readDocuments(folder)) {
    if (!bytes) throw damaged(`document ${id}`);
    documents += 1;
    progress(`Checking the backup: ${counted(documents, 'document')} …`);
  }
  return manifest;
}

/** Writes a checked backup's documents into the file store; those that are there already stay. Answers how many. */
export async function putDocumentsBack(files: FileStore, folder: string, say: Say): Promise<number> {
  const progress = createProgress(say);
  let documents = 0;
  for await (const { id, bytes } of readDocuments(folder)) {
    if (!bytes) throw damaged(`document ${id}`);
    const present = await bytesOf(files, id);
    // A document never changes: another one under its id is a damaged one.
    if (!present?.equals(bytes)) await files.write(id, bytes);
    documents += 1;
    progress(`documents: ${counted(documents, 'file')} written …`);
  }
  return documents;
}

/** Each document of a backup, without its bytes when they are missing or damaged. */
async function* readDocuments(folder: string): AsyncGenerator<{ id: string; bytes: Buffer | undefined }> {
  const places = placesIn(folder);
  const store = createDiskFileStore(places.documents);
  for await (const lines of readLines(places.documentList)) {
    for (const line of lines) {
      const { id, sha256 } = DocumentLine.parse(JSON.parse(line));
      const bytes = await bytesOf(store, id);
      yield { id, bytes: bytes && sha256Of(bytes) === sha256 ? bytes : undefined };
    }
  }
}

/** A whole document; undefined when the store does not have it. */
export async function bytesOf(files: FileStore, id: string): Promise<Buffer | undefined> {
  const stream = await files.read(id);
  if (!stream) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function refuseUnlessWhole(file: string, promised: LinesFile): Promise<void> {
  const found = await measureLines(file).catch(() => undefined);
  if (found?.lines !== promised.lines || found.sha256 !== promised.sha256) throw damaged(file);
}

const damaged = (what: string) => new Refusal(`The backup is damaged: ${what} is not as it was written.`);
