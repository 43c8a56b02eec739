import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import pg, { type QueryResult } from 'pg';
import { DatabaseUnavailable } from './database-errors.ts';
import { settingText } from './session-settings.ts';
import type { SqlQuery } from './sql-engine.ts';

export type EmbeddedSession = Awaited<ReturnType<typeof openEmbeddedSession>>;

/** Prepared statements kept. Each takes tens of kilobytes of the engine's memory. */
const statementLimit = 500;

/** Missing in the types of `pg`. */
type Wire = {
  parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
};

/** A client of `pg`, so that both engines answer and fail alike. `onStop`: the engine has stopped for good. */
export async function openEmbeddedSession(engine: PGlite, onStop: (reason: string) => void) {
  let stopReason: string | undefined;
  const stream = engineStream(engine, (reason) => {
    stopReason = reason;
    onStop(reason);
  });
  const client = new pg.Client({ stream: () => stream, user: 'postgres', database: 'postgres' });
  // The current query gets the error too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(settingText(undefined, false));
  const { connection: wire } = client as unknown as { connection: Wire };

  /** Names of prepared statements by their text, the least recently used first. */
  const names = new Map<string, string>();
  let made = 0;

  function nameOf(text: string): string {
    const known = names.get(text);
    if (known === undefined) made += 1;
    const name = known ?? `s${made}`;
    names.delete(text);
    names.set(text, name);
    const [oldest] = names.keys();
    if (names.size > statementLimit && oldest !== undefined) forget(oldest);
    return name;
  }

  /** The engine is told together with the next query. */
  function forget(text: string): void {
    const name = names.get(text);
    if (name === undefined) return;
    names.delete(text);
    delete wire.parsedStatements[name];
    wire.close({ type: 'S', name });
  }

  async function query(query: SqlQuery, values?: unknown[]): Promise<QueryResult> {
    if (stopReason !== undefined) throw stopped('it has stopped and must be started again');
    const config = typeof query === 'string' ? { text: query } : query;
    const parameters = values ?? config.values ?? [];
    const isPrepared = config.name !== undefined || parameters.length > 0;
    const { name: _, ...unnamed } = config;
    try {
      return await client.query({
        ...unnamed,
        ...(isPrepared && { name: nameOf(config.text), values: parameters }),
      });
    } catch (error) {
      if (stopReason !== undefined) throw stopped(stopReason);
      // It may not be prepared, or against a table that has changed since: the next time it is prepared again.
      forget(config.text);
      throw error;
    }
  }

  return {
    query,
    isInTransaction: () => stopReason === undefined && client.getTransactionStatus() !== 'I',
    close: async () => {
      await client.end();
      if (stopReason === undefined) await engine.close();
    },
  };
}

const stopped = (reason: string) => new DatabaseUnavailable(`the embedded engine: ${reason}`, { lost: true });

const readyForQueryBytes = 6;
/** Authentication is done (`R`, 0), and the session is ready for a query (`Z`, idle). */
const greeting = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]]);

/** The engine as a server's socket for `pg`. Each query runs within its write: nothing else runs meanwhile. */
function engineStream(engine: PGlite, onStop: (reason: string) => void) {
  stopAtOnceOnAbort(engine);
  let isGreeted = false;
  let unsent: Buffer[] = [];

  function write(chunks: readonly Buffer[]): Error | undefined {
    if (!isGreeted) {
      isGreeted = true;
      stream.push(greeting);
      return undefined;
    }
    unsent.push(...chunks);
    // A message begins with its type: terminate, sync or query among others.
    const type = String.fromCharCode(unsent.at(-1)?.[0] ?? 0);
    if (type === 'X') stream.push(null);
    if (type !== 'S' && type !== 'Q') return undefined;
    // The messages go in one buffer, so that the engine is entered once for all those of a query.
    const sent = Buffer.concat(unsent);
    unsent = [];
    return exchange(sent);
  }

  /** Never call a stopped engine again: it would not return. An error destroys the stream. */
  function exchange(sent: Buffer): Error | undefined {
    const answers: Buffer[] = [];
    // Asynchronous only in its signature: without `syncToFs` it is done when it returns. After an internal failure the
    // answer lacks the final `readyForQuery`.
    engine
      .execProtocolRawStream(sent, {
        syncToFs: false,
        onRawData: (bytes) => answers.push(Buffer.from(bytes)),
      })
      .catch(() => undefined);
    const answer = Buffer.concat(answers);
    if (answer.subarray(-readyForQueryBytes, -readyForQueryBytes + 1).toString() === 'Z') {
      stream.push(answer);
      return undefined;
    }
    // Field M of an error is its sentence.
    const reason = /\0M([^\0]+)\0/.exec(answer.toString())?.[1] ?? 'it gave no answer';
    onStop(reason);
    return stopped(reason);
  }

  const stream = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => done(write([chunk])),
    writev: (chunks, done) => done(write(chunks.map(({ chunk }) => chunk))),
  });
  const connect = () => void process.nextTick(() => stream.emit('connect'));
  return Object.assign(stream, { connect, setNoDelay() {} });
}

/** After a panic PGlite's loop would pass on the rest of the message: here its clean-up throws instead. */
function stopAtOnceOnAbort(engine: PGlite): void {
  const module = engine.Module as unknown as {
    onAbort?: () => void;
    stackRestore(pointer: number): void;
  };
  module.onAbort = () => {
    module.stackRestore = () => {
      throw new Error('the engine has stopped');
    };
  };
}
