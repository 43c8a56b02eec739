import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { backUp, restore, sha256Of } from '#server/books/backup.ts';
import { readSequences, readTables } from '#server/books/backup-rows.ts';
import { adoptKey, holdBooksToKey } from '#server/books/book-key.ts';
import { verifyAndTell } from '#server/books/verify.ts';
import { createDeps } from '#server/deps.ts';
import { Refusal } from '#server/platform/console-text.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createDatabase } from '#server/platform/database/database.ts';
import {
  createSecretBox,
  fingerprintOfKey,
  readSecretKey,
  type SecretBox,
  withoutSecrets,
} from '#server/platform/secret-box.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { refused } from '#tests/setup/caller.ts';
import { openEmptyEngine, openTestDatabase, rowsOf } from '#tests/setup/test-database.ts';
import { mainAdminPassword, startTestServer, testServer } from '#tests/setup/test-server.ts';
import { apply } from './lending.ts';
import { check, tamper, verify } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });
const migrations = path.resolve('server/store/migrations');
const silent = () => {};
const asked = { migrations, withKey: false, withoutKey: false };

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
const sameEngine = () => keep(openTestDatabase(server.engine));
const embeddedEngine = () => keep(openEmptyEngine().then((engine) => createDatabase(engine, async () => {})));

const keyFile = path.join(server.dataDir, 'secret.key');

/** A house of its own, without a key unless the server's is put there. */
async function depsFor(database: Database, dataDir: string, { hasKey = true } = {}) {
  fs.mkdirSync(dataDir, { recursive: true });
  if (hasKey) fs.copyFileSync(keyFile, path.join(dataDir, 'secret.key'));
  const config = { ...server.deps.config, dataDir };
  return (await createDeps(config, { database, secrets: withoutSecrets, clock: server.clock })).deps;
}

/** A borrower with documents, money, a waiting withdrawal, a loan and an issued code; everything sealed. */
async function keepBooks() {
  const borrower = await server.verifiedBorrower({ fullName: 'Ñusta “Ana”\u2028\tO’Reilly \\ 😀' });
  await server.fund(borrower.id, 10_000);
  const otp = await server.setCode(borrower.id);
  await borrower.requestWithdrawal(
    { amount: 2_500, bankName: 'Bank X', bankAccountNumber: '9900990099', otp },
    { headers: { 'idempotency-key': 'key-1' } },
  );
  await apply(server, borrower);
  await server.setCode(borrower.id, '654321');
  await sealAuditLog(server.deps);
  return borrower;
}

const backUpTo = (folder: string, deps = server.deps, withKey = false) =>
  backUp(deps, { folder, withKey, migrations }, silent);

const manifestOf = (folder: string) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'));

type AnyManifest = ReturnType<typeof manifestOf>;

/** Another manifest, as only who has the key can write it. */
function writeManifest(folder: string, { mac: _, ...rest }: AnyManifest): void {
  const box = createSecretBox(readSecretKey(keyFile) ?? Buffer.alloc(0));
  const mac = box.fingerprint(JSON.stringify(rest), 'backup manifest');
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ ...rest, mac }));
}

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
  writeManifest(folder, manifest);
}

type Named = { name: string };
type Shape = { tables: (Named & { columns: Named[] })[]; sequences: Named[] };

/** A database looks like this when this migration is its newest. */
async function shapeAfter(migration: string): Promise<Shape> {
  const older = folderOf(`until ${migration}`);
  fs.cpSync(migrations, older, { recursive: true });
  const file = path.join(older, 'meta', '_journal.json');
  const journal: { entries: { tag: string }[] } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const end = journal.entries.findIndex(({ tag }) => tag === migration) + 1;
  fs.writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  const database = await embeddedEngine();
  await migrateDatabase(database, older);
  return database.read(async (reader) => ({
    tables: await readTables(reader),
    sequences: await readSequences(reader),
  }));
}

const namesOf = (things: readonly Named[]) => new Set(things.map(({ name }) => name));

/** Makes a backup look like one of a time when tables, columns and sequences were these and no others. */
function takeBack(folder: string, shape: Shape): void {
  const sequences = namesOf(shape.sequences);
  const columnsOf = new Map(shape.tables.map(({ name, columns }) => [name, namesOf(columns)]));
  const isOld = (table: Named, column: Named) => columnsOf.get(table.name)?.has(column.name) === true;
  const { tables }: Shape = manifestOf(folder);
  for (const table of tables) {
    if (!columnsOf.has(table.name)) {
      fs.rmSync(path.join(folder, 'tables', `${table.name}.ndjson`));
      continue;
    }
    const isKept = table.columns.map((column) => isOld(table, column));
    rewriteTable(folder, table.name, (line) => {
      const kept = JSON.parse(line).filter((_: unknown, index: number) => isKept[index]);
      // PostgreSQL writes an array in this form.
      return `[${kept.map((value: unknown) => JSON.stringify(value)).join(', ')}]`;
    });
  }
  const manifest: Shape = manifestOf(folder);
  writeManifest(folder, {
    ...manifest,
    tables: manifest.tables
      .filter(({ name }) => columnsOf.has(name))
      .map((table) => ({ ...table, columns: table.columns.filter((column) => isOld(table, column)) })),
    sequences: manifest.sequences.filter(({ name }) => sequences.has(name)),
  });
}

/** Writes another manifest as somebody without the key can. */
function edit(folder: string, change: (manifest: AnyManifest) => AnyManifest): void {
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(change(manifestOf(folder))));
}

function putOtherKey(dataDir: string): void {
  fs.mkdirSync(dataDir, { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
}

function firstDocument(folder: string): string {
  const documents = path.join(folder, 'documents');
  const [file = ''] = fs
    .readdirSync(documents, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(documents, name)).isFile());
  return path.join(documents, file);
}

describe('a backup', () => {
  it('is restored row by row on either engine, and again from there', async () => {
    await keepBooks();
    expect((await check(server.deps)).isWell).toBe(true);
    const first = folderOf('first');
    const { rows, documents, lostDocuments } = await backUpTo(first);
    expect(rows).toBeGreaterThan(20);
    expect({ documents, lostDocuments }).toEqual({ documents: 3, lostDocuments: [] });

    const embedded = await embeddedEngine();
    const restored = await restore(
      await depsFor(embedded, folderOf('embedded')),
      { ...asked, folder: first },
      silent,
    );
    expect(restored).toMatchObject({ rows, documents });
    expect((await verify(embedded)).last).toContain('The books are sound: 2 ledger entries');

    const second = folderOf('second');
    await backUpTo(second, await depsFor(embedded, folderOf('embedded')));
    const back = await sameEngine();
    await restore(await depsFor(back, folderOf('back')), { ...asked, folder: second }, silent);
    const third = folderOf('third');
    await backUpTo(third, await depsFor(back, folderOf('back')));

    // The backup leaves out what lets somebody in: sessions, kept answers, and the live code of an account.
    // A restored book keeps its messages back, and has not been checked yet.
    const dropped = ['sessions', 'idempotency_keys', 'book_checks'];
    const [source, one, two] = [first, second, third].map((folder) => manifestOf(folder));
    const others = ({ tables }: AnyManifest) =>
      tables.filter(({ name }: Named) => !['accounts', 'message_gates', ...dropped].includes(name));
    expect(others(one)).toEqual(others(source));
    for (const name of dropped) {
      const rowsIn = ({ tables }: AnyManifest) => tables.find((table: Named) => table.name === name).rows;
      expect([rowsIn(source) > 0, rowsIn(one)]).toEqual([true, 0]);
    }
    expect(one).toMatchObject({
      sequences: source.sequences,
      documents: source.documents,
      newestSeal: source.newestSeal,
    });
    expect(two).toEqual(one);
  });

  it('restores an installation that goes on where the first one stopped', async () => {
    const borrower = await keepBooks();
    const created = await server.main.createMember({ phone: '09175550000', fullName: 'Ana Reyes' });
    const issued = created.user;
    const folder = folderOf('whole');
    await backUpTo(folder, server.deps, true);
    const dataDir = folderOf('data');
    const database = await sameEngine();
    const restored = await restore(
      await depsFor(database, dataDir, { hasKey: false }),
      { ...asked, folder, withKey: true },
      silent,
    );
    expect(restored.isKeyRight).toBe(true);

    const next = await startTestServer({ config: { dataDir }, deps: { database } });
    const token = await next.signIn({ phone: borrower.phone, password: borrower.password });
    const profile = await next.as(token).readProfile();
    const [, id = ''] = /files\/([\w-]+)/.exec(profile.idFrontUrl ?? '') ?? [];
    await next.as(token).readFile(id);
    // Nobody is signed in, no code is live; an issued password that was sealed with the key is opened with it.
    await refused(next.as(borrower).readProfile(), 401);
    const admin = await next.signIn({ username: 'admin', password: mainAdminPassword });
    const members = await next.as(admin).listMembers();
    expect(members.find((member) => member.id === borrower.id)).toMatchObject({
      otpCode: null,
      hasOtpCode: false,
    });
    expect(members.find((member) => member.id === issued.id)).toMatchObject({
      plainPassword: issued.plainPassword,
    });
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
  });

  it('is missed on Today once it is older than seven days, as where there is none', async () => {
    fs.rmSync(path.join(server.dataDir, 'last-backup'), { force: true });
    const isMissed = async () => {
      const { token } = await server.visitor.signIn({ username: 'admin', password: mainAdminPassword });
      return (await server.as(token).readToday()).toSetUp.includes('backup');
    };
    expect(await isMissed()).toBe(true);
    await backUpTo(folderOf('here'));
    server.clock.advance({ days: 7 });
    expect(await isMissed()).toBe(false);
    server.clock.advance({ ms: 1 });
    expect(await isMissed()).toBe(true);
  });

  it('needs a folder of its own', async () => {
    fs.mkdirSync(folderOf('taken'));
    fs.writeFileSync(path.join(folderOf('taken'), 'x'), '');
    await expect(backUpTo(folderOf('taken'))).rejects.toThrow('is not empty');
    await expect(backUpTo(path.join(folderOf('taken'), 'x', 'y'))).rejects.toThrow('cannot be used');
  });

  it('names documents that are missing, and has the rest', async () => {
    const borrower = await keepBooks();
    const unused = await server.upload(borrower.token);
    const rows = await rowsOf<{ id: string }>(
      server.database,
      sql`select id_front_file_id as id from accounts where id = ${borrower.id}`,
    );
    const lost = rows[0]?.id ?? '';
    await server.deps.files.remove(lost);
    await server.deps.files.remove(unused.id);
    const { documents, lostDocuments } = await backUpTo(folderOf('most'));
    expect({ documents, lostDocuments }).toEqual({ documents: 2, lostDocuments: [lost] });
    const restored = await restore(
      await depsFor(await sameEngine(), folderOf('data')),
      { ...asked, folder: folderOf('most') },
      silent,
    );
    expect(restored.documents).toBe(2);
  });
});

describe('a restore', () => {
  const keptBooks = server.built(keepBooks);
  const untouched = path.join(server.dataDir, 'untouched');
  let folder: string;
  beforeEach(async () => {
    await keptBooks();
    folder = folderOf('whole');
    if (!fs.existsSync(untouched)) await backUpTo(untouched);
    fs.cpSync(untouched, folder, { recursive: true });
  });

  type How = { from?: string; hasKey?: boolean; withKey?: boolean; withoutKey?: boolean };

  async function attempt(database: Database, { from = folder, hasKey = true, ...how }: How = {}) {
    const deps = await depsFor(database, folderOf('data'), { hasKey });
    const lines: string[] = [];
    const request = { ...asked, ...how, folder: from };
    return { ...(await restore(deps, request, (line) => void lines.push(line))), lines };
  }

  const countAccounts = async (database: Database) => {
    const rows = await rowsOf<{ n: number }>(database, sql`select count(*)::int as n from accounts`);
    return rows[0]?.n;
  };

  const told = async (database: Database, secrets: SecretBox) => {
    const lines: string[] = [];
    await verifyAndTell({ database, secrets }, (line) => void lines.push(line));
    return lines.at(-1);
  };

  it('refuses a database that is not empty', async () => {
    await expect(attempt(server.database)).rejects.toThrow(/^The database is not empty: there are \w+ in it/);
  });

  it.each([
    ['a table', (at: string) => fs.appendFileSync(path.join(at, 'tables', 'accounts.ndjson'), '[]\n')],
    ['a table that is gone', (at: string) => fs.rmSync(path.join(at, 'tables', 'loans.ndjson'))],
    ['the list of documents', (at: string) => fs.writeFileSync(path.join(at, 'documents.ndjson'), '')],
    ['a document', (at: string) => fs.appendFileSync(firstDocument(at), 'x')],
    ['the manifest', (at: string) => fs.writeFileSync(path.join(at, 'manifest.json'), '{"format":')],
    ['a manifest that is gone', (at: string) => fs.rmSync(path.join(at, 'manifest.json'))],
  ])('refuses a backup in which something is damaged: %s', async (_, damage) => {
    damage(folder);
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toBeInstanceOf(Refusal);
    expect(await countAccounts(database)).toBe(0);
    expect(fs.existsSync(path.join(folderOf('data'), 'files'))).toBe(false);
  });

  it('says why its manifest cannot be read', async () => {
    fs.rmSync(path.join(folder, 'manifest.json'));
    await expect(attempt(await sameEngine())).rejects.toThrow('no manifest.json that can be read (ENOENT)');
  });

  it.each([
    [
      'a balance, with the hashes that belong to it',
      (at: string) => {
        const mac = manifestOf(at).mac;
        rewriteTable(at, 'accounts', (line) => line.replace('"750000"', '"99750000"'));
        fs.writeFileSync(path.join(at, 'manifest.json'), JSON.stringify({ ...manifestOf(at), mac }));
      },
    ],
    ['the sequences', (at: string) => edit(at, (manifest) => ({ ...manifest, sequences: [] }))],
    ['the proof itself, taken out', (at: string) => edit(at, ({ mac: _, ...rest }) => rest)],
    ['the fingerprint of the key', (at: string) => edit(at, (m) => ({ ...m, keyFingerprint: null }))],
  ])('refuses a backup that was edited: %s', async (_, forge) => {
    forge(folder);
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toThrow(/edited|Another secret key/);
    expect(await countAccounts(database)).toBe(0);
  });

  it('refuses one that was edited and brings a key that proves the edit', async () => {
    const forged = randomBytes(32);
    const { mac: _, ...rest } = { ...manifestOf(folder), keyFingerprint: fingerprintOfKey(forged) };
    const mac = createSecretBox(forged).fingerprint(JSON.stringify(rest), 'backup manifest');
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ ...rest, mac }));
    fs.writeFileSync(path.join(folder, 'secret.key'), forged.toString('base64'));
    const database = await sameEngine();
    await expect(attempt(database, { hasKey: false })).rejects.toThrow('There is no secret key here');
    await expect(attempt(database, { withKey: true })).rejects.toThrow('Another secret key');
    expect(await countAccounts(database)).toBe(0);
  });

  it('needs the key, or says loudly that nothing proves the backup', async () => {
    const database = await sameEngine();
    await expect(attempt(database, { hasKey: false })).rejects.toThrow('There is no secret key here');
    putOtherKey(folderOf('data'));
    await expect(attempt(database, { hasKey: false })).rejects.toThrow('Another secret key is in use here');
    fs.rmSync(path.join(folderOf('data'), 'secret.key'));
    const { isKeyRight, lines } = await attempt(database, { hasKey: false, withoutKey: true });
    expect(isKeyRight).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^WITHOUT THE KEY nothing proves this backup/)]);
    expect(fs.existsSync(path.join(folderOf('data'), 'secret.key'))).toBe(false);
  });

  it('leaves books that the same key finds sound and another key has to adopt', async () => {
    const same = await sameEngine();
    const deps = await depsFor(same, folderOf('data'));
    await restore(deps, { ...asked, folder }, silent);
    const { secrets } = server.deps;
    await holdBooksToKey({ ...deps, secrets });
    expect(await told(same, secrets)).toContain('The books are sound: 2 ledger entries');

    const other = await sameEngine();
    const lost = await depsFor(other, folderOf('lost'), { hasKey: false });
    await restore(lost, { ...asked, folder, withoutKey: true }, silent);
    await expect(holdBooksToKey(lost)).rejects.toThrow('npm run key:adopt');
    expect(await adoptKey(lost)).toMatchObject({ sessions: 0, codes: 0 });
    await holdBooksToKey(lost);
    expect(await told(other, lost.secrets)).toContain('The books are sound: 2 ledger entries');
    expect(await told(other, secrets)).toContain('not sound');
  });

  const places = [
    ['the manifest', (at: string) => path.join(at, 'manifest.json')],
    ['a table', (at: string) => path.join(at, 'tables', 'accounts.ndjson')],
    ['a document', (at: string) => firstDocument(at)],
    ['the key', (at: string) => path.join(at, 'secret.key')],
  ] as const;

  it.each(places)(
    'waits for nothing and follows no link: %s',
    async (_, placeIn) => {
      const database = await sameEngine();
      const file = placeIn(folder);
      fs.rmSync(file, { force: true });
      execFileSync('mkfifo', [file]);
      await expect(attempt(database, { withKey: true })).rejects.toBeInstanceOf(Refusal);
      fs.rmSync(file);
      fs.symlinkSync('/dev/zero', file);
      await expect(attempt(database, { withKey: true })).rejects.toBeInstanceOf(Refusal);
    },
    10_000,
  );

  it('follows no link to a folder, and reads no line without end', async () => {
    const database = await sameEngine();
    const tables = path.join(folder, 'tables');
    fs.renameSync(tables, folderOf('elsewhere'));
    fs.symlinkSync(folderOf('elsewhere'), tables);
    await expect(attempt(database)).rejects.toThrow('is not as it was written');
    fs.rmSync(tables);
    fs.renameSync(folderOf('elsewhere'), tables);
    fs.truncateSync(path.join(tables, 'accounts.ndjson'), 8 * 1024 ** 3);
    await expect(attempt(database)).rejects.toThrow('is not as it was written');
    fs.truncateSync(path.join(folder, 'manifest.json'), 8 * 1024 ** 3);
    await expect(attempt(database)).rejects.toThrow('no manifest.json that can be read');
  });

  it('refuses a backup of a newer version', async () => {
    writeManifest(folder, { ...manifestOf(folder), migration: '9999_later' });
    await expect(attempt(await sameEngine())).rejects.toThrow('newer version');
  });

  it('refuses to mix secret keys', async () => {
    const withKey = folderOf('with-key');
    await backUpTo(withKey, server.deps, true);
    putOtherKey(folderOf('data'));
    const database = await sameEngine();
    const mixed = attempt(database, { from: withKey, hasKey: false, withKey: true });
    await expect(mixed).rejects.toThrow('Another secret key');
  });

  it('leaves nothing behind when a row cannot be restored', async () => {
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
    await attempt(database, { from: good });
    expect((await verify(database)).isWell).toBe(true);
  });

  it('leaves nothing behind when a row comes back different', async () => {
    rewriteTable(folder, 'withdrawals', (line) => line.replace('"Bank X"', '"Bank X" '));
    const database = await sameEngine();
    await expect(attempt(database)).rejects.toThrow('row 1 of withdrawals is not as it is in the backup');
    expect(await countAccounts(database)).toBe(0);
  });

  it('restores unsound books as they were, for verify to name', async () => {
    const wrong = folderOf('wrong');
    await tamper(server.database, sql`update accounts set balance_centavos = 1 where balance_centavos > 0`);
    await backUpTo(wrong);
    const database = await sameEngine();
    await attempt(database, { from: wrong });
    expect((await verify(database)).wrong).toEqual([
      expect.stringContaining('its balance is 0.01, and its ledger comes to 7500.00'),
    ]);
  });

  it('migrates a backup of an older version', async () => {
    takeBack(folder, await shapeAfter('0001_append_only'));
    const older = { ...manifestOf(folder), migration: '0001_append_only', newestSeal: null };
    const { mac: _, ...withoutMac } = older;
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(withoutMac));
    const database = await embeddedEngine();
    await expect(attempt(database)).rejects.toThrow('it is from an older version');
    const { isKeyRight, lines } = await attempt(database, { withoutKey: true });
    expect([isKeyRight, lines]).toEqual([true, [expect.stringContaining('WITHOUT THE KEY')]]);
    const { isWell, last } = await verify(database);
    expect(isWell).toBe(true);
    expect(last).toContain('0 sealed audit entries');
  });
});
