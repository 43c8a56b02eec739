import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A file system of its own that is soon full. */
export type SmallDisk = {
  directory: string;
  /** Leaves so many bytes free. */
  fill(freeBytes: number): void;
  free(): void;
  remove(): void;
};

/** Why no small disk can be made here; undefined where one can. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'a file system in memory is made on Linux only';
  if (process.getuid?.() !== 0) return 'making a file system takes root';
  try {
    makeSmallDisk(1).remove();
    return undefined;
  } catch {
    return 'this machine lets nobody mount a file system';
  }
}

/** A disk fills by whole pages: somebody may still use the room that is left over. */
const pageBytes = 4_096;

export function makeSmallDisk(megabytes: number): SmallDisk {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory];
    execFileSync('/bin/mount', options, { stdio: 'pipe' });
  } catch (error) {
    fs.rmdirSync(directory);
    throw error;
  }
  const filler = path.join(directory, 'filler');
  const remove = () => {
    // Lazily: a process that was killed a moment ago may still have it open.
    execFileSync('/bin/umount', ['-l', directory], { stdio: 'pipe' });
    fs.rmdirSync(directory);
  };
  // A run that is broken off leaves no file system behind.
  process.once('exit', remove);
  return {
    directory,
    fill(freeBytes) {
      fs.rmSync(filler, { force: true });
      const { bavail, bsize } = fs.statfsSync(directory);
      const pages = Math.floor((bavail * bsize - freeBytes) / pageBytes);
      const file = fs.openSync(filler, 'w');
      for (let written = 0; written < pages; written += 256) {
        fs.writeSync(file, Buffer.alloc(Math.min(256, pages - written) * pageBytes));
      }
      fs.closeSync(file);
    },
    free: () => fs.rmSync(filler, { force: true }),
    remove() {
      process.removeListener('exit', remove);
      remove();
    },
  };
}
