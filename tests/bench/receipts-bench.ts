import * as api from '#contract/api.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { readMembers, requestOf, signInAll, startLoad, startServer } from './callers.ts';
import { type Pace, prepareMoney } from './calls-bench.ts';
import { inTurn, middle, type Row } from './figures.ts';
import { type Installation, withInstallation } from './installation.ts';

const serverCount = 4;
const clients = 24;
/** A disk, or a second node, that is 30 ms away. */
const commitMs = 30;
const readers = 4;
/** A borrower looks at what they read. */
const readPauseMs = 50;
/** Between two payments of a client, where not as many as possible are made. */
const steadyPauseMs = 1_000;

/**
 * Payments by several servers on a database whose commits take long, and what borrowers wait for their loans meanwhile. With
 * `before`, the directory of another build, it is measured in turn with this one.
 */
export async function measureReceipts({ rounds, ms, members }: Pace, before?: string): Promise<Row[]> {
  const counts = { members, loans: members, withdrawals: 0 };
  return withInstallation('postgres', counts, async (installation) => {
    const first = await startServer(installation);
    const money = await prepareMoney(installation, first, clients);
    const people = await readMembers(installation, readers * 10);
    await signInAll(first, people);
    await first.stop();
    const load = startLoad();
    const reading = startLoad();
    const own = await startServers(installation);
    const others = before === undefined ? [] : await startServers(installation, before);
    const reads = people.map((person) => requestOf(person, api.listOwnLoans));
    const beside: Record<'most' | 'steady' | 'before', number[]> = { most: [], steady: [], before: [] };
    const portsOf = (servers: typeof own) => servers.map(({ port }) => port);
    const read = (servers: typeof own) =>
      reading.ask({
        port: portsOf(servers),
        requests: reads,
        connections: readers,
        ms,
        pauseMs: readPauseMs,
      });
    const pay = async (servers: typeof own, waits: number[], pauseMs = 0) => {
      const port = portsOf(servers);
      const [paid, { middleMs }] = await Promise.all([
        load.ask({ port, requests: money.payments(), connections: clients, ms, pauseMs }),
        read(servers),
      ]);
      waits.push(middleMs);
      return paid.perSecond;
    };
    const delayed = async <Result>(byMs: number, measure: () => Promise<Result>) => {
      await delayCommits(installation, byMs);
      return measure();
    };
    try {
      const rates = await inTurn(rounds, {
        atOnce: () => delayed(0, () => pay(own, [])),
        most: () => delayed(commitMs, () => pay(own, beside.most)),
        before: async () => (before === undefined ? Number.NaN : pay(others, beside.before)),
        steady: () => pay(own, beside.steady, steadyPauseMs),
        alone: async () => (await read(own)).middleMs,
      });
      const counted = (waits: readonly number[]) => middle(waits.slice(-rounds));
      const many = `${serverCount} servers, ${clients} clients, commits ${commitMs} ms away`;
      const rows: Row[] = [
        {
          what: `payments: ${many}`,
          product: rates.most,
          limit: rates.atOnce,
          limitIs: 'commits at once',
          unit: '/s',
        },
        {
          what: `my loans beside ${Math.round(rates.steady)} payments a second`,
          product: counted(beside.steady),
          limit: rates.alone,
          limitIs: 'alone',
          unit: 'ms',
          goal: '≤ 1.3',
        },
        {
          what: 'my loans beside as many payments as there can be',
          product: counted(beside.most),
          limit: rates.alone,
          limitIs: 'alone',
          unit: 'ms',
        },
      ];
      if (before === undefined) return rows;
      return [
        ...rows,
        {
          what: `payments: ${many}`,
          product: rates.most,
          limit: rates.before,
          limitIs: 'the build before',
          unit: '/s',
          goal: '≥ 4',
        },
        {
          what: 'my loans beside as many payments as there can be',
          product: counted(beside.most),
          limit: counted(beside.before),
          limitIs: 'the build before',
          unit: 'ms',
        },
      ];
    } finally {
      await Promise.all([load, reading, ...own, ...others].map((one) => one.stop()));
    }
  });
}

const startServers = ({ dataDir, settings }: Installation, buildDir?: string) =>
  Promise.all(
    Array.from({ length: serverCount }, () =>
      startBuiltServer({
        isMeasured: true,
        dataDir,
        buildDir,
        settings: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1000000', ...settings },
      }),
    ),
  );

async function delayCommits({ databaseUrl }: Installation, byMs: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`alter system set commit_delay = ${byMs * 1_000}`);
    await client.query('alter system set commit_siblings = 0');
    await client.query('select pg_reload_conf()');
  });
}
