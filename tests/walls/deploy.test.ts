import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/config.ts';
import { createMetrics } from '#server/platform/metrics.ts';
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
    expect(units).toHaveLength(6);
    const copies = temporaryDirectory();
    for (const name of units) {
      // The path of npm differs from machine to machine, and a program that is missing would be a fault of the unit.
      writeFileSync(path.join(copies, name), read(name).replaceAll(/\/usr\/bin\/\w+/g, '/bin/true'));
    }
    judge('systemd-analyze', ['verify', '--man=no', ...units.map((name) => path.join(copies, name))]);
  });

  it('give the server what the console beside them has: settings, data, account', () => {
    judge('sh', ['-n', path.join(folder, 'hiram')]);
    const places = ['/opt/hiram', '/etc/hiram/settings.env', '/var/lib/hiram', 'hiram'];
    for (const file of ['hiram', 'hiram.service']) {
      expect(places.filter((place) => !new RegExp(`${place}\\b`).test(read(file)))).toEqual([]);
    }
  });

  it('run commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const run = units.flatMap((name) =>
      [...read(name).matchAll(/npm (?:run )?(\S+)/g)].map(([, word]) => word),
    );
    expect(run.sort()).toEqual(['backup', 'start', 'verify']);
    expect(run.filter((word) => !(String(word) in scripts))).toEqual([]);
  });
});

describe('the proxies', () => {
  it('hide health and metrics, and name the client’s address themselves', () => {
    for (const name of ['nginx.conf', 'Caddyfile']) {
      for (const hidden of ['metrics', 'healthz', 'readyz']) expect(read(name)).toContain(hidden);
    }
    expect(read('nginx.conf')).toContain('X-Forwarded-For $remote_addr;');
    expect(read('nginx.conf')).toContain('X-Forwarded-Proto $scheme;');
    judge('caddy', ['validate', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')], {
      HIRAM_HOST: 'loans.example.com',
    });
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
      passwords: { load: () => ({ running: 0, waiting: 0 }) },
      replicaReads: { replica: 0, primary: 0 },
    });
    metrics.countRequest({ method: 'GET', route: '/', status: 200, seconds: 1 });
    const exported = [...(await metrics.text()).matchAll(/^([a-z]\w*)[{ ]/gm)].map((match) => match[1]);
    const asked = queries.flatMap((query) =>
      [...query.matchAll(/\b((?:http|process|nodejs|password|replica)_\w+)[{[ ]/g)].map((match) => match[1]),
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
