import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '#tests/setup/test-database.ts';
import { signal } from './postgres-crash.ts';
import { makeSmallDisk, noSmallDisk, type SmallDisk } from './small-disk.ts';

/** The network of `deploy/cluster/`; each run moves it to loopback addresses of its own. */
const exampleNetwork = /10\.0\.0\./g;

const packages = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
};

/** The programs of an installation of several machines, from Debian's packages. */
export function installClusterPrograms(): void {
  const isThere = (program: string) =>
    ['/usr/bin', '/usr/sbin'].some((folder) => fs.existsSync(path.join(folder, program)));
  const missing = Object.entries(packages).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
  if (missing.length === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-q'], { env, stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...missing], {
    env,
    stdio: 'inherit',
  });
}

export type ClusterNode = 'db1' | 'db2';

export type Cluster = {
  /** Both nodes, as a server is given them: it finds the one that accepts writes. */
  databaseUrl: string;
  /** Through PgBouncer and HAProxy. */
  pooledUrl: string;
  /** Both nodes by a cable of its own. */
  cabledUrl: string;
  /** Whatever is sent over the cable gets no answer until it is mended. */
  cable(state: 'cut' | 'mended'): void;
  /** For migrations, past PgBouncer. */
  ownerUrl: string;
  primary(): Promise<ClusterNode>;
  /** Resolves when both nodes have every commit before it is answered, which is when a failover loses nothing. */
  untilInSync(): Promise<void>;
  /** `kill -9` for a node's PostgreSQL, all its processes at once; Patroni lives. */
  killPostgres(node: ClusterNode): Promise<void>;
  /** `kill -9` for everything on a node, as when its power fails. */
  killNode(node: ClusterNode): Promise<void>;
  startNode(node: ClusterNode): Promise<void>;
  killEtcd(member: number): void;
  startEtcd(member: number): void;
  /** Stops a node's processes where they are, as on a machine that hangs, or lets them go on. */
  freeze(node: ClusterNode, state: 'frozen' | 'running'): void;
  /** Lets a node's PostgreSQL work a tenth of the time, until the function that it returns is called. */
  slow(node: ClusterNode): () => void;
  /** Fills a node's disk, and resolves when it has refused something. */
  fillDisk(node: ClusterNode): Promise<void>;
  freeDisk(node: ClusterNode): void;
  /** nginx before server processes that listen at `ports` of this machine; returns its origin. */
  startNginx(ports: readonly number[]): Promise<string>;
  stop(): Promise<void>;
};

const nodes = ['db1', 'db2'] as const;
const password = 'cluster-app';

/** Where a disk of a node's own can be made. */
const nodeDiskMegabytes = 1_024;

/**
 * The example installation of `deploy/cluster/`, on loopback addresses: three members of etcd, two nodes with Patroni and
 * PostgreSQL that commit together, and PgBouncer behind HAProxy.
 */
export async function startCluster(): Promise<Cluster> {
  installClusterPrograms();
  const home = fs.mkdtempSync('/var/tmp/hiram-cluster-');
  fs.chmodSync(home, 0o755);
  const network = `127.${70 + (process.pid % 100)}.${(process.pid >> 8) % 250}.`;
  const example = (name: string) =>
    fs.readFileSync(path.join('deploy', 'cluster', name), 'utf8').replace(exampleNetwork, network);
  const account = postgresAccount();
  const running = new Map<string, ChildProcess>();

  function run(name: string, command: string[], { asPostgres = false, env = {} } = {}): void {
    const log = fs.openSync(path.join(home, `${name}.log`), 'a');
    const child = spawn('/bin/sh', ['-c', untilInputEnds, 'sh', path.join(home, name), ...command], {
      ...(asPostgres && account),
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['pipe', log, log],
    });
    fs.closeSync(log);
    running.set(name, child);
  }

  async function end(name: string): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
  }

  const disks = new Map<string, SmallDisk>();
  for (const node of noSmallDisk() === undefined ? nodes : []) {
    const disk = makeSmallDisk(nodeDiskMegabytes);
    disks.set(node, disk);
    fs.symlinkSync(disk.directory, path.join(home, node));
  }

  function writable(name: string): string {
    const folder = path.join(home, name);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.chownSync(folder, account.uid, account.gid);
    return folder;
  }

  const addressOf = (node: ClusterNode) => `${network}${node === 'db1' ? 11 : 12}`;
  const etcdAddress = (member: number) => `${network}${20 + member}`;

  function startEtcd(member: number): void {
    const settings = example('etcd.env')
      .replace(/^(ETCD_NAME=)e1$/m, `$1e${member}`)
      .replace(/^(ETCD_DATA_DIR=).*$/m, `$1${writable(`etcd${member}-data`)}`)
      .replace(
        /^(ETCD_(?:LISTEN|INITIAL_ADVERTISE|ADVERTISE)\w+=http:\/\/).*(:\d+)$/gm,
        `$1${etcdAddress(member)}$2`,
      );
    const env = Object.fromEntries(
      [...settings.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    run(`etcd${member}`, ['/usr/bin/etcd', '--log-level', 'error'], { asPostgres: true, env });
  }

  async function startNode(node: ClusterNode): Promise<void> {
    const file = path.join(home, `${node}.yml`);
    const settings = example('patroni.yml')
      .replaceAll('db1', node)
      .replaceAll(`${network}11`, addressOf(node))
      .replaceAll(`${network}0/24`, '127.0.0.0/8')
      .replace('/var/lib/postgresql/15/hiram', path.join(writable(node), 'data'))
      .replace('/var/lib/postgresql/patroni.pgpass', path.join(home, node, 'pgpass'))
      .replace('/usr/lib/postgresql/15/bin', binaries())
      // The tests play the watchdog themselves.
      .replace('mode: required', 'mode: "off"');
    // Sockets of the two would lie on each other.
    fs.writeFileSync(
      file,
      `${settings}\n`.replace(
        /^postgresql:\n/m,
        `postgresql:\n  parameters: { unix_socket_directories: '${path.join(home, node)}' }\n`,
      ),
    );
    run(node, ['/usr/bin/patroni', file], { asPostgres: true });
  }

  type Member = { name: ClusterNode; role: string; state: string };

  async function members(): Promise<Member[]> {
    for (const node of nodes) {
      const reply = await fetch(`http://${addressOf(node)}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (reply?.ok) return ((await reply.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async function until<T>(what: string, look: () => Promise<T | undefined>, withinMs = 90_000): Promise<T> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      const found = await look().catch(() => undefined);
      if (found !== undefined) return found;
      await sleep(200);
    }
    const logs = [...nodes].map((name) =>
      fs.readFileSync(path.join(home, `${name}.log`), 'utf8').slice(-1_500),
    );
    throw new Error(`${what}: not within ${withinMs / 1_000} s\n${logs.join('\n---\n')}`);
  }

  async function primary(): Promise<ClusterNode> {
    return until('a primary', async () => (await members()).find(({ role }) => role === 'leader')?.name);
  }

  async function untilInSync(): Promise<void> {
    await until('two nodes in step', async () => {
      const found = await members();
      const isSync = found.some(
        ({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state),
      );
      return (isSync && found.some(({ role }) => role === 'leader')) || undefined;
    });
  }

  /** The postmaster and its children. */
  function postgresOf(node: ClusterNode): number[] {
    const file = path.join(home, node, 'data', 'postmaster.pid');
    const postmaster = Number(fs.readFileSync(file, 'utf8').split('\n')[0]);
    return [postmaster, ...childrenOf(postmaster)];
  }

  const patroniOf = (node: ClusterNode): number[] => {
    const keeper = running.get(node)?.pid;
    return keeper === undefined ? [] : childrenOf(keeper).flatMap((pid) => [pid, ...childrenOf(pid)]);
  };

  async function asSuperuser(sql: string, database = 'postgres'): Promise<void> {
    const host = addressOf(await primary());
    const url = `postgres://postgres:change-me-superuser@${host}/${database}`;
    await withClient(url, (client) => client.query(sql));
  }

  for (const member of [1, 2, 3]) startEtcd(member);
  await until('etcd asks for passwords', async () => {
    const env = { ...process.env, ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: `http://${etcdAddress(1)}:2379` };
    for (const words of switchingOn(example('patroni.yml'))) {
      const { status, stderr } = spawnSync('/usr/bin/etcdctl', words, { env, encoding: 'utf8' });
      if (status !== 0 && !stderr.includes('already exists')) return undefined;
    }
    return true;
  });
  await startNode('db1');
  await until('the first node', async () => (await members()).find(({ role }) => role === 'leader'));
  await startNode('db2');
  await untilInSync();
  for (const role of ['hiram', 'hiram_owner']) {
    await asSuperuser(`create role ${role} login password '${password}'`);
  }
  await asSuperuser('create database hiram owner hiram_owner');
  const bouncer = path.join(home, 'pgbouncer.ini');
  fs.writeFileSync(path.join(home, 'userlist.txt'), `"hiram" "${password}"\n`);
  fs.writeFileSync(
    bouncer,
    example('pgbouncer.ini')
      .replaceAll('127.0.0.1', `${network}40`)
      .replace('/etc/pgbouncer/userlist.txt', path.join(home, 'userlist.txt'))
      .concat('unix_socket_dir =\n'),
  );
  fs.writeFileSync(
    path.join(home, 'haproxy.cfg'),
    example('haproxy.cfg').replaceAll('127.0.0.1', `${network}40`),
  );
  run('haproxy', ['/usr/sbin/haproxy', '-db', '-f', path.join(home, 'haproxy.cfg')]);
  run('pgbouncer', ['/usr/sbin/pgbouncer', bouncer], { asPostgres: true });

  const cables = await Promise.all(nodes.map((node, n) => layCable(`${network}${61 + n}`, addressOf(node))));

  const urlOf = (role: string, hosts: string) => `postgres://${role}:${password}@${hosts}/hiram`;
  const bothNodes = nodes.map((node) => `${addressOf(node)}:5432`).join(',');
  return {
    databaseUrl: urlOf('hiram', bothNodes),
    pooledUrl: urlOf('hiram', `${network}40:6432`),
    cabledUrl: urlOf('hiram', nodes.map((_, n) => `${network}${61 + n}:5432`).join(',')),
    cable(state) {
      for (const cable of cables) cable.be(state);
    },
    ownerUrl: urlOf('hiram_owner', bothNodes),
    primary,
    untilInSync,
    async killPostgres(node) {
      signal(postgresOf(node), 'SIGKILL');
    },
    async killNode(node) {
      signal([...patroniOf(node), ...postgresOf(node)], 'SIGKILL');
      await end(node);
    },
    startNode,
    killEtcd: (member) => void end(`etcd${member}`),
    startEtcd,
    freeze(node, state) {
      signal([...patroniOf(node), ...postgresOf(node)], state === 'frozen' ? 'SIGSTOP' : 'SIGCONT');
    },
    slow(node) {
      const timer = setInterval(() => {
        const processes = postgresOf(node);
        signal(processes, 'SIGSTOP');
        setTimeout(() => signal(processes, 'SIGCONT'), 450);
      }, 500);
      return () => clearInterval(timer);
    },
    async fillDisk(node) {
      try {
        disks.get(node)?.fill(0);
      } catch {
        // PostgreSQL took the last of it meanwhile.
      }
      const log = path.join(home, `${node}.log`);
      const refusals = () => fs.readFileSync(log, 'utf8').split('No space left on device').length;
      const before = refusals();
      await until('a full disk', async () => {
        await asSuperuser(`select pg_logical_emit_message(false, 'fill', repeat('x', 4000000))`);
        return refusals() > before || undefined;
      });
    },
    freeDisk: (node) => disks.get(node)?.free(),
    async startNginx(ports) {
      const origin = `http://${network}50:8080`;
      fs.writeFileSync(path.join(home, 'nginx.conf'), nginxSettings(home, origin, ports));
      run('nginx', ['/usr/sbin/nginx', '-c', path.join(home, 'nginx.conf'), '-p', home, '-g', 'daemon off;']);
      await until('nginx', async () => (await fetch(`${origin}/healthz`)).status || undefined);
      return origin;
    },
    async stop() {
      for (const cable of cables) cable.close();
      for (const name of [...running.keys()].reverse()) await end(name);
      // Patroni's end leaves PostgreSQL to itself.
      spawnKill(home);
      for (const disk of disks.values()) disk.remove();
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Passes connections on, or while it is cut takes them and lets everything lie. */
async function layCable(
  from: string,
  to: string,
): Promise<{ be(state: 'cut' | 'mended'): void; close(): void }> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const listener = net.createServer((near) => {
    const far = net.connect(5432, to);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => undefined);
      if (isCut) one.pause();
    }
  });
  await new Promise<void>((resolve) => listener.listen(5432, from, resolve));
  return {
    be(state) {
      isCut = state === 'cut';
      for (const socket of sockets) isCut ? socket.pause() : socket.resume();
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Switches etcd's passwords on as docs/operate.md says, with those of `patroni.yml`. */
function switchingOn(patroni: string): string[][] {
  const password = /^etcd3:\n(?: .*\n)*? {2}password: (.+)$/m.exec(patroni)?.[1];
  return [
    ['user', 'add', 'root:root of the test'],
    ['user', 'grant-role', 'root', 'root'],
    ['role', 'add', 'patroni'],
    ['role', 'grant-permission', 'patroni', 'readwrite', '--prefix=true', '/service/'],
    ['user', 'add', `patroni:${password}`],
    ['user', 'grant-role', 'patroni', 'patroni'],
    ['auth', 'enable'],
  ];
}

/** `deploy/nginx.conf` without TLS, at an address of this run. */
function nginxSettings(home: string, origin: string, ports: readonly number[]): string {
  const site = fs
    .readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/^ {4}server 127\.0\.0\.1:3000 .*$/m, (line) =>
      ports.map((port) => line.replace('3000', String(port))).join('\n'),
    )
    .replace(/server \{\n {4}listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/^ {4}(?:listen \[::\]:443|ssl_).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen ${new URL(origin).host}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = folders.map((name) => `${name}_temp_path ${path.join(home, name)};`).join('\n');
  return `user root;\npid ${home}/nginx.pid;\nerror_log ${home}/nginx-error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`;
}

/**
 * Runs a command until standard input ends, which it also does when this process is killed, and takes with it whatever
 * names its folder: nothing outlives its test.
 */
const untilInputEnds =
  'mine=$1; shift; "$@" <&- & server=$!; read -r _; kill -KILL $server; pkill -KILL -f "$mine/" ; wait $server';

function spawnKill(home: string): void {
  try {
    execFileSync('pkill', ['-KILL', '-f', `${home}/`]);
  } catch {
    // Nobody was left.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

function postgresAccount(): { uid: number; gid: number } {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('the account postgres of the Debian package is missing');
  return { uid: Number(uid), gid: Number(gid) };
}

function binaries(): string {
  const versions = fs.readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}
