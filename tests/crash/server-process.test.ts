import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shortLived } from '#tests/setup/built-server.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { registerBorrower, send } from './client.ts';
import { prepareDataDir } from './prepared-data.ts';

/** The server and its console commands as processes on the embedded engine: the build's, or else from their sources. */
const { TEST_BUILD_DIR: buildDir } = process.env;

const argumentsFor = (name: string) =>
  buildDir
    ? [path.join(buildDir, 'server', `${path.basename(name)}.js`)]
    : ['--import', 'tsx', `server/${name}.ts`];

const slow = { timeout: 90_000 };

let dataDir: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-process-'));
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

function run(name: string, env: Record<string, string> = {}) {
  const [file = '', ...words] = name.split(' ');
  const child = spawn(process.execPath, [...shortLived, ...argumentsFor(file), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', ...env },
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

async function start(env: Record<string, string> = {}) {
  await prepareDataDir(dataDir);
  const server = run('main', env);
  const origin = await new Promise<string>((resolve, reject) => {
    server.child.stdout?.on('data', () => {
      const found = /Hiram listens on (http:\S+)/.exec(server.said.out)?.[1];
      if (found) resolve(found);
    });
    void server.ended.then((code) => reject(new Error(`ended with ${code}: ${server.said.err}`)));
  });
  return { ...server, origin };
}

const decodersOf = ({ pid }: ChildProcess) =>
  spawnSync('pgrep', ['-P', String(pid), '-f', 'image-decoder'], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((line) => (line === '' ? [] : [Number(line)]));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked about is still listed.
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const signIn = async (origin: string, password: string) => {
  const response = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return response.status;
};

describe('the server', slow, () => {
  it('tells the generated password once, and ends orderly when it is asked to', async () => {
    const first = await start();
    const password = /with the password (\S+)/.exec(first.said.out)?.[1] ?? '';
    expect(await signIn(first.origin, password)).toBe(200);
    // Last of the start and apart from the log, where somebody who starts it looks.
    expect(first.said.out).toMatch(
      /^Hiram listens on .*\n.*\n\n(─+)\nThe main admin signs in at \/admin-login as "admin" with the password \S+ \(shown only this once\)\.\n\1\n\n/m,
    );
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.said.err).toBe('');

    const second = await start({ MAIN_ADMIN_PASSWORD: 'another password' });
    expect(second.said.out).not.toContain('password');
    expect(await signIn(second.origin, password)).toBe(200);
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('finishes the request that is under way', async () => {
    const server = await start({ MAIN_ADMIN_PASSWORD: 'a password' });
    const body = JSON.stringify({ username: 'admin', password: 'a password' });
    const socket = net.connect(Number(new URL(server.origin).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 5)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    server.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write(body.slice(5));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.ended).toBe(0);
  });

  it.each(['has gone', 'has stopped reading'])('ends though who read its log %s', async (reader) => {
    const server = await start();
    server.child.stdout?.pause();
    // More lines than fit between the two processes.
    for (let asked = 0; asked < 1_000; asked += 1) await (await fetch(`${server.origin}/healthz`)).text();
    if (reader === 'has gone') server.child.stdout?.destroy();
    const toldMs = performance.now();
    const exited = new Promise((resolve) => server.child.once('exit', resolve));
    server.child.kill('SIGTERM');
    expect(await Promise.race([exited, sleep(15_000, 'still there')])).toBe(0);
    expect(performance.now() - toldMs).toBeLessThan(10_000);
  });

  it.skipIf(process.platform !== 'linux')(
    'keeps its decoder of photos until what is under way is answered, and leaves none behind when it is killed',
    async () => {
      const server = await start();
      const { token } = await registerBorrower(server.origin);
      const upload = (file: Buffer) =>
        send(server.origin, { path: '/api/upload', token, form: formWithFile(file) });
      expect((await upload(await photo())).status).toBe(201);
      const [decoder = 0] = decodersOf(server.child);
      // A service manager tells every process of the service.
      process.kill(decoder, 'SIGTERM');
      process.kill(decoder, 'SIGINT');
      expect((await upload(await photo())).status).toBe(201);
      expect(decodersOf(server.child)).toEqual([decoder]);

      const large = await sharp({ create: { width: 7_000, height: 7_000, channels: 4, background: '#0000' } })
        .toColourspace('rgb16')
        .png({ progressive: true })
        .toBuffer();
      const cutOff = upload(large).catch(() => 'cut off');
      await new Promise((resolve) => setTimeout(resolve, 500));
      server.child.kill('SIGKILL');
      expect(await cutOff).toBe('cut off');
      // In the midst of its work, of which it would have had some seconds more.
      await expect.poll(() => isRunning(decoder)).toBe(false);
    },
  );

  it('does not share its data directory, and names who has it', async () => {
    const first = await start({ MAIN_ADMIN_PASSWORD: 'a password' });
    const second = run('main');
    expect(await second.ended).toBe(1);
    expect(second.said.out).toBe('');
    expect(second.said.err.trim().split('\n')).toHaveLength(1);
    expect(second.said.err).toContain(`process ${first.child.pid}`);
    expect(await signIn(first.origin, 'a password')).toBe(200);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT must be'],
    [{ LOAN_MONTHLY_RATE: '-1' }, 'LOAN_MONTHLY_RATE must be'],
    [{ SECRET_KEY: 'too short' }, 'SECRET_KEY must be'],
    [{ LENDER_CONFIG: '/nowhere/lender.json' }, 'LENDER_CONFIG names'],
  ])('refuses %j with one line', async (env, words) => {
    const server = run('main', env);
    expect(await server.ended).toBe(1);
    expect(server.said.out).toBe('');
    expect(server.said.err.trim().split('\n')).toHaveLength(1);
    expect(server.said.err).toContain(words);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it('says so when its port is taken, and still tells the password that it made', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as net.AddressInfo;
    const server = run('main', { PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.said.out).toMatch(/with the password \S+ \(shown only this once\)/);
    expect(server.said.err).toBe(
      `Hiram cannot start: PORT ${port} on 127.0.0.1 is used by another program\n`,
    );
    other.close();
  });
});

describe('the console', slow, () => {
  it('has its commands done by the server that runs', async () => {
    const server = await start({ MAIN_ADMIN_PASSWORD: 'a password' });
    expect(fs.statSync(path.join(dataDir, 'console.sock')).mode & 0o077).toBe(0);
    const reset = run('books/console admin-reset', { MAIN_ADMIN_PASSWORD: 'another password' });
    expect(await reset.ended).toBe(0);
    expect(reset.said.out).toContain('is now the one in MAIN_ADMIN_PASSWORD');
    expect(await signIn(server.origin, 'a password')).toBe(401);
    expect(await signIn(server.origin, 'another password')).toBe(200);
    const cleared = run('books/console admin-clear-ips');
    expect(await cleared.ended).toBe(0);
    expect(cleared.said.out).toContain('is empty now');

    // A server that was killed leaves its socket behind; the commands then open the database themselves.
    server.child.kill('SIGKILL');
    await server.ended;
    const later = run('books/console admin-reset');
    expect(await later.ended).toBe(0);
    expect(later.said.out).toMatch(/with the password \S+/);
  });

  it('does its work though nobody reads what it says', async () => {
    const server = await start();
    server.child.kill('SIGTERM');
    await server.ended;
    const backup = path.join(dataDir, 'backup');
    const unread = run(`books/console backup ${backup}`);
    // As `npm run backup … | head -0` does.
    unread.child.stdout?.destroy();
    expect({ code: await unread.ended, err: unread.said.err }).toEqual({ code: 0, err: '' });
    expect(fs.existsSync(path.join(backup, 'manifest.json'))).toBe(true);
  });

  it('resets the main admin and clears the allow-list while the server is stopped', async () => {
    const before = await start({ MAIN_ADMIN_PASSWORD: 'a password' });
    const token = await fetch(`${before.origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'a password' }),
    }).then(async (response) => ((await response.json()) as { token: string }).token);
    await fetch(`${before.origin}/api/admin/allowed-ips`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ipAddress: '203.0.113.7' }),
    });
    before.child.kill('SIGTERM');
    await before.ended;

    const generated = run('books/console admin-reset');
    expect(await generated.ended).toBe(0);
    const password = /with the password (\S+)/.exec(generated.said.out)?.[1] ?? '';
    const cleared = run('books/console admin-clear-ips');
    expect(await cleared.ended).toBe(0);
    expect(cleared.said.out).toContain('had 2 entries and is empty now');

    const after = await start();
    expect(await signIn(after.origin, 'a password')).toBe(401);
    expect(await signIn(after.origin, password)).toBe(200);
    const stale = await fetch(`${after.origin}/api/user/profile`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stale.status).toBe(401);
  });
});
