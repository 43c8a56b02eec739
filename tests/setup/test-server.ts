import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint, Sent } from '#contract/endpoint.ts';
import { fallbackRates } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { holdBooksToKey } from '#server/books/book-key.ts';
import { type Config, readConfig } from '#server/config.ts';
import { createDeps, type Deps } from '#server/deps.ts';
import { createApp } from '#server/http/app.ts';
import { failuresListed } from '#server/http/openapi.ts';
import type { WebApp } from '#server/http/web-app.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createImages } from '#server/platform/images.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createPasswords } from '#server/platform/passwords.ts';
import { ensureMainAdmin } from '#server/services/first-start-service.ts';
import { type Caller, type CallOptions, type CallResult, createCaller } from './caller.ts';
import { formWithFile, photo } from './photo.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { copyRows, engineOf, openTestDatabase, type TestEngine, truncateAll } from './test-database.ts';

export type TestServerOptions = {
  /** Where its data is: in the embedded database unless told otherwise. */
  engine?: TestEngine;
  /** Settings that differ from those of an installation where nothing is set. */
  config?: Partial<Config>;
  /** Parts that differ from the real ones. A database handed in is neither emptied at the start nor closed. */
  deps?: Partial<Deps>;
  web?: WebApp;
};

export type TestBorrower = Caller & { id: number; phone: string; password: string; token: string };
export type TestAdmin = Caller & { id: number; email: string; password: string; token: string };

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export const mainAdminPassword = 'a password for tests only';

/** Two servers on one database are processes of one installation, and that has one key. */
export const secretsOf = new WeakMap<Database, Deps['secrets']>();

/** Real hashes at the least cost there is; reading one takes what making it took. */
const cheapPasswords = createPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

/** Shared by every server of a worker, since starting a decoder takes most of a second. It ends with the worker. */
const decoder = createImages();

/** Made once, and decoded once for all who only need to have uploaded something. */
const smallPhoto = photo();
let smallPicture: ReturnType<typeof decoder.readImage> | undefined;

const images: Deps['images'] = {
  ...decoder,
  async readImage(bytes, lane) {
    if (!bytes.equals(await smallPhoto)) return decoder.readImage(bytes, lane);
    smallPicture ??= decoder.readImage(bytes, lane);
    return smallPicture;
  },
};

/** A profile that fulfils every rule of a borrower’s profile (§profile-fields). */
export const fullProfile = {
  fullName: 'Maria Clara Santos',
  email: 'maria@example.com',
  address: '12 Mabini Street, Cabanatuan City',
  countryOfWork: 'Philippines',
  monthlySalary: '35000.00',
  referenceName: 'Juan Santos',
  referencePhone: '09181234567',
  bankName: 'Bank A',
  bankAccountNumber: '1234567890123',
};

/**
 * The server of a whole test file, on a database of its own: emptied before each test and closed after the last.
 * Call it at the top of the file: `const server = await testServer();`
 */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  beforeEach(server.reset);
  afterAll(server.close);
  return server;
}

/** A server of one test's own, closed when the test is over. */
export async function passingServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return server;
}

/**
 * The real app on a real database, not listening: requests go in through `call` or `app.inject`. The clock stands
 * still until a test turns it. Whoever calls this also calls `close`, which throws when the server met an error that
 * nobody foresaw.
 */
export async function startTestServer(options: TestServerOptions = {}) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-test-'));
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDir, MAIN_ADMIN_PASSWORD: mainAdminPassword, LOG_LEVEL: 'warn' }),
    ...options.config,
  };
  const clock = createTestClock();
  /** True if something was written since the last reset. */
  let isTouched = false;
  const engine = engineOf(options.engine);
  const database: Database = options.deps?.database ?? noticed(await openTestDatabase(engine));
  const unforeseen: string[] = [];
  const log = createLogger({ level: 'error', destination: { write: (line) => void unforeseen.push(line) } });
  const rates = {
    current: async () => ({ base: 'PHP', rates: fallbackRates, source: 'fallback', asOf: clock.now() }),
  };
  const { deps, close: closeDeps } = await createDeps(config, {
    clock,
    log,
    rates: rates as Deps['rates'],
    passwords: cheapPasswords,
    images,
    ...(!config.secretKey && secretsOf.has(database) && { secrets: secretsOf.get(database) }),
    ...options.deps,
    database,
  });
  if (!secretsOf.has(database)) secretsOf.set(database, deps.secrets);
  const app = await createApp(deps, options.web);
  await app.ready();
  let mainAdmin: { token: Promise<string>; sinceMs: number } | undefined;
  let beginning: { secrets: Deps['secrets']; putBack: () => Promise<void> } | undefined;
  let resets = 0;
  let people = 0;

  /** Empties the database and starts anew, with a main admin and the clock where it was at first. */
  async function reset(): Promise<void> {
    mainAdmin = undefined;
    clock.reset();
    resets += 1;
    if (beginning?.secrets === deps.secrets) await beginning.putBack();
    else {
      await truncateAll(database);
      await holdBooksToKey(deps);
      await ensureMainAdmin(deps);
      // Putting the same rows back takes a third of the time. Copying them pays for who comes again.
      if (resets > 1) beginning = { secrets: deps.secrets, putBack: await copyRows(database) };
    }
    isTouched = false;
  }

  /**
   * Builds a state that is nothing but rows and the clock, and only once. The first step of a later
   * test puts its rows back, in a fifth of the time that a loan takes. A test that has written
   * something before builds it anew.
   */
  function built<Given extends unknown[], Result>(build: (...given: Given) => Promise<Result>) {
    const kept = new Map<string, () => Promise<Result>>();
    return async (...given: Given): Promise<Result> => {
      if (isTouched) return build(...given);
      const key = JSON.stringify([clock.now(), ...given]);
      const putBack = kept.get(key);
      if (putBack) return putBack();
      const result = await build(...given);
      const signedIn = mainAdmin;
      const moment = clock.now();
      const putRowsBack = await copyRows(database);
      kept.set(key, async () => {
        await putRowsBack();
        clock.set(moment);
        mainAdmin = signedIn;
        return result;
      });
      return result;
    };
  }

  /** The same database, whose writes are noticed. */
  function noticed(opened: Database): Database {
    return {
      ...opened,
      transaction(work) {
        isTouched = true;
        return opened.transaction(work);
      },
    };
  }

  async function close(): Promise<void> {
    await app.close();
    await closeDeps();
    if (!options.deps?.database) await database.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
    if (unforeseen.length > 0)
      throw new Error(`the server met errors that nobody foresaw:\n${unforeseen.join('')}`);
  }

  /** The errors logged so far, taken out: for a test that provokes one on purpose. */
  const takeErrors = () => unforeseen.splice(0);

  /** Throws when the server answers 500, unless the test takes care of `takeErrors` itself. */
  async function call<Row extends Endpoint>(
    row: Row,
    options: CallOptions<Row> = {},
  ): Promise<CallResult<Row>> {
    const result = await callApp(app, row, options);
    if (result.status === 500)
      throw new Error(`${row.method} ${row.path} answered 500:\n${unforeseen.join('')}`);
    const { code } = result.body ?? {};
    const isListed = failuresAt(row).some((one) => one.code === code && one.status === result.status);
    if (code !== undefined && !isListed) {
      throw new Error(
        `${row.method} ${row.path} answered ${result.status} ${code}, which its row does not list`,
      );
    }
    return result;
  }

  /** Like `call`, and the answer must be a success. */
  async function succeed<Row extends Endpoint>(
    row: Row,
    options: CallOptions<Row> = {},
  ): Promise<CallResult<Row>> {
    const result = await call(row, options);
    if (result.status >= 300)
      throw new Error(`${row.method} ${row.path} answered ${result.status}: ${result.text}`);
    return result;
  }

  /** Calls with this person's token, or without any. */
  const as = (token?: string | { token: string }) => {
    let held = typeof token === 'object' ? token.token : token;
    return createCaller(async (row, options) => {
      const result = await call(row, { token: held, ...options });
      held = renewedBy(row, result) ?? held;
      return result;
    });
  };
  const visitor = as();
  const main = createCaller(async (row, options) => {
    const result = await call(row, { token: await signInMainAdmin(), ...options });
    const token = renewedBy(row, result);
    if (token && mainAdmin) mainAdmin.token = Promise.resolve(token);
    return result;
  });

  /** An address of its own for every person, so that the limits for one address stay out of the way. */
  const nextPerson = () => {
    people += 1;
    return { number: people, address: `10.${people >> 16}.${(people >> 8) & 255}.${people & 255}` };
  };

  async function registerBorrower(
    fields: Partial<Sent<typeof api.register, 'body'>> = {},
  ): Promise<TestBorrower> {
    const { number, address } = nextPerson();
    const phone = fields.phone ?? `0917${String(1_000_000 + number)}`;
    const password = fields.password ?? 'borrower password';
    const form = { fullName: 'Maria Clara Santos', ...fields, phone, password };
    const { token, user } = await visitor.register(form, { address });
    return { ...as(token), id: user.id, phone, password, token };
  }

  async function upload(token: string, bytes?: Buffer) {
    const { payload: rawBody, headers } = formWithFile(bytes ?? (await smallPhoto));
    return as(token).uploadDocument({ rawBody, headers });
  }

  /** A borrower with everything that a loan asks for: the whole profile and three documents. */
  async function verifiedBorrower(profile: Partial<typeof fullProfile> = {}): Promise<TestBorrower> {
    const borrower = await registerBorrower();
    const [front, back, selfie] = [
      await upload(borrower.token),
      await upload(borrower.token),
      await upload(borrower.token),
    ];
    const documents = { idFrontUrl: front.url, idBackUrl: back.url, selfieUrl: selfie.url };
    await borrower.updateProfile({ ...fullProfile, ...profile, ...documents });
    return borrower;
  }

  async function signIn(form: Sent<typeof api.signIn, 'body'>): Promise<string> {
    return (await visitor.signIn(form, { address: nextPerson().address })).token;
  }

  /** The main admin's token: signed in once a test and whenever the session may be over, then the same one. */
  async function signInMainAdmin(): Promise<string> {
    const nowMs = deps.clock.now().getTime();
    const lastsMs = (config.staffIdleMinutes || limits.adminSessionHours * 60) * 60_000;
    const ageMs = mainAdmin && nowMs - mainAdmin.sinceMs;
    const isOver = ageMs !== undefined && (ageMs >= lastsMs || ageMs < 0);
    if (!mainAdmin || isOver)
      mainAdmin = { token: signIn({ username: 'admin', password: mainAdminPassword }), sinceMs: nowMs };
    return mainAdmin.token;
  }

  /** An ordinary admin, signed in. */
  async function createAdmin(fields: Partial<Sent<typeof api.createAdmin, 'body'>> = {}): Promise<TestAdmin> {
    const email = fields.email ?? `staff-${randomBytes(4).toString('hex')}@example.com`;
    const password = fields.password ?? 'staff password';
    const { user } = await main.createAdmin({ fullName: 'Ordinary Admin', ...fields, email, password });
    const token = await signIn({ username: email, password });
    return { ...as(token), id: user.id, email, password, token };
  }

  /** Sets a member's balance, in pesos, as staff do it. */
  async function fund(memberId: number, pesos: number | string): Promise<void> {
    await main.updateMember(memberId, { balance: pesos });
  }

  /** Sets a member's one-time code, as staff do it. */
  async function setCode(memberId: number, otpCode = '123456'): Promise<string> {
    await main.updateMember(memberId, { otpCode });
    return otpCode;
  }

  if (!options.deps?.database) await reset();
  return {
    app,
    deps,
    engine,
    database,
    clock: clock as TestClock,
    dataDir,
    call,
    succeed,
    as,
    main,
    visitor,
    upload,
    signIn,
    registerBorrower,
    verifiedBorrower,
    signInMainAdmin,
    createAdmin,
    fund,
    setCode,
    built,
    takeErrors,
    reset,
    close,
  };
}

/** The token in place of the session's, of calls that renew it. */
const renewedBy = (row: Endpoint, { body }: CallResult<Endpoint>): string | undefined =>
  row === api.confirmSecondStep || row === api.removeSecondStep
    ? (body as { token?: string } | undefined)?.token
    : undefined;

/**
 * Returns the failures that callers of this path are told to expect. If two rows share a path, the
 * server chooses by the caller.
 */
const failuresAt = ({ method, path }: Endpoint) =>
  Object.values<Endpoint>(api).flatMap((row) =>
    row.method === method && row.path === path ? failuresListed(row) : [],
  );

async function callApp<Row extends Endpoint>(
  app: FastifyInstance,
  row: Row,
  {
    params = {},
    query = {},
    body,
    anyBody,
    rawBody,
    token,
    headers,
    address = '127.0.0.1',
  }: CallOptions<Row>,
): Promise<CallResult<Row>> {
  const url = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const json = anyBody ?? body;
  const hasJson = rawBody === undefined && json !== undefined;
  const response = await app.inject({
    method: row.method,
    url,
    query: Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    remoteAddress: address,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(hasJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasJson ? { payload: JSON.stringify(json) } : {}),
    ...(rawBody === undefined ? {} : { payload: rawBody }),
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    body: (isJson ? response.json() : undefined) as CallResult<Row>['body'],
    headers: response.headers as Record<string, string | undefined>,
    text: response.body,
    bytes: response.rawPayload,
  };
}
