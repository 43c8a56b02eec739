import { availableParallelism } from 'node:os';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createBoundedQueue } from './bounded-queue.ts';

/** Argon2id as OWASP recommends first: 19 MiB, two passes, one lane. Five milliseconds on a small machine. */
const usualCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More would only take turns on the four threads of Node's pool. */
const MOST_RUNNING = 3;

/** At least 100 must be able to wait (§passwords). */
const DEFAULT_WAITING = 400;

export type Passwords = ReturnType<typeof createPasswords>;

/** Every method throws `Overloaded` if `maxWaiting` callers wait already; they are served in order. */
export function createPasswords(
  bounds: { maxRunning?: number; maxWaiting?: number; cost?: typeof usualCost } = {},
) {
  const queue = createBoundedQueue({
    maxRunning: bounds.maxRunning ?? Math.min(availableParallelism(), MOST_RUNNING),
    maxWaiting: bounds.maxWaiting ?? DEFAULT_WAITING,
  });

  const hashOf = (plain: string) =>
    queue.run(() => argon2Hash(plain.normalize('NFC'), bounds.cost ?? usualCost));

  const opens = async (hash: string, plain: string): Promise<boolean> => {
    for (const form of formsOf(plain)) if (await queue.run(() => argon2Verify(hash, form))) return true;
    return false;
  };

  /** The work of `verify` for an account that does not exist, so that both refusals take the same time. */
  const verifyNothing = async (plain: string): Promise<false> => {
    await opens(nobodysHash, plain);
    return false;
  };

  return {
    hash: hashOf,
    verify: (hash: string, plain: string): Promise<boolean> =>
      isArgon2id(hash) ? opens(hash, plain) : verifyNothing(plain),
    verifyNothing,
    /** A hash of the right password to store in place of this one; undefined if this one opens in NFC already. */
    renewed: async (hash: string, plain: string): Promise<string | undefined> => {
      if (formsOf(plain).size === 1) return undefined;
      const isPresent = await queue.run(() => argon2Verify(hash, plain.normalize('NFC')));
      return isPresent ? undefined : hashOf(plain);
    },
    load: queue.load,
  };
}

/**
 * Passwords are hashed in NFC (RFC 8265), and an earlier version hashed what was typed: in NFC on most devices, in NFD on
 * some. Only the password decides how many forms there are, so trying them tells nothing of an account.
 */
const formsOf = (plain: string) => new Set([plain.normalize('NFC'), plain, plain.normalize('NFD')]);

/** No password opens a row without a usable hash (an account taken over from elsewhere). */
const isArgon2id = (hash: string) =>
  /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(hash);

const unpaddedZeros = (bytes: number) => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '');

/** A hash of the same parameters whose digest is all zeros, which no password has. */
const nobodysHash = [
  '$argon2id$v=19',
  `m=${usualCost.memoryCost},t=${usualCost.timeCost},p=${usualCost.parallelism}`,
  unpaddedZeros(16),
  unpaddedZeros(32),
].join('$');
