import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import { core } from '#contract/wording/en-sign-in.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { isAbort, NetworkError } from '#web/lib/call-error.ts';
import { removeToken, writeToken } from '#web/lib/token.ts';
import { noAnswer, standInBrowser } from './browser-stand-in.ts';
import { failureOf, refusalOf } from './failing.ts';

const browser = standInBrowser();

describe('the address of a call', () => {
  type Case = {
    path: string;
    params?: Record<string, string | number>;
    query?: Record<string, unknown>;
    address: string;
  };
  it.each<Case>([
    { path: '/api/loans/user', address: '/api/loans/user' },
    { path: '/api/loans/{id}/schedule', params: { id: 12 }, address: '/api/loans/12/schedule' },
    { path: '/api/files/{id}', params: { id: 'a/b?c#d é' }, address: '/api/files/a%2Fb%3Fc%23d%20%C3%A9' },
    { path: '/api/{a}/{b}', params: { a: '{b}', b: '$&' }, address: '/api/%7Bb%7D/%24%26' },
    { path: '/api/x', query: { search: 'a b&c=d', status: '' }, address: '/api/x?search=a+b%26c%3Dd' },
    { path: '/api/x', query: { search: undefined, status: '' }, address: '/api/x' },
    { path: '/api/x', query: { before: 0, limit: 5 }, address: '/api/x?before=0&limit=5' },
    { path: '/api/x/{id}', params: { id: 1 }, query: { q: 'ñ' }, address: '/api/x/1?q=%C3%B1' },
  ])('$address', ({ path, params, query, address }) => {
    expect(addressOf(path, params, query)).toBe(address);
  });
});

describe('what is sent', () => {
  const profile = async () => browser.answer('{}');

  it('a GET carries credentials and no body', async () => {
    await profile();
    await call(api.readProfile);
    const { address, method, credentials, cache, headers, body } = browser.theRequest();
    expect({ address, method, credentials, cache, body }).toEqual({
      address: '/api/user/profile',
      method: 'GET',
      credentials: 'include',
      cache: 'default',
      body: undefined,
    });
    expect(headers).toEqual({});
  });

  it('a stored token is sent as a bearer token', async () => {
    await profile();
    browser.stored.set('token', 'of this browser');
    await call(api.readProfile);
    expect(browser.theRequest().headers).toEqual({ Authorization: 'Bearer of this browser' });
  });

  it('a payload is sent as JSON', async () => {
    browser.answer('{}');
    const body = { amount: 150000, termMonths: 12 };
    await call(api.quoteLoan, { body });
    const request = browser.theRequest();
    expect(request.method).toBe('POST');
    // With the language that the form was read in.
    expect(request.headers).toEqual({ 'Content-Type': 'application/json', 'Content-Language': 'en' });
    expect(JSON.parse(String(request.body))).toEqual(body);
  });

  it('a POST without a payload has no content type', async () => {
    browser.answer('{}');
    await call(api.signOut);
    expect(browser.theRequest()).toMatchObject({ method: 'POST', headers: {}, body: undefined });
  });

  it('a money request carries its key', async () => {
    browser.answer('{}');
    const body = { amount: 1000, bankName: 'Bank A', bankAccountNumber: '1234567890', otp: '123456' };
    await call(api.requestWithdrawal, { body, idempotencyKey: 'one submit' });
    expect(browser.theRequest().headers['Idempotency-Key']).toBe('one submit');
  });

  it('every other write carries a key of its own: a proxy sends a PUT or DELETE twice when a connection breaks', async () => {
    for (const _ of [1, 2]) {
      browser.answer('{}');
      await call(api.deleteLoan, { params: { id: 7 } });
    }
    const keys = browser.requests.map(({ headers }) => headers['Idempotency-Key']);
    expect(new Set(keys)).toHaveLength(2);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('a fresh read bypasses every cache', async () => {
    await profile();
    await call(api.readProfile, { fresh: true });
    expect(browser.theRequest()).toMatchObject({
      cache: 'no-store',
      headers: { 'Cache-Control': 'no-cache' },
    });
  });

  it('the token is read at every call, even where storage is forbidden', async () => {
    await profile();
    const forbidden = () => {
      throw new DOMException('no storage', 'SecurityError');
    };
    const { localStorage } = globalThis;
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
    onTestFinished(() => {
      vi.stubGlobal('localStorage', localStorage);
      removeToken();
    });
    writeToken('kept in memory');
    await call(api.readProfile);
    expect(browser.theRequest().headers.Authorization).toBe('Bearer kept in memory');
  });
});

describe('error texts', () => {
  const conflict = { status: 409, statusText: 'Conflict' };

  it.each([
    { body: '{"message":"Not today","code":"forbidden"}', says: 'Not today', code: 'forbidden' },
    { body: '{"message":"Not today"}', says: 'Not today' },
    { body: '{"message":"Not today","code":"brewing"}', says: 'Not today', code: 'brewing' },
    { body: '{"message":"Not today","code":"constructor"}', says: 'Not today', code: 'constructor' },
    { body: '{"code":"not_found"}', says: 'Conflict', code: 'not_found' },
    { body: '{"message":""}', says: 'Conflict' },
    { body: '{"message":{"a":1}}', says: 'Conflict' },
    { body: 'null', says: 'Conflict' },
    { body: '"Not today"', says: 'Conflict' },
    { body: '[]', says: 'Conflict' },
    { body: 'Not today', says: '409: Not today' },
    { body: '{"message":"Not to', says: '409: {"message":"Not to' },
    { body: '', says: '409: Conflict' },
  ])('$body: $says', async ({ body, says, code }) => {
    browser.answer(body, conflict);
    const error = await refusalOf(call(api.readProfile));
    expect(error).toMatchObject({ message: says, status: 409 });
    expect(error.code).toBe(code);
  });

  it.each([
    { body: '{}', says: 'Request failed' },
    { body: '', says: '409: Request failed' },
  ])('without a status text, as over HTTP/2, $body: $says', async ({ body, says }) => {
    browser.answer(body, { status: 409 });
    expect((await refusalOf(call(api.readProfile))).message).toBe(says);
  });

  it('a body that cannot be read: status code and status text', async () => {
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('connection reset')) });
    browser.answer(broken, conflict);
    const error = await refusalOf(call(api.readProfile));
    expect(error).toMatchObject({ message: '409: Conflict', status: 409, data: undefined });
  });

  it.each([
    { header: '125', seconds: 125 },
    { header: 'Wed, 21 Oct 2026 07:28:00 GMT', seconds: undefined },
    { header: undefined, seconds: undefined },
  ])('tells how long to wait where the reply does: $header', async ({ header, seconds }) => {
    browser.answer('{}', { status: 429, ...(header && { headers: { 'Retry-After': header } }) });
    expect((await refusalOf(call(api.readProfile))).retryAfterSeconds).toBe(seconds);
  });

  it('carries the whole body', async () => {
    const data = { message: 'm', code: 'account_suspended', accountStatus: 'suspended', requestId: 'r-1' };
    browser.answer(JSON.stringify(data), conflict);
    expect((await refusalOf(call(api.readProfile))).data).toEqual(data);
  });
});

describe('no usable answer', () => {
  it.each([
    { why: 'no connection', fail: async () => Promise.reject(noAnswer()) },
    { why: 'a page of some hotel', fail: async () => new Response('<h1>Welcome</h1>') },
    { why: 'an answer cut off', fail: async () => new Response('{"id": 10') },
    {
      why: 'a connection lost in the middle',
      fail: async () => new Response(new ReadableStream({ pull: (stream) => stream.error(noAnswer()) })),
    },
  ])('$why is a NetworkError', async ({ fail }) => {
    browser.setNetwork(fail);
    const error = await failureOf(call(api.readProfile));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', message: core.shell.noConnection });
    expect(isAbort(error)).toBe(false);
  });

  it('a dead connection is given up after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    browser.setNetwork(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    let failure: unknown;
    call(api.readProfile).catch((error: unknown) => {
      failure = error;
    });
    await vi.advanceTimersByTimeAsync(limits.callTimeoutMs - 1);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(failure).toBeInstanceOf(NetworkError);
  });

  it('an answer in time leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    browser.answer('{}');
    await call(api.readProfile);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a cancelled call is an AbortError', async () => {
    const before = AbortSignal.abort();
    expect(isAbort(await failureOf(call(api.readProfile, { signal: before })))).toBe(true);
    const controller = new AbortController();
    browser.setNetwork((forward) => {
      const answer = forward();
      controller.abort();
      return answer;
    });
    expect(isAbort(await failureOf(call(api.readProfile, { signal: controller.signal })))).toBe(true);
  });
});
