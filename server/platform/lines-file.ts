import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { openRegularFile } from './regular-file.ts';

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
