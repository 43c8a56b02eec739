import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildUnderTest } from '#tests/setup/built-server.ts';
import { isTorture, tortureTimeoutMs } from '#tests/setup/torture.ts';

it.runIf(isTorture)(
  'the bench measures everything beside its limit',
  async () => {
    const small = { BENCH_ROUNDS: '1', BENCH_ROUND_MS: '200', BENCH_MEMBERS: '80', BENCH_ROWS: '500' };
    const env = {
      ...process.env,
      ...small,
      BENCH_ENTRIES: '100000',
      BENCH_REQUESTS: '2000',
      TEST_BUILD_DIR: await buildUnderTest(),
    };
    const command = ['--import', 'tsx', 'tests/bench/bench.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    const headings = stdout.split('\n').filter((line) => line.startsWith('## '));
    expect(headings.map((line) => line.slice(3))).toEqual([
      ...[
        'reads',
        'sign-in',
        'money',
        'growth',
        'verify',
        'memory',
        'starts',
        'first-paint',
        'servicing',
        'panel',
      ],
    ]);
    expect(stdout).toContain('| my loans |');
    expect(stdout).not.toMatch(/NaN|Infinity/);
  },
  tortureTimeoutMs(300_000),
);
