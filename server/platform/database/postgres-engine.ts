import type { Duplex } from 'node:stream';
import pg, { type ClientBase, type ClientConfig, type PoolClient, type QueryResult } from 'pg';
import { booksEdition } from './books-edition.ts';
import { asOurs, DatabaseUnavailable, WrongSetting } from './database-errors.ts';
import { findWrongSetting, requiredText, settingText, type TimeLimits } from './session-settings.ts';
import {
  type DatabaseLog,
  type SqlClient,
  type SqlEngine,
  type SqlQuery,
  type Timings,
  timings,
} from './sql-engine.ts';

type PostgresSettings = {
  databaseUrl: string;
  /** A replica instead of the server that accepts writes. */
  standby?: boolean;
  log: DatabaseLog;
  /** Several processes share the server's own limit, 100 by default. */
  maxConnections?: number | undefined;
  timings?: Partial<Timings>;
};

const defaultConnections = 10;
/** Payments wait for one another's receipt numbers, and would take every connection while they do. */
const shareOfWriters = 0.7;

/** Servers find those of another edition by it. Versions before editions call themselves `hiram`. */
export const applicationName = `hiram/${booksEdition}`;

/** A replica where the primary is wanted, or the other way round. */
class WrongServer extends Error {}

/**
 * Contacts nothing before the first `connect`. Of several servers it uses the one that accepts writes (for a standby
 * one that does not), tried in order from the last good one. A lost server makes queries fail, never the process.
 */
export function createPostgresEngine(settings: PostgresSettings): SqlEngine {
  const { databaseUrl, standby = false, log } = settings;
  const servers = serversOf(databaseUrl);
  const limits = { ...timings, ...settings.timings };
  const timeLimits = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  let current = 0;

  class CurrentServerClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: servers[current] });
      // An `error` event without a listener ends the process; `pool.on('error')` covers only idle clients.
      this.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'));
    }
  }

  const common: ClientConfig = {
    application_name: applicationName,
    keepAlive: true,
    // Unawaited statements are sent at once.
    pipeline: true,
    connectionTimeoutMillis: limits.acquireMs,
  };
  const maxConnections = settings.maxConnections ?? defaultConnections;
  const pool = new pg.Pool({
    ...common,
    idleTimeoutMillis: limits.idleConnectionMs,
    query_timeout: limits.silenceMs,
    max: maxConnections,
    Client: CurrentServerClient,
    onConnect: (client) => prepare(client),
  });
  pool.on('error', () => undefined);

  /** The pool accepts only the right server of a cluster, and has its sessions read and write as the books need it. */
  async function prepare(client: ClientBase, forSession = timeLimits): Promise<void> {
    const { processID } = client as unknown as Wire;
    // Through a pooler nothing is set here: its session serves others next.
    const { rows } = await client.query<Greeting>(`
      select pg_is_in_recovery() as standby, pg_backend_pid() as pid, current_user as role,
             current_database() as database, ${requiredText} as required,
             (${settingText(forSession, false, `pg_backend_pid() = ${processID}`)})`);
    const [server] = rows;
    if (!server) throw new Error('a greeting had no answer');
    if (standby && !server.standby) throw new WrongServer('this server follows no other');
    if (!standby && server.standby && servers.length > 1) {
      throw new WrongServer('this server accepts no writes');
    }
    const wrong = findWrongSetting(server);
    if (wrong) throw new WrongSetting(wrong);
    // A pooler reports a process id of its own, and may lend the server's session to another client for the next
    // transaction.
    if (server.pid !== processID) pooled.add(client);
  }

  async function fromSomeServer<T>(connect: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const tried = current;
      try {
        return await connect();
      } catch (error) {
        const isExhausted = error instanceof Error && error.message.startsWith('timeout exceeded');
        if (tries >= servers.length || isExhausted) throw unavailable(error);
        if (current === tried) current = (tried + 1) % servers.length;
      }
    }
  }

  async function connectForUpkeep(): Promise<SqlClient> {
    const client = await fromSomeServer(async () => {
      const fresh = new CurrentServerClient(common);
      try {
        await fresh.connect();
        await prepare(fresh, unlimited);
        return fresh;
      } catch (error) {
        end(fresh);
        throw error;
      }
    });
    return { query: queryOf(client, unlimited, true), release: () => end(client) };
  }

  return {
    hasOneSession: false,
    writersAtOnce: Math.ceil(maxConnections * shareOfWriters),
    connect: async () => lent(await fromSomeServer(() => pool.connect()), timeLimits),
    connectForUpkeep,
    load: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

const end = (client: pg.Client) => void client.end().catch(() => undefined);

/** Missing in the types of `pg`. */
type Wire = { processID: number; connection: { stream: Duplex } };

type Greeting = {
  standby: boolean;
  pid: number;
  role: string;
  database: string;
  required: Record<string, string>;
};

const unlimited = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

/** Connections that may have another session for each transaction: it keeps no settings and no named statements. */
const pooled = new WeakSet<ClientBase>();

function queryOf(client: ClientBase, limits: TimeLimits, outsideTransactions = false): SqlClient['query'] {
  const { stream } = (client as unknown as Wire).connection;
  const send = (query: SqlQuery, values?: unknown[]) => {
    // Everything sent in this tick leaves in one packet.
    stream.cork();
    process.nextTick(() => stream.uncork());
    return client.query(query, values);
  };
  return pooled.has(client) ? settingEach(send, settingText(limits, true), outsideTransactions) : send;
}

/** Every transaction sets what a session of ours has, and a statement outside one gets a transaction of its own. */
function settingEach(
  send: SqlClient['query'],
  settings: string,
  outsideTransactions: boolean,
): SqlClient['query'] {
  let isInTransaction = false;
  /** One packet brings both, and one answer. */
  const begin = (text: string) => send(`${text}; ${settings}`);

  return async (query, values) => {
    const text = typeof query === 'string' ? query : query.text;
    const unnamed = typeof query === 'string' || !query.name ? query : { ...query, name: '' };
    if (/^begin\b/i.test(text)) {
      isInTransaction = true;
      return begin(text);
    }
    if (/^(commit|rollback)$/i.test(text)) isInTransaction = false;
    else if (!isInTransaction && !outsideTransactions) {
      const [begun, answered, ended] = await Promise.allSettled([
        begin('begin isolation level read committed'),
        send(unnamed, values),
        send('commit'),
      ]);
      for (const one of [begun, answered, ended]) if (one.status === 'rejected') throw one.reason;
      return (answered as PromiseFulfilledResult<QueryResult>).value;
    }
    return send(unnamed, values);
  };
}

function lent(client: PoolClient, limits: TimeLimits): SqlClient {
  return {
    query: queryOf(client, limits),
    // An open transaction must not be passed on; closing the connection rolls it back.
    release: (broken = false) => client.release(broken || client.getTransactionStatus() !== 'I'),
  };
}

function unavailable(error: unknown): DatabaseUnavailable {
  const known = asOurs(error);
  if (known instanceof DatabaseUnavailable) return known;
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseUnavailable(reason, { lost: true, cause: error });
}

/**
 * `postgres://user:secret@one:5432,two:5432/hiram` → a connection string for each server of the cluster. Throws a
 * one-line error without the address, because it contains a password.
 */
export function serversOf(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl.trim());
  if (!parts) throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/database');
  const [, front, hosts = '', back] = parts;
  return hosts.split(',').map((host) => `${front}${host.trim()}${back}`);
}
