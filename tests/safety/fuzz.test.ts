import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { verify } from '#tests/api/tampering.ts';
import { photo } from '#tests/setup/photo.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { createSender } from './draft-sender.ts';
import { draftsFor } from './hostile-requests.ts';
import { roles } from './planted-people.ts';

/**
 * Requests that nobody wrote by hand, for every row of the endpoint table and every role. A failure names the seed:
 * `FUZZ_SEED=… npx vitest run --project processes fuzz` sends the same ones again.
 */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const requestsMin = Number(process.env.FUZZ_REQUESTS ?? (isTorture ? 100_000 : 300));
/** Sent side by side, as strangers do. */
const atOnce = 6;

const rows = Object.entries(api as unknown as Record<string, Endpoint>);
/** They end sessions and accounts, so each round asks for them at its end: the rest would only be turned away. */
const destructive = ['updateMember', 'updateAdmin', 'deleteUser', 'signOut'];
const inOrder = rows.toSorted(([a], [b]) => destructive.indexOf(a) - destructive.indexOf(b));
const pairs = inOrder.flatMap(([name, row]) => roles.map((role) => ({ name, row, role })));
const rounds = Math.ceil(requestsMin / pairs.length);
const roundsForAll = 40;
/** Much has to fall together before a withdrawal is decided: some four times in all rounds, and now and then never. */
const furtherRoundsMax = 300;

// Nobody's limits stand in the way of the next request.
const server = await testServer({ config: { rateLimitScale: 1_000 } });

it(`${requestsMin} requests that nobody foresaw do no harm (FUZZ_SEED=${seed})`, async () => {
  const sender = createSender(server, await photo(), `FUZZ_SEED=${seed}`);
  const draw = (some: typeof pairs, count: number, from: number) =>
    some.map((pair) => ({
      ...pair,
      drafts: fc.sample(draftsFor(pair.row), { numRuns: count, seed: from + pairs.indexOf(pair) }),
    }));
  const sendRound = async (drawn: ReturnType<typeof draw>, round: number) => {
    await sender.renewRoles();
    for (let from = 0; from < drawn.length; from += atOnce) {
      const some = drawn.slice(from, from + atOnce);
      await Promise.all(
        some.map(async ({ drafts, ...pair }) => {
          const draft = drafts[round];
          if (draft) await sender.send({ ...pair, draft, round });
        }),
      );
    }
  };
  const isIdle = ({ name }: { name: string }) => !sender.succeeded.has(name);

  const drawn = draw(pairs, rounds, seed);
  for (let round = 0; round < rounds; round += 1) await sendRound(drawn, round);
  if (rounds >= roundsForAll) {
    const further = draw(pairs.filter(isIdle), furtherRoundsMax, seed + pairs.length);
    for (let round = 0; further.some(isIdle) && round < furtherRoundsMax; round += 1)
      await sendRound(further, round);
  }

  expect(sender.sent()).toBeGreaterThanOrEqual(requestsMin);
  // It did not only knock at doors: each row has done its work for somebody. A short run may miss one.
  const idle = new Set(pairs.filter(isIdle).map(({ name }) => name));
  if (rounds >= roundsForAll) expect([...idle]).toEqual([]);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  await expectNobodyWasRaised();
  await sealAuditLog(server.deps);
  const books = await verify(server.database);
  expect(books.wrong).toEqual([]);
  expect(books.isWell).toBe(true);
});

/** Every admin was made by the main admin and by nobody else. */
async function expectNobodyWasRaised(): Promise<void> {
  const raised = await rowsOf(
    server.database,
    sql`
      select a.id from accounts a where a.is_admin and a.id <> 3 and not exists (
        select 1 from audit_entries e where e.target_id = a.id and e.action = 'admin_created' and e.actor_id = 3)`,
  );
  expect(raised).toEqual([]);
}
