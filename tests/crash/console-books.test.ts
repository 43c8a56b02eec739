import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { shortLived } from '#tests/setup/built-server.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { silentLog } from '#tests/setup/test-database.ts';
import { prepareDataDir } from './prepared-data.ts';

/** The commands that look after the books, as processes: the build's, or else from their sources. */
const { TEST_BUILD_DIR: buildDir } = process.env;

const argumentsFor = (name: string) =>
  buildDir
    ? [path.join(buildDir, 'server', `${path.basename(name)}.js`)]
    : ['--import', 'tsx', `server/${name}.ts`];

const password = 'a password for tests only';
const running = new Set<ChildProcess>();
let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-books-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  fs.rmSync(home, { recursive: true, force: true });
});

const dirOf = (name: string) => path.join(home, name);

function run(name: string, words: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [...shortLived, ...argumentsFor(name), ...words], {
    env: { PATH: process.env.PATH, PORT: '0', MAIN_ADMIN_PASSWORD: password, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    said.out += data;
  });
  child.stderr.on('data', (data) => {
    said.err += data;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
}

/** Runs a command to its end. */
async function done(name: string, words: string[], env: Record<string, string>) {
  const { said, ended } = run('books/console', [name, ...words], env);
  return { code: await ended, ...said };
}

async function start(env: { DATA_DIR: string } & Record<string, string>) {
  if (env.DATABASE_URL === undefined) await prepareDataDir(env.DATA_DIR);
  const server = run('main', [], env);
  const origin = await new Promise<string>((resolve, reject) => {
    server.child.stdout?.on('data', () => {
      const found = /Hiram listens on (http:\S+)/.exec(server.said.out)?.[1];
      if (found) resolve(found);
    });
    void server.ended.then((code) => reject(new Error(`ended with ${code}: ${server.said.err}`)));
  });
  const stop = async () => {
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  };
  return { origin, stop, child: server.child };
}

async function ask<Answer>(url: string, token: string, init: { method?: string; body?: unknown } = {}) {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  const body = init.body === undefined ? {} : { body: JSON.stringify(init.body) };
  const response = await fetch(url, { method: init.method ?? 'GET', headers, ...body });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Answer;
}

const signIn = async (origin: string) => {
  const body = { username: 'admin', password };
  return (await ask<{ token: string }>(`${origin}/api/auth/login`, '', { method: 'POST', body })).token;
};

/** A borrower with ₱1,000.00 and a document. */
async function keepBooks(origin: string) {
  const form = { phone: '09171234567', password: 'borrower password', fullName: 'Maria Santos' };
  const register = { method: 'POST', body: form };
  const borrower = await ask<{ token: string; user: { id: number } }>(
    `${origin}/api/auth/register`,
    '',
    register,
  );
  const { payload, headers } = formWithFile(await photo());
  const upload = await fetch(`${origin}/api/upload`, {
    method: 'POST',
    body: new Uint8Array(payload),
    headers: { ...headers, authorization: `Bearer ${borrower.token}` },
  });
  expect(upload.status).toBe(201);
  const token = await signIn(origin);
  const edit = { method: 'PUT', body: { balance: '1000.00' } };
  await ask(`${origin}/api/admin/users/${borrower.user.id}`, token, edit);
  return borrower.user.id;
}

it('verify and back up through the running server, and restore into another house', async () => {
  const here = { DATA_DIR: dirOf('here') };
  const server = await start(here);
  const borrower = await keepBooks(server.origin);
  const sound = await done('verify', [], here);
  expect(sound).toMatchObject({ code: 0, err: '' });
  expect(sound.out).toMatch(/^The books are sound: 1 ledger entry, 2 accounts/);
  const backup = await done('backup', [dirOf('copy')], here);
  expect(backup).toMatchObject({ code: 0, err: '' });
  expect(backup.out).toContain(`1 document are in ${dirOf('copy')}`);
  expect(backup.out).toContain('The secret key is not in it');
  // What cannot be done is said in one line, by the running server too.
  const again = await done('backup', [dirOf('copy')], here);
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toBe(`${dirOf('copy')} is not empty: a backup needs a folder of its own.\n`);
  expect(await done('backup', [], here)).toMatchObject({
    code: 1,
    err: 'Usage: npm run backup -- <folder> [--with-key]\n',
  });
  for (const command of ['restore', 'books-import']) {
    expect((await done(command, [dirOf('copy')], here)).err).toContain('is in use by process');
  }
  await server.stop();

  const notEmpty = await done('restore', [dirOf('copy')], here);
  expect(notEmpty).toMatchObject({ code: 1 });
  expect(notEmpty.err.trim().split('\n')).toEqual([expect.stringContaining('The database is not empty')]);

  const there = { DATA_DIR: dirOf('there') };
  const unproved = await done('restore', [dirOf('copy')], there);
  expect(unproved).toMatchObject({ code: 1, out: '' });
  expect(unproved.err.trim().split('\n')).toEqual([expect.stringContaining('There is no secret key here')]);
  fs.copyFileSync(path.join(dirOf('here'), 'secret.key'), path.join(dirOf('there'), 'secret.key'));
  const restored = await done('restore', [dirOf('copy')], there);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain('every row is as in the backup');
  expect(restored.out).not.toContain('WITHOUT THE KEY');
  expect(restored.out).toContain('The books are sound: 1 ledger entry, 2 accounts');
  // Restored with its key, and then lost: the books know which one they need.
  fs.rmSync(path.join(dirOf('there'), 'secret.key'));
  const refused = run('main', [], there);
  expect(await refused.ended).toBe(1);
  expect(refused.said.err).toMatch(
    /^Hiram cannot start: The secret key .+ is not here: put it back into .+\n$/,
  );
  expect(fs.existsSync(path.join(dirOf('there'), 'secret.key'))).toBe(false);
  fs.copyFileSync(path.join(dirOf('here'), 'secret.key'), path.join(dirOf('there'), 'secret.key'));
  const next = await start(there);
  const token = await signIn(next.origin);
  const member = await ask<{ balance: string }>(`${next.origin}/api/admin/users/${borrower}`, token);
  expect(member.balance).toBe('1000.00');
  await next.stop();
});

it('verify names what is wrong and ends with 1, and finds no database where there is none', async () => {
  const here = { DATA_DIR: dirOf('here') };
  const server = await start(here);
  const borrower = await keepBooks(server.origin);
  await server.stop();
  const database = await openDatabase({ dataDir: dirOf('here'), log: silentLog });
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update ledger_entries set amount_centavos = amount_centavos + 1`);
    await tx.execute(sql`delete from audit_entries where id = (select max(id) from audit_entries)`);
  });
  await database.close();
  const stopped = await done('verify', [], here);
  expect(stopped).toMatchObject({ code: 1, err: '' });
  // The server had sealed its log when it stopped.
  expect(stopped.out.split('\n')).toEqual([
    expect.stringMatching(
      new RegExp(`^Wrong: ledger_entries 1, account ${borrower}: its values do not match its hash\\.$`),
    ),
    expect.stringMatching(/^Wrong: audit_entries \d+: it was sealed and is missing \(seal \d+\)\.$/),
    expect.stringContaining('The books are not sound: 2 rows are wrong.'),
    '',
  ]);
  const next = await start(here);
  expect((await done('verify', [], here)).code).toBe(1);
  await next.stop();

  for (const command of ['verify', 'admin-reset', 'admin-clear-ips']) {
    const nowhere = await done(command, [], { DATA_DIR: dirOf('nowhere') });
    expect(nowhere).toMatchObject({ code: 1, out: '' });
    expect(nowhere.err).toBe(`There is no database in ${dirOf('nowhere')}. DATA_DIR says where it is.\n`);
  }
  expect(fs.existsSync(dirOf('nowhere'))).toBe(false);
});

it('take over a book whole: killed in the middle it has changed nothing', async () => {
  const here = { DATA_DIR: dirOf('here') };
  await prepareDataDir(here.DATA_DIR);
  const folder = dirOf('book');
  fs.cpSync('docs/import', folder, { recursive: true });
  const count = 6_000;
  const more = Array.from({ length: count }, (_, index) => {
    return `M-${index},Sample Member,0900${1_000_000 + index},,,,,,,,\n`;
  });
  fs.appendFileSync(path.join(folder, 'members.csv'), more.join(''));
  const killed = run('books/console', ['books-import', folder, '--apply'], here);
  await new Promise<void>((resolve) => {
    killed.child.stdout?.on('data', () => killed.said.out.includes('] 1,000 of ') && resolve());
    void killed.ended.then(() => resolve());
  });
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(killed.child.signalCode).toBe('SIGKILL');
  const sound = await done('verify', [], here);
  expect(sound.out).toMatch(/^The books are sound: 0 ledger entries, 1 account,/);

  const taken = await done('books-import', [folder, '--apply'], here);
  expect(taken).toMatchObject({ code: 0, err: '' });
  expect(taken.out).toContain(`] 6,009 of 6,009 rows …\nAll of it is taken over (`);
  // Nobody it is about is named on the way.
  expect(taken.out).not.toMatch(/Sample|0900/);
});

it.skipIf(!hasPostgres())('move the embedded database to PostgreSQL', async () => {
  const here = { DATA_DIR: dirOf('here') };
  const server = await start(here);
  const borrower = await keepBooks(server.origin);
  const postgres = await startPostgresServer();
  try {
    const onPostgres = { ...here, DATABASE_URL: postgres.url };
    // While the server runs, and although the settings name PostgreSQL already.
    const exported = await done('db-export', [dirOf('copy')], onPostgres);
    expect(exported).toMatchObject({ code: 0, err: '' });
    await server.stop();
    expect((await done('db-import', [dirOf('copy')], here)).err).toContain('DATABASE_URL must name');
    const imported = await done('db-import', [dirOf('copy')], onPostgres);
    expect(imported).toMatchObject({ code: 0, err: '' });
    expect(imported.out).toContain('every row is as in the backup');
    // The key lies in the same DATA_DIR.
    expect(imported.out).not.toContain('WITHOUT THE KEY');
    const next = await start(onPostgres);
    const member = await ask<{ balance: string }>(
      `${next.origin}/api/admin/users/${borrower}`,
      await signIn(next.origin),
    );
    expect(member.balance).toBe('1000.00');
    const verified = await done('verify', [], onPostgres);
    expect(verified.out).toContain('The books are sound: 1 ledger entry');
    await next.stop();
  } finally {
    await postgres.stop();
  }
});
