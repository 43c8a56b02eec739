import { type ChildProcess, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { registerBorrower, send, succeed } from './client.ts';
import { command, ownFolder, run, start as startWith } from './processes.ts';

/** The server and its console commands on the embedded engine. */
const own = ownFolder();

const slow = { timeout: 90_000 };

const settings = (more: Record<string, string> = {}) => ({ DATA_DIR: own.home, ...more });
const start = (more?: Record<string, string>) => startWith(settings(more));
const password = { MAIN_ADMIN_PASSWORD: 'a password' };

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

const signIn = (origin: string, word: string) =>
  send(origin, { path: '/api/auth/login', body: { username: 'admin', password: word } });

const signInStatus = async (origin: string, word: string) => (await signIn(origin, word)).status;

describe('the server', slow, () => {
  it('tells the generated password once, and ends orderly when it is asked to', async () => {
    const first = await start();
    const made = /with the password (\S+)/.exec(first.said.out)?.[1] ?? '';
    expect(await signInStatus(first.origin, made)).toBe(200);
    // Last of the start and apart from the log, where somebody who starts it looks.
    expect(first.said.out).toMatch(
      /^Hiram listens on .*\n.*\n\n(─+)\nThe main admin signs in at \/admin-login as "admin" with the password \S+ \(shown only this once\)\.\n\1\n\n/m,
    );
    expect(await first.stop()).toBe(0);
    expect(first.said.err).toBe('');

    const second = await start({ MAIN_ADMIN_PASSWORD: 'another password' });
    expect(second.said.out).not.toContain('password');
    expect(await signInStatus(second.origin, made)).toBe(200);
    expect(await second.stop('SIGINT')).toBe(0);
  });

  it.runIf(isTorture)('finishes the request that is under way', async () => {
    const server = await start(password);
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
    await sleep(200);
    server.child.kill('SIGTERM');
    await sleep(200);
    socket.write(body.slice(5));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.ended).toBe(0);
  });

  it.runIf(isTorture).each(['has gone', 'has stopped reading'])(
    'ends though who read its log %s',
    async (reader) => {
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
    },
  );

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
      await sleep(500);
      server.child.kill('SIGKILL');
      expect(await cutOff).toBe('cut off');
      // In the midst of its work, of which it would have had some seconds more.
      await expect.poll(() => isRunning(decoder)).toBe(false);
    },
  );

  it.runIf(isTorture)('does not share its data directory, and names who has it', async () => {
    const first = await start(password);
    const second = run('main', [], settings());
    expect(await second.ended).toBe(1);
    expect(second.said.out).toBe('');
    expect(second.said.err.trim().split('\n')).toHaveLength(1);
    expect(second.said.err).toContain(`process ${first.child.pid}`);
    expect(await signInStatus(first.origin, 'a password')).toBe(200);
  });

  const refusals: [env: Record<string, string>, words: string][] = [
    [{ PORT: 'abc' }, 'PORT must be'],
    [{ LOAN_MONTHLY_RATE: '-1' }, 'LOAN_MONTHLY_RATE must be'],
    [{ SECRET_KEY: 'too short' }, 'SECRET_KEY must be'],
    [{ LENDER_CONFIG: '/nowhere/lender.json' }, 'LENDER_CONFIG names'],
  ];
  it.each(sampleOf(refusals, 4))('refuses %j with one line', async (env, words) => {
    const server = run('main', [], settings(env));
    expect(await server.ended).toBe(1);
    expect(server.said.out).toBe('');
    expect(server.said.err.trim().split('\n')).toHaveLength(1);
    expect(server.said.err).toContain(words);
    expect(fs.readdirSync(own.home)).toEqual([]);
  });

  it.runIf(isTorture)(
    'says so when its port is taken, and still tells the password that it made',
    async () => {
      const other = net.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const { port } = other.address() as net.AddressInfo;
      const server = run('main', [], settings({ PORT: String(port) }));
      expect(await server.ended).toBe(1);
      expect(server.said.out).toMatch(/with the password \S+ \(shown only this once\)/);
      expect(server.said.err).toBe(
        `Hiram cannot start: PORT ${port} on 127.0.0.1 is used by another program\n`,
      );
      other.close();
    },
  );
});

describe('the console', slow, () => {
  it('has its commands done by the server that runs', async () => {
    const server = await start(password);
    expect(fs.statSync(path.join(own.home, 'console.sock')).mode & 0o077).toBe(0);
    const another = settings({ MAIN_ADMIN_PASSWORD: 'another password' });
    const reset = await command(['admin-reset'], another);
    expect([reset.code, reset.out]).toEqual([
      0,
      expect.stringContaining('is now the one in MAIN_ADMIN_PASSWORD'),
    ]);
    expect(await signInStatus(server.origin, 'a password')).toBe(401);
    expect(await signInStatus(server.origin, 'another password')).toBe(200);
    const cleared = await command(['admin-clear-ips'], settings());
    expect([cleared.code, cleared.out]).toEqual([0, expect.stringContaining('is empty now')]);

    // A server that was killed leaves its socket behind; the commands then open the database themselves.
    await server.stop('SIGKILL');
    const later = await command(['admin-reset'], settings());
    expect([later.code, later.out]).toEqual([0, expect.stringMatching(/with the password \S+/)]);
  });

  it.runIf(isTorture)('does its work though nobody reads what it says', async () => {
    const server = await start();
    await server.stop();
    const backup = path.join(own.home, 'backup');
    const unread = run('books/console', ['backup', backup], settings());
    // `npm run backup … | head -0` does the same.
    unread.child.stdout?.destroy();
    expect({ code: await unread.ended, err: unread.said.err }).toEqual({ code: 0, err: '' });
    expect(fs.existsSync(path.join(backup, 'manifest.json'))).toBe(true);
  });

  it.runIf(isTorture)(
    'resets the main admin and clears the allow-list while the server is stopped',
    async () => {
      const before = await start(password);
      const { body } = await signIn(before.origin, 'a password');
      const token = String(body.token);
      const ipAddress = '203.0.113.7';
      await succeed(before.origin, { path: '/api/admin/allowed-ips', token, body: { ipAddress } });
      await before.stop();

      const reset = await command(['admin-reset'], settings());
      const made = /with the password (\S+)/.exec(reset.out)?.[1] ?? '';
      expect(reset.code).toBe(0);
      const cleared = await command(['admin-clear-ips'], settings());
      expect([cleared.code, cleared.out]).toEqual([
        0,
        expect.stringContaining('had 2 entries and is empty now'),
      ]);

      const after = await start();
      expect(await signInStatus(after.origin, 'a password')).toBe(401);
      expect(await signInStatus(after.origin, made)).toBe(200);
      expect((await send(after.origin, { path: '/api/user/profile', token })).status).toBe(401);
    },
  );
});
