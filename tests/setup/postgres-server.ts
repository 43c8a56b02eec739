import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** A PostgreSQL server of the tests' own, in a temporary directory. */
export type PostgresServer = {
  /** Connects as the superuser to the database `postgres`. */
  url: string;
  /** The directory of its data. Its socket is in the folder above. */
  data: string;
  /** Ends it at once, as a crash would; its data stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Ends it and removes everything. */
  stop(): Promise<void>;
};

const startWithinMs = 20_000;

/** The directory of PostgreSQL's programs, or undefined when it is not installed. Debian keeps them off the PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((one) => `${debian}/${one}/bin`);
  const directories = [...newestFirst, ...(process.env.PATH ?? '').split(path.delimiter)];
  return directories.find((one) =>
    ['initdb', 'postgres'].every((tool) => fs.existsSync(path.join(one, tool))),
  );
}

const aptGet = '/usr/bin/apt-get';

/** True if `installPostgres` has something to install with. */
function canInstall(): boolean {
  return process.getuid?.() === 0 && fs.existsSync(aptGet);
}

/** True if tests that need PostgreSQL can run here. */
export function hasPostgres(): boolean {
  return findPostgres() !== undefined || canInstall();
}

/** Installs Debian's PostgreSQL when it is missing and this process may. Returns where its programs are. */
export function installPostgres(): string {
  const found = findPostgres();
  if (found) return found;
  if (!canInstall()) {
    throw new Error('PostgreSQL 15 or later is needed: install it, with initdb and postgres on the PATH');
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(aptGet, ['update', '-q'], { env, stdio: 'inherit' });
  execFileSync(aptGet, ['install', '-q', '-y', '--no-install-recommends', 'postgresql'], {
    env,
    stdio: 'inherit',
  });
  const installed = findPostgres();
  if (!installed)
    throw new Error('PostgreSQL was installed, but initdb and postgres are not where Debian puts them');
  return installed;
}

/**
 * Makes and starts a server. `fsync` makes it as durable, and as slow, as a real one. `standby` makes one that answers
 * but accepts no writes, like a follower in a cluster; `follows` makes one of the server with that URL, and `fill` one of
 * the data that it puts into the directory.
 */
export async function startPostgresServer({
  fsync = false,
  standby = false,
  follows,
  fill,
  settings: own = {},
}: {
  fsync?: boolean;
  standby?: boolean;
  follows?: string;
  fill?: (data: string) => void;
  settings?: Record<string, string>;
} = {}): Promise<PostgresServer> {
  const programs = installPostgres();
  const user = unprivilegedUser();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-postgres-'));
  const data = path.join(home, 'data');
  if (user) fs.chownSync(home, user.uid, user.gid);
  const identity = { ...user, cwd: home, env: { ...process.env, LC_ALL: 'C.UTF-8', HOME: home } };
  const make = follows
    ? ['pg_basebackup', '-D', data, '-d', follows, '-R', '-c', 'fast', '--no-sync']
    : ['initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  if (fill) fill(data);
  else execFileSync(path.join(programs, String(make[0])), make.slice(1), { ...identity, stdio: 'pipe' });

  if (standby) fs.writeFileSync(path.join(data, 'standby.signal'), '');

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    fsync: fsync ? 'on' : 'off',
    timezone: 'Asia/Manila',
    ...own,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const log = fs.openSync(path.join(home, 'log'), 'a');
    const command = [path.join(programs, 'postgres'), '-D', data, ...flags];
    server = spawn('/bin/sh', ['-c', untilInputEnds, 'sh', ...command], {
      ...identity,
      stdio: ['pipe', log, log],
    });
    fs.closeSync(log);
    await untilListening(url, server, path.join(home, 'log'));
  }

  async function end(): Promise<void> {
    const ending = server;
    server = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.stdin?.end();
    await ended;
  }

  await start();
  return {
    url,
    data,
    start,
    kill: end,
    stop: async () => {
      await end();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command until standard input ends, which it also does when this process is killed: no server outlives its
 * test. SIGQUIT makes PostgreSQL leave without a word to its clients and without a checkpoint, with all its children.
 */
const untilInputEnds = '"$@" <&- & server=$!; read -r _; kill -QUIT $server; wait $server';

/** Whom the server runs as: PostgreSQL refuses to run as root. Undefined for whoever this process already is. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const account = ['postgres', 'nobody'].flatMap((name) =>
    accounts.filter((line) => line.startsWith(`${name}:`)),
  )[0];
  const [, , uid, gid] = account?.split(':') ?? [];
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** PostgreSQL listens on TCP only when it has recovered, but answers "starting up" for a moment: a query decides. */
export async function untilListening(
  connectionString: string,
  server: ChildProcess,
  log: string,
): Promise<void> {
  const deadline = performance.now() + startWithinMs;
  const { Client } = (await import('pg')).default;
  while (performance.now() < deadline && server.exitCode === null) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 30));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`PostgreSQL did not start:\n${fs.readFileSync(log, 'utf8').slice(-2000)}`);
}
