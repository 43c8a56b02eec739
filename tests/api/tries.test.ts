import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { knownNetworks } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';

const server = await testServer();

const maxWaitSeconds = limits.wrongPasswordsWindowMinutes * 60;

const attempt = (phone: string, password: string, address = '127.0.0.1') =>
  server.visitor.signIn({ phone, password }, { address });

async function failTimes(count: number, phone: string) {
  for (let tries = 0; tries < count; tries += 1) await refused(attempt(phone, 'wrong word'), 401);
}

describe('wrong passwords', () => {
  it('are answered ten times, then made to wait', async () => {
    const { phone, password } = await server.registerBorrower();
    await failTimes(limits.wrongPasswordsPerAccount, phone);
    const blocked = await attempt(phone, 'wrong word').answer();
    expect([blocked.status, blocked.body.code]).toEqual([429, 'too_many_tries']);
    const waitSeconds = Number(blocked.headers['retry-after']);
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(maxWaitSeconds);

    // The right one has to wait too, or a guesser would learn it.
    await refused(attempt(phone, password), 429);
    server.clock.advance({ seconds: waitSeconds });
    await attempt(phone, password);
    // And then all is forgotten.
    await failTimes(limits.wrongPasswordsPerAccount, phone);
  });

  it('make the wait grow to fifteen minutes at most', async () => {
    const { phone, password } = await server.registerBorrower();
    await failTimes(limits.wrongPasswordsPerAccount, phone);
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const seconds = Number((await attempt(phone, 'wrong word').answer()).headers['retry-after']);
      waits.push(seconds);
      server.clock.advance({ seconds });
      await failTimes(1, phone);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, maxWaitSeconds, maxWaitSeconds, maxWaitSeconds]);
    server.clock.advance({ seconds: maxWaitSeconds });
    await attempt(phone, password);
  });

  it('are checked ten times at most, however many come at once', async () => {
    const { phone } = await server.registerBorrower();
    const all = await Promise.all(Array.from({ length: 40 }, () => attempt(phone, 'wrong word').answer()));
    const looked = all.filter(({ status }) => status === 401).length;
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThanOrEqual(limits.wrongPasswordsPerAccount);
    expect(all.every(({ status }) => status === 401 || status === 429)).toBe(true);
  });

  it('are told apart from many right ones at once', async () => {
    const { phone, password } = await server.registerBorrower();
    const all = await Promise.all(Array.from({ length: 30 }, () => attempt(phone, password).answer()));
    expect(all.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('are counted the same for an unknown number', async () => {
    await failTimes(limits.wrongPasswordsPerAccount, '09170000000');
    await refused(attempt('+63 917 000 0000', 'wrong word'), 429);
  });

  it('do not add up over more than fifteen minutes', async () => {
    const { phone } = await server.registerBorrower();
    for (let round = 0; round < 3; round += 1) {
      await failTimes(limits.wrongPasswordsPerAccount - 1, phone);
      server.clock.advance({ minutes: limits.wrongPasswordsWindowMinutes });
    }
  });

  it('are forgotten a quarter of an hour after the wait', async () => {
    const { phone } = await server.registerBorrower();
    await failTimes(limits.wrongPasswordsPerAccount, phone);
    const seconds = Number((await attempt(phone, 'wrong word').answer()).headers['retry-after']);
    server.clock.advance({ seconds, minutes: limits.wrongPasswordsWindowMinutes });
    await failTimes(limits.wrongPasswordsPerAccount, phone);
  });

  it('of one account block no other', async () => {
    const guessed = await server.registerBorrower();
    const other = await server.registerBorrower();
    await failTimes(limits.wrongPasswordsPerAccount, guessed.phone);
    await attempt(other.phone, other.password);
  });

  it('are one count for an admin’s email and phone, and for changing the own password', async () => {
    const admin = await server.createAdmin({ phone: '09181112222' });
    const signIn = (username: string) => server.visitor.signIn({ username, password: 'wrong word' });
    for (let tries = 0; tries < 4; tries += 1) await refused(signIn(admin.email), 401);
    for (let tries = 0; tries < 4; tries += 1) await refused(signIn('09181112222'), 401);
    const change = () => admin.changePassword({ currentPassword: 'wrong word', newPassword: 'another word' });
    await refused(change(), 400);
    await refused(change(), 400);
    await refused(change(), 429, 'too_many_tries');
    await refused(signIn(admin.email), 429);
  });
});

describe('a lock-out', () => {
  /**
   * Attacks with 36 wrong passwords in 9 minutes, from ever other networks, while the
   * owner signs in 54 times.
   */
  async function guessFor9Minutes(
    body: { phone: string } | { username: string },
    meanwhile: () => Promise<void>,
  ) {
    for (let seconds = 0, guesses = 0; seconds < 540; seconds += 10) {
      if (guesses * 15 <= seconds) {
        const address = `203.0.113.${guesses}`;
        const wrong = { ...body, password: 'wrong word' };
        const { status } = await server.visitor.signIn(wrong, { address }).answer();
        expect([401, 429]).toContain(status);
        guesses += 1;
      }
      server.clock.advance({ seconds: 10 });
      await meanwhile();
    }
  }

  it('keeps nobody out on a network they signed in from before', async () => {
    const { phone, password } = await server.registerBorrower();
    const borrowerAt = (address: string) => attempt(phone, password, address);
    const ownerAt = (address: string) =>
      server.visitor.signIn({ username: 'admin', password: mainAdminPassword }, { address });
    await ownerAt('198.51.100.1');
    await borrowerAt('2001:db8:0:7::1');

    let letIn = 0;
    await guessFor9Minutes({ username: 'admin' }, async () => {
      await ownerAt('198.51.100.1');
      letIn += 1;
    });
    expect(letIn).toBe(54);
    // The right password signs in again without giving the guessers new tries.
    await refused(ownerAt('198.51.100.2'), 429);
    await guessFor9Minutes({ phone }, async () => {
      // The same household, another device of it.
      await borrowerAt('2001:db8:0:7:aaaa::2');
    });
    await refused(borrowerAt('2001:db8:0:8::1'), 429);
  });

  it('leaves a known network its own ten wrong passwords', async () => {
    const { phone, password } = await server.registerBorrower();
    const address = '198.51.100.3';
    await attempt(phone, password, address);
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries += 1)
      await refused(attempt(phone, 'wrong word', address), 401);
    await refused(attempt(phone, password, address), 429);
  });

  it('applies again once a network has not been seen for long', async () => {
    const { phone, password } = await server.registerBorrower();
    const address = '198.51.100.4';
    await attempt(phone, password, address);
    server.clock.advance({ hours: 24 * limits.knownNetworkKeptDays + 1 });
    await keepSteadyHouse(server.deps);
    await failTimes(limits.wrongPasswordsPerAccount, phone);
    await refused(attempt(phone, 'wrong word'), 429);
    await refused(attempt(phone, password, address), 429);
    expect(await server.database.read((reader) => reader.$count(knownNetworks))).toBe(0);
  });
});

describe('one address', () => {
  it('is one network of IPv6', async () => {
    const { phone, password } = await server.registerBorrower();
    for (let tries = 0; tries < limits.signInsPerAddressPerHour; tries += 1)
      await attempt('09170000000', 'wrong word', `2001:db8:1:1::${tries.toString(16)}`).answer();
    await refused(attempt(phone, password, '2001:db8:1:1:ffff::1'), 429);
    await attempt(phone, password, '2001:db8:1:2::1');
  });

  it('signs no staff in when it cannot be read and addresses are restricted', async () => {
    const { main } = server;
    const signIn = () =>
      server.visitor.signIn({ username: 'admin', password: mainAdminPassword }, { address: 'unknown' });
    await signIn();
    await main.addAllowedIp({ ipAddress: '198.51.100.0/24' });
    await refused(signIn(), 403, 'ip_not_allowed');
  });

  it('registers sixty times an hour', async () => {
    const register = (number: number, address: string) =>
      server.visitor.register(
        { fullName: 'Ana Reyes', phone: `0917${1_000_000 + number}`, password: 'secret word' },
        { address },
      );
    const numbers = Array.from({ length: limits.registrationsPerAddressPerHour }, (_, number) => number);
    const all = await Promise.all(numbers.map((number) => register(number, '198.51.100.7').answer()));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await register(100, '198.51.100.7').answer();
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_tries']);
    expect(Number(refused.headers['retry-after'])).toBe(3600);
    expect((await register(101, '198.51.100.8').answer()).status).toBe(201);
    server.clock.advance({ hours: 1 });
    expect((await register(102, '198.51.100.7').answer()).status).toBe(201);
  });

  it('beyond its share is refused a few at a time', async () => {
    const scaled = await passingServer({
      config: { rateLimitScale: 1 / limits.signInsPerAddressPerHour },
      deps: { database: server.database },
    });
    const expectRefusal = async () => {
      await refused(scaled.visitor.signIn({ phone: '09170000000', password: 'wrong word' }), 429);
    };
    await refused(scaled.visitor.signIn({ phone: '09170000000', password: 'wrong word' }), 401);
    await expectRefusal();
    const begunMs = performance.now();
    await Promise.all(Array.from({ length: 40 }, expectRefusal));
    const tookMs = performance.now() - begunMs;
    expect(tookMs).toBeGreaterThan((40 / 4 - 1) * limits.refusalMs);
  });

  it('signs in three hundred times an hour', async () => {
    const { phone, password } = await server.registerBorrower();
    const address = '198.51.100.7';
    for (let tries = 0; tries < limits.signInsPerAddressPerHour; tries += 1) {
      // A number that is blocked soon: refused without hashing, but counted for the address.
      await attempt('09170000000', 'wrong word', address).answer();
    }
    await refused(attempt(phone, password, address), 429);
    await attempt(phone, password, '198.51.100.8');
    server.clock.advance({ hours: 1 });
    await attempt(phone, password, address);
  });
});

it('RATE_LIMIT_SCALE multiplies the limits', async () => {
  const scaled = await passingServer({
    config: { rateLimitScale: 2 },
    deps: { database: server.database },
  });
  for (let tries = 0; tries < 2 * limits.wrongPasswordsPerAccount; tries += 1) {
    await refused(scaled.visitor.signIn({ username: 'admin', password: 'wrong word' }), 401);
  }
  await refused(scaled.visitor.signIn({ username: 'admin', password: mainAdminPassword }), 429);
});
