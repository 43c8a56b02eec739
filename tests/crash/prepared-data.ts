import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { memoryTemplate } from '#tests/setup/test-database.ts';

const tar = '/bin/tar';

/**
 * Puts an embedded database with every migration and no row into a data directory that has none: making one anew takes
 * some seconds, which are not what most tests are about.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const database = path.join(dataDir, 'database');
  if (fs.existsSync(database)) return;
  const template = await memoryTemplate('migrated');
  fs.mkdirSync(database, { recursive: true, mode: 0o700 });
  const input = Buffer.from(await template.arrayBuffer());
  execFileSync(tar, ['-xf', '-', '-C', database], { input, stdio: 'pipe' });
}
