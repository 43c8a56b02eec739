import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { eq, type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import {
  inSnapshot,
  insertRowLines,
  readRowLines,
  readSequences,
  readTables,
  type Table,
} from '#server/books/backup-rows.ts';
import { createDatabase, type Database, type Tx } from '#server/platform/database/database.ts';
import { memoryParameters, serve } from '#server/platform/database/embedded-engine.ts';
import { createPostgresEngine } from '#server/platform/database/postgres-engine.ts';
import type { DatabaseLog, SqlClient, SqlEngine } from '#server/platform/database/sql-engine.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { accounts } from '#server/store/schema.ts';
import { postgresOfRun } from './postgres-global.ts';

/** Vitest runs in the root of the package. */
const migrations = path.resolve('server/store/migrations');
const templates = path.resolve('node_modules/.cache/hiram-tests');

export const silentLog: DatabaseLog = { info() {}, warn() {}, error() {} };

/** Both are PostgreSQL, and differ in where the data is and in concurrency: the embedded one has a single session. */
export type TestEngine = 'embedded' | 'postgres';

const engines: readonly TestEngine[] = ['embedded', 'postgres'];

/** `npm run torture` runs every file on one engine and then on the other, whatever the files ask for. */
const onlyEngine = engines.find((engine) => engine === process.env.TEST_ENGINE);

/** For a file whose rules each engine could break in its own way: `describe.each(bothEngines)`. */
export const bothEngines = onlyEngine ? [onlyEngine] : engines;

/** The engine of a file: the one that it asks for, unless the run is for another. */
export const engineOf = (wanted: TestEngine = 'embedded'): TestEngine => onlyEngine ?? wanted;

/** Collisions are retried without a pause. */
const noPause = async () => {};

/**
 * A database of the caller's own with every migration applied, in some tenths of a second: a copy of a template that
 * is made once for each state of the migrations. On PostgreSQL it is a database of the run's server, dropped again by
 * `close`.
 */
export async function openTestDatabase(engine: TestEngine): Promise<Database> {
  return engine === 'postgres' ? openPostgresCopy(await postgresOfRun()) : openMemoryCopy();
}

/**
 * Empties every table and sets every sequence back to its start, past the triggers that refuse to empty the books. Only what holds rows is touched: truncating all would take ten times as long.
 */
export async function truncateAll(database: Database): Promise<void> {
  await pastTriggers(database, (tx) => tx.execute(emptyEverything));
}

/** Changes the database as a superuser can: triggers and foreign keys are off meanwhile. */
export function pastTriggers<Result>(database: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    return work(tx);
  });
}

/** The rows of a statement, read without the product's stores. */
export async function rowsOf<Row extends Record<string, unknown>>(
  database: Database,
  query: SQL,
): Promise<Row[]> {
  return (await database.read((reader) => reader.execute<Row>(query))).rows as Row[];
}

/** An account as it is stored. */
export async function storedAccount(database: Database, id: number) {
  const [row] = await database.read((reader) => reader.select().from(accounts).where(eq(accounts.id, id)));
  if (!row) throw new Error('the row of an account is gone');
  return row;
}

/** Copies rows, number `n` with these columns changed, as `jsonb_build_object` takes them. */
export async function multiplyRows(
  tx: Tx,
  name: string,
  { copies, which, changed }: { copies: number; which: string; changed: string },
): Promise<void> {
  const table = (await readTables(tx)).find((one) => one.name === name);
  const columns = table?.columns.map((column) => column.name) ?? [];
  await tx.execute(
    sql.raw(`
    insert into ${name} (${columns.join(', ')})
    select ${columns.map((column) => `copy.${column}`).join(', ')}
      from ${name} first, generate_series(1, ${copies}) n,
           jsonb_populate_record(first, jsonb_build_object(${changed})) copy
     where first.${which} order by n`),
  );
}

/** Every row of these tables, or of all, as text: for looking for something in it. */
export async function everythingStored(database: Database, tables?: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const name of tables ?? (await database.read(readTables)).map((table) => table.name)) {
    const rows = await rowsOf(database, sql.raw(`select row_to_json(t)::text as line from ${name} t`));
    parts.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return parts.join('\n');
}

const emptyEverything = sql.raw(`
do $$
declare
  t regclass;
  has_rows boolean;
  start bigint;
  is_used boolean;
begin
  for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('select exists (select 1 from %s)', t) into has_rows;
    if has_rows then execute format('delete from %s', t); end if;
  end loop;
  for t, start in select seqrelid, seqstart from pg_sequence
                  where seqrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) loop
    -- Not by pg_sequences: it has no last value for one that was restarted and not used since.
    execute format('select last_value + is_called::int > %s from %s', start, t) into is_used;
    if is_used then perform setval(t, start, false); end if;
  end loop;
end $$`);

/** Databases that earlier files of this worker are done with. Opening one takes most of a second. */
const idle: SqlEngine[] = [];
let migratedShape: string | undefined;

/** Every row, to be put back with what it returns: in an instant, and into nothing else. */
export async function copyRows(database: Database): Promise<() => Promise<void>> {
  const { sequences, copies } = await inSnapshot(database, async (reader) => {
    const copies: { table: Table; lines: string[] }[] = [];
    for (const table of await readTables(reader)) {
      for await (const lines of readRowLines(reader, table)) copies.push({ table, lines });
    }
    return { sequences: await readSequences(reader), copies };
  });
  return async () => {
    await truncateAll(database);
    await pastTriggers(database, async (tx) => {
      for (const { table, lines } of copies) await insertRowLines(tx, table, lines);
      for (const { name, next } of sequences) {
        if (next !== '1') await tx.execute(sql`select setval(${name}::regclass, ${next}::bigint - 1)`);
      }
    });
  };
}

async function openMemoryCopy(): Promise<Database> {
  const engine = idle.pop() ?? (await openMigratedEngine());
  let isOpen = true;
  // A request that nobody awaited would draw its numbers in the next file's database.
  const whileOpen = (connect: () => Promise<SqlClient>) => async () => {
    if (!isOpen) throw new Error('this database is closed');
    return connect();
  };
  const connect = whileOpen(engine.connect);
  const connectForUpkeep = whileOpen(engine.connectForUpkeep);
  const close = () => {
    isOpen = false;
    return keepOrClose(engine);
  };
  return createDatabase({ ...engine, connect, connectForUpkeep, close }, noPause);
}

async function openMigratedEngine(): Promise<SqlEngine> {
  const engine = await openMemoryEngine(await memoryTemplate('migrated'));
  migratedShape ??= await shapeOf(createDatabase(engine, noPause));
  return engine;
}

/** The next file gets it as if it were new; one whose tables, triggers or functions a test has changed is closed. */
async function keepOrClose(engine: SqlEngine): Promise<void> {
  const database = createDatabase(engine, noPause);
  try {
    await truncateAll(database);
    await database.upkeep((session) => session.execute(sql.raw('vacuum')));
    if ((await shapeOf(database)) === migratedShape) return void idle.push(engine);
  } catch {
    // It was stopped, or closed already.
  }
  await engine.close();
}

/** Everything that migrations make, as one hash. */
async function shapeOf(database: Database): Promise<string> {
  const { rows } = await database.read((reader) =>
    reader.execute(sql`
      select md5(string_agg(part, chr(10) order by part)) as shape from (
        select concat_ws(' ', relname, relkind, relacl) from pg_class where relnamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull) from pg_attribute
         where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        union all
        select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
         where connamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', tgrelid::regclass, tgname, tgenabled, tgfoid::regproc) from pg_trigger
        union all
        select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', nspname, nspacl) from pg_namespace
        union all
        select rolname from pg_roles
      ) as shapes (part)`),
  );
  return String(rows[0]?.shape);
}

/** An embedded database that is gone with the process. */
async function openMemoryEngine(loadDataDir: Blob): Promise<SqlEngine> {
  const started = await PGlite.create({ startParams: memoryParameters, loadDataDir });
  return (await serve(started, { log: silentLog })).engine;
}

/** An embedded database in memory without any table. Opened from a template too: making one anew takes seconds. */
export async function openEmptyEngine(): Promise<SqlEngine> {
  return openMemoryEngine(await memoryTemplate('empty'));
}

/** A file that the embedded engine starts from, made when there is none yet. */
export async function memoryTemplate(kind: 'empty' | 'migrated'): Promise<Blob> {
  const file = path.join(templates, `${kind}-${schemaVersion()}.tar`);
  if (!fs.existsSync(file)) await makeMemoryTemplate(kind, file);
  return new Blob([fs.readFileSync(file)]);
}

/** Workers may do this at the same time: each writes a file of its own, and the last rename stays. */
async function makeMemoryTemplate(kind: 'empty' | 'migrated', file: string): Promise<void> {
  const started = await PGlite.create({ startParams: memoryParameters });
  const { engine } = await serve(started, { log: silentLog });
  const database = createDatabase(engine, noPause);
  if (kind === 'migrated') await migrateDatabase(database, migrations);
  const dump = Buffer.from(await (await started.dumpDataDir('none')).arrayBuffer());
  await database.close();
  fs.mkdirSync(templates, { recursive: true });
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  fs.writeFileSync(unfinished, dump);
  for (const old of fs.readdirSync(templates)) {
    const isOutdated = old.startsWith(kind) && old.endsWith('.tar') && old !== path.basename(file);
    if (isOutdated) fs.rmSync(path.join(templates, old), { force: true });
  }
  fs.renameSync(unfinished, file);
}

async function openPostgresCopy(admin: string): Promise<Database> {
  const template = `hiram_template_${schemaVersion()}`;
  const name = `hiram_test_${randomBytes(6).toString('hex')}`;
  await withClient(admin, async (client) => {
    // One template for all workers: the first one here makes it, the others wait.
    await client.query('select pg_advisory_lock(7301)');
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rows.length === 0) await makePostgresTemplate(client, admin, template);
    await client.query(`create database ${name} template ${template}`);
  });
  const engine = createPostgresEngine({ databaseUrl: urlOf(admin, name), log: silentLog });
  const database = createDatabase(engine, noPause);
  return {
    ...database,
    close: async () => {
      await database.close();
      await withClient(admin, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function makePostgresTemplate(client: pg.Client, admin: string, template: string): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`create database ${unfinished} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
  const engine = createPostgresEngine({ databaseUrl: urlOf(admin, unfinished), log: silentLog });
  const database = createDatabase(engine, noPause);
  await migrateDatabase(database, migrations);
  await database.close();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${unfinished}'`,
  );
  await client.query(`alter database ${unfinished} rename to ${template}`);
}

/** Does some work on a connection of its own to a PostgreSQL server. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(admin: string, database: string): string {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  return url.href;
}

/** Changes with every migration, and with the engine that the template was made by. */
function schemaVersion(): string {
  const hash = createHash('sha256');
  const engine = path.resolve('node_modules/@electric-sql/pglite/package.json');
  const files = fs.readdirSync(migrations, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => name.endsWith('.sql') || name.endsWith('_journal.json'))) {
    hash.update(file).update(fs.readFileSync(path.join(migrations, file)));
  }
  return hash.update(fs.readFileSync(engine)).digest('hex').slice(0, 16);
}
