import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is removed when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'hiram-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
