// `node scripts/bundle-sizes.mjs <build folder>`: what the browser has to load before a page works, and whether that
// stays within its budget. `npm run build` prints it, `npm run check` fails by it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ file: string, name?: string, css?: string[], imports?: string[], dynamicImports?: string[] }} ManifestEntry
 * @typedef {Record<string, ManifestEntry>} Manifest
 * @typedef {{ route: string, budgetBytes: number, scriptBytes: number, styleBytes: number, problems: string[] }} PageSize
 */

/**
 * The pages that have a budget, in bytes of gzip: the entries of the manifest that the page loads, the app's own and
 * its lazy chunks. The landing page's counts its style sheet too, for it is meant to be on a slow phone at once.
 */
const pages = [
  {
    route: '/',
    budgetBytes: 20_000,
    entries: ['landing/landing-page.ts', 'landing/landing.css'],
    countStyles: true,
  },
  // The sign-in screen is part of the app's own entry; its rules come beside it, the rest when somebody touches its form.
  {
    route: '/app-login',
    budgetBytes: 110_000,
    entries: ['index.html', 'account'],
  },
  {
    route: '/loan-app',
    budgetBytes: 120_000,
    entries: ['index.html', 'pages/dashboard-page.tsx'],
  },
];

/** What only staff may load. */
export const panelModule = /^web\/panel\//;

/**
 * The entries and everything that they import, directly or not; lazy imports excepted.
 * @param {Manifest} manifest @param {string[]} keys @param {Map<string, ManifestEntry>} [found]
 */
function withImports(manifest, keys, found = new Map()) {
  for (const key of keys) {
    const entry = manifest[key];
    if (!entry || found.has(key)) continue;
    found.set(key, entry);
    withImports(manifest, entry.imports ?? [], found);
  }
  return found;
}

/**
 * @param {string} buildDir
 * @returns {Manifest}
 */
const readManifest = (buildDir) => JSON.parse(readFileSync(join(buildDir, 'manifest.json'), 'utf8'));

/**
 * @param {string} buildDir
 * @returns {PageSize[]}
 */
export function measurePages(buildDir) {
  const manifest = readManifest(buildDir);
  /** @type {Record<string, string[]>} */
  const modules = JSON.parse(readFileSync(join(buildDir, 'chunk-modules.json'), 'utf8'));
  const gzipBytes = (/** @type {string} */ file) =>
    gzipSync(readFileSync(join(buildDir, 'web', file)), { level: 9 }).byteLength;
  const total = (/** @type {string[]} */ files) => files.reduce((sum, file) => sum + gzipBytes(file), 0);

  return pages.map(({ route, budgetBytes, entries: entriesOrNames, countStyles = false }) => {
    // A chunk that several import lazily has no source file of its own, but a name.
    const entries = entriesOrNames.map(
      (entry) => Object.keys(manifest).find((key) => key === entry || manifest[key]?.name === entry) ?? entry,
    );
    const loaded = [...withImports(manifest, entries).values()];
    const files = [...new Set(loaded.flatMap(({ file, css = [] }) => [file, ...css]))];
    const scriptBytes = total(files.filter((file) => file.endsWith('.js')));
    const styleBytes = total(files.filter((file) => file.endsWith('.css')));
    const countedBytes = scriptBytes + (countStyles ? styleBytes : 0);
    const strays = files.flatMap((file) => modules[file] ?? []).filter((module) => panelModule.test(module));
    const problems = [
      ...entries.filter((key) => !manifest[key]).map((key) => `${route}: the build has no entry ${key}`),
      ...(countedBytes > budgetBytes
        ? [`${route}: ${kilobytes(countedBytes)} of ${kilobytes(budgetBytes)}`]
        : []),
      ...strays.map((module) => `${route} loads the staff's ${module}`),
    ];
    return { route, budgetBytes, scriptBytes, styleBytes, problems };
  });
}

/**
 * Chunks that import one another. Which of them runs first is then anybody's guess, and a constant of the other may not
 * be there yet; groups of chunks in `vite.config.ts` can bring that about.
 * @param {Manifest} manifest
 */
function findCircles(manifest) {
  /** @type {string[]} */
  const circles = [];
  /** @type {Set<string>} */
  const done = new Set();
  const visit = (/** @type {string} */ key, /** @type {string[]} */ path) => {
    if (path.includes(key)) circles.push([...path.slice(path.indexOf(key)), key].join(' > '));
    if (path.includes(key) || done.has(key)) return;
    for (const next of manifest[key]?.imports ?? []) visit(next, [...path, key]);
    done.add(key);
  };
  for (const key of Object.keys(manifest)) visit(key, []);
  return circles.map((circle) => `chunks import one another: ${circle}`);
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Prints the sizes and returns what is wrong with them, one line each.
 * @param {string} buildDir
 */
export function reportPages(buildDir) {
  const sizes = measurePages(buildDir);
  console.log('Page          script (gzip)     budget    styles');
  for (const { route, budgetBytes, scriptBytes, styleBytes } of sizes) {
    const columns = [scriptBytes, budgetBytes, styleBytes].map((bytes) => kilobytes(bytes).padStart(10));
    console.log(route.padEnd(14), columns[0]?.padStart(12), columns[1], columns[2]?.slice(1));
  }
  return [...sizes.flatMap(({ problems }) => problems), ...findCircles(readManifest(buildDir))];
}

if (process.argv[1] === import.meta.filename) {
  const [buildDir = ''] = process.argv.slice(2);
  const problems = reportPages(buildDir);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
