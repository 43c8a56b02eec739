import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { timings } from '#server/platform/database/sql-engine.ts';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { verifyOnPostgres } from './books-check.ts';
import {
  type Answer,
  balanceOf,
  fund,
  memberEdit,
  newKey,
  nextPhone,
  type Request,
  registerBorrower,
  registrationOf,
  send,
  sendUntilAnswered,
  signInStaff,
  withdrawalBy,
} from './client.ts';
import { killPostgres, processesOf, signal } from './postgres-crash.ts';

/** The server while its database is away, stands still, or somebody else holds a lock in it. */
describe.skipIf(!hasPostgres())('the server on PostgreSQL', () => {
  let dataDir: string;
  let postgres: PostgresServer;
  let server: BuiltServer;
  let staff: string;
  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-away-'));
    postgres = await startPostgresServer();
    const settings = { DATABASE_URL: postgres.url, RATE_LIMIT_SCALE: '1000' };
    server = await startBuiltServer({ dataDir, settings });
    staff = await signInStaff(server.origin);
  });
  afterAll(async () => {
    await server?.stop();
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  /** The answer, and how long it took. */
  async function timed(request: Request): Promise<Answer & { ms: number }> {
    const startedMs = performance.now();
    return { ...(await send(server.origin, request)), ms: performance.now() - startedMs };
  }

  async function fundedBorrower(pesos = '5000.00') {
    const borrower = await registerBorrower(server.origin);
    await fund(server.origin, staff, borrower, pesos);
    return borrower;
  }

  /** A request of every kind: reading, money, staff, sign-in, upload, streamed lists. */
  const requestsOf = (borrower: { id: number; token: string }): Request[] => [
    { path: '/api/user/profile', token: borrower.token },
    { path: '/api/withdrawals', token: borrower.token },
    withdrawalBy(borrower, { key: newKey() }),
    { method: 'PUT', path: '/api/user/profile', token: borrower.token, body: fullProfile },
    { path: '/api/auth/login', body: { phone: '09170000000', password: 'some password' } },
    { path: '/api/auth/register', body: registrationOf(nextPhone()) },
    { path: '/api/admin/users', token: staff },
    memberEdit(staff, borrower, { balance: '1.00' }),
    { path: '/readyz' },
  ];

  const unavailable = {
    status: 503,
    body: { code: 'database_unavailable', message: expect.stringMatching(/^We cannot reach our records/) },
  };

  it('answers 503 while its database is gone, serves what needs none, and goes on within five seconds', async () => {
    const borrower = await fundedBorrower();
    await killPostgres(postgres);
    // Twice: at first the connections break, then there are none.
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(requestsOf(borrower).map(timed));
      for (const answer of answers) {
        expect(answer).toMatchObject(unavailable);
        expect(answer.ms).toBeLessThan(5_000);
      }
      expect(Number(answers[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await timed({ path: '/healthz' })).status).toBe(200);
      const landing = await fetch(`${server.origin}/`);
      expect([landing.status, await landing.text()]).toEqual([200, expect.stringContaining('<html')]);
      expect((await fetch(`${server.origin}/app-login`)).status).toBe(200);
    }
    await postgres.start();
    const backMs = performance.now();
    while ((await send(server.origin, { path: '/readyz' })).status !== 200) await sleep(20);
    for (const request of requestsOf(borrower).slice(0, 2)) {
      expect((await sendUntilAnswered(() => server.origin, request)).status).toBe(200);
    }
    expect(performance.now() - backMs).toBeLessThan(5_000);
    // Nothing of what was refused has happened, and it is the same process.
    expect(await balanceOf(server.origin, borrower)).toBe('5000.00');
    process.kill(server.pid, 0);
    expect((await verifyOnPostgres(postgres.url, dataDir)()).lines).toEqual([
      expect.stringContaining('are sound'),
    ]);
  });

  it('refuses what waits too long for a row that somebody holds, and lets everybody else go on', async () => {
    const held = await fundedBorrower();
    const other = await fundedBorrower();
    const holder = new pg.Client({ connectionString: postgres.url });
    holder.on('error', () => undefined);
    onTestFinished(() => holder.end().catch(() => undefined));
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from accounts where id = $1 for update', [held.id]);
    const keys = [newKey(), newKey(), newKey()];
    let areWaiting = true;
    const waiting = Promise.all(keys.map((key) => timed(withdrawalBy(held, { key })))).finally(() => {
      areWaiting = false;
    });
    await sleep(200);
    let served = 0;
    do {
      const answer = await timed({ path: '/api/user/profile', token: other.token });
      expect(answer.status).toBe(200);
      expect(answer.ms).toBeLessThan(timings.lockMs / 2);
      served += 1;
      if (served === 1) expect((await timed(withdrawalBy(other, { key: newKey() }))).status).toBe(201);
      await sleep(100);
    } while (areWaiting);
    expect(served).toBeGreaterThan(5);
    for (const answer of await waiting) {
      expect(answer).toMatchObject(unavailable);
      expect(answer.ms).toBeLessThan(timings.lockMs + 3_000);
    }
    await holder.query('rollback');

    expect(await balanceOf(server.origin, held)).toBe('5000.00');
    expect(await balanceOf(server.origin, other)).toBe('4000.00');
    // A 503 is never kept as the answer: the same key now does it, and once.
    for (let again = 0; again < 2; again += 1) {
      expect((await send(server.origin, withdrawalBy(held, { key: keys[0] ?? '' }))).status).toBe(201);
    }
    expect(await balanceOf(server.origin, held)).toBe('4000.00');
    expect((await verifyOnPostgres(postgres.url, dataDir)()).isClean).toBe(true);
  });

  it('does not wait for ever for a database that stands still, and goes on when it moves again', async () => {
    const borrower = await fundedBorrower();
    const stopped = await processesOf(postgres);
    const key = newKey();
    const withdrawal = withdrawalBy(borrower, { key });
    // Under way when it happens.
    const underWay = timed(withdrawal);
    signal(stopped, 'SIGSTOP');
    try {
      const answers = await Promise.all([...requestsOf(borrower).map(timed), underWay]);
      for (const answer of answers.slice(0, -1)) {
        expect(answer).toMatchObject(unavailable);
        expect(answer.ms).toBeLessThan(timings.silenceMs + 3_000);
      }
      expect([201, 503]).toContain(answers.at(-1)?.status);
      expect((await timed({ path: '/healthz' })).status).toBe(200);
      expect((await timed({ path: '/readyz' })).ms).toBeLessThan(timings.readyMs + 1_000);
    } finally {
      signal(stopped, 'SIGCONT');
    }
    const movedMs = performance.now();
    const profile = { path: '/api/user/profile', token: borrower.token };
    expect((await sendUntilAnswered(() => server.origin, profile)).status).toBe(200);
    expect(performance.now() - movedMs).toBeLessThan(5_000);
    // Whatever became of it meanwhile: with its key it happens once.
    expect((await sendUntilAnswered(() => server.origin, withdrawal)).status).toBe(201);
    expect(await balanceOf(server.origin, borrower)).toBe('4000.00');
    expect((await verifyOnPostgres(postgres.url, dataDir)()).isClean).toBe(true);
  });
});
