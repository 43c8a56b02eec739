/** Runs slow work a few pieces at a time, in the order it came, and turns away what would wait too long. */
export type BoundedQueue = {
  /** Throws what `full` gives when `maxWaiting` pieces wait already. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  load: () => QueueLoad;
};

export type QueueLoad = { running: number; waiting: number };

/**
 * Without a bound on what runs, a crowd of sign-ins would fill the thread pool that files and name look-ups share;
 * without a bound on what waits, it would fill the memory.
 */
export function createBoundedQueue(bounds: {
  maxRunning: number;
  maxWaiting: number;
  full: () => Error;
}): BoundedQueue {
  const { maxRunning, maxWaiting, full } = bounds;
  const waiting: Array<() => void> = [];
  let running = 0;

  /** A place is handed from the one who leaves to the one who waited longest, so nobody can slip in between. */
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  const enter = async (): Promise<void> => {
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw full();
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}
