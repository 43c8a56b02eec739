import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { holdToEdition } from '#server/books/edition.ts';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open-database.ts';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import { type Database, openDatabase } from '#server/platform/database/database.ts';
import { lockBooksToRaise, writeAsStored } from '#server/store/edition-store.ts';
import { prepareDataDir } from '#tests/crash/prepared-data.ts';
import { hasPgBouncer, startPgBouncer } from '#tests/setup/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { rowsOf, silentLog, withClient } from '#tests/setup/test-database.ts';
import { mainAdminPassword, startTestServer } from '#tests/setup/test-server.ts';

const editionIs = (edition: number) => sql`update drizzle.books_edition set edition = ${edition}`;
const later = booksEdition + 1;
const earlier = booksEdition - 1;
const anEntry = `insert into audit_entries (action, created_at) values ('signed_out', now())`;
const refused = { code: '25006', constraint: 'books_edition' };

const configOf = (dataDir: string, databaseUrl?: string) =>
  readConfig({
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    MAIN_ADMIN_PASSWORD: mainAdminPassword,
    LOG_LEVEL: 'fatal',
  });

async function isInstalled(dataDir: string, databaseUrl?: string): Promise<void> {
  const { close } = await openInstallation(configOf(dataDir, databaseUrl), () => {});
  await close();
}

describe.skipIf(!hasPostgres())('one edition of the books on PostgreSQL', () => {
  let server: PostgresServer;
  let made = 0;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());

  async function installed(): Promise<string> {
    made += 1;
    const name = `lender_${made}`;
    await withClient(server.url, (client) => client.query(`create database ${name}`));
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    await isInstalled(temporaryDirectory(), url.href);
    return url.href;
  }

  async function opened(databaseUrl: string): Promise<Database> {
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog });
    onTestFinished(() => database.close());
    return database;
  }

  async function connected(url: string, name: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: name });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  const ways = [
    { way: 'directly', reach: async (url: string) => url },
    ...(hasPgBouncer()
      ? [
          {
            way: 'through PgBouncer',
            reach: async (url: string) => {
              const pooler = await startPgBouncer(url);
              onTestFinished(() => pooler.stop());
              return pooler.url;
            },
          },
        ]
      : []),
  ];

  it.each(ways)(
    'a server reached $way writes nothing more once the books have another',
    async ({ reach }) => {
      const url = await installed();
      const database = await opened(await reach(url));
      const dataDir = temporaryDirectory();
      const house = await startTestServer({ config: { dataDir, databaseUrl: url }, deps: { database } });
      onTestFinished(house.close);
      await house.main.createMember({ phone: '09170000001', fullName: 'Ana Reyes' });
      await withClient(url, (client) => client.query(`update drizzle.books_edition set edition = ${later}`));
      const answer = house.main.createMember({ phone: '09170000002', fullName: 'Ana Reyes' });
      await expect(answer).rejects.toThrow(/answered 503/);
      expect(await rowsOf(database, sql`select from accounts where phone = '09170000002'`)).toEqual([]);
      await expect(database.stopped).resolves.toMatch(
        /^the books are of edition \d+, and this server writes/,
      );
    },
  );

  it('an earlier version, which names none, is refused by the database, as one that accepts no writes', async () => {
    const url = await installed();
    const old = await connected(url, 'hiram');
    await expect(old.query(anEntry)).rejects.toMatchObject(refused);
    await old.query(`set hiram.edition = '${booksEdition}'`);
    await old.query(anEntry);
  });

  it('does not raise it beside a server of another', async () => {
    const url = await installed();
    const database = await opened(url);
    await database.transaction((tx) => tx.execute(editionIs(earlier)));
    const old = await connected(url, `hiram/${earlier}`);
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    await expect(holdToEdition(database, say, 100)).rejects.toThrow(
      /^The books get a new edition with this version, and 1 connection of another version of Hiram would write/,
    );
    expect(said).toEqual(['Waiting for 1 connection of another version of Hiram to end …']);
    const waiting = holdToEdition(database, say);
    await old.end();
    await waiting;
  });

  it('waits for what is being written, and refuses what comes after', async () => {
    const url = await installed();
    const database = await opened(url);
    await database.transaction((tx) => tx.execute(editionIs(earlier)));
    const old = await connected(url, 'hiram');
    await old.query(`set hiram.edition = '${earlier}'`);
    await old.query('begin');
    await old.query(anEntry);
    const order: string[] = [];
    const raising = database.transaction(async (tx) => {
      await lockBooksToRaise(tx);
      order.push('raised');
      await tx.execute(editionIs(booksEdition));
    });
    const locks = `select from pg_locks where not granted and relation = 'row_seals'::regclass or not granted and relation = 'audit_entries'::regclass`;
    await expect.poll(() => withClient(url, async (client) => (await client.query(locks)).rowCount)).toBe(1);
    order.push('written');
    await old.query('commit');
    await raising;
    expect(order).toEqual(['written', 'raised']);
    await expect(old.query(anEntry)).rejects.toMatchObject(refused);
  });

  it('a restore writes the edition that the books had at the migration of the backup', async () => {
    const database = await opened(await installed());
    await database.transaction((tx) => tx.execute(editionIs(later)));
    await database.transaction(async (tx) => {
      await writeAsStored(tx);
      await tx.execute(sql.raw(anEntry));
    });
    await expect(database.transaction((tx) => tx.execute(sql.raw(anEntry)))).rejects.toThrow(/of edition/);
  });
});

describe('one edition of the books on the embedded engine', () => {
  it('an earlier version does not start on books of a later one, and says so', {
    timeout: 30_000,
  }, async () => {
    const dataDir = temporaryDirectory();
    await prepareDataDir(dataDir);
    const database = await openDatabase({ dataDir, log: silentLog });
    await database.transaction((tx) => tx.execute(editionIs(later)));
    await database.close();
    await expect(isInstalled(dataDir)).rejects.toThrow(
      `The books are of edition ${later}, and this version of Hiram writes edition ${booksEdition}: start the newer version, or restore the backup that you made before the upgrade.`,
    );
  });
});
