import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const markOf = (dataDir: string) => path.join(dataDir, 'last-backup');

/** Notes when the newest backup was made, for Today to remind of one (§today). */
export const noteBackup = (dataDir: string, at: Date): Promise<void> =>
  writeFile(markOf(dataDir), at.toISOString());

/** Returns the moment in milliseconds; NaN if no backup was made. */
export const lastBackupMs = async (dataDir: string): Promise<number> =>
  Date.parse(await readFile(markOf(dataDir), 'utf8').catch(() => ''));
