import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { clearAllowedIps } from '#server/services/allowed-ip-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import { auditEntries } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';

const server = await testServer();

const here = '127.0.0.1';

const add = (
  ipAddress: string,
  { description, address = here }: { description?: string; address?: string } = {},
) => server.main.addAllowedIp({ ipAddress, description }, { address });

const list = (address = here) => server.main.listAllowedIps({ address });

const remove = (id: number, address = here) => server.main.removeAllowedIp(id, { address });

const addresses = async (from = here) => (await list(from)).map(({ ipAddress }) => ipAddress);

describe('an empty list', () => {
  it('allows every address', async () => {
    expect(await list()).toEqual([]);
    for (const address of ['198.51.100.1', '2001:db8::1']) {
      await server.main.listMembers(undefined, { address });
    }
  });
});

describe('adding', () => {
  it('adds the caller’s own address as a second entry', async () => {
    const { status, body } = await add('203.0.113.0/24', { description: 'Head office' }).answer();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      ipAddress: '203.0.113.0/24',
      description: 'Head office',
      createdAt: '2026-03-10T04:00:00.000Z',
      coversCaller: false,
    });
    const entries = await list();
    expect(entries).toMatchObject([
      { ipAddress: '203.0.113.0/24', coversCaller: false },
      { ipAddress: here, description: 'Added so that you keep access', coversCaller: true },
    ]);
  });

  it('adds none beside an entry that covers the caller', async () => {
    expect((await add('127.0.0.0/8')).coversCaller).toBe(true);
    await add('203.0.113.7');
    expect(await addresses()).toEqual(['127.0.0.0/8', '203.0.113.7']);
  });

  it('treats an IPv4-mapped IPv6 address as its IPv4 address', async () => {
    await add('203.0.113.7', { address: '::ffff:198.51.100.1' });
    expect(await addresses('198.51.100.1')).toEqual(['203.0.113.7', '198.51.100.1']);
    expect((await add('::ffff:203.0.113.7', { address: '198.51.100.1' }).answer()).body.code).toBe(
      'ip_already_listed',
    );
  });

  it('keeps an IPv6 caller’s access', async () => {
    await add('203.0.113.7', { address: '2001:DB8:0:0::1' });
    expect(await addresses('2001:db8::1')).toEqual(['203.0.113.7', '2001:db8::1']);
  });

  it.each([
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['2001:0DB8::/32', '2001:db8::/32'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('stores %s as %s', async (written, stored) => {
    expect((await add(written)).ipAddress).toBe(stored);
  });

  it.each(['', '   '])('without an address (%j) asks for one', async (written) => {
    const { status, body } = await add(written).answer();
    expect([status, body.message]).toEqual([400, 'Please enter an IP address']);
  });

  it.each([
    ...[
      'localhost',
      '10.1',
      '256.1.1.1',
      '203.0.113.7/33',
      '203.0.113.7/-1',
      '203.0.113.7/',
      '203.0.113.7/a',
    ],
    ...[
      '1.2.3.4/8/8',
      '0x7f.0.0.1',
      '2001:db8::/129',
      'fe80::1%eth0',
      '::1::',
      '203.0.113.7; drop table',
      '*',
    ],
  ])('refuses %s', async (written) => {
    expect((await refused(add(written), 400)).errors).toHaveProperty('ipAddress');
    expect(await list()).toEqual([]);
  });

  it('refuses an address that is already listed in any spelling, even when both arrive at once', async () => {
    await add('127.0.0.0/8');
    const all = await Promise.all(
      ['203.0.113.0/24', '203.0.113.9/24', '::ffff:203.0.113.0/120'].map((written) => add(written).answer()),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await add('127.1.2.3/8').answer()).body).toEqual({
      code: 'ip_already_listed',
      message: 'This address is already on the list',
    });
  });

  it('two first entries at once from two addresses lock nobody out unnoticed', async () => {
    await server.signInMainAdmin();
    const all = await Promise.all([
      add('203.0.113.1', { address: '198.51.100.1' }).answer(),
      add('203.0.113.2', { address: '198.51.100.2' }).answer(),
    ]);
    // Whoever came second met a list that does not cover them, as if they had come a moment later.
    expect(all.map(({ status }) => status).sort()).toEqual([201, 403]);
    const first = all[0].status === 201 ? '198.51.100.1' : '198.51.100.2';
    expect(await addresses(first)).toHaveLength(2);
  });
});

describe('a list with entries', () => {
  it('keeps staff out from other addresses, and never borrowers', async () => {
    await add('203.0.113.0/24');
    const from = async (address: string) =>
      (await server.main.listMembers(undefined, { address }).answer()).body.code;
    expect(await from('203.0.113.77')).toBeUndefined();
    expect(await from('::ffff:203.0.113.77')).toBeUndefined();
    expect(await from('203.0.114.1')).toBe('ip_not_allowed');
    expect(await from('2001:db8::1')).toBe('ip_not_allowed');
    const borrower = await server.registerBorrower();
    await borrower.readProfile({ address: '203.0.114.1' });
  });

  it('answers a sign-in from another address the same whatever the password, and counts no try', async () => {
    await add('203.0.113.0/24');
    const { phone, password } = await server.registerBorrower();
    const from = async (address: string, body: { username: string; password: string }) => {
      const { status, body: reply } = await server.visitor.signIn(body, { address }).answer();
      return [status, 'code' in reply ? reply.code : undefined];
    };
    const elsewhere = '198.51.100.9';
    const kept = [403, 'ip_not_allowed'];
    expect(await from(elsewhere, { username: 'admin', password: mainAdminPassword })).toEqual(kept);
    for (let tries = 0; tries < 3 * limits.wrongPasswordsPerAccount; tries += 1)
      expect(await from(elsewhere, { username: 'admin', password: 'wrong word' })).toEqual(kept);
    // Whose name is staff's is not told either.
    expect(await from(elsewhere, { username: 'nobody@lender.example', password: 'wrong word' })).toEqual(
      kept,
    );
    expect(await from(elsewhere, { username: phone, password })).toEqual(kept);
    const asBorrower = { phone: 'admin', password: mainAdminPassword };
    await refused(server.visitor.signIn(asBorrower, { address: elsewhere }), 403);

    expect(await from('203.0.113.5', { username: 'admin', password: 'wrong word' })).toEqual([
      401,
      'invalid_credentials',
    ]);
    const signedIn = await from('203.0.113.5', { username: 'admin', password: mainAdminPassword });
    expect(signedIn).toEqual([200, undefined]);
    const borrower = await server.registerBorrower();
    await borrower.readProfile({ address: elsewhere });
    // The log has the first of them, and a flood does not fill it.
    const logged = await server.database.read((reader) =>
      reader.$count(auditEntries, eq(auditEntries.ipAddress, elsewhere)),
    );
    expect(logged).toBe(limits.refusedAddressesLoggedPerHour);
  });

  it('lets staff at another address do nothing but sign out', async () => {
    await add('203.0.113.0/24');
    const change = { currentPassword: mainAdminPassword, newPassword: 'another word' };
    const refused = [
      await server.main.readProfile({ address: '198.51.100.9' }).answer(),
      await server.main.changePassword(change, { address: '198.51.100.9' }).answer(),
      await server.main.listNotifications(undefined, { address: '198.51.100.9' }).answer(),
    ];
    expect(refused.map(({ status, body }) => [status, 'code' in body && body.code])).toEqual(
      refused.map(() => [403, 'ip_not_allowed']),
    );
    await server.main.signOut({ address: '198.51.100.9' });
  });

  it('ignores a header that claims another address', async () => {
    await add('127.0.0.1');
    const { body } = await server.main
      .listMembers(undefined, {
        headers: { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' },
        address: '198.51.100.1',
      })
      .answer();
    expect(body.code).toBe('ip_not_allowed');
  });
});

describe('removing', () => {
  it('of the entry that keeps the caller’s access is refused while others remain', async () => {
    await add('203.0.113.0/24');
    const [office, own] = await list();
    const told = await refused(remove(own?.id ?? 0), 409);
    expect(told).toEqual({
      code: 'own_address',
      message: 'This entry keeps your own access. Remove the others first.',
    });
    expect(await addresses()).toHaveLength(2);
    await remove(office?.id ?? 0);
    const last = await remove(own?.id ?? 0).answer();
    expect([last.status, last.body.message]).toEqual([200, 'Deleted']);
    expect(await list('198.51.100.1')).toEqual([]);
  });

  it('is allowed when another entry covers the caller too', async () => {
    await add('127.0.0.0/8');
    await add('127.0.0.1');
    const [wide] = await list();
    await remove(wide?.id ?? 0);
    expect(await addresses()).toEqual(['127.0.0.1']);
  });

  it('of both covering entries at once leaves one of them', async () => {
    await add('127.0.0.0/8');
    await add('127.0.0.1');
    await add('203.0.113.1');
    const [wide, narrow] = await list();
    const all = await Promise.all([remove(wide?.id ?? 0).answer(), remove(narrow?.id ?? 0).answer()]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await list()).toHaveLength(2);
  });

  it('of what is not there is a 404', async () => {
    await refused(remove(999), 404);
    await refused(remove('x' as never), 404);
  });
});

describe('behind a proxy that no setting names', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.50' };

  it('the first entry is refused: it would let in everybody, or nobody', async () => {
    const body = { ipAddress: '203.0.113.50' };
    await refused(server.main.addAllowedIp(body, { headers: forwarded }), 409, 'proxy_not_named');
    expect(await addresses()).toEqual([]);
    // Somebody else's header says nothing about the main admin's own way here.
    await server.app.inject({ url: '/healthz', headers: forwarded });
    expect((await add('203.0.113.50').answer()).status).toBe(201);
    expect(
      (await server.main.addAllowedIp({ ipAddress: '203.0.113.51' }, { headers: forwarded }).answer()).status,
    ).toBe(201);
  });

  it('Settings say so', async () => {
    const own = await passingServer({ deps: { database: server.database } });
    const read = async () => {
      return await own.main.readInstallation();
    };
    expect(await read()).toEqual({ unnamedProxy: null });
    await own.app.inject({ url: '/healthz', headers: forwarded, remoteAddress: '10.1.1.1' });
    await own.app.inject({ url: '/healthz', headers: forwarded, remoteAddress: '10.2.2.2' });
    expect(await read()).toEqual({ unnamedProxy: '10.1.1.1' });
    const named = await passingServer({
      config: { trustProxy: ['10.0.0.0/8'] },
      deps: { database: server.database },
    });
    await named.app.inject({ url: '/healthz', headers: forwarded, remoteAddress: '10.1.1.1' });
    expect(await named.main.readInstallation()).toEqual({ unnamedProxy: null });
    const body = { ipAddress: '203.0.113.60' };
    const added = await named.main.addAllowedIp(body, { headers: forwarded, address: '10.1.1.1' }).answer();
    expect(added.status).toBe(201);
  });
});

it('the console empties the list, and the log says so', async () => {
  await add('203.0.113.0/24', { address: '203.0.113.5' });
  await refused(server.main.listMembers(undefined, { address: '198.51.100.1' }), 403);
  expect(await clearAllowedIps(server.deps, serverConsole)).toBe(1);
  const body = await server.main.listAudit(undefined, { address: '198.51.100.1' });
  expect(body[0]).toMatchObject({
    action: 'allowed_ips_cleared',
    actorId: null,
    before: { ipAddresses: ['203.0.113.0/24'] },
  });
});
