import fc from 'fast-check';
import { expect } from 'vitest';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { verifyBooks } from '#server/books/verify-run.ts';
import { rounds, tell } from '#tests/setup/torture.ts';
import type { Wrongs } from './model-books.ts';
import { commandsOf, type Real } from './model-commands.ts';
import type { Deed } from './model-deed.ts';
import { inspectAllLists } from './model-lists.ts';
import { applicationOf, editOf } from './model-loans.ts';
import { firstRegistration, profileOf } from './model-people.ts';
import { exchange, type Model } from './model-request.ts';
import { type House, openWorld, type World } from './model-world.ts';
import { createOracle } from './oracle.ts';

export type ModelRuns = {
  /** For the table and the progress. */
  kind: string;
  house: House;
  runs: number;
  /** How often restarts and kills come among some fifty other commands. */
  endings: number;
  limitMs: number;
  /** The events that must have come about at least once in so many runs, or they proved nothing. */
  mustSee: readonly string[];
  enoughRuns: number;
};

/**
 * Runs random commands against the server and the oracle. A failure names the shortest commands that still fail, and
 * `MODEL_SEED` and `MODEL_PATH` repeat it; `MODEL_SHOW` prints what came about, and how often.
 */
export async function runModel({
  kind,
  house,
  runs,
  endings,
  limitMs,
  mustSee,
  enoughRuns,
}: ModelRuns): Promise<void> {
  const world = await openWorld(house);
  const wrongs: Wrongs = { acknowledged: 0, lost: 0, doubled: 0, negative: 0 };
  const seen: Model['seen'] = new Map();
  let isSound = false;
  let begun = 0;
  const { MODEL_SEED: seed, MODEL_PATH: replayPath } = process.env;
  const commands = commandsOf({ endings, steps: rounds.modelSteps });
  const property = fc.asyncProperty(commands, fc.boolean(), async (commands, hasLoan) => {
    begun += 1;
    progress(kind, begun, runs);
    await world.begin();
    const model: Model = { ...createOracle(world.clock.now().getTime()), seen };
    const real: Real = { world, wrongs };
    const { request, judge } = firstRegistration();
    await exchange(model, world, request, judge);
    for (const deed of hasLoan ? firstLoan : []) {
      const asked = await deed.ask(model, world);
      await exchange(model, world, asked.request, asked.judge);
    }
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await expectSoundEnd(model, world);
    wrongs.acknowledged += model.people.reduce((sum, { ledger }) => sum + ledger.length, 0);
  });
  try {
    await fc.assert(property, {
      numRuns: runs,
      ...(seed ? { seed: Number(seed) } : {}),
      ...(replayPath ? { path: replayPath } : {}),
      interruptAfterTimeLimit: limitMs,
      markInterruptAsFailure: true,
    });
    isSound = true;
  } finally {
    tell({ kind, runs: Math.min(begun, runs), ...wrongs, verify: isSound ? 'clean' : 'faulty' });
    // The failure already has what the server complained of while it failed; nothing must take its place.
    await world.close().catch((error) => {
      if (isSound) throw error;
    });
  }
  if (process.env.MODEL_SHOW)
    console.log(
      [...seen]
        .sort()
        .map((one) => one.join(': '))
        .join('\n'),
    );
  if (!replayPath && runs >= enoughRuns)
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...mustSee]));
}

/** An approved loan to begin with: few runs would come so far by chance. */
const firstLoan: Deed[] = [
  profileOf({ who: 0, bank: 'A', hasDocuments: true }),
  applicationOf({ who: 0, thousands: 150, key: undefined }),
  editOf({ which: 0, edit: { status: 'approved' }, key: undefined }),
];

async function expectSoundEnd(model: Model, world: World): Promise<void> {
  await inspectAllLists(model, world);
  await sealAuditLog(world.deps());
  const { faults, unsealedEntries } = await verifyBooks(world.deps(), () => undefined);
  expect({ faults, unsealedEntries }).toEqual({ faults: [], unsealedEntries: 0 });
}

const saysEvery = 250;

function progress(kind: string, done: number, all: number): void {
  if (all > saysEvery && done % saysEvery === 0) process.stderr.write(`${kind}: ${done} of ${all}\n`);
}
