import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';
import { cacheDir, distDir, PlainFailure } from './project.mjs';
import { runningServers } from './running-servers.mjs';
import { sourceHash } from './source-hash.mjs';
import { runWorker } from './worker-process.mjs';

const draftPrefix = 'building-';
const maxTries = 3;

/** The folder of `npm run dev`; never a build. */
export const devBuildName = 'dev';

/** @param {string} keptName */
function removeOldBuilds(keptName) {
  const kept = new Set([keptName, devBuildName, ...runningServers().map(({ buildName }) => buildName)]);
  for (const name of readdirSync(distDir)) {
    if (!kept.has(name)) rmSync(join(distDir, name), { recursive: true, force: true });
  }
}

/**
 * Builds the current sources into `dist/<hash>/` unless that exists. Built under a temporary name and renamed when
 * complete, so the folder is always whole, and a running server's folder is never written to. Call under the checkout
 * lock.
 * @param {(pid: number | undefined) => void} onWorker
 * @returns {Promise<string>} the build's name
 */
export async function buildApp(onWorker) {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const name = sourceHash();
    if (existsSync(join(distDir, name))) return name;
    const draft = join(distDir, `${draftPrefix}${name}`);
    rmSync(draft, { recursive: true, force: true });
    await withProgress('Building', () =>
      runWorker({
        label: 'The build',
        command: [process.execPath, join(import.meta.dirname, 'build-bundles.mjs'), draft],
        // Always a production build: libraries pick their slow development half by this variable.
        env: { ...process.env, NODE_ENV: 'production' },
        logFile: join(cacheDir, 'build.log'),
        onPid: onWorker,
      }),
    );
    // A file saved during the build may or may not be in it, so the name could be wrong: build again.
    if (sourceHash() !== name) continue;
    renameSync(draft, join(distDir, name));
    removeOldBuilds(name);
    return name;
  }
  throw new PlainFailure('The sources kept changing while they were built. Start again when they rest.');
}
