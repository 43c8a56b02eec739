import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from './project.mjs';
import { identityOf, isAlive } from './running-servers.mjs';

/**
 * One process at a time installs and builds in a checkout. Node has no file lock that ends with its holder, so this is
 * a series of numbered files of which the highest counts: it names its holder, or says that it is free. Whoever finds
 * it free, or its holder dead, creates the next number, which only one process can. The highest file is never deleted,
 * so nobody mistakes a new lock for the one they found dead.
 * @typedef {{ free: true } | { free: false, holder: Identity, worker?: Identity }} LockState
 * @typedef {import('./running-servers.mjs').ProcessIdentity} Identity
 */

const lockDir = join(cacheDir, 'lock');
const pollMs = 150;
const tellAfterMs = 1000;

/** @param {number} number */
const pathOf = (number) => join(lockDir, String(number));
const draftPath = join(lockDir, `draft-${process.pid}`);

const numbers = () =>
  readdirSync(lockDir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** @param {number} number @returns {LockState} */
function read(number) {
  try {
    return JSON.parse(readFileSync(pathOf(number), 'utf8'));
  } catch {
    // Just deleted by the holder of a higher number; the caller looks again.
    return { free: true };
  }
}

/** @param {LockState} state */
const draft = (state) => writeFileSync(draftPath, JSON.stringify(state));

/**
 * The worker is the child that does the work (npm, the build). It outlives a holder killed with SIGKILL, and the
 * checkout is still being written to until it ends.
 * @param {LockState} state
 */
const isHeld = (state) => !state.free && (isAlive(state.holder) || isAlive(state.worker));

/** @returns {number | undefined} the number now ours; undefined if another process was faster */
function tryNext() {
  const highest = Math.max(0, ...numbers());
  if (highest > 0 && isHeld(read(highest))) return undefined;
  const number = highest + 1;
  draft({ free: false, holder: identityOf(process.pid) });
  try {
    linkSync(draftPath, pathOf(number));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return undefined;
  } finally {
    rmSync(draftPath, { force: true });
  }
  // Others may have come and gone since the numbers were read, deleting this one: then a higher one counts.
  if (Math.max(...numbers()) > number) {
    rmSync(pathOf(number), { force: true });
    return undefined;
  }
  return number;
}

/**
 * Runs the work while no other process of this checkout installs or builds; takes over from a holder that died. The
 * work gets a function that registers its child process with the lock.
 * @template T
 * @param {(setWorker: (pid: number | undefined) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withCheckoutLock(work) {
  mkdirSync(lockDir, { recursive: true });
  const since = performance.now();
  let told = false;
  let number = tryNext();
  while (number === undefined) {
    await sleep(pollMs);
    if (!told && performance.now() - since > tellAfterMs) {
      told = true;
      console.log('Waiting for another install or build in this checkout …');
    }
    number = tryNext();
  }
  const mine = number;
  for (const older of numbers().filter((other) => other < mine)) rmSync(pathOf(older), { force: true });

  /** @param {LockState} state */
  const write = (state) => {
    draft(state);
    renameSync(draftPath, pathOf(mine));
  };
  const release = () => write({ free: true });
  process.once('exit', release);
  try {
    const holder = identityOf(process.pid);
    return await work((pid) => write({ free: false, holder, worker: pid ? identityOf(pid) : undefined }));
  } finally {
    process.removeListener('exit', release);
    release();
  }
}
