import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { DatabaseUnavailable } from '#server/platform/database/database-errors.ts';
import { createLogger } from '#server/platform/logger.ts';
import { passingServer, startTestServer, type TestServer } from '#tests/setup/test-server.ts';

/** §errors: bad input never yields a 5xx, and every refusal has the one JSON form. */
let server: TestServer;
let borrower: string;
let staff: string;

beforeAll(async () => {
  server = await startTestServer();
  borrower = (await server.registerBorrower()).token;
  staff = await server.signInMainAdmin();
});

afterAll(() => server.close());

const rows = Object.entries(api as unknown as Record<string, Endpoint>);
const withBody = rows.filter(([name, row]) => row.body && name !== 'register');

/** Somebody whom the row lets through, so that the body is what is refused. */
const tokenFor = ({ access }: Endpoint) => {
  if (access === 'anyone') return undefined;
  return access === 'borrower' || access === 'signedIn' ? borrower : staff;
};

async function send(row: Endpoint, payload: string | Buffer, headers: Record<string, string> = {}) {
  const token = tokenFor(row);
  const response = await server.app.inject({
    method: row.method,
    url: row.path.replace(/\{\w+\}/g, '999999'),
    payload,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

function expectRefusal({ status, body }: { status: number; body: { code?: string; message?: string } }) {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body.code).toMatch(/^[a-z_]+$/);
  expect(body.message).toMatch(/\S/);
  expect(Object.keys(body).every((key) => ['message', 'code', 'errors'].includes(key))).toBe(true);
  expect(JSON.stringify(body)).not.toMatch(
    /\bat .+:\d+|node_modules|select |insert |\/srv\/|file:|Unexpected token/i,
  );
}

const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`.slice(0, limits.jsonBodyMaxBytes - 1);

describe.each(withBody)('%s', (_, row) => {
  it.each([
    ['nothing', ''],
    ['broken JSON', '{"phone":'],
    ['JSON with more behind it', '{} {}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a number', '1'],
    ['true', 'true'],
    ['NaN', '{"amount":NaN}'],
    ['deep JSON', deep],
    ['objects within objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['an own __proto__', '{"__proto__":{"isAdmin":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a byte order mark', '\ufeff{}'],
  ])('is not confused by %s', async (name, payload) => {
    const answer = await send(row, payload);
    // A body in which nothing is asked for may be fine, or meet an id that is not there.
    if (answer.status === 200) expect(row.path).toBe('/api/user/profile');
    else expectRefusal(answer);
    if (name === 'broken JSON') expect([answer.status, answer.body.code]).toEqual([400, 'malformed']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('refuses every field of a wrong kind', async () => {
    const wrong = [
      null,
      7,
      -1,
      'x',
      true,
      [],
      {},
      ['5000'],
      '\u0000',
      '\ud800',
      'é'.repeat(5_000),
      1e308,
      '1e400',
    ];
    const names = fieldsOf(row);
    for (const value of wrong) {
      const answer = await send(row, JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))));
      if (answer.status >= 300) expectRefusal(answer);
    }
  });

  it('refuses another kind of content', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=x',
    ]) {
      const { status, body } = await send(row, '{}', { 'content-type': type });
      expect([status, body.code], type).toEqual([415, 'unsupported_media_type']);
    }
  });

  it('refuses a huge body', async () => {
    const { bodyMaxBytes = limits.jsonBodyMaxBytes } = row;
    const answer = await send(row, JSON.stringify({ fullName: 'x'.repeat(bodyMaxBytes) }));
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large']);
    expect(answer.body.message).toContain(`${bodyMaxBytes / 1024} kB`);
  });
});

/** Every name a body may have, from its schema or the schemas behind it. */
function fieldsOf(row: Endpoint): string[] {
  const names = new Set<string>();
  const visit = (schema: unknown, depth = 0): void => {
    if (typeof schema !== 'object' || schema === null || depth > 8) return;
    const def = Reflect.get(Reflect.get(schema, '_zod') ?? {}, 'def') ?? {};
    for (const name of Object.keys(Reflect.get(def, 'shape') ?? {})) names.add(name);
    for (const part of ['in', 'out', 'innerType']) visit(Reflect.get(def, part), depth + 1);
    for (const option of Reflect.get(def, 'options') ?? []) visit(option, depth + 1);
  };
  visit(row.body);
  return [...names];
}

describe('a path', () => {
  it.each([
    '/api/nothing',
    '/api',
    '/api/',
    '/api/admin',
    '/api/admin/nothing',
    '/api/user/profile/',
    '/API/loans',
  ])('%s that nobody serves is a 404 in JSON', async (url) => {
    const response = await server.app.inject({ url });
    expect([response.statusCode, response.json()]).toEqual([
      404,
      { message: 'This was not found', code: 'not_found' },
    ]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['DELETE', '/api/auth/login', 'POST'],
    ['GET', '/api/auth/login', 'POST'],
    ['PATCH', '/api/user/profile', 'GET, PUT'],
    ['POST', '/api/admin/users/7', 'DELETE, GET, PATCH, PUT'],
    ['PUT', '/api/loans/quote', 'POST'],
    ['OPTIONS', '/api/loans', 'POST'],
  ])('%s %s is a 405 that names what is allowed', async (method, url, allowed) => {
    const response = await server.app.inject({ method: method as 'GET', url });
    expect([response.statusCode, response.json().code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe(allowed);
  });

  it.each([
    '/api/loans/0/schedule',
    '/api/loans/-1/schedule',
    '/api/loans/1.5/schedule',
    '/api/loans/1e3/schedule',
    '/api/loans/0x10/schedule',
    '/api/loans/99999999999999999999/schedule',
    '/api/loans/1%20or%201=1/schedule',
    '/api/loans/%00/schedule',
    '/api/loans/null/contract',
    `/api/loans/${'9'.repeat(300)}/schedule`,
    '/api/loans/%/schedule',
    '/api/loans/%ff%fe/schedule',
    '/api/files/..%2f..%2f..%2fetc%2fpasswd',
  ])('%s is not there', async (url) => {
    const response = await server.app.inject({ url, headers: { authorization: `Bearer ${borrower}` } });
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe('not_found');
  });

  it('answers despite a wild query', async () => {
    for (const query of [
      'search=%00',
      'search=%ff',
      'search[]=a',
      'search=a&search=b',
      'status=x',
      '__proto__=1',
      `search=${'x'.repeat(8_000)}`,
    ]) {
      const response = await server.app.inject({
        url: `/api/admin/users?${query}`,
        headers: { authorization: `Bearer ${staff}` },
      });
      expect(response.statusCode, query).toBeLessThan(500);
    }
  });
});

describe('an error nobody foresaw', () => {
  it('is a plain 500 with the request’s id, and is logged', async () => {
    const broken = await passingServer({
      deps: {
        database: {
          ...server.database,
          read: () => Promise.reject(new Error('select * from secrets at /srv/secret.ts:1')),
        },
      },
    });
    const response = await broken.app.inject({
      url: '/api/user/profile',
      headers: { authorization: `Bearer ${borrower}` },
    });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      code: 'internal',
      message: 'Something went wrong on our side. Nothing was changed.',
      requestId: expect.stringMatching(/\S/),
    });
    const [logged] = broken.takeErrors();
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ level: 'error', reqId: response.json().requestId });
  });
});

it('a database that cannot be used is a 503 whose reason is in the log', async () => {
  const logged: object[] = [];
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };
  const reason = 'could not extend file "base/5/16384": No space left on device';
  const full = await passingServer({
    deps: {
      log: createLogger({ level: 'warn', destination }),
      database: {
        ...server.database,
        transaction: () => Promise.reject(new DatabaseUnavailable(reason, { lost: false })),
      },
    },
  });
  const response = await full.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { phone: '09179998877', password: 'borrower password', fullName: 'Maria Clara Santos' },
  });
  expect([response.statusCode, response.json().code]).toEqual([503, 'database_unavailable']);
  expect(logged).toContainEqual(
    expect.objectContaining({ level: 'warn', reason: `the database is unavailable: ${reason}` }),
  );
});

describe('over a real socket', () => {
  let port: number;

  beforeAll(async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    port = (server.app.server.address() as net.AddressInfo).port;
  });

  /** Sends bytes as they are and reads until the other side closes. */
  function talk(bytes: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      let answer = '';
      socket.setTimeout(5_000, () => reject(new Error('no answer')));
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
      socket.write(bytes);
    });
  }

  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400, 'malformed'],
    [
      'headers without end',
      `GET /api/docs HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(limits.headersMaxBytes)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
      'malformed',
    ],
    [
      'a length and chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed',
    ],
    ['a method of its own', 'BREW /api/auth/login HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed'],
  ])('%s is refused in JSON', async (_, bytes, status, code) => {
    const answer = await talk(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ code });
  });

  it.each(['PROPFIND', 'TRACE', 'LOCK'])('%s is answered', async (method) => {
    const answer = await talk(`${method} /api/loans HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|405) /);
  });

  it('a body is not read before the session is known', async () => {
    // The answer comes while the body is still being sent.
    const answer = await talk(
      'PUT /api/user/profile HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\nConnection: close\r\n\r\n{',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});
