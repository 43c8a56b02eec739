import type { Duplex } from 'node:stream';
import pg, { type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { asOurs, DatabaseUnavailable } from './database-errors.ts';
import { type DatabaseLog, type SqlClient, type SqlEngine, type Timings, timings } from './sql-engine.ts';

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
  let current = 0;

  class CurrentServerClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: servers[current] });
      // An `error` event without a listener ends the process; `pool.on('error')` covers only idle clients.
      this.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'));
    }
  }

  const common: ClientConfig = {
    application_name: 'hiram',
    keepAlive: true,
    // Unawaited statements are sent at once.
    pipeline: true,
    connectionTimeoutMillis: limits.acquireMs,
  };
  const pool = new pg.Pool({
    ...common,
    idleTimeoutMillis: limits.idleConnectionMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    query_timeout: limits.silenceMs,
    max: settings.maxConnections ?? defaultConnections,
    Client: CurrentServerClient,
    onConnect: prepare,
  });
  pool.on('error', () => undefined);

  /**
   * Both engines use UTC, and of a cluster only the right server will do. Compiling a plan takes longer than any of our
   * statements runs, and parallel workers take the processors from other requests.
   */
  async function prepare(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; pid: number }>(
      "select set_config('timezone', 'UTC', false), set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false), pg_is_in_recovery() as standby, pg_backend_pid() as pid",
    );
    const [server] = rows;
    if (standby && !server?.standby) throw new WrongServer('this server follows no other');
    if (!standby && server?.standby && servers.length > 1) {
      throw new WrongServer('this server accepts no writes');
    }
    // A pooler reports a process id of its own, and may lend the server's session to another client for the next
    // transaction.
    if (server?.pid !== (client as unknown as Wire).processID) unnamed.add(client);
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
        await prepare(fresh);
        return fresh;
      } catch (error) {
        end(fresh);
        throw error;
      }
    });
    return { query: queryOf(client), release: () => end(client) };
  }

  return {
    hasOneSession: false,
    connect: async () => lent(await fromSomeServer(() => pool.connect())),
    connectForUpkeep,
    close: () => pool.end(),
  };
}

const end = (client: pg.Client) => void client.end().catch(() => undefined);

/** Missing in the types of `pg`. */
type Wire = { processID: number; connection: { stream: Duplex } };

/** Connections that must not name statements. */
const unnamed = new WeakSet<ClientBase>();

function queryOf(client: ClientBase): SqlClient['query'] {
  const { stream } = (client as unknown as Wire).connection;
  return (query, values) => {
    // Everything sent in this tick leaves in one packet.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const mayStay = typeof query === 'string' || !query.name || !unnamed.has(client);
    return client.query(mayStay ? query : { ...query, name: '' }, values);
  };
}

function lent(client: PoolClient): SqlClient {
  return {
    query: queryOf(client),
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
