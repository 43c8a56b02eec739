import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '#contract/api.ts';
import { type BuiltServer, buildUnderTest, startBuiltServer } from '#tests/setup/built-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { growLedger } from './bulk-fill.ts';
import { connections, readMembers, requestOf, signInAll, startLoad, startServer } from './callers.ts';
import { type Pace, prepareMoney } from './calls-bench.ts';
import { inTurn, middle, type Row } from './figures.ts';
import { type Engine, type Installation, withInstallation } from './installation.ts';

const leastEntries = 10_000;

/**
 * Measures the cost of a withdrawal with ever more entries in the ledger: a server each,
 * on copies of one database.
 */
export function measureGrowth({ rounds, members }: Pace, mostEntries: number): Promise<Row[]> {
  const counts = { members, loans: 0, withdrawals: 0 };
  return withInstallation('postgres', counts, async (installation) => {
    const first = await startServer(installation);
    const money = await prepareMoney(installation, first);
    await first.stop();
    const load = startLoad();
    const servers: BuiltServer[] = [];
    const costs: Record<string, () => Promise<number>> = {};
    for (let entries = leastEntries; entries <= mostEntries; entries *= 10) {
      const databaseUrl = await copyDatabase(installation, `entries_${entries}`);
      await installation.open((deps) => growLedger(deps, entries), databaseUrl);
      const server = await startServer(installation, { DATABASE_URL: databaseUrl });
      servers.push(server);
      const send = (requests: string[]) => load.ask({ port: server.port, requests, connections });
      costs[entries] = async () => {
        await send(money.codes());
        return 1000 / (await send(money.withdrawals({}))).perSecond;
      };
    }
    try {
      const measured = await inTurn(rounds, costs);
      const { [leastEntries]: limit } = measured;
      return Object.entries(measured).map(([entries, product]) => ({
        what: `a withdrawal with ${Number(entries).toLocaleString('en')} ledger entries`,
        product,
        unit: 'ms',
        ...(Number(entries) > leastEntries && { limit, limitIs: 'with the fewest', goal: '≤ 1.1' }),
      }));
    } finally {
      await Promise.all([load.stop(), ...servers.map((server) => server.stop())]);
    }
  });
}

/** A database of another name with the same rows. Nobody may be connected to the first meanwhile. */
export async function copyDatabase({ databaseUrl }: Installation, name: string): Promise<string> {
  const address = (database: string) =>
    Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href;
  const create = `create database ${name} template postgres`;
  await withClient(address('template1'), (client) => client.query(create));
  return address(name);
}

const megabytes = async ({ origin }: BuiltServer): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
};

const restMs = 3_000;

/** Resident memory of the server: at rest, during the second tenth of the requests, and during the last. */
export function measureMemory(requests: number): Promise<Row[]> {
  const counts = { members: 200, loans: 400, withdrawals: 200 };
  return withInstallation('postgres', counts, async (installation) => {
    const server = await startServer(installation);
    const load = startLoad();
    try {
      await sleep(restMs);
      const idle = await megabytes(server);
      const people = await readMembers(installation, connections * 4);
      await signInAll(server, people);
      const rows = [api.readProfile, api.listOwnLoans, api.listOwnWithdrawals, api.listNotifications];
      const texts = rows.flatMap((row) => people.map((person) => requestOf(person, row)));
      let answered = 0;
      // The middle of many looks: between two collections of garbage it goes up and down by a third.
      const untilAnswered = async (count: number) => {
        const seen: number[] = [];
        while (answered < count) {
          answered += (await load.ask({ port: server.port, requests: texts, connections, ms: 1_000 }))
            .answered;
          seen.push(await megabytes(server));
        }
        return middle(seen);
      };
      const tenth = requests / 10;
      await untilAnswered(tenth);
      const early = await untilAnswered(2 * tenth);
      await untilAnswered(9 * tenth);
      const late = await untilAnswered(requests);
      const count = (of: number) => Math.round(of).toLocaleString('en');
      return [
        { what: 'memory of the server, idle', product: idle, unit: 'MB' },
        {
          what: `memory of the server, the last tenth of ${count(requests)} requests`,
          product: late,
          limit: early,
          limitIs: 'the second tenth',
          unit: 'MB',
          goal: '≤ 1.1',
        },
      ];
    } finally {
      await Promise.all([load.stop(), server.stop()]);
    }
  });
}

/** From the start of the process to a server that listens, beside `node:http` over the same database. */
export async function measureStarts(rounds: number): Promise<Row[]> {
  const buildDir = await buildUnderTest();
  const startsOn = (engine: Engine) =>
    withInstallation(
      engine,
      { members: 200, loans: 200, withdrawals: 200 },
      async ({ dataDir, settings }): Promise<Row> => {
        const { product, limit } = await inTurn(rounds, {
          product: () =>
            startMs(
              () => startBuiltServer({ isMeasured: true, dataDir, settings, buildDir }),
              (server) => server.stop(),
            ),
          limit: () => startMs(() => startBare(dataDir, settings.DATABASE_URL), stopBare),
        });
        const [what, limitIs] = {
          postgres: ['start on PostgreSQL', '`node:http` and `pg`, one query'],
          embedded: ['start on the embedded engine', '`node:http` and PGlite, one query'],
        }[engine] as [string, string];
        return { what, product, limit, limitIs, unit: 'ms' };
      },
    );
  return [await startsOn('postgres'), await startsOn('embedded')];
}

async function startMs<Server>(
  start: () => Promise<Server>,
  stop: (server: Server) => Promise<unknown>,
): Promise<number> {
  const beganMs = performance.now();
  const server = await start();
  const tookMs = performance.now() - beganMs;
  await stop(server);
  return tookMs;
}

const bareServer = `
  import http from 'node:http';
  const { DATABASE_URL: connectionString, DATABASE_DIR } = process.env;
  const database = connectionString
    ? new (await import('pg')).default.Pool({ connectionString })
    : await (await import('@electric-sql/pglite')).PGlite.create(DATABASE_DIR);
  await database.query('select 1');
  process.on('SIGTERM', async () => {
    await (connectionString ? database.end() : database.close());
    process.exit();
  });
  http.createServer().listen(0, '127.0.0.1', () => console.log('listens'));`;

async function startBare(dataDir: string, databaseUrl = ''): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', bareServer], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_DIR: path.join(dataDir, 'database') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function stopBare(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
