import * as api from '#contract/api.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { readMembers, requestOf, signInAll, startLoad, startServer } from './callers.ts';
import { type Pace, prepareMoney } from './calls-bench.ts';
import { inTurn, middle, type Row } from './figures.ts';
import { startHelper } from './helpers.ts';
import { type Installation, withInstallation } from './installation.ts';
import type { Limit } from './limit-process.ts';

const serverCount = 4;
const clients = 24;
/** A disk, or a second node, that is 30 ms away. */
const commitMs = 30;
const readers = 4;
/** A borrower looks at what they read. */
const readPauseMs = 50;

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
    await withClient(installation.databaseUrl, async (client) => {
      await client.query(`alter system set commit_delay = ${commitMs * 1_000}`);
      await client.query('alter system set commit_siblings = 0');
      await client.query('select pg_reload_conf()');
    });
    const load = startLoad();
    const reading = startLoad();
    const limit = startHelper<Limit, number>('./limit-process.ts');
    const own = await startServers(installation);
    const others = before === undefined ? [] : await startServers(installation, before);
    const reads = people.map((person) => requestOf(person, api.listOwnLoans));
    const beside: Record<'own' | 'others', number[]> = { own: [], others: [] };
    const portsOf = (servers: typeof own) => servers.map(({ port }) => port);
    const read = (servers: typeof own) =>
      reading.ask({
        port: portsOf(servers),
        requests: reads,
        connections: readers,
        ms,
        pauseMs: readPauseMs,
      });
    const pay = async (servers: typeof own, waits: number[]) => {
      const [paid, { middleMs }] = await Promise.all([
        load.ask({ port: portsOf(servers), requests: money.payments(), connections: clients, ms }),
        read(servers),
      ]);
      waits.push(middleMs);
      return paid.perSecond;
    };
    try {
      const rates = await inTurn(rounds, {
        payments: () => pay(own, beside.own),
        alone: async () => (await read(own)).middleMs,
        before: async () => (before === undefined ? Number.NaN : pay(others, beside.others)),
        bare: () =>
          limit.ask({ kind: 'transactions', databaseUrl: installation.databaseUrl, atOnce: clients, ms }),
      });
      const counted = (waits: readonly number[]) => middle(waits.slice(-rounds));
      const rows: Row[] = [
        {
          what: `payments by ${serverCount} servers and ${clients} clients, commits ${commitMs} ms away`,
          product: rates.payments,
          limit: rates.bare,
          limitIs: 'one update and three inserts, committed, on 10 connections',
          unit: '/s',
        },
        {
          what: 'my loans beside them',
          product: counted(beside.own),
          limit: rates.alone,
          limitIs: 'alone',
          unit: 'ms',
          goal: '≤ 1.3',
        },
      ];
      if (before === undefined) return rows;
      return [
        ...rows,
        {
          what: 'the same payments',
          product: rates.payments,
          limit: rates.before,
          limitIs: 'the build before',
          unit: '/s',
          goal: '≥ 4',
        },
        {
          what: 'my loans beside them',
          product: counted(beside.own),
          limit: counted(beside.others),
          limitIs: 'the build before',
          unit: 'ms',
        },
      ];
    } finally {
      await Promise.all([load, reading, limit, ...own, ...others].map((one) => one.stop()));
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
