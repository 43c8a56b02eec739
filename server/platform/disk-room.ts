import { statfs } from 'node:fs/promises';
import { FilesUnavailable } from './file-store.ts';

/** The rest of the disk is reserved for the database: somebody has to free space. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';

  constructor(freeBytes: number) {
    super(`the disk has ${Math.floor(freeBytes / 1024 ** 2)} MB free, which are kept for the database`);
  }
}

export type DiskRoom = ReturnType<typeof createDiskRoom>;

export function createDiskRoom(settings: { freeBytes: () => Promise<number>; reserveBytes: number }) {
  const { freeBytes, reserveBytes } = settings;
  let takenBytes = 0;
  return {
    /** Runs work that writes this many bytes. Throws `NoRoom` if they would use the reserve. */
    async take<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
      // Running writes may already be partly on the disk: they count twice, on the safe side.
      const free = (await freeBytes()) - takenBytes;
      if (free - bytes < reserveBytes) throw new NoRoom(free);
      takenBytes += bytes;
      try {
        return await work();
      } finally {
        takenBytes -= bytes;
      }
    },
  };
}

export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory).catch((error) => {
    throw new FilesUnavailable(error);
  });
  return bavail * bsize;
}
