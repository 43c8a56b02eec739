import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { consoleCommands } from '#server/books/console-commands.ts';
import { readConfig } from '#server/config.ts';
import { openInstallation, openMigrated } from '#server/open-database.ts';
import { prepareDataDir } from '#tests/crash/prepared-data.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';

it('refuses a start without DATABASE_URL on books that were exported, until their mark is removed', {
  timeout: 240_000,
}, async () => {
  const dataDir = temporaryDirectory();
  await prepareDataDir(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, MAIN_ADMIN_PASSWORD: mainAdminPassword, LOG_LEVEL: 'warn' });
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const folder = path.join(dataDir, 'moved');
  const before = await openInstallation(config, say);
  expect(await consoleCommands['db-export'](before.deps, { words: [folder], say })).toBe(true);
  await before.close();
  const mark = path.join(dataDir, 'database', 'exported');
  expect(said.slice(-2)).toEqual([
    'From the next start on these books are closed: set DATABASE_URL, and import what was exported.',
    `Was it only a trial? Then remove ${mark}.`,
  ]);

  await expect(openInstallation(config, say)).rejects.toThrow(
    new RegExp(
      `^The books in ${dataDir} were exported on .+ to ${folder}, and DATABASE_URL, .* remove ${mark}: `,
    ),
  );
  // Commands that only read go on: verify, backup, another export.
  const looking = await openMigrated(config, say);
  await looking.close();

  fs.rmSync(mark);
  const again = await openInstallation(config, say);
  await again.close();
});
