// `node scripts/complete-lockfile.mjs`: adds to package-lock.json the packages for other platforms that npm left out.
//
// npm omits native packages of other platforms if node_modules already existed or the registry mirror lacks them, and
// `npm ci` then refuses that very lockfile ("Missing: … from lock file"). The entries can be derived: the depending
// package pins the version, and the name tells the platform. They have no checksum, since nothing was downloaded; npm
// adds it on install.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from './project.mjs';

/**
 * @typedef {object} Entry
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string} [license]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [engines]
 * @property {Record<string, string>} [optionalDependencies]
 */

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/**
 * Whether a package at this path resolves the named one in the lockfile, walking up as Node does.
 * @param {Record<string, Entry>} packages @param {string} path @param {string} name
 */
function isLocked(packages, path, name) {
  const levels = path.split('/node_modules/');
  return levels
    .map((_, depth) => [...levels.slice(0, levels.length - depth), name].join('/node_modules/'))
    .concat(`node_modules/${name}`)
    .some((candidate) => packages[candidate]);
}

/** @param {Record<string, Entry>} packages the lockfile's `packages` */
export function missingPackages(packages) {
  return Object.entries(packages).flatMap(([path, wanting]) =>
    Object.entries(wanting.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, version]) => ({ name, version, wanting })),
  );
}

/** @param {ReturnType<typeof missingPackages>[number]} missing @returns {Entry} */
function entryOf({ name, version, wanting }) {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  if (cpu.length !== 1 || !/^\d/.test(version))
    throw new Error(`${name}@${version} does not tell its machine`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return {
    version,
    cpu,
    ...(wanting.dev && { dev: true }),
    ...(os.includes('linux') && words.some((word) => /^(gnu|musl)/.test(word)) && { libc: [libc] }),
    ...(wanting.license && { license: wanting.license }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(wanting.engines && { engines: wanting.engines }),
  };
}

if (process.argv[1] === import.meta.filename) {
  const lockfilePath = join(rootDir, 'package-lock.json');
  const lockfile = JSON.parse(readFileSync(lockfilePath, 'utf8'));
  const missing = missingPackages(lockfile.packages);
  for (const one of missing) lockfile.packages[`node_modules/${one.name}`] = entryOf(one);
  const entries = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lockfile.packages = Object.fromEntries(entries);
  if (missing.length > 0) writeFileSync(lockfilePath, `${JSON.stringify(lockfile, null, 2)}\n`);
  console.log(`${missing.length} packages added to package-lock.json`);
}
