import { runOnConsole } from './command.ts';
import type { Config } from './config.ts';
import { readWords, typedWords } from './console-words.ts';
import { createDeps } from './deps.ts';
import { findSecretBox } from './open-house.ts';
import { findPlaces } from './places.ts';
import { withoutSecrets } from './platform/secret-box.ts';
import { counted, type Say } from './progress.ts';
import { Refusal } from './refusal.ts';
import { type Restored, restore } from './services/restore-service.ts';
import { verifyAndTell } from './verify-command.ts';

const options = '<folder> [--with-key] [--without-key]';

/** `npm run restore`: a backup into the database that the settings name, which must be empty and not in use. */
export const runRestore = () =>
  runOnConsole((config, say) => restoreAndTell(config, `npm run restore -- ${options}`, say));

/** `npm run db:import`: the same, and it must be PostgreSQL. */
export const runImport = () =>
  runOnConsole(async (config, say) => {
    if (config.databaseUrl === undefined) {
      throw new Refusal('DATABASE_URL must name the PostgreSQL database to import into.');
    }
    return restoreAndTell(config, `npm run db:import -- ${options}`, say);
  });

async function restoreAndTell(config: Config, usage: string, say: Say): Promise<boolean> {
  const { folder, withKey, withoutKey } = readWords(typedWords(process.argv), usage);
  const { migrations } = findPlaces();
  const { deps, close } = await createDeps(
    { ...config, logLevel: 'warn', databaseUrl: config.databaseOwnerUrl ?? config.databaseUrl },
    // A key is not made here: the right one may be on its way.
    { secrets: withoutSecrets },
  );
  try {
    const restored = await restore(deps, { folder, withKey, withoutKey, migrations }, say);
    for (const line of linesOf(restored)) say(line);
    // The backup may have brought the key along.
    return await verifyAndTell({ ...deps, secrets: findSecretBox(config) }, say);
  } finally {
    await close();
  }
}

function linesOf({ rows, documents, isKeyRight }: Restored): string[] {
  const lines = [
    `${counted(rows, 'row')} and ${counted(documents, 'document')} are restored, and every row is as in the backup.`,
  ];
  lines.push('Nobody is signed in, and one-time codes have to be set anew.');
  if (!isKeyRight) {
    lines.push(
      'The key of the old server is not here: issued passwords cannot be shown any more, and books that it sealed need npm run key:adopt before the first start. Before anybody signs in, look through admins, balances and bank accounts.',
    );
  }
  return lines;
}
