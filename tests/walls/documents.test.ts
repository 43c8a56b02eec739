import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bookColumns } from '#server/books/book-files.ts';

const pagesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

const decisions = pagesIn('decisions');

/** A document that names a file or test that is gone, or was never there, sends its reader astray. */
const documents = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', ...pagesIn('docs'), ...decisions];
const folders = ['contract', 'decisions', 'deploy', 'docs', 'domain', 'scripts', 'server', 'tests', 'web'];

const read = (file: string) => readFileSync(file, 'utf8');

const filesOf = (rooms: string[]) =>
  rooms
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => path.join(room, file)),
    )
    .filter((file) => /\.(tsx?|mjs|css|md)$/.test(file));

/** Files as they are named: in backticks by their path, or as the target of a link. */
function filesIn(document: string): string[] {
  const text = read(document);
  const quoted = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.*-]+\.(?:ts|tsx|mjs|md|sql))`/g)].map(
    ([, file = '']) => file,
  );
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) =>
    path.join(path.dirname(document), target),
  );
  return [...quoted.filter((file) => folders.includes(file.split('/', 1)[0] ?? '')), ...linked];
}

/** Tests as they are named: a file in backticks, and behind it the names in curved quotes. */
function testsIn(document: string): { file: string; name: string }[] {
  return [...read(document).matchAll(/`(tests\/[\w./-]+\.test\.tsx?)`((?:[,\s]*“[^”]+”)+)/g)].flatMap(
    ([, file = '', names = '']) => [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  );
}

describe.each(documents)('%s', (document) => {
  it('names files that are there', () => {
    expect(filesIn(document).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(testsIn(document).filter(({ file, name }) => !read(file).includes(name))).toEqual([]);
  });
});

it.each(['ARCHITECTURE.md', 'docs/map.md'])(
  '%s names files that are there, also where it leaves their folder out',
  (document) => {
    const names = new Set([...filesOf(folders), ...readdirSync('.')].map((file) => path.basename(file)));
    const named = [...read(document).matchAll(/`([\w.-]+\.(?:tsx?|mjs|md))`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  },
);

it('a document names each file and folder at the root', () => {
  const text = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/map.md'].map(read).join('\n');
  const { stdout, status } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
  const tracked = status === 0 ? stdout.split('\0').filter(Boolean) : [];
  const atRoot = new Set(tracked.map((file) => (file.includes('/') ? `${file.split('/', 1)[0]}/` : file)));
  const itself = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  expect([...atRoot].filter((name) => !itself.includes(name) && !text.includes(name))).toEqual([]);
});

it('files are found in documents', () => {
  expect(filesIn('docs/asvs.md').length).toBeGreaterThan(50);
  expect(filesIn('ARCHITECTURE.md').length).toBeGreaterThan(5);
});

it('gives each decision a number of its own', () => {
  const numbers = decisions.map((decision) => decision.replace('decisions/', '').slice(0, 3));
  expect(numbers).toEqual([...new Set(numbers)]);
});

it.each(decisions)('%s has a date and a status', (decision) => {
  expect(read(decision)).toMatch(/^# \d{3} .+\n\n\d{4}-\d\d-\d\d · (in force|superseded by \d{3})\b/);
});

describe('docs/rules.md', () => {
  // GitHub turns a heading into an anchor like this.
  const anchors = [...read('docs/rules.md').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z\d -]/g, '')
      .replaceAll(' ', '-'),
  );

  it('has each name once', () => {
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it('has every rule that is cited', () => {
    const cited = filesOf(folders).flatMap((file) =>
      [...read(file).matchAll(/§([a-z-]+)/g)].map(([, anchor = '']) => ({ file, anchor })),
    );
    expect(cited.length).toBeGreaterThan(2);
    expect(cited.filter(({ anchor }) => !anchors.includes(anchor))).toEqual([]);
  });
});

describe('docs/threats.md', () => {
  it('names a test in every row of who comes', () => {
    const [, table = ''] = read('docs/threats.md').split('## Who comes');
    const rows = (table.split('\n## ', 1)[0] ?? '')
      .split('\n')
      .filter((line) => /^\| (?!Who|Tries|---)/.test(line));
    const tried = rows.filter((row) => !/^\|\s*\|\s*Tries/.test(row) && !row.startsWith('|---'));
    expect(tried.length).toBeGreaterThan(20);
    expect(tried.filter((row) => !/`tests\/[^`]+` “[^”]+”/.test(row) && !row.includes('Tries to'))).toEqual(
      [],
    );
  });
});

/**
 * How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has, by section and chapter. Those of level 3 come last in
 * a section, so the numbers run from 1.
 */
const requirements: Record<string, Record<string, number>> = {
  '1': { '1': 2, '2': 9, '3': 11, '4': 3, '5': 2 },
  '2': { '1': 3, '2': 3, '3': 4, '4': 1 },
  '3': { '2': 2, '3': 4, '4': 6, '5': 5, '7': 2 },
  '4': { '1': 3, '2': 1, '3': 2, '4': 4 },
  '5': { '1': 1, '2': 3, '3': 2, '4': 3 },
  '6': { '1': 3, '2': 12, '3': 4, '4': 4, '5': 5, '6': 3, '8': 4 },
  '7': { '1': 3, '2': 4, '3': 2, '4': 5, '5': 2, '6': 2 },
  '8': { '1': 2, '2': 3, '3': 1, '4': 1 },
  '9': { '1': 3, '2': 4 },
  '10': { '1': 2, '2': 2, '3': 4, '4': 11, '5': 5, '6': 2, '7': 3 },
  '11': { '1': 2, '2': 3, '3': 3, '4': 4, '5': 1, '6': 1 },
  '12': { '1': 3, '2': 2, '3': 4 },
  '13': { '1': 1, '2': 5, '3': 2, '4': 5 },
  '14': { '1': 2, '2': 4, '3': 3 },
  '15': { '1': 3, '2': 3, '3': 7 },
  '16': { '1': 1, '2': 5, '3': 4, '4': 3, '5': 3 },
  '17': { '1': 1, '2': 4, '3': 2 },
};

describe('docs/asvs.md', () => {
  const numbers = Object.entries(requirements).flatMap(([chapter, sections]) =>
    Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${section}.${index + 1}`),
    ),
  );
  const rows = [
    ...read('docs/asvs.md').matchAll(/^\| (V?\d[\d., V]*) \|[^|]*\| (\S[^|]*?) \| (\S[^|]*?) \|$/gm),
  ].map(([, requirement = '', verdict = '', where = '']) => ({ requirement, verdict, where }));

  it('says of each requirement of levels 1 and 2, once, how it stands', () => {
    const said = rows.flatMap(({ requirement }) =>
      requirement
        .split(', ')
        .flatMap((one) =>
          one.startsWith('V') ? numbers.filter((number) => number.startsWith(`${one.slice(1)}.`)) : [one],
        ),
    );
    expect(said.filter((number, index) => said.indexOf(number) !== index)).toEqual([]);
    expect(numbers.filter((number) => !said.includes(number))).toEqual([]);
    expect(said.filter((number) => !numbers.includes(number))).toEqual([]);
  });

  it('names a file for what is met, and a reason for what is not', () => {
    expect(
      rows.filter(({ verdict }) => !/^(met|in part|not met|does not apply|operator)$/.test(verdict)),
    ).toEqual([]);
    expect(rows.filter(({ verdict, where }) => verdict === 'met' && !/`[^`]+`|\]\(/.test(where))).toEqual([]);
    const explained = rows.filter(({ verdict }) => /^(in part|not met|operator)$/.test(verdict));
    expect(explained.filter(({ where }) => where.length < 30)).toEqual([]);
  });
});

describe.each(Object.entries(bookColumns))('an import of %s', (file, { required, optional }) => {
  const columns = [...required, ...optional];

  it('is described with every column that is read', () => {
    const row = readFileSync('docs/import.md', 'utf8').match(
      new RegExp(`^\\| \`${file}\` \\| (.*) \\|$`, 'm'),
    );
    const written = columns.map((name) =>
      (optional as readonly string[]).includes(name) ? `*${name}*` : name,
    );
    expect(row?.[1]?.split(', ').toSorted()).toEqual(written.toSorted());
  });

  it('has an example with every column', () => {
    const [head = ''] = readFileSync(`docs/import/${file}`, 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/);
    expect(head.split(',').toSorted()).toEqual(columns.toSorted());
  });
});
