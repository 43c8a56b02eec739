import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const empty = () => fs.mkdtempSync(path.join(tmpdir(), 'hiram-'));
const remove = (directory: string) => fs.rmSync(directory, { recursive: true, force: true });

/** An empty directory that is removed when the test is over. */
export function temporaryDirectory(): string {
  const directory = empty();
  onTestFinished(() => remove(directory));
  return directory;
}

/**
 * An empty directory that is removed after the last test of the file, or of the `describe` that asks for it. Ask for
 * it before starting what uses it: what is asked for last ends first.
 */
export function lastingDirectory(): string {
  const directory = empty();
  afterAll(() => remove(directory));
  return directory;
}
