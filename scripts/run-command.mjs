// `node scripts/run-command.mjs <name>`: runs a command of server/books/console.ts, installing and building like `npm start`.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareToRun } = await import('./prepare.mjs');
  const consolePath = join(await prepareToRun(), 'server', 'console.js');
  process.argv[1] = consolePath;
  await import(pathToFileURL(consolePath).href);
});
