import { AsyncResource } from 'node:async_hooks';
import net from 'node:net';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '#server/platform/database/database.ts';
import { isDatabaseUnavailable } from '#server/platform/database/database-errors.ts';
import { createPostgresEngine, serversOf } from '#server/platform/database/postgres-engine.ts';
import type { timings } from '#server/platform/database/sql-engine.ts';
import { gate } from '#tests/setup/gate.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { rowsOf, silentLog } from '#tests/setup/test-database.ts';

type Changes = { databaseUrl?: string; maxConnections?: number } & Partial<
  Record<keyof typeof timings, number>
>;

describe.skipIf(!hasPostgres())('the PostgreSQL engine', () => {
  let server: PostgresServer;
  let database: Database;
  let pauses = 0;
  beforeAll(async () => {
    server = await startPostgresServer();
    database = open();
    await database.transaction((tx) =>
      tx.execute(sql`create table counters (id int primary key, n int not null)`),
    );
    await database.transaction((tx) => tx.execute(sql`insert into counters values (1, 0), (2, 0)`));
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  function open({ databaseUrl = server.url, maxConnections, ...changes }: Changes = {}): Database {
    const engine = createPostgresEngine({
      databaseUrl,
      log: silentLog,
      timings: changes,
      ...(maxConnections ? { maxConnections } : {}),
    });
    return createDatabase(engine, async () => {
      pauses += 1;
    });
  }

  /** Runs something as another request would: outside the transaction that the code here belongs to. */
  const outside = AsyncResource.bind((work: () => Promise<unknown>) => work());

  const counter = async (id: number) => {
    const rows = await rowsOf(database, sql`select n from counters where id = ${id}`);
    return rows[0]?.n;
  };

  /** Waits until so many have come; whoever comes later passes. */
  const meetingOf = (count: number) => {
    let come = 0;
    const { open: meet, passed: met } = gate();
    return () => {
      come += 1;
      if (come >= count) meet();
      return met;
    };
  };

  it('retries after a serialisation failure', async () => {
    await database.transaction((tx) => tx.execute(sql`update counters set n = 0 where id = 1`));
    pauses = 0;
    const everybodyHasRead = meetingOf(3);
    const increment = () =>
      database.transaction(async (tx) => {
        await tx.execute(sql`set transaction isolation level repeatable read`);
        const { rows } = await tx.execute(sql`select n from counters where id = 1`);
        await everybodyHasRead();
        await tx.execute(sql`update counters set n = ${Number(rows[0]?.n) + 1} where id = 1`);
      });
    await Promise.all([increment(), increment(), increment()]);
    expect(await counter(1)).toBe(3);
    expect(pauses).toBeGreaterThan(0);
  });

  it('retries after a deadlock', async () => {
    await database.transaction((tx) => tx.execute(sql`update counters set n = 0`));
    const eachHasOne = meetingOf(2);
    const bothRows = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await tx.execute(sql`set local deadlock_timeout = '20ms'`);
        await tx.execute(sql`update counters set n = n + 1 where id = ${first}`);
        await eachHasOne();
        await tx.execute(sql`update counters set n = n + 1 where id = ${second}`);
      });
    await Promise.all([bothRows(1, 2), bothRows(2, 1)]);
    expect([await counter(1), await counter(2)]).toEqual([2, 2]);
  });

  it('gives up after a bounded number of tries', async () => {
    let tries = 0;
    const hopeless = database.transaction(async (tx) => {
      tries += 1;
      await tx.execute(sql`do $$ begin raise exception 'never' using errcode = '40001'; end $$`);
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(6);
  });

  it.each([
    ['a slow statement', { statementMs: 50 }, sql`select pg_sleep(5)`],
    ['a server that says nothing', { silenceMs: 1_000, statementMs: 10_000 }, sql`select pg_sleep(5)`],
  ])('ends %s as unavailable and serves on', async (_what, changes, statement) => {
    const impatient = open({ ...changes, maxConnections: 1 });
    const failure = await impatient.transaction((tx) => tx.execute(statement)).catch((error) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(
      await impatient.read((reader) => reader.execute(sql`select 1`)).then(({ rowCount }) => rowCount),
    ).toBe(1);
    await impatient.close();
  });

  it.each([
    ['a lock', { lockMs: 50, maxConnections: 2 }],
    ['a connection', { acquireMs: 1_000, maxConnections: 1 }],
  ])('does not wait forever for %s', async (_what, changes) => {
    const impatient = open(changes);
    const touch = sql`update counters set n = n where id = 1`;
    let refused: unknown;
    await impatient.transaction(async (tx) => {
      await tx.execute(touch);
      refused = await outside(() => impatient.transaction((other) => other.execute(touch))).catch(
        (error) => error,
      );
    });
    expect(isDatabaseUnavailable(refused)).toBe(true);
    await impatient.close();
  });

  it('answers reads while more transactions wait for a row than there are connections', async () => {
    const { open: release, passed: released } = gate();
    const holding = database.transaction(async (tx) => {
      await tx.execute(sql`update counters set n = n where id = 1`);
      await released;
    });
    const waiting = Array.from({ length: 12 }, () =>
      database.transaction((tx) => tx.execute(sql`update counters set n = n where id = 1`)),
    );
    await expect.poll(() => database.load().waiting).toBeGreaterThan(0);
    const reads = await Promise.all([counter(2), counter(2), counter(2)]);
    release();
    expect(reads).toHaveLength(3);
    await Promise.all([holding, ...waiting]);
    expect(database.load()).toMatchObject({ inUse: 0, waiting: 0 });
  });

  it('rolls back a transaction that falls silent', async () => {
    const impatient = open({ idleInTransactionMs: 100 });
    const silent = impatient.transaction(async (tx) => {
      await tx.execute(sql`update counters set n = 777 where id = 1`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await tx.execute(sql`select 1`);
    });
    expect(isDatabaseUnavailable(await silent.catch((error) => error))).toBe(true);
    expect(await counter(1)).not.toBe(777);
    await impatient.close();
  });

  it('survives the loss of its server, says so, and recovers', async () => {
    const read = () => database.read((reader) => reader.execute(sql`select 1`));
    await Promise.all([read(), read(), read()]);
    const during = database.transaction(async (tx) => {
      await tx.execute(sql`update counters set n = 999 where id = 1`);
      await server.kill();
      await tx.execute(sql`select 1`);
    });
    expect(isDatabaseUnavailable(await during.catch((error) => error))).toBe(true);
    expect(await database.isReady()).toBe(false);
    expect(isDatabaseUnavailable(await read().catch((error) => error))).toBe(true);
    const written = database.transaction((tx) => tx.execute(sql`select 1`));
    expect(isDatabaseUnavailable(await written.catch((error) => error))).toBe(true);

    await server.start();
    expect(await database.isReady()).toBe(true);
    expect(await counter(1)).not.toBe(999);
  });

  it('never takes a commit that its cluster has not confirmed for done', async () => {
    const upkeep = async (statement: string) => {
      await database.upkeep((session) => session.execute(sql.raw(statement)));
      await database.upkeep((session) => session.execute(sql`select pg_reload_conf()`));
    };
    await upkeep(`alter system set synchronous_standby_names = 'nobody'`);
    // A session takes the new setting over between two of its statements, some time after it was told to.
    const names = sql`select current_setting('synchronous_standby_names') as names`;
    const read = async () => (await database.read((reader) => reader.execute(names))).rows;
    await expect.poll(read).toEqual([{ names: 'nobody' }]);
    const impatient = open({ statementMs: 300, silenceMs: 1_500 });
    try {
      const commit = (statement: SQL) =>
        impatient.transaction((tx) => tx.execute(statement)).then(() => 'done', isDatabaseUnavailable);
      // Commits wait only after the checkpointer has applied the setting, which a busy machine delays.
      await expect.poll(() => commit(sql`update counters set n = n where id = 1`)).toBe(true);
      expect(await commit(sql`update counters set n = 99 where id = 2`)).toBe(true);
      expect(await counter(2)).not.toBe(99);
    } finally {
      await upkeep('alter system reset synchronous_standby_names');
      await impatient.close();
    }
  });

  it('does not hand on an open transaction', async () => {
    const single = open({ maxConnections: 1 });
    await single.read((reader) => reader.execute(sql`begin`));
    await single.read((reader) => reader.execute(sql`insert into counters values (9, 9)`));
    expect(await counter(9)).toBe(9);
    await single.close();
  });

  it('uses UTC, whatever the server’s own time zone', async () => {
    const rows = await rowsOf(database, sql`show timezone`);
    expect(rows).toEqual([{ TimeZone: 'UTC' }]);
  });

  it('compiles no plans, which takes longer than running them', async () => {
    const rows = await rowsOf(database, sql`show jit`);
    expect(rows).toEqual([{ jit: 'off' }]);
  });

  it('skips cluster servers that do not answer', async () => {
    const { port } = new URL(server.url);
    const silent = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const dead = (silent.address() as net.AddressInfo).port;
    await expectWritable(`postgres://postgres@127.0.0.1:${dead},127.0.0.1:${port}/postgres`);
    silent.close();
  });

  it('skips cluster servers that only follow another one', async () => {
    const follower = await startPostgresServer({ standby: true });
    const hosts = [new URL(follower.url).host, new URL(server.url).host];
    await expectWritable(`postgres://postgres@${hosts.join(',')}/postgres`);
    await follower.stop();
  });

  async function expectWritable(databaseUrl: string): Promise<void> {
    const cluster = open({ databaseUrl });
    const write = sql`update counters set n = n where id = 1`;
    expect((await cluster.transaction((tx) => tx.execute(write))).rowCount).toBe(1);
    expect((await cluster.upkeep((session) => session.execute(write))).rowCount).toBe(1);
    await cluster.close();
  }
});

describe('DATABASE_URL', () => {
  it('may list the servers of a cluster', () => {
    expect(serversOf('postgres://u:p%40w@one:5432,[::1]:5433/hiram?sslmode=disable')).toEqual([
      'postgres://u:p%40w@one:5432/hiram?sslmode=disable',
      'postgres://u:p%40w@[::1]:5433/hiram?sslmode=disable',
    ]);
    expect(serversOf('postgresql:///hiram?host=/run/postgresql')).toEqual([
      'postgresql:///hiram?host=/run/postgresql',
    ]);
  });

  it('is refused in one line that does not repeat it', () => {
    expect(() => serversOf('mysql://user:secret@host/db')).toThrow('DATABASE_URL must look like');
    expect(() => serversOf('mysql://user:secret@host/db')).not.toThrow('secret');
  });
});
