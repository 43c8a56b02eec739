import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/config.ts';
import { finishMs, noticeMs } from '#server/http/drain.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { idleParts } from '#tests/setup/idle-parts.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';

const folder = path.resolve('deploy');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const readYaml = (name: string) => parse(read(name));

/** Checks with the program that will read the file, where this machine has it; the rest is checked everywhere. */
function judge(program: string, args: string[], env: Record<string, string> = {}) {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (error && 'code' in error && error.code === 'ENOENT') return;
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
}

describe('the image', () => {
  const lines = read('Containerfile').replaceAll('\\\n', '').split('\n');
  const copied = lines.flatMap((line) => {
    const [word, ...args] = line.split(/\s+/);
    return word === 'COPY' && !args[0]?.startsWith('--') ? args.slice(0, -1) : [];
  });

  it('copies what a build is made from', () => {
    const source = readFileSync('scripts/build-app.mjs', 'utf8');
    const listed = /const folders = \[(.*?)\];\nconst singleFiles = \[(.*?)\];/s.exec(source);
    const wanted = [...(listed?.[0] ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
    expect(wanted.length).toBeGreaterThan(8);
    const isCopied = (file: string) => copied.some((part) => file === part || file.startsWith(`${part}/`));
    expect(wanted.filter((file) => !isCopied(file))).toEqual([]);
    expect(copied.filter((part) => !existsSync(part))).toEqual([]);
  });

  it('names its base by digest, which has to be given', () => {
    const bases = lines.filter((line) => line.startsWith('FROM'));
    expect(bases.length).toBe(2);
    for (const base of bases) expect(base).toMatch(/^FROM node:22-\S+@\$\{NODE_DIGEST\}/);
    expect(lines).toContain('ARG NODE_DIGEST');
    const { services } = readYaml('compose.yaml');
    expect(services.server.build.args.NODE_DIGEST).toMatch(/^\$\{NODE_DIGEST:\?/);
  });

  it('runs without root, writes to its volume only, and says when it is ready', () => {
    expect(lines.filter((line) => line.startsWith('USER'))).toEqual(['USER node']);
    expect(lines).toContain('VOLUME /data');
    expect(lines.join('\n')).toMatch(/HEALTHCHECK [^\n]*\/readyz/);
  });

  it('is named with the Node that the product asks for', () => {
    const node = /^FROM node:(\d+)/m.exec(read('Containerfile'))?.[1];
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Number(node)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  });
});

describe('the settings', () => {
  const asked = new Set<string>();
  const noting = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void asked.add(String(name)) });
  readConfig(noting);
  const names = [...asked].sort();

  it('that the server reads are those of the README', () => {
    const [, table = ''] = readFileSync('README.md', 'utf8').split('| Setting | Default | Meaning |');
    const [rows = ''] = table.split('\n\n');
    const told = rows.split('\n').flatMap((row) => row.split('|')[1]?.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
    expect(told.sort()).toEqual(names);
  });

  it('that the server reads are those of the composed installation', () => {
    expect(Object.keys(readYaml('compose.yaml').services.server.environment).sort()).toEqual(names);
  });
});

describe('the composed installation', () => {
  const { services, networks } = readYaml('compose.yaml');

  it('gives the server a read-only root file system and no rights', () => {
    expect(services.server).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
  });

  it('serves as a role that is neither the superuser nor the owner', () => {
    const { DATABASE_URL, DATABASE_OWNER_URL } = services.server.environment;
    const [serving, owning] = [DATABASE_URL, DATABASE_OWNER_URL].map((url) => /\/\/(\w+):/.exec(url)?.[1]);
    expect(new Set([serving, owning, services.database.environment.POSTGRES_USER]).size).toBe(3);
    for (const role of [serving, owning]) expect(read('roles.sql')).toContain(`'${role}'`);
    expect(services.server.depends_on.roles.condition).toBe('service_completed_successfully');
  });

  it('backs up and verifies what the server has, into a volume of its own', () => {
    const { environment, command, volumes } = services.backup;
    expect(environment).toEqual(services.server.environment);
    for (const word of ['backup', 'verify']) expect(command.join(' ')).toContain(`console.js ${word}`);
    expect(volumes).toContain('backups:/backups');
    expect(read('Containerfile')).toMatch(/mkdir .*\/backups.*chown node:node .*\/backups/);
  });

  it.each([
    ['verify', 'node backup, find, node verify, sleep'],
    ['backup', 'node backup, node verify, sleep'],
  ])(
    'waits for the next day although %s fails: a restart each minute would fill the volume',
    (fails, expected) => {
      const programs = temporaryDirectory();
      const done = path.join(programs, 'done');
      const program = (name: string, text: string) =>
        writeFileSync(path.join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      program('node', `echo "node $2" >> ${done}; [ "$2" != ${fails} ]`);
      program('find', `echo find >> ${done}`);
      program('sleep', `echo sleep >> ${done}; kill $PPID`);
      const [shell, ...args]: string[] = services.backup.command;
      const written = args.map((arg) => arg.replaceAll('$$', '$'));
      spawnSync(shell ?? '', written, { env: { PATH: `${programs}:${process.env.PATH}` } });
      expect(readFileSync(done, 'utf8').trim().split('\n').join(', ')).toBe(expected);
    },
  );

  it('limits memory and log of each part, and names versions that stay', () => {
    const parts = Object.entries<{ mem_limit?: string; logging?: { options: object }; image: string }>(
      services,
    );
    expect(parts.filter(([, { mem_limit, logging }]) => !mem_limit || !logging?.options)).toEqual([]);
    const foreign = parts.map(([, { image }]) => image).filter((image) => image !== 'hiram');
    expect(foreign.length).toBeGreaterThan(2);
    for (const image of foreign) expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?(-\w+)?$/);
  });

  it('opens only the ports of TLS, and keeps the database from the outside', () => {
    const open = Object.entries<{ ports?: string[] }>(services).filter(([, { ports }]) => ports);
    expect(open.map(([name]) => name)).toEqual(['tls']);
    expect(services.database.networks).toEqual(['inside']);
    expect(networks.inside.internal).toBe(true);
  });

  it('believes only its own proxy', () => {
    expect(services.server.environment.TRUST_PROXY).toBe(networks.outside.ipam.config[0].subnet);
  });

  it('asks for settings that the example lists', () => {
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map((match) => match[1]);
    const listed = [...read('settings.example.env').matchAll(/^#?(\w+)=/gm)].map((match) => match[1]);
    expect([...new Set(asked)].filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('the units', () => {
  const units = readdirSync(folder).filter((name) => /\.(?:service|timer)$/.test(name));

  it('are sound', () => {
    const all = [...units, 'pgbackrest/hiram-base-backup.service', 'pgbackrest/hiram-base-backup.timer'];
    expect(all).toHaveLength(10);
    const copies = temporaryDirectory();
    const copyOf = (name: string) => path.join(copies, path.basename(name));
    for (const name of all) {
      // The path of npm differs from machine to machine, and a program that is missing would be a fault of the unit.
      writeFileSync(copyOf(name), read(name).replaceAll(/\/usr\/bin\/\w+/g, '/bin/true'));
    }
    judge('systemd-analyze', ['verify', '--man=no', ...all.map(copyOf)]);
  });

  it('give the server what the console beside them has: settings, data, account', () => {
    judge('sh', ['-n', path.join(folder, 'hiram')]);
    const places = ['/opt/hiram', '/etc/hiram/settings.env', '/var/lib/hiram', 'hiram'];
    for (const file of ['hiram', 'hiram.service']) {
      expect(places.filter((place) => !new RegExp(`${place}\\b`).test(read(file)))).toEqual([]);
    }
  });

  it('run commands that exist, by node itself: npm would pass on a signal that node has got already', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const run = units.flatMap((name) =>
      [...read(name).matchAll(/\/usr\/bin\/node scripts\/run\.mjs (\S+)/g)].map(([, word]) => word),
    );
    expect(run.sort()).toEqual(['backup', 'start', 'verify', 'verify']);
    expect(run.filter((word) => !(String(word) in scripts))).toEqual([]);
    expect(units.filter((name) => /npm/.test(read(name).replaceAll(/^#.*$/gm, '')))).toEqual([]);
  });

  it('count the server as started when it is ready, and tell it alone to stop', () => {
    const lines = read('hiram.service').split('\n');
    expect(lines).toContain('ExecStartPost=/usr/bin/node scripts/wait-ready.mjs');
    expect(lines).toContain('KillMode=mixed');
    const stopsWithinMs = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('hiram.service'))?.[1]) * 1000;
    expect(stopsWithinMs).toBeGreaterThan(noticeMs + 2 * finishMs);
  });

  it('confine backup and verify as the server is confined', () => {
    const confining = /^(?:NoNew|Private|Protect|Restrict(?:Addr|SUID)|Lock|Capability|UMask)\w*=.*$/gm;
    const confined = (name: string) => read(name).match(confining)?.sort();
    expect(confined('hiram.service')?.length).toBeGreaterThan(10);
    for (const name of ['hiram-backup.service', 'hiram-verify.service', 'hiram-verify-full.service'])
      expect(confined(name)).toEqual(confined('hiram.service'));
  });
});

describe('the proxies', () => {
  it('hide health and metrics, and name the client’s address themselves', () => {
    for (const name of ['nginx.conf', 'Caddyfile']) {
      for (const hidden of ['metrics', 'healthz', 'readyz']) expect(read(name)).toContain(hidden);
    }
    expect(read('nginx.conf')).toContain('X-Forwarded-For $remote_addr;');
    expect(read('nginx.conf')).toContain('X-Forwarded-Proto $scheme;');
    // A server that stops takes requests for longer than an idle connection to it lives, or than it is passed over.
    const idle = [/keepalive_timeout (\d+)s;/, /fail_timeout=(\d+)s/].map((rule) =>
      rule.exec(read('nginx.conf')),
    );
    for (const seconds of [...idle, /\bkeepalive (\d+)s/.exec(read('Caddyfile'))])
      expect(Number(seconds?.[1]) * 1000).toBeLessThan(noticeMs - 1000);
    judge('caddy', ['validate', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')], {
      HIRAM_HOST: 'loans.example.com',
    });
  });
});

describe('the cluster', () => {
  it('lets nobody without a password say who is primary', () => {
    const { restapi, etcd3 } = readYaml('cluster/patroni.yml');
    for (const { username, password } of [restapi.authentication, etcd3])
      expect([username, password]).toEqual(['patroni', expect.stringMatching(/^change-me-/)]);
    const guide = readFileSync('docs/operate.md', 'utf8');
    for (const step of ['etcdctl user add root', 'etcdctl auth enable', 'etcd-server'])
      expect(guide).toContain(step);
  });
});

describe('what watches', () => {
  const dashboard = JSON.parse(read('dashboard.json'));
  const rules: { expr: string; annotations: { summary: string } }[] = readYaml('alerts.yml').groups.flatMap(
    (group: { rules: object[] }) => group.rules,
  );
  const queries: string[] = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
  ];

  it('asks for metrics that the server exports', async () => {
    const metrics = createMetrics({
      ...idleParts,
      database: { ...idleParts.database, replicaReads: { replica: 0, primary: 0 } },
    });
    metrics.countRequest({ method: 'GET', route: '/', status: 200, seconds: 1 });
    const exported = [...(await metrics.text()).matchAll(/^([a-z]\w*)[{ ]/gm)].map((match) => match[1]);
    const asked = queries.flatMap((query) =>
      [...query.matchAll(/\b((?:http|process|nodejs|password|replica|database|newest|last)_\w+)[{[ ]/g)].map(
        (match) => match[1],
      ),
    );
    expect(new Set(asked).size).toBeGreaterThan(5);
    expect(asked.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('watches the job that is collected, and routes that exist', () => {
    expect(readYaml('prometheus.yml').scrape_configs[0].job_name).toBe('hiram');
    const jobs = queries.flatMap((query) => [...query.matchAll(/job="(\w+)"/g)].map((match) => match[1]));
    expect([...new Set(jobs)]).toEqual(['hiram']);
    const endpoints = execFileSync('git', ['grep', '-h', "path: '/api/"], { encoding: 'utf8' });
    const routes = queries.flatMap((query) => /route=~"([^"]+)"/.exec(query)?.[1]?.split('|') ?? []);
    expect(routes.filter((route) => !endpoints.includes(`'${route}'`))).toEqual([]);
  });

  it('writes rules that Prometheus reads', () => {
    expect(rules.every(({ annotations }) => annotations.summary !== '')).toBe(true);
    judge('promtool', ['check', 'rules', path.join(folder, 'alerts.yml')]);
  });
});
