// `node scripts/build-bundles.mjs <folder>`: does the build in a process of its own, so that the bundler's memory is
// freed before the server starts. Called by `npm run build` and `npm start`; the folder must be new.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { rootDir } from './project.mjs';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('which folder shall the build go to?');
const outDir = resolve(folder);
const webDir = join(outDir, 'web');
const landingDir = join(outDir, 'landing-web');

/** @param {string} configFile @param {string} target @param {string} [mode] */
const bundle = (configFile, target, mode) =>
  build({
    configFile: join(rootDir, configFile),
    mode,
    build: { outDir: target },
    clearScreen: false,
    logLevel: 'warn',
  });

/** The landing page's built files, for its renderer. @param {import('vite').Manifest} manifest */
async function landingAssets(manifest) {
  const script = manifest['landing/landing-script.ts'];
  const sheet = manifest['landing/landing.css'];
  if (!script || !sheet) throw new Error('the landing page’s files are missing in the manifest');
  /** @param {string} key @param {Set<string>} [found] @returns {Set<string>} */
  const withImports = (key, found = new Set()) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is missing in the manifest`);
    const address = `/${chunk.file}`;
    if (found.has(address)) return found;
    found.add(address);
    for (const imported of chunk.imports ?? []) withImports(imported, found);
    return found;
  };
  const english = withImports('pages/sign-in-page.tsx', withImports('index.html'));
  return {
    // The styles go into the page itself, so that its text waits for no second request.
    styles: (await readFile(join(webDir, sheet.file), 'utf8')).trim(),
    scripts: [`/${script.file}`],
    signInScripts: {
      en: [...english],
      fil: [...withImports('../contract/wording/fil.ts', new Set(english))],
    },
  };
}

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);

/** Smaller replies fit into one packet anyway. */
const smallestBytes = 1000;

/**
 * Writes a .br and a .gz next to every text file, at maximum levels: done once per build, so that no request pays for
 * it.
 * @param {string} folder
 */
async function compressAssets(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
  await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      if (content.byteLength < smallestBytes) return;
      const [brotlied, gzipped] = await Promise.all([
        promisify(brotliCompress)(content, {
          params: {
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
          },
        }),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${path}.br`, brotlied), writeFile(`${path}.gz`, gzipped)]);
    }),
  );
}

async function main() {
  await mkdir(outDir, { recursive: true });
  await Promise.all([
    bundle('vite.config.ts', webDir),
    bundle('vite.config.ts', landingDir, 'landing'),
    bundle('vite.server.config.ts', outDir),
  ]);

  for (const file of ['manifest.json', 'chunk-modules.json']) {
    const [app, landing] = await Promise.all(
      [webDir, landingDir].map(async (from) => JSON.parse(await readFile(join(from, '.vite', file), 'utf8'))),
    );
    // Out of the publicly served folder.
    await writeFile(join(outDir, file), JSON.stringify({ ...app, ...landing }, null, 2));
  }
  await rm(join(webDir, '.vite'), { recursive: true });
  // The server's bundles have pictures that the landing page shows.
  for (const folder of [landingDir, outDir]) {
    const assets = join(folder, 'assets');
    await cp(assets, join(webDir, 'assets'), { recursive: true, force: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(assets, { recursive: true, force: true });
  }
  await rm(landingDir, { recursive: true });

  const manifest = JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8'));
  const assets = await landingAssets(manifest);
  await writeFile(join(outDir, 'landing', 'assets.json'), `${JSON.stringify(assets, null, 2)}\n`);

  await cp(join(rootDir, 'server/store/migrations'), join(outDir, 'migrations'), { recursive: true });
  await compressAssets(webDir);
}

await main().catch((error) => {
  // The message shows the place; the bundler's stack helps nobody.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
