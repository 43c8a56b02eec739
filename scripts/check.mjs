// `npm test` and `npm run check`: installs what is missing (packages, a browser, PostgreSQL), then runs every check and
// suite; the last line is `N passed, N failed`.
//
//   npm run check -- --quick           without the build and whatever starts databases, servers or browsers
//   npm run check -- --changed [ref]   checks, walls, and the tests that import what differs from HEAD or the ref, on the
//                                      engine that each asks for. It ends by saying what it left out, and why; a project
//                                      that is named too, such as `browser`, runs whole
//   npm test -- api browser            only these steps and projects
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { availableParallelism } = await import('node:os');
const { parseArgs } = await import('node:util');
const { join } = await import('node:path');
const { reportPages } = await import('./bundle-sizes.mjs');
const { endGroups, runGroup } = await import('./child-group.mjs');
const { installMachineTools } = await import('./machine-tools.mjs');
const { prepareInstall, prepareToRun } = await import('./prepare.mjs');
const { cacheDir, PlainFailure, rootDir } = await import('./project.mjs');
const { runVitest } = await import('./vitest-run.mjs');

/** @typedef {import('./vitest-run.mjs').Result} Result */

const failuresShown = 20;

/** @param {string} name @param {string[]} args */
const tool = (name, ...args) => [join(rootDir, 'node_modules', '.bin', name), ...args];

/** Only what changed since the last run is checked again. @param {string} name */
const types = (name) =>
  tool(
    'tsc',
    '-p',
    `${name}.json`,
    '--incremental',
    '--tsBuildInfoFile',
    join(cacheDir, `${name}.tsbuildinfo`),
  );

/** Each counts as one test. @type {Record<string, string[]>} */
const checks = {
  'format and lint': tool('biome', 'check', '--error-on-warnings', '.'),
  'floating promises': tool('oxlint', '--type-aware', '--deny-warnings'),
  'types of the server': types('tsconfig.server'),
  'types of the web app': types('tsconfig.web'),
  'types of everything': types('tsconfig'),
  'unused code': tool('knip', '--no-progress'),
  'supply chain': tool('tsx', join(rootDir, 'scripts', 'supply-chain.ts')),
};

/** Side by side, with about as much work for the processors. */
const lanes = [
  { name: 'pages and processes', projects: ['web', 'browser', 'processes'] },
  { name: 'calls', projects: ['api'] },
];

/** Projects of which `--changed` runs no file, unless it is told to. @type {Record<string, string>} */
const leftOut = {
  browser: 'its tests visit the build, so what they import does not tell what a change does to them',
  processes: 'its tests kill, fill and flood servers, which takes minutes',
};

const { values, positionals: words } = parseArgs({
  options: { quick: { type: 'boolean' }, changed: { type: 'boolean' } },
  allowPositionals: true,
});
const isQuick = values.quick || values.changed;

/** @type {Result[]} */
const results = [];
/** @type {NodeJS.Signals | undefined} */
let interruptedBy;

function finish() {
  if (interruptedBy) note(`ended by ${interruptedBy}`, false);
  // Failures come last, by name: a log of many minutes may keep only its end.
  console.log('');
  for (const { name, passed, failed, seconds } of results) {
    const columns = [`${passed} passed`, failed > 0 ? `${failed} failed` : 'ok'].map((text) =>
      text.padStart(12),
    );
    console.log(name.padEnd(28), ...columns, `${seconds.toFixed(1)} s`.padStart(9));
  }
  const failures = results.flatMap(({ name, failures }) => failures.map((text) => `${name}: ${text}`));
  for (const line of sayLeftOut()) console.log(line);
  for (const failure of failures.slice(0, failuresShown)) console.log(`\n${failure}`);
  if (failures.length > failuresShown) console.log(`\n… and ${failures.length - failuresShown} more`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** @returns {string[]} what a green end does not vouch for */
function sayLeftOut() {
  if (!values.changed) return [];
  const projects = Object.entries(leftOut).filter(([project]) => !words.includes(project));
  return [
    '',
    ...projects.map(([project, why]) => `left out: ${project}, for ${why} (--changed ${project})`),
    'left out: the build with its sizes, and tests that nothing changed is imported by (npm run check)',
    'left out: files and rounds of the torture (npm run torture)',
  ];
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    if (interruptedBy) return;
    interruptedBy = signal;
    void endGroups().then(finish);
  });
}

/** @param {string} name @param {boolean} isGood @param {number} [seconds] */
const note = (name, isGood, seconds = 0) =>
  results.push({ name, seconds, failures: [], passed: Number(isGood), failed: Number(!isGood) });

/** A step that counts as one test. @param {string} name @param {() => Promise<boolean>} work */
async function step(name, work) {
  if (interruptedBy) return;
  console.log(`\n── ${name}`);
  const startMs = performance.now();
  const isGood = await work().catch((error) => {
    console.error(error instanceof PlainFailure ? error.message : error);
    return false;
  });
  if (!interruptedBy) note(name, isGood, (performance.now() - startMs) / 1000);
}

/** Side by side, each with its output in one piece. */
async function checkNext() {
  const next = waiting.shift();
  if (!next || interruptedBy) return;
  const [name, command] = next;
  /** @type {Buffer[]} */
  const heard = [];
  const startMs = performance.now();
  const isGood = (await runGroup(command, { hear: (text) => heard.push(text) })) === 0;
  console.log(`\n── ${name}\n${Buffer.concat(heard)}`);
  if (!interruptedBy) note(name, isGood, (performance.now() - startMs) / 1000);
  await checkNext();
}

/** @param {string} name */
const isWanted = (name) => words.length === 0 || values.changed || words.some((word) => name.includes(word));

/** Vitest on those of a lane's projects that are wanted. @param {Parameters<typeof runVitest>[0]} lane */
async function suites(lane) {
  const projects = lane.projects.filter(isWanted);
  if (interruptedBy || projects.length === 0) return;
  console.log(`\n── ${projects.join(', ')}`);
  results.push(...(await runVitest({ ...lane, projects })));
}

async function runQuickSuites() {
  await suites({ name: 'rules and walls', projects: values.changed ? ['walls'] : ['domain', 'walls'] });
  if (!values.changed) return;
  const all = lanes.flatMap(({ projects }) => projects);
  const named = words.filter((word) => all.includes(word));
  const ref = words.find((word) => !all.includes(word)) ?? 'HEAD';
  const related = ['domain', 'web', 'api'].filter((project) => !named.includes(project));
  await suites({ name: 'changed', projects: related, args: [`--changed=${ref}`, '--passWithNoTests'] });
  await suites({ name: 'named', projects: named });
}

await step('set up', async () => {
  await prepareInstall();
  if (!isQuick) installMachineTools();
  return true;
});
if (results.some(({ failed }) => failed > 0)) finish();
const waiting = Object.entries(checks).filter(([name]) => isWanted(name));
let env = {};

// The build leaves a processor idle for most of its time.
await Promise.all([
  ...Array.from({ length: availableParallelism() }, checkNext),
  runQuickSuites(),
  !isQuick &&
    step('build and its sizes', async () => {
      const buildDir = await prepareToRun();
      env = { TEST_BUILD_DIR: buildDir };
      const problems = reportPages(buildDir);
      for (const problem of problems) console.error(problem);
      return problems.length === 0;
    }),
]);
if (!isQuick) await Promise.all(lanes.map((lane) => suites({ ...lane, env })));
if (!interruptedBy) finish();
