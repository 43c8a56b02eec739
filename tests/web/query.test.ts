import { createElement } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { QueryProvider, queryClient, readKey, refreshReads, useRead } from '#web/lib/query.tsx';
import { sessionEnded } from '#web/lib/token.ts';
import { standInBrowser } from './browser-stand-in.ts';
import { failureOf } from './failing.ts';
import { runHook } from './hook.ts';

const browser = standInBrowser();
beforeEach(() => queryClient.clear());

const run = <Value>(hook: () => Value) =>
  runHook(hook, (children) => createElement(QueryProvider, null, children));

describe('reads', () => {
  it('are never refetched, retried or paused, and forgotten after five minutes', () => {
    expect(queryClient.getDefaultOptions()).toMatchObject({
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 300_000,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    });
  });

  it('GET the path made of the key’s segments by default', async () => {
    browser.answer('[{"id":1}]');
    expect(await queryClient.fetchQuery({ queryKey: ['/api/admin', 'withdrawals?status=pending'] })).toEqual([
      { id: 1 },
    ]);
    expect(browser.theRequest()).toMatchObject({
      method: 'GET',
      address: '/api/admin/withdrawals?status=pending',
      credentials: 'include',
    });
  });

  it('a 401 throws, once', async () => {
    browser.answer('{"message":"m","code":"not_signed_in"}', { status: 401 });
    expect(await failureOf(queryClient.fetchQuery({ queryKey: ['/api/loans/user'] }))).toBeInstanceOf(
      CallError,
    );
    expect(browser.requests).toHaveLength(1);
  });

  it('are shared by all observers, and kept for later ones', async () => {
    browser.answer('[]');
    const first = run(() => useRead(api.listOwnLoans));
    expect(first.now().data).toBeUndefined();
    await expect.poll(() => first.now().data).toEqual([]);
    const second = run(() => useRead(api.listOwnLoans));
    expect(second.now().data).toEqual([]);
    expect(browser.requests).toHaveLength(1);
  });

  it('wait while they are not enabled', async () => {
    run(() => useRead(api.readLoanSchedule, { params: { id: 1 }, enabled: false }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(browser.requests).toEqual([]);
  });

  it('end with the session: nothing stays, and running ones are cancelled', async () => {
    let signal: AbortSignal | null | undefined;
    browser.setNetwork((_, request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    queryClient.setQueryData(readKey(api.readProfile), { id: 1 });
    run(() => useRead(api.listOwnLoans));
    await expect.poll(() => signal?.aborted).toBe(false);
    sessionEnded.tell();
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
  });
});

it('reads again what is on screen when the server may have done what it could not say', async () => {
  let loans = '[]';
  browser.setNetwork(async (_, { method }) => {
    if (method === 'GET') return new Response(loans);
    loans = '[{"id":1}]';
    return new Response('{"message":"m","code":"answer_failed"}', { status: 500 });
  });
  const list = run(() => useRead(api.listOwnLoans));
  await expect.poll(() => list.now().data).toEqual([]);
  await failureOf(call(api.requestCode));
  await expect.poll(() => list.now().data).toEqual([{ id: 1 }]);
});

describe('the key of a read', () => {
  it('is its address', () => {
    expect(readKey(api.listOwnLoans)).toEqual(['/api/loans/user']);
    expect(readKey(api.readLoanSchedule, { params: { id: 12 } })).toEqual(['/api/loans/12/schedule']);
    expect(readKey(api.listMembers, { query: { search: 'a b', status: '' as never } })).toEqual([
      '/api/admin/users?search=a+b',
    ]);
  });
});

describe('refetching', () => {
  const kept = [
    '/api/loans/user',
    '/api/loans/1/schedule',
    '/api/loans/22/schedule',
    '/api/loans/1/contract',
    '/api/loans/1/contract.pdf',
    '/api/loans/1/contractXpdf',
    '/api/admin/users',
    '/api/admin/users?search=a%2Fb&status=active',
    '/api/admin/users/7',
    '/api/admin/withdrawals',
    '/api/withdrawals',
  ];

  it.each([
    { row: api.listOwnLoans, again: ['/api/loans/user'] },
    { row: api.readLoanSchedule, again: ['/api/loans/1/schedule', '/api/loans/22/schedule'] },
    { row: api.readLoanContract, again: ['/api/loans/1/contract'] },
    { row: api.readLoanContractPdf, again: ['/api/loans/1/contract.pdf'] },
    { row: api.listMembers, again: ['/api/admin/users', '/api/admin/users?search=a%2Fb&status=active'] },
    { row: api.readMember, again: ['/api/admin/users/7'] },
    { row: api.listOwnWithdrawals, again: ['/api/withdrawals'] },
    { row: api.listNotifications, again: [] },
  ])('$row.path: $again and nothing else', async ({ row, again }: { row: Endpoint; again: string[] }) => {
    for (const key of kept) queryClient.setQueryData([key], []);
    await refreshReads(row);
    const stale = queryClient
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated);
    expect(stale.map(({ queryKey }) => queryKey[0])).toEqual(again);
  });

  it('happens at once for what is on screen', async () => {
    browser.answer('[]');
    const screen = run(() => useRead(api.listOwnLoans));
    await expect.poll(() => screen.now().data).toEqual([]);
    browser.answer('[{"id":1}]');
    await refreshReads(api.listOwnLoans);
    await expect.poll(() => screen.now().data).toEqual([{ id: 1 }]);
    expect(browser.requests).toHaveLength(2);
  });
});
