// `node scripts/build-bundles.mjs <folder>`: does the build in a process of its own, so that the bundler's memory is
// freed before the server starts. Called by `npm run build` and `npm start`; the folder must be new.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { rootDir } from './project.mjs';

/** @typedef {{ file: string, css?: string[], assets?: string[] }} ManifestEntry */

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('which folder shall the build go to?');
const outDir = resolve(folder);
const webDir = join(outDir, 'web');

/** @param {string} configFile @param {string} target */
const bundle = (configFile, target) =>
  build({
    configFile: join(rootDir, configFile),
    build: { outDir: target },
    clearScreen: false,
    logLevel: 'warn',
  });

/**
 * The landing page's built files, for its renderer.
 * @param {Record<string, ManifestEntry>} manifest
 */
function landingAssets(manifest) {
  const script = manifest['landing/landing-page.ts'];
  const sheet = manifest['landing/landing.css'];
  if (!script || !sheet) throw new Error('the landing page’s files are missing in the manifest');
  return {
    styles: [`/${sheet.file}`, ...(script.css ?? []).map((file) => `/${file}`)],
    scripts: [`/${script.file}`],
    // Preloaded, or the browser would discover them only after the stylesheet.
    fonts: (sheet.assets ?? []).filter((file) => file.endsWith('.woff2')).map((file) => `/${file}`),
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
  await Promise.all([bundle('vite.config.ts', webDir), bundle('vite.server.config.ts', outDir)]);

  // Out of the publicly served folder.
  for (const file of ['manifest.json', 'chunk-modules.json']) {
    await rename(join(webDir, '.vite', file), join(outDir, file));
  }
  await rm(join(webDir, '.vite'), { recursive: true });
  const manifest = JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8'));
  await writeFile(
    join(outDir, 'landing', 'assets.json'),
    `${JSON.stringify(landingAssets(manifest), null, 2)}\n`,
  );

  const renderedAssets = join(outDir, 'assets');
  await cp(renderedAssets, join(webDir, 'assets'), { recursive: true, force: true }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(renderedAssets, { recursive: true, force: true });

  await cp(join(rootDir, 'server/store/migrations'), join(outDir, 'migrations'), { recursive: true });
  await compressAssets(webDir);
}

await main().catch((error) => {
  // The message shows the place; the bundler's stack helps nobody.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
