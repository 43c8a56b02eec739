import fs from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { tallyReporter } from './scripts/tally-reporter.ts';

// A time zone far from Manila's, with half an hour and with summer time: code that takes the machine's date for the
// customer's fails a test. Set here, before the workers start, so that a single test run by hand has it too.
process.env.TZ = 'America/St_Johns';

/**
 * Test data goes into memory if there is room: it is not kept, and syncing files to disk is the slowest part of starting a
 * server. Tests that depend on a disk's speed, or run programs that they have stored, use `/var/tmp`.
 */
const memory = '/dev/shm';
if (fs.existsSync(memory)) {
  const { bavail, bsize } = fs.statfsSync(memory);
  if (bavail * bsize > 4 * 1024 ** 3) process.env.TMPDIR = memory;
}

const second = 1000;

/**
 * Starts the longest file first, or everything else would wait for it at the end. Vitest
 * goes by the size of a file.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/money/model.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const isTorture = process.env.TORTURE === '1';

/** One folder of tests, or several: `npx vitest --project <name>` runs it alone. */
function project(name: string, folders: string[], settings: object) {
  const include = folders.map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`);
  return {
    extends: true as const,
    test: { name, include, ...(!isTorture && { exclude: long }), ...settings },
  };
}

const tally = process.env.TEST_TALLY;

/**
 * Only `npm run torture` runs these. In the browser they repeat screens that have tests of their own: by keyboard, in every
 * state and theme, with hostile text, as each kind of staff, after the end of a session; Home by keyboard stays in `npm test`.
 * The others kill, fill or flood a server for long, and a shorter test of the same rule stays.
 */
const long = [
  'browser/hostile-text',
  'browser/keyboard-landing',
  'browser/keyboard-profile',
  'browser/keyboard-wallet',
  'browser/panel-actions',
  'browser/panel-sizes',
  'browser/panel-together',
  'browser/session-end',
  'browser/sweep-apply',
  'browser/sweep-dashboard',
  'browser/sweep-my-loan',
  'browser/sweep-papers',
  'browser/sweep-privacy',
  'browser/sweep-profile',
  'browser/sweep-visitor',
  'browser/sweep-wallet',
  'browser/sweep-withdraw',
  'browser/typed-and-shown',
  'crash/disk-full-documents',
  'crash/interrupted-work',
  'crash/killed-upload',
  'money/model-embedded',
  'safety/one-account-flood',
  'safety/sign-in-timing',
].map((name) => `tests/${name}.test.ts`);

/** Limits for tests that start servers, browsers or databases of their own. */
const patient = { testTimeout: 120 * second, hookTimeout: 120 * second };

export default defineConfig({
  plugins: [react({ jsxImportSource: '#jsx' })],
  test: {
    pool: 'forks',
    // A database of its own lives in each worker, some 200 MB, and each loads the server anew for each project: four workers
    // on one queue of all projects took four minutes of processor more. Vitest hands its own option for this to no project.
    maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', ...(tally ? [tallyReporter(tally)] : [])],
    // Polled conditions come true on their own, but slowly on a busy machine.
    expect: { poll: { timeout: 15 * second, interval: 50 } },
    testTimeout: 60 * second,
    hookTimeout: 60 * second,
    // A forgotten `.only` would leave the rest out of the total.
    allowOnly: false,
    projects: [
      project('domain', ['domain', 'contract'], { isolate: false }),
      project('walls', ['walls'], { isolate: false }),
      // Each file has a server and a database of its own, on the engine that it asks `testServer` for. Not isolated: loading
      // the server anew for each took half of the processor's time. Platform tests run here too, for the same reason.
      project('api', ['api', 'platform', 'platform-pieces'], {
        isolate: false,
        globalSetup: ['tests/setup/postgres-global.ts'],
      }),
      project('web', ['web'], {
        isolate: false,
        setupFiles: ['tests/setup/unstub-globals.ts'],
      }),
      // Two files at a time, since pages wait more than they work. Not isolated: each worker loads the server and the
      // browser's driver once for all its files.
      project('browser', ['browser'], { ...patient, isolate: false }),
      // Kills; the money's rules as a model, and races between server processes; what strangers try. Long by nature, and
      // `npm run torture` is longer. Together, so that a worker loads the server once for all three.
      project('processes', ['crash', 'money', 'safety'], {
        ...patient,
        isolate: false,
        testTimeout: 600 * second,
      }),
    ],
  },
});
