// `node scripts/run-command.mjs <name>`: runs a command of server/cli, installing and building like `npm start`.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { existsSync, readdirSync } = await import('node:fs');
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { PlainFailure, runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareToRun } = await import('./prepare.mjs');
  const [name = ''] = process.argv.splice(2, 1);
  const commandsDir = join(await prepareToRun(), 'server', 'cli');
  const commandPath = join(commandsDir, `${name}.js`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(commandPath)) {
    const names = readdirSync(commandsDir).flatMap((file) => file.match(/^([a-z-]+)\.js$/)?.[1] ?? []);
    throw new PlainFailure(`There is no command '${name}'. There are: ${names.sort().join(', ')}.`);
  }
  process.argv[1] = commandPath;
  await import(pathToFileURL(commandPath).href);
});
