// `node scripts/build-bundles.mjs <folder>`: does the build in a process of its own, so that the bundler's memory is
// freed before the server starts. Called by `npm run build` and `npm start`; the folder must be new.
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { compressAssets } from './compress-assets.mjs';
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
