import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatManilaInstant } from '#domain/calendar.ts';
import { Refusal } from '#server/platform/console-text.ts';

/** Within the database's own folder, so that it goes with it. */
const markIn = (dataDir: string) => path.join(dataDir, 'database', 'exported');

/** The books of this folder go on in another database from now on. Returns the mark's path. */
export function markExported(dataDir: string, folder: string, at: Date): string {
  const mark = markIn(dataDir);
  writeFileSync(mark, `on ${formatManilaInstant(at)} to ${folder}\n`, { mode: 0o600 });
  return mark;
}

/** Otherwise a start without DATABASE_URL would serve the old books, and take new ones into them. */
export function refuseExported(dataDir: string): void {
  const mark = markIn(dataDir);
  let when: string;
  try {
    when = readFileSync(mark, 'utf8').trim();
  } catch {
    return;
  }
  throw new Refusal(
    `The books in ${dataDir} were exported ${when}, and DATABASE_URL, which names the database that has them now, is not set. To go on with those in ${dataDir} instead, remove ${mark}: they know nothing of what was done since.`,
  );
}
