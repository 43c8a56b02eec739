import { createHash } from 'node:crypto';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { doorKey } from '#server/platform/turns.ts';
import { blockTries, countTry, forgetTries, uncountTry } from '#server/store/try-store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The first wait after the limit of wrong passwords; it doubles with each further try up to the window's length. */
const firstWaitMs = 30_000;

const passwordScope = 'password';

/** The key of a person or an address, hashed: a counter is no place to keep phone numbers. */
const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Whose password is tried: a known account however it is named, or a name that nobody has. */
export const triedAccount = (accountId: number) => `account ${accountId}`;
export const triedName = (name: string) => `name ${name}`;

/**
 * Runs the checking of a password: of the same account only a few at once, so that many right ones are not taken for
 * many tries.
 */
export function inTurn<Result>(deps: Deps, identity: string, check: () => Promise<Result>): Promise<Result> {
  return deps.turns.take(`password of ${identity}`, check);
}

/**
 * Runs what anybody may ask for without a session and what ends in hashing a password: of all such requests only a few
 * at once, so that a flood of them waits here. In front of the database, everybody else would wait behind it.
 */
export function atTheDoor<Result>(deps: Deps, work: () => Promise<Result>): Promise<Result> {
  return deps.turns.take(doorKey, work);
}

/**
 * Counts a try of a password before it is looked at, so that no number of simultaneous guesses gets more than the
 * limit (contract section 2, Tries). Fails with `too_many_tries` and how long to wait. After a wait one try is let
 * through, and a longer wait begins unless it was right. `identity` may be unknown to us: it is counted all the same,
 * and so tells nothing.
 */
export async function countPasswordTry(deps: Deps, identity: string): Promise<void> {
  const now = deps.clock.now();
  const key = keyOf(identity);
  const limit = Math.ceil(limits.wrongPasswordsPerAccount * deps.config.rateLimitScale);
  const windowMs = limits.wrongPasswordsWindowMinutes * minuteMs;
  const waitMs = await deps.database.transaction(async (tx) => {
    const tried = await countTry(tx, { scope: passwordScope, key, now, windowMs });
    if (tried.blockedUntil !== null && tried.blockedUntil > now) {
      await uncountTry(tx, passwordScope, key);
      return tried.blockedUntil.getTime() - now.getTime();
    }
    const over = tried.count - limit;
    if (over >= 0) {
      const nextWaitMs = Math.min(firstWaitMs * 2 ** Math.min(over, 16), windowMs);
      await blockTries(tx, passwordScope, key, new Date(now.getTime() + nextWaitMs));
    }
    return 0;
  });
  if (waitMs > 0) fail('too_many_tries', { retryAfterSeconds: waitMs / 1000 });
}

/** After the right password the tries before it no longer count. */
export async function forgetPasswordTries(deps: Deps, identity: string): Promise<void> {
  await deps.database.transaction((tx) => forgetPasswordTriesOf(tx, identity));
}

/** The same within a transaction. */
export async function forgetPasswordTriesOf(tx: Tx, identity: string): Promise<void> {
  await forgetTries(tx, passwordScope, keyOf(identity));
}

/** Counts a registration or a sign-in from an address within its hour; fails when there were too many. */
export async function countFromAddress(deps: Deps, kind: 'registration' | 'sign_in', address: string) {
  const perHour =
    kind === 'registration' ? limits.registrationsPerAddressPerHour : limits.signInsPerAddressPerHour;
  const limit = Math.ceil(perHour * deps.config.rateLimitScale);
  const now = deps.clock.now();
  const tried = await deps.database.transaction((tx) =>
    countTry(tx, { scope: kind, key: keyOf(address), now, windowMs: hourMs }),
  );
  if (tried.count <= limit) return;
  const endsAtMs = tried.windowStartedAt.getTime() + hourMs;
  fail('too_many_tries', { retryAfterSeconds: (endsAtMs - now.getTime()) / 1000 });
}

/**
 * Counts a borrower's asking for a one-time code; fails with how long to wait while the one before is younger than ten
 * minutes. Only an asking that was heard is kept: the failure takes its own counting back.
 */
export async function countCodeRequest(deps: Deps, tx: Tx, accountId: number): Promise<void> {
  const now = deps.clock.now();
  const windowMs = limits.codeRequestEveryMinutes * minuteMs;
  const asked = await countTry(tx, { scope: 'code_request', key: String(accountId), now, windowMs });
  if (asked.count === 1) return;
  const waitMs = asked.windowStartedAt.getTime() + windowMs - now.getTime();
  fail('code_already_requested', { retryAfterSeconds: waitMs / 1000 });
}
