import fs from 'node:fs';

/** The code of a system error, such as `ENOENT`. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Maximum bytes of a unix socket's address: one less than macOS (104) and Linux (108) reserve. */
export const longestAddressBytes = 103;

export function unlessCode(code: string, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (codeOf(error) === code) return false;
    throw error;
  }
}

/** Handles an error in a `catch`: undefined if there is no such file. */
export function ifMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

export function syncPath(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
