import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tokenHash } from '#server/services/session-service.ts';
import { sessions } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, testServer } from '#tests/setup/test-server.ts';

const server = await testServer();
const never = await testServer({ config: { staffIdleMinutes: 0 } });

const signIn = (of = server) => of.signIn({ username: 'admin', password: mainAdminPassword });
const request = (token: string) => server.as(token).readProfile();

async function lastUseOf(token: string): Promise<Date | null | undefined> {
  const rows = await server.database.read(async (reader) =>
    reader
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, tokenHash(server.deps, token))),
  );
  return rows[0]?.lastUsedAt;
}

describe('a staff session', () => {
  it('goes on while a request comes within the hour', async () => {
    const token = await signIn();
    for (let hours = 0; hours < 5; hours += 1) {
      server.clock.advance({ minutes: 60, ms: -1 });
      await request(token);
    }
  });

  it('ends after an hour without one, says so, and stays ended', async () => {
    const token = await signIn();
    server.clock.advance({ minutes: 30 });
    await request(token);
    server.clock.advance({ minutes: 60 });
    const body = await refused(request(token), 401, 'session_idle');
    expect(body.message).toBe('You were signed out after a while without activity');
    await refused(server.as(token).listMembers(), 401, 'session_idle');
    await refused(server.as(token).signOut(), 401, 'session_idle');
    await request(await signIn());
  });

  it('counts an hour from a request that was not written down', async () => {
    const token = await signIn();
    server.clock.advance({ seconds: 30 });
    await request(token);
    server.clock.advance({ minutes: 60, ms: -1 });
    await request(token);
    server.clock.advance({ minutes: 60 });
    await refused(request(token), 401, 'session_idle');
  });

  it('writes its last use down once a minute at most', async () => {
    const token = await signIn();
    server.clock.advance({ seconds: 59 });
    await request(token);
    expect(await lastUseOf(token)).toBeNull();
    server.clock.advance({ seconds: 1 });
    await Promise.all([request(token), request(token), request(token)]);
    const first = await lastUseOf(token);
    expect(first).toEqual(server.clock.now());
    server.clock.advance({ seconds: 59 });
    await request(token);
    expect(await lastUseOf(token)).toEqual(first);
  });

  it('lasts twelve hours all the same', async () => {
    const token = await signIn();
    for (let halfHours = 1; halfHours < 24; halfHours += 1) {
      server.clock.advance({ minutes: 30 });
      await request(token);
    }
    server.clock.advance({ minutes: 30, ms: -1 });
    await request(token);
    server.clock.advance({ ms: 1 });
    await refused(request(token), 401, 'not_signed_in');
  });
});

describe('a clock that goes back', () => {
  it('does not revive a session that was over', async () => {
    const token = await signIn();
    server.clock.advance({ minutes: 61 });
    await refused(request(token), 401, 'session_idle');
    server.clock.advance({ minutes: -40 });
    await refused(request(token), 401, 'session_idle');
  });

  it('does not prolong one that was used in the future', async () => {
    const token = await signIn();
    server.clock.advance({ minutes: 50 });
    await request(token);
    server.clock.advance({ minutes: -40 });
    await refused(request(token), 401, 'session_idle');
    server.clock.advance({ minutes: 40 });
    await refused(request(token), 401, 'session_idle');
  });

  it('does nothing while it is a minute’s difference between two machines', async () => {
    const token = await signIn();
    server.clock.advance({ minutes: 50 });
    await request(token);
    server.clock.advance({ minutes: -1 });
    await request(token);
    server.clock.advance({ minutes: 61 });
    await refused(request(token), 401, 'session_idle');
  });
});

it('a borrower’s session goes on for a month without a request', async () => {
  const borrower = await server.registerBorrower();
  server.clock.advance({ days: 29 });
  await borrower.readProfile();
  expect(await lastUseOf(borrower.token)).toBeNull();
});

it('a suspension is told first', async () => {
  const admin = await server.createAdmin();
  await server.main.updateMember(admin.id, { status: 'suspended' });
  server.clock.advance({ minutes: 61 });
  await refused(admin.readProfile(), 403, 'account_suspended');
});

it('STAFF_IDLE_MINUTES=0 leaves it at twelve hours', async () => {
  const token = await signIn(never);
  never.clock.advance({ hours: 12, ms: -1 });
  await never.as(token).readProfile();
});
