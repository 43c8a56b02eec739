import type { Duplex } from 'node:stream';
import pg, { type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { asOurs, DatabaseUnavailable } from './database-errors.ts';
import { type DatabaseLog, type SqlClient, type SqlEngine, type Timings, timings } from './sql-engine.ts';

type PostgresSettings = {
  databaseUrl: string;
  /** A server that only follows another one, instead of one that accepts writes. */
  standby?: boolean;
  log: DatabaseLog;
  /** Connections at most. Several processes share the server's own limit, 100 by default. */
  maxConnections?: number | undefined;
  timings?: Partial<Timings>;
};

const defaultConnections = 10;

/** A server of a cluster that follows where one to write to is wanted, or the other way round. */
class WrongServer extends Error {}

/**
 * Nothing is contacted before the first `connect`. Of several servers the one that accepts writes is used (for a standby
 * one that does not), tried in order from the last that did. A lost server makes queries fail, never the process.
 */
export function createPostgresEngine(settings: PostgresSettings): SqlEngine {
  const { databaseUrl, standby = false, log } = settings;
  const servers = serversOf(databaseUrl);
  const limits = { ...timings, ...settings.timings };
  let current = 0;

  /** A client of the server that is current when it is made. */
  class CurrentServerClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: servers[current] });
      // An `error` event that nobody listens to ends the process; `pool.on('error')` hears of idle clients only.
      this.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'));
    }
  }

  const common: ClientConfig = {
    application_name: 'hiram',
    keepAlive: true,
    // What is sent without waiting for the answer before it leaves at once.
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

  /** Both engines speak of moments in UTC; and of a cluster only the right server will do. */
  async function prepare(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; pid: number }>(
      "select set_config('timezone', 'UTC', false), pg_is_in_recovery() as standby, pg_backend_pid() as pid",
    );
    const [server] = rows;
    if (standby && !server?.standby) throw new WrongServer('this server follows no other');
    if (!standby && server?.standby && servers.length > 1) {
      throw new WrongServer('this server accepts no writes');
    }
    // A pooler tells a number of its own, and may lend the server's session to somebody else for the next transaction.
    if (server?.pid !== (client as unknown as Wire).processID) unnamed.add(client);
  }

  /** Tries each server once. */
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

/** What `pg` keeps of a connection, missing in its types. */
type Wire = { processID: number; connection: { stream: Duplex } };

/** Connections on which no statement may have a name. */
const unnamed = new WeakSet<ClientBase>();

function queryOf(client: ClientBase): SqlClient['query'] {
  const { stream } = (client as unknown as Wire).connection;
  return (query, values) => {
    // All that is sent before anything else happens leaves in one packet.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const mayStay = typeof query === 'string' || !query.name || !unnamed.has(client);
    return client.query(mayStay ? query : { ...query, name: '' }, values);
  };
}

function lent(client: PoolClient): SqlClient {
  return {
    query: queryOf(client),
    // An open transaction must not be handed on; closing the connection makes the server undo it.
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
 * `postgres://user:secret@one:5432,two:5432/hiram` → a connection string for each server of the cluster.
 * Throws an error of one line that does not repeat the address, because it holds a password.
 */
export function serversOf(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl.trim());
  if (!parts) throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/database');
  const [, front, hosts = '', back] = parts;
  return hosts.split(',').map((host) => `${front}${host.trim()}${back}`);
}
