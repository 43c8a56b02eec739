import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { pastTriggers, silentLog } from '#tests/setup/test-database.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { memberEdit, registerBorrower, signInStaff, succeed } from './client.ts';
import { prepareDataDir } from './prepared-data.ts';
import { command, ownFolder, run, start } from './processes.ts';

/** The commands that look after the books. */
const own = ownFolder();

const dirOf = (name: string) => path.join(own.home, name);

const house = (name: string) => ({
  DATA_DIR: dirOf(name),
  MAIN_ADMIN_PASSWORD: mainAdminPassword,
  LOG_LEVEL: 'warn',
});

/** A borrower with ₱1,000.00 and a document. */
async function keepBooks(origin: string) {
  const { id, token } = await registerBorrower(origin);
  await succeed(origin, { path: '/api/upload', token, form: formWithFile(await photo()) });
  await succeed(origin, memberEdit(await signInStaff(origin), { id }, { balance: '1000.00' }));
  return id;
}

async function expectKept(origin: string, borrower: number) {
  const token = await signInStaff(origin);
  expect(await succeed(origin, { path: `/api/admin/users/${borrower}`, token })).toMatchObject({
    balance: '1000.00',
  });
}

it.runIf(isTorture)(
  'verify and back up through the running server, and restore into another house',
  async () => {
    const here = house('here');
    const server = await start(here);
    const borrower = await keepBooks(server.origin);
    const sound = await command(['verify'], here);
    expect(sound).toMatchObject({ code: 0, err: '' });
    expect(sound.out).toMatch(/^The books are sound: 1 ledger entry, 2 accounts/);
    const backup = await command(['backup', dirOf('copy')], here);
    expect(backup).toMatchObject({ code: 0, err: '' });
    expect(backup.out).toContain(`1 document are in ${dirOf('copy')}`);
    expect(backup.out).toContain('The secret key is not in it');
    // A command that cannot be done says so in one line, by the running server too.
    const again = await command(['backup', dirOf('copy')], here);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toBe(`${dirOf('copy')} is not empty: a backup needs a folder of its own.\n`);
    expect(await command(['backup'], here)).toMatchObject({
      code: 1,
      err: 'Usage: npm run backup -- <folder> [--with-key]\n',
    });
    for (const name of ['restore', 'books-import']) {
      expect((await command([name, dirOf('copy')], here)).err).toContain('is in use by process');
    }
    expect(await server.stop()).toBe(0);

    const notEmpty = await command(['restore', dirOf('copy')], here);
    expect(notEmpty).toMatchObject({ code: 1 });
    expect(notEmpty.err.trim().split('\n')).toEqual([expect.stringContaining('The database is not empty')]);

    const there = house('there');
    const unproved = await command(['restore', dirOf('copy')], there);
    expect(unproved).toMatchObject({ code: 1, out: '' });
    expect(unproved.err.trim().split('\n')).toEqual([expect.stringContaining('There is no secret key here')]);
    fs.copyFileSync(path.join(dirOf('here'), 'secret.key'), path.join(dirOf('there'), 'secret.key'));
    const restored = await command(['restore', dirOf('copy')], there);
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
    await expectKept(next.origin, borrower);
    expect(await next.stop()).toBe(0);
  },
);

it.runIf(isTorture)(
  'verify names what is wrong and ends with 1, and finds no database where there is none',
  async () => {
    const here = house('here');
    const server = await start(here);
    const borrower = await keepBooks(server.origin);
    expect(await server.stop()).toBe(0);
    const database = await openDatabase({ dataDir: dirOf('here'), log: silentLog });
    await pastTriggers(database, async (tx) => {
      await tx.execute(sql`update ledger_entries set amount_centavos = amount_centavos + 1`);
      await tx.execute(sql`delete from audit_entries where id = (select max(id) from audit_entries)`);
    });
    await database.close();
    const stopped = await command(['verify'], here);
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
    expect((await command(['verify'], here)).code).toBe(1);
    expect(await next.stop()).toBe(0);

    for (const name of ['verify', 'admin-reset', 'admin-clear-ips']) {
      const nowhere = await command([name], house('nowhere'));
      expect(nowhere).toMatchObject({ code: 1, out: '' });
      expect(nowhere.err).toBe(`There is no database in ${dirOf('nowhere')}. DATA_DIR says where it is.\n`);
    }
    expect(fs.existsSync(dirOf('nowhere'))).toBe(false);
  },
);

it('take over a book whole: killed in the middle it has changed nothing', async () => {
  const here = house('here');
  await prepareDataDir(here.DATA_DIR);
  const folder = dirOf('book');
  fs.cpSync('docs/import', folder, { recursive: true });
  const count = 2_000;
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
  const sound = await command(['verify'], here);
  expect(sound.out).toMatch(/^The books are sound: 0 ledger entries, 1 account,/);

  const taken = await command(['books-import', folder, '--apply'], here);
  expect(taken).toMatchObject({ code: 0, err: '' });
  expect(taken.out).toContain(`] 2,009 of 2,009 rows …\nAll of it is taken over (`);
  // Nobody it is about is named on the way.
  expect(taken.out).not.toMatch(/Sample|0900/);
});

it.runIf(isTorture && hasPostgres())('move the embedded database to PostgreSQL', async () => {
  const here = house('here');
  const server = await start(here);
  const borrower = await keepBooks(server.origin);
  const postgres = await startPostgresServer();
  onTestFinished(postgres.stop);
  const onPostgres = { ...here, DATABASE_URL: postgres.url };
  // While the server runs, and once it has stopped, although the settings name PostgreSQL already.
  const owned = { ...onPostgres, DATABASE_OWNER_URL: postgres.url, DATABASE_REPLICA_URL: postgres.url };
  expect(await command(['db-export', dirOf('running')], owned)).toMatchObject({ code: 0, err: '' });
  expect(await server.stop()).toBe(0);
  expect(await command(['db-export', dirOf('copy')], owned)).toMatchObject({ code: 0, err: '' });
  expect((await command(['db-import', dirOf('copy')], here)).err).toContain('DATABASE_URL must name');
  const imported = await command(['db-import', dirOf('copy')], onPostgres);
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(imported.out).toContain('every row is as in the backup');
  // The key is in the same DATA_DIR.
  expect(imported.out).not.toContain('WITHOUT THE KEY');
  const next = await start(onPostgres);
  await expectKept(next.origin, borrower);
  const verified = await command(['verify'], onPostgres);
  expect(verified.out).toContain('The books are sound: 1 ledger entry');
  expect(await next.stop()).toBe(0);
});
