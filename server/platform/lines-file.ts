import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

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

/** Counts and hashes a file. Throws when it cannot be read. */
export async function measureLines(file: string): Promise<LinesFile> {
  const hash = createHash('sha256');
  const lineFeed = 0x0a;
  let lines = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
  }
  return { lines, sha256: hash.digest('hex') };
}

/** A file's lines, a batch at a time. Node's own reader of lines would also break at U+2028, which JSON may hold. */
export async function* readLines(file: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8', highWaterMark: bytesAtATime })) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}
