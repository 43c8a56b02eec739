import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '#server/platform/database/database.ts';
import { createPostgresEngine } from '#server/platform/database/postgres-engine.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { auditEntries } from '#server/store/schema.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { openTestDatabase, rowsOf, silentLog, truncateAll } from '#tests/setup/test-database.ts';
import { bothEngines } from './both-engines.ts';

/** Writes a folder like drizzle-kit's, one migration an entry. */
function writeMigrations(folder: string, statements: string[]): void {
  fs.mkdirSync(path.join(folder, 'meta'), { recursive: true });
  const entries = statements.map((statement, idx) => {
    fs.writeFileSync(path.join(folder, `000${idx}_step.sql`), statement);
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag: `000${idx}_step`, breakpoints: true };
  });
  const journal = { version: '7', dialect: 'postgresql', entries };
  fs.writeFileSync(path.join(folder, 'meta', '_journal.json'), JSON.stringify(journal));
}

const steps = [
  'create table first (n int);\n--> statement-breakpoint\ninsert into first values (1);',
  'alter table first add note text;',
];

describe('migrations', () => {
  const folder = lastingDirectory();

  it.each(bothEngines)(
    'apply once, then only what is new, and never by halves, on $name',
    async ({ open }) => {
      const { database, close } = await open();
      const rows = async () =>
        (await database.read((reader) => reader.execute(sql`select * from first`))).rows;
      writeMigrations(folder, steps.slice(0, 1));
      await migrateDatabase(database, folder);
      await migrateDatabase(database, folder);
      expect(await rows()).toEqual([{ n: 1 }]);
      writeMigrations(folder, steps);
      await migrateDatabase(database, folder);
      expect(await rows()).toEqual([{ n: 1, note: null }]);
      writeMigrations(folder, [
        ...steps,
        'insert into first values (2);\n--> statement-breakpoint\nselect nonsense;',
      ]);
      await expect(migrateDatabase(database, folder)).rejects.toMatchObject({ code: '42703' });
      expect(await rows()).toEqual([{ n: 1, note: null }]);
      writeMigrations(folder, [...steps, 'insert into first values (3);']);
      await migrateDatabase(database, folder);
      expect(await rows()).toHaveLength(2);
      await close();
    },
  );

  it.skipIf(!hasPostgres())('apply once when several processes start together', async () => {
    writeMigrations(folder, [...steps, 'select pg_sleep(0.2);']);
    const server = await startPostgresServer();
    const databases = Array.from({ length: 4 }, () =>
      createDatabase(createPostgresEngine({ databaseUrl: server.url, log: silentLog }), async () => {}),
    );
    await Promise.all(databases.map((database) => migrateDatabase(database, folder)));
    const { rows } = (await databases[0]?.read((reader) => reader.execute(sql`select n from first`))) ?? {};
    expect(rows).toEqual([{ n: 1 }]);
    await Promise.all(databases.map((database) => database.close()));
    await server.stop();
  });
});

describe('the database of the tests', () => {
  it('has every table, and is empty again after truncateAll, books included', async () => {
    const database = await openTestDatabase('embedded');
    const numbers = async () => {
      const { rows } = await database.transaction((tx) =>
        tx.execute(sql`select nextval('loan_numbers')::int as n`),
      );
      return rows[0]?.n;
    };
    const count = async () => {
      const rows = await rowsOf(database, sql`select count(*)::int as n from audit_entries`);
      return rows[0]?.n;
    };
    const first = await numbers();
    await database.transaction((tx) =>
      tx.insert(auditEntries).values({ action: 'test', createdAt: new Date() }),
    );
    await expect(database.transaction((tx) => tx.delete(auditEntries))).rejects.toThrow('append-only');
    expect(await count()).toBe(1);
    await truncateAll(database);
    expect(await count()).toBe(0);
    expect(await numbers()).toBe(first);
    await database.close();
  });
});
