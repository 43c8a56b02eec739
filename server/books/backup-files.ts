import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod/mini';
import { diskFileOf, type FileStore, syncFolder } from '#server/platform/file-store.ts';
import { systemRandomness } from '#server/platform/randomness.ts';
import { createSecretBox } from '#server/platform/secret-box.ts';
import { counted, createProgress, Refusal, type Say } from './console-text.ts';

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

/** Raised when a backup of the form before could not be read as one of the form after. */
const formatVersion = 1;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const name = z.string().check(z.regex(/^\w+$/));
const count = z.int().check(z.nonnegative());

/** What a backup says of itself, in `manifest.json`; written last, so a folder without one is no backup. */
const Manifest = z.object({
  format: z.literal(formatVersion),
  madeAt: z.iso.datetime(),
  /** The newest migration that its tables had. */
  migration: name,
  /** Parents first. The rows of `accounts` lie in `tables/accounts.ndjson`. */
  tables: z.array(
    z.object({
      name,
      columns: z.array(z.object({ name, type: z.string() })),
      key: z.array(name),
      rows: count,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name, next: z.string().check(z.regex(/^\d+$/)) })),
  /** Told of one by one in `documents.ndjson`. */
  documents: z.object({ count, sha256 }),
  /** Which key sealed what is sealed in here; the key itself is in `secret.key` only when that was asked for. */
  keyFingerprint: z.nullable(z.string()),
  newestSeal: z.nullable(z.object({ number: count, hash: sha256 })),
  /** Of all the rest, with the secret key. Not in the backups of older versions, nor of a server that has no key. */
  mac: z.optional(z.nullable(sha256)),
});

export type Manifest = z.output<typeof Manifest>;

/** A line of `documents.ndjson`. */
export const DocumentLine = z.object({ id: z.string(), sizeBytes: count, sha256 });
export type DocumentLine = z.output<typeof DocumentLine>;

/** Where things lie in a backup's folder. */
export const placesIn = (folder: string) => ({
  manifest: path.join(folder, 'manifest.json'),
  tables: path.join(folder, 'tables'),
  table: (tableName: string) => path.join(folder, 'tables', `${tableName}.ndjson`),
  documentList: path.join(folder, 'documents.ndjson'),
  documents: path.join(folder, 'documents'),
});

const manifestMaxBytes = 1024 * 1024;

/** Only who has the key can make it; it covers every value, and through the hashes among them all files. */
const macOf = (rest: object, secretKey: Buffer) =>
  createSecretBox(secretKey, systemRandomness).fingerprint(JSON.stringify(rest), 'backup manifest');

/** Written under another name and renamed, so that half of one is never read. */
export async function writeManifest(
  folder: string,
  told: Omit<Manifest, 'format' | 'mac'>,
  secretKey: Buffer | undefined,
): Promise<void> {
  const rest = { format: formatVersion, ...told };
  const manifest = { ...rest, mac: secretKey ? macOf(rest, secretKey) : null };
  const file = placesIn(folder).manifest;
  const handle = await open(`${file}.unfinished`, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.unfinished`, file);
  await syncFolder(folder);
}

/**
 * A backup's manifest, and whether who wrote it had this key. Throws a `Refusal` when the folder holds no whole backup of
 * this form.
 */
export async function readManifest(
  folder: string,
  secretKey: Buffer | undefined,
): Promise<{ manifest: Manifest; isProved: boolean }> {
  const text = await readRegularFile(folder, placesIn(folder).manifest, manifestMaxBytes).catch(() => {
    throw new Refusal(`${folder} is not a whole backup: it has no manifest.json that can be read.`);
  });
  const written = jsonOf(text.toString('utf8'));
  const manifest = Manifest.safeParse(written);
  if (manifest.success) {
    const { mac, ...rest } = written as Manifest;
    return { manifest: manifest.data, isProved: secretKey !== undefined && mac === macOf(rest, secretKey) };
  }
  throw new Refusal(
    `${folder} is not a backup that this version can read: its manifest.json is another one.`,
  );
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a file of lines holds. */
export type LinesFile = { lines: number; sha256: string };

const bytesAtATime = 256 * 1024;

/** Writes a new file, a line each, for its owner alone. When it resolves the file is on the disk. */
export async function writeLines(
  file: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<LinesFile> {
  const handle = await open(file, 'wx', 0o600);
  const hash = createHash('sha256');
  let lines = 0;
  try {
    for await (const batch of batches) {
      lines += batch.length;
      await append(handle, hash, batch.map((line) => `${line}\n`).join(''));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { lines, sha256: hash.digest('hex') };
}

/** SHA-256 in hexadecimal. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function append(handle: FileHandle, hash: Hash, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  hash.update(bytes);
  await handle.writeFile(bytes);
}

/** A longer line is none of ours: it would fill the memory. */
const lineMaxLength = 16 * 1024 * 1024;

/**
 * The lines of a file in `folder`, a batch at a time. Throws when it cannot be read, and at its end when it is not the
 * one that was `promised`. Node's own reader of lines would also break at U+2028, which JSON may hold.
 */
export async function* readLines(
  folder: string,
  file: string,
  promised: LinesFile,
): AsyncGenerator<string[]> {
  const handle = await openRegularFile(folder, file);
  const hash = createHash('sha256');
  const decoder = new StringDecoder('utf8');
  let count = 0;
  let rest = '';
  for await (const bytes of handle.createReadStream({ highWaterMark: bytesAtATime })) {
    hash.update(bytes);
    const lines = `${rest}${decoder.write(bytes)}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineMaxLength) throw new Error(`${file} has a line without end`);
    count += lines.length;
    if (lines.length > 0) yield lines;
  }
  const isWhole = rest === '' && count === promised.lines && hash.digest('hex') === promised.sha256;
  if (!isWhole) throw new Error(`${file} is not as it was written`);
}

/**
 * Opens a file that somebody else may have laid there. It must be a regular one of at most `maxBytes`, reached through
 * no link below `folder`: a FIFO would keep the reader waiting for ever, and a device has no end. Throws for any other.
 */
async function openRegularFile(
  folder: string,
  file: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<FileHandle> {
  const { dir } = path.parse(file);
  if ((await realpath(dir)) !== path.join(await realpath(folder), path.relative(folder, dir))) {
    throw new Error(`${dir} leads out of ${folder}`);
  }
  // Without O_NONBLOCK the opening of a FIFO itself would wait.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error(`${file} is no regular file`);
    if (found.size > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The whole of such a file; no more of it than `maxBytes`, should it grow while it is read. */
export async function readRegularFile(folder: string, file: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(folder, file, maxBytes);
  return buffer(handle.createReadStream({ end: maxBytes }));
}
