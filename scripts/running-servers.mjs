import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive } from './process-identity.mjs';
import { distDir } from './project.mjs';

/**
 * A process running a build notes its pid in `dist/<hash>/running/<pid>`, so that nobody deletes the build or replaces
 * node_modules under it.
 * @typedef {{ pid: number, buildName: string }} RunningServer
 */

/** @returns {RunningServer[]} those still alive; notes of dead ones are removed */
export function runningServers() {
  if (!existsSync(distDir)) return [];
  return readdirSync(distDir).flatMap((buildName) => {
    const folder = join(distDir, buildName, 'running');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((name) => {
      const note = join(folder, name);
      /** @type {import('./process-identity.mjs').ProcessIdentity} */
      const identity = JSON.parse(readFileSync(note, 'utf8'));
      if (isAlive(identity)) return [{ pid: identity.pid, buildName }];
      rmSync(note, { force: true });
      return [];
    });
  });
}

/**
 * Notes this process as running the build, until it exits. Call under the checkout lock.
 * @param {string} buildName
 */
export function noteRunning(buildName) {
  const folder = join(distDir, buildName, 'running');
  mkdirSync(folder, { recursive: true });
  const note = join(folder, String(process.pid));
  writeFileSync(note, JSON.stringify(identityOf(process.pid)));
  process.once('exit', () => rmSync(note, { force: true }));
}
