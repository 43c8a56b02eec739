import { it } from 'vitest';
import { rounds, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { runModel } from './model-run.ts';
import { embeddedHouse } from './model-world.ts';

const timeoutMs = tortureTimeoutMs(420_000);

it('is what the oracle says after every step, on the embedded engine', { timeout: timeoutMs }, async () => {
  await runModel({
    kind: 'model runs on the embedded engine',
    house: embeddedHouse(),
    runs: rounds.modelRunsEmbedded,
    endings: 1,
    limitMs: timeoutMs - 60_000,
    enoughRuns: 25,
    mustSee: ['requestWithdrawal 201', 'updateWithdrawal 200', 'updateMember 200 again', 'restarted'],
  });
});
