import { describe, expect, it } from 'vitest';
import { createPasswords } from '#server/platform/passwords.ts';
import { odd } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';

/** The time that a refusal takes does not tell who has an account (§signing-in). */
const rounds = isTorture ? 200 : 100;
const mostDifferent = 0.1;

// The limits on tries would answer without a look at the password, whose hash here costs what it costs in the product.
const server = await testServer({
  config: { rateLimitScale: 1_000 },
  deps: { passwords: createPasswords() },
});

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function refusedAfterMs(body: object): Promise<number> {
  const begun = performance.now();
  const { status } = await server.visitor.signIn(odd(body)).answer();
  const tookMs = performance.now() - begun;
  expect(status).toBe(401);
  return tookMs;
}

/** How much longer one of two sign-ins takes than the other, each `rounds` times, by turns. */
async function differenceOf(known: object, unknown: object): Promise<number> {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let round = 0; round < rounds; round += 1) {
    // Whatever slows the machine down for a while slows both down, and neither always comes first.
    const inTurn = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of inTurn) times[kind].push(await refusedAfterMs(kind === 'known' ? known : unknown));
  }
  const [a, b] = [median(times.known), median(times.unknown)];
  console.info(`median of ${rounds}: known ${a.toFixed(2)} ms, unknown ${b.toFixed(2)} ms`);
  return Math.abs(a - b) / Math.max(a, b);
}

describe('a refused sign-in takes as long', () => {
  // Three tries: noise of the machine passes, a difference in the code does not.
  it('for a phone that nobody has', { retry: 2 }, async () => {
    const { phone } = await server.registerBorrower();
    const difference = await differenceOf(
      { phone, password: 'wrong password' },
      { phone: '09170000000', password: 'wrong password' },
    );
    expect(difference).toBeLessThan(mostDifferent);
  });

  it('for a staff email that nobody has', { retry: 2 }, async () => {
    const { email } = await server.createAdmin();
    const difference = await differenceOf(
      { username: email, password: 'wrong password' },
      { username: 'nobody@example.com', password: 'wrong password' },
    );
    expect(difference).toBeLessThan(mostDifferent);
  });
});
