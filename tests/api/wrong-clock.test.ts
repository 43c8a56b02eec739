import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { consoleCommands } from '#server/books/console-commands.ts';
import { createLogger } from '#server/platform/logger.ts';
import { runHousekeeping } from '#server/services/housekeeping-service.ts';
import { files, idempotencyKeys, knownNetworks, sessions, tries } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { storedAccount } from '#tests/setup/test-database.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { application, apply } from './lending.ts';

const server = await testServer();
const present = server.clock.now();
const inAYear = { days: 365 };

/** Does something while the clock is ahead, and puts the clock right again. */
async function ahead<Result>(work: () => Promise<Result>, by: { days?: number; minutes?: number } = inAYear) {
  server.clock.advance(by);
  const result = await work();
  server.clock.set(present);
  return result;
}

const countOf = (table: typeof files | typeof tries | typeof sessions | typeof knownNetworks) =>
  server.database.read((reader) => reader.$count(table));

const signIn = (phone: string, password: string) =>
  server.visitor.signIn({ phone, password }, { address: '198.51.100.1' });

describe('after the clock had been ahead', () => {
  it('nobody waits for what was counted then, and a running block continues', async () => {
    const { phone, password } = await server.registerBorrower();
    const fail = async () => {
      for (let count = 0; count < limits.wrongPasswordsPerAccount; count += 1)
        await refused(signIn(phone, 'wrong word'), 401);
    };
    await ahead(fail);
    await signIn(phone, password);
    await fail();
    await refused(signIn(phone, password), 429);
    // The clock of another process may be behind by less than a minute: that ends no block.
    server.clock.advance({ seconds: -50 });
    await refused(signIn(phone, password), 429);
  });

  it('an address that had used up its hour then gets a new one', async () => {
    const own = await passingServer({
      config: { rateLimitScale: 0.01 },
      deps: { database: server.database },
    });
    const register = (number: number) =>
      own.visitor.register(
        { fullName: 'Ana Reyes', phone: `0917${1_000_000 + number}`, password: 'secret word' },
        { address: '198.51.100.7' },
      );
    own.clock.advance(inAYear);
    expect([(await register(1).answer()).status, (await register(2).answer()).status]).toEqual([201, 429]);
    own.clock.set(present);
    expect((await register(3).answer()).status).toBe(201);
  });

  it('a code can be asked for, and an application made', async () => {
    const member = await server.verifiedBorrower();
    const { token } = member;
    await ahead(async () => {
      const late = await server.signIn({ phone: member.phone, password: member.password });
      await server.as(late).requestCode();
      await apply(server, { ...member, token: late });
    });
    await server.as(token).requestCode();
    await apply(server, member);
  });

  it('a session that began then is over', async () => {
    const { phone, password } = await server.registerBorrower();
    const statusOf = async (token: string) => (await server.as(token).readProfile().answer()).status;
    const token = await ahead(() => server.signIn({ phone, password }));
    expect(await statusOf(token)).toBe(401);
    const near = await ahead(() => server.signIn({ phone, password }), { minutes: 0.9 });
    expect(await statusOf(near)).toBe(200);
  });

  it.each([[inAYear], [{ minutes: 5 }]])(
    'a code that was set then is dead, and a password that was issued then is not shown',
    async (by) => {
      const member = await server.registerBorrower();
      await server.fund(member.id, 5000);
      await ahead(async () => {
        await server
          .as(await server.signIn({ username: 'admin', password: mainAdminPassword }))
          .updateMember(member.id, { otpCode: '123456', password: 'issued by staff' });
      }, by);
      const read = await server.main.readMember(member.id);
      expect(read).toMatchObject({
        otpCode: null,
        hasOtpCode: false,
        plainPassword: null,
        hasIssuedPassword: false,
      });
      const own = await server.signIn({ phone: member.phone, password: 'issued by staff' });
      const body = { amount: 1000, bankName: 'Bank A', bankAccountNumber: '1234567890123', otp: '123456' };
      const refused = await server.as(own).requestWithdrawal(body).answer();
      expect(refused.body.code).toBe('invalid_otp');
    },
  );

  it('what was stored then is not kept for years', async () => {
    const member = await server.registerBorrower();
    const early = await server.upload(member.token);
    await ahead(async () => {
      const token = await server.signIn({ phone: member.phone, password: member.password });
      await server.upload(token);
      const key = { headers: { 'idempotency-key': 'then' } };
      await server.as(token).applyForLoan(application, key).answer();
      await refused(signIn(member.phone, 'wrong word'), 401);
    });
    await keepSteadyHouse(server.deps);
    const kept = await server.database.read((reader) => reader.select().from(files));
    expect(kept.map(({ id }) => id)).toEqual([early.id]);
    expect(await server.database.read((reader) => reader.select().from(idempotencyKeys))).toEqual([]);
    const ofNow = [await countOf(tries), await countOf(sessions), await countOf(knownNetworks)];
    const future = await server.database.read((reader) => reader.select().from(tries));
    expect(future.every(({ windowStartedAt }) => windowStartedAt <= present)).toBe(true);
    expect(ofNow.slice(1)).toEqual([1, 1]);
  });
});

describe('while the clock may have leapt', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const deps = { ...server.deps, log };
  beforeEach(() => {
    lines.length = 0;
    deps.met.isErasingPaused = false;
  });

  const closedMember = async () => {
    const member = await server.registerBorrower();
    await server.fund(member.id, 100);
    await server.fund(member.id, 0);
    await server.main.deleteUser(member.id);
    return member;
  };
  const nameOf = async (id: number) => (await storedAccount(server.database, id)).fullName;
  const settings = async () => {
    const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
    return await server.as(token).readInstallation();
  };

  const verify = async () => {
    const told: string[] = [];
    await consoleCommands.verify(deps, { words: [], say: (line) => void told.push(line) });
    return told.join('\n');
  };

  it('nothing is erased, which log, Settings and verify say, and after a day it goes on by itself', async () => {
    const member = await closedMember();
    await server.upload((await server.registerBorrower()).token);
    const [known, counted] = [await countOf(knownNetworks), await countOf(tries)];
    expect(Math.min(known, counted)).toBeGreaterThan(0);
    server.clock.advance({ days: 365 * (limits.closedAccountKeptYears + 1) });
    const untouched = async () => {
      expect(await nameOf(member.id)).toBe('Maria Clara Santos');
      expect([await countOf(files), (await countOf(knownNetworks)) >= known]).toEqual([1, true]);
    };
    await runHousekeeping(deps);
    await untouched();
    expect(lines.join('')).toContain('nothing is erased');
    expect(await settings()).toMatchObject({ isErasingPaused: true });
    expect(await verify()).toMatch(
      /^Erasing is paused: the log has nothing between 2026-03-10T\S+Z and 2032-03-08T\S+Z\./m,
    );
    // Neither what happens meanwhile nor another start makes it believe the clock.
    for (let hour = 1; hour < 24; hour += 1) {
      server.clock.advance({ hours: 1 });
      if (hour === 12) deps.met.isErasingPaused = false;
      await runHousekeeping(deps);
      await untouched();
    }
    server.clock.advance({ hours: 2 });
    await runHousekeeping(deps);
    expect(await nameOf(member.id)).toBe('Erased member');
    expect([await countOf(files), await countOf(knownNetworks)]).toEqual([0, 1]);
    expect(await settings()).toEqual({ unnamedProxy: null });
    expect(await verify()).not.toContain('Erasing');
  });

  it.each([
    ['a day and an hour ahead', { hours: 25 }],
    ['a year back', { days: -365 }],
  ])('%s, nothing is erased', async (_, by) => {
    const { token } = await server.registerBorrower();
    await server.upload(token);
    server.clock.advance(by);
    await runHousekeeping(deps);
    await server.signIn({ username: 'admin', password: mainAdminPassword });
    server.clock.advance({ hours: 1 });
    await runHousekeeping(deps);
    expect([await countOf(files), await countOf(sessions)]).toEqual([1, 2]);
    expect((await auditOf(server.database, 'erasing_paused')).length).toBe(1);
  });

  it('a quiet server is not taken for one that was off', async () => {
    await server.upload((await server.registerBorrower()).token);
    for (let hour = 0; hour < 24 * 7; hour += 1) {
      server.clock.advance({ hours: 1 });
      await runHousekeeping(deps);
    }
    expect(lines).toEqual([]);
    expect(await countOf(files)).toBe(0);
    expect(await auditOf(server.database, 'quiet_day')).toHaveLength(7);
  });
});
