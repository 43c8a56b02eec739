import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { paths } from './contract/routes.ts';
import { limits } from './domain/limits.ts';
import { bareEndpoints, oneLanguage, onlyWhatIsUsed } from './scripts/bare-contract.ts';

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

/**
 * The module that asks for the profile of somebody signed in. Its script waits for no
 * other and for no style sheet.
 */
const firstModule = join(rootDir, 'web/lib/first-requests.ts');

/** The modules that this script fetches beside the app: for a path behind the sign-in, for visitors, and for readers of Filipino. */
const besideTheApp: Record<string, string> = {
  [paths.home]: 'pages/dashboard-page.tsx',
  [paths.dashboard]: 'pages/dashboard-page.tsx',
  [paths.wallet]: 'pages/wallet-page.tsx',
  [paths.myLoan]: 'pages/my-loan-page.tsx',
  [paths.profile]: 'pages/profile-page.tsx',
  [paths.management]: 'panel/members-page.tsx',
  ...Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) =>
      path.startsWith(`${paths.management}/`)
        ? [[path, `panel/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-page.tsx`]]
        : [],
    ),
  ),
  visitor: 'pages/sign-in-page.tsx',
  fil: '../contract/wording/fil.ts',
};

/**
 * Puts that script, and the style sheet itself, into the page: what the server draws there (`web/app/first-sight.tsx`) waits for
 * no second request.
 */
const firstScript: Plugin = {
  name: 'first-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output : []));
      const chunkOf = (file: string) => {
        const found = chunks.find(({ moduleIds }) => moduleIds.includes(join(rootDir, 'web', file)));
        if (!found) throw new Error(`no chunk has ${file}`);
        return found;
      };
      const withImports = (fileName: string, found = new Set<string>()) => {
        if (found.has(fileName)) return found;
        found.add(fileName);
        for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
          withImports(next, found);
        return found;
      };
      const app = withImports(chunkOf('app/main.tsx').fileName);
      const scripts = Object.entries(besideTheApp).map(([path, page]) => [
        path,
        [...withImports(chunkOf(page).fileName)].filter((file) => !app.has(file)).map((file) => `/${file}`),
      ]);
      const attrs = { type: 'module', async: true, crossorigin: true, fetchpriority: 'high' };
      const src = `/${chunkOf(relative(join(rootDir, 'web'), firstModule)).fileName}`;
      return {
        html: html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/, (link, file: string) => {
          const sheet = bundle[file];
          if (sheet?.type !== 'asset') throw new Error(`no style sheet ${file}`);
          // The link, disabled, tells the chunks that name the sheet that it is there.
          return `${link.replace('<link', '<link disabled')}<style>${sheet.source}</style>`;
        }),
        tags: [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'page-scripts' },
            children: JSON.stringify(Object.fromEntries(scripts)),
            injectTo: 'head',
          },
          { tag: 'script', attrs: { ...attrs, src }, injectTo: 'head-prepend' },
        ],
      };
    },
  },
};

/** Writes each limit where it is used: a bundler would keep all of them, two kilobytes that every page waits for. */
const limitsInPlace: Plugin = {
  name: 'limits-in-place',
  apply: 'build',
  transform: {
    filter: { id: /\.tsx?(?:\?\w+)?$/, code: '/limits.ts' },
    handler: (code) => ({
      code: code
        .replace(
          /(?<![/\w])limits\.(\w+)/g,
          (_, name: keyof typeof limits) => `(${JSON.stringify(limits[name])})`,
        )
        .replace(
          /(\{.*\}) = limits;/g,
          (_, names) => `${names} = ${JSON.stringify(limits, names.match(/\w+/g))};`,
        ),
      map: null,
    }),
  },
};

const iconFile = /\/lucide-react\/dist\/esm\/icons\//;

/** A module and everything that must run before it; with what is fetched later too, but for the panel. */
function withImports(file: string, context: Rolldown.ChunkingContext, later = false): string[] {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id) || (later && id.includes('/web/panel/'))) return;
    found.add(id);
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
    for (const imported of later ? [...importedIds, ...dynamicallyImportedIds] : importedIds) visit(imported);
  };
  visit(join(rootDir, 'web', file));
  // An icon is imported by way of a list of all of them: who needs it is in the sources only.
  const modules = [...found].filter((id) => !iconFile.test(id));
  const icons = modules
    .filter((id) => id.endsWith('.tsx'))
    .flatMap((id) => readFileSync(id, 'utf8').match(/(?<=\W)[A-Z]\w+(?=Icon\b)/g) ?? [])
    .map((name) => `${name.replace(/(?!^)(?=[A-Z0-9])/g, '-').toLowerCase()}.mjs`);
  return [...modules, ...icons];
}

/**
 * Puts modules that are loaded together into one chunk: on a slow network each request waits 150 ms, six are
 * under way at a time, and small files pack badly.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const neededBy = (find: (context: Rolldown.ChunkingContext) => string[]) => {
    let found: Set<string> | undefined;
    return (id: string, context: Rolldown.ChunkingContext) => {
      found ??= new Set(find(context));
      return found.has(iconFile.test(id) ? basename(id) : id);
    };
  };
  /** True if one of these files, or a file that it imports, needs the module. */
  const atOnce = (...files: string[]) =>
    neededBy((context) => files.flatMap((file) => withImports(file, context)));
  const isBorrower = neededBy((context) => withImports('app/main.tsx', context, true));
  const isDialog = atOnce('ui/dialog.tsx');
  const isPanel = atOnce('panel/panel.tsx', 'panel/members-page.tsx');
  const isWallet = atOnce('pages/wallet-page.tsx');
  const isSignIn = atOnce('pages/sign-in-page.tsx', '../contract/account.ts');
  const isHome = atOnce('pages/dashboard-page.tsx');
  const shared: [name: string, isIn: (id: string, context: Rolldown.ChunkingContext) => boolean][] = [
    // Modules that the sign-in screen and the dashboard both need: neither should fetch the other's part for them.
    ['start', (id, context) => isSignIn(id, context) && isHome(id, context)],
    // The dashboard shares these modules with other pages, and nearly everybody who comes
    // to those has been there.
    ['home', isHome],
    // Modules that the sign-in screen shares with other forms.
    ['forms', atOnce('pages/sign-in-page.tsx')],
    // Some icons that several pages draw are too small for chunks of their own.
    ['dialogs', (id, context) => isDialog(id, context) || iconFile.test(id)],
    ['news', atOnce('features/notice/access-news.tsx')],
    ['converter-parts', atOnce('features/converter/converter.tsx')],
    ['account', atOnce('../contract/account.ts')],
    ['dead-ends', atOnce('pages/not-found-page.tsx', 'pages/access-denied-page.tsx')],
    ['staff-sign-in', atOnce('pages/admin-login-page.tsx')],
    // The list of members shares some modules with borrowers' pages and some with the panel's others;
    // the rest of each follows.
    ['words', (id, context) => isPanel(id, context) && isWallet(id, context)],
    ['both', (id, context) => isPanel(id, context) && isBorrower(id, context) && !id.includes('/@radix-ui/')],
    [
      'panel',
      (id, context) =>
        isPanel(id, context) &&
        !isBorrower(id, context) &&
        !/\/wording\/panel-(?!every-page|members|validation)/.test(id),
    ],
    ['panel-pages', (id) => id.includes('/web/panel/')],
    ['wallet', isWallet],
    ['pages', (id, context) => isBorrower(id, context) && !id.includes('/@radix-ui/')],
  ];
  return [
    { name: 'first', test: (id) => id === firstModule, priority: 99 },
    // Every screen of the app starts with these modules.
    { name: 'base', tags: ['$initial'], priority: 98, includeDependenciesRecursively: false },
    ...shared.map(([name, isIn], index) => ({
      debugName: name,
      name: (id: string, context: Rolldown.ChunkingContext) => (isIn(id, context) ? name : null),
      minShareCount: name === 'panel' ? 1 : 2,
      priority: shared.length - index,
      // Other modules that a group needs stay where they are;
      // `scripts/bundle-sizes.mjs` looks out for circles.
      includeDependenciesRecursively: false,
    })),
  ];
}

const landingInput = {
  landing: join(rootDir, 'web/landing/landing-script.ts'),
  'landing-styles': join(rootDir, 'web/landing/landing.css'),
};
const appInput = { app: join(rootDir, 'web/index.html') };

/**
 * The browser's half: the app (`web/index.html`), or in mode `landing` the landing page's own small style sheet and
 * script. By itself that script is one file; what it shares with the app would be others.
 */
export default defineConfig(({ mode }): UserConfig => {
  const isLanding = mode === 'landing';
  return {
    root: join(rootDir, 'web'),
    // No .env files: a build is made from the sources alone, so that its name, their hash, is true.
    envDir: false,
    plugins: [
      bareEndpoints(),
      oneLanguage(),
      onlyWhatIsUsed(),
      limitsInPlace,
      react({ jsxImportSource: '#jsx' }),
      tailwindcss(),
      chunkModules,
      ...(isLanding ? [] : [firstScript]),
    ],
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
        input: isLanding ? landingInput : appInput,
        output: isLanding ? {} : { codeSplitting: { groups: chunkGroups() } },
      },
    },
    server: {
      fs: { allow: ['web', 'domain', 'contract', 'node_modules'].map((folder) => join(rootDir, folder)) },
    },
  };
});
