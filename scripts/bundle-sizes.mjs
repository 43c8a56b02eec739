// Compares the files that a browser loads before a page works with their budget. `npm run build` prints the
// sizes, `npm run check` enforces the budget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** @typedef {import('vite').Manifest} Manifest */

/**
 * Page budgets in bytes of gzip, over the manifest entries a page loads: the app's own and its lazy chunks. The landing
 * page counts its stylesheet too, since it must show at once on a slow phone.
 */
const pages = [
  {
    route: '/',
    budgetBytes: 20_000,
    entries: ['landing/landing-script.ts', 'landing/landing.css'],
    countStyles: true,
  },
  // The rules of the sign-in form load beside it, everything else on the first interaction with it.
  {
    route: '/app-login',
    budgetBytes: 110_000,
    entries: ['index.html', 'pages/sign-in-page.tsx', 'account'],
  },
  { route: '/loan-app', budgetBytes: 120_000, entries: ['index.html', 'pages/dashboard-page.tsx'] },
];

export const panelModule = /^web\/panel\//;

/**
 * The entries with their static imports, transitively.
 * @param {Manifest} manifest @param {string[]} keys
 */
function withImports(manifest, keys) {
  const found = new Set(keys);
  // The loop also reaches what is added meanwhile.
  for (const key of found) for (const next of manifest[key]?.imports ?? []) found.add(next);
  return [...found].flatMap((key) => manifest[key] ?? []);
}

/** @param {string} buildDir @returns {Manifest} */
const readManifest = (buildDir) => JSON.parse(readFileSync(join(buildDir, 'manifest.json'), 'utf8'));

/** @param {string} buildDir */
function measurePages(buildDir) {
  const manifest = readManifest(buildDir);
  /** @type {Record<string, string[]>} */
  const modules = JSON.parse(readFileSync(join(buildDir, 'chunk-modules.json'), 'utf8'));
  const gzipBytes = (/** @type {string} */ file) =>
    gzipSync(readFileSync(join(buildDir, 'web', file)), { level: 9 }).byteLength;
  const total = (/** @type {string[]} */ files) => files.reduce((sum, file) => sum + gzipBytes(file), 0);

  return pages.map(({ route, budgetBytes, entries: entriesOrNames, countStyles = false }) => {
    // A shared lazy chunk has no source file, only a name.
    const entries = entriesOrNames.map(
      (entry) => Object.keys(manifest).find((key) => key === entry || manifest[key]?.name === entry) ?? entry,
    );
    const loaded = withImports(manifest, entries);
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
 * Import cycles between chunks: their execution order is undefined, so a constant may be used before it exists. Chunk
 * groups in `vite.config.ts` can cause them.
 * @param {Manifest} manifest
 */
function findCycles(manifest) {
  /** @type {string[]} */
  const cycles = [];
  /** @type {Set<string>} */
  const done = new Set();
  const visit = (/** @type {string} */ key, /** @type {string[]} */ path) => {
    if (path.includes(key)) cycles.push([...path.slice(path.indexOf(key)), key].join(' > '));
    if (path.includes(key) || done.has(key)) return;
    for (const next of manifest[key]?.imports ?? []) visit(next, [...path, key]);
    done.add(key);
  };
  for (const key of Object.keys(manifest)) visit(key, []);
  return cycles.map((cycle) => `chunks import one another: ${cycle}`);
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Prints the sizes and returns the violations, one line each.
 * @param {string} buildDir
 */
export function reportPages(buildDir) {
  const sizes = measurePages(buildDir);
  console.log('Page          script (gzip)     budget    styles');
  for (const { route, budgetBytes, scriptBytes, styleBytes } of sizes) {
    const columns = [scriptBytes, budgetBytes, styleBytes].map((bytes) => kilobytes(bytes).padStart(10));
    console.log(route.padEnd(14), columns[0]?.padStart(12), columns[1], columns[2]?.slice(1));
  }
  return [...sizes.flatMap(({ problems }) => problems), ...findCycles(readManifest(buildDir))];
}
