import { setTimeout as sleep } from 'node:timers/promises';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { DatabaseUnavailable, isWorthRetrying, withoutValues } from './database-errors.ts';
import { createHandles, handleOver, send } from './handles.ts';
import type { SqlClient, SqlEngine, SqlQuery } from './sql-engine.ts';
import { timings } from './timings.ts';

type Reading = 'select' | 'selectDistinct' | 'selectDistinctOn' | '$count' | 'with' | '$with' | 'execute';

/** Reads, one statement at a time. Each statement may see another moment and another connection. */
export type Reader = Pick<NodePgDatabase, Reading>;

/** Reads and writes inside one transaction. Every `Tx` is a `Reader`. */
export type Tx = Pick<NodePgDatabase, Reading | 'insert' | 'update' | 'delete'>;

/** One connection without time limits and outside any transaction, for migrations and the like. */
export type UpkeepSession = NodePgDatabase;

/** The only door to SQL. */
export type Database = {
  /**
   * Runs `work` in a transaction: committed when it returns, undone when it throws. On a serialisation failure or a
   * deadlock it is undone and run again, so it must do nothing that cannot be done twice (no files, no mail).
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Has every transaction's work done by `around`, which may write more after it, to be committed with it. */
  aroundTransactions(around: Around): void;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  upkeep<T>(work: (session: UpkeepSession) => Promise<T>): Promise<T>;
  /** True on the embedded engine: a long transaction there keeps everybody else waiting. */
  readonly hasOneSession: boolean;
  /**
   * Resolves, with the reason, when the database will never answer again in this process: the embedded engine after a
   * write that the disk refused. Absent where a lost database comes back by itself.
   */
  readonly stopped?: Promise<string>;
  /** Whether the database answers now. Never throws. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};

type Around = <T>(tx: Tx, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Waits before attempt `attempt + 1`; handed in, so that tests need not wait. */
export type RetryPause = (attempt: number) => Promise<void>;

const maxAttempts = 6;

export function createDatabase(engine: SqlEngine, pause: RetryPause): Database {
  const handles = createHandles();
  const reader = handleOver(querySingly);
  let around: Around = (tx, work) => work(tx);

  async function querySingly(query: SqlQuery, values?: unknown[]) {
    handles.refuseInside('a single read');
    return withClient(engine.connect(), (client) => send(client, query, values));
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    handles.refuseInside('a transaction');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withClient(engine.connect(), (client) =>
          inTransaction(client, () => handles.lend(client, (tx) => around(tx, work))),
        );
      } catch (error) {
        if (attempt === maxAttempts || !isWorthRetrying(error)) throw withoutValues(error);
        await pause(attempt);
      }
    }
  }

  async function read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    handles.refuseInside('a read');
    try {
      return await work(reader);
    } catch (error) {
      throw withoutValues(error);
    }
  }

  async function upkeep<T>(work: (session: UpkeepSession) => Promise<T>): Promise<T> {
    handles.refuseInside('upkeep');
    try {
      return await withClient(engine.connectForUpkeep(), (client) => handles.lend(client, work));
    } catch (error) {
      throw withoutValues(error);
    }
  }

  async function isReady(): Promise<boolean> {
    const stopWaiting = new AbortController();
    const late = sleep(timings.readyMs, false, { signal: stopWaiting.signal }).catch(() => false);
    const answer = querySingly('select 1').then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      stopWaiting.abort();
    }
  }

  async function close(): Promise<void> {
    try {
      await engine.close();
    } finally {
      handles.close();
    }
  }

  const { hasOneSession, stopped } = engine;
  return {
    ...{ transaction, read, upkeep, isReady, hasOneSession, close },
    aroundTransactions: (next) => {
      around = next;
    },
    ...(stopped ? { stopped } : {}),
  };
}

/** Lends a connection to `work` and gives it back, as broken when it was lost. */
async function withClient<T>(
  connecting: Promise<SqlClient>,
  work: (client: SqlClient) => Promise<T>,
): Promise<T> {
  const client = await connecting;
  let isLost = false;
  try {
    return await work(client);
  } catch (error) {
    isLost = isLostConnection(error);
    throw error;
  } finally {
    client.release(isLost);
  }
}

async function inTransaction<T>(client: SqlClient, work: () => Promise<T>): Promise<T> {
  await send(client, 'begin');
  try {
    const result = await work();
    await commit(client);
    return result;
  } catch (error) {
    // When this fails too, `release` finds the transaction still open and throws the connection away.
    if (!isLostConnection(error)) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** After a refused statement PostgreSQL answers `commit` with a rollback and no error: work that swallowed it was lost. */
async function commit(client: SqlClient): Promise<void> {
  const { command } = await send(client, 'commit');
  if (command !== 'COMMIT') {
    throw new Error('a statement of this transaction was refused and its error swallowed');
  }
}

function isLostConnection(error: unknown): boolean {
  const inner = withoutValues(error);
  return inner instanceof DatabaseUnavailable && inner.lost;
}
