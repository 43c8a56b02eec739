import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodMiniArray, ZodMiniType } from 'zod/mini';
import {
  type Endpoint,
  type FileKind,
  isStaffRow,
  type Received,
  type Returned,
} from '#contract/endpoint.ts';
import { IdParams } from '#contract/fields.ts';
import { en, type ValidationKey } from '#contract/wording/en.ts';
import { records } from '#contract/wording/server-words.ts';
import type { DateLanguage } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail, KeptFailure } from '#server/failure.ts';
import { type Once, Replayed } from '#server/idempotency.ts';
import { createKeyedLimiter } from '#server/platform/bounded-queue.ts';
import { canonicalJson } from '#server/platform/canonical-json.ts';
import { noSecrets, type SecretsShown } from '#server/services/account-view.ts';
import { isAllowedSender, type Sender } from '#server/services/allowed-ip-service.ts';
import { auditFile } from '#server/services/audit-service.ts';
import { AwaitsApproval, mayAsk } from '#server/services/four-eyes.ts';
import { mustSetUpSecondStep } from '#server/services/second-step-codes.ts';
import { type Act, type Caller, findCaller, type Staff } from '#server/services/session-service.ts';
import { type Account, changeLanguage } from '#server/store/account-store.ts';
import {
  type Claim,
  claimKey,
  readKey,
  storeAnswer,
  storeFailedAnswer,
} from '#server/store/idempotency-store.ts';
import { errorBody, failureOf } from './errors.ts';
import { reportTable, tableWriter } from './table-reply.ts';

export type RawAnswer = {
  contentType: string;
  body: string | Buffer | NodeJS.ReadableStream;
  headers?: Record<string, string>;
};

/** A list that is read page by page, so that memory stays flat. */
type Pages<Item> = AsyncIterable<readonly Item[]>;

type CallerOf<Row extends Endpoint> = Row extends { access: 'anyone' }
  ? Caller | undefined
  : Row extends { access: 'admin' | 'mainAdmin' }
    ? Staff
    : Caller;

type AnswerOf<Row extends Endpoint> = Row extends { produces: FileKind }
  ? RawAnswer
  : Row extends { produces: 'jsonOrLines' }
    ? Pages<Returned<Row> extends readonly (infer Item)[] ? Item : never>
    : Returned<Row> | Pages<Returned<Row>>;

/** A handler whose answer may take minutes yields empty pages while it works, and the answer last. */
const isPages = (result: unknown): result is Pages<unknown> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** A handler's input: parsed by the row's schemas and allowed by its access. */
export type Call<Row extends Endpoint> = {
  deps: Deps;
  caller: CallerOf<Row>;
  params: Received<Row, 'params'>;
  query: Received<Row, 'query'>;
  body: Received<Row, 'body'>;
  sender: Sender;
  language: DateLanguage | null;
  /** Runs work in one transaction, and exactly once for a caller with an `Idempotency-Key`. */
  once: CallerOf<Row> extends Caller ? Once<Act<CallerOf<Row>>> : undefined;
  request: FastifyRequest;
};

type Handler<Row extends Endpoint> = (
  call: Call<Row>,
) => AnswerOf<Row> | Replayed | KeptFailure | Promise<AnswerOf<Row> | Replayed | KeptFailure>;

/** One handler for each row of a part of the endpoint table: a missing one does not compile. */
export type Handlers<Table> = {
  [Name in keyof Table]: Table[Name] extends Endpoint ? Handler<Table[Name]> : never;
};

/**
 * A handler that answers with a sentence once its work is done, or with the refusal that the work returned. The sentence
 * is what is kept for a repeat.
 */
export const saying =
  <One>(message: string, handle: (call: One) => Promise<unknown>) =>
  async (call: One): Promise<{ message: string } | KeptFailure | Replayed> => {
    const say = (done: unknown) =>
      done instanceof KeptFailure || done instanceof Replayed ? done : { message };
    const { once } = call as { once?: Once<unknown> };
    const sayOnce = (work: (act: unknown) => Promise<unknown>) => once?.(async (act) => say(await work(act)));
    const said = once && Object.assign(sayOnce, { earlier: once.earlier });
    return say(await handle({ ...call, once: said }));
  };

type BoundRow = { name: string; row: Endpoint; handle: Handler<Endpoint> };

/** Serves every row of the endpoint table. Throws at start if one has no handler. */
export function serveEndpoints<Table extends Record<string, Endpoint>>(
  app: FastifyInstance,
  deps: Deps,
  table: Table,
  handlers: Handlers<Table>,
): void {
  const unbound = Object.keys(table).filter((name) => !Object.hasOwn(handlers, name));
  if (unbound.length > 0) throw new Error(`endpoints without a handler: ${unbound.join(', ')}`);
  const byPath = new Map<string, BoundRow[]>();
  for (const [name, row] of Object.entries(table)) {
    const path = `${row.method} ${row.path}`;
    const handle = handlers[name] as unknown as Handler<Endpoint>;
    byPath.set(path, [...(byPath.get(path) ?? []), { name, row, handle }]);
  }
  const limiter = limitAccounts(deps);
  for (const rows of byPath.values()) register(app, deps, rows, limiter);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, so that a stranger cannot make the server read one. */
    admitted?: { bound: BoundRow; caller: Caller | undefined };
    /** True once some work of this request is committed, whatever happens to its answer. */
    hasCommitted?: boolean;
  }
}

/** No header means a visitor; an invalid token is a 401, a suspended account's a 403 (§tokens, §suspension). */
async function authenticate(deps: Deps, request: FastifyRequest): Promise<Caller | undefined> {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/i.exec(header)?.[1];
  if (!token) fail('not_signed_in');
  return findCaller(deps, token, request.sender);
}

/** If two rows share a path, the staff row serves admins and the other row everybody else. */
function chooseRow(rows: readonly BoundRow[], caller: Caller | undefined): BoundRow {
  const isStaff = caller?.account.isAdmin === true;
  const chosen = rows.length === 1 ? rows[0] : rows.find(({ row }) => isStaffRow(row) === isStaff);
  if (!chosen) throw new Error('a path has rows for staff only twice');
  return chosen;
}

/** Fails unless the row's access admits the caller (§panel-guard). */
async function admit(deps: Deps, row: Endpoint, caller: Caller | undefined) {
  if (row.access === 'anyone') return;
  if (!caller) fail('not_signed_in');
  const { account } = caller;
  if (isStaffRow(row) && !account.isAdmin) fail('forbidden');
  if (row.access === 'borrower' && account.isAdmin) fail('forbidden');
  if (account.isAdmin && !row.fromAnyAddress && !(await isAllowedSender(deps, caller)))
    fail('ip_not_allowed');
  if (!row.withoutSecondStep && mustSetUpSecondStep(deps, account))
    fail('second_step_required', { message: records.setUpSecondStep });
  if (row.access === 'mainAdmin' && !isMainAdmin(account)) fail('main_admin_only');
}

const tooMany = () => new Failure('too_many_requests', { retryAfterSeconds: limits.callWaitMaxMs / 1000 });

/** Keeps one account from monopolising the database. Staff calls are queued, never refused. */
function limitAccounts(deps: Deps) {
  const bounds = { maxRunning: limits.callsAtOnce, full: tooMany };
  const patient = createKeyedLimiter({ ...bounds, maxWaiting: Number.POSITIVE_INFINITY });
  const restFactor = limits.restFactor / deps.config.rateLimitScale;
  const impatient = { ...bounds, maxWaitMs: limits.callWaitMaxMs, restFactor };
  const reading = { ...impatient, maxWaiting: limits.readsWaiting };
  const ofBorrowers = {
    writes: createKeyedLimiter({ ...impatient, maxWaiting: limits.writesWaiting }),
    reads: createKeyedLimiter(reading),
    costly: createKeyedLimiter({ ...reading, maxRunning: 1 }),
  };
  const unread = new Map<number, number>();
  const counted = new WeakSet<ServerResponse>();

  /** Counts a reply as unread until it has been sent, or its reader has gone. */
  function count(id: number, reply: ServerResponse): void {
    if (reply.destroyed || counted.has(reply)) return;
    counted.add(reply);
    unread.set(id, (unread.get(id) ?? 0) + 1);
    reply.once('close', () => {
      const left = (unread.get(id) ?? 0) - 1;
      if (left > 0) unread.set(id, left);
      else unread.delete(id);
    });
  }

  return {
    /** Authenticates only a few calls with the same token at a time. */
    authenticating<Result>({ headers: { authorization = '' } }: FastifyRequest, work: () => Promise<Result>) {
      return authorization === '' ? work() : patient.take(`token ${authorization}`, work);
    },

    within<Result>(
      row: Endpoint,
      caller: Caller | undefined,
      reply: ServerResponse,
      work: () => Promise<Result>,
    ): Promise<Result> {
      // A file arrives slowly and has limits of its own.
      if (!caller || row.takesFile) return work();
      const { id, isAdmin } = caller.account;
      const take = (kind: keyof typeof ofBorrowers, run: () => Promise<Result>) =>
        (isAdmin ? patient : ofBorrowers[kind]).take(`${kind} ${id}`, run);
      const kind = row.isCostly ? 'costly' : row.method === 'GET' ? 'reads' : 'writes';
      return take(kind, async () => {
        if ((unread.get(id) ?? 0) >= limits.unreadRepliesPerAccount) throw tooMany();
        // Counted before there is an answer: those that are worked on at once would pass the limit together.
        count(id, reply);
        return row.isCostly ? deps.costly.run(work, String(id)) : work();
      });
    },

    /** A refusal counts as unread too, until it has been sent. */
    countUnread(caller: Caller | undefined, reply: ServerResponse): void {
      if (caller) count(caller.account.id, reply);
    },
  };
}

type Limiter = ReturnType<typeof limitAccounts>;

function register(app: FastifyInstance, deps: Deps, rows: BoundRow[], limiter: Limiter): void {
  const [first] = rows;
  if (!first) return;
  app.route({
    method: first.row.method,
    url: first.row.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(first.row.bodyMaxBytes !== undefined && { bodyLimit: first.row.bodyMaxBytes }),
    onRequest: async (request) => {
      const caller = await limiter.authenticating(request, () => authenticate(deps, request));
      const bound = chooseRow(rows, caller);
      await admit(deps, bound.row, caller);
      await keepLanguage(deps, caller, request);
      request.admitted = { bound, caller };
    },
    handler: async (request, reply) => {
      if (!request.admitted) throw new Error('a handler was reached without the guard');
      const { bound, caller } = request.admitted;
      return answer(deps, bound, caller, request, reply, limiter);
    },
    onSend: (request, reply, _payload, done) => {
      limiter.countUnread(request.admitted?.caller, reply.raw);
      done();
    },
  });
}

/** Notes the request's first commit: no failure after it may say that nothing was changed. */
function notingCommits(deps: Deps, request: FastifyRequest): Deps {
  const { database } = deps;
  const transaction: Deps['database']['transaction'] = async (work) => {
    const result = await database.transaction(work);
    request.hasCommitted = true;
    return result;
  };
  return { ...deps, database: { ...database, transaction } };
}

async function answer(
  allDeps: Deps,
  { name, row, handle }: BoundRow,
  caller: Caller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: Limiter,
) {
  const deps = row.method === 'GET' ? allDeps : notingCommits(allDeps, request);
  // The upload alone reads forms; elsewhere one would count as an empty body.
  if (request.isMultipart() && !row.takesFile) fail('unsupported_media_type');
  const asTable = row.csv !== undefined && wants(request, csvType);
  const asLines = row.produces === 'jsonOrLines' && !asTable && wants(request, linesType);
  const actor = caller && { ...caller, wants: asLines ? noSecrets : wantedSecrets(request, caller.account) };
  const call = {
    deps,
    caller: actor,
    params: readPart(paramsOf(row), request.params, 'params'),
    query: readPart(row.query, request.query, 'query'),
    body: readPart(row.body, request.body, 'body'),
    sender: request.sender,
    once: createOnce(deps, { name, row, actor, request }),
    language: formLanguage(request),
    request,
  };
  const result = await limiter.within(row, caller, reply.raw, async () =>
    handle(call as unknown as Call<Endpoint>),
  );
  if (result instanceof KeptFailure) throw result;
  // `no-store` covers personal data; this is for a browser or an extension that cached it anyway.
  if (row.clearsCache) reply.header('clear-site-data', '"cache"');
  if (result instanceof Replayed) return reply.code(result.status).send(result.reply);
  const noteFile = async () => {
    if (asTable && caller && isStaffRow(row)) await auditFile(deps, caller, row.path, call.query as object);
  };
  if (row.produces === 'jsonOrLines') {
    const pages = result as unknown as Pages<unknown>;
    return sendPages(reply, pages, listForm(row, asTable, asLines), noteFile);
  }
  if (row.produces && row.produces !== 'json') {
    const { contentType, body, headers = {} } = result as unknown as RawAnswer;
    return reply.headers(headers).type(contentType).send(body);
  }
  // The reply schema writes the reply, so a column that is not in it cannot leak.
  const write = (value: unknown) => (row.reply ? row.reply.parse(value) : value);
  if (isPages(result)) {
    const pages = inTurn(deps, String(caller?.account.id), result);
    const text = ([report]: readonly unknown[]) =>
      asTable ? reportTable(write(report)) : JSON.stringify(write(report));
    const type = asTable ? csvType : jsonType;
    return sendPages(reply, pages, { type, blank: asTable ? '' : ' ', write: text }, noteFile);
  }
  reply.code(statusOf(row, result));
  if (row.pageRows !== undefined)
    endPage(reply, request, call.query, result as unknown as unknown[], row.pageRows);
  await noteFile();
  if (asTable) return reply.type(`${csvType}; charset=utf-8`).send(reportTable(write(result)));
  return write(result);
}

/** Makes each piece when the account has its turn among the costly reads. */
export async function* inTurn<Piece>(
  deps: Deps,
  lane: string,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await deps.costly.run(() => iterator.next(), lane);
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Reads `Content-Language`. Unlike `Accept-Language`, no browser sends it unasked, so it is never a guess.
 */
function formLanguage({ headers }: FastifyRequest): DateLanguage | null {
  const language = headers['content-language'];
  return language === 'en' || language === 'fil' ? language : null;
}

/** The language of the account's last request that named one is that of its messages (§outbox). Almost always the same. */
async function keepLanguage(deps: Deps, caller: Caller | undefined, request: FastifyRequest): Promise<void> {
  const language = formLanguage(request);
  if (!caller || caller.account.isAdmin || language === null || caller.account.language === language) return;
  await deps.database.transaction((tx) => changeLanguage(tx, caller.id, language));
}

/** Returns the secrets that the reader wants and may set (§secrets-in-answers). */
function wantedSecrets({ headers }: FastifyRequest, account: Account): SecretsShown {
  const [, only] = /\bsecrets=(none|otpCode|plainPassword)\b/.exec(String(headers.prefer)) ?? [];
  return {
    password: mayAsk(account, 'approver') && (only === undefined || only === 'plainPassword'),
    otp: mayAsk(account, 'cashier') && (only === undefined || only === 'otpCode'),
  };
}

export const paramsOf = ({ params, path }: Endpoint) =>
  params ?? (path.includes('{id}') ? IdParams : undefined);

type Issue = { path: PropertyKey[]; message: string };

/** A path that does not parse is a 404; a body or query is a 400 with a sentence for each field (§errors). */
function readPart(
  schema: ZodMiniType | undefined,
  value: unknown,
  part: 'params' | 'query' | 'body',
): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  if (part === 'params') fail('not_found');
  failWithFields(read.error.issues);
}

function failWithFields(issues: readonly Issue[]): never {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (field !== '' && !(field in fields)) fields[field] = sentenceOf(issue);
  }
  const [first] = issues;
  if (!first || (first.path.length === 0 && !isKey(first.message))) fail('malformed');
  fail('validation_failed', { message: sentenceOf(first), fields });
}

const isKey = (text: string): text is ValidationKey => Object.hasOwn(en.validation, text);

const sentenceOf = (issue: Issue) =>
  isKey(issue.message) ? en.validation[issue.message] : en.errors.validation_failed;

/** Removes the extra row that was read to see whether there is a next page, and links to that page (RFC 8288). */
function endPage(
  reply: FastifyReply,
  request: FastifyRequest,
  query: unknown,
  rows: unknown[],
  pageRows: number,
) {
  const { limit = pageRows } = query as { limit?: number };
  if (rows.length <= limit) return;
  rows.length = limit;
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  searchParams.set('before', String((rows.at(-1) as { id: number }).id));
  reply.header('link', `<${pathname}?${searchParams}>; rel="next"`);
}

const jsonType = 'application/json';
const linesType = 'application/x-ndjson';
const csvType = 'text/csv';

/** True if the reader accepts this type: a list's lines (§long-lists) or its table. */
function wants(request: FastifyRequest, type: string): boolean {
  return (request.headers.accept ?? '').split(',').some((one) => one.trim().split(';')[0] === type);
}

/**
 * A way to write pages. `blank` stands for an empty page, so that no proxy takes the silence
 * for a broken connection.
 */
type Form = {
  type: string;
  head?: string;
  blank?: string;
  tail?: string;
  write(rows: readonly unknown[], isFirst: boolean): string;
};

function listForm(row: Endpoint, asTable: boolean, asLines: boolean): Form {
  const item = (row.reply as ZodMiniArray<ZodMiniType>)._zod.def.element;
  if (asTable) {
    const { head, rows: write } = tableWriter(row);
    return { type: csvType, head, write: (rows) => write(rows.map((value) => item.parse(value))) };
  }
  const textsOf = (rows: readonly unknown[]) => rows.map((value) => JSON.stringify(item.parse(value)));
  if (asLines) return { type: linesType, blank: ' ', write: (rows) => `${textsOf(rows).join('\n')}\n` };
  const write: Form['write'] = (rows, isFirst) => `${isFirst ? '' : ','}${textsOf(rows).join(',')}`;
  return { type: jsonType, head: '[', blank: ' ', tail: ']', write };
}

/**
 * Sends each page as it is read. The first is read before anything is sent, so that a failure still has its
 * status.
 */
async function sendPages(
  reply: FastifyReply,
  pages: Pages<unknown>,
  { type, head = '', blank = '', tail = '', write }: Form,
  noteFile: () => Promise<void>,
) {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  await noteFile();

  async function* text() {
    let isFirst = true;
    try {
      yield head;
      for (let page = first; !page.done; page = await iterator.next()) {
        if (page.value.length > 0) yield write(page.value, isFirst);
        else if (page !== first) yield blank;
        isFirst &&= page.value.length === 0;
        // Lets other requests through between two pages.
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield tail;
    } finally {
      await iterator.return?.();
    }
  }

  return reply.type(`${type}; charset=utf-8`).send(Readable.from(text(), { objectMode: false }));
}

class KeyTaken extends Error {}

type Context = { name: string; row: Endpoint; actor: Caller | undefined; request: FastifyRequest };

function createOnce(deps: Deps, context: Context): Once<Act> | undefined {
  const { row, actor, request } = context;
  if (!actor) return undefined;
  const key = row.idempotent ? keyOf(request) : undefined;
  if (key === undefined) {
    const unkeyed = <T>(work: (act: Act) => Promise<T>) =>
      deps.database.transaction((tx) => work({ deps, tx, actor }));
    return Object.assign(unkeyed, { earlier: async () => undefined });
  }
  const { method, url, body } = request;
  const claim = {
    accountId: actor.id,
    endpoint: context.name,
    key,
    // The order of a body's keys does not matter. The hash is keyed: from a plain hash, somebody could find a
    // short code in the body by trying all codes.
    requestHash: deps.secrets.fingerprint(canonicalJson([method, url, body]), 'request'),
    createdAt: deps.clock.now(),
  };
  const keyed = async <T>(work: (act: Act) => Promise<T>) => {
    try {
      return await deps.database.transaction(async (tx) => {
        const claiming = claimKey(tx, claim);
        // The first statement of the work is sent with the claim, without waiting for it. The database runs it once the
        // key belongs to this transaction. If it never does, everything is rolled back.
        const working = work({ deps, tx, actor });
        working.catch(() => undefined);
        if (!(await claiming)) throw new KeyTaken();
        const result = await working;
        storeAnswer(tx, claim, sealed(deps, claim, answerOf(row, result)));
        return result;
      });
    } catch (error) {
      if (error instanceof KeyTaken) return replay(deps, claim, request);
      const failure = failureOf(error);
      if (!failure || !isKeptAsAnswer(failure)) throw error;
      // The work was rolled back; the refusal itself is the first answer and is stored separately.
      const answer = sealed(deps, claim, answerOf(row, failure));
      const stored = await deps.database.transaction((tx) => storeFailedAnswer(tx, claim, answer));
      if (stored) throw error;
      return replay(deps, claim, request);
    }
  };
  const earlier = async () => {
    const stored = await deps.database.read((reader) => readKey(reader, claim));
    return stored && replay(deps, claim, request);
  };
  return Object.assign(keyed, { earlier });
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const isReadable = typeof key === 'string' && /^[\x21-\x7e]+$/.test(key);
  if (!isReadable || key.length > limits.idempotencyKeyMaxLength) fail('invalid_idempotency_key');
  return key;
}

/** The status of a success: what waits is accepted, not done. */
const statusOf = (row: Endpoint, result: unknown): number =>
  result instanceof AwaitsApproval ? 202 : (row.status ?? 200);

function answerOf(row: Endpoint, result: unknown) {
  if (result instanceof Failure) return { status: result.status, reply: errorBody(result) };
  return { status: statusOf(row, result), reply: row.reply ? row.reply.parse(result) : result };
}

/** A refusal for load or a wait says nothing about the request, and a replay is not a refusal of its own. */
function isKeptAsAnswer(failure: Failure): boolean {
  const { status } = failure;
  return status < 500 && status !== 429 && failure.code !== 'idempotency_key_reused';
}

/**
 * Seals a stored answer, because it repeats personal data, and a member's is stored under an employee's key.
 */
function sealed(deps: Deps, claim: Claim, { status, reply }: { status: number; reply: unknown }) {
  return { status, reply: deps.secrets.seal(JSON.stringify(reply), replyContext(claim)) };
}

const replyContext = ({ accountId, endpoint, key }: Claim) => `reply:${accountId}:${endpoint}:${key}`;

async function replay(deps: Deps, claim: Claim, request: FastifyRequest): Promise<Replayed> {
  request.hasCommitted = true;
  const stored = await deps.database.read((reader) => readKey(reader, claim));
  if (!stored || stored.status === null) throw new Error('an idempotency key was kept without its answer');
  if (stored.requestHash !== claim.requestHash) fail('idempotency_key_reused');
  const reply = deps.secrets.open(String(stored.reply), replyContext(claim));
  if (reply === undefined) throw new Error('the answer kept for an idempotency key cannot be opened');
  return new Replayed(stored.status, JSON.parse(reply));
}
