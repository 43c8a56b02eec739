import type { ServerResponse } from 'node:http';
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
    const calls = createCalls(deps);
    for (const rows of groupByPath([...bound.values()]).values()) register(app, deps, rows, calls);
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

const tooMany = () => new Failure('too_many_requests', { retryAfterSeconds: limits.callWaitMaxMs / 1000 });

/**
 * Of one account's calls only a few run at the same time, so that it does not take the database from everybody else.
 * Whoever waits longest in vain is told to come back; staff, who may do a morning's work at once, only wait.
 */
function createCalls(deps: Deps) {
  const bounds = { maxRunning: limits.callsAtOnce, full: tooMany };
  const patient = { ...bounds, maxWaiting: Number.POSITIVE_INFINITY };
  const impatient = (maxWaiting: number) => ({
    ...bounds,
    maxWaiting,
    maxWaitMs: limits.callWaitMaxMs,
    restFactor: limits.restFactor / deps.config.rateLimitScale,
  });
  const staffs = { writes: createTurns(patient), reads: createTurns(patient), costly: createTurns(patient) };
  const borrowers = {
    writes: createTurns(impatient(limits.writesWaiting)),
    reads: createTurns(impatient(limits.readsWaiting)),
    costly: createTurns({ ...impatient(limits.readsWaiting), maxRunning: 1 }),
  };
  const looksUp = createTurns(patient);
  /** By the account they are for. */
  const unread = new Map<number, number>();

  return {
    /** Whose token it is: looked up for a few of its calls at once. */
    asked<Result>({ headers: { authorization = '' } }: FastifyRequest, work: () => Promise<Result>) {
      return authorization === '' ? work() : looksUp.take(authorization, work);
    },

    inTurn<Result>(row: Endpoint, caller: Caller | undefined, work: () => Promise<Result>): Promise<Result> {
      // A file takes long to arrive, and has a bound of its own.
      if (!caller || row.takesFile) return work();
      const { id, isAdmin } = caller.account;
      const { reads, costly, writes } = isAdmin ? staffs : borrowers;
      const lane = String(id);
      if (row.method !== 'GET') return writes.take(lane, work);
      const read = async () => {
        if ((unread.get(id) ?? 0) >= limits.unreadRepliesPerAccount) throw tooMany();
        return row.isCostly ? deps.costly.run(work, lane) : work();
      };
      return (row.isCostly ? costly : reads).take(lane, read);
    },

    /** An answer lies ready: it counts as unread until it has left. */
    countUnread(caller: Caller | undefined, reply: ServerResponse): void {
      if (!caller || reply.destroyed) return;
      const { id } = caller.account;
      unread.set(id, (unread.get(id) ?? 0) + 1);
      let isOver = false;
      const over = () => {
        if (isOver) return;
        isOver = true;
        const left = (unread.get(id) ?? 0) - 1;
        if (left > 0) unread.set(id, left);
        else unread.delete(id);
      };
      reply.once('finish', over);
      reply.once('close', over);
    },
  };
}

type Calls = ReturnType<typeof createCalls>;

function register(app: FastifyInstance, deps: Deps, rows: BoundRow[], calls: Calls): void {
  const [first] = rows;
  if (!first) return;
  app.route({
    method: first.row.method,
    url: first.row.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      const caller = await calls.asked(request, () => authenticate(deps, request));
      const bound = chooseRow(rows, caller);
      await admit(deps, bound.row, caller, request.ip);
      request.admitted = { bound, caller };
    },
    handler: async (request, reply) => {
      const { bound, caller } = admittedOf(request);
      return answer(deps, bound, caller, request, reply, calls);
    },
    onSend: async (request, reply, payload) => {
      calls.countUnread(request.admitted?.caller, reply.raw);
      return payload;
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
  calls: Calls,
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
  const result = await calls.inTurn(row, caller, () => handle(call as unknown as Call<Endpoint>));
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
