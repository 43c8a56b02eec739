import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { bothEngines, type Opened } from './both-engines.ts';

describe.each(bothEngines)('transactions on the $name engine', ({ open }) => {
  let opened: Opened;
  let database: Database;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    await database.transaction((tx) => tx.execute(sql`create table notes (id int primary key, text text)`));
  });
  beforeEach(() => database.transaction((tx) => tx.execute(sql`delete from notes`)));
  afterAll(() => opened.close());

  const write = (tx: Tx, id: number) => tx.execute(sql`insert into notes values (${id}, 'x')`);
  const ids = async () => {
    const rows = await rowsOf(database, sql`select id from notes order by id`);
    return rows.map(({ id }) => id);
  };

  it('commits what returned and rolls back what threw, with the same error', async () => {
    const returned = await database.transaction(async (tx) => {
      await write(tx, 1);
      return 'done';
    });
    const problem = new Error('no');
    const thrown = database.transaction(async (tx) => {
      await write(tx, 2);
      throw problem;
    });
    await expect(thrown).rejects.toBe(problem);
    expect(returned).toBe('done');
    expect(await ids()).toEqual([1]);
  });

  it('refuses a transaction, a read or upkeep inside a transaction, at once', async () => {
    const openings = [
      () => database.transaction(async () => {}),
      () => database.read(async () => {}),
      () => database.upkeep(async () => {}),
    ];
    for (const opening of openings) {
      const outer = database.transaction(async (tx) => {
        await write(tx, 1);
        await opening();
      });
      await expect(outer).rejects.toThrow('inside a transaction');
    }
    expect(await ids()).toEqual([]);
  });

  it('refuses a reader that was carried into a transaction', async () => {
    const carried = database.read((reader) =>
      database.transaction(async () => {
        await reader.execute(sql`select 1`);
      }),
    );
    await expect(carried).rejects.toThrow('inside a transaction');
  });

  it('allows work started inside a transaction to open its own afterwards', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await write(tx, 1);
      later = new Promise((resolve) => setTimeout(resolve, 20)).then(() =>
        database.transaction((own) => write(own, 2)),
      );
    });
    await later;
    expect(await ids()).toEqual([1, 2]);
  });

  it('refuses a statement that comes after its transaction, even when another one runs by then', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let kept: Tx | undefined;
    await database.transaction(async (tx) => {
      kept = tx;
      late = new Promise((resolve) => setTimeout(resolve, 20)).then(() => write(tx, 66));
      late.catch(() => undefined);
    });
    await database.transaction(async (tx) => {
      await write(tx, 1);
      await expect(late).rejects.toThrow();
    });
    await expect(kept && write(kept, 67)).rejects.toThrow();
    expect(await ids()).toEqual([1]);
  });

  it('waits at its end for statements that nobody awaited', async () => {
    await database.transaction(async (tx) => {
      sendUnawaited(tx, write(tx, 1));
      sendUnawaited(tx, write(tx, 2));
    });
    expect(await ids()).toEqual([1, 2]);
  });

  it('is undone by a statement that nobody awaited, and says why', async () => {
    const atTheEnd = database.transaction(async (tx) => {
      await write(tx, 1);
      sendUnawaited(tx, write(tx, 1));
    });
    await expect(atTheEnd).rejects.toMatchObject({ constraint: 'notes_pkey' });
    const before = database.transaction(async (tx) => {
      sendUnawaited(tx, write(tx, 1));
      sendUnawaited(tx, write(tx, 1));
      await write(tx, 2);
    });
    await expect(before).rejects.toMatchObject({ constraint: 'notes_pkey' });
    expect(await ids()).toEqual([]);
  });

  it('does not report success when an error was swallowed', async () => {
    const swallowing = database.transaction(async (tx) => {
      await write(tx, 1);
      await write(tx, 1).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('swallowed');
    expect(await ids()).toEqual([]);
  });

  it('rolls back a transaction that a raw connection left open', async () => {
    const client = await opened.engine.connect();
    await client.query('begin');
    await client.query('insert into notes values (9)');
    client.release();
    expect(await ids()).toEqual([]);
    await database.transaction((tx) => write(tx, 1));
    expect(await ids()).toEqual([1]);
  });

  it('keeps transactions apart that run at the same time', async () => {
    const many = Array.from({ length: 40 }, (_, id) =>
      database.transaction(async (tx) => {
        await write(tx, id);
        await new Promise((resolve) => setTimeout(resolve, id % 3));
        if (id % 2) throw new Error('odd');
      }),
    );
    await Promise.allSettled(many);
    expect(await ids()).toEqual(Array.from({ length: 20 }, (_, half) => half * 2));
  });

  it('is ready, and no longer once closed', async () => {
    const other = await open();
    expect(await other.database.isReady()).toBe(true);
    await other.close();
    expect(await other.database.isReady()).toBe(false);
    await expect(other.database.read((reader) => reader.execute(sql`select 1`))).rejects.toThrow();
  });
});
