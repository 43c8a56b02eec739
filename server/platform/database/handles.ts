import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PoolClient, QueryResult } from 'pg';
import { asUnavailable } from './database-errors.ts';
import type { SqlClient, SqlQuery } from './sql-engine.ts';

/** Which transaction the running code belongs to. `isOver` from the moment its work has returned. */
type Belonging = { isOver: boolean };

/** A handle whose connection changes from one transaction to the next. */
type Slot = { handle: NodePgDatabase; client?: SqlClient; belonging?: Belonging };

export type Handles = {
  /** Throws when the running code is inside a transaction; `what` says what it wanted to begin. */
  refuseInside(what: string): void;
  /** Gives `work` a handle over `client`. Until it returns, whoever it calls can begin nothing else. */
  lend<T>(client: SqlClient, work: (handle: NodePgDatabase) => Promise<T>): Promise<T>;
  /** When the database is closed. Until then every promise of the process carries along what runs in it. */
  close(): void;
};

/**
 * Drizzle handles over lent connections. They are used again and again, so that a query prepared for one
 * (`prepared-query.ts`) is built once and not for each transaction. That is why each checks who is calling: a statement
 * that nobody awaited may arrive when its transaction is over and another one has the handle.
 */
export function createHandles(): Handles {
  const running = new AsyncLocalStorage<Belonging>();
  const free: Slot[] = [];

  /** On one embedded connection the inner would wait for the outer for ever; on a pool it would lose atomicity. */
  function refuseInside(what: string): void {
    const belonging = running.getStore();
    if (belonging && !belonging.isOver) {
      throw new Error(`${what} inside a transaction: hand its tx down instead`);
    }
  }

  function createSlot(): Slot {
    const slot: Slot = {
      handle: handleOver(async (query, values) => {
        const { client, belonging } = slot;
        if (!client || belonging?.isOver || running.getStore() !== belonging) {
          throw new Error('this transaction is over: a statement in it was not awaited');
        }
        return send(client, query, values);
      }),
    };
    return slot;
  }

  async function lend<T>(client: SqlClient, work: (handle: NodePgDatabase) => Promise<T>): Promise<T> {
    const slot = free.pop() ?? createSlot();
    const belonging = { isOver: false };
    Object.assign(slot, { client, belonging });
    try {
      // Drizzle's queries start when they are awaited: `work` may return one, so the waiting belongs inside too.
      return await running.run(belonging, async () => await work(slot.handle));
    } finally {
      belonging.isOver = true;
      slot.client = undefined;
      free.push(slot);
    }
  }

  return { refuseInside, lend, close: () => running.disable() };
}

/** Drizzle asks of a client no more than `query`. */
export function handleOver(query: SqlClient['query']): NodePgDatabase {
  return drizzle({ client: { query } as unknown as PoolClient });
}

/** Sends a statement; a failure of the connection comes out as `DatabaseUnavailable`. */
export async function send(client: SqlClient, query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
  try {
    return await client.query(query, values);
  } catch (error) {
    throw asUnavailable(error);
  }
}
