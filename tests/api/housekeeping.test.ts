import { count } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { idempotencyKeys, knownNetworks, sessions, tries } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { bothEngines, storedAccount } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { application } from './lending.ts';

describe.each(bothEngines)('on %s', async (engine) => {
  /** Unused documents are looked after in `documents.test.ts`. */
  const server = await testServer({ engine });

  const rowsOf = async (
    table: typeof sessions | typeof tries | typeof idempotencyKeys | typeof knownNetworks,
  ) =>
    server.database.read(
      async (reader) => (await reader.select({ rows: count() }).from(table))[0]?.rows ?? 0,
    );

  const apply = (token: string, key: string) =>
    server.as(token).applyForLoan(application, { headers: { 'idempotency-key': key } });

  it('removes ended sessions and no others', async () => {
    const borrower = await server.registerBorrower();
    await server.signInMainAdmin();
    expect(await rowsOf(sessions)).toBe(2);
    server.clock.advance({ hours: limits.adminSessionHours, ms: 1 });
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(sessions)).toBe(1);
    await borrower.readProfile();
  });

  it('forgets tries after a day, but not while they count', async () => {
    await refused(server.visitor.signIn({ phone: '09170000000', password: 'wrong word' }), 401);
    expect(await rowsOf(tries)).toBeGreaterThan(0);
    const before = await rowsOf(tries);
    server.clock.advance({ hours: 1 });
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(tries)).toBe(before);
    server.clock.advance({ days: 1 });
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(tries)).toBe(0);
  });

  it('forgets a network ninety days after it was last seen, and keeps no address in it', async () => {
    const { phone, password } = await server.registerBorrower();
    const signIn = () => server.visitor.signIn({ phone, password }, { address: '198.51.100.7' });
    await signIn();
    expect(await rowsOf(knownNetworks)).toBe(2);
    server.clock.advance({ days: limits.knownNetworkKeptDays });
    await signIn();
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(knownNetworks)).toBe(2);
    server.clock.advance({ ms: 1 });
    await keepSteadyHouse(server.deps);
    // The one of the registration is gone; the other was seen again.
    const kept = await server.database.read((reader) => reader.select().from(knownNetworks));
    expect(kept).toMatchObject([{ networkHash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    server.clock.advance({ days: limits.knownNetworkKeptDays });
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(knownNetworks)).toBe(0);
  });

  it('keeps the answers to retries for seven days', async () => {
    const { token } = await server.verifiedBorrower();
    const first = await apply(token, 'key-1');
    server.clock.advance({ days: limits.idempotencyKeyKeptDays });
    await keepSteadyHouse(server.deps);
    expect(await apply(token, 'key-1')).toEqual(first);
    server.clock.advance({ ms: 1 });
    await keepSteadyHouse(server.deps);
    expect(await rowsOf(idempotencyKeys)).toBe(0);
  });

  it('takes issued passwords out of the database after seven days', async () => {
    const body = await server.main.createMember({ phone: '09175550000', fullName: 'Ana Reyes' });
    const sealed = async () => (await storedAccount(server.database, body.user.id)).issuedPasswordSealed;
    server.clock.advance({ days: limits.issuedPasswordShownDays, ms: -1 });
    await keepSteadyHouse(server.deps);
    expect(await sealed()).not.toBeNull();
    server.clock.advance({ ms: 2 });
    await keepSteadyHouse(server.deps);
    expect(await sealed()).toBeNull();
    // The password itself goes on working.
    await server.signIn({ phone: '09175550000', password: body.user.plainPassword ?? '' });
  });

  it('goes on when one step fails, and says so', async () => {
    const borrower = await server.registerBorrower();
    const unused = await server.upload(borrower.token);
    const warnings: unknown[] = [];
    server.clock.advance({ days: 2 });
    let transactions = 0;
    await keepSteadyHouse({
      ...server.deps,
      log: { ...server.deps.log, warn: (details: unknown) => void warnings.push(details) } as never,
      database: {
        ...server.database,
        transaction: (work) => {
          transactions += 1;
          // The first two are the log's.
          return transactions === 3
            ? Promise.reject(new Error('not now'))
            : server.database.transaction(work);
        },
      },
    });
    expect(warnings).toEqual([expect.objectContaining({ chore: 'sessions' })]);
    await refused(borrower.readFile(unused.id), 404);
  });
});
