import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import * as api from '#contract/api.ts';
import { manilaDate } from '#domain/calendar.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Gateway } from '#server/platform/gateways/gateway.ts';
import { makeReminders } from '#server/services/reminder-service.ts';
import { startTextGateway } from '#tests/setup/gateway-servers.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { connections, readMembers, requestOf, signInAll, startLoad, startServer } from './callers.ts';
import type { Row } from './figures.ts';
import { type Installation, withInstallation } from './installation.ts';
import { disburseAll } from './servicing-bench.ts';

/** How long the reminders of a day and a queue of texts take, and what requests beside the queue feel of it. */
export const measureMessages = async (loans: number): Promise<Row[]> => [
  await measureReminders(loans),
  ...(await measureQueue()),
];

/** Makes them without sending any. */
function measureReminders(loans: number): Promise<Row> {
  return withInstallation('postgres', { members: loans, loans, withdrawals: 0 }, ({ open }) =>
    open(async (deps) => {
      await disburseAll(deps);
      await deps.database.transaction((tx) =>
        tx.execute(
          sql`update accounts set phone_confirmed_at = now(), phone_confirmed_by = id where not is_admin`,
        ),
      );
      const today = manilaDate(systemClock.now());
      const noon = new Date(`${today}T12:00:00+08:00`);
      const sms: Gateway = { name: 'file', send: async () => ({ kind: 'returned' }), close() {} };
      const startMs = performance.now();
      const made = await makeReminders({
        ...deps,
        gateways: { sms },
        clock: { now: () => noon },
        // The sample has no log, whose gap would be taken for a wrong clock.
        config: { ...deps.config, demoDate: today },
      });
      return {
        what: `reminders of ${loans.toLocaleString('en')} loans: ${made.toLocaleString('en')} on one day`,
        product: performance.now() - startMs,
        unit: 'ms',
        goal: '< 60,000 ms',
      };
    }),
  );
}

const queued = 1_000;
const readers = connections / 2;
const aloneMs = 15_000;

function measureQueue(): Promise<Row[]> {
  return withInstallation('postgres', { members: 200, loans: 0, withdrawals: 0 }, async (installation) => {
    const gateway = await startTextGateway();
    gateway.delay(50);
    const load = startLoad();
    const people = await readMembers(installation, readers * 2);
    const server = await startServer(installation, {
      SMS_GATEWAY: 'semaphore',
      SMS_API_KEY: 'key',
      SMS_SENDER: 'HIRAM',
      SMS_URL: gateway.url,
      SMS_PER_MINUTE: '1000000',
    });
    try {
      await signInAll(server, people);
      const requests = people.map((person) => requestOf(person, api.readProfile));
      const read = () => load.ask({ port: server.port, requests, connections: readers, ms: aloneMs });
      await read();
      const alone = await read();
      await putIntoQueue(installation);
      const startMs = performance.now();
      const reading = read();
      while (gateway.arrived.length < queued && performance.now() - startMs < 120_000) await sleep(20);
      const tookMs = performance.now() - startMs;
      const beside = await reading;
      return [
        {
          what: `${gateway.arrived.length.toLocaleString('en')} queued texts, the wait for the next look included`,
          product: tookMs,
          unit: 'ms',
          goal: '< 60,000 ms',
        },
        {
          what: 'p99 of a profile read beside them',
          product: beside.p99Ms,
          limit: alone.p99Ms,
          limitIs: 'alone',
          unit: 'ms',
          goal: '≤ 1.2',
        },
      ];
    } finally {
      await Promise.all([load.stop(), server.stop(), gateway.close()]);
    }
  });
}

/** Leaves them as another process would. */
const putIntoQueue = ({ databaseUrl }: Installation): Promise<unknown> =>
  withClient(databaseUrl, async (client) => {
    await client.query('update accounts set phone_confirmed_at = now(), phone_confirmed_by = id');
    await client.query(`
      insert into messages (kind, channel, account_id, rank, state, language, sent_to, details, created_at, updated_at)
      select 'balance_changed', 'sms', id, 2, 'queued', 'en', '', '{}', now(), now()
        from accounts, generate_series(1, 20) where not is_admin limit ${queued}`);
  });
