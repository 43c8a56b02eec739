import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { silentLog, withClient } from '#tests/setup/test-database.ts';

describe.skipIf(!hasPostgres())(
  'lists, where a managed service refuses what tells a replica’s position',
  () => {
    let primary: PostgresServer;
    let replica: PostgresServer;
    beforeAll(async () => {
      primary = await startPostgresServer();
      await withClient(primary.url, (client) => client.query('create role hiram login'));
      replica = await startPostgresServer({ follows: primary.url });
    });
    afterAll(async () => {
      await replica?.stop();
      await primary?.stop();
    });

    let logged: [object, string][];
    beforeEach(() => {
      logged = [];
    });

    const asHiram = (server: PostgresServer) => server.url.replace('postgres@', 'hiram@');

    it.each([
      'pg_control_system()',
      'pg_current_wal_flush_lsn()',
      'pg_walfile_name(pg_lsn)',
      // The replica's own.
      'pg_control_checkpoint()',
      'pg_last_wal_replay_lsn()',
    ])('are read on the primary without %s, with one line in the log', async (name) => {
      const change = (deed: string) =>
        withClient(primary.url, async (client) => {
          await client.query(
            `${deed} execute on function ${name} ${deed === 'grant' ? 'to' : 'from'} public`,
          );
        });
      await change('revoke');
      onTestFinished(() => change('grant'));
      const database = await openDatabase({
        databaseUrl: asHiram(primary),
        replicaUrl: asHiram(replica),
        dataDir: temporaryDirectory(),
        log: { ...silentLog, warn: (details, message) => logged.push([details, message]) },
      });
      onTestFinished(() => database.close());
      const list = () =>
        database.readOnReplica(async (reader) => (await reader.execute(sql`select 1 as one`)).rows);
      // The follower hears of it a moment later.
      const onPrimary = async () => {
        await list();
        return database.replicaReads?.primary;
      };
      await expect.poll(onPrimary).toBeGreaterThan(0);
      for (let round = 0; round < 3; round += 1) expect(await list()).toEqual([{ one: 1 }]);
      expect(logged).toEqual([
        [
          { reason: expect.stringContaining('permission denied for function') },
          'the replica cannot be read: lists burden the primary',
        ],
      ]);
    });
  },
);
