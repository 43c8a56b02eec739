import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { type Borrower, borrowerPassword, registerBorrower, send, signInStaff, succeed } from './client.ts';

/** Two server processes on one database: what ends a session on one of them must be known to the other at once. */
describe.skipIf(!hasPostgres())('a session that ends on one server process', () => {
  let dataDir: string;
  let postgres: PostgresServer;
  let here: BuiltServer;
  let there: BuiltServer;
  let staff: string;

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-sessions-'));
    postgres = await startPostgresServer();
    const settings = { DATABASE_URL: postgres.url, RATE_LIMIT_SCALE: '1000' };
    // One after the other: the first makes the key that both use.
    here = await startBuiltServer({ dataDir, settings });
    there = await startBuiltServer({ dataDir, settings });
    staff = await signInStaff(here.origin);
  });
  afterAll(async () => {
    await Promise.all([here?.stop(), there?.stop()]);
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  const asMember = ({ id }: Borrower, method: string, body?: unknown) =>
    succeed(here.origin, {
      method,
      path: `/api/admin/users/${id}`,
      token: staff,
      ...(body ? { body } : {}),
    });

  const ends: [how: string, end: (borrower: Borrower) => Promise<unknown>, status: number][] = [
    [
      'by signing out',
      ({ token }) => succeed(here.origin, { method: 'POST', path: '/api/auth/logout', token }),
      401,
    ],
    [
      'by a password that staff set',
      (borrower) => asMember(borrower, 'PUT', { password: 'set by staff' }),
      401,
    ],
    ['by a suspension', (borrower) => asMember(borrower, 'PUT', { status: 'suspended' }), 403],
    ['by the deletion of the account', (borrower) => asMember(borrower, 'DELETE'), 401],
  ];

  it.each(ends)('%s is refused on the other with its very next request', async (_how, end, status) => {
    const borrower = await registerBorrower(here.origin);
    const { token } = borrower;
    const ask = () => send(there.origin, { path: '/api/user/profile', token });
    // It was used over there a moment ago: whatever that process might remember, it remembers.
    for (let time = 0; time < 5; time += 1) expect((await ask()).status).toBe(200);
    await end(borrower);
    expect((await ask()).status).toBe(status);
  });

  it('by a change of one’s own password is refused there, and the one that made it is not', async () => {
    const { token, phone } = await registerBorrower(here.origin);
    const credentials = { phone, password: borrowerPassword };
    const other = await succeed(there.origin, { path: '/api/auth/login', body: credentials });
    const ask = (asked: unknown) =>
      send(there.origin, { path: '/api/user/profile', token: String(asked) }).then(({ status }) => status);
    expect([await ask(token), await ask(other.token)]).toEqual([200, 200]);
    await succeed(here.origin, {
      method: 'PUT',
      path: '/api/user/password',
      token,
      body: { currentPassword: borrowerPassword, newPassword: 'another password' },
    });
    expect([await ask(token), await ask(other.token)]).toEqual([200, 401]);
  });
});
