// Shared by `npm test` and `npm run check`: every check and suite, with the total on the last line.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { reportPages } from './bundle-sizes.mjs';
import { endGroups, runGroup } from './child-group.mjs';
import { findChromium, installMachineTools } from './machine-tools.mjs';
import { prepareInstall, prepareToRun } from './prepare.mjs';
import { cacheDir, PlainFailure, rootDir } from './project.mjs';
import { checks, cleanEnvironment, suites, vitestCommand } from './verification-steps.mjs';

/**
 * @typedef {{ passed: number, failed: number, failures?: string[] }} Count `failures`: the failed tests, each with its why
 * @typedef {Count & { name: string, seconds: number }} Result
 * @typedef {import('./verification-steps.mjs').Suite} Suite
 */

const one = { passed: { passed: 1, failed: 0 }, failed: { passed: 0, failed: 1 } };
const resultsDir = join(cacheDir, 'results');

/** Enough to know what to look for; the output above has the rest. */
const failureLines = 24;
const failuresShown = 20;

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] | null }} Assertion
 * @typedef {{ name: string, status: string, message: string, assertionResults: Assertion[] }} TestFile
 */

/** @param {string} file @param {string} what @param {string} why */
function failureText(file, what, why) {
  const lines = why
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, failureLines);
  return [`${relative(rootDir, file)} › ${what}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** @param {TestFile[]} files */
function failuresOf(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [failureText(name, 'the whole file', message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      failureText(name, fullName.trim(), (failureMessages ?? []).join('\n')),
    );
  });
}

/**
 * Counts a run's results. A file that could not be loaded counts as one failure, as does a run that failed otherwise or
 * held no tests.
 * @param {string} file @param {number | string} outcome
 * @returns {Count}
 */
function countOf(file, outcome) {
  /** @type {{ numPassedTests: number, testResults: TestFile[] }} */
  let results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return one.failed;
  }
  const failures = failuresOf(results.testResults);
  const passed = results.numPassedTests;
  if (failures.length === 0 && (outcome !== 0 || passed === 0)) return { passed, failed: 1 };
  return { passed, failed: failures.length, failures };
}

/** @param {Suite} suite @param {string | undefined} buildDir */
async function runSuite(suite, buildDir) {
  const resultFile = join(resultsDir, `${suite.name.replaceAll(' ', '-')}.json`);
  rmSync(resultFile, { force: true });
  const env = cleanEnvironment({
    ...suite.env,
    CHROME_PATH: findChromium() ?? '',
    ...(buildDir && { TEST_BUILD_DIR: buildDir }),
  });
  const outcome = await runGroup(vitestCommand(suite, resultFile), { env, limitMs: suite.limitMs });
  if (outcome !== 0 && outcome !== 1) console.error(`${suite.name} ended early: ${outcome}`);
  return countOf(resultFile, outcome);
}

/** @param {string} buildDir @returns {Count} */
function checkSizes(buildDir) {
  const problems = reportPages(buildDir);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? one.passed : one.failed;
}

/**
 * All steps, cheap ones first, so that slips are reported early.
 * @returns {{ name: string, isQuick: boolean, work: () => Promise<Count> }[]}
 */
function allSteps() {
  /** @type {Promise<string> | undefined} */
  let built;
  const build = () => {
    built ??= prepareToRun();
    return built;
  };
  return [
    ...checks.map(({ name, command }) => ({
      name,
      isQuick: true,
      work: async () => ((await runGroup(command)) === 0 ? one.passed : one.failed),
    })),
    { name: 'build', isQuick: false, work: () => build().then(() => one.passed) },
    { name: 'bundle sizes', isQuick: false, work: async () => checkSizes(await build()) },
    ...suites.map((suite) => ({
      name: suite.name,
      isQuick: suite.isQuick === true,
      work: async () => runSuite(suite, suite.needsBuild ? await build() : undefined),
    })),
  ];
}

/**
 * Failures come last, by name: a log of twenty minutes may keep only its end.
 * @param {Result[]} results
 */
function printSummary(results) {
  console.log('');
  for (const { name, passed, failed, seconds } of results) {
    const verdict = failed > 0 ? `${failed} failed` : 'ok';
    console.log(
      name.padEnd(28),
      `${passed} passed`.padStart(12),
      verdict.padStart(12),
      `${seconds.toFixed(1)} s`.padStart(9),
    );
  }
  const failures = results.flatMap(({ name, failures = [] }) => failures.map((text) => `${name}: ${text}`));
  for (const failure of failures.slice(0, failuresShown)) console.log(`\n${failure}`);
  if (failures.length > failuresShown) console.log(`\n… and ${failures.length - failuresShown} more`);
}

/** @param {unknown} error */
const printError = (error) => console.error(error instanceof PlainFailure ? error.message : error);

/**
 * Sets up, checks, builds and tests; prints `N passed, N failed` as its last line and exits with 0 only if nothing
 * failed. Ctrl-C and SIGTERM end everything started and count as one failure.
 * @param {{ isQuick?: boolean, only?: string[] }} [options] `isQuick` leaves out the build and the suites that start
 *   databases, servers or browsers; `only` keeps the steps whose name contains one of these
 */
export async function verify({ isQuick = false, only } = {}) {
  /** @type {Result[]} */
  const results = [];
  /** @type {NodeJS.Signals | undefined} */
  let interruptedBy;

  const finish = () => {
    if (interruptedBy) results.push({ name: `ended by ${interruptedBy}`, ...one.failed, seconds: 0 });
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    printSummary(results);
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      if (interruptedBy) return;
      interruptedBy = signal;
      void endGroups().then(finish);
    });
  }

  /** @param {string} name @param {() => Promise<Count>} work */
  const run = async (name, work) => {
    console.log(`\n── ${name}`);
    const startMs = performance.now();
    const count = await work().catch((error) => {
      printError(error);
      return one.failed;
    });
    if (!interruptedBy) results.push({ name, ...count, seconds: (performance.now() - startMs) / 1000 });
    return count;
  };

  const setUp = await run('set up', async () => {
    await prepareInstall();
    if (!isQuick) installMachineTools();
    mkdirSync(resultsDir, { recursive: true });
    return { passed: 0, failed: 0 };
  });
  const steps = setUp.failed > 0 ? [] : allSteps();
  const wanted = steps.filter(
    (step) => (step.isQuick || !isQuick) && (!only || only.some((part) => step.name.includes(part))),
  );
  for (const { name, work } of wanted) {
    if (!interruptedBy) await run(name, work);
  }
  if (!interruptedBy) finish();
}
