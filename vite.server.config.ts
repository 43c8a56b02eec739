import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const rootDir = import.meta.dirname;
const manifest: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(rootDir, 'package.json'), 'utf8'),
);

// All beside one another: what they share finds ../web and ../migrations from where it lies.
const serverEntries = {
  'server/main': join(rootDir, 'server/main.ts'),
  'server/console': join(rootDir, 'server/books/console.ts'),
  'server/image-decoder': join(rootDir, 'server/platform/image-decoder.ts'),
};
const landingEntry = { 'landing/landing': join(rootDir, 'web/landing/drawn-by-the-server.ts') };

/**
 * The server's half: the server, its console, and what draws the landing page and the app's first sight, which the server imports at
 * start. Dependencies stay outside, except what only the landing page needs: React in its production form starts in a
 * third of the time when it is one file, and does not ask NODE_ENV which half it shall be. Mode `landing` makes only
 * that one.
 */
export default defineConfig(({ mode }) => ({
  root: rootDir,
  envDir: false,
  publicDir: false,
  // Said here, not left to NODE_ENV: `npm run dev` makes this bundle too, and its React is the production one as well.
  oxc: { jsx: { runtime: 'automatic', importSource: '#jsx', development: false } },
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { external: Object.keys(manifest.dependencies), noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    emptyOutDir: false,
    // An image that the landing page shows gets the same hashed name here as in the browser's half.
    ssrEmitAssets: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: mode === 'landing' ? landingEntry : { ...landingEntry, ...serverEntries },
      // React's packages mark what is for the browser; here that means nothing.
      checks: { moduleLevelDirective: false },
      output: {
        entryFileNames: '[name].js',
        // Chunks go beside main.js and never deeper: shared code too may find ../web and
        // ../migrations from its own location.
        chunkFileNames: 'server/[name]-[hash].js',
      },
    },
  },
}));
