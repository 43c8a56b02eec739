// `npm start` and the console's commands: installs and builds what is missing or stale, then becomes the server
// (`node scripts/run.mjs start`) or a command of server/books/console.ts (`… verify`). Needs nothing but Node.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareToRun } = await import('./prepare.mjs');
  const entry = process.argv[2] === 'start' ? 'main.js' : 'console.js';
  process.argv[1] = join(await prepareToRun(), 'server', entry);
  // In this process rather than a child, so that signals reach the server itself.
  await import(pathToFileURL(process.argv[1]).href);
});
