import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
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
import { isMainAdmin } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import { type Once, Replayed } from '#server/idempotency.ts';
import { noSecrets, type SecretsShown } from '#server/services/account-view.ts';
import { isAllowedSender, type Sender } from '#server/services/allowed-ip-service.ts';
import { auditFile } from '#server/services/audit-service.ts';
import { hasAuthority } from '#server/services/four-eyes.ts';
import { mustSetUpSecondStep } from '#server/services/second-step-codes.ts';
import { type Act, type Caller, findCaller, type Staff } from '#server/services/session-service.ts';
import { type Account, changeLanguage } from '#server/store/account-store.ts';
import { type Limiter, limitAccounts } from './account-limits.ts';
import { createOnce, statusOf } from './idempotent-work.ts';
import {
  csvType,
  inTurn,
  isPages,
  jsonType,
  linesType,
  listFormat,
  type Pages,
  sendPages,
} from './stream-reply.ts';
import { reportTable } from './table-reply.ts';

export type RawAnswer = {
  contentType: string;
  body: string | Buffer | NodeJS.ReadableStream;
  headers?: Record<string, string>;
};

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
 * Makes a handler that answers with a sentence once its work is done, or with the refusal that the work returned:
 * `deleteLoan: saying(records.loanDeleted, ({ params, once }) => once((act) => deleteLoan(act, params.id)))`.
 */
export const saying =
  <One>(message: string, handle: (call: One) => Promise<unknown>) =>
  async (call: One): Promise<{ message: string } | KeptFailure | Replayed> => {
    const say = (done: unknown) =>
      done instanceof KeptFailure || done instanceof Replayed ? done : { message };
    const { once } = call as { once?: Once<unknown> };
    // The sentence is stored with the key, so that a repeat finds it and not the work's own result.
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
  if (!chosen) throw new Error('two rows of a path are both for staff, or neither is');
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

export async function answer(
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
  const result = await limiter.runWithinLimits(row, caller, reply.raw, async () =>
    handle(call as unknown as Call<Endpoint>),
  );
  // Its work is committed: from here on it is a refusal like any other.
  if (result instanceof KeptFailure) throw result;
  // `no-store` covers personal data; this is for a browser or an extension that cached it anyway.
  if (row.clearsCache) reply.header('clear-site-data', '"cache"');
  if (result instanceof Replayed) return reply.code(result.status).send(result.reply);
  const noteFile = async () => {
    if (asTable && caller && isStaffRow(row)) await auditFile(deps, caller, row.path, call.query as object);
  };
  if (row.produces === 'jsonOrLines') {
    const pages = result as unknown as Pages<unknown>;
    return sendPages(reply, pages, listFormat(row, asTable, asLines), noteFile);
  }
  if (row.produces && row.produces !== 'json') {
    const { contentType, body, headers = {} } = result as unknown as RawAnswer;
    return reply.headers(headers).type(contentType).send(body);
  }
  // The reply schema writes the reply, so a column that is not in it cannot leak.
  const write = (value: unknown) => (row.reply ? row.reply.parse(value) : value);
  // A report: empty pages while it is worked out, then one page with the report.
  if (isPages(result)) {
    const pages = inTurn(deps, String(caller?.account.id), result);
    const text = ([report]: readonly unknown[]) =>
      asTable ? reportTable(write(report)) : JSON.stringify(write(report));
    const type = asTable ? csvType : jsonType;
    return sendPages(reply, pages, { type, blank: asTable ? '' : ' ', write: text }, noteFile);
  }
  reply.code(statusOf(row, result));
  if (row.pageRows !== undefined)
    linkNextPage(reply, request, call.query, result as unknown as unknown[], row.pageRows);
  await noteFile();
  if (asTable) return reply.type(`${csvType}; charset=utf-8`).send(reportTable(write(result)));
  return write(result);
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
    password: hasAuthority(account, 'approver') && (only === undefined || only === 'plainPassword'),
    otp: hasAuthority(account, 'cashier') && (only === undefined || only === 'otpCode'),
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
function linkNextPage(
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

/** True if the reader accepts this type: a list's lines (§long-lists) or its table. */
function wants(request: FastifyRequest, type: string): boolean {
  return (request.headers.accept ?? '').split(',').some((one) => one.trim().split(';')[0] === type);
}
