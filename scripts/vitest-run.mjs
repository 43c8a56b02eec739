import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endGroups, runGroup } from './child-group.mjs';
import { findChromium, installMachineTools } from './machine-tools.mjs';
import { prepareInstall, prepareToRun } from './prepare.mjs';
import { cacheDir, rootDir } from './project.mjs';

/** @typedef {import('./tally-reporter.ts').Result} Result */

export const resultsDir = join(cacheDir, 'results');

/** Longer than any test may take, so a test that hangs usually ends by its own time-out. */
const longestSilenceMs = 12 * 60_000;
const lookEveryMs = 5000;

/** Product settings that may be set on this machine and must not reach a server under test. */
const withheld = 'DATABASE_URL DATA_DIR PORT HOST LENDER_CONFIG TEST_ENGINE TEST_DATABASE_URL'.split(' ');

/** For suites that need a build; a signal ends their processes first. @returns {Promise<string>} the build's folder */
export async function prepareTests() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => void endGroups().then(() => process.exit(1)));
  }
  await prepareInstall();
  installMachineTools();
  return prepareToRun();
}

/**
 * Runs Vitest in a process group of its own, and ends it when no test has ended for long; what did run counts.
 * @param {object} run
 * @param {string} run.name
 * @param {string[]} run.projects
 * @param {Record<string, string>} [run.env]
 * @param {string[]} [run.args] files and further options
 * @param {number} [run.silenceMs]
 * @returns {Promise<Result[]>} one for each project that had tests
 */
export async function runVitest({ name, projects, env = {}, args = [], silenceMs = longestSilenceMs }) {
  mkdirSync(resultsDir, { recursive: true });
  const tally = join(resultsDir, `${name.replaceAll(' ', '-')}.json`);
  rmSync(tally, { force: true });
  const inherited = Object.entries(process.env).filter(([key]) => !withheld.includes(key));
  const abort = new AbortController();
  let lastChange = performance.now();
  let savedMs = 0;
  const watch = setInterval(() => {
    const { mtimeMs = 0 } = statSync(tally, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== savedMs) [savedMs, lastChange] = [mtimeMs, performance.now()];
    if (performance.now() - lastChange > silenceMs) abort.abort();
  }, lookEveryMs);
  const outcome = await runGroup(
    [
      process.execPath,
      join(rootDir, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...args,
    ],
    {
      signal: abort.signal,
      env: {
        ...Object.fromEntries(inherited),
        // Overrides the shell's: production builds of libraries lack their test helpers.
        NODE_ENV: 'test',
        CHROME_PATH: findChromium() ?? '',
        TEST_TALLY: tally,
        ...env,
      },
    },
  );
  clearInterval(watch);
  /** @type {{ results: Result[], unended: string[] }} */
  const { results, unended } = existsSync(tally)
    ? JSON.parse(readFileSync(tally, 'utf8'))
    : { results: [], unended: [] };
  const failed = results.some((result) => result.failed > 0);
  const none = results.length === 0 && !args.includes('--passWithNoTests');
  if (abort.signal.aborted || none || (outcome !== 0 && !failed)) {
    const why = abort.signal.aborted
      ? `no test ended for ${silenceMs / 60_000} minutes`
      : `it ended with ${outcome}`;
    const open = unended.map((test) => `    not ended: ${test}`);
    results.push({ name, passed: 0, failed: 1, seconds: 0, failures: [[why, ...open].join('\n')] });
  }
  return results;
}
