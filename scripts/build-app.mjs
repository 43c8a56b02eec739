import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cacheDir, distDir, PlainFailure, rootDir } from './project.mjs';
import { runningServers } from './running-servers.mjs';
import { runWorker } from './worker-process.mjs';

const draftPrefix = 'building-';
const maxTries = 3;

/** The folder of `npm run dev`; never a build. */
export const devBuildName = 'dev';

/** Everything a build is made from, including the scripts that make it. */
const folders = ['domain', 'contract', 'server', 'web'];
const singleFiles = [
  'package.json',
  'package-lock.json',
  'lender.example.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'vite.server.config.ts',
  'scripts/bare-contract.ts',
  'scripts/build-bundles.mjs',
];

/** @param {string} folder */
const filesBelow = (folder) =>
  readdirSync(join(rootDir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('~'))
    .map((entry) => relative(rootDir, join(entry.parentPath, entry.name)));

/**
 * The name of a build of the current sources: 16 hexadecimal digits of a hash of their contents. Not of modification
 * times, which a checkout or copy changes.
 */
export function sourceHash() {
  const hash = createHash('sha256');
  const files = [...folders.flatMap(filesBelow), ...singleFiles].sort();
  for (const file of files) {
    const content = readFileSync(join(rootDir, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

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
    await runWorker({
      label: 'Building',
      command: [process.execPath, join(import.meta.dirname, 'build-bundles.mjs'), draft],
      // Always a production build: libraries pick their slow development half by this variable.
      env: { ...process.env, NODE_ENV: 'production' },
      logFile: join(cacheDir, 'build.log'),
      onPid: onWorker,
    });
    // A file saved during the build may or may not be in it, so the name could be wrong: build again.
    if (sourceHash() !== name) continue;
    renameSync(draft, join(distDir, name));
    removeOldBuilds(name);
    return name;
  }
  throw new PlainFailure('The sources kept changing while they were built. Start again when they rest.');
}
