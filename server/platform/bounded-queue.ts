/** Too much waits already: 503, come back later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Runs slow work a few pieces at a time and turns away what would wait too long. */
export type BoundedQueue = ReturnType<typeof createBoundedQueue>;

export type QueueLoad = { running: number; waiting: number };

const restMaxMs = 2_000;

/** Lets the work begin, or turns it away. */
type Waiter = (refusal?: Error) => void;

type Bounds = {
  maxRunning: number;
  maxWaiting: number;
  /** Without it, a waiter waits until its turn comes. */
  maxWaitMs?: number;
  /** While others wait, each slot pauses for `restFactor` × the run time of its last task: one caller cannot keep it busy. */
  restFactor?: number;
  /** `Overloaded` unless said otherwise. */
  full?: () => Error;
};

/**
 * Without bounds, a crowd of sign-ins would fill the thread pool that files and name look-ups share, and the memory.
 * `onIdle` is told when nothing runs, rests or waits any more.
 */
export function createBoundedQueue(bounds: Bounds, onIdle?: () => void) {
  const { maxRunning, maxWaiting, maxWaitMs, restFactor = 0 } = bounds;
  const { full = () => new Overloaded('too much waits already') } = bounds;
  /** The lanes that somebody waits in; whose turn is next comes first. */
  const lanes = new Map<string, Waiter[]>();
  let waiting = 0;
  let running = 0;

  /** A place passes straight to the next in turn, so nothing can slip in between. */
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
     * Lanes take turns, and within one the work runs in the order it came. Throws what `full` gives when `maxWaiting`
     * pieces wait already: it is the newest of the longest lane that goes, so that nobody fills the queue for others.
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

/** Lets only so much work on the same thing happen at once within this process, in the order it came. */
export type KeyedLimiter = ReturnType<typeof createKeyedLimiter>;

export function createKeyedLimiter(bounds: Bounds) {
  const queues = new Map<string, BoundedQueue>();

  return {
    /** Throws what `full` gives when too many wait for the same key already. For `lane` see `createBoundedQueue`. */
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

/** The key of those without a session: signing in and registering. */
export const signInKey = 'sign-in';
