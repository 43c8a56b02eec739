import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withProgress } from './progress.mjs';
import { cacheDir, PlainFailure, rootDir } from './project.mjs';
import { runningServers } from './running-servers.mjs';
import { runWorker } from './worker-process.mjs';

const lockfilePath = join(rootDir, 'package-lock.json');
const stampPath = join(rootDir, 'node_modules', '.installed-from');

/**
 * One package's entry in a lockfile.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry
 */

/** The platform is part of it: a node_modules carried to another machine holds the wrong native files. */
const wantedStamp = () =>
  `${createHash('sha256').update(readFileSync(lockfilePath)).digest('hex')} ${process.platform}-${process.arch}\n`;

/** @param {string} path */
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Which C library Linux has here; a native package may be for one of the two only. */
function ownLibc() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Whether the optional package may be missing here. npm leaves out those for other machines, and with them what they
 * need; only those that name this very machine have to be there.
 * @param {Entry} entry
 */
function mayBeMissing({ optional, os, cpu, libc }) {
  if (!optional) return false;
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return true;
  return libc !== undefined && !libc.includes(ownLibc());
}

/**
 * Whether what npm noted in node_modules at its last install is what the lockfile asks for. It spares a second install
 * to those who ran npm by hand.
 */
function isInstalledByHand() {
  const noted = readIfThere(join(rootDir, 'node_modules', '.package-lock.json'));
  if (!noted) return false;
  /** @type {Record<string, Entry>} */
  const installed = JSON.parse(noted).packages;
  /** @type {Record<string, Entry>} */
  const { '': _root, ...wanted } = JSON.parse(readFileSync(lockfilePath, 'utf8')).packages;
  if (Object.keys(installed).some((path) => !wanted[path])) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const own = installed[path];
    if (!own) return mayBeMissing(entry);
    return own.version === entry.version && own.integrity === entry.integrity;
  });
}

/** Whether node_modules is what package-lock.json asks for. */
export function arePackagesInstalled() {
  const stamp = wantedStamp();
  if (readIfThere(stampPath) === stamp) return true;
  if (!isInstalledByHand()) return false;
  writeFileSync(stampPath, stamp);
  return true;
}

/** npm itself as a program and its first arguments: the one that runs this script, else the one on the path. */
function npmCommand() {
  const { npm_execpath: cli } = process.env;
  if (cli && /^npm(-cli)?\.[cm]?js$/.test(basename(cli))) return [process.execPath, cli];
  const beside = join(dirname(process.execPath), 'npm');
  return [existsSync(beside) ? beside : 'npm'];
}

/**
 * Makes node_modules what package-lock.json asks for. Call it under the checkout lock.
 * @param {(pid: number | undefined) => void} onWorker
 */
export async function installPackages(onWorker) {
  if (arePackagesInstalled()) return;
  const [server] = runningServers();
  if (server) {
    throw new PlainFailure(
      `The packages have changed, but a server of this checkout still runs with the present ones: stop process ${server.pid} first.`,
    );
  }
  // Taken before the install: if the lockfile changes meanwhile, the next start installs again.
  const stamp = wantedStamp();
  await withProgress('Installing packages', () =>
    runWorker({
      label: 'Installing the packages',
      // The build needs the development packages, also where NODE_ENV or npm's settings would leave them out.
      command: [...npmCommand(), 'ci', '--include=dev', '--no-audit', '--no-fund'],
      env: process.env,
      logFile: join(cacheDir, 'install.log'),
      onPid: onWorker,
    }),
  );
  writeFileSync(stampPath, stamp);
}
