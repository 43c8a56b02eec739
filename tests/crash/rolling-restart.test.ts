import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { lastingDirectory, temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { registerBorrower, send } from './client.ts';
import { ownFolder, start } from './processes.ts';

/** Signals as service managers send them, and what stands in front of the servers while they are restarted in turn. */

const folder = path.resolve('deploy');

async function freePort(): Promise<number> {
  const holder = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as net.AddressInfo;
  await new Promise((resolve) => holder.close(resolve));
  return port;
}

const isInstalled = (program: string) => spawnSync(program, ['-v']).error === undefined;

type Ports = { own: number; servers: number[]; home: string };
type Proxy = { program: string; write: (ports: Ports) => string; run: (config: string) => string[] };

const proxies: Proxy[] = [
  {
    program: 'nginx',
    write({ own, servers, home }) {
      const shipped = fs.readFileSync(path.join(folder, 'nginx.conf'), 'utf8');
      const [upstream = '', , site = ''] = shipped.split(/^server \{$/m);
      const line = /^ *server 127\.0\.0\.1:3000.*$/m.exec(upstream)?.[0] ?? '';
      const lines = servers.map((port) => line.replace('3000', String(port))).join('\n');
      const plain = site
        .replaceAll(/^ *(?:ssl_|listen \[).*$/gm, '')
        .replace(/listen 443 .*;/, `listen 127.0.0.1:${own};`);
      const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path ${home};`,
      );
      return [
        `user root; daemon off; pid ${home}/nginx.pid; error_log ${home}/error.log;`,
        `events {} http { access_log off; ${kept.join(' ')}`,
        `${upstream.replace(line, lines)} server {${plain} }`,
      ].join('\n');
    },
    run: (config) => ['-c', config],
  },
  {
    program: 'caddy',
    write: ({ own, servers }) =>
      `{\n\tadmin off\n}\n${fs
        .readFileSync(path.join(folder, 'Caddyfile'), 'utf8')
        .replace('{$HIRAM_HOST}', `http://127.0.0.1:${own}`)
        .replace('{$HIRAM_SERVER:127.0.0.1:3000}', servers.map((port) => `127.0.0.1:${port}`).join(' '))}`,
    run: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  {
    // One that asks for itself whether a server is ready.
    program: 'haproxy',
    write: ({ own, servers }) =>
      [
        'global\n maxconn 200',
        'defaults\n mode http\n timeout connect 2s\n timeout client 60s\n timeout server 60s\n timeout check 5s\n option redispatch\n retries 3',
        `listen hiram\n bind 127.0.0.1:${own}\n option forwardfor\n option httpchk GET /readyz`,
        ' default-server inter 1s fall 1 rise 1 pool-purge-delay 1s',
        ...servers.map((port, index) => ` server s${index} 127.0.0.1:${port} check`),
        '',
      ].join('\n'),
    run: (config) => ['-db', '-f', config],
  },
];

async function answers(url: string): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200);
}

describe.skipIf(!hasPostgres())('two servers that are restarted in turn', () => {
  let postgres: PostgresServer;
  const dataDir = lastingDirectory();
  beforeAll(async () => {
    postgres = await startPostgresServer();
  });
  afterAll(() => postgres?.stop());

  async function begin(proxy: Proxy) {
    const home = temporaryDirectory();
    const servers = [await freePort(), await freePort()];
    const own = await freePort();
    const settings = { DATABASE_URL: postgres.url, RATE_LIMIT_SCALE: '10000', TRUST_PROXY: '127.0.0.1' };
    const started = (port: number) => startBuiltServer({ dataDir, port, settings });
    const running: BuiltServer[] = [];
    for (const port of servers) running.push(await started(port));
    const config = path.join(home, 'config');
    fs.writeFileSync(config, proxy.write({ own, servers, home }));
    const child: ChildProcess = spawn(proxy.program, proxy.run(config), { stdio: 'ignore' });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await Promise.all(running.map((server) => server.stop()));
    });
    const origin = `http://127.0.0.1:${own}`;
    await answers(`${origin}/api/exchange-rates`);
    const restart = async (index: number) => {
      const server = running[index];
      if (!server) throw new Error('no such server');
      // A service manager and npm.
      process.kill(server.pid, 'SIGTERM');
      await sleep(30);
      expect(await server.stop()).toBe(0);
      running[index] = await started(server.port);
      const env = { ...process.env, PORT: String(server.port), MAINPID: String(running[index].pid) };
      expect(spawnSync(process.execPath, ['scripts/wait-ready.mjs'], { env }).status).toBe(0);
    };
    return { origin, restart };
  }

  const installed = proxies.filter(({ program }) => isInstalled(program));
  for (const proxy of proxies) {
    it.skipIf(!sampleOf(installed).includes(proxy))(
      `behind ${proxy.program} (where it is installed) answer every request, and lose none`,
      async () => {
        const { origin, restart } = await begin(proxy);
        let isOver = false;
        const wrong: string[] = [];
        const told = await Promise.all(
          Array.from({ length: 6 }, async () => {
            const { token } = await registerBorrower(origin);
            return { token, sent: 0, taken: 0 };
          }),
        );
        const note = async (what: string, answer: Promise<{ status: number }>) => {
          const status = await answer.then(
            (one) => one.status,
            (error) => `${error.cause ?? error}`,
          );
          if (typeof status === 'string' || status >= 400) wrong.push(`${what}: ${status}`);
          return status;
        };
        const loads = told.map(async (borrower) => {
          const { token } = borrower;
          for (; !isOver; borrower.sent += 1) {
            const message = `Number ${borrower.sent}`;
            const body = { category: 'other', message };
            const status = await note('POST', send(origin, { path: '/api/complaints', token, body }));
            if (status === 201) borrower.taken += 1;
            await note('PUT', send(origin, { method: 'PUT', path: '/api/user/profile', token, body: {} }));
            await note('GET', send(origin, { path: '/api/complaints', token }));
            // Also over connections that were idle for a while.
            await sleep(borrower.sent % 3 === 0 ? Math.random() * 2_500 : 5);
          }
        });
        await sleep(1_000);
        for (const index of [0, 1]) await restart(index);
        isOver = true;
        await Promise.all(loads);
        expect(wrong).toEqual([]);
        for (const { token, taken } of told) {
          const { body } = await send(origin, { path: '/api/complaints', token });
          expect(taken).toBeGreaterThan(5);
          expect((body as unknown as unknown[]).length).toBe(taken);
        }
      },
    );
  }
});

describe('a server that is told to stop', { timeout: 60_000 }, () => {
  const own = ownFolder();
  const serving = () => start({ DATA_DIR: own.home, MAIN_ADMIN_PASSWORD: 'a password' });

  /** A sign-in whose body comes later, as over a slow line. */
  async function slowSignIn(origin: string) {
    const body = JSON.stringify({ username: 'admin', password: 'a password' });
    const socket = net.connect(Number(new URL(origin).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await sleep(200);
    return async () => {
      socket.write(body.slice(5));
      await closed;
      return answer;
    };
  }

  it.each(
    sampleOf([
      ['at once', 0],
      ['a moment later', 300],
    ] as const),
  )('by two signals, the second %s, answers what is under way', async (_when, laterMs) => {
    const server = await serving();
    const finish = await slowSignIn(server.origin);
    server.child.kill('SIGTERM');
    await sleep(laterMs);
    server.child.kill('SIGTERM');
    await sleep(200);
    const answer = await finish();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await server.ended).toBe(0);
  });

  it('again after a second ends at once', async () => {
    const server = await serving();
    await slowSignIn(server.origin);
    server.child.kill('SIGTERM');
    await sleep(1_200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(1);
  });

  it('says so to who asks whether it is ready, and still serves until they know', async () => {
    const server = await serving();
    const ask = (where: string) => fetch(`${server.origin}${where}`);
    expect((await ask('/readyz')).status).toBe(200);
    server.child.kill('SIGTERM');
    await sleep(500);
    const ready = await ask('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
    const served = await ask('/api/exchange-rates');
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    expect(await server.ended).toBe(0);
  });

  it('ends without a pause where nobody stands before it', async () => {
    const server = await serving();
    expect((await fetch(`${server.origin}/api/exchange-rates`)).status).toBe(200);
    const toldMs = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - toldMs).toBeLessThan(3_000);
  });
});
