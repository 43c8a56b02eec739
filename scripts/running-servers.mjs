import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distDir } from './project.mjs';

/**
 * Identifies a process across pid reuse.
 * @typedef {{ pid: number, startTicks: string | null }} ProcessIdentity
 */

/**
 * When the kernel started the process, in its own ticks: after a crash a pid may be reused, especially in a container,
 * where every start gets the same few numbers. Null without /proc.
 * @param {number} pid
 * @returns {string | null}
 */
function startTicksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the program's name in parentheses and may contain spaces, so count from after it: the start time is
    // field 22, the twentieth from there.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {ProcessIdentity} */
export const identityOf = (pid) => ({ pid, startTicks: startTicksOf(pid) });

/** @param {ProcessIdentity | undefined} identity */
export function isAlive(identity) {
  if (!identity) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: alive, under another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false;
  }
  return identity.startTicks === null || startTicksOf(identity.pid) === identity.startTicks;
}

/**
 * A process running a build notes its pid in `dist/<hash>/running/<pid>`, so that nobody deletes the build or replaces
 * node_modules under it. Returns those still alive, and removes the notes of dead ones.
 */
export function runningServers() {
  if (!existsSync(distDir)) return [];
  return readdirSync(distDir).flatMap((buildName) => {
    const folder = join(distDir, buildName, 'running');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((name) => {
      const note = join(folder, name);
      /** @type {ProcessIdentity} */
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
