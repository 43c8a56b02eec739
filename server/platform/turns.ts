import { type BoundedQueue, createBoundedQueue, type QueueLoad } from './bounded-queue.ts';

/** The turn of whoever has no session yet: signing in and registering. */
export const doorKey = 'the door';

/** Lets only so much work on the same thing happen at once within this process, in the order it came. */
export type Turns = {
  /** Throws what `full` gives when too many wait for the same key already. For `lane` see `BoundedQueue`. */
  take<Result>(key: string, work: () => Promise<Result>, lane?: string): Promise<Result>;
  load(key: string): QueueLoad;
};

export function createTurns(bounds: Parameters<typeof createBoundedQueue>[0]): Turns {
  const queues = new Map<string, BoundedQueue>();

  return {
    take(key, work, lane) {
      const queue =
        queues.get(key) ?? createBoundedQueue({ ...bounds, onIdle: () => void queues.delete(key) });
      queues.set(key, queue);
      return queue.run(work, lane);
    },
    load: (key) => queues.get(key)?.load() ?? { running: 0, waiting: 0 },
  };
}
