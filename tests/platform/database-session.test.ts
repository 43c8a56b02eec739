import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { manilaDate } from '#domain/calendar.ts';
import { createSealNotes, sealAuditLog } from '#server/books/audit-seals.ts';
import { restoreAndTell } from '#server/books/backup.ts';
import { consoleCommands } from '#server/books/console-commands.ts';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open-database.ts';
import { beginWork, type Database, openDatabase } from '#server/platform/database/database.ts';
import { prepareDataDir } from '#tests/crash/prepared-data.ts';
import { hasPgBouncer, startPgBouncer } from '#tests/setup/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { rowsOf, silentLog, withClient } from '#tests/setup/test-database.ts';
import {
  mainAdminPassword,
  startTestServer,
  type TestBorrower,
  type TestServer,
} from '#tests/setup/test-server.ts';

/** Settings that administrators of a database have for reasons of their own. */
const foreign: Record<string, string> = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'America/St_Johns',
  array_nulls: 'off',
  backslash_quote: 'on',
  bytea_output: 'escape',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  exit_on_error: 'on',
  extra_float_digits: '-5',
  gin_fuzzy_search_limit: '1',
  idle_in_transaction_session_timeout: '7s',
  idle_session_timeout: '1h',
  jit: 'on',
  lock_timeout: '7s',
  log_parameter_max_length_on_error: '-1',
  max_parallel_workers_per_gather: '4',
  plan_cache_mode: 'force_generic_plan',
  'plpgsql.extra_errors': 'all',
  quote_all_identifiers: 'on',
  search_path: 'elsewhere',
  standard_conforming_strings: 'off',
  statement_timeout: '7s',
  synchronous_commit: 'off',
  timezone_abbreviations: 'Australia',
  transform_null_equals: 'on',
};

/** The values that our sessions have instead. */
const ours: Record<string, string> = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  idle_in_transaction_session_timeout: '15s',
  idle_session_timeout: '0',
  jit: 'off',
  lock_timeout: '5s',
  log_parameter_max_length_on_error: '0',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'auto',
  'plpgsql.extra_errors': 'none',
  quote_all_identifiers: 'off',
  search_path: 'public, pg_temp',
  standard_conforming_strings: 'on',
  statement_timeout: '15s',
  synchronous_commit: 'on',
  timezone_abbreviations: 'Default',
  transform_null_equals: 'off',
};

const settingsOf = (names: readonly string[]) =>
  sql.raw(
    `select json_build_object(${names.map((name) => `'${name}', current_setting('${name}')`).join(', ')}) as settings`,
  );
const asked = settingsOf(Object.keys(foreign));

/** On a busy machine. */
const longMs = 240_000;

const unlimited = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

describe.skipIf(!hasPostgres())('a database whose administrators set it otherwise', () => {
  let server: PostgresServer;
  let made = 0;
  beforeAll(async () => {
    server = await startPostgresServer();
    await withClient(server.url, (client) => client.query('create role hiram login'));
  });
  afterAll(() => server.stop());

  /** An empty database of the role `hiram`, with these settings for `whom`. */
  async function databaseWith(settings: Record<string, string>, whom = 'database' as 'database' | 'role') {
    made += 1;
    const name = `lender_${made}`;
    await withClient(server.url, async (client) => {
      await client.query(`create database ${name} owner hiram`);
      const target = whom === 'database' ? `database ${name}` : `role hiram in database ${name}`;
      for (const [setting, value] of Object.entries(settings)) {
        await client.query(`alter ${target} set ${setting} to '${value}'`);
      }
    });
    const url = new URL(server.url);
    url.username = 'hiram';
    url.pathname = `/${name}`;
    return url.href;
  }

  async function pooled(url: string): Promise<string> {
    const pooler = await startPgBouncer(url);
    onTestFinished(() => pooler.stop());
    return pooler.url;
  }

  async function opened(databaseUrl: string): Promise<Database> {
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog });
    onTestFinished(() => database.close());
    return database;
  }

  const ways = [
    { way: 'directly', reach: async (url: string) => url },
    ...(hasPgBouncer() ? [{ way: 'through PgBouncer', reach: pooled }] : []),
  ];

  describe.each(ways)('reached $way', ({ reach }) => {
    it.each(['database', 'role'] as const)('has our settings, whatever the %s says', async (whom) => {
      const database = await opened(await reach(await databaseWith(foreign, whom)));
      const read = () => rowsOf(database, asked);
      // Several at once, so that sessions are shared.
      for (const rows of await Promise.all([read(), read(), read(), read()])) {
        expect(rows).toEqual([{ settings: ours }]);
      }
      const written = await database.transaction(async (tx) => {
        await tx.execute(sql`create table somewhere (at timestamptz)`);
        const how = sql`select current_setting('transaction_isolation') as isolation,
                               current_setting('transaction_read_only') as "readOnly"`;
        return [...(await tx.execute(asked)).rows, ...(await tx.execute(how)).rows];
      });
      expect(written).toEqual([{ settings: ours }, { isolation: 'read committed', readOnly: 'off' }]);
      const kept = await database.longTransaction(beginWork, async (tx) => (await tx.execute(asked)).rows);
      expect(kept).toEqual([{ settings: { ...ours, ...unlimited } }]);
    });

    it('waits for more servers where the database says so', async () => {
      const database = await opened(await reach(await databaseWith({ synchronous_commit: 'remote_apply' })));
      expect(await rowsOf(database, sql`show synchronous_commit`)).toEqual([
        { synchronous_commit: 'remote_apply' },
      ]);
    });

    it('serves members, staff, backup, verify and restore', { timeout: longMs }, async () => {
      const url = await reach(await databaseWith(foreign, 'role'));
      const dataDir = temporaryDirectory();
      const started = await openInstallation(configFor(url, dataDir), () => {});
      await started.close();
      const database = await opened(url);
      const house = await startTestServer({ config: { dataDir, databaseUrl: url }, deps: { database } });
      onTestFinished(house.close);
      const borrower = await house.verifiedBorrower();
      const { date, loan } = await lendAndPay(house, borrower);
      await sealAuditLog(house.deps);
      const sealFile = path.join(dataDir, 'seals');
      const noting = { ...house.deps, config: { ...house.deps.config, sealFile } };
      // Processes on one machine, all at the same moment.
      await Promise.all(Array.from({ length: 4 }, () => createSealNotes(noting)()));
      expect(fs.readFileSync(sealFile, 'utf8')).toMatch(/^1 [0-9a-f]{64} \S+\n$/);

      const profile = await borrower.readProfile();
      expect(Date.parse(profile.createdAt)).toBeCloseTo(house.clock.now().getTime(), -4);
      const [today] = [await house.main.readDay({ date })];
      expect(JSON.stringify(today)).toContain('"1500.00"');
      expect(await house.main.readPortfolio({ date })).toBeTruthy();
      expect((await borrower.listOwnLoans()).map(({ id }) => id)).toEqual([loan.id]);

      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const folder = path.join(dataDir, 'backup');
      expect(await consoleCommands.backup(house.deps, { words: [folder], say })).toBe(true);
      expect(await consoleCommands.verify(house.deps, { words: [], say }), said.join('\n')).toBe(true);
      const other = await reach(await databaseWith(foreign, 'database'));
      const restoring = restoreAndTell(configFor(other, dataDir), [folder], say, 'restore');
      expect(await restoring, said.join('\n')).toBe(true);
    });
  });

  it.each([
    ['session_replication_role', 'replica'],
    ['zero_damaged_pages', 'on'],
    ['ignore_checksum_failure', 'on'],
  ])('does not start where a superuser gave its role %s', async (setting, value) => {
    const url = await databaseWith({ [setting]: value }, 'role');
    const starting = openInstallation(configFor(url, temporaryDirectory()), () => {});
    await expect(starting).rejects.toThrow(
      new RegExp(`^${setting} is "${value}" for the role hiram in the database lender_\\d+, and must be "`),
    );
  });

  it('is refused before its first table where it cannot store every letter', async () => {
    await withClient(server.url, (client) =>
      client.query(`create database narrow owner hiram template template0 encoding 'LATIN1' locale 'C'`),
    );
    const url = new URL(server.url);
    url.username = 'hiram';
    url.pathname = '/narrow';
    const starting = openInstallation(configFor(url.href, temporaryDirectory()), () => {});
    await expect(starting).rejects.toThrow(
      /^The database narrow has server_encoding "LATIN1", and must have "UTF8"/,
    );
  });
});

const configFor = (databaseUrl: string, dataDir: string) =>
  readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    MAIN_ADMIN_PASSWORD: mainAdminPassword,
    LOG_LEVEL: 'warn',
  });

async function lendAndPay(house: TestServer, borrower: TestBorrower) {
  const loan = await borrower.applyForLoan({
    amount: 150_000,
    purpose: 'Stock for a small store',
    termMonths: 12,
  });
  await house.main.updateLoan(loan.id, { status: 'approved' });
  await house.main.disburseLoan(loan.id, { channel: 'wallet' });
  await house.main.recordPayment(loan.id, { amount: 1500, channel: 'cash' });
  return { loan, date: manilaDate(house.clock.now()) };
}

describe('the embedded database', () => {
  it('has our settings, whatever somebody set in it', { timeout: longMs }, async () => {
    const dataDir = temporaryDirectory();
    await prepareDataDir(dataDir);
    const open = () => openDatabase({ dataDir, log: silentLog });
    const before = await open();
    await before.upkeep(async (session) => {
      for (const [setting, value] of Object.entries(foreign)) {
        await session.execute(sql.raw(`alter database postgres set ${setting} to '${value}'`));
      }
    });
    await before.close();
    const database = await open();
    onTestFinished(() => database.close());
    // Its pool has the time limits, and its language is loaded by the first trigger.
    const isAsked = (name: string) => !/timeout$|^plpgsql/.test(name) || name === 'idle_session_timeout';
    const expected = Object.fromEntries(Object.entries(ours).filter(([name]) => isAsked(name)));
    expect(await rowsOf(database, settingsOf(Object.keys(expected)))).toEqual([{ settings: expected }]);
  });
});
