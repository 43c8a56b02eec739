import { statfs } from 'node:fs/promises';
import { FilesUnavailable } from './file-store.ts';

/** What is left is kept for the database: somebody has to make room. */
export class NoRoom extends Error {
  constructor(freeBytes: number) {
    super(`the disk has ${Math.floor(freeBytes / 1024 ** 2)} MB free, which are kept for the database`);
    this.name = 'NoRoom';
  }
}

/** Room for documents, of which a reserve stays free for the database. */
export type DiskRoom = {
  /** Runs what writes so many bytes. Throws `NoRoom` where they would go into the reserve. */
  take<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
};

export function createDiskRoom(settings: {
  freeBytes: () => Promise<number>;
  reserveBytes: number;
}): DiskRoom {
  const { freeBytes, reserveBytes } = settings;
  let takenBytes = 0;
  return {
    async take(bytes, work) {
      // A part of what is on its way may be on the disk already: then it counts twice, and errs towards safety.
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
