import { setImmediate } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import { DatabaseUnavailable } from './database-errors.ts';
import type { EmbeddedSession } from './embedded-session.ts';
import type { SqlClient, SqlQuery, Timings } from './sql-engine.ts';

type Lease = { isOver: boolean; lastUsedMs: number; isUnlimited: boolean };

type PoolTimings = Pick<Timings, 'acquireMs' | 'idleInTransactionMs' | 'yieldEveryMs'>;

export type EmbeddedPool = ReturnType<typeof createEmbeddedPool>;

/** The one embedded session in the shape of a `pg` pool: each holder has it alone, first come, first served. */
export function createEmbeddedPool(session: EmbeddedSession, timings: PoolTimings) {
  /** The longest wait first. */
  const waiters = new Set<() => void>();
  let current: Lease | undefined;
  let isEnding = false;
  let yieldedMs = performance.now();

  /** Like `idle_in_transaction_session_timeout`: one stuck holder would block everybody. */
  const watch = setInterval(() => {
    if (!current || current.isUnlimited) return;
    if (performance.now() - current.lastUsedMs > timings.idleInTransactionMs) giveBack(current);
  }, timings.idleInTransactionMs / 4).unref();

  /** Waits until the lease before ends, which makes `lease` the current one. */
  const turn = (lease: Lease) =>
    new Promise<void>((resolve, reject) => {
      const serve = () => {
        clearTimeout(timer);
        current = lease;
        resolve();
      };
      const giveUp = () => {
        waiters.delete(serve);
        reject(new DatabaseUnavailable('its one connection did not come free', { lost: false }));
      };
      const timer = lease.isUnlimited ? undefined : setTimeout(giveUp, timings.acquireMs);
      waiters.add(serve);
    });

  async function ask(lease: Lease, query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
    if (lease.isOver) throw new DatabaseUnavailable('the connection was given back', { lost: true });
    try {
      return await session.query(query, values);
    } finally {
      lease.lastUsedMs = performance.now();
      // Queries answer synchronously; without a pause, a chain of them would block sockets and timers.
      if (performance.now() - yieldedMs >= timings.yieldEveryMs) {
        await setImmediate();
        yieldedMs = performance.now();
      }
    }
  }

  function giveBack(lease: Lease): void {
    if (lease.isOver) return;
    lease.isOver = true;
    // Runs before the next holder's statements. If the engine has stopped, the transaction is gone with it.
    if (session.isInTransaction()) session.query('rollback').catch(() => undefined);
    current = undefined;
    const [next] = waiters;
    if (!next) return;
    waiters.delete(next);
    next();
  }

  /** Resolves when the session is free. `isUnlimited`: no time limits. */
  async function connect(isUnlimited = false): Promise<SqlClient> {
    if (isEnding) throw new DatabaseUnavailable('it is closing', { lost: true });
    const lease = { isOver: false, lastUsedMs: 0, isUnlimited };
    if (current) await turn(lease);
    else current = lease;
    lease.lastUsedMs = performance.now();
    return { query: (query, values) => ask(lease, query, values), release: () => giveBack(lease) };
  }

  return {
    connect,
    isIdle: () => !current,
    load: () => ({ inUse: current ? 1 : 0, waiting: waiters.size }),
    async query(query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
      const client = await connect();
      try {
        return await client.query(query, values);
      } finally {
        client.release();
      }
    },
    /** Serves those who wait already, then closes the session. */
    async end(): Promise<void> {
      if (isEnding) return;
      const last = connect(true);
      isEnding = true;
      await last;
      clearInterval(watch);
      await session.close();
    },
  };
}
