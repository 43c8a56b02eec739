import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Database } from '#server/platform/database/database.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';
import { fundedBorrower } from './lending.ts';

const server = await testServer();

const sentence =
  'Something went wrong on our side while we answered. It may have been done: please look before you try again.';

/** A server on the same database that cannot use what its transactions return, though they are committed. */
async function withLostResults(lost: (result: unknown) => unknown) {
  const database: Database = {
    ...server.database,
    transaction: async (work) => lost(await server.database.transaction(work)) as never,
  };
  return passingServer({ deps: { database, secrets: server.deps.secrets } });
}

const unwritable = () => ({
  get id() {
    throw new Error('this result cannot be written');
  },
});

const post = (to: typeof server, url: string, payload: object, token?: string, key?: string) =>
  to.app.inject({
    method: 'POST',
    url,
    payload,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
  });

it('a registration that is stored, but whose answer cannot be written, is not called undone', async () => {
  // An administrator's trigger might do this: no reply can say this moment.
  await server.database.upkeep(async (session) => {
    await session.execute(sql`
      create function outside_time() returns trigger language plpgsql as
        $$ begin new.created_at := 'infinity'; return new; end $$`);
    await session.execute(sql`
      create trigger outside_time before insert on accounts for each row execute function outside_time()`);
  });
  const form = { phone: '09171234567', password: 'borrower password', fullName: 'Maria Clara Santos' };
  const answered = await post(server, '/api/auth/register', form);
  expect([answered.statusCode, answered.json()]).toEqual([
    500,
    { code: 'answer_failed', message: sentence, requestId: expect.any(String) },
  ]);
  expect(server.takeErrors()).toHaveLength(1);
  expect((await post(server, '/api/auth/register', form)).statusCode).toBe(409);
  await server.database.upkeep((session) => session.execute(sql`drop function outside_time() cascade`));
});

it.each([
  ['without a key', undefined],
  ['with a key', 'key-1'],
])('a withdrawal %s that is done says so, or that it may be, and is done once', async (_how, key) => {
  const borrower = await fundedBorrower(server);
  const broken = await withLostResults(unwritable);
  const form = { amount: 1_000, otp: '482913', bankName: 'Bank A', bankAccountNumber: '1234567890123' };
  const answered = await post(broken, '/api/withdrawals', form, borrower.token, key);
  expect([answered.statusCode, answered.json().code]).toEqual([500, 'answer_failed']);
  expect(broken.takeErrors()).toHaveLength(1);
  expect(await borrower.listOwnWithdrawals()).toHaveLength(1);
  const again = await post(server, '/api/withdrawals', form, borrower.token, key);
  // With the key the kept answer; without it the code is used.
  expect(again.statusCode).toBe(key ? 201 : 400);
  expect(await borrower.listOwnWithdrawals()).toHaveLength(1);
});

it('a kept answer that cannot be opened belongs to something that was done', async () => {
  const borrower = await fundedBorrower(server);
  const form = { amount: 1_000, otp: '482913', bankName: 'Bank A', bankAccountNumber: '1234567890123' };
  expect((await post(server, '/api/withdrawals', form, borrower.token, 'key-2')).statusCode).toBe(201);
  await server.database.transaction((tx) =>
    tx.execute(sql`update idempotency_keys set reply = '"sealed otherwise"'`),
  );
  const again = await post(server, '/api/withdrawals', form, borrower.token, 'key-2');
  expect([again.statusCode, again.json().code]).toEqual([500, 'answer_failed']);
  expect(server.takeErrors()).toHaveLength(1);
});

it('what failed before anything was stored still says that nothing was changed', async () => {
  const database: Database = {
    ...server.database,
    transaction: () => Promise.reject(new Error('an error nobody foresaw')),
  };
  const broken = await passingServer({ deps: { database, secrets: server.deps.secrets } });
  const borrower = await fundedBorrower(server);
  const form = { amount: 1_000, otp: '482913', bankName: 'Bank A', bankAccountNumber: '1234567890123' };
  const answered = await post(broken, '/api/withdrawals', form, borrower.token);
  expect(answered.json()).toMatchObject({
    code: 'internal',
    message: 'Something went wrong on our side. Nothing was changed.',
  });
  expect(broken.takeErrors()).toHaveLength(1);
  expect(await borrower.listOwnWithdrawals()).toHaveLength(0);
});
