import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingPackages } from '../../scripts/supply-chain.ts';

/**
 * The walls between the rooms are settings of the linter and the compiler. A wrong glob in them would let everything
 * through and nobody would notice, so here both get files that break each rule, in an empty house with our settings.
 */
const house = mkdtempSync(join(tmpdir(), 'hiram-walls-'));
afterAll(() => rmSync(house, { recursive: true, force: true }));

const program = (name: string) => resolve('node_modules/.bin', name);

function put(file: string, content: string) {
  const path = join(house, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

beforeAll(() => {
  const plugins = ['scripts/pure-domain.grit', 'scripts/plain-objects.grit'];
  const settings = ['biome.json', 'package.json', '.gitignore', ...plugins];
  const compilers = ['tsconfig.base.json', 'tsconfig.server.json', 'tsconfig.web.json'];
  for (const file of [...settings, ...compilers]) cpSync(file, join(house, file));
  symlinkSync(resolve('node_modules'), join(house, 'node_modules'));
});

type Diagnostic = { category: string; location: { path: string } };

/** The names of the lint rules that each file breaks; a file that breaks none is not in it. */
function lint(): Map<string, string[]> {
  const { stdout } = spawnSync(
    program('biome'),
    ['lint', '--reporter=json', '--max-diagnostics=none', '--colors=off', '.'],
    { cwd: house, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
  const broken = new Map<string, string[]>();
  for (const { category, location } of diagnostics) {
    broken.set(location.path, [...(broken.get(location.path) ?? []), category]);
  }
  return broken;
}

const importRule = 'lint/style/noRestrictedImports';

/** Folder → what a file in it must not import. */
const forbidden: Record<string, string[]> = {
  domain: [
    '#contract/api.ts',
    '#server/config.ts',
    '#web/ui/button.tsx',
    '#tests/setup/photo.ts',
    '../contract/api.ts',
    './../server/config.ts',
    'zod',
    'zod/mini',
    'react',
    'node:fs',
    'drizzle-orm',
  ],
  contract: [
    '#server/config.ts',
    '#web/lib/call.ts',
    '../server/config.ts',
    'zod',
    'fastify',
    'react',
    'node:crypto',
  ],
  'contract/wording': ['#server/config.ts', '../../server/config.ts', '../api.ts', 'zod'],
  server: [
    '#web/lib/call.ts',
    '../web/lib/call.ts',
    '#tests/setup/photo.ts',
    '#server/books/seed.ts',
    './books/seed.ts',
  ],
  'server/books': ['#web/lib/call.ts', '../services/loan-service.ts', '#server/http/app.ts', 'fastify'],
  'server/http': ['#web/ui/button.tsx', '#server/books/seed.ts', 'drizzle-orm', 'drizzle-orm/pg-core', 'pg'],
  'server/services': [
    '#web/ui/button.tsx',
    '#server/http/app.ts',
    '../http/app.ts',
    '#server/books/seed.ts',
    'fastify',
    '@fastify/static',
    'drizzle-orm',
    'pg',
  ],
  'server/store': [
    '#web/ui/button.tsx',
    '#server/services/loan-service.ts',
    '../services/loan-service.ts',
    '#server/http/app.ts',
    './../http/app.ts',
    'fastify',
  ],
  'server/platform/database': [
    '#web/ui/button.tsx',
    '#server/http/app.ts',
    '#server/services/loan-service.ts',
    '#server/store/loan-store.ts',
    '../../store/loan-store.ts',
  ],
  'web/ui': [
    '#server/config.ts',
    '../../server/config.ts',
    '#web/panel/lib/csv.ts',
    '#web/lib/call.ts',
    '../lib/call.ts',
    '#web/features/loans/a.tsx',
  ],
  'web/lib': [
    '#server/config.ts',
    '#web/panel/lib/csv.ts',
    '#web/features/loans/a.tsx',
    '#web/pages/a.tsx',
    '#web/app/a.tsx',
    '../pages/a.tsx',
    'zod',
  ],
  'web/features/wallet': [
    '#server/config.ts',
    '#web/panel/lib/csv.ts',
    '#web/features/loans/a.tsx',
    '../loans/a.tsx',
    '#web/pages/a.tsx',
    '#web/app/a.tsx',
    'zod',
  ],
  'web/pages': [
    '#server/config.ts',
    '#web/app/a.tsx',
    '#web/panel/panel.tsx',
    '../app/a.tsx',
    '#tests/setup/photo.ts',
    'zod',
  ],
  'web/app': [
    '#server/config.ts',
    '../../server/config.ts',
    '#tests/setup/photo.ts',
    '#web/panel/members-page.tsx',
    'zod',
  ],
  'web/panel': ['#server/config.ts', '#web/app/a.tsx', '../app/a.tsx', 'zod'],
  'web/panel/member': [
    '#server/config.ts',
    '#web/app/a.tsx',
    '#web/panel/loan/a.tsx',
    '../loan/a.tsx',
    'zod',
  ],
  'web/panel/lib': ['#web/panel/loan/a.tsx', '#web/pages/a.tsx'],
  'web/landing': ['#server/config.ts', '../../server/config.ts', 'zod'],
};

/** Folder → what a file in it may import: a wall with no door is no use either. */
const allowed: Record<string, string[]> = {
  domain: ['./money.ts', '#domain/limits.ts'],
  contract: ['./errors.ts', '#contract/wording/en.ts', '#domain/limits.ts', 'zod/mini'],
  'contract/wording': ['./fil.ts', '#contract/errors.ts', '#domain/money.ts'],
  server: [
    './config.ts',
    './http/app.ts',
    '#server/services/loan-service.ts',
    '#contract/api.ts',
    'fastify',
    'node:path',
  ],
  'server/books': [
    './verify.ts',
    '#server/services/loan-service.ts',
    '#server/config.ts',
    '#server/store/loan-store.ts',
    'drizzle-orm',
  ],
  'server/http': [
    './route.ts',
    '#server/services/loan-service.ts',
    '#contract/api.ts',
    '#domain/money.ts',
    'fastify',
    'zod',
  ],
  'server/services': [
    './loan-view.ts',
    '#server/store/loan-store.ts',
    '#server/platform/clock.ts',
    '#server/deps.ts',
  ],
  'server/store': [
    './schema.ts',
    '#server/platform/clock.ts',
    '#domain/money.ts',
    'drizzle-orm',
    'node:path',
  ],
  'server/platform/database': [
    './database.ts',
    '#server/platform/clock.ts',
    '#domain/limits.ts',
    'pg',
    'drizzle-orm/node-postgres',
  ],
  'web/ui': [
    './button.tsx',
    '#web/ui/card.tsx',
    '#domain/money.ts',
    '#contract/wording/en.ts',
    'react',
    './dialog.css',
  ],
  'web/lib': ['./token.ts', '#web/ui/toast.tsx', '#contract/api.ts', 'react', 'zod/mini'],
  'web/features/wallet': [
    './balance-card.tsx',
    '#web/lib/call.ts',
    '#web/ui/card.tsx',
    '#contract/api.ts',
    'react',
  ],
  'web/pages': [
    './wallet-page.tsx',
    '#web/features/wallet/a.tsx',
    '#web/lib/call.ts',
    '#web/ui/card.tsx',
    'wouter',
  ],
  'web/app': [
    './router.tsx',
    '#web/pages/wallet-page.tsx',
    '#web/features/wallet/a.tsx',
    '#web/lib/call.ts',
    '#web/panel/panel.tsx',
    'react-dom/client',
  ],
  'web/panel': [
    './lib/csv.ts',
    './member/a.tsx',
    '#web/pages/a.tsx',
    '#web/features/session/a.tsx',
    '#web/lib/call.ts',
  ],
  'web/panel/member': ['./a.tsx', '#web/panel/lib/csv.ts', '#web/lib/call.ts', '#web/ui/card.tsx'],
  'web/landing': [
    './cost.ts',
    '#web/ui/ribbon.tsx',
    '#contract/lender.ts',
    '#domain/quote.ts',
    'react-dom/server',
  ],
};

type Arrow = { file: string; from: string; to: string };
const arrows = (table: Record<string, string[]>, prefix: string): Arrow[] =>
  Object.entries(table).flatMap(([from, targets]) =>
    targets.map((to, index) => ({ file: `${from}/${prefix}-${index}.ts`, from, to })),
  );
const forbiddenArrows = arrows(forbidden, 'bad');
const allowedArrows = arrows(allowed, 'good');

const otherForms: Record<string, string> = {
  'a type': `import type { App } from '#server/http/app.ts';\nexport type Own = App;\n`,
  'an export from': `export { app } from '#server/http/app.ts';\n`,
  'an export of everything': `export * from '#server/http/app.ts';\n`,
  'a lazy import': `export const load = () => import('#server/http/app.ts');\n`,
};

const impure: Record<string, string> = {
  'the present moment': 'export const now = () => new Date();\n',
  'the present moment without brackets': 'export const now = () => new Date;\n',
  'the present moment as a number': 'export const now = () => Date.now();\n',
  'the clock as a value': 'export const clock = Date.now;\n',
  chance: 'export const roll = () => Math.random();\n',
  'the network': `export const load = () => fetch('https://example.com');\n`,
  'a timer': 'export const later = (work: () => void) => setTimeout(work, 10);\n',
};

const nameOf = (text: string) => text.replaceAll(' ', '-');

describe('the linter', () => {
  let broken: Map<string, string[]>;

  beforeAll(() => {
    for (const { file, to } of [...forbiddenArrows, ...allowedArrows]) put(file, `import '${to}';\n`);
    for (const [form, code] of Object.entries(otherForms)) put(`server/store/form-${nameOf(form)}.ts`, code);
    for (const [what, code] of Object.entries(impure)) put(`domain/impure-${nameOf(what)}.ts`, code);
    put(
      'domain/given-moment.ts',
      'export const yearOf = (moment: number) => new Date(moment).getUTCFullYear();\n',
    );
    put('web/lib/spread.ts', 'export const of = (one: number) => ({ ...{ one }, two: 2 });\n');
    put(
      'web/lib/spread-if.ts',
      'export const of = (one: number) => ({ ...(one > 1 && { one }), two: 2 });\n',
    );
    put('domain/ring-a.ts', `import { b } from './ring-b.ts';\nexport const a: number = b;\n`);
    put('domain/ring-b.ts', `import type { a } from './ring-a.ts';\nexport const b: typeof a = 1;\n`);
    broken = lint();
  });

  it.each(forbiddenArrows)('refuses $to in $from', ({ file }) => {
    expect(broken.get(file)).toContain(importRule);
  });

  it.each(allowedArrows)('allows $to in $from', ({ file }) => {
    expect(broken.get(file) ?? []).toEqual([]);
  });

  it.each(Object.keys(otherForms))('refuses a forbidden arrow that is %s', (form) => {
    expect(broken.get(`server/store/form-${nameOf(form)}.ts`)).toContain(importRule);
  });

  it.each(Object.keys(impure))('refuses %s in domain', (what) => {
    expect(broken.get(`domain/impure-${nameOf(what)}.ts`)).toBeDefined();
  });

  it('allows a moment that was handed in', () => {
    expect(broken.get('domain/given-moment.ts') ?? []).toEqual([]);
  });

  it('refuses a ring of imports, of types too', () => {
    expect(broken.get('domain/ring-a.ts')).toContain('lint/suspicious/noImportCycles');
  });

  it('refuses an object spread into another where its fields could be', () => {
    expect(broken.get('web/lib/spread.ts')).toEqual(['plugin']);
    expect(broken.get('web/lib/spread-if.ts') ?? []).toEqual([]);
  });
});

it('only the clocks of server and browser read the present moment, since a demo moves them', () => {
  const clocks = ['server/platform/clock.ts', 'web/lib/lender.ts'];
  const { stdout } = spawnSync(
    'git',
    ['grep', '-lE', '(new Date\\(\\)|Date\\.now\\b)', '--', 'server', 'web', 'contract'],
    {
      encoding: 'utf8',
    },
  );
  expect(stdout.trim().split('\n').sort()).toEqual(clocks);
});

it('gives no link the frame of a button, save where it calls, writes, saves a file or enters the app', () => {
  const own = [
    'web/ui/go-link.tsx',
    'web/ui/button.tsx',
    'web/landing/render-landing.tsx',
    'web/landing/cost-card.tsx',
  ];
  const files = spawnSync('git', ['grep', '-l', 'buttonStyle(', '--', 'web'], { encoding: 'utf8' }).stdout;
  const framed = files
    .trim()
    .split('\n')
    .filter((file) => !own.includes(file))
    .flatMap((file) => {
      const links = readFileSync(file, 'utf8').match(/<(?:Link|a)\s[^<]*?buttonStyle\(/g) ?? [];
      return links
        .filter((link) => !/\bdownload\b|tel:|_blank|rotate-180/.test(link))
        .map((link) => `${file}: ${link}`);
    });
  expect(framed).toEqual([]);
});

describe('the compiler', () => {
  it.each([
    [
      'tsconfig.server.json',
      ['contract/page.ts', 'server/page.ts'],
      {
        'server/page.ts': 'export const title = () => document.title;\n',
        'contract/page.ts': 'export const store = () => localStorage;\n',
        'server/own.ts': 'export const setting = () => process.env.PORT;\n',
      },
    ],
    [
      'tsconfig.web.json',
      ['web/lib/file.ts', 'web/lib/process.ts'],
      {
        'web/lib/process.ts': 'export const setting = () => process.env.PORT;\n',
        'web/lib/file.ts': `export { readFileSync } from 'node:fs';\n`,
        'web/lib/own.ts': 'export const title = () => document.title;\n',
      },
    ],
  ])('with %s refuses %j and allows its own', (config, refused, files) => {
    for (const [file, code] of Object.entries(files)) put(file, code);
    const own = { extends: `./${config}`, include: [], files: Object.keys(files) };
    put('tsconfig.json', JSON.stringify(own));
    const { stdout } = spawnSync(program('tsc'), ['-p', 'tsconfig.json'], { cwd: house, encoding: 'utf8' });
    expect([...new Set(stdout.match(/^[^\s(]+(?=\()/gm))].sort()).toEqual(refused);
  });
});

describe('the lockfile', () => {
  it('holds the native packages of every machine, so that npm ci takes it', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const missing = missingPackages(packages).map(({ name }) => name);
    expect(missing, 'run npm run supply-chain -- --complete').toEqual([]);
  });
});
