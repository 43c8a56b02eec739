// `npm run torture`: the long form of the money tests, 30 to 500 times what `npm test` does: thousands of random runs
// against the oracle, hundreds of rounds of each race between server processes, a hundred kills of each kind, and
// floods by one account with the latencies others see; the browser's walks and the API suite on both engines at full
// length, and the domain over all its amounts and terms. Takes over an hour. `npm run torture -- money` (or `crash`,
// `safety`, `domain`, `browser`, `api-embedded`, `api-postgres`) runs one.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { PlainFailure, runScript } = await import('./project.mjs');
const { prepareTests, resultsDir, runVitest } = await import('./vitest-run.mjs');

/**
 * A table row written by `tests/setup/torture.ts`: about the books, or what others met during a flood.
 * @typedef {Record<string, string | number>} Row
 */

/**
 * Each is a project or a part of one. How long others wait is measured one file at a time.
 * @type {Record<string, { project: string, args?: string[], env?: Record<string, string> }>}
 */
const suites = {
  money: { project: 'processes', args: ['tests/money/'] },
  crash: { project: 'processes', args: ['tests/crash/'] },
  safety: { project: 'processes', args: ['tests/safety/', '--no-file-parallelism'] },
  domain: { project: 'domain' },
  browser: { project: 'browser' },
  'api-embedded': { project: 'api', env: { TEST_ENGINE: 'embedded' } },
  // The tests of the platform choose their engines themselves.
  'api-postgres': { project: 'api', args: ['tests/api/'], env: { TEST_ENGINE: 'postgres' } },
};
const tableFile = join(resultsDir, 'torture.jsonl');
/** The columns of each table; the first column identifies the table. */
const tables = [
  ['kind', 'runs', 'acknowledged', 'lost', 'doubled', 'negative', 'verify'],
  'failover runs acknowledged lost doubled askedAgain halfServedS maxServedS verify'.split(' '),
  ['flood', 'calls', 'refused', 'p95Ms'],
];

/** Prints Markdown, to paste into a page. @param {string[]} columns @param {Row[]} rows */
function printTable(columns, rows) {
  if (rows.length === 0) return;
  const heads = [columns, ['-', ...columns.slice(1).map(() => '-:')]];
  const cells = rows.map((row) => columns.map((column) => (row[column] ?? '').toLocaleString('en')));
  console.log('');
  for (const line of [...heads, ...cells]) console.log(`| ${line.join(' | ')} |`);
}

/** @param {Row} row */
const isSound = ({ lost = 0, doubled = 0, negative = 0, verify = 'clean', refused = 0 }) =>
  lost === 0 && doubled === 0 && negative === 0 && verify === 'clean' && refused === 0;

await runScript(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in suites));
  if (unknown)
    throw new PlainFailure(`There is nothing named ${unknown}: ${Object.keys(suites).join(', ')}.`);
  const buildDir = await prepareTests();
  mkdirSync(resultsDir, { recursive: true });
  rmSync(tableFile, { force: true });
  const startMs = performance.now();
  let isWell = true;
  const wanted = Object.entries(suites).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [name, { project, args, env }] of wanted) {
    console.log(`\n── ${name}`);
    const results = await runVitest({
      name: `torture-${name}`,
      projects: [project],
      args,
      env: { TORTURE: '1', TORTURE_TABLE: tableFile, TEST_BUILD_DIR: buildDir, ...env },
      // A single test may run for hours.
      silenceMs: Number.POSITIVE_INFINITY,
    });
    if (results.some(({ failed }) => failed > 0)) isWell = false;
  }
  /** @type {Row[]} */
  const rows = (existsSync(tableFile) ? readFileSync(tableFile, 'utf8') : '')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  for (const columns of tables) {
    const [first = ''] = columns;
    const own = rows.filter((row) => first in row);
    printTable(columns, own);
  }
  if (rows.length === 0 && wanted.some(([, { project }]) => project === 'processes')) isWell = false;
  const minutes = (performance.now() - startMs) / 60_000;
  console.log(
    `\n${isWell && rows.every(isSound) ? 'Nothing' : 'Something'} went wrong in ${minutes.toFixed(0)} minutes.`,
  );
  if (!isWell || !rows.every(isSound)) process.exit(1);
});
