import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, unprivilegedUser, untilListening } from './postgres-server.ts';

/** Runs a command until standard input ends, which it also does when this process is killed. */
const untilInputEnds = '"$@" <&- & server=$!; read -r _; kill -TERM $server; wait $server';

const program = '/usr/sbin/pgbouncer';

export const hasPgBouncer = () => fs.existsSync(program);

/** Debian's PgBouncer with `deploy/cluster/pgbouncer.ini`, before the server with this URL, for one role and database. */
export async function startPgBouncer(url: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { username, port: serverPort, pathname } = new URL(url);
  const user = unprivilegedUser();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-pgbouncer-'));
  const port = await freePort();
  const file = path.join(home, 'pgbouncer.ini');
  const database = pathname.slice(1);
  const pooledUrl = `postgres://${username}@127.0.0.1:${port}/${database}`;
  fs.writeFileSync(path.join(home, 'userlist.txt'), `"${username}" ""\n`);
  fs.writeFileSync(
    file,
    fs
      .readFileSync('deploy/cluster/pgbouncer.ini', 'utf8')
      .replace(/^hiram = .*$/m, `${database} = host=127.0.0.1 port=${serverPort} dbname=${database}`)
      .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
      .replace(/^auth_type = .*$/m, 'auth_type = trust')
      .replace('/etc/pgbouncer/userlist.txt', path.join(home, 'userlist.txt'))
      // Sessions are shared as soon as two transactions follow each other.
      .replace(/^default_pool_size = .*$/m, 'default_pool_size = 2')
      .concat('unix_socket_dir =\n'),
  );
  for (const name of ['.', 'userlist.txt', 'pgbouncer.ini']) {
    if (user) fs.chownSync(path.join(home, name), user.uid, user.gid);
  }
  const log = fs.openSync(path.join(home, 'log'), 'a');
  const server = spawn('/bin/sh', ['-c', untilInputEnds, 'sh', program, file], {
    ...user,
    cwd: home,
    stdio: ['pipe', log, log],
  });
  fs.closeSync(log);
  await untilListening(pooledUrl, server, path.join(home, 'log'));
  return {
    url: pooledUrl,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.stdin?.end();
      await ended;
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}
