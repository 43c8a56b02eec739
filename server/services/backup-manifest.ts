import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { syncFolder } from '#server/platform/file-store.ts';
import { systemRandomness } from '#server/platform/randomness.ts';
import { readRegularFile } from '#server/platform/regular-file.ts';
import { createSecretBox } from '#server/platform/secret-box.ts';
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
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
