/** The queue is full: 503, try later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Runs a few slow tasks at a time and refuses those that would wait too long. */
export type BoundedQueue = ReturnType<typeof createBoundedQueue>;

export type QueueLoad = { running: number; waiting: number };

const restMaxMs = 2_000;

type Waiter = (refusal?: Error) => void;

type Bounds = {
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs?: number;
  /** While others wait, each slot pauses for `restFactor` × the run time of its last task: one caller cannot keep it busy. */
  restFactor?: number;
  /** `Overloaded` by default. */
  full?: () => Error;
};

/**
 * Creates a queue with bounds. Without them, a crowd of sign-ins would fill the memory and the thread pool
 * that files and name look-ups share. `onIdle` runs when nothing runs, pauses or waits.
 */
export function createBoundedQueue(bounds: Bounds, onIdle?: () => void) {
  const { maxRunning, maxWaiting, maxWaitMs, restFactor = 0 } = bounds;
  const { full = () => new Overloaded('too much waits already') } = bounds;
  const lanes = new Map<string, Waiter[]>();
  let waiting = 0;
  let running = 0;

  /** A slot passes straight to the next in turn, so nothing can slip in between. */
  const leave = () => {
    const [first] = lanes.size > 0 ? lanes : [];
    if (!first) {
      running -= 1;
      if (running === 0) onIdle?.();
      return;
    }
    const [name, lane] = first;
    const next = lane.shift();
    lanes.delete(name);
    if (lane.length > 0) lanes.set(name, lane);
    waiting -= 1;
    next?.();
  };

  const wait = (name: string) =>
    new Promise<void>((resolve, reject) => {
      const lane = lanes.get(name) ?? [];
      if (waiting >= maxWaiting) {
        const longest = [...lanes.values()].reduce((a, b) => (b.length > a.length ? b : a), lane);
        if (longest.length <= lane.length + 1) return reject(full());
        longest.pop()?.(full());
        waiting -= 1;
      }
      const giveUp = () => {
        lane.splice(lane.indexOf(waiter), 1);
        if (lane.length === 0) lanes.delete(name);
        waiting -= 1;
        reject(full());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      const waiter: Waiter = (refusal) => {
        clearTimeout(timer);
        if (refusal === undefined) resolve();
        else reject(refusal);
      };
      lane.push(waiter);
      lanes.set(name, lane);
      waiting += 1;
    });

  return {
    /**
     * Lanes take turns, and each lane runs in order. If `maxWaiting` tasks wait already, the newest of the longest lane
     * fails with `full`, so that nobody fills the queue for others.
     */
    async run<Result>(work: () => Promise<Result>, lane = ''): Promise<Result> {
      if (running < maxRunning) running += 1;
      else await wait(lane);
      const begunMs = performance.now();
      try {
        return await work();
      } finally {
        const restMs = waiting > 0 ? restFactor * (performance.now() - begunMs) : 0;
        if (restMs > 0) setTimeout(leave, Math.min(restMs, restMaxMs));
        else leave();
      }
    },
    load: (): QueueLoad => ({ running, waiting }),
  };
}

/** Limits concurrent work on the same key within this process, in order. */
export type KeyedLimiter = ReturnType<typeof createKeyedLimiter>;

export function createKeyedLimiter(bounds: Bounds) {
  const queues = new Map<string, BoundedQueue>();

  return {
    /** Throws `full` if too many wait for the same key. For `lane` see `createBoundedQueue`. */
    take<Result>(key: string, work: () => Promise<Result>, lane?: string): Promise<Result> {
      let queue = queues.get(key);
      if (!queue) {
        queue = createBoundedQueue(bounds, () => queues.delete(key));
        queues.set(key, queue);
      }
      return queue.run(work, lane);
    },
    load: (key: string): QueueLoad => queues.get(key)?.load() ?? { running: 0, waiting: 0 },
  };
}

/** The key for callers without a session: sign-in and registration. */
export const signInKey = 'sign-in';
