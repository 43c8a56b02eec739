import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { advisoryLocks } from '#server/platform/database/database.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { isTorture, rounds, tell, tortureTimeoutMs } from '#tests/setup/torture.ts';
import {
  type Reckoning,
  reckon,
  sound,
  type VerifyBooks,
  verifyOnPostgres,
  verifyThroughServer,
} from './books-check.ts';
import { signInStaff } from './client.ts';
import { type KillableServer, someTime, startKillableServer } from './killed-server.ts';
import { startLoad } from './load.ts';
import { killPostgres } from './postgres-crash.ts';
import { prepareDataDir } from './prepared-data.ts';

/** Many at once are no more of a test on two cores, and their customers have to be looked at after each kill. */
const clients = 6;

let dataDir: string;
beforeEach(async () => {
  dataDir = temporaryDirectory();
});

type Loop = {
  kind: string;
  server: KillableServer;
  verify: VerifyBooks;
  kill: () => Promise<void>;
  revive: () => Promise<unknown>;
};

/** Kill after kill under load; after each the clients come to an end of what they do, and the books are compared. */
async function killUnderLoad({ kind, server, verify, kill, revive }: Loop): Promise<void> {
  const staff = await signInStaff(server.origin);
  const load = await startLoad({ origin: () => server.origin, staff, clients });
  let found: Reckoning = sound;
  let kills = 0;
  while (kills < rounds.kills && isSound(found)) {
    await someTime();
    const before = load.askedAgain();
    await kill();
    // A kill that no client notices tests nothing; on a slow machine all may be busy with passwords and photos.
    await expect.poll(load.askedAgain).toBeGreaterThan(before);
    await revive();
    kills += 1;
    await load.pause();
    found = await reckon({ origin: server.origin, staff, load, verify });
    load.resume();
  }
  await load.pause();
  tell({
    kind,
    runs: kills,
    acknowledged: load.acknowledged(),
    lost: found.lost.length,
    doubled: found.doubled.length,
    negative: found.negative.length,
    verify: found.wrong.length === 0 ? 'clean' : 'faulty',
  });
  expect(found).toEqual(sound);
  expect(load.acknowledged()).toBeGreaterThan(rounds.kills * clients);
}

const isSound = ({ lost, doubled, negative, wrong }: Reckoning) =>
  lost.length + doubled.length + negative.length + wrong.length === 0;

const settings = { RATE_LIMIT_SCALE: '100000' };
const timeout = tortureTimeoutMs(420_000);

async function startOnPostgres() {
  const postgres = await startPostgresServer();
  onTestFinished(() => postgres.stop());
  const server = await startKillableServer({
    dataDir,
    settings: { ...settings, DATABASE_URL: postgres.url },
  });
  onTestFinished(async () => void (await server.stop()));
  return { postgres, server };
}

describe.skipIf(!hasPostgres())('on PostgreSQL', () => {
  it.runIf(isTorture)(
    'keeps every acknowledged answer exactly once when the server is killed under load',
    {
      timeout,
    },
    async () => {
      const { postgres, server } = await startOnPostgres();
      await killUnderLoad({
        kind: 'kill: server on PostgreSQL, under load',
        server,
        verify: verifyOnPostgres(postgres.url, dataDir),
        kill: server.kill,
        revive: server.start,
      });
    },
  );

  it.runIf(isTorture)(
    'leaves neither a gap nor a double when the server is killed between payments and their numbers',
    {
      timeout,
    },
    async () => {
      const { postgres, server } = await startOnPostgres();
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      onTestFinished(() => client.end());
      const lock = (what: 'lock' | 'unlock') =>
        client.query(`select pg_advisory_${what}($1)`, [advisoryLocks.receiptNumbers]);
      const waiting = async () => (await client.query('select from unnumbered_receipts')).rowCount;
      await killUnderLoad({
        kind: 'kill: server between payments and their numbers',
        server,
        verify: verifyOnPostgres(postgres.url, dataDir),
        kill: async () => {
          // Nobody gives a number meanwhile.
          await lock('lock');
          await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
          await server.kill();
          await lock('unlock');
        },
        revive: server.start,
      });
      expect(await waiting()).toBe(0);
    },
  );

  it('keeps every acknowledged answer exactly once when PostgreSQL is killed under load', {
    timeout,
  }, async () => {
    const { postgres, server } = await startOnPostgres();
    await killUnderLoad({
      kind: 'kill: PostgreSQL under load',
      server,
      verify: verifyOnPostgres(postgres.url, dataDir),
      kill: () => killPostgres(postgres),
      revive: postgres.start,
    });
    // It was never away itself.
    expect(await server.stop()).toBe(0);
  });
});

describe('on the embedded engine', () => {
  it('keeps every acknowledged answer exactly once when the server is killed under load', {
    timeout,
  }, async () => {
    await prepareDataDir(dataDir);
    const server = await startKillableServer({ dataDir, settings });
    onTestFinished(async () => void (await server.stop()));
    await killUnderLoad({
      kind: 'kill: server on the embedded engine, under load',
      server,
      verify: verifyThroughServer(dataDir),
      kill: server.kill,
      revive: server.start,
    });
  });
});
