// `npm run supply-chain`: what comes from others, checked. The lockfile pins every package by its content; what runs on a
// lender's server installs without running anybody's script; every licence is one that may be passed on; and no known
// hole is open that nobody has judged. `npm run supply-chain -- --write` writes docs/licences.md anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditPackages } from './npm-audit.mjs';
import { PlainFailure, rootDir, runScript } from './project.mjs';

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {string} [resolved]
 * @property {string} [integrity]
 * @property {string} [license]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [hasInstallScript]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @typedef {Record<string, Locked>} Packages the lockfile's `packages`, by path
 */

/** Licences that ask for no more than to be named, and those of libraries and fonts that are passed on unchanged. */
export const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]);

/** Packages that do not name their licence where npm looks for it: what their own LICENSE file says. */
const readLicences = new Map([['png-js', 'MIT']]);

/** Build tools that end up in what the browser gets (decision 010); their own dependencies are found from here. */
const bundled = [
  '@fontsource-variable/bricolage-grotesque',
  '@radix-ui/react-toast',
  '@radix-ui/react-tooltip',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'lucide-react',
  'react',
  'react-dom',
  'wouter',
];

const licencesFile = join(rootDir, 'docs', 'licences.md');

/** @param {string} path */
export const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** @param {[string, Locked]} entry */
export const licenceOf = ([path, { license }]) => license ?? readLicences.get(nameOf(path)) ?? 'unknown';

/**
 * What is wrong with how packages are pinned. An entry without a checksum stands for another kind of machine: the mirror
 * that the lockfile was made with did not carry it, and npm adds the checksum where it is installed. Nothing of that kind
 * may be part of what runs on a server.
 * @param {Packages} packages
 */
export function faultsOfLockfile(packages) {
  return entriesOf(packages).flatMap(([path, locked]) => {
    const { integrity, resolved, dev, optional, os, cpu, hasInstallScript } = locked;
    const isForeign = dev && optional && (os ?? cpu) !== undefined;
    const faults = [];
    if (!integrity && !isForeign) faults.push(`${path} is not pinned by a checksum`);
    if (integrity && !/^sha512-/.test(integrity)) faults.push(`${path} is pinned by a weak checksum`);
    if (resolved !== undefined) faults.push(`${path} is tied to ${new URL(resolved).host}`);
    if (hasInstallScript && !dev) faults.push(`${path} runs a script when it is installed`);
    return faults;
  });
}

/** @param {Packages} packages */
export function faultsOfLicences(packages) {
  return shippedOf(packages).flatMap((entry) =>
    licenceOf(entry)
      .split(/ AND /)
      .every((licence) => allowedLicences.has(licence))
      ? []
      : [`${entry[0]} comes under ${licenceOf(entry)}`],
  );
}

/** @param {Packages} packages */
const entriesOf = (packages) => Object.entries(packages).filter(([path]) => path !== '');

/** @param {Packages} packages */
const serversOf = (packages) => entriesOf(packages).filter(([, { dev }]) => !dev);

/**
 * The packages that a browser gets, with all that they need.
 * @param {Packages} packages
 */
function bundledOf(packages) {
  /** @type {Map<string, Locked>} */
  const found = new Map();
  /** @param {string} path */
  const visit = (path) => {
    const locked = packages[path];
    if (!locked || found.has(path)) return;
    found.set(path, locked);
    for (const name of Object.keys(locked.dependencies ?? {})) {
      const own = `${path}/node_modules/${name}`;
      visit(packages[own] ? own : `node_modules/${name}`);
    }
  };
  for (const name of bundled) visit(`node_modules/${name}`);
  return [...found];
}

/** @param {Packages} packages */
const shippedOf = (packages) => [...serversOf(packages), ...bundledOf(packages)];

/** @param {[string, Locked][]} entries */
function table(entries) {
  const rows = entries.map(
    (entry) => `| ${nameOf(entry[0])} | ${entry[1].version ?? ''} | ${licenceOf(entry)} |`,
  );
  return ['| Package | Version | Licence |', '|---|---|---|', ...new Set(rows)].join('\n');
}

/**
 * The page that lists every package that is shipped, and its licence.
 * @param {Packages} packages
 */
export const licencesPage = (packages) => `# Licences of what we pass on

Made from \`package-lock.json\` by \`npm run supply-chain -- --write\`; the check fails while it is out of date. A list for
machines: \`npm sbom --omit=dev --sbom-format=cyclonedx\` (or \`spdx\`), which needs no network.

## On the server

Those with a machine in their name are native code: only the ones of the server's own machine are installed. libvips
(LGPL) is used as the separate library that it is.

${table(serversOf(packages))}

## In the browser

Built into the pages.

${table(bundledOf(packages))}
`;

async function check() {
  /** @type {{ packages: Packages }} */
  const { packages } = JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8'));
  if (process.argv.includes('--write')) {
    writeFileSync(licencesFile, licencesPage(packages));
    console.log('docs/licences.md is written.');
    return;
  }
  const faults = [...faultsOfLockfile(packages), ...faultsOfLicences(packages)];
  if (readFileSync(licencesFile, 'utf8') !== licencesPage(packages))
    faults.push('docs/licences.md is out of date: npm run supply-chain -- --write');
  faults.push(...(await auditPackages()));
  if (faults.length > 0) throw new PlainFailure(faults.join('\n'));
  console.log(`${shippedOf(packages).length} packages are shipped; all are pinned and may be passed on.`);
}

if (import.meta.filename === process.argv[1]) await runScript(check);
