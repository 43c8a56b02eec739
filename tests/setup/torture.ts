import fs from 'node:fs';

/** Set by `npm run torture`: the long form of what `npm test` does in passing. */
export const isTorture = process.env.TORTURE === '1';

/** Picks one of so many cases that hold one rule against one thing after another; the torture takes each. */
export const sampleOf = <Case>(cases: readonly Case[], oneIn = 3): readonly Case[] =>
  cases.filter((_, index) => isTorture || index % oneIn === 0);

/** How often each kind of test of the money goes round. Each number can be set by itself, to look at one thing long. */
export const rounds = {
  /** Model runs of up to `modelSteps` steps on PostgreSQL. */
  modelRuns: count('TORTURE_MODEL_RUNS', { short: 4, long: 5_000 }),
  /** The same on the embedded engine. */
  modelRunsEmbedded: count('TORTURE_MODEL_RUNS_EMBEDDED', { short: 2, long: 500 }),
  modelSteps: 60,
  /** Rounds of each race between server processes. */
  raceRounds: count('TORTURE_RACE_ROUNDS', { short: 1, long: 500 }),
  /** Kills of each kind. */
  kills: count('TORTURE_KILLS', { short: 1, long: 100 }),
  /** Primaries of a cluster that are killed; a tenth as many of each other loss. In the long form only. */
  failovers: count('TORTURE_FAILOVERS', { short: 1, long: 50 }),
} as const;

/** A line of the table of the books that `npm run torture` prints at its end. */
export type TortureRow = {
  /** The work in a few words: 'race: one code', 'kill: server under load'. */
  kind: string;
  /** How many runs, rounds or kills. */
  runs: number;
  /** Requests that were answered as done, each of which must have its effect exactly once. */
  acknowledged: number;
  /** Acknowledged and not in the books. */
  lost: number;
  /** In the books more than once. */
  doubled: number;
  /** Balances below nought, ever seen. */
  negative: number;
  /** The result of the check of the books at the end. */
  verify: 'clean' | 'faulty';
};

/** A line of the table of failovers: what clients met while a part of an installation of several machines was lost. */
export type FailoverRow = {
  failover: string;
  runs: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Requests that had to be sent once more, with their key. */
  askedAgain: number;
  /** From the loss to the next write that was answered: in half of the runs, and at most. */
  halfServedS: number;
  maxServedS: number;
  verify: 'clean' | 'faulty';
};

/** A line of the third table: what others met while one account flooded the server. */
export type FloodRow = { flood: string; calls: number; refused: number; p95Ms: number };

/**
 * Appends a row to the table of this run, when there is one: a file of JSON lines that `TORTURE_TABLE` names. Call it
 * before the assertions, so that a failure shows in the table too.
 */
export function tell(row: TortureRow | FloodRow | FailoverRow): void {
  const file = process.env.TORTURE_TABLE;
  if (file) fs.appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** How long a test of the torture may take: `shortMs`, or as much longer as there are more rounds. */
export function tortureTimeoutMs(shortMs: number): number {
  const longest = 12 * 60 * 60_000;
  return isTorture ? longest : shortMs;
}

function count(name: string, { short, long }: { short: number; long: number }): number {
  const given = Number(process.env[name]);
  if (Number.isSafeInteger(given) && given > 0) return given;
  return isTorture ? long : short;
}
