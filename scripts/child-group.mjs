import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootDir } from './project.mjs';

const graceMs = 5000;

/** The process groups that run now, by their leader's pid. */
const running = new Set();

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal 0 only asks whether anybody of the group is left
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false; // nobody of it is left
  }
}

// Whatever way this process ends, nothing that it started stays.
process.on('exit', () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
});

/**
 * Runs a command in a process group of its own, its output going where ours goes, and ends what is left of the group
 * when the command itself has ended: a browser or a database that a failed test forgot.
 * @param {string[]} command program and arguments
 * @param {{ env?: NodeJS.ProcessEnv, limitMs?: number }} [options] after the limit the group is killed
 * @returns {Promise<number | string>} the exit code, or why there is none
 */
export async function runGroup([program = '', ...args], { env = process.env, limitMs } = {}) {
  const child = spawn(program, args, {
    cwd: rootDir,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { pid } = child;
  if (pid) running.add(pid);
  let tookTooLong = false;
  const timer = limitMs
    ? setTimeout(() => {
        tookTooLong = true;
        if (pid) signalGroup(pid, 'SIGKILL');
      }, limitMs)
    : undefined;
  /** @type {number | string} */
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
  });
  clearTimeout(timer);
  if (pid) {
    signalGroup(pid, 'SIGKILL');
    running.delete(pid);
  }
  return tookTooLong ? `it took over ${limitMs} ms` : outcome;
}

/** Asks every group that runs to end, and ends those that do not. */
export async function endGroups() {
  const pids = [...running];
  for (const pid of pids) signalGroup(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline && pids.some((pid) => signalGroup(pid, 0))) await sleep(50);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
}
