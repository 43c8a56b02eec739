import { setImmediate } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import { DatabaseUnavailable } from './database-errors.ts';
import type { EmbeddedSession } from './embedded-session.ts';
import type { SqlClient, SqlQuery, Timings } from './sql-engine.ts';

type Lease = { isOver: boolean; lastUsedMs: number; isUnlimited: boolean };

type PoolTimings = Pick<Timings, 'acquireMs' | 'idleInTransactionMs' | 'yieldEveryMs'>;

/** The one embedded session in the shape of a `pg` pool: each holder has it alone, first come, first served. */
export class EmbeddedPool {
  readonly #session: EmbeddedSession;
  readonly #timings: PoolTimings;
  /** The longest wait first. */
  readonly #waiters = new Set<() => void>();
  readonly #watch: NodeJS.Timeout;
  #lease: Lease | undefined;
  #isEnding = false;
  #yieldedMs = performance.now();

  constructor(session: EmbeddedSession, poolTimings: PoolTimings) {
    this.#session = session;
    this.#timings = poolTimings;
    this.#watch = setInterval(() => this.#endIdleLease(), poolTimings.idleInTransactionMs / 4);
    this.#watch.unref();
  }

  get isIdle(): boolean {
    return !this.#lease;
  }

  /** Resolves when the session is free. `isUnlimited`: no time limits. */
  async connect(isUnlimited = false): Promise<SqlClient> {
    if (this.#isEnding) throw new DatabaseUnavailable('it is closing', { lost: true });
    const lease = { isOver: false, lastUsedMs: 0, isUnlimited };
    if (this.#lease) await this.#turn(lease);
    else this.#lease = lease;
    lease.lastUsedMs = performance.now();
    return {
      query: (query, values) => this.#query(lease, query, values),
      release: () => this.#end(lease),
    };
  }

  async query(query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
    const client = await this.connect();
    try {
      return await client.query(query, values);
    } finally {
      client.release();
    }
  }

  /** Serves those who wait already, then closes the session. */
  async end(): Promise<void> {
    if (this.#isEnding) return;
    const turn = this.connect(true);
    this.#isEnding = true;
    await turn;
    clearInterval(this.#watch);
    await this.#session.close();
  }

  /** Waits until the lease before ends, which makes `lease` the current one. */
  #turn(lease: Lease): Promise<void> {
    return new Promise((resolve, reject) => {
      const serve = () => {
        clearTimeout(timer);
        this.#lease = lease;
        resolve();
      };
      const giveUp = () => {
        this.#waiters.delete(serve);
        reject(new DatabaseUnavailable('its one connection did not come free', { lost: false }));
      };
      const timer = lease.isUnlimited ? undefined : setTimeout(giveUp, this.#timings.acquireMs);
      this.#waiters.add(serve);
    });
  }

  async #query(lease: Lease, query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
    if (lease.isOver) throw new DatabaseUnavailable('the connection was given back', { lost: true });
    try {
      return await this.#session.query(query, values);
    } finally {
      lease.lastUsedMs = performance.now();
      await this.#yieldNowAndThen();
    }
  }

  /** Queries answer synchronously; without a pause, a chain of them would block sockets and timers. */
  async #yieldNowAndThen(): Promise<void> {
    if (performance.now() - this.#yieldedMs < this.#timings.yieldEveryMs) return;
    await setImmediate();
    this.#yieldedMs = performance.now();
  }

  #end(lease: Lease): void {
    if (lease.isOver) return;
    lease.isOver = true;
    // Runs before the next holder's statements. If the engine has stopped, the transaction is gone with it.
    if (this.#session.isInTransaction()) this.#session.query('rollback').catch(() => undefined);
    this.#lease = undefined;
    const [next] = this.#waiters;
    if (!next) return;
    this.#waiters.delete(next);
    next();
  }

  /** Like `idle_in_transaction_session_timeout`: one stuck holder would block everybody. */
  #endIdleLease(): void {
    const lease = this.#lease;
    if (!lease || lease.isUnlimited) return;
    if (performance.now() - lease.lastUsedMs > this.#timings.idleInTransactionMs) this.#end(lease);
  }
}
