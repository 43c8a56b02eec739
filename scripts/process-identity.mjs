import { readFileSync } from 'node:fs';

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

/**
 * @param {number} pid
 * @returns {ProcessIdentity}
 */
export const identityOf = (pid) => ({ pid, startTicks: startTicksOf(pid) });

/**
 * @param {ProcessIdentity | undefined} identity
 * @returns {boolean}
 */
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
