// `npm start` and the console's commands: installs and builds what is missing or stale, then becomes the server
// (`node scripts/run.mjs start`) or a command of server/books/console.ts (`… verify`). Needs nothing but Node.
// `npm run build` (`… build`) stops there and prints the page sizes.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { join, relative } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { rootDir, runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareBuild, prepareToRun } = await import('./prepare.mjs');
  const [, , command] = process.argv;
  if (command === 'build') {
    const { reportPages } = await import('./bundle-sizes.mjs');
    const buildDir = await prepareBuild();
    console.log(`Built in ${relative(rootDir, buildDir)}`);
    // An operator's build is good all the same: `npm run check` fails for it.
    const problems = reportPages(buildDir);
    if (problems.length > 0) console.log(['Over the budget:', ...problems].join('\n'));
    return;
  }
  process.argv[1] = join(await prepareToRun(), 'server', command === 'start' ? 'main.js' : 'console.js');
  // The server runs in this process, not in a child, so that signals reach it.
  await import(pathToFileURL(process.argv[1]).href);
});
