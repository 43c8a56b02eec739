import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { createDeps } from '#server/deps.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createDatabase } from '#server/platform/database/transactions.ts';
import { sha256Of } from '#server/platform/lines-file.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { Refusal } from '#server/refusal.ts';
import { sealAuditLog } from '#server/services/audit-seal-service.ts';
import { backUp } from '#server/services/backup-service.ts';
import { restore } from '#server/services/restore-service.ts';
import { openEmptyEngine, openTestDatabase } from '#tests/setup/test-database.ts';
import { mainAdminPassword, startTestServer, testServer } from '#tests/setup/test-server.ts';
import { apply } from './lending.ts';
import { tamper, verify } from './tampering.ts';

const server = await testServer();
const migrations = path.resolve('server/store/migrations');
const silent = () => {};

/** A folder for each test, and what else was opened in it. */
let home: string;
let opened: Database[];
beforeEach(() => {
  home = fs.mkdtempSync(path.join(server.dataDir, 'backup-'));
  opened = [];
});
afterEach(async () => {
  for (const database of opened) await database.close();
});

const folderOf = (name: string) => path.join(home, name);

async function keep(database: Promise<Database>): Promise<Database> {
  opened.push(await database);
  return database;
}

/** An empty database of the run's own engine, and an embedded one without any table. */
const sameEngine = () => keep(openTestDatabase());
const embeddedEngine = () => keep(openEmptyEngine().then((engine) => createDatabase(engine, async () => {})));

async function depsFor(database: Database, dataDir: string) {
  const config = { ...server.deps.config, dataDir };
  return (await createDeps(config, { database, secrets: withoutSecrets, clock: server.clock })).deps;
}

/** A borrower with documents, money, a waiting withdrawal, a loan and an issued code; everything sealed. */
async function keepBooks() {
  const borrower = await server.verifiedBorrower({ fullName: 'Ñusta “Ana”\u2028\tO’Reilly \\ 😀' });
  await server.fund(borrower.id, 10_000);
  const otp = await server.setCode(borrower.id);
  await server.succeed(api.requestWithdrawal, {
    token: borrower.token,
    headers: { 'idempotency-key': 'key-1' },
    body: { amount: 2_500, bankName: 'Bank X', bankAccountNumber: '9900990099', otp },
  });
  await apply(server, borrower);
  await server.setCode(borrower.id, '654321');
  await sealAuditLog(server.deps);
  return borrower;
}

const backUpTo = (folder: string, deps = server.deps, withKey = false) =>
  backUp(deps, { folder, withKey, migrations }, silent);

const manifestOf = (folder: string) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'));

/** Writes lines over a table's file and makes the manifest say so: a backup that is whole, and wrong. */
function rewriteTable(folder: string, name: string, change: (line: string) => string): void {
  const file = path.join(folder, 'tables', `${name}.ndjson`);
  const text = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => (line === '' ? '' : change(line)))
    .join('\n');
  fs.writeFileSync(file, text);
  const manifest = manifestOf(folder);
  for (const table of manifest.tables) if (table.name === name) table.sha256 = sha256Of(Buffer.from(text));
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
}

/** What came after the migration `append_only`. */
const newerColumns: Record<string, string[]> = {
  accounts: ['deletion_requested_at', 'erased_at', 'code_requested_at'],
  loans: ['released_at', 'released_centavos'],
  loan_terms: ['id'],
  audit_seals: ['positions'],
};
const newerSequences = ['consents_id_seq', 'loan_terms_id_seq', 'row_seals_id_seq', 'book_keys_id_seq'];

type BackedUpTable = { name: string; columns: { name: string }[] };

/** Makes a backup look like one of a time when these tables and columns were not there yet. */
function takeAway(
  folder: string,
  { tables: gone, columnsOf }: { tables: string[]; columnsOf: Record<string, string[]> },
): void {
  const isOld = (table: string, column: { name: string }) => !columnsOf[table]?.includes(column.name);
  const { tables }: { tables: BackedUpTable[] } = manifestOf(folder);
  for (const { name, columns } of tables.filter((table) => table.name in columnsOf)) {
    const isKept = columns.map((column) => isOld(name, column));
    rewriteTable(folder, name, (line) => {
      const kept = JSON.parse(line).filter((_: unknown, index: number) => isKept[index]);
      // As PostgreSQL writes an array.
      return `[${kept.map((value: unknown) => JSON.stringify(value)).join(', ')}]`;
    });
  }
  const manifest = manifestOf(folder);
  for (const name of gone) fs.rmSync(path.join(folder, 'tables', `${name}.ndjson`));
  const older = {
    ...manifest,
    tables: manifest.tables
      .filter(({ name }: BackedUpTable) => !gone.includes(name))
      .map((table: BackedUpTable) => ({
        ...table,
        columns: table.columns.filter((column) => isOld(table.name, column)),
      })),
    sequences: manifest.sequences.filter(({ name }: { name: string }) => !newerSequences.includes(name)),
  };
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(older));
}

describe('a backup', () => {
  it('comes back row by row on either engine, and once more from there', async () => {
    await keepBooks();
    const first = folderOf('first');
    const { rows, documents, lostDocuments } = await backUpTo(first);
    expect(rows).toBeGreaterThan(20);
    expect({ documents, lostDocuments }).toEqual({ documents: 3, lostDocuments: [] });

    const embedded = await embeddedEngine();
    const restored = await restore(
      await depsFor(embedded, folderOf('embedded')),
      { folder: first, migrations },
      silent,
    );
    expect(restored).toMatchObject({ rows, documents });
    expect((await verify(embedded)).last).toContain('The books are sound: 2 ledger entries');

    const second = folderOf('second');
    await backUpTo(second, await depsFor(embedded, folderOf('embedded')));
    const back = await sameEngine();
    await restore(await depsFor(back, folderOf('back')), { folder: second, migrations }, silent);
    const third = folderOf('third');
    await backUpTo(third, await depsFor(back, folderOf('back')));

    for (const folder of [second, third]) {
      const { tables, sequences, documents: list, newestSeal } = manifestOf(folder);
      const source = manifestOf(first);
      expect({ tables, sequences, list, newestSeal }).toEqual({
        tables: source.tables,
        sequences: source.sequences,
        list: source.documents,
        newestSeal: source.newestSeal,
      });
    }
  });

  it('is a house that goes on where the first one stopped', async () => {
    const borrower = await keepBooks();
    await server.registerBorrower();
    const folder = folderOf('whole');
    await backUpTo(folder, server.deps, true);
    const dataDir = folderOf('data');
    const database = await sameEngine();
    const restored = await restore(await depsFor(database, dataDir), { folder, migrations }, silent);
    expect(restored.isKeyRight).toBe(true);

    const next = await startTestServer({ config: { dataDir }, deps: { database } });
    const token = await next.signIn({ phone: borrower.phone, password: borrower.password });
    const profile = await next.succeed(api.readProfile, { token });
    const [, id = ''] = /files\/([\w-]+)/.exec(profile.body.idFrontUrl ?? '') ?? [];
    expect((await next.call(api.readFile, { token, params: { id } })).status).toBe(200);
    // What was sealed with the key is opened with it.
    const admin = await next.signIn({ username: 'admin', password: mainAdminPassword });
    const member = await next.succeed(api.readMember, { token: admin, params: { id: borrower.id } });
    expect(member.body.otpCode).toBe('654321');
    // The same key gives the same answer; new rows get new numbers.
    const { bankName, bankAccountNumber } = { bankName: 'Bank X', bankAccountNumber: '9900990099' };
    const body = { amount: 2_500, bankName, bankAccountNumber, otp: '123456' };
    const replay = await next.succeed(api.requestWithdrawal, {
      token,
      headers: { 'idempotency-key': 'key-1' },
      body,
    });
    expect(replay.body.amount).toBe('2500.00');
    const newcomer = await next.registerBorrower({ phone: '09980001122' });
    expect(newcomer.id).toBe(borrower.id + 2);
    const loan = await apply(next, { ...borrower, token });
    expect(loan.loanNumber).toMatch(/000002$/);
    await sealAuditLog(next.deps);
    const { last } = await verify(database);
    expect(last).toContain('The books are sound: 2 ledger entries');
    expect(last).toContain('0 not sealed yet. Seal 2');
    await next.app.close();
  });

  it('holds the secret key only when asked for it', async () => {
    await backUpTo(folderOf('without'));
    await backUpTo(folderOf('with'), server.deps, true);
    expect(fs.existsSync(path.join(folderOf('without'), 'secret.key'))).toBe(false);
    const key = path.join(folderOf('with'), 'secret.key');
    expect(fs.readFileSync(key)).toEqual(fs.readFileSync(path.join(server.dataDir, 'secret.key')));
    expect(fs.statSync(key).mode & 0o077).toBe(0);

    const database = await sameEngine();
    const dataDir = folderOf('data');
    const restored = await restore(
      await depsFor(database, dataDir),
      { folder: folderOf('without'), migrations },
      silent,
    );
    expect(restored.isKeyRight).toBe(false);
    expect(fs.existsSync(path.join(dataDir, 'secret.key'))).toBe(false);
  });

  it('needs a folder of its own', async () => {
    fs.mkdirSync(folderOf('taken'));
    fs.writeFileSync(path.join(folderOf('taken'), 'x'), '');
    await expect(backUpTo(folderOf('taken'))).rejects.toThrow('is not empty');
    await expect(backUpTo(path.join(folderOf('taken'), 'x', 'y'))).rejects.toThrow('cannot be used');
  });

  it('names the documents in use that are lost, and has the rest', async () => {
    const borrower = await keepBooks();
    const unused = await server.upload(borrower.token);
    const { rows } = await server.database.read((reader) =>
      reader.execute<{ id: string }>(
        sql`select id_front_file_id as id from accounts where id = ${borrower.id}`,
      ),
    );
    const lost = rows[0]?.id ?? '';
    await server.deps.files.remove(lost);
    await server.deps.files.remove(unused.id);
    const { documents, lostDocuments } = await backUpTo(folderOf('most'));
    expect({ documents, lostDocuments }).toEqual({ documents: 2, lostDocuments: [lost] });
    const restored = await restore(
      await depsFor(await sameEngine(), folderOf('data')),
      { folder: folderOf('most'), migrations },
      silent,
    );
    expect(restored.documents).toBe(2);
  });
});

describe('a restore', () => {
  let folder: string;
  beforeEach(async () => {
    await keepBooks();
    folder = folderOf('whole');
    await backUpTo(folder);
  });

  async function attempt(database: Database, from = folder) {
    return restore(await depsFor(database, folderOf('data')), { folder: from, migrations }, silent);
  }

  const countAccounts = async (database: Database) => {
    const { rows } = await database.read((reader) =>
      reader.execute<{ n: number }>(sql`select count(*)::int as n from accounts`),
    );
    return rows[0]?.n;
  };

  it('refuses a database that is not empty', async () => {
    await expect(attempt(server.database)).rejects.toThrow(/^The database is not empty: there are \w+ in it/);
  });

  it.each([
    ['a table', (at: string) => fs.appendFileSync(path.join(at, 'tables', 'accounts.ndjson'), '[]\n')],
    ['a table that is gone', (at: string) => fs.rmSync(path.join(at, 'tables', 'loans.ndjson'))],
    ['the list of documents', (at: string) => fs.writeFileSync(path.join(at, 'documents.ndjson'), '')],
    [
      'a document',
      (at: string) => {
        const documents = path.join(at, 'documents');
        const [file = ''] = fs
          .readdirSync(documents, { recursive: true, encoding: 'utf8' })
          .filter((name) => fs.statSync(path.join(documents, name)).isFile());
        fs.appendFileSync(path.join(documents, file), 'x');
      },
    ],
    ['the manifest', (at: string) => fs.writeFileSync(path.join(at, 'manifest.json'), '{"format":')],
    ['a manifest that is gone', (at: string) => fs.rmSync(path.join(at, 'manifest.json'))],
  ])('refuses a backup in which something is damaged: %s', async (_, damage) => {
    damage(folder);
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toBeInstanceOf(Refusal);
    expect(await countAccounts(database)).toBe(0);
    expect(fs.existsSync(path.join(folderOf('data'), 'files'))).toBe(false);
  });

  it('refuses a backup of a newer version', async () => {
    const manifest = { ...manifestOf(folder), migration: '9999_later' };
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    await expect(attempt(await sameEngine())).rejects.toThrow('newer version');
  });

  it('refuses to mix secret keys', async () => {
    const withKey = folderOf('with-key');
    await backUpTo(withKey, server.deps, true);
    fs.mkdirSync(folderOf('data'));
    const other = Buffer.alloc(32, 7).toString('base64');
    fs.writeFileSync(path.join(folderOf('data'), 'secret.key'), `${other}\n`);
    await expect(attempt(await sameEngine(), withKey)).rejects.toThrow('Another secret key');
  });

  it('leaves nothing when a row cannot be put back', async () => {
    rewriteTable(folder, 'ledger_entries', (line) => {
      const values = JSON.parse(line);
      return JSON.stringify([values[0], '999999', ...values.slice(2)]);
    });
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toThrow('foreign key');
    expect(await countAccounts(database)).toBe(0);
    // And can be tried again with a good one.
    const good = folderOf('good');
    await backUpTo(good);
    await attempt(database, good);
    expect((await verify(database)).isWell).toBe(true);
  });

  it('leaves nothing when a row does not come back as it was', async () => {
    rewriteTable(folder, 'withdrawals', (line) => line.replace('"Bank X"', '"Bank X" '));
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toThrow('row 1 of withdrawals is not as it is in the backup');
    expect(await countAccounts(database)).toBe(0);
  });

  it('brings back books that are not sound as they were, for verify to name', async () => {
    const wrong = folderOf('wrong');
    await tamper(server.database, sql`update accounts set balance_centavos = 1 where balance_centavos > 0`);
    await backUpTo(wrong);
    const database = await sameEngine();
    await attempt(database, wrong);
    expect((await verify(database)).wrong).toEqual([
      expect.stringContaining('its balance is 0.01, and its ledger comes to 7500.00'),
    ]);
  });

  it('brings a backup of an older version up to date', async () => {
    takeAway(folder, {
      tables: ['audit_seals', 'consents', 'known_networks', 'row_seals', 'book_keys'],
      columnsOf: newerColumns,
    });
    const older = { ...manifestOf(folder), migration: '0001_append_only', newestSeal: null };
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(older));
    const database = await embeddedEngine();
    await attempt(database);
    const { isWell, last } = await verify(database);
    expect(isWell).toBe(true);
    expect(last).toContain('0 sealed audit entries');
  });
});
