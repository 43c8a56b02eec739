import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
import type { Endpoint, FileKind, Received, Returned } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail, KeptFailure } from '#server/failure.ts';
import { createTurns } from '#server/platform/turns.ts';
import type { SecretsShown } from '#server/services/account-view.ts';
import { admit, authenticate, type Caller, chooseRow } from './guard.ts';
import { createOnce, type Once, Replayed } from './idempotency.ts';
import { type Pages, sendPages, wantsLines } from './lines.ts';
import { readPart } from './parts.ts';

/** An answer that is not JSON: an image, a PDF, a page, a calendar. */
export type RawAnswer = {
  contentType: string;
  body: string | Buffer | NodeJS.ReadableStream;
  headers?: Record<string, string>;
};

type CallerOf<Row extends Endpoint> = Row extends { access: 'anyone' } ? Caller | undefined : Caller;

type AnswerOf<Row extends Endpoint> = Row extends { produces: FileKind }
  ? RawAnswer
  : Row extends { produces: 'jsonOrLines' }
    ? Pages<Returned<Row> extends readonly (infer Item)[] ? Item : never>
    : Returned<Row>;

/** What a handler gets: everything already read by the row's schemas and allowed by its access. */
export type Call<Row extends Endpoint> = {
  deps: Deps;
  /** The account behind the token; always there unless the row's access is `anyone`. */
  caller: CallerOf<Row>;
  params: Received<Row, 'params'>;
  query: Received<Row, 'query'>;
  body: Received<Row, 'body'>;
  /** The client's address: the socket's, or what a trusted proxy says. */
  address: string;
  /** Runs work in one transaction, and for a caller with an `Idempotency-Key` exactly once. */
  once: Once;
  /** Which secrets of an account the answer is to hold. */
  wants: SecretsShown;
  /** True when the reader asked for one row a line. */
  asLines: boolean;
  request: FastifyRequest;
};

export type Handler<Row extends Endpoint> = (
  call: Call<Row>,
) => Promise<AnswerOf<Row> | Replayed | KeptFailure>;

type BoundRow = { name: string; row: Endpoint; handle: Handler<Endpoint> };

export type Bind = <Row extends Endpoint>(row: Row, handle: Handler<Row>) => void;

/**
 * Binds rows of the endpoint table to handlers. `finish` registers the routes and throws when a row of the table was
 * left without a handler, so that the server does not start half open.
 */
export function createBinder(app: FastifyInstance, deps: Deps, table: Record<string, Endpoint>) {
  const bound = new Map<Endpoint, BoundRow>();
  const nameOf = new Map(Object.entries(table).map(([name, row]) => [row, name]));

  const route: Bind = (row, handle) => {
    const name = nameOf.get(row);
    if (!name) throw new Error(`${row.method} ${row.path} is not in the endpoint table`);
    if (bound.has(row)) throw new Error(`endpoint ${name} has two handlers`);
    bound.set(row, { name, row, handle: handle as unknown as Handler<Endpoint> });
  };

  const finish = () => {
    for (const [row, name] of nameOf) if (!bound.has(row)) throw new Error(`endpoint ${name} has no handler`);
    const writes = createWrites();
    for (const rows of groupByPath([...bound.values()]).values()) register(app, deps, rows, writes);
  };

  return { route, finish };
}

function groupByPath(rows: BoundRow[]): Map<string, BoundRow[]> {
  const groups = new Map<string, BoundRow[]>();
  for (const bound of rows) {
    const path = `${bound.row.method} ${bound.row.path}`;
    groups.set(path, [...(groups.get(path) ?? []), bound]);
  }
  return groups;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard, before the body is read, so that a stranger cannot make the server read one. */
    admitted?: { bound: BoundRow; caller: Caller | undefined };
  }
}

/**
 * Of one account's writes only a few run at the same time, so that it does not take the database from everybody else.
 * Whoever waits longest in vain is told to come back; staff, who may do a morning's work at once, only wait.
 */
function createWrites() {
  const bounds = {
    maxRunning: limits.writesAtOnce,
    full: () => new Failure('too_many_requests', { retryAfterSeconds: limits.writesWaitMaxMs / 1000 }),
  };
  const staffs = createTurns({ ...bounds, maxWaiting: Number.POSITIVE_INFINITY });
  const borrowers = createTurns({
    ...bounds,
    maxWaiting: limits.writesWaiting,
    maxWaitMs: limits.writesWaitMaxMs,
  });
  return {
    inTurn<Result>(row: Endpoint, caller: Caller | undefined, work: () => Promise<Result>): Promise<Result> {
      // A file takes long to arrive, and has a bound of its own.
      if (!caller || row.method === 'GET' || row.takesFile) return work();
      return (caller.account.isAdmin ? staffs : borrowers).take(String(caller.account.id), work);
    },
  };
}

type Writes = ReturnType<typeof createWrites>;

function register(app: FastifyInstance, deps: Deps, rows: BoundRow[], writes: Writes): void {
  const [first] = rows;
  if (!first) return;
  app.route({
    method: first.row.method,
    url: first.row.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      const caller = await authenticate(deps, request);
      const bound = chooseRow(rows, caller);
      await admit(deps, bound.row, caller, request.ip);
      request.admitted = { bound, caller };
    },
    handler: async (request, reply) => {
      const { bound, caller } = admittedOf(request);
      return answer(deps, bound, caller, request, reply, writes);
    },
  });
}

function admittedOf(request: FastifyRequest) {
  if (!request.admitted) throw new Error('a handler was reached without the guard');
  return request.admitted;
}

async function answer(
  deps: Deps,
  { name, row, handle }: BoundRow,
  caller: Caller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  writes: Writes,
) {
  // A form is read by the upload alone; elsewhere it would pass for an empty body.
  if (request.isMultipart() && !row.takesFile) fail('unsupported_media_type');
  const call = {
    deps,
    caller,
    params: readPart(row.params, request.params, 'params'),
    query: readPart(row.query, request.query, 'query'),
    body: readPart(row.body, request.body, 'body'),
    address: request.ip,
    once: createOnce(deps, { name, row, caller, request }),
    wants: wantedSecrets(request),
    asLines: row.produces === 'jsonOrLines' && wantsLines(request),
    request,
  };
  const result = await writes.inTurn(row, caller, () => handle(call as unknown as Call<Endpoint>));
  if (result instanceof KeptFailure) throw result.failure;
  // What is personal is never cached (`no-store`); this is for a browser, or something in it, that did so all the same.
  if (row.clearsCache) reply.header('clear-site-data', '"cache"');
  if (result instanceof Replayed) return reply.code(result.status).send(result.reply);
  if (row.produces === 'jsonOrLines') {
    return sendPages(reply, row, result as unknown as Pages<unknown>, call.asLines);
  }
  if (row.produces && row.produces !== 'json') return sendRaw(reply, result as unknown as RawAnswer);
  return reply.code(row.status ?? 200).send(writeReply(row.reply, result));
}

function wantedSecrets({ headers }: FastifyRequest): SecretsShown {
  const [, only] = /\bsecrets=(none|otpCode|plainPassword)\b/.exec(String(headers.prefer)) ?? [];
  return {
    password: only === undefined || only === 'plainPassword',
    otp: only === undefined || only === 'otpCode',
  };
}

function sendRaw(reply: FastifyReply, raw: RawAnswer) {
  return reply
    .headers(raw.headers ?? {})
    .type(raw.contentType)
    .send(raw.body);
}

/** The reply schema writes the reply, so a column that is not in it cannot leak. */
export function writeReply(schema: ZodMiniType | undefined, value: unknown): unknown {
  return schema ? schema.parse(value) : value;
}
