import { join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const rootDir = import.meta.dirname;

/** Writes down which of our files went into which chunk: scripts/bundle-sizes.mjs keeps the staff's out of the borrowers'. */
const chunkModules: Plugin = {
  name: 'chunk-modules',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output : []));
    const ownModules = (ids: string[]) =>
      ids
        .map((id) => relative(rootDir, id))
        .filter((id) => !id.includes('node_modules') && !id.startsWith('\0'));
    const source = JSON.stringify(
      Object.fromEntries(chunks.map(({ fileName, moduleIds }) => [fileName, ownModules(moduleIds)])),
    );
    this.emitFile({ type: 'asset', fileName: '.vite/chunk-modules.json', source });
  },
};

/** The browser's half: the app (`web/index.html`) and the landing page's own small style sheet and script. */
export default defineConfig({
  root: join(rootDir, 'web'),
  // No .env files: a build is made from the sources alone, so that its name, their hash, is true.
  envDir: false,
  plugins: [react(), tailwindcss(), chunkModules],
  // The app's roots stand beside each other, so the cache would else be made inside web/.
  cacheDir: join(rootDir, 'node_modules', '.vite'),
  build: {
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        app: join(rootDir, 'web/index.html'),
        landing: join(rootDir, 'web/landing/landing-page.ts'),
        'landing-styles': join(rootDir, 'web/landing/landing.css'),
      },
    },
  },
  server: {
    fs: { allow: ['web', 'domain', 'contract', 'node_modules'].map((folder) => join(rootDir, folder)) },
  },
});
