import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootDir } from './project.mjs';

const graceMs = 5000;

const running = new Set();

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal 0 only asks whether the group has a process left
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false; // The group is gone.
  }
}

// However this process ends, nothing it started is left behind.
process.on('exit', () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
});

/**
 * Runs a command in its own process group, and kills what is left of the group when the command ends: a browser or database
 * that a failed test forgot.
 * @param {string[]} command program and arguments
 * @param {{ env?: NodeJS.ProcessEnv, signal?: AbortSignal, hear?: (text: Buffer) => void }} [options] `signal` kills the
 * group; `hear` gets its output, which otherwise goes to ours
 * @returns {Promise<number | string>} the exit code, or why there is none
 */
export async function runGroup([program = '', ...args], { env = process.env, signal, hear } = {}) {
  const output = hear ? 'pipe' : 'inherit';
  const child = spawn(program, args, {
    cwd: rootDir,
    env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  if (hear) for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
  const { pid } = child;
  const kill = () => void (pid && signalGroup(pid, 'SIGKILL'));
  if (pid) running.add(pid);
  signal?.addEventListener('abort', kill);
  /** @type {number | string} */
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once(hear ? 'close' : 'exit', (code, endedBy) => resolve(code ?? endedBy ?? 1));
  });
  signal?.removeEventListener('abort', kill);
  kill();
  running.delete(pid);
  return outcome;
}

/** SIGTERM to every running group, then SIGKILL after a grace period. */
export async function endGroups() {
  const pids = [...running];
  for (const pid of pids) signalGroup(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline && pids.some((pid) => signalGroup(pid, 0))) await sleep(50);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
}
