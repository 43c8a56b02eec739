import { describe, expect, it } from 'vitest';
import { createBoundedQueue, Overloaded } from '#server/platform/bounded-queue.ts';
import { createPasswords } from '#server/platform/passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  it('hashes with Argon2id, m=19456 t=2 p=1, with a fresh salt each time', async () => {
    const [first, second] = await Promise.all([passwords.hash('secret-1'), passwords.hash('secret-1')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('verifies what it hashed and nothing else', async () => {
    const hash = await passwords.hash('pässwörd ₱');
    expect(await passwords.verify(hash, 'pässwörd ₱')).toBe(true);
    expect(await passwords.verify(hash, 'pässwörd ₱ ')).toBe(false);
    expect(await passwords.verify(hash, '')).toBe(false);
  });

  it.each(['', 'plain text', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=19456,t=2,p=1$short'])(
    'treats %j as a hash that no password opens',
    async (hash) => {
      expect(await passwords.verify(hash, 'anything')).toBe(false);
    },
  );

  // Three tries: noise of the machine passes.
  it('verifies nothing with false, in about the time of a wrong password', { retry: 2 }, async () => {
    const hash = await passwords.hash('right');
    const median = async (work: () => Promise<boolean>) => {
      const times: number[] = [];
      for (let round = 0; round < 15; round += 1) {
        const start = performance.now();
        expect(await work()).toBe(false);
        times.push(performance.now() - start);
      }
      return times.sort((left, right) => left - right)[7] ?? Number.NaN;
    };
    const wrongMs = await median(() => passwords.verify(hash, 'wrong'));
    const nobodyMs = await median(() => passwords.verifyNothing('wrong'));
    // Without the work it would be a thousandth; a busy machine still stays within a factor of three.
    expect(nobodyMs / wrongMs).toBeGreaterThan(1 / 3);
    expect(nobodyMs / wrongMs).toBeLessThan(3);
  });

  it('lets at least 100 wait by default', async () => {
    const crowd = Array.from({ length: 103 }, () => passwords.verifyNothing('x'));
    expect(passwords.load().waiting).toBeGreaterThanOrEqual(100);
    await expect(Promise.all(crowd)).resolves.toHaveLength(103);
    expect(passwords.load()).toEqual({ running: 0, waiting: 0 });
  });

  it('turns away whoever would wait behind too many, and serves again afterwards', async () => {
    const small = createPasswords({ maxRunning: 1, maxWaiting: 2 });
    const accepted = [small.hash('1'), small.verifyNothing('2'), small.hash('3')];
    await expect(small.hash('4')).rejects.toBeInstanceOf(Overloaded);
    await expect(small.verifyNothing('5')).rejects.toBeInstanceOf(Overloaded);
    await Promise.all(accepted);
    await expect(small.verifyNothing('6')).resolves.toBe(false);
  });
});

describe('the bounded queue', () => {
  const make = (maxRunning: number, maxWaiting: number) =>
    createBoundedQueue({ maxRunning, maxWaiting, full: () => new Error('full') });
  const moment = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

  it('serves in order of arrival, never more at once than allowed', async () => {
    const queue = make(2, 100);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    await Promise.all(
      numbers.map((number) =>
        queue.run(async () => {
          started.push(number);
          running += 1;
          most = Math.max(most, running);
          await moment();
          running -= 1;
        }),
      ),
    );
    expect(started).toEqual(numbers);
    expect(most).toBe(2);
  });

  it('passes the place on when work fails', async () => {
    const queue = make(1, 1);
    const failing = queue.run(async () => {
      await moment();
      throw new Error('broken');
    });
    const next = queue.run(async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });

  it('does not let a newcomer slip in before one who waits', async () => {
    const queue = make(1, 5);
    const order: string[] = [];
    const first = queue.run(moment);
    const second = queue.run(async () => order.push('second'));
    await first;
    await Promise.all([second, queue.run(async () => order.push('third'))]);
    expect(order).toEqual(['second', 'third']);
  });
});
