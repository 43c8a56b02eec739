import { runOnConsole } from './command.ts';
import type { Config } from './config.ts';
import { readWords, typedWords } from './console-words.ts';
import { createDeps } from './deps.ts';
import { findPlaces } from './places.ts';
import { withoutSecrets } from './platform/secret-box.ts';
import { counted, type Say } from './progress.ts';
import { Refusal } from './refusal.ts';
import { type Restored, restore } from './services/restore-service.ts';
import { verifyAndTell } from './verify-command.ts';

/** `npm run restore`: a backup into the database that the settings name, which must be empty and not in use. */
export const runRestore = () =>
  runOnConsole((config, say) => restoreAndTell(config, 'npm run restore -- <folder>', say));

/** `npm run db:import`: the same, and it must be PostgreSQL. */
export const runImport = () =>
  runOnConsole(async (config, say) => {
    if (config.databaseUrl === undefined) {
      throw new Refusal('DATABASE_URL must name the PostgreSQL database to import into.');
    }
    return restoreAndTell(config, 'npm run db:import -- <folder>', say);
  });

async function restoreAndTell(config: Config, usage: string, say: Say): Promise<boolean> {
  const { folder } = readWords(typedWords(process.argv), usage);
  const { migrations } = findPlaces();
  const { deps, close } = await createDeps(
    { ...config, logLevel: 'warn' },
    // A key is not made here: the right one may be on its way.
    { secrets: withoutSecrets },
  );
  try {
    const restored = await restore(deps, { folder, migrations }, say);
    for (const line of linesOf(restored)) say(line);
    return await verifyAndTell(deps, say);
  } finally {
    await close();
  }
}

function linesOf({ rows, documents, isKeyRight }: Restored): string[] {
  const lines = [
    `${counted(rows, 'row')} and ${counted(documents, 'document')} are restored, and every row is as in the backup.`,
  ];
  if (isKeyRight === false) {
    lines.push(
      'Put the secret key of the old server into DATA_DIR/secret.key before the first start: without it, issued passwords and one-time codes cannot be shown.',
    );
  }
  return lines;
}
