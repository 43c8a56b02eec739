import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '#server/platform/database/database-errors.ts';
import { createEmbeddedPool } from '#server/platform/database/embedded-pool.ts';
import { type EmbeddedSession, openEmbeddedSession } from '#server/platform/database/embedded-session.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { memoryTemplate } from '#tests/setup/test-database.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the pool over the one embedded session', () => {
  let session: EmbeddedSession;
  beforeAll(async () => {
    const engine = await PGlite.create({ loadDataDir: await memoryTemplate('empty') });
    session = await openEmbeddedSession(engine, () => {});
  });
  afterAll(() => session.close());

  const poolWith = (changes = {}) =>
    createEmbeddedPool(session, {
      acquireMs: 5_000,
      idleInTransactionMs: 60_000,
      yieldEveryMs: 8,
      ...changes,
    });

  it('serves in order of arrival', async () => {
    const pool = poolWith();
    const served: number[] = [];
    const holder = await pool.connect();
    const waiting = Array.from({ length: 20 }, async (_, number) => {
      const client = await pool.connect();
      served.push(number);
      await client.query('select 1');
      client.release();
    });
    await pause(5);
    expect(served).toEqual([]);
    holder.release();
    await Promise.all(waiting);
    expect(served).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('answers queries of one client in order, even when they are sent together', async () => {
    const client = await poolWith().connect();
    const results = await atOnce(50, (n) =>
      client.query('select $1::int as n, repeat($2, 1000) as filler', [n, 'x']),
    );
    client.release();
    expect(results.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('gives up waiting after a while, and the place in the queue with it', async () => {
    const pool = poolWith({ acquireMs: 30 });
    const holder = await pool.connect();
    await expect(pool.connect()).rejects.toBeInstanceOf(DatabaseUnavailable);
    holder.release();
    expect(await pool.query('select 1').then(({ rowCount }) => rowCount)).toBe(1);
    expect(pool.isIdle()).toBe(true);
  });

  it('takes the session back from a silent holder, and rolls its transaction back', async () => {
    const pool = poolWith({ idleInTransactionMs: 40 });
    await pool.query('create table if not exists held (n int)');
    const silent = await pool.connect();
    await silent.query('begin');
    await silent.query('insert into held values (1)');
    const next = await pool.connect();
    expect((await next.query('select * from held')).rows).toEqual([]);
    await expect(silent.query('commit')).rejects.toBeInstanceOf(DatabaseUnavailable);
    silent.release();
    expect((await next.query('select 1 as still_mine')).rows).toEqual([{ still_mine: 1 }]);
    next.release();
  });

  it('lets timers and sockets have their turn during a long chain of queries', async () => {
    const client = await poolWith().connect();
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    const started = performance.now();
    while (ticks <= 5 && performance.now() - started < 5_000) await client.query('select 1');
    clearInterval(timer);
    client.release();
    expect(ticks).toBeGreaterThan(5);
  });

  it('keeps a bounded number of statements in the engine', async () => {
    const pool = poolWith();
    for (let n = 0; n < 700; n += 1) {
      const { rows } = await pool.query(`select $1::int + ${n} as sum`, [1]);
      expect(rows).toEqual([{ sum: n + 1 }]);
    }
    const { rows } = await pool.query('select count(*)::int as kept from pg_prepared_statements');
    expect(rows[0]?.kept).toBeLessThanOrEqual(500);
    expect(rows[0]?.kept).toBeGreaterThan(400);
    expect((await pool.query('select $1::int + 0 as sum', [1])).rows).toEqual([{ sum: 1 }]);
  });

  it('parses again when a table changed under a cached statement', async () => {
    const pool = poolWith();
    await pool.query('create table changing (a int)');
    await pool.query('insert into changing values ($1)', [1]);
    expect((await pool.query('select * from changing where a = $1', [1])).rows).toEqual([{ a: 1 }]);
    await pool.query('alter table changing add b text');
    await expect(pool.query('select * from changing where a = $1', [1])).rejects.toMatchObject({
      code: '0A000',
    });
    expect((await pool.query('select * from changing where a = $1', [1])).rows).toEqual([{ a: 1, b: null }]);
  });

  it('goes on after a value that cannot be sent, on a new statement and on a kept one', async () => {
    const pool = poolWith();
    const unsendable = {
      toPostgres: () => {
        throw new Error('no text for this');
      },
    };
    const text = 'select $1::text as sent';
    for (let round = 0; round < 2; round += 1) {
      await expect(pool.query(text, [unsendable])).rejects.toThrow('no text for this');
      expect((await pool.query(text, ['a'])).rows).toEqual([{ sent: 'a' }]);
      expect((await pool.query(text, ['b'])).rows).toEqual([{ sent: 'b' }]);
    }
  });
});
