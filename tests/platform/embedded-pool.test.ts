import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '#server/platform/database/database-errors.ts';
import { EmbeddedPool } from '#server/platform/database/embedded-pool.ts';
import { createStatementCache } from '#server/platform/database/statement-cache.ts';
import { createWasmSession, type WasmSession } from '#server/platform/database/wasm-session.ts';
import { memoryTemplate } from '#tests/setup/test-database.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the pool over the one embedded session', () => {
  let session: WasmSession;
  beforeAll(async () => {
    const engine = await PGlite.create({ loadDataDir: await memoryTemplate('empty') });
    session = createWasmSession(engine, () => {});
  });
  afterAll(() => session.close());

  const poolWith = (changes = {}) =>
    new EmbeddedPool(session, { acquireMs: 5_000, idleInTransactionMs: 60_000, breathMs: 8, ...changes });

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
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.query('select $1::int as n, repeat($2, 1000) as filler', [n, 'x']),
      ),
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
    expect(pool.isIdle).toBe(true);
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
    while (performance.now() - started < 200) await client.query('select 1');
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
});

describe('the cache of statements', () => {
  it('lets the least recently used go', () => {
    const cache = createStatementCache(2);
    const [a, b] = [cache.use('a'), cache.use('b')];
    for (const statement of [a, b]) statement.isParsed = true;
    expect(cache.use('a')).toBe(a);
    cache.use('c');
    expect(cache.takeFallen()).toEqual([b.name]);
    expect(cache.takeFallen()).toEqual([]);
    expect(cache.use('a')).toBe(a);
    expect(cache.use('b')).not.toBe(b);
  });

  it('closes only what was parsed', () => {
    const cache = createStatementCache(2);
    cache.use('never parsed');
    cache.forget('never parsed');
    expect(cache.takeFallen()).toEqual([]);
  });
});
