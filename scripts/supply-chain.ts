// `npm run supply-chain`: checks third-party packages. The lockfile pins each by content; production packages have no
// install scripts; every licence permits redistribution; no known vulnerability is unreviewed. `npm run supply-chain --
// --write` regenerates docs/licences.md, `-- --complete` adds to the lockfile what npm left out.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainFailure, rootDir, runScript } from './project.mjs';

export type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  engines?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

export type Packages = Record<string, Locked>;
type Entry = [path: string, locked: Locked];

/** Permissive licences, and those for libraries and fonts redistributed unchanged. */
const allowedLicences = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 ISC LGPL-3.0-or-later MIT MIT-0 OFL-1.1 Unlicense'.split(
    ' ',
  ),
);

/** Packages whose licence npm's metadata lacks (what their LICENSE file says) or leaves to choose. */
const readLicences = new Map([
  ['png-js', 'MIT'],
  ['qr', 'MIT'],
]);

/** Dev dependencies that end up in browser bundles (decision 010); their own dependencies are derived. */
const bundled = [
  '@fontsource-variable/bricolage-grotesque',
  '@radix-ui/react-toast',
  '@radix-ui/react-tooltip',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'lucide-react',
  'qr',
  'react',
  'react-dom',
  'wouter',
];

const lockfilePath = join(rootDir, 'package-lock.json');
const licencesFile = join(rootDir, 'docs', 'licences.md');

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const licenceOf = ([path, { license }]: Entry) => readLicences.get(nameOf(path)) ?? license ?? 'unknown';

/**
 * Faults in how packages are pinned. An entry without a checksum is for another platform: the mirror used to make the
 * lockfile lacked it, and npm adds the checksum on install. No production package may be like that.
 */
export function faultsOfLockfile(packages: Packages): string[] {
  return entriesOf(packages).flatMap(([path, locked]) => {
    const { integrity, resolved, dev, optional, os, cpu, hasInstallScript } = locked;
    const isForeign = dev && optional && (os ?? cpu) !== undefined;
    const faults: string[] = [];
    if (!integrity && !isForeign) faults.push(`${path} is not pinned by a checksum`);
    if (integrity && !/^sha512-/.test(integrity)) faults.push(`${path} is pinned by a weak checksum`);
    if (resolved !== undefined) faults.push(`${path} is tied to ${new URL(resolved).host}`);
    if (hasInstallScript && !dev) faults.push(`${path} runs a script when it is installed`);
    return faults;
  });
}

export function faultsOfLicences(packages: Packages): string[] {
  return shippedOf(packages).flatMap((entry) =>
    licenceOf(entry)
      .split(/ AND /)
      .every((licence) => allowedLicences.has(licence))
      ? []
      : [`${entry[0]} comes under ${licenceOf(entry)}`],
  );
}

const entriesOf = (packages: Packages) => Object.entries(packages).filter(([path]) => path !== '');

const serversOf = (packages: Packages) => entriesOf(packages).filter(([, { dev }]) => !dev);

function bundledOf(packages: Packages): Entry[] {
  const found = new Set(bundled.map((name) => `node_modules/${name}`));
  // The loop also reaches what is added meanwhile.
  for (const path of found) {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      found.add(locate(packages, path, name) ?? name);
    }
  }
  return entriesOf(packages).filter(([path]) => found.has(path));
}

/** Finds a package from another as Node does, walking up. */
function locate(packages: Packages, from: string, name: string): string | undefined {
  const levels = from.split('/node_modules/');
  return levels
    .map(
      (_, depth) => `${levels.slice(0, levels.length - depth).join('/node_modules/')}/node_modules/${name}`,
    )
    .concat(`node_modules/${name}`)
    .find((path) => packages[path]);
}

const shippedOf = (packages: Packages) => [...serversOf(packages), ...bundledOf(packages)];

function table(entries: readonly Entry[]): string {
  const rows = entries.map(
    (entry) => `| ${nameOf(entry[0])} | ${entry[1].version ?? ''} | ${licenceOf(entry)} |`,
  );
  return ['| Package | Version | Licence |', '|---|---|---|', ...new Set(rows)].join('\n');
}

export const licencesPage = (packages: Packages): string => `# Licences of what we pass on

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

const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ');
const processors = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ');

/**
 * Packages for other platforms that npm left out of the lockfile, because node_modules was there already or the
 * registry's mirror lacks them: `npm ci` then refuses that very lockfile ("Missing: … from lock file").
 */
export function missingPackages(packages: Packages) {
  return Object.entries(packages).flatMap(([path, wanting]) =>
    Object.entries(wanting.optionalDependencies ?? {})
      .filter(([name]) => !locate(packages, path, name))
      .map(([name, version]) => ({ name, version, wanting })),
  );
}

/**
 * The depending package pins the version, and the name tells the platform. There is no checksum, since nothing was
 * downloaded: npm adds it on install.
 */
function entryOf({ name, version, wanting }: ReturnType<typeof missingPackages>[number]): Locked {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  if (cpu.length !== 1 || !/^\d/.test(version))
    throw new PlainFailure(`${name}@${version} does not tell its machine`);
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

const patienceMs = 30_000;
const grave = ['high', 'critical'];

/** `why` is for the next reader; after `until` (YYYY-MM-DD) it must be reviewed again. */
type Exception = { advisory: string; why: string; until: string };

/** Advisories reviewed and found harmless here, by URL. */
const exceptions: Exception[] = [];

/** A finding of `npm audit`. `via` has the advisory, or the name of another package that brings it in. */
type Vulnerability = {
  name: string;
  via: (string | { url?: string; title?: string; severity?: string })[];
};

/**
 * Unreviewed advisories against production packages. If the registry cannot be asked (a mirror without that service, no
 * network), says so and returns none: the check was not made.
 */
function auditPackages(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: rootDir,
    encoding: 'utf8',
    timeout: patienceMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { vulnerabilities, why } = readReport(stdout ?? '');
  if (!vulnerabilities) {
    console.log(`Known holes were not looked for: ${why}. Run npm audit where the registry answers.`);
    return [];
  }
  const { faults, notes } = judge(vulnerabilities, exceptions, new Date().toISOString().slice(0, 10));
  for (const note of notes) console.log(note);
  return faults;
}

export function readReport(stdout: string): { vulnerabilities?: Vulnerability[]; why?: string } {
  try {
    const report = JSON.parse(stdout);
    if (report.vulnerabilities) return { vulnerabilities: Object.values(report.vulnerabilities) };
    return { why: String(report.message ?? 'the registry does not answer').split('\n')[0] };
  } catch {
    return { why: 'the registry does not answer' };
  }
}

export function judge(
  vulnerabilities: readonly Vulnerability[],
  judged: readonly Exception[],
  today: string,
) {
  const faults: string[] = [];
  const notes: string[] = [];
  for (const { name, via } of vulnerabilities) {
    for (const advisory of via) {
      if (typeof advisory === 'string') continue;
      const { url = '', title = '', severity = '' } = advisory;
      const known = judged.find((exception) => exception.advisory === url && exception.until >= today);
      const said = `${name}: ${title} (${severity}, ${url})`;
      if (known) notes.push(`Judged until ${known.until}: ${said}. ${known.why}`);
      else if (grave.includes(severity)) faults.push(said);
      else notes.push(`Known: ${said}`);
    }
  }
  return { faults, notes };
}

async function check() {
  const lockfile: { packages: Packages } = JSON.parse(readFileSync(lockfilePath, 'utf8'));
  const { packages } = lockfile;
  if (process.argv.includes('--complete')) {
    const missing = missingPackages(packages);
    for (const one of missing) packages[`node_modules/${one.name}`] = entryOf(one);
    const entries = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
    const whole = { ...lockfile, packages: Object.fromEntries(entries) };
    if (missing.length > 0) writeFileSync(lockfilePath, `${JSON.stringify(whole, null, 2)}\n`);
    console.log(`${missing.length} packages added to package-lock.json`);
    return;
  }
  if (process.argv.includes('--write')) {
    writeFileSync(licencesFile, licencesPage(packages));
    console.log('docs/licences.md is written.');
    return;
  }
  const faults = [...faultsOfLockfile(packages), ...faultsOfLicences(packages)];
  if (readFileSync(licencesFile, 'utf8') !== licencesPage(packages))
    faults.push('docs/licences.md is out of date: npm run supply-chain -- --write');
  faults.push(...auditPackages());
  if (faults.length > 0) throw new PlainFailure(faults.join('\n'));
  console.log(`${shippedOf(packages).length} packages are shipped; all are pinned and may be passed on.`);
}

if (import.meta.filename === process.argv[1]) await runScript(check);
