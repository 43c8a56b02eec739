import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { silentLog } from '#tests/setup/test-database.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { verifyOnPostgres, verifyThroughServer } from './books-check.ts';
import { registerBorrower } from './client.ts';
import { startKillableServer } from './killed-server.ts';
import { prepareDataDir } from './prepared-data.ts';
import { command, ownFolder, run, type Settings } from './processes.ts';

/** A server or a command that dies in the middle of long work leaves nothing locked, and no half for a whole. */
const own = ownFolder();
const closing: (() => Promise<unknown> | unknown)[] = [];
let dataDir: string;
beforeEach(() => {
  dataDir = path.join(own.home, 'data');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts the server and kills it while it starts. */
async function cutShort(afterMs: number, settings: Settings) {
  const cut = run('main', [], settings);
  await sleep(afterMs);
  cut.child.kill('SIGKILL');
  await cut.ended;
}

/** Enough rows for a backup to take a while. */
const manyNotifications = (accountId: number) => `
  insert into notifications (account_id, title, message, type, created_at)
  select ${accountId}, 'A title', repeat('a message ', 60), 'info', now() from generate_series(1, ${isTorture ? 20_000 : 8_000})`;

const untilThere = async (file: string) => {
  while (!fs.existsSync(file)) await sleep(2);
};

describe('on the embedded engine', () => {
  it('a backup ends with its server, which starts again, and half of one is never restored', async () => {
    const settings = { RATE_LIMIT_SCALE: '1000' };
    await prepareDataDir(dataDir);
    const server = await startKillableServer({ dataDir, settings });
    closing.push(() => server.stop());
    const { id } = await registerBorrower(server.origin);
    await server.stop();
    const database = await openDatabase({ dataDir, log: silentLog });
    await database.upkeep((session) => session.execute(sql.raw(manyNotifications(id))));
    await database.close();

    await server.start();
    const half = path.join(own.home, 'half');
    const backup = run('books/console', ['backup', half], { DATA_DIR: dataDir });
    await untilThere(path.join(half, 'tables', 'notifications.ndjson'));
    await server.kill();
    expect([await backup.ended, backup.said.err]).toEqual([
      1,
      'The server stopped before the command was done.\n',
    ]);
    expect(fs.existsSync(path.join(half, 'manifest.json'))).toBe(false);
    const elsewhere = { DATA_DIR: path.join(own.home, 'elsewhere') };
    const restore = await command(['restore', half], elsewhere);
    expect(restore).toMatchObject({ code: 1, err: expect.stringContaining(half) });

    await server.start();
    expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
    const whole = await command(['backup', path.join(own.home, 'whole')], { DATA_DIR: dataDir });
    expect(whole).toMatchObject({ code: 0, err: '' });
  });

  it.runIf(isTorture)(
    'a first start that was cut short at any moment is made up for by the next',
    async () => {
      for (const afterMs of [300, 900, 1_800]) await cutShort(afterMs, { DATA_DIR: dataDir });
      const server = await startBuiltServer({ dataDir });
      closing.push(() => server.stop());
      await registerBorrower(server.origin);
      expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
    },
  );
});

describe.skipIf(!hasPostgres())('on PostgreSQL', () => {
  it('leaves nothing locked, whether a start, a backup or a check of the books was cut short', async () => {
    const postgres = await startPostgresServer();
    closing.push(() => postgres.stop());
    const env = { DATABASE_URL: postgres.url };
    for (const afterMs of [250, 400, 600]) await cutShort(afterMs, { ...env, DATA_DIR: dataDir });
    const server = await startBuiltServer({ dataDir, settings: env });
    closing.push(() => server.stop());
    const { id } = await registerBorrower(server.origin);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    closing.push(() => client.end());
    await client.query(manyNotifications(id));

    const half = path.join(own.home, 'half');
    const backup = run('books/console', ['backup', half], { ...env, DATA_DIR: dataDir });
    await untilThere(path.join(half, 'tables', 'notifications.ndjson'));
    backup.child.kill('SIGKILL');
    await backup.ended;
    expect(fs.existsSync(path.join(half, 'manifest.json'))).toBe(false);

    // The server's own connections are idle; whatever the dead one held has to go.
    const held = `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
                   where a.application_name like 'hiram%' and (l.locktype = 'advisory' or a.state <> 'idle')`;
    await expect.poll(async () => (await client.query(held)).rows[0]?.count).toBe(0);
    await registerBorrower(server.origin);
    expect((await verifyOnPostgres(postgres.url, dataDir)()).isClean).toBe(true);
  });
});
