import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import { signInKey } from '#server/platform/bounded-queue.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import {
  blockTries,
  type Counter,
  countTry,
  forgetTries,
  forgetTry,
  isKnownNetwork,
  noteNetwork,
  uncountTry,
} from '#server/store/access-store.ts';
import type { ActBy, Actor } from './audit-service.ts';

/** The first wait after too many wrong passwords; it doubles with each further try up to the window's length. */
const firstWaitMs = 30_000;

const passwordScope = 'password';
/** The most used-up quotas that this process remembers. The database still counts those that it forgets. */
const overQuotaMax = 10_000;

/** Hashes a key, so that counters hold no phone numbers. */
const keyOf = (text: string) => hash('sha256', text, 'base64url');

/**
 * An account, the accounts that share a number, or an unknown name. The try also counts as `counts`, for its
 * network.
 */
export type TriedPassword = {
  accountIds: readonly number[];
  name: string;
  address: string;
  counts?: CountedKind;
};

/**
 * Queues requests that anybody may make without a session and that hash a password: only a few run at once, so that a
 * flood waits here and not in front of the database. Networks take turns, and one that has used up its hour is refused
 * before it waits. `work` counts it.
 */
export async function queueByNetwork<Result>(
  deps: Deps,
  kind: CountedKind,
  address: string,
  work: (network: string) => Promise<Result>,
): Promise<Result> {
  const network = networkOf(address) ?? fail('forbidden');
  const retryAfterSeconds = overQuotaSeconds(deps, kind, keyOf(network));
  if (retryAfterSeconds !== undefined) {
    // Refusals too run a few at a time, so that a flood of them leaves processor time to others. A single one
    // hardly waits.
    await deps.limiter.take(`refusals of ${network}`, () => pause(limits.refusalMs));
    fail('too_many_tries', { retryAfterSeconds });
  }
  return deps.limiter.take(signInKey, () => work(network), network);
}

function overQuotaSeconds(deps: Deps, what: Quota, key: string): number | undefined {
  const waitMs = (deps.overQuota.get(`${what} ${key}`)?.getTime() ?? 0) - deps.clock.now().getTime();
  // A longer wait was set while the clock was ahead.
  return waitMs > 0 && waitMs <= quotas[what].windowMs + limits.clockSkewMs ? waitMs / 1000 : undefined;
}

/**
 * Checks a password. The try is counted first, so that simultaneous guesses cannot exceed the limit (§tries).
 * After a wait one try is let through, and a longer wait begins unless it was right. Each network has its own
 * tries for an account. All unknown networks share as many again: a guesser with a thousand addresses gets no
 * more, and cannot lock the owner out of networks they used before. An unknown name is counted like any
 * other, and so reveals nothing. `onRight` runs in the transaction that forgets the tries; without it the
 * result is undefined. If it refuses, earlier tries stay: a wrong code of the second step counts as one more,
 * another refusal as none.
 */
export async function tryPassword<Result extends object>(
  deps: Deps,
  tried: TriedPassword,
  isRight: () => Promise<boolean>,
  onRight: (tx: Tx) => Promise<Result | KeptFailure>,
): Promise<Result | KeptFailure | undefined> {
  const { accountIds, name } = tried;
  const [accountId] = accountIds;
  const network = networkOf(tried.address) ?? fail('forbidden');
  const identity = accountId === undefined ? `name ${name}` : accountIdentity(accountId);
  const check = async () => {
    const counters = await countPasswordTry(deps, tried, identity, network);
    if (!(await isRight())) return undefined;
    return deps.database.transaction(async (tx) => {
      const result = await onRight(tx);
      for (const { blockedUntil, ...counter } of counters) {
        const isRefused = result instanceof KeptFailure;
        // A holder of a shared number must not clear the tries at another holder's password.
        if (!isRefused && accountIds.length < 2) forgetTry(tx, counter);
        else if (!isRefused || result.code !== 'wrong_code') await uncountTry(tx, counter, blockedUntil);
      }
      return result;
    });
  };
  // Only a few run at a time for an account, so that many right passwords do not count as many tries.
  return deps.limiter.take(`password of ${identity}`, check, network);
}

const accountIdentity = (accountId: number) => `account ${accountId}`;
const ownScope = (identity: string) => `${passwordScope} ${keyOf(identity)}`;

/** Counts a try, unless its network is refused or has to wait. */
async function countPasswordTry(
  deps: Deps,
  { accountIds, counts }: TriedPassword,
  identity: string,
  network: string,
): Promise<(Counter & { blockedUntil: Date | null })[]> {
  const now = deps.clock.now();
  const limit = Math.ceil(limits.wrongPasswordsPerAccount * deps.config.rateLimitScale);
  const windowMs = limits.wrongPasswordsWindowMinutes * minuteMs;
  const ofNetwork: Counter = { scope: ownScope(identity), key: keyOf(network) };
  const ofStrangers: Counter = { scope: passwordScope, key: keyOf(identity) };
  const counted = await deps.database.transaction(async (tx) => {
    const [refusal, isKnown] = await Promise.all([
      counts && countInHour(deps, tx, counts, network),
      // Unknown names are looked up too, so that both take the same time.
      isKnownNetwork(tx, accountIds, networkHash(deps, network)),
    ]);
    if (refusal) return refusal;
    const counters = isKnown ? [ofNetwork] : [ofNetwork, ofStrangers];
    const tries = await Promise.all(counters.map((counter) => countTry(tx, { ...counter, now, windowMs })));
    const waitsMs = tries.map(({ blockedUntil }) => (blockedUntil?.getTime() ?? 0) - now.getTime());
    const longestWaitMs = Math.max(0, ...waitsMs);
    for (const [index, counter] of counters.entries()) {
      if (longestWaitMs > 0) {
        await uncountTry(tx, counter);
        continue;
      }
      const over = (tries[index]?.count ?? 0) - limit;
      if (over < 0) continue;
      const nextWaitMs = Math.min(firstWaitMs * 2 ** Math.min(over, 16), windowMs);
      await blockTries(tx, counter, new Date(now.getTime() + nextWaitMs));
    }
    if (longestWaitMs > 0) return tooManyTries(longestWaitMs / 1000);
    return counters.map((counter, index) => ({
      ...counter,
      blockedUntil: tries[index]?.blockedUntil ?? null,
    }));
  });
  if (counted instanceof KeptFailure) throw counted;
  return counted;
}

const tooManyTries = (retryAfterSeconds: number) => new KeptFailure('too_many_tries', { retryAfterSeconds });

export async function forgetPasswordTriesOf(tx: Tx, accountId: number): Promise<void> {
  const identity = accountIdentity(accountId);
  forgetTry(tx, { scope: passwordScope, key: keyOf(identity) });
  await forgetTries(tx, ownScope(identity));
}

const networkHash = (deps: Deps, network: string) => deps.secrets.fingerprint(network, 'network');

export function rememberNetwork(deps: Deps, tx: Tx, accountId: number, network: string): void {
  noteNetwork(tx, { accountId, networkHash: networkHash(deps, network), seenAt: deps.clock.now() });
}

/** The most that a network may do in an hour, and an account in 24 hours. */
const quotas = {
  registration: { max: limits.registrationsPerAddressPerHour, windowMs: hourMs },
  sign_in: { max: limits.signInsPerAddressPerHour, windowMs: hourMs },
  application: { max: limits.applicationsPerDay, windowMs: dayMs },
  complaint: { max: limits.complaintMessagesPerDay, windowMs: dayMs },
  deletion_request: { max: limits.deletionRequestsPerDay, windowMs: dayMs },
  staff_message: { max: limits.staffMessagesPerDay, windowMs: dayMs },
  payment: { max: limits.paymentsPerDay, windowMs: dayMs },
  upload: { max: limits.uploadsPerDay, windowMs: dayMs },
  profile_change: { max: limits.profileChangesPerDay, windowMs: dayMs },
  password_change: { max: limits.passwordChangesPerDay, windowMs: dayMs },
  data_download: { max: limits.dataDownloadsPerDay, windowMs: dayMs },
};
type Quota = keyof typeof quotas;
type CountedKind = 'registration' | 'sign_in';
type CountedToday = Exclude<Quota, CountedKind | 'staff_message'>;

/** Counts one more, and returns how many seconds to wait if that is too many. */
async function countInWindow(deps: Deps, tx: Tx, what: Quota, key: string): Promise<number | undefined> {
  const { max, windowMs } = quotas[what];
  const now = deps.clock.now();
  const { count, windowStartedAt } = await countTry(tx, { scope: what, key, now, windowMs });
  if (count <= Math.ceil(max * deps.config.rateLimitScale)) return undefined;
  const until = new Date(windowStartedAt.getTime() + windowMs);
  if (deps.overQuota.size >= overQuotaMax) deps.overQuota.clear();
  deps.overQuota.set(`${what} ${key}`, until);
  return (until.getTime() - now.getTime()) / 1000;
}

export async function countRegistration(deps: Deps, network: string): Promise<void> {
  const refusal = await deps.database.transaction((tx) => countInHour(deps, tx, 'registration', network));
  if (refusal) throw refusal;
}

async function countInHour(deps: Deps, tx: Tx, kind: CountedKind, network: string) {
  const retryAfterSeconds = await countInWindow(deps, tx, kind, keyOf(network));
  return retryAfterSeconds === undefined ? undefined : tooManyTries(retryAfterSeconds);
}

type ByAccount = ActBy<Actor & { id: number }>;

/** Fails with `too_many_requests` and how long to wait once the actor has had their share of the day (§fair-use). */
export async function countToday({ deps, tx, actor }: ByAccount, what: CountedToday) {
  const retryAfterSeconds = await countInWindow(deps, tx, what, String(actor.id));
  if (retryAfterSeconds !== undefined) fail('too_many_requests', { retryAfterSeconds });
}

/** Fails likewise once all staff together have sent a member their share of messages (§messages-from-staff). */
export async function countMessageTo({ deps, tx }: Pick<ByAccount, 'deps' | 'tx'>, accountId: number) {
  const retryAfterSeconds = await countInWindow(deps, tx, 'staff_message', String(accountId));
  if (retryAfterSeconds !== undefined)
    fail('too_many_requests', { retryAfterSeconds, message: records.messagesSent });
}

type Rate = { scope: string; key: string; max: number; windowMs: number };

/**
 * Counts one of what has several limits, which `RATE_LIMIT_SCALE` never scales: fails with `too_many_requests` and the longest
 * wait, and rolls its own counts back, so that what is refused counts nowhere.
 */
export async function countWithin({ deps, tx }: Pick<ByAccount, 'deps' | 'tx'>, rates: readonly Rate[]) {
  const now = deps.clock.now();
  const waitsMs: number[] = [];
  for (const { scope, key, max, windowMs } of rates) {
    const { count, windowStartedAt } = await countTry(tx, { scope, key, now, windowMs });
    if (count > max) waitsMs.push(windowStartedAt.getTime() + windowMs - now.getTime());
  }
  if (waitsMs.length > 0) fail('too_many_requests', { retryAfterSeconds: Math.max(...waitsMs) / 1000 });
}

/** Names a counter so that it holds neither a phone nor an address. */
export const counterKey = keyOf;

/** Refuses an account that `countToday` has refused in this process, before any work is done. */
export function requireShareOfToday(deps: Deps, what: CountedToday, accountId: number): void {
  const retryAfterSeconds = overQuotaSeconds(deps, what, String(accountId));
  if (retryAfterSeconds !== undefined) fail('too_many_requests', { retryAfterSeconds });
}

export async function isRefusalNews(deps: Deps, network: string): Promise<boolean> {
  const now = deps.clock.now();
  const counter = { scope: 'refused_address', key: keyOf(network), now, windowMs: hourMs };
  const { count } = await deps.database.transaction((tx) => countTry(tx, counter));
  return count <= limits.refusedAddressesLoggedPerHour;
}

/**
 * Fails with how long to wait if the last request for a code is younger than ten minutes. The failure rolls its own
 * count back, so only accepted requests are kept.
 */
export async function countCodeRequest({ deps, tx, actor }: ByAccount): Promise<void> {
  const now = deps.clock.now();
  const windowMs = limits.codeRequestEveryMinutes * minuteMs;
  const asked = await countTry(tx, { scope: 'code_request', key: String(actor.id), now, windowMs });
  if (asked.count === 1) return;
  const waitMs = asked.windowStartedAt.getTime() + windowMs - now.getTime();
  fail('code_already_requested', { retryAfterSeconds: waitMs / 1000 });
}
