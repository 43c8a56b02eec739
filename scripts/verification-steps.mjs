import { join } from 'node:path';
import { rootDir } from './project.mjs';

const minute = 60_000;

/** @param {string} name @param {string[]} args */
const tool = (name, ...args) => [join(rootDir, 'node_modules', '.bin', name), ...args];

/**
 * Each counts as one test.
 * @type {{ name: string, command: string[] }[]}
 */
export const checks = [
  { name: 'format and lint', command: tool('biome', 'check', '--error-on-warnings', '.') },
  { name: 'floating promises', command: tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'types of the server', command: tool('tsc', '-p', 'tsconfig.server.json') },
  { name: 'types of the web app', command: tool('tsc', '-p', 'tsconfig.web.json') },
  { name: 'types of everything', command: tool('tsc', '-p', 'tsconfig.json') },
  { name: 'unused code', command: tool('knip', '--no-progress') },
  { name: 'supply chain', command: [process.execPath, join(rootDir, 'scripts', 'supply-chain.mjs')] },
];

/**
 * Vitest runs, in this order. `isQuick`: part of `npm run check -- --quick`. `needsBuild`: starts the built server in
 * TEST_BUILD_DIR. On two cores suites run one after another, each with two files at a time unless `workers` says otherwise.
 * @typedef {{ name: string, projects: string[], env?: Record<string, string>, isQuick?: boolean, needsBuild?: boolean, workers?: number, limitMs: number }} Suite
 * @type {Suite[]}
 */
export const suites = [
  { name: 'rules and walls', projects: ['domain', 'walls'], isQuick: true, limitMs: 3 * minute },
  { name: 'platform', projects: ['platform'], limitMs: 6 * minute },
  { name: 'api on the embedded engine', projects: ['api'], workers: 3, limitMs: 6 * minute },
  {
    name: 'api on PostgreSQL',
    projects: ['api'],
    env: { TEST_ENGINE: 'postgres' },
    workers: 3,
    limitMs: 6 * minute,
  },
  { name: 'web', projects: ['web'], limitMs: 6 * minute },
  // Pages wait a third of their time.
  { name: 'browser', projects: ['browser'], needsBuild: true, workers: 3, limitMs: 18 * minute },
  // Together, since the one works while the other waits for servers to start.
  { name: 'money and crash', projects: ['money', 'crash'], needsBuild: true, limitMs: 10 * minute },
  { name: 'safety', projects: ['safety'], needsBuild: true, limitMs: 8 * minute },
];

/** @type {Pick<Suite, 'name' | 'projects' | 'env'>[]} */
export const tortured = [
  ...['money', 'crash', 'safety', 'browser'].map((name) => ({ name, projects: [name] })),
  { name: 'api', projects: ['api'], env: { TEST_ENGINE: 'postgres' } },
];

/** Product settings that may be set on this machine and must not reach a server under test. */
const withheld = [
  'DATABASE_URL',
  'DATA_DIR',
  'PORT',
  'HOST',
  'LENDER_CONFIG',
  'TEST_ENGINE',
  'TEST_DATABASE_URL',
];

/**
 * @param {Record<string, string>} own
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnvironment(own) {
  const env = { ...process.env };
  for (const name of withheld) delete env[name];
  // Overrides the shell's: production builds of libraries lack their test helpers.
  return { ...env, NODE_ENV: 'test', ...own };
}

/** @param {Pick<Suite, 'projects' | 'workers'>} suite @param {string} resultFile */
export const vitestCommand = ({ projects, workers }, resultFile) => [
  process.execPath,
  join(rootDir, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  ...projects.map((project) => `--project=${project}`),
  ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${resultFile}`,
];
