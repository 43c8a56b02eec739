import { eq, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { constraintOf } from '#server/platform/database/database-errors.ts';
import { bothEngines, type Opened } from './both-engines.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

const samples = pgTable('samples', {
  id: integer('id').primaryKey(),
  centavos: bigint('centavos', { mode: 'number' }),
  huge: bigint('huge', { mode: 'bigint' }),
  day: date('day', { mode: 'string' }),
  moment: timestamp('moment', { withTimezone: true, precision: 3, mode: 'date' }),
  bytes: bytea('bytes'),
  json: jsonb('json'),
  words: text('words').array(),
  numbers: bigint('numbers', { mode: 'number' }).array(),
  isTrue: boolean('is_true'),
  text: text('text'),
});

const createTables = [
  `create table samples (id int primary key, centavos bigint, huge bigint, day date, moment timestamptz(3), bytes bytea,
     json jsonb, words text[], numbers bigint[], is_true boolean, text text,
     constraint samples_centavos_positive check (centavos > 0),
     constraint samples_text_unique unique (text))`,
  'create table parts (sample_id int constraint parts_sample_fk references samples (id) deferrable initially deferred)',
];

const full = {
  id: 1,
  centavos: 9_007_199_254_740_991,
  huge: 9_223_372_036_854_775_807n,
  day: '2014-11-14',
  moment: new Date('2026-02-28T16:00:00.123Z'),
  bytes: Buffer.from([0, 1, 127, 128, 255]),
  json: { name: 'Ñina "quoted" \\ back', list: [1, null, { deep: true }], price: 0.1 },
  words: ['plain', 'with "quotes", commas', 'back\\slash', '', 'NULL', 'ñ₱😀'],
  numbers: [1, 2_000_000_00],
  isTrue: true,
  text: 'a\ttab, a\nline and ₱1,000 😀',
};
const empty = {
  id: 2,
  centavos: null,
  huge: null,
  day: null,
  moment: null,
  bytes: null,
  json: null,
  words: null,
  numbers: null,
  isTrue: null,
  text: null,
};

describe.each(bothEngines)('$name engine', ({ open }) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
    await opened.database.upkeep(async (session) => {
      for (const statement of createTables) await session.execute(sql.raw(statement));
    });
    await opened.database.transaction((tx) => tx.insert(samples).values([full, empty]));
  });
  afterAll(() => opened.close());

  it('returns every type as it was written', async () => {
    const rows = await opened.database.read((reader) => reader.select().from(samples).orderBy(samples.id));
    expect(rows).toEqual([full, empty]);
  });

  it('returns raw rows in the same shapes', async () => {
    const { rows, rowCount, command, fields } = await opened.database.read((reader) =>
      reader.execute(sql`select count(*) as n, 7::int8 as big, 7 as small, 1.50::numeric as price,
        '2014-11-14'::date as day, '2026-03-01 00:00+08'::timestamptz as moment, array[1, 2] as list,
        '{"a": 1}'::jsonb as json, null as nothing, true as yes, '\\x00ff'::bytea as bytes from samples`),
    );
    expect(rows).toEqual([
      {
        n: '2',
        big: '7',
        small: 7,
        price: '1.50',
        day: '2014-11-14',
        moment: '2026-02-28 16:00:00+00',
        list: [1, 2],
        json: { a: 1 },
        nothing: null,
        yes: true,
        bytes: Buffer.from([0, 255]),
      },
    ]);
    expect({ rowCount, command }).toEqual({ rowCount: 1, command: 'SELECT' });
    expect(fields.map(({ name }) => name).slice(0, 3)).toEqual(['n', 'big', 'small']);
  });

  it('answers like pg: rows as arrays, several statements at once, counts of changed rows', async () => {
    const client = await opened.engine.connect();
    onTestFinished(() => client.release());
    const asArrays = await client.query({ text: 'select $1::int as a, $2::text as b', rowMode: 'array' }, [
      1,
      'x',
    ]);
    expect(asArrays.rows).toEqual([[1, 'x']]);
    const several = (await client.query('select 1 as one; select 2 as two')) as unknown as {
      rows: object[];
    }[];
    expect(several.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ two: 2 }]]);
    const none = await client.query('select id from samples where id = $1', [99]);
    expect([none.rows, none.rowCount]).toEqual([[], 0]);
    const changed = await client.query('update samples set is_true = is_true where id > $1', [0]);
    expect([changed.command, changed.rowCount]).toEqual(['UPDATE', 2]);
    const nothing = await client.query('select $1::text as a', [undefined]);
    expect(nothing.rows).toEqual([{ a: null }]);
  });

  it.each([
    ['samples_centavos_positive', '23514', sql`update samples set centavos = 0 where id = 1`],
    [
      'samples_text_unique',
      '23505',
      sql`insert into samples (id, text) select 3, text from samples where id = 1`,
    ],
    ['samples_pkey', '23505', sql`insert into samples (id) values (1)`],
    ['parts_sample_fk', '23503', sql`insert into parts values (99)`],
  ])('names the violated constraint %s', async (constraint, code, statement) => {
    const failure = await opened.database.transaction((tx) => tx.execute(statement)).catch((error) => error);
    expect(failure).toMatchObject({ code, constraint });
    expect(constraintOf(failure)).toBe(constraint);
  });

  it('reads a constraint inside the transaction too, through Drizzle’s wrapper', async () => {
    let seen: string | undefined;
    await opened.database
      .transaction(async (tx) => {
        await tx.insert(samples).values({ id: 1 });
      })
      .catch(() => undefined);
    await opened.database
      .transaction(async (tx) => {
        try {
          await tx.insert(samples).values({ id: 1 });
        } catch (error) {
          seen = constraintOf(error);
          throw error;
        }
      })
      .catch(() => undefined);
    expect(seen).toBe('samples_pkey');
  });

  it('lets no value out with an error', async () => {
    const secret = 'a secret value';
    await opened.database.transaction((tx) => tx.insert(samples).values({ id: 50, text: secret }));
    const failure = await opened.database
      .transaction((tx) => tx.insert(samples).values({ id: 51, text: secret }))
      .catch((error) => error);
    expect(constraintOf(failure)).toBe('samples_text_unique');
    expect(failure.query).toContain('insert into "samples"');
    const printed = JSON.stringify(failure) + String(failure) + failure.stack + String(failure.cause);
    expect(printed).not.toContain(secret);
  });

  it('runs a prepared query again and again, in reads and in transactions', async () => {
    const byId = (handle: Reader | Tx, id: number) =>
      handle
        .select({ id: samples.id, day: samples.day })
        .from(samples)
        .where(eq(samples.id, sql.placeholder('id')))
        .prepare('sample_by_id')
        .execute({ id });
    for (let round = 0; round < 20; round += 1) {
      const [read] = await opened.database.read((reader) => byId(reader, 1));
      expect(read).toEqual({ id: 1, day: full.day });
      const rows = await opened.database.transaction((tx) => byId(tx, 2));
      expect(rows).toEqual([{ id: 2, day: null }]);
    }
  });

  it('goes on after a refused statement, prepared or not', async () => {
    for (let round = 0; round < 3; round += 1) {
      const wrong = opened.database.read((reader) =>
        reader.execute(sql`select * from samples where id = ${'x'}`),
      );
      await expect(wrong).rejects.toMatchObject({ code: '22P02' });
      await expect(
        opened.database.read((reader) => reader.execute(sql`select nonsense`)),
      ).rejects.toMatchObject({
        code: '42703',
      });
    }
    expect(await opened.database.isReady()).toBe(true);
  });
});
