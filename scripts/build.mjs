// `npm run build`: installs and builds what is missing or stale, like `npm start`, and prints the page sizes.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { relative } = await import('node:path');
const { PlainFailure, rootDir, runScript } = await import('./project.mjs');

await runScript(async () => {
  const { prepareBuild } = await import('./prepare.mjs');
  const { reportPages } = await import('./bundle-sizes.mjs');
  const buildDir = await prepareBuild();
  console.log(`Built in ${relative(rootDir, buildDir)}`);
  const problems = reportPages(buildDir);
  if (problems.length > 0) throw new PlainFailure(['Over the budget:', ...problems].join('\n'));
});
