import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cacheDir, PlainFailure, rootDir } from './project.mjs';
import { runningServers } from './running-servers.mjs';
import { runWorker } from './worker-process.mjs';

const lockfilePath = join(rootDir, 'package-lock.json');
const stampPath = join(rootDir, 'node_modules', '.installed-from');

/** Includes the platform: a node_modules copied to another machine has the wrong native files. */
const wantedStamp = () =>
  `${createHash('sha256').update(readFileSync(lockfilePath)).digest('hex')} ${process.platform}-${process.arch}\n`;

/** @param {string} path */
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

function ownLibc() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * True if an optional package may be missing. npm leaves out those for other platforms and their
 * dependencies; only those naming this very platform must be there.
 * @param {import('./supply-chain.ts').Locked} entry
 */
function mayBeMissing({ optional, os, cpu, libc }) {
  if (!optional) return false;
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return true;
  return libc !== undefined && !libc.includes(ownLibc());
}

/**
 * True if npm's own record of its last install matches the lockfile, so that running npm by hand does
 * not cause a second install.
 */
function isInstalledByHand() {
  const noted = readIfThere(join(rootDir, 'node_modules', '.package-lock.json'));
  if (!noted) return false;
  /** @type {import('./supply-chain.ts').Packages} */
  const installed = JSON.parse(noted).packages;
  /** @type {import('./supply-chain.ts').Packages} */
  const { '': _root, ...wanted } = JSON.parse(readFileSync(lockfilePath, 'utf8')).packages;
  if (Object.keys(installed).some((path) => !wanted[path])) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const own = installed[path];
    if (!own) return mayBeMissing(entry);
    return own.version === entry.version && own.integrity === entry.integrity;
  });
}

export function arePackagesInstalled() {
  const stamp = wantedStamp();
  if (readIfThere(stampPath) === stamp) return true;
  if (!isInstalledByHand()) return false;
  writeFileSync(stampPath, stamp);
  return true;
}

/** npm as program and first arguments: the one running this script, else the one beside Node, else from the PATH. */
function npmCommand() {
  const { npm_execpath: cli } = process.env;
  if (cli && /^npm(-cli)?\.[cm]?js$/.test(basename(cli))) return [process.execPath, cli];
  const beside = join(dirname(process.execPath), 'npm');
  return [existsSync(beside) ? beside : 'npm'];
}

/**
 * Installs what package-lock.json asks for. Call under the checkout lock.
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
  // The stamp is taken before the install: if the lockfile changes meanwhile, the next start installs again.
  const stamp = wantedStamp();
  await runWorker({
    label: 'Installing packages',
    // The build needs devDependencies even where NODE_ENV or npm's settings would omit them.
    command: [...npmCommand(), 'ci', '--include=dev', '--no-audit', '--no-fund'],
    env: process.env,
    logFile: join(cacheDir, 'install.log'),
    onPid: onWorker,
  });
  writeFileSync(stampPath, stamp);
}
