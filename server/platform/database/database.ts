import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PoolClient, QueryResult } from 'pg';
import { createBoundedQueue } from '#server/platform/bounded-queue.ts';
import { codeOf } from '#server/platform/file-system.ts';
import {
  asOurs,
  DatabaseUnavailable,
  isRefusedForAnother,
  isWorthRetrying,
  OtherEdition,
  refusalIn,
  withoutValues,
} from './database-errors.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { createPostgresEngine } from './postgres-engine.ts';
import {
  type ConnectionLoad,
  type DatabaseLog,
  type SqlClient,
  type SqlEngine,
  type SqlQuery,
  timings,
} from './sql-engine.ts';

type Reading = 'select' | 'selectDistinct' | 'selectDistinctOn' | '$count' | 'with' | '$with' | 'execute';

/** Reads, one statement at a time. Statements may run at different moments and on different connections. */
export type Reader = Pick<NodePgDatabase, Reading>;

/** Reads and writes in one transaction. Every `Tx` is a `Reader`. */
export type Tx = Pick<NodePgDatabase, Reading | 'insert' | 'update' | 'delete'>;

/** The only way to SQL. */
export type Database = {
  /** Rolled back if `work` throws. After a deadlock `work` runs again, so its side effects must be repeatable. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Wraps every transaction's work. `around` may write more, which is committed with it. */
  aroundTransactions(around: Around): void;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** A read of one snapshot. The embedded engine serves nobody else meanwhile: keep it short. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Reads lists and reports on a replica, if one has everything committed before. `work` may run twice. */
  readOnReplica<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Connections now, and the statements of this process so far with the time until their answers. */
  load(): ConnectionLoad & { statements: number; statementMs: number };
  readonly replicaReads?: Readonly<Record<'replica' | 'primary', number>>;
  /**
   * Runs without time limits, and never again; `begin` is its first statement.
   * `aroundTransactions` leaves it out.
   */
  longTransaction<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection without time limits and outside transactions, for `vacuum` and the like. */
  upkeep<T>(work: (session: NodePgDatabase) => Promise<T>): Promise<T>;
  /** True on the embedded engine: a long transaction blocks everybody else. */
  readonly hasOneSession: boolean;
  /** Resolves, with the reason, if this process can never write again: the embedded engine has stopped, or the books are of another edition. */
  readonly stopped: Promise<string>;
  /** Never throws. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};

/** Arbitrary numbers that nothing else in the database locks. */
export const advisoryLocks = {
  migrations: 4_173_001,
  auditSeals: 4_173_002,
  bookKeys: 4_173_003,
  grants: 4_173_004,
  bookImport: 4_173_005,
  sealFile: 4_173_006,
  receiptNumbers: 4_173_007,
};

export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement gave no row');
  return row;
}

type DatabaseSettings = {
  /** PostgreSQL instead of the embedded engine. */
  databaseUrl?: string | undefined;
  replicaUrl?: string | undefined;
  /** Holds the embedded engine's directory `database`. */
  dataDir: string;
  maxConnections?: number | undefined;
  log: DatabaseLog;
};

/** Throws if another process uses `dataDir`. PostgreSQL is first contacted by the first statement. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { replicaUrl, log } = settings;
  const engine = await openEngine(settings);
  if (replicaUrl === undefined) return createDatabase(engine, jitteredPause);
  const standby = { databaseUrl: replicaUrl, standby: true, log, timings: replicaTimings };
  return createDatabase(engine, jitteredPause, { engine: createPostgresEngine(standby), log });
}

/** If a replica does not answer soon, the primary does. */
const replicaTimings = { acquireMs: 1_000, statementMs: 5_000, silenceMs: 6_000 };

async function openEngine(settings: DatabaseSettings): Promise<SqlEngine> {
  const { databaseUrl, dataDir, maxConnections, log } = settings;
  if (databaseUrl) return createPostgresEngine({ databaseUrl, log, maxConnections });
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new Error(`DATA_DIR names ${dataDir}, where nothing can be written (${codeOf(error)})`);
  }
  return openEmbeddedEngine({ directory: path.join(dataDir, 'database'), log });
}

type Around = <T>(tx: Tx, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers() {
  let resolve: (reason: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

type RetryPause = (attempt: number) => Promise<void>;

const pauseBaseMs = 8;
const pauseMaxMs = 250;

/** A random wait below a bound that doubles, so that colliding transactions do not meet again. */
const jitteredPause: RetryPause = async (attempt) => {
  await sleep(Math.random() * Math.min(pauseMaxMs, pauseBaseMs * 2 ** attempt));
};

const maxAttempts = 6;

type Replica = { engine: SqlEngine; log: DatabaseLog };

export function createDatabase(engine: SqlEngine, pause: RetryPause, replica?: Replica): Database {
  const handles = createHandles();
  const reader = handleOver(querySingly);
  let around: Around = (tx, work) => work(tx);
  const writers = createBoundedQueue({
    maxRunning: engine.writersAtOnce,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs: timings.acquireMs,
    full: () => new DatabaseUnavailable('no connection for a transaction came free', { lost: false }),
  });
  const otherEdition = withResolvers();

  let statements = 0;
  let statementMs = 0;

  async function connect(): Promise<SqlClient> {
    const client = await engine.connect();
    return {
      async query(query, values) {
        const sentMs = performance.now();
        try {
          return await client.query(query, values);
        } finally {
          statements += 1;
          statementMs += performance.now() - sentMs;
        }
      },
      release: (broken) => client.release(broken),
    };
  }

  async function querySingly(query: SqlQuery, values?: unknown[]) {
    handles.refuseInside('a single read');
    return withClient(connect(), (client) => send(client, query, values));
  }

  const transactionOver = <T>(connecting: Promise<SqlClient>, begin: string, work: (tx: Tx) => Promise<T>) =>
    withClient(connecting, (client) =>
      inTransaction(client, begin, (unawaited) =>
        handles.lend(client, (tx) => {
          unawaitedIn.set(tx, unawaited);
          return work(tx);
        }),
      ),
    );

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    handles.refuseInside('a transaction');
    for (let attempt = 1; ; attempt += 1) {
      const afterwards: AfterCommit[] = [];
      try {
        const result = await writers.run(() =>
          transactionOver(connect(), beginWork, (tx) => {
            afterCommitOf.set(tx, afterwards);
            return around(tx, work);
          }),
        );
        await Promise.all(afterwards.map(async (next) => next()));
        return result;
      } catch (error) {
        const refusal = withoutValues(error);
        if (refusal instanceof OtherEdition) otherEdition.resolve(refusal.reason);
        if (attempt === maxAttempts || !isWorthRetrying(error)) throw withoutValues(error);
        await pause(attempt);
      }
    }
  }

  async function once<T>(what: string, work: () => Promise<T>): Promise<T> {
    handles.refuseInside(what);
    try {
      return await work();
    } catch (error) {
      throw withoutValues(error);
    }
  }

  const read: Database['read'] = (work) => once('a read', () => work(reader));
  const snapshot: Database['snapshot'] = (work) =>
    once('a snapshot', () => transactionOver(connect(), beginSnapshot, work));
  const longTransaction: Database['longTransaction'] = (begin, work) =>
    once('a long transaction', () => transactionOver(engine.connectForUpkeep(), begin, work));
  const upkeep: Database['upkeep'] = (work) =>
    once('upkeep', () => withClient(engine.connectForUpkeep(), (client) => handles.lend(client, work)));

  const replicaReads = { replica: 0, primary: 0 };
  let isReplicaAway = false;
  let restsUntilMs = 0;

  async function readOnReplica<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (!replica) return read(work);
    handles.refuseInside('a read');
    if (performance.now() >= restsUntilMs) {
      // One request tries the replica again; others do not wait for it.
      if (isReplicaAway) restsUntilMs = performance.now() + timings.replicaRestMs;
      try {
        const position = await positionOf((query) => querySingly(query));
        const result = await withClient(replica.engine.connect(), async (client) => {
          await untilFollowed(client, position);
          return handles.lend(client, work);
        });
        if (isReplicaAway) replica.log.info({}, 'lists are read on the replica again');
        isReplicaAway = false;
        restsUntilMs = 0;
        replicaReads.replica += 1;
        return result;
      } catch (error) {
        const refusal = refusalIn(error);
        if (!refusal) throw error;
        restsUntilMs = performance.now() + timings.replicaRestMs;
        if (!isReplicaAway) {
          replica.log.warn(
            { reason: refusal.message },
            'the replica cannot be read: lists burden the primary',
          );
        }
        isReplicaAway = true;
      }
    }
    replicaReads.primary += 1;
    return read(work);
  }

  function isReady(): Promise<boolean> {
    const late = sleep(timings.readyMs, false, { ref: false });
    const answer = querySingly('select 1').then(
      () => true,
      () => false,
    );
    return Promise.race([answer, late]);
  }

  async function close(): Promise<void> {
    await Promise.all([engine.close(), replica?.engine.close()]);
  }

  const { hasOneSession } = engine;
  return {
    transaction,
    read,
    snapshot,
    readOnReplica,
    longTransaction,
    upkeep,
    isReady,
    load() {
      const { inUse, waiting } = engine.load();
      return { inUse, waiting: waiting + writers.load().waiting, statements, statementMs };
    },
    hasOneSession,
    close,
    aroundTransactions: (next) => {
      around = next;
    },
    stopped: Promise.race([otherEdition.promise, ...(engine.stopped ? [engine.stopped] : [])]),
    ...(replica ? { replicaReads } : {}),
  };
}

/** The transaction of the running code. `isOver` once its work has returned. */
type RunningTransaction = { isOver: boolean };

/** Drizzle handles over lent connections, restricted to their borrower. */
function createHandles() {
  const running = new AsyncLocalStorage<RunningTransaction>();
  let lentNow = 0;

  /**
   * The inner one would wait for the outer for ever on the one embedded connection; on a pool
   * it would lose atomicity.
   */
  function refuseInside(what: string): void {
    const belonging = running.getStore();
    if (belonging && !belonging.isOver) {
      throw new Error(`${what} inside a transaction: hand its tx down instead`);
    }
  }

  /** Gives `work` a handle over `client`. Until it returns, nothing it calls can begin another transaction. */
  async function lend<T>(client: SqlClient, work: (handle: NodePgDatabase) => Promise<T>): Promise<T> {
    const belonging = { isOver: false };
    const handle = handleOver(async (query, values) => {
      // The connection may have another holder by now.
      if (belonging.isOver || running.getStore() !== belonging) {
        throw new Error('this transaction is over: a statement in it was not awaited');
      }
      return send(client, query, values);
    });
    lentNow += 1;
    try {
      // Drizzle's queries start when awaited: `work` may return one, so await it inside.
      return await running.run(belonging, async () => await work(handle));
    } finally {
      belonging.isOver = true;
      lentNow -= 1;
      // While enabled, it slows every promise of the process.
      if (lentNow === 0) running.disable();
    }
  }

  return { refuseInside, lend };
}

function handleOver(query: SqlClient['query']): NodePgDatabase {
  return drizzle({ client: { query } as unknown as PoolClient });
}

type AfterCommit = () => void | Promise<void>;
const afterCommitOf = new WeakMap<object, AfterCommit[]>();

/**
 * Runs once the transaction is committed, and never if it is rolled back. The caller of the transaction waits for it, with no
 * connection held. It must not throw.
 */
export function onCommit(tx: Tx, next: AfterCommit): void {
  afterCommitOf.get(tx)?.push(next);
}

const unawaitedIn = new WeakMap<object, Promise<unknown>[]>();

/**
 * Sends a statement in order without waiting: the transaction waits at its end, and rolls back if the statement failed.
 */
export function sendUnawaited(tx: Tx, query: PromiseLike<unknown>): void {
  const unawaited = unawaitedIn.get(tx);
  if (!unawaited) throw new Error('only a transaction can wait for a statement at its end');
  // `then` makes Drizzle send it now.
  unawaited.push(markedHandled(query.then(() => undefined)));
}

/** Runs a part of a long transaction, and waits for its unawaited statements. */
export async function untilAllAnswered<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const unawaited: Promise<unknown>[] = [];
  unawaitedIn.set(tx, unawaited);
  try {
    const result = await work(tx);
    await Promise.all(unawaited);
    return result;
  } catch (error) {
    throw await causeOf(error, unawaited);
  }
}

/** After a failed statement all others are refused: the cause may be a statement that nobody awaited. */
async function causeOf(error: unknown, unawaited: readonly Promise<unknown>[]): Promise<unknown> {
  if (!isRefusedForAnother(error)) return error;
  const failed = (await Promise.allSettled(unawaited)).find((one) => one.status === 'rejected');
  return failed ? failed.reason : error;
}

/** Keeps Node from reporting a failure as unhandled: the promise is awaited at the end. */
function markedHandled(promise: PromiseLike<unknown>): Promise<unknown> {
  const waiting = Promise.resolve(promise);
  waiting.catch(() => undefined);
  return waiting;
}

/** Throws errors of our own, without the values of the statement, so that they can be logged. */
async function send(client: SqlClient, query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
  try {
    return await client.query(query, values);
  } catch (error) {
    throw asOurs(error, typeof query === 'string' ? query : query.text);
  }
}

/** A position in a database's log. A failover begins a new timeline. */
type Position = { lsn: string; timeline: number; system: string };

/** Everything committed, by this server or another, is before the primary's position. */
async function positionOf(query: (query: string) => Promise<QueryResult>): Promise<Position> {
  const { rows } = await query(`
    select pg_current_wal_flush_lsn()::text as lsn,
           ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
           system_identifier::text as system
      from pg_control_system()`);
  return onlyRow(rows as Position[]);
}

/**
 * Returns when a replica has reached a position. A demoted node may have more of the log than the primary that replaced
 * it, but on another timeline, which it reports until its first checkpoint on the new one.
 */
async function untilFollowed(client: SqlClient, { lsn, timeline, system }: Position): Promise<void> {
  const untilMs = performance.now() + timings.replicaFollowsMs;
  const text = `
    select pg_is_in_recovery() and timeline_id = $2 and system_identifier::text = $3 as "isOfPrimary",
           pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasAll"
      from pg_control_checkpoint(), pg_control_system()`;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const asked = { text, query_timeout: timings.replicaFollowsMs };
    const { rows } = await send(client, asked, [lsn, timeline, system]);
    const { isOfPrimary, hasAll } = onlyRow(rows as Record<'isOfPrimary' | 'hasAll', boolean>[]);
    if (!isOfPrimary) throw new DatabaseUnavailable('it does not follow the primary', { lost: true });
    if (hasAll) return;
    if (performance.now() + pauseMs > untilMs) throw new DatabaseUnavailable('it is behind', { lost: false });
    await sleep(pauseMs);
  }
}

/** Lends a connection to `work` and gives it back, as broken if it was lost. */
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

/** The text names everything: a session behind a pooler may have other defaults. */
export const beginWork = 'begin isolation level read committed, read write, not deferrable';
export const beginSnapshot = 'begin isolation level repeatable read, read only';

/** `begin` and `commit` are sent together with the statement after and before them. */
async function inTransaction<T>(
  client: SqlClient,
  begin: string,
  work: (unawaited: Promise<unknown>[]) => Promise<T>,
): Promise<T> {
  const unawaited = [markedHandled(send(client, begin))];
  try {
    const result = await work(unawaited);
    const committing = send(client, 'commit');
    await Promise.all([...unawaited, markedHandled(committing)]);
    const { command } = await committing;
    // After a failed statement PostgreSQL answers `commit` with a rollback and no error: work that swallowed the error
    // was lost.
    if (command !== 'COMMIT') {
      throw new Error('a statement of this transaction was refused and its error swallowed');
    }
    return result;
  } catch (error) {
    // If this fails too, `release` finds the transaction open and discards the connection.
    if (!isLostConnection(error)) await client.query('rollback').catch(() => undefined);
    throw await causeOf(error, unawaited);
  }
}

function isLostConnection(error: unknown): boolean {
  const inner = withoutValues(error);
  return inner instanceof DatabaseUnavailable && inner.lost;
}
