import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PlainFailure, rootDir } from './project.mjs';

/** Shorter jobs are not announced. */
const quietMs = 1000;

const shownFirstLines = 8;
const shownLastLines = 25;

/**
 * Both ends of a log: the end says how it failed, but npm prints the reason first and its manual after.
 * @param {string} log
 */
function endsOf(log) {
  const lines = stripVTControlCharacters(log).trimEnd().split('\n');
  if (lines.length <= shownFirstLines + shownLastLines) return lines;
  return [...lines.slice(0, shownFirstLines), '…', ...lines.slice(-shownLastLines)];
}

/**
 * Runs a child process with its output in a log file, says how long it took, and fails with what the log says. SIGINT and
 * SIGTERM end the child before this process, so that nothing is left half done.
 * @param {object} job
 * @param {string} job.label what it does, for the messages
 * @param {string[]} job.command program and arguments
 * @param {NodeJS.ProcessEnv} job.env
 * @param {string} job.logFile
 * @param {(pid: number | undefined) => void} job.onPid called with the child's pid, and undefined when it has ended
 */
export async function runWorker({ label, command, env, logFile, onPid }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: rootDir, env, stdio: ['ignore', log, log] });
  closeSync(log);
  onPid(child.pid);

  const startMs = performance.now();
  let isTold = false;
  const timer = setTimeout(() => {
    isTold = true;
    console.log(`${label} …`);
  }, quietMs);

  /** @type {NodeJS.Signals | undefined} */
  let interruptedBy;
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
    interruptedBy = signal;
    child.kill('SIGTERM');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  /** @type {string | number | null} */
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  onPid(undefined);
  clearTimeout(timer);

  if (interruptedBy) process.exit(interruptedBy === 'SIGINT' ? 130 : 143);
  if (outcome === 0) {
    if (isTold) console.log(`${label}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    return;
  }
  const heading = `${label} failed (${outcome}). From ${relative(rootDir, logFile)}:`;
  throw new PlainFailure([heading, ...endsOf(readFileSync(logFile, 'utf8'))].join('\n'));
}
