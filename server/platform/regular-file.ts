import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

/**
 * Opens a file that somebody else may have laid there. It must be a regular one of at most `maxBytes`, reached through
 * no link below `folder`: a FIFO would keep the reader waiting for ever, and a device has no end. Throws for any other.
 */
export async function openRegularFile(
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
