import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { soon } from '#tests/setup/browser.ts';
import { startPostgresServer, unprivilegedUser } from '#tests/setup/postgres-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { memberEdit, registerBorrower, signInStaff, succeed } from './client.ts';
import { command, ownFolder, start } from './processes.ts';

const own = ownFolder();
const program = '/usr/bin/pgbackrest';

/** `deploy/pgbackrest/pgbackrest.conf`, with its places in one folder. */
function repositoryIn(home: string) {
  const file = path.join(home, 'pgbackrest.conf');
  const user = unprivilegedUser();
  fs.chmodSync(home, 0o755);
  const folders = ['repository', 'log', 'lock', 'spool'].map((name) => path.join(home, name));
  for (const folder of folders) {
    fs.mkdirSync(folder);
    if (user) fs.chownSync(folder, user.uid, user.gid);
  }
  const [repository, log, lock, spool] = folders;
  const run = (...words: string[]) =>
    execFileSync(program, [`--config=${file}`, '--stanza=hiram', ...words], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    });
  return {
    command: `${program} --config=${file}`,
    /** Once the place of the server that it keeps is known. */
    keep(postgres: { url: string; data: string }) {
      const told = fs
        .readFileSync('deploy/pgbackrest/pgbackrest.conf', 'utf8')
        .replace(/^repo1-path=.*$/m, `repo1-path=${repository}`)
        .replace('CHANGE_ME', 'a passphrase for tests only')
        .replace('[global]', `[global]\nlog-path=${log}\nlock-path=${lock}\nspool-path=${spool}`)
        .replace(
          /^pg1-path=.*$/m,
          `pg1-path=${postgres.data}\npg1-socket-path=${path.dirname(postgres.data)}`,
        )
        .replace(/^pg1-port=.*$/m, `pg1-port=${new URL(postgres.url).port}`);
      fs.writeFileSync(file, told);
    },
    run,
  };
}

const settingsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

const holdMessages =
  "insert into message_gates (name, closed_at, reason) values ('book', now(), 'restored') on conflict (name) do update set closed_at = now(), reason = 'restored'";

async function addMoney(origin: string, balance: string) {
  const { id } = await registerBorrower(origin);
  await succeed(origin, memberEdit(await signInStaff(origin), { id }, { balance }));
  return id;
}

it.runIf(fs.existsSync(program))(
  'is recovered to the minute before a mistake, sound, and a seal kept elsewhere tells what is missing (where pgBackRest is installed)',
  async () => {
    const repository = repositoryIn(own.home);
    const archive = fs
      .readFileSync('deploy/pgbackrest/archive.conf', 'utf8')
      .replace(/pgbackrest/g, repository.command);
    const lost = await startPostgresServer({ settings: settingsOf(archive) });
    onTestFinished(() => lost.stop());
    repository.keep(lost);
    repository.run('stanza-create');
    const house = {
      DATA_DIR: path.join(own.home, 'house'),
      DATABASE_URL: lost.url,
      MAIN_ADMIN_PASSWORD: mainAdminPassword,
      LOG_LEVEL: 'warn',
    };
    const server = await start(house);
    repository.run('--type=full', 'backup');
    const kept = await addMoney(server.origin, '1000.00');
    // A backup that ended in the same second is not before it.
    await sleep(1_100);
    const minute = await answerTo(lost.url, 'select clock_timestamp()::text');
    const missing = await addMoney(server.origin, '2000.00');
    // It seals the log a last time.
    expect(await server.stop()).toBe(0);
    const seal = await answerTo(
      lost.url,
      `select number || ' ' || hash from audit_seals order by number desc limit 1`,
    );
    const segment = await answerTo(lost.url, 'select pg_walfile_name(pg_switch_wal())');
    await soon(() => answerTo(lost.url, 'select last_archived_wal from pg_stat_archiver')).toBe(segment);
    await lost.kill();

    const found = await startPostgresServer({
      fill: (data) =>
        void repository.run(
          `--pg1-path=${data}`,
          '--type=time',
          `--target=${minute}`,
          '--target-action=promote',
          'restore',
        ),
    });
    onTestFinished(() => found.stop());
    await soon(() => answerTo(found.url, 'select pg_is_in_recovery()')).toBe(false);
    const again = { ...house, DATABASE_URL: found.url };
    const sound = await command(['verify'], again);
    expect(sound).toMatchObject({ code: 0, err: '' });
    expect(sound.out).toMatch(/^The books are sound: 1 ledger entry, /);
    const compared = await command(['verify', '--seal', ...seal.split(' ')], again);
    expect(compared.code).toBe(1);
    expect(compared.out).toContain(`audit_seals ${seal.split(' ')[0]}: it was noted and is missing`);

    for (const statement of [holdMessages, 'delete from sessions']) {
      expect(fs.readFileSync('docs/operate.md', 'utf8')).toContain(statement);
      await answerTo(found.url, statement);
    }
    const next = await start(again);
    const token = await signInStaff(next.origin);
    expect(await succeed(next.origin, { path: `/api/admin/users/${kept}`, token })).toMatchObject({
      balance: '1000.00',
    });
    const gone = await fetch(`${next.origin}/api/admin/users/${missing}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(gone.status).toBe(404);
  },
);

async function answerTo(url: string, query: string) {
  return withClient(url, async (client) => {
    const { rows } = await client.query({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  });
}
