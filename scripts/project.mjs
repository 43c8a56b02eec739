import { join } from 'node:path';

/** The checkout's folder; every script works on it, whatever folder it is called from. */
export const rootDir = join(import.meta.dirname, '..');

/** One folder for each build, named by the hash of what it was made from. */
export const distDir = join(rootDir, 'dist');

/** Logs and the lock of these scripts; ignored by git, may be deleted at any time when nothing runs. */
export const cacheDir = join(rootDir, '.cache');

/** A failure whose message is all a person needs: printed without a stack. */
export class PlainFailure extends Error {}

/**
 * Runs a script's work: a plain failure prints its message, anything else its stack, and both end with code 1.
 * @param {() => Promise<void>} work
 */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof PlainFailure ? error.message : error);
    process.exit(1);
  }
}
