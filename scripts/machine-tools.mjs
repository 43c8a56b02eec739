import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainFailure } from './project.mjs';

/** The shell first: without a window's machinery the same tests take three quarters of the processor's time. */
const chromiumNames =
  'chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable'.split(' ');
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
  ...(findChromium() ? [] : ['chromium-headless-shell']),
  ...(findPostgres() ? [] : ['postgresql']),
];

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['-q', ...args], { env, stdio: 'inherit' });
  if (status !== 0) throw new PlainFailure(`apt-get ${args.join(' ')} failed.`);
}

/**
 * Makes sure that Chromium and PostgreSQL are there: installs them as root on Debian, elsewhere says what to install.
 * Browsers are not downloaded: a closed network has a Debian mirror at most.
 */
export function installMachineTools() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const mayInstall =
    process.getuid?.() === 0 && pathFolders().some((folder) => isProgram(join(folder, 'apt-get')));
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
