// `npm start`: installs and builds what is missing or stale, then becomes the server. Needs nothing but Node.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareToRun } = await import('./prepare.mjs');
  const buildDir = await prepareToRun();
  // In this process rather than a child, so that signals reach the server itself.
  await import(pathToFileURL(join(buildDir, 'server', 'main.js')).href);
});
