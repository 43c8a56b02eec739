import { type PGlite, protocol } from '@electric-sql/pglite';
import pg, { type FieldDef, type QueryResult } from 'pg';
import pgUtils from 'pg/lib/utils.js';
import { DatabaseUnavailable } from './database-errors.ts';
import type { SqlQuery } from './sql-engine.ts';
import { createStatementCache, type Statement } from './statement-cache.ts';

const { serialize } = protocol;

/** The one session of the embedded engine. Everything happens within the call: nothing else runs meanwhile. */
export type WasmSession = {
  /** Answers, or throws, as `pg` would. */
  query(query: SqlQuery, values?: unknown[]): QueryResult;
  isInTransaction(): boolean;
  close(): Promise<void>;
};

/** How many statements stay parsed. One takes some tens of kilobytes of the engine's memory. */
const statementLimit = 500;

/** `pg` builds its results with this class; its types leave out how. */
type ResultInMaking = QueryResult & {
  addFields(fields: FieldDef[]): void;
  parseRow(values: (string | null)[]): unknown;
  addRow(row: unknown): void;
  addCommandComplete(message: { text: string }): void;
};

type Reply = { name: string } & Partial<{
  fields: FieldDef[] & (string | null)[];
  text: string;
  status: string;
  severity: string;
  message: string;
  length: number;
}>;

/**
 * Speaks PostgreSQL's protocol with the engine, one call a query. `onStop` is told when the engine has stopped for
 * good, after a failed write for instance.
 */
export function createWasmSession(engine: PGlite, onStop: (reason: string) => void): WasmSession {
  const parser = new protocol.Parser();
  const statements = createStatementCache(statementLimit);
  let status = 'I';
  let isStopped = false;
  stopAtOnceOnAbort(engine);

  /** Sends messages and collects the replies. A stopped engine must never be called again: it would not return. */
  function exchange(message: Uint8Array): Reply[] {
    if (isStopped) throw stopped('it has stopped and must be started again');
    const replies: Reply[] = [];
    // Asynchronous in its signature only: without `syncToFs` all is done when it returns. A failure inside shows in
    // the replies, which then lack the closing `readyForQuery`.
    engine
      .execProtocolRawStream(message, {
        syncToFs: false,
        onRawData: (bytes) => parser.parse(bytes, (reply) => replies.push(reply as Reply)),
      })
      .catch(() => undefined);
    const last = replies.at(-1);
    if (last?.name !== 'readyForQuery') {
      isStopped = true;
      const reason = replies.find((reply) => reply.name === 'error')?.message ?? 'it gave no answer';
      onStop(reason);
      throw stopped(reason);
    }
    status = last.status ?? 'I';
    return replies;
  }

  function queryPrepared(text: string, values: unknown[], query: SqlQuery): QueryResult {
    // A value that cannot be encoded throws here, before anything is remembered or sent.
    const encoded = values.map((value) => pgUtils.prepareValue(value));
    const statement = statements.use(text);
    const replies = exchange(Buffer.concat(messagesFor(statement, text, encoded, statements.takeFallen())));
    const refusal = replies.find((reply) => reply.name === 'error');
    for (const reply of replies) {
      if (reply.name === 'parseComplete') statement.isParsed = true;
      if (reply.name === 'rowDescription') statement.fields = reply.fields;
    }
    if (!refusal) return resultsOf(replies, query, statement);
    const error = toDatabaseError(refusal);
    // Not parsed, or parsed against a table that has changed since: the next use parses anew.
    if (!statement.isParsed || error.code === '0A000') statements.forget(text);
    throw error;
  }

  function query(query: SqlQuery, values?: unknown[]): QueryResult {
    const config = typeof query === 'string' ? { text: query } : query;
    const parameters = values ?? config.values ?? [];
    if (config.name || parameters.length > 0) return queryPrepared(config.text, parameters, query);
    const replies = exchange(serialize.query(config.text));
    const refusal = replies.find((reply) => reply.name === 'error');
    if (refusal) throw toDatabaseError(refusal);
    return resultsOf(replies, query);
  }

  return {
    query,
    isInTransaction: () => status !== 'I',
    close: async () => {
      if (!isStopped) await engine.close();
    },
  };
}

/** One buffer, so that the engine is entered once: what to close, perhaps parse, bind, execute, sync. */
function messagesFor(
  { name, isParsed }: Statement,
  text: string,
  values: (string | Buffer | null)[],
  fallen: string[],
): Uint8Array[] {
  const messages = fallen.map((old) => serialize.close({ type: 'S', name: old }));
  if (!isParsed) messages.push(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
  messages.push(serialize.bind({ statement: name, values }), serialize.execute({}), serialize.sync());
  return messages;
}

/** Like `pg`: one result, or an array of them when the text held several statements. */
function resultsOf(replies: Reply[], query: SqlQuery, statement?: Statement): QueryResult {
  const results: ResultInMaking[] = [];
  let result = startResult(query, results);
  if (statement?.fields) result.addFields(statement.fields);
  let isComplete = false;
  for (const reply of replies) {
    if (isComplete && (reply.name === 'rowDescription' || reply.name === 'commandComplete')) {
      result = startResult(query, results);
      isComplete = false;
    }
    if (reply.name === 'rowDescription' && !statement) result.addFields(reply.fields ?? []);
    else if (reply.name === 'dataRow') result.addRow(result.parseRow(reply.fields ?? []));
    else if (reply.name === 'commandComplete') {
      result.addCommandComplete({ text: reply.text ?? '' });
      isComplete = true;
    }
  }
  return results.length === 1 ? result : (results as unknown as QueryResult);
}

function startResult(query: SqlQuery, results: ResultInMaking[]): ResultInMaking {
  const { rowMode, types } = typeof query === 'string' ? {} : query;
  const result = new pg.Result(rowMode ?? '', (types ?? pg.types) as typeof pg.types);
  results.push(result as ResultInMaking);
  return result as ResultInMaking;
}

function toDatabaseError(reply: Reply): pg.DatabaseError {
  const error = new pg.DatabaseError(reply.message ?? '', reply.length ?? 0, 'error');
  // The fields have the same names on both sides: code, detail, constraint, table, column and the rest.
  return Object.assign(error, reply);
}

function stopped(reason: string): DatabaseUnavailable {
  return new DatabaseUnavailable(`the embedded engine: ${reason}`, { lost: true });
}

/**
 * When PostgreSQL panics, PGlite's loop goes on feeding it what is left of the message. This makes the loop's own
 * clean-up throw, so that a crashed engine runs nothing more.
 */
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
