import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { syncFolder } from '#server/platform/file-store.ts';
import { Refusal } from '#server/refusal.ts';

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

/** Written under another name and renamed, so that half of one is never read. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const file = placesIn(folder).manifest;
  const handle = await open(`${file}.unfinished`, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ format: formatVersion, ...manifest }, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.unfinished`, file);
  await syncFolder(folder);
}

/** Throws a `Refusal` when the folder holds no whole backup of this form. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(placesIn(folder).manifest, 'utf8').catch(() => {
    throw new Refusal(`${folder} is not a whole backup: it has no manifest.json.`);
  });
  const manifest = Manifest.safeParse(jsonOf(text));
  if (manifest.success) return manifest.data;
  throw new Refusal(
    `${folder} is not a backup that this version can read: its manifest.json is another one.`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
