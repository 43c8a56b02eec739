import { availableParallelism } from 'node:os';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createBoundedQueue } from './bounded-queue.ts';

/** Argon2id as OWASP recommends first: 19 MiB, two passes, one lane. Five milliseconds on a small machine. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More would only take turns on the four threads of Node's pool. */
const MOST_RUNNING = 3;

/** At least 100 must be able to wait (§passwords). */
const DEFAULT_WAITING = 400;

export type Passwords = ReturnType<typeof createPasswords>;

/** Every method throws `Overloaded` if `maxWaiting` callers wait already; they are served in order. */
export function createPasswords(bounds: { maxRunning?: number; maxWaiting?: number } = {}) {
  const queue = createBoundedQueue({
    maxRunning: bounds.maxRunning ?? Math.min(availableParallelism(), MOST_RUNNING),
    maxWaiting: bounds.maxWaiting ?? DEFAULT_WAITING,
  });

  /** The work of `verify` for an account that does not exist, so that both refusals take the same time. */
  const verifyNothing = async (plain: string): Promise<false> => {
    await queue.run(() => argon2Verify(nobodysHash, plain));
    return false;
  };

  return {
    hash: (plain: string) => queue.run(() => argon2Hash(plain, parameters)),
    verify: (hash: string, plain: string): Promise<boolean> =>
      isArgon2id(hash) ? queue.run(() => argon2Verify(hash, plain)) : verifyNothing(plain),
    verifyNothing,
    load: queue.load,
  };
}

/** No password opens a row without a usable hash (an account taken over from elsewhere). */
const isArgon2id = (hash: string) =>
  /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(hash);

const unpaddedZeros = (bytes: number) => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '');

/** A hash of the same parameters whose digest is all zeros, which no password has. */
const nobodysHash = [
  '$argon2id$v=19',
  `m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}`,
  unpaddedZeros(16),
  unpaddedZeros(32),
].join('$');
