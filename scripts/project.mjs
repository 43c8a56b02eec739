import { join } from 'node:path';

export const rootDir = join(import.meta.dirname, '..');

export const distDir = join(rootDir, 'dist');

/** Logs and the lock of these scripts; ignored by git, safe to delete when nothing runs. */
export const cacheDir = join(rootDir, '.cache');

/** A failure whose message says enough: printed without a stack. */
export class PlainFailure extends Error {}

/**
 * Runs a script: a plain failure prints its message, anything else its stack; both exit with code 1.
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
