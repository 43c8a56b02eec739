import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildUnderTest } from '#tests/setup/built-server.ts';
import { isTorture, rounds, tell, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { type Reckoning, reckon, sound, verifyOnPostgres } from './books-check.ts';
import { registerBorrower, send, signInStaff } from './client.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type KillableServer, someTime, startKillableServer } from './killed-server.ts';
import { type Load, startLoad } from './load.ts';
import { noSmallDisk } from './small-disk.ts';

const clients = 6;
const timeout = tortureTimeoutMs(600_000);
const few = Math.ceil(rounds.failovers / 10);

// Three members of etcd, two of PostgreSQL, three servers: too much for every run.
describe.runIf(isTorture).each(['directly', 'through PgBouncer'] as const)('three servers, %s', (way) => {
  let dataDir: string;
  let cluster: Cluster;
  const servers: KillableServer[] = [];
  let origin: string;
  let load: Load;
  let staff: string;
  let probe: { token: string };

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-failover-'));
    cluster = await startCluster();
    const settings = {
      DATABASE_REPLICA_URL: cluster.databaseUrl,
      DATABASE_OWNER_URL: cluster.ownerUrl,
      RATE_LIMIT_SCALE: '100000',
      TRUST_PROXY: '127.0.0.0/8',
    };
    const { databaseUrl, cabledUrl, pooledUrl } = cluster;
    const urls =
      way === 'directly' ? [cabledUrl, databaseUrl, databaseUrl] : [pooledUrl, pooledUrl, pooledUrl];
    for (const DATABASE_URL of urls) {
      servers.push(await startKillableServer({ dataDir, settings: { ...settings, DATABASE_URL } }));
    }
    origin = await cluster.startNginx(servers.map((server) => Number(new URL(server.origin).port)));
    staff = await signInStaff(origin);
    load = await startLoad({ origin: () => origin, staff, clients });
    await load.pause();
    probe = await registerBorrower(origin);
  }, timeout);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await cluster?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  /** Seconds until a write is answered as done. The load's customers are left alone. */
  async function untilServing(): Promise<number> {
    const lostMs = performance.now();
    for (;;) {
      const body = { fullName: `Maria Clara ${Math.random()}` };
      const request = { method: 'PUT', path: '/api/user/profile', token: probe.token, body };
      const answer = await send(origin, request).catch(() => undefined);
      if (answer?.status === 200) return (performance.now() - lostMs) / 1000;
      await sleep(50);
    }
  }

  type Loss = {
    kind: string;
    runs: number;
    lose: () => Promise<void>;
    mend: () => Promise<void>;
    /** How many writes at once have to be answered: one for each server, where only some of them are cut off. */
    probes?: number;
  };

  async function loseUnderLoad({ kind, runs, lose, mend, probes = 1 }: Loss) {
    const before = { acknowledged: load.acknowledged(), askedAgain: load.askedAgain() };
    const seconds: number[] = [];
    let found: Reckoning = sound;
    for (let run = 0; run < runs; run += 1) {
      await cluster.untilInSync();
      load.resume();
      await someTime();
      await lose();
      seconds.push(Math.max(...(await Promise.all(Array.from({ length: probes }, untilServing)))));
      await mend();
      await someTime();
      await load.pause();
      const verify = verifyOnPostgres(cluster.databaseUrl, dataDir);
      found = await reckon({ origin, staff, load, verify, others: 1 });
      if (found.lost.length + found.doubled.length + found.wrong.length > 0) break;
    }
    seconds.sort((a, b) => a - b);
    const row = {
      failover: `${kind}, ${way}`,
      runs: seconds.length,
      acknowledged: load.acknowledged() - before.acknowledged,
      lost: found.lost.length,
      doubled: found.doubled.length,
      askedAgain: load.askedAgain() - before.askedAgain,
      halfServedS: Number(seconds[seconds.length >> 1]?.toFixed(1)),
      maxServedS: Number(seconds.at(-1)?.toFixed(1)),
      verify: found.wrong.length === 0 ? ('clean' as const) : ('faulty' as const),
    };
    tell(row);
    console.log(JSON.stringify(row));
    expect(found).toEqual(sound);
    return row;
  }

  const nothing = async () => {};
  const second = async () => ((await cluster.primary()) === 'db1' ? 'db2' : 'db1');

  it('goes on within ten seconds when the primary’s PostgreSQL is killed', { timeout }, async () => {
    const { maxServedS } = await loseUnderLoad({
      kind: 'primary’s PostgreSQL killed',
      runs: way === 'directly' ? rounds.failovers : few,
      lose: async () => cluster.killPostgres(await cluster.primary()),
      mend: nothing,
    });
    expect(maxServedS).toBeLessThan(10);
  });

  it('goes on within thirty seconds when the primary’s whole node is killed', { timeout }, async () => {
    let lost: 'db1' | 'db2';
    const { maxServedS } = await loseUnderLoad({
      kind: 'primary’s node killed',
      runs: few,
      async lose() {
        lost = await cluster.primary();
        await cluster.killNode(lost);
      },
      mend: () => cluster.startNode(lost),
    });
    expect(maxServedS).toBeLessThan(30);
  });

  it('goes on when the primary’s node hangs', { timeout }, async () => {
    let lost: 'db1' | 'db2';
    await loseUnderLoad({
      kind: 'primary’s node hangs',
      runs: few,
      async lose() {
        lost = await cluster.primary();
        cluster.freeze(lost, 'frozen');
      },
      // The watchdog does this. A node that slept and wakes may take the lock back, and with
      // it what others committed.
      async mend() {
        await cluster.killNode(lost);
        await cluster.startNode(lost);
      },
    });
  });

  it('goes on without the second node', { timeout }, async () => {
    let lost: 'db1' | 'db2';
    await loseUnderLoad({
      kind: 'second node hangs',
      runs: few,
      async lose() {
        lost = await second();
        cluster.freeze(lost, 'frozen');
      },
      mend: async () => cluster.freeze(lost, 'running'),
    });
  });

  it('refuses nobody while the second node is slow', { timeout }, async () => {
    let stop = () => {};
    const { askedAgain } = await loseUnderLoad({
      kind: 'second node works a tenth of the time',
      runs: few,
      async lose() {
        stop = cluster.slow(await second());
        await sleep(3_000);
      },
      mend: async () => stop(),
    });
    expect(askedAgain).toBe(0);
  });

  it.skipIf(noSmallDisk())('goes on when the second node’s disk is full', { timeout }, async () => {
    let full: 'db1' | 'db2';
    await loseUnderLoad({
      kind: 'second node’s disk full',
      runs: few,
      async lose() {
        full = await second();
        await cluster.fillDisk(full);
      },
      mend: async () => cluster.freeDisk(full),
    });
  });

  it.runIf(way === 'directly')(
    'goes on when a server is cut off from the database',
    { timeout },
    async () => {
      await loseUnderLoad({
        kind: 'a server cut off from both nodes',
        runs: few,
        lose: async () => cluster.cable('cut'),
        probes: servers.length,
        mend: async () => cluster.cable('mended'),
      });
    },
  );

  it('does not notice a lost member of etcd', { timeout }, async () => {
    const { maxServedS } = await loseUnderLoad({
      kind: 'a member of etcd killed',
      runs: few,
      lose: async () => cluster.killEtcd(2),
      mend: async () => cluster.startEtcd(2),
    });
    expect(maxServedS).toBeLessThan(2);
  });

  it('refuses nobody while the servers are started anew, one after the other', { timeout }, async () => {
    const { askedAgain } = await loseUnderLoad({
      kind: 'servers restarted in turn',
      runs: few,
      async lose() {
        for (const server of servers) {
          await server.stop();
          await server.start();
        }
      },
      mend: nothing,
    });
    expect(askedAgain).toBe(0);
  });

  it('refuses nobody while the servers are upgraded in turn over a migration', { timeout }, async () => {
    const built = await buildUnderTest();
    const later = `${built}-later-${process.pid}`;
    onTestFinished(() => fs.rmSync(later, { recursive: true, force: true }));
    fs.cpSync(built, later, { recursive: true });
    addMigration(path.join(later, 'migrations'), `later_${way === 'directly' ? 1 : 2}`);
    const { askedAgain } = await loseUnderLoad({
      kind: 'servers upgraded over a migration',
      runs: 1,
      async lose() {
        for (const server of servers) {
          await server.stop();
          await server.start(later);
        }
      },
      mend: nothing,
    });
    expect(askedAgain).toBe(0);
  });
});

/** Adds a table that the present version does not know, as a later one brings it. */
function addMigration(folder: string, tag: string): void {
  const journalFile = path.join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(fs.readFileSync(journalFile, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
  fs.writeFileSync(journalFile, JSON.stringify(journal));
  fs.writeFileSync(path.join(folder, `${tag}.sql`), `CREATE TABLE "${tag}" ("id" integer PRIMARY KEY);`);
}
