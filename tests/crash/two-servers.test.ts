import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { isTorture } from '#tests/setup/torture.ts';
import {
  type Borrower,
  borrowerPassword,
  memberEdit,
  nextPhone,
  registerBorrower,
  registrationOf,
  send,
  signInStaff,
  succeed,
} from './client.ts';
import { processesOf, signal } from './postgres-crash.ts';

/** Two servers on a primary, whose lists are read on a server that follows it. */
describe.skipIf(!hasPostgres())('two servers', () => {
  let dataDir: string;
  let primary: PostgresServer;
  let replica: PostgresServer;
  const servers: BuiltServer[] = [];
  let writing: string;
  let listing: string;
  let staff: string;
  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-replica-'));
    primary = await startPostgresServer();
    replica = await startPostgresServer({ follows: primary.url });
    [writing = '', listing = ''] = await Promise.all([serve(primary, replica), serve(primary, replica)]);
    staff = await signInStaff(writing);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await replica?.stop();
    await primary?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  async function serve(written: PostgresServer, read: PostgresServer): Promise<string> {
    const settings = {
      DATABASE_URL: written.url,
      DATABASE_REPLICA_URL: read.url,
      RATE_LIMIT_SCALE: '1000',
      METRICS_TOKEN: 'metrics',
    };
    const server = await startBuiltServer({ dataDir, settings });
    servers.push(server);
    return server.origin;
  }

  /** If one of them ends a session, the other must know it at once. */
  describe('a session that ends on one server process', () => {
    const edit = (borrower: Borrower, body: object) => succeed(writing, memberEdit(staff, borrower, body));
    const remove = ({ id }: Borrower) =>
      succeed(writing, { method: 'DELETE', path: `/api/admin/users/${id}`, token: staff });

    const ends: [how: string, end: (borrower: Borrower) => Promise<unknown>, status: number][] = [
      [
        'by signing out',
        ({ token }) => succeed(writing, { method: 'POST', path: '/api/auth/logout', token }),
        401,
      ],
      ['by a password that staff set', (borrower) => edit(borrower, { password: 'set by staff' }), 401],
      ['by a suspension', (borrower) => edit(borrower, { status: 'suspended' }), 403],
      ['by the deletion of the account', remove, 401],
    ];

    it.each(ends)('%s is refused on the other with its very next request', async (_how, end, status) => {
      const borrower = await registerBorrower(writing);
      const { token } = borrower;
      const ask = () => send(listing, { path: '/api/user/profile', token });
      // It was used over there a moment ago: whatever that process might remember, it remembers.
      for (let time = 0; time < 5; time += 1) expect((await ask()).status).toBe(200);
      await end(borrower);
      expect((await ask()).status).toBe(status);
    });

    it('by a change of one’s own password is refused there, and the one that made it is not', async () => {
      const { token, phone } = await registerBorrower(writing);
      const credentials = { phone, password: borrowerPassword };
      const other = await succeed(listing, { path: '/api/auth/login', body: credentials });
      const ask = (asked: unknown) =>
        send(listing, { path: '/api/user/profile', token: String(asked) }).then(({ status }) => status);
      expect([await ask(token), await ask(other.token)]).toEqual([200, 200]);
      await succeed(writing, {
        method: 'PUT',
        path: '/api/user/password',
        token,
        body: { currentPassword: borrowerPassword, newPassword: 'another password' },
      });
      expect([await ask(token), await ask(other.token)]).toEqual([200, 401]);
    });
  });

  describe('lists on a replica', () => {
    const onReplica = (sql: string) => withClient(replica.url, (client) => client.query(sql));

    /** Counts by which server the lists of `listing` were answered so far. */
    async function reads(origin = listing): Promise<{ replica: number; primary: number }> {
      const text = await (
        await fetch(`${origin}/metrics`, { headers: { authorization: 'Bearer metrics' } })
      ).text();
      const count = (server: string) =>
        Number(new RegExp(`^replica_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
      return { replica: count('replica'), primary: count('primary') };
    }

    async function list(resource: string, origin = listing): Promise<{ body: unknown[]; ms: number }> {
      const startedMs = performance.now();
      const { status, body } = await send(origin, { path: `/api/admin/${resource}`, token: staff });
      expect(status).toBe(200);
      return { body: body as unknown as unknown[], ms: performance.now() - startedMs };
    }

    /** Writes by one server and reads each kind of list by the other. */
    async function expectOwnWrites(writer = writing, reader = listing): Promise<void> {
      const { id } = await registerBorrower(writer);
      expect((await list('users', reader)).body[0]).toMatchObject({ id });
      await succeed(writer, memberEdit(staff, { id }, { balance: '5.00' }));
      const [entry] = (await list('audit', reader)).body;
      expect(entry).toMatchObject({ targetId: id });
      const total = async () =>
        ((await list('stats', reader)).body as unknown as { members: { total: number } }).members.total;
      const members = await total();
      await registerBorrower(writer);
      expect(await total()).toBe(members + 1);
    }

    it('show what another server has just written, without burdening the primary', async () => {
      const before = await reads();
      for (let round = 0; round < 5; round += 1) await expectOwnWrites();
      const after = await reads();
      expect(after.replica - before.replica).toBe(20);
      expect(after.primary).toBe(before.primary);
    });

    it('show it too while the replica stands behind, and leave the replica alone for a while', async () => {
      await onReplica('select pg_wal_replay_pause()');
      const before = await reads();
      await expectOwnWrites();
      expect((await list('users')).ms).toBeLessThan(1_000);
      const after = await reads();
      expect(after.replica).toBe(before.replica);
      await onReplica('select pg_wal_replay_resume()');
      await expectReplicaAgain();
    });

    async function expectReplicaAgain(): Promise<void> {
      const before = await reads();
      await expect
        .poll(async () => {
          await list('withdrawals');
          return (await reads()).replica;
        })
        .toBeGreaterThan(before.replica);
    }

    it('are answered within two seconds while the replica hangs', async () => {
      const processes = await processesOf(replica);
      signal(processes, 'SIGSTOP');
      try {
        for (let n = 0; n < 3; n += 1) expect((await list('loans')).ms).toBeLessThan(2_000);
        await expectOwnWrites();
      } finally {
        signal(processes, 'SIGCONT');
      }
      await expectReplicaAgain();
    });

    it('are answered while the replica is gone, and by it when it is back', async () => {
      await replica.kill();
      expect((await list('payments')).ms).toBeLessThan(2_000);
      await expectOwnWrites();
      await replica.start();
      await expectReplicaAgain();
      await expectOwnWrites();
    });

    it.runIf(isTorture)('are not read on a server that follows a primary which was replaced', async () => {
      const heir = await startPostgresServer({ follows: primary.url });
      onTestFinished(heir.stop);
      await withClient(heir.url, (client) => client.query('select pg_promote()'));
      // The replica must hold more of the old primary's log than the new one has written.
      for (let n = 0; n < 5; n += 1) {
        await succeed(writing, { path: '/api/auth/register', body: registrationOf(nextPhone()) });
      }
      const after = await serve(heir, replica);
      await expectOwnWrites(after, after);
      expect((await reads(after)).replica).toBe(0);
    });

    it('are not read on a replica that was made a primary', async () => {
      await onReplica('select pg_promote()');
      await sleep(100);
      const before = await reads();
      await expectOwnWrites();
      expect((await reads()).replica).toBe(before.replica);
    });
  });
});
