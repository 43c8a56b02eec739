import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSealNotes, sealAuditLog, startSealing } from '#server/books/audit-seals.ts';
import { holdBooksToKey, keyFingerprint, readBookKeys } from '#server/books/book-key.ts';
import { consoleCommands } from '#server/books/console-commands.ts';
import { type Config, readConfig } from '#server/config.ts';
import { createDeps, type Deps } from '#server/deps.ts';
import { openInstallation } from '#server/open-database.ts';
import { Refusal } from '#server/platform/console-text.ts';
import { createLogger } from '#server/platform/logger.ts';
import { findSecretBox, withoutSecrets } from '#server/platform/secret-box.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { pastTriggers, truncateAll, withClient } from '#tests/setup/test-database.ts';
import { mainAdminPassword, passingServer, startTestServer, testServer } from '#tests/setup/test-server.ts';
import { totp } from '#tests/setup/totp.ts';
import { auditOf } from './books.ts';
import { apply, withdraw } from './lending.ts';
import { verify } from './tampering.ts';

const server = await testServer();
const { database } = server;

/** Starts as a process does with this key, or with none in a directory of its own. */
async function depsWith(secretKey: Buffer | undefined, more: Partial<Config> = {}): Promise<Deps> {
  const dataDir = fs.mkdtempSync(path.join(server.dataDir, 'other-'));
  const config = { ...server.deps.config, dataDir, ...more, ...(secretKey && { secretKey }) };
  const secrets = findSecretBox(config);
  const { deps } = await createDeps(config, { ...server.deps, config, secrets });
  return deps;
}

const anotherKey = randomBytes(32);
const keys = () => database.read((reader) => readBookKeys(reader));

/** Back to the server's own key, after another one was bound to the database. */
afterEach(() => createDeps(server.deps.config, server.deps));

const withoutTriggers = (...statements: string[]) =>
  pastTriggers(database, async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
/** Books as an earlier version left them. */
const forgetKey = () =>
  withoutTriggers(
    'delete from book_keys',
    'delete from row_seals',
    'update audit_seals set positions = null',
  );

async function command(name: 'verify' | 'key-adopt', deps: Deps, words: string[] = []) {
  const lines: string[] = [];
  const isWell = await consoleCommands[name](deps, { words, say: (line) => void lines.push(line) });
  return { isWell, lines };
}

describe('the key of the books', () => {
  it('is recorded at the first start, and later starts accept it', async () => {
    expect(await keys()).toMatchObject([{ id: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    expect(await auditOf(database, 'books_sealed')).toEqual([]);
    await holdBooksToKey(server.deps);
    expect(await keys()).toHaveLength(1);
  });

  it('is taken up when another process made it after this one looked', async () => {
    const deps = await depsWith(undefined);
    await expect(holdBooksToKey(deps)).rejects.toThrow('is not here');
    const file = 'secret.key';
    fs.copyFileSync(path.join(server.dataDir, file), path.join(deps.config.dataDir, file));
    await holdBooksToKey(deps);
    expect(keyFingerprint(deps.secrets)).toBe((await keys())[0]?.fingerprint);
  });

  it('refuses to start in one sentence with another key', async () => {
    const deps = await depsWith(anotherKey);
    const refused = holdBooksToKey(deps);
    await expect(refused).rejects.toBeInstanceOf(Refusal);
    await expect(refused).rejects.toThrow(
      /^The secret key here is not the one that these books are sealed with: put that one back into \S+secret\.key or SECRET_KEY, or go on with a new one by `npm run key:adopt`\.$/,
    );
  });

  it('refuses to start when the key is lost, and makes no new one', async () => {
    const deps = await depsWith(undefined);
    expect(deps.secrets).toBe(withoutSecrets);
    await expect(holdBooksToKey(deps)).rejects.toThrow(
      /^The secret key that these books are sealed with is not here: put it back into .+ key:adopt`\.$/,
    );
    expect(fs.readdirSync(deps.config.dataDir)).toEqual([]);
  });

  it('refuses to start when the key’s record is gone but seals remain', async () => {
    await withoutTriggers('delete from book_keys');
    await expect(holdBooksToKey(server.deps)).rejects.toThrow('the record of it is gone');
  });

  it('seals books of an earlier version once, whoever starts first, and says so', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 5_000);
    await apply(server, borrower);
    await forgetKey();
    expect((await verify(database)).last).toContain(
      'No row is sealed with a key yet: the next start does it.',
    );
    server.clock.advance({ minutes: 1 });
    await Promise.all(Array.from({ length: 4 }, () => holdBooksToKey(server.deps)));
    expect(await keys()).toHaveLength(1);
    expect(await auditOf(database, 'books_sealed')).toMatchObject([{ actorId: null, ipAddress: null }]);
    const { isWell, last } = await verify(database);
    expect(isWell).toBe(true);
    expect(last).toContain(`Rows are sealed with the key since ${server.clock.now().toISOString()}.`);
    await withoutTriggers(`update accounts set balance_centavos = 1 where id = 3`);
    expect((await verify(database)).isWell).toBe(false);
  });

  it('makes a key for books that never had one', async () => {
    await truncateAll(database);
    const deps = await depsWith(undefined);
    await holdBooksToKey(deps);
    expect(fs.existsSync(path.join(deps.config.dataDir, 'secret.key'))).toBe(true);
    await holdBooksToKey(await depsWith(undefined, { dataDir: deps.config.dataDir }));
  });

  it('is reported by verify when it is another one, or missing', async () => {
    const another = await command('verify', await depsWith(anotherKey));
    expect(another.lines[0]).toBe(
      'Wrong: book_keys 1: the key here is another one than these books are sealed with.',
    );
    const none = await command('verify', await depsWith(undefined));
    expect(none.isWell).toBe(true);
    expect(none.lines.at(-1)).toContain('The key is not here: these seals were not looked at.');
  });
});

describe('npm run key:adopt', () => {
  it('switches off second steps, which nothing can check any more', async () => {
    const { secret } = await server.main.setUpSecondStep({ password: mainAdminPassword });
    await server.main.confirmSecondStep({ code: totp(secret, server.clock.now()) });
    await sealAuditLog(server.deps);
    server.clock.advance({ minutes: 1 });
    const deps = await depsWith(anotherKey);
    const { lines } = await command('key-adopt', deps);
    expect(lines[3]).toBe('Switched off: 1 second step of staff. They have to be set up again.');
    expect((await command('verify', deps)).isWell).toBe(true);
    const next = await passingServer({ deps: { ...deps } });
    await next.visitor.signIn({ username: 'admin', password: mainAdminPassword });
  });

  it('seals the books anew, ends what the old key sealed, and says so loudly', async () => {
    const borrower = await server.registerBorrower();
    const staff = await server.signInMainAdmin();
    await server.setCode(borrower.id);
    const issued = await server.createAdmin();
    await sealAuditLog(server.deps);
    server.clock.advance({ minutes: 1 });

    const deps = await depsWith(anotherKey);
    const { isWell, lines } = await command('key-adopt', deps);
    expect(isWell).toBe(true);
    expect(lines[0]).toMatch(
      /^THE BOOKS ARE SEALED ANEW with the key that is here, instead of the one of 2026-/,
    );
    expect(lines[1]).toContain('taken as true');
    expect(lines[2]).toMatch(/^3 sessions, 1 issued password, 1 one-time code are void\./);

    await holdBooksToKey(deps);
    await expect(holdBooksToKey(server.deps)).rejects.toThrow('is not the one');
    const verified = await command('verify', deps);
    expect(verified.isWell).toBe(true);
    expect(verified.lines.at(-1)).toContain(`Sealed anew on ${server.clock.now().toISOString()}.`);
    expect(await auditOf(database, 'key_adopted')).toMatchObject([
      {
        actorId: null,
        ipAddress: null,
        before: { key: expect.stringMatching(/^[0-9a-f]{16}$/) },
        after: { sessions: 3, passwords: 1, codes: 1 },
      },
    ]);

    const next = await passingServer({ deps: { ...deps } });
    const signIn = (form: object) => next.visitor.signIn(odd(form), { address: '10.9.9.9' });
    await refused(next.as(borrower).listOwnLoans(), 401);
    await refused(next.as(staff).listMembers(), 401);
    // A password of one's own is no secret of the key's; an issued one is.
    await signIn({ phone: borrower.phone, password: 'borrower password' });
    await refused(signIn({ username: issued.email, password: issued.password }), 401);
    expect((await command('verify', deps)).isWell).toBe(true);
  });

  it('accepts earlier forgeries as true, and names later ones', async () => {
    const { id } = await server.registerBorrower();
    await withoutTriggers(`update accounts set is_admin = true where id = ${id}`);
    expect((await verify(database)).isWell).toBe(false);
    const deps = await depsWith(anotherKey);
    await command('key-adopt', deps);
    expect((await command('verify', deps)).isWell).toBe(true);
    await withoutTriggers(`update accounts set is_admin = false where id = ${id}`);
    expect((await command('verify', deps)).lines[0]).toContain(`accounts ${id}: it is not as the server`);
  });
});

describe('a seal of the day', () => {
  const logged = (write: (line: object) => void) =>
    createLogger({ level: 'info', destination: { write: (line) => write(JSON.parse(line)) } });
  const sealFile = () => path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-seals-')), 'seals');

  it('is written to the log and SEAL_FILE once a day, and verify checks the books against each', async () => {
    const file = sealFile();
    const said: object[] = [];
    const log = logged((line) => said.push(line));
    const deps = { ...server.deps, log, config: { ...server.deps.config, sealFile: file } };
    const unread = await command('verify', deps);
    expect(unread.isWell).toBe(false);
    expect(unread.lines).toEqual([
      `SEAL_FILE ${file} cannot be read (ENOENT): the books are compared with no seal kept there.`,
      expect.stringMatching(/^The books are sound: /),
    ]);
    const noteSeal = createSealNotes(deps);
    await sealAuditLog(deps);
    await noteSeal();
    await noteSeal();
    server.clock.advance({ days: 1 });
    await server.registerBorrower();
    await sealAuditLog(deps);
    await noteSeal();
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^1 [0-9a-f]{64} 2026-03-10T\S+Z$/),
      expect.stringMatching(/^2 [0-9a-f]{64} 2026-03-11T\S+Z$/),
    ]);
    expect(said).toMatchObject([{ seal: 1 }, { seal: 2, hash: lines[1]?.split(' ')[1] }]);
    expect((await command('verify', deps)).isWell).toBe(true);
    fs.appendFileSync(file, `7 ${'0'.repeat(64)} 2026-03-12T00:00:00.000Z\n`);
    expect((await command('verify', deps)).lines[0]).toBe(
      'Wrong: audit_seals 7: it was noted and is missing: these are the books of an earlier moment.',
    );
  });

  it('is one line, however often the server is started on that day', async () => {
    const file = sealFile();
    const deps = { ...server.deps, config: { ...server.deps.config, sealFile: file } };
    await sealAuditLog(deps);
    for (let starts = 0; starts < 3; starts += 1) await createSealNotes(deps)();
    expect(fs.readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
    server.clock.advance({ days: 1 });
    for (let starts = 0; starts < 3; starts += 1) await createSealNotes(deps)();
    expect(fs.readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('is written while the server seals, and a file that cannot be written does not stop it', async () => {
    const file = sealFile();
    const stop = startSealing({ ...server.deps, config: { ...server.deps.config, sealFile: file } });
    await stop();
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^1 [0-9a-f]{64} \S+\n$/);
    const warned: object[] = [];
    const log = logged((line) => warned.push(line));
    await server.registerBorrower();
    const nowhere = { ...server.deps.config, sealFile: path.join(file, 'nowhere') };
    await startSealing({ ...server.deps, log, config: nowhere })();
    expect(warned).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('not noted') }));
    expect((await verify(database)).isWell).toBe(true);
  });

  it.each([[['--seal']], [['--seal', '1']], [['--seal', 'x', 'y']], [['1', 'a'.repeat(64)]]])(
    'is typed as a number and a hash, not as %j',
    async (words) => {
      await expect(command('verify', server.deps, words)).rejects.toThrow(
        'Usage: npm run verify [-- [--continue | --daily] [--seal <number> <hash>]]',
      );
    },
  );

  it('is compared when typed in', async () => {
    await sealAuditLog(server.deps);
    const told = (await command('verify', server.deps)).lines.at(-1) ?? '';
    const [, number = '', hash = ''] = /Seal (\d+) is ([0-9a-f]{64})/.exec(told) ?? [];
    expect((await command('verify', server.deps, ['--seal', number, hash])).isWell).toBe(true);
    const another = await command('verify', server.deps, ['--seal', number, 'a'.repeat(64)]);
    expect(another.lines[0]).toBe('Wrong: audit_seals 1: it is not the one that was noted.');
  });
});

describe.skipIf(!hasPostgres())('a PostgreSQL role that owns nothing', async () => {
  const postgres = hasPostgres() ? await startPostgresServer() : undefined;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-roles-'));
  afterAll(async () => {
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  const urlOf = (user: string, name: string) => {
    const url = new URL(postgres?.url ?? '');
    url.username = user;
    url.pathname = `/${name}`;
    return url.href;
  };
  const asRole = (url: string, ...statements: string[]) =>
    withClient(url, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const configOf = (user: string, owner: string): Config =>
    readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: urlOf(user, 'lender'),
      DATABASE_OWNER_URL: urlOf(owner, 'lender'),
      MAIN_ADMIN_PASSWORD: mainAdminPassword,
      LOG_LEVEL: 'error',
    });

  it('serves everything, and can neither rewrite the books nor disable their triggers', async () => {
    await asRole(
      postgres?.url ?? '',
      'create role lender_owner login',
      'create role lender_server login',
      'create database lender owner lender_owner',
    );
    const config = configOf('lender_server', 'lender_owner');
    const { deps, close } = await openInstallation(config, () => {});
    const running = await startTestServer({
      config,
      deps: { database: deps.database, secrets: deps.secrets },
    });
    const borrower = await running.verifiedBorrower();
    await running.fund(borrower.id, 10_000);
    await withdraw(running, borrower);
    await apply(running, borrower);
    await sealAuditLog({ ...running.deps, secrets: deps.secrets });
    const verified = await command('verify', deps);
    expect(verified.lines.at(-1)).toContain('The books are sound: 2 ledger entries');
    await running.close();
    await close();

    const own = urlOf('lender_server', 'lender');
    for (const statement of [
      'drop trigger ledger_entries_append_only on ledger_entries',
      'alter table ledger_entries disable trigger all',
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
      'truncate ledger_entries, audit_entries',
      'truncate accounts cascade',
      'update ledger_entries set amount_centavos = 1',
      'delete from audit_entries',
      'delete from row_seals',
      'update book_keys set fingerprint = $$x$$',
      'set session_replication_role = replica',
      'set role lender_owner',
      'drop table audit_seals',
      `select setval('ledger_entries_id_seq', 1)`,
    ]) {
      await expect(asRole(own, statement)).rejects.toMatchObject({ code: '42501' });
    }
    // It starts again, and several processes do so at once.
    const again = await Promise.all(Array.from({ length: 3 }, () => openInstallation(config, () => {})));
    await Promise.all(again.map((one) => one.close()));
  });

  it('is asked for: one that may do anything is refused with a sentence', async () => {
    for (const user of ['postgres', 'lender_owner']) {
      await expect(openInstallation(configOf(user, 'lender_owner'), () => {})).rejects.toThrow(
        `The role ${user} of DATABASE_URL can change what it likes`,
      );
    }
  });

  it('is asked for in the same database, before another one is given tables', async () => {
    const other = { ...configOf('lender_server', 'postgres'), databaseOwnerUrl: postgres?.url };
    await expect(openInstallation(other, () => {})).rejects.toThrow(
      'DATABASE_OWNER_URL names the database "postgres", and DATABASE_URL the database "lender"',
    );
    await asRole(postgres?.url ?? '', 'create table accounts ()');
  });

  it('needs DATABASE_URL, as a replica does', () => {
    for (const name of ['DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL']) {
      expect(() => readConfig({ [name]: 'postgres://a@b/c' })).toThrow('needs DATABASE_URL');
    }
  });
});
