import { join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { bareEndpoints, oneLanguage } from './scripts/bare-contract.mjs';

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

/** What asks for the profile of the signed in, as a script that waits for no other and for no style sheet. */
const firstModule = join(rootDir, 'web/lib/first-profile.ts');

const firstScript: Plugin = {
  name: 'first-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const first = Object.values(bundle).find(
        (output) => output.type === 'chunk' && output.moduleIds.includes(firstModule),
      );
      if (!first) throw new Error(`no chunk has ${firstModule}`);
      const attrs = { type: 'module', async: true, crossorigin: true, fetchpriority: 'high' };
      return [{ tag: 'script', attrs: { ...attrs, src: `/${first.fileName}` }, injectTo: 'head' }];
    },
  },
};

/** A module and everything that must run before it. */
function withStaticImports(file: string, context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  visit(join(rootDir, 'web', file));
  return found;
}

/** What is always loaded together is put together, for it packs better so: in chunks of its own the dashboard needs 5 kB more. */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let dashboard: Set<string> | undefined;
  let landing: Set<string> | undefined;
  return [
    { name: 'first', test: (id) => id === firstModule, priority: 3 },
    {
      // What every screen of the app starts with, but not what the landing page, which has no React, loads too.
      name: 'base',
      tags: ['$initial'],
      test: (id) =>
        !/^(?:domain|web\/landing)\/|^web\/(?:index\.html|app\/main\.tsx|ui\/start-carousel\.ts)$/.test(
          relative(rootDir, id),
        ),
      priority: 2,
      // What it needs beside itself stays where it is; `scripts/bundle-sizes.mjs` looks out for circles.
      includeDependenciesRecursively: false,
    },
    {
      debugName: 'home',
      // What the dashboard has in common with other pages: nearly everybody who comes to those has been there.
      name(id, context) {
        dashboard ??= withStaticImports('pages/dashboard-page.tsx', context);
        landing ??= withStaticImports('landing/landing-page.ts', context);
        // An icon is imported by way of a list of all of them, which does not tell who needs which.
        const isIcon = id.includes('/lucide-react/');
        return dashboard.has(id) && !landing.has(id) && !isIcon ? 'home' : null;
      },
      minShareCount: 2,
      priority: 1,
      includeDependenciesRecursively: false,
    },
  ];
}

/** The browser's half: the app (`web/index.html`) and the landing page's own small style sheet and script. */
export default defineConfig({
  root: join(rootDir, 'web'),
  // No .env files: a build is made from the sources alone, so that its name, their hash, is true.
  envDir: false,
  plugins: [bareEndpoints(), oneLanguage(), react(), tailwindcss(), chunkModules, firstScript],
  // React has it: what the router brings along is for the React of years ago.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  // The app's roots stand beside each other, so the cache would else be made inside web/.
  cacheDir: join(rootDir, 'node_modules', '.vite'),
  build: {
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups() } },
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
