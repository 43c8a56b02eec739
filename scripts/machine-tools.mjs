import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainFailure } from './project.mjs';

/** Without a window's machinery the browser takes two thirds of the processor's time for the same tests. */
const headlessShell = 'chromium-headless-shell';
const chromiumNames = [
  headlessShell,
  ...'chromium chromium-browser google-chrome google-chrome-stable'.split(' '),
];
const chromiumPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Debian keeps PostgreSQL's programs in a folder per version, off the PATH. */
const debianPostgresDir = '/usr/lib/postgresql';

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const pathFolders = () => (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');

/** @returns {string | undefined} the browser's executable */
export function findChromium() {
  const named = process.env.CHROME_PATH;
  if (named) return isProgram(named) ? named : undefined;
  const onPath = chromiumNames.flatMap((name) => pathFolders().map((folder) => join(folder, name)));
  return [...onPath, ...chromiumPlaces].find(isProgram);
}

/** @returns {string | undefined} the folder with initdb and postgres */
function findPostgres() {
  const versions = existsSync(debianPostgresDir) ? readdirSync(debianPostgresDir) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return [...newestFirst.map((version) => join(debianPostgresDir, version, 'bin')), ...pathFolders()].find(
    (folder) => ['initdb', 'postgres'].every((name) => isProgram(join(folder, name))),
  );
}

const missingPackages = () => [
  ...(findChromium() ? [] : [headlessShell]),
  ...(findPostgres() ? [] : ['postgresql']),
];

/** Where Debian's Chromium is, its shell pays for its download in the first run. */
const isShellMissing = () =>
  process.env.CHROME_PATH === undefined && findChromium()?.endsWith('/chromium') === true;

/** @param {string[]} args @returns {boolean} whether it did what it was asked to */
function tryAptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { env, stdio: 'inherit' }).status === 0;
}

/** @param {string[]} args */
function aptGet(args) {
  if (!tryAptGet(args)) throw new PlainFailure(`apt-get ${args.join(' ')} failed.`);
}

/**
 * Makes sure that Chromium and PostgreSQL are there: installs them as root on Debian, elsewhere says what to install.
 * Browsers are not downloaded: a closed network has a Debian mirror at most.
 */
export function installMachineTools() {
  const missing = missingPackages();
  const mayInstall =
    process.getuid?.() === 0 && pathFolders().some((folder) => isProgram(join(folder, 'apt-get')));
  if (mayInstall && missing.length === 0 && isShellMissing()) {
    console.log(`Installing ${headlessShell}, which is faster than the browser that is here …`);
    const bounds = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10'];
    // Without a mirror the tests go on with the browser that is here.
    if (tryAptGet([...bounds, 'update']))
      tryAptGet([...bounds, 'install', '-y', '--no-upgrade', headlessShell]);
  }
  if (missing.length === 0) return;
  if (mayInstall) {
    console.log(`Installing ${missing.join(' and ')} …`);
    aptGet(['update']);
    aptGet(['install', '-y', ...missing]);
  }
  const still = missingPackages();
  if (still.length > 0) {
    throw new PlainFailure(
      `The tests need ${still.join(' and ')}: install it (Debian: apt-get install ${still.join(' ')}), or name the browser in CHROME_PATH.`,
    );
  }
}
