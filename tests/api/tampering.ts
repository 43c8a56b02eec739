import type { SQL } from 'drizzle-orm';
import type { NotedSeal } from '#server/books/audit-seals.ts';
import { consoleCommands } from '#server/books/console-commands.ts';
import { verifyAndTell } from '#server/books/verify.ts';
import type { Deps } from '#server/deps.ts';
import type { Database } from '#server/platform/database/database.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { pastTriggers } from '#tests/setup/test-database.ts';
import { secretsOf } from '#tests/setup/test-server.ts';

/** Changes the database as a superuser can, past triggers and foreign keys. */
export async function tamper(database: Database, change: SQL): Promise<void> {
  const { rowCount } = await pastTriggers(database, (tx) => tx.execute(change));
  if (rowCount !== 1) throw new Error(`the tampering met ${rowCount} rows instead of one`);
}

/** Returns what `npm run verify` prints, and whether it ends well. */
export async function verify(database: Database, noted: readonly NotedSeal[] = []) {
  const lines: string[] = [];
  const secrets = secretsOf.get(database) ?? withoutSecrets;
  const isWell = await verifyAndTell({ database, secrets }, (line) => void lines.push(line), noted);
  return { isWell, ...told(lines) };
}

/** The same of `npm run verify -- …words` as its command runs it, which keeps the result. */
export async function check(deps: Deps, words: string[] = [], stopping?: AbortSignal) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const isWell = await consoleCommands.verify(deps, { words, say, ...(stopping && { stopping }) });
  return { isWell, ...told(lines) };
}

/** Without the lines of progress, which a slow machine has. */
const told = (said: string[]) => {
  const lines = said.filter((line) => !line.endsWith(' checked …'));
  return {
    lines,
    wrong: lines.filter((line) => line.startsWith('Wrong: ')),
    last: lines.at(-1) ?? '',
  };
};
