import { createElement, useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { limits } from '#domain/limits.ts';
import { gate } from '#tests/setup/gate.ts';
import { isAbort, NetworkError } from '#web/lib/call-error.ts';
import { QueryProvider, queryClient, readKey, useRead } from '#web/lib/query.tsx';
import { streamRows } from '#web/panel/lib/row-stream.ts';
import {
  acceptLoan,
  acceptMember,
  addAccount,
  dropRow,
  findMemberRow,
  useStaffRows,
} from '#web/panel/lib/staff-rows.ts';
import { failureOf, refusalOf } from './failing.ts';
import { runHook } from './hook.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

/** Signs the main admin in to this browser. */
async function openPanel() {
  browser.stored.set('token', await server.signInMainAdmin());
}

/** Reads the list of members; `rows` is what arrived, `handed` in how many goes. */
function reading(options: { search?: string; signal?: AbortSignal } = {}) {
  const rows: Member[] = [];
  let handed = 0;
  const { search, signal } = options;
  async function readAll() {
    for await (const more of streamRows(api.listMembers, { query: { search }, signal })) {
      handed += 1;
      rows.push(...more);
    }
  }
  return { rows, ended: readAll(), handed: () => handed };
}

/** A list that the test writes itself, piece by piece. */
function openStream() {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  browser.answer(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
      },
    }),
  );
  const bytes = new TextEncoder();
  return {
    write: (text: string) => stream?.enqueue(bytes.encode(text)),
    writeBytes: (part: Uint8Array) => stream?.enqueue(part),
    end: () => stream?.close(),
    breakOff: () => stream?.error(new TypeError('network error')),
  };
}

describe('a list streamed row by row', () => {
  it('equals the whole list, requested as lines', async () => {
    for (const fullName of ['Ana', 'Ben', 'Carla Ñ']) await server.registerBorrower({ fullName });
    await openPanel();
    const { rows, ended } = reading();
    await ended;
    expect(browser.theRequest()).toMatchObject({
      headers: { Accept: 'application/x-ndjson' },
      address: '/api/admin/users',
    });
    const whole = await server.main.listMembers();
    expect(rows.map(({ fullName }) => fullName)).toEqual(['Carla Ñ', 'Ben', 'Ana']);
    expect(rows).toEqual(whole.map((member) => ({ ...member, plainPassword: null, otpCode: null })));
  });

  it('is filtered by the server', async () => {
    for (const fullName of ['Ana', 'Ben']) await server.registerBorrower({ fullName });
    await openPanel();
    const { rows, ended } = reading({ search: 'ben' });
    await ended;
    expect(rows.map(({ fullName }) => fullName)).toEqual(['Ben']);
  });

  it('an empty one ends without a row', async () => {
    await openPanel();
    const { ended, handed } = reading();
    await ended;
    expect(handed()).toBe(0);
  });

  it('a reader without access is told why', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    expect(await refusalOf(reading().ended)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('delivers the first rows at once, and joins what the network cut', async () => {
    const stream = openStream();
    const { rows, ended } = reading();
    stream.write('{"id":1}\n{"id"');
    await expect.poll(() => rows).toEqual([{ id: 1 }]);
    stream.write(':2}\n');
    const letters = new TextEncoder().encode('{"fullName":"Ñ"}\n');
    stream.writeBytes(letters.slice(0, 14));
    stream.writeBytes(letters.slice(14));
    stream.end();
    await ended;
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { fullName: 'Ñ' }]);
  });

  it.each([
    { why: 'a broken connection', end: 'breakOff', last: '' },
    { why: 'an end in the middle of a line', end: 'end', last: '{"id":2' },
    { why: 'a last line without its end', end: 'end', last: '{"id":2}' },
    { why: 'a line that is none', end: 'end', last: 'Internal Server Error\n' },
  ] as const)('$why does not count as the end of the list; rows so far stay', async ({ end, last }) => {
    const stream = openStream();
    const { rows, ended } = reading();
    const failure = failureOf(ended);
    stream.write('{"id":1}\n');
    await expect.poll(() => rows).toEqual([{ id: 1 }]);
    stream.write(last);
    stream[end]();
    expect(await failure).toBeInstanceOf(NetworkError);
    expect(rows).toEqual([{ id: 1 }]);
  });

  it('is read no further than needed', async () => {
    const stream = openStream();
    const parts = streamRows(api.listMembers, {});
    stream.write('{"id":1}\n{"id":2}\n{"id"');
    const { value: rows } = await parts.next();
    await parts.return();
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('is given up when it stalls', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    openStream();
    const failure = failureOf(reading().ended);
    await vi.advanceTimersByTimeAsync(limits.callTimeoutMs);
    expect(await failure).toBeInstanceOf(NetworkError);
  });

  it('is cancelled when nobody needs it any more', async () => {
    await server.registerBorrower();
    await openPanel();
    const controller = new AbortController();
    browser.setNetwork(async (forward) => {
      const answer = await forward();
      controller.abort();
      return answer;
    });
    const { rows, ended } = reading({ signal: controller.signal });
    expect(isAbort(await failureOf(ended))).toBe(true);
    expect(rows).toEqual([]);
  });
});

describe('what the server has beyond a loaded list', () => {
  const anything = { search: '', status: '' };
  const asked = () =>
    browser.requests.map(({ address }) => address).filter((address) => address.includes('users?'));

  /** The list of members, read to its end, and the way to narrow it as a page does. */
  async function openList() {
    queryClient.clear();
    await openPanel();
    const running = runHook(
      () => {
        const [narrowed, narrow] = useState(anything);
        const stats = useRead(api.readStats);
        const list = useStaffRows(api.listMembers, { failure: 'of no matter', narrowed });
        return { list, stats, narrow };
      },
      (children) => createElement(QueryProvider, null, children),
    );
    const list = () => running.now().list;
    await expect.poll(() => list().isFetching).toBe(false);
    await expect.poll(() => running.now().stats.isFetching).toBe(false);
    return {
      list,
      stats: () => running.now().stats.data,
      narrow: (to: Partial<typeof anything>) => running.now().narrow({ ...anything, ...to }),
      names: () => list().data?.map(({ fullName }) => fullName),
    };
  }

  const register = (...names: string[]) =>
    names.reduce(
      async (before, fullName) => {
        await before;
        return server.registerBorrower({ fullName });
      },
      server.registerBorrower({ fullName: 'Ana' }),
    );

  it('is found by a search and stays, with all that came since and the counts', async () => {
    await register('Ben');
    const { list, narrow, names, stats } = await openList();
    const { dataUpdatedAt } = list();
    for (const fullName of ['Cora', 'Dina', 'Elma']) await server.registerBorrower({ fullName });
    narrow({ search: ' dina ' });
    await expect.poll(() => list().isAsking).toBe(true);
    await expect.poll(() => list().isAsking).toBe(false);
    expect(names()).toEqual(['Elma', 'Dina', 'Cora', 'Ben', 'Ana']);
    expect(asked()).toEqual(['/api/admin/users?search=dina']);
    const request = browser.requests.find(({ address }) => address.endsWith('search=dina'));
    expect(request?.headers.Accept).toBe('application/x-ndjson');
    await expect.poll(() => stats()?.members.total).toBe(5);
    narrow(anything);
    await expect.poll(() => list().isAsking).toBe(false);
    expect(names()).toHaveLength(5);
    expect(list().dataUpdatedAt).toBe(dataUpdatedAt);
  });

  it('is requested once typing pauses, and not twice', async () => {
    await register();
    const { list, narrow } = await openList();
    for (const search of ['d', 'di', 'din', 'dina']) narrow({ search });
    await expect.poll(() => list().isAsking).toBe(true);
    await expect.poll(() => list().isAsking).toBe(false);
    expect(asked()).toEqual(['/api/admin/users?search=dina']);
  });

  it('a request no longer needed is cancelled', async () => {
    await register();
    const { list, narrow, names } = await openList();
    await server.registerBorrower({ fullName: 'Dina' });
    const signals: (AbortSignal | null | undefined)[] = [];
    browser.setNetwork((forward, { address, signal }) => {
      if (!address.includes('search=dina')) return forward();
      signals.push(signal);
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    narrow({ search: 'dina' });
    await expect.poll(() => signals.length).toBe(1);
    narrow({ search: 'nobody' });
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    await expect.poll(() => list().isAsking).toBe(false);
    expect(list().error).toBe(null);
    expect(names()).toEqual(['Ana']);
  });

  it('a status changed elsewhere is noticed, in rows that gained it and rows that lost it', async () => {
    const ben = await register('Ben');
    const { list, narrow } = await openList();
    const become = (status: 'active' | 'pending') => server.main.updateMember(ben.id, { status });
    const statuses = () => list().data?.map(({ status }) => status);
    await become('active');
    narrow({ status: 'active' });
    await expect.poll(statuses).toEqual(['active', 'pending']);
    narrow(anything);
    await become('pending');
    narrow({ status: 'active' });
    await expect.poll(statuses).toEqual(['pending', 'pending']);
  });

  it('a change made while the server is asked survives', async () => {
    const { id } = await register();
    const { list, narrow, names } = await openList();
    const { open: letThrough, passed: held } = gate();
    let answers = 0;
    browser.setNetwork(async (forward, { address }) => {
      const answer = await forward();
      if (!address.includes('search=')) return answer;
      answers += 1;
      await held;
      return answer;
    });
    narrow({ search: 'a' });
    await expect.poll(() => answers).toBe(1);
    acceptMember(await server.main.updateMember(id, { fullName: 'Ana Reyes' }));
    letThrough();
    await expect.poll(() => list().isAsking).toBe(false);
    expect(names()).toEqual(['Ana Reyes']);
  });

  it('a failed request is reported, and can be retried', async () => {
    await register();
    const { list, narrow, names } = await openList();
    await server.registerBorrower({ fullName: 'Dina' });
    browser.setNetwork((forward, { address }) =>
      address.includes('search=') ? Promise.reject(new TypeError('no network')) : forward(),
    );
    narrow({ search: 'dina' });
    await expect.poll(() => list().error).toBeInstanceOf(NetworkError);
    expect(list().isAsking).toBe(false);
    browser.setNetwork((forward) => forward());
    list().refetch();
    await expect.poll(() => list().error).toBe(null);
    await expect.poll(names).toEqual(['Dina', 'Ana']);
  });

  it('is found while the list is still arriving, once and in its place', async () => {
    queryClient.clear();
    await openPanel();
    const [ana, , cora] = await Promise.all(
      ['Ana', 'Ben', 'Cora'].map((fullName) => server.registerBorrower({ fullName })),
    );
    expect(ana && cora).toBeTruthy();
    const body = await server.main.listMembers();
    const lines = body.map((member) => `${JSON.stringify({ ...member, plainPassword: null })}\n`);
    const stream = new TransformStream<string, Uint8Array>({
      transform: (text, controller) => controller.enqueue(new TextEncoder().encode(text)),
    });
    const writer = stream.writable.getWriter();
    browser.setNetwork((forward, { address }) =>
      address === '/api/admin/users' ? Promise.resolve(new Response(stream.readable)) : forward(),
    );
    const running = runHook(
      () =>
        useStaffRows(api.listMembers, {
          failure: 'of no matter',
          narrowed: { search: body[2]?.phone ?? '', status: '' },
        }),
      (children) => createElement(QueryProvider, null, children),
    );
    const ids = () => running.now().data?.map(({ id }) => id);
    void writer.write(lines[0] ?? '');
    await expect.poll(ids).toEqual([body[0]?.id, body[2]?.id]);
    expect(running.now().isPartial).toBe(true);
    void writer.write(lines.slice(1).join(''));
    void writer.close();
    await expect.poll(() => running.now().isPartial).toBe(false);
    expect(ids()).toEqual(body.map(({ id }) => id));
  });
});

it('whatever list is read, the counts are read with it', async () => {
  queryClient.clear();
  await openPanel();
  const around = (children: unknown) => createElement(QueryProvider, null, children as never);
  const stats = runHook(() => useRead(api.readStats), around as never);
  await expect.poll(() => stats.now().data?.members.total).toBe(0);
  await server.registerBorrower();
  const list = runHook(() => useStaffRows(api.listMembers, { failure: 'of no matter' }), around as never);
  await expect.poll(() => list.now().data?.length).toBe(1);
  await expect.poll(() => stats.now().data?.members.total).toBe(1);
});

describe('staff changes reach the cached lists', () => {
  const kept = <Item>(address: string) => queryClient.getQueryData<Item[]>([address]);

  /** Keeps the lists of the panel, as they are on the server. */
  async function keepLists() {
    queryClient.clear();
    await openPanel();
    const token = await server.signInMainAdmin();
    const members = await server.main.listMembers();
    const loans = await server.main.listLoans();
    queryClient.setQueryData(readKey(api.listMembers), members);
    queryClient.setQueryData(readKey(api.listMembers, { query: { search: 'a' } }), members);
    queryClient.setQueryData(readKey(api.listLoans), loans);
    queryClient.setQueryData(readKey(api.readStats), {});
    return { token, members: members, loans: loans };
  }

  async function memberWithLoan() {
    const borrower = await server.verifiedBorrower();
    await borrower.applyForLoan({ amount: 150_000, purpose: 'A store', termMonths: 12 });
    return borrower;
  }

  it('a member is updated in every list, without secrets, in the loans and payments too', async () => {
    const { id, phone } = await memberWithLoan();
    const { token } = await keepLists();
    const payer = { id, fullName: 'Maria Clara Santos', phone };
    queryClient.setQueryData(readKey(api.listPayments), [{ id: 1, user: payer }]);
    const body = await server.as(token).updateMember(id, {
      fullName: 'Maria Reyes',
      otpCode: '824601',
      password: 'issued by staff',
      balance: 700,
    });
    expect(body).toMatchObject({ otpCode: '824601', plainPassword: 'issued by staff' });
    acceptMember(body);
    const changed = { id, fullName: 'Maria Reyes', balance: '700.00', otpCode: null, hasOtpCode: true };
    for (const address of ['/api/admin/users', '/api/admin/users?search=a']) {
      expect(kept(address)).toEqual([expect.objectContaining({ ...changed, plainPassword: null })]);
    }
    expect(kept('/api/admin/loans')).toMatchObject([{ user: changed }]);
    expect(kept('/api/admin/payments')).toEqual([{ id: 1, user: { ...payer, fullName: 'Maria Reyes' } }]);
    expect(
      JSON.stringify(
        queryClient
          .getQueryCache()
          .getAll()
          .map(({ state }) => state.data),
      ),
    ).not.toMatch(/824601|issued by staff/);
    expect(queryClient.getQueryState(readKey(api.readStats))?.isInvalidated).toBe(true);
  });

  it('a loan is updated, and others stay as they were', async () => {
    const { token: borrower } = await memberWithLoan();
    await server.as(borrower).applyForLoan({ amount: 200_000, purpose: 'A tricycle', termMonths: 24 });
    const { token, loans } = await keepLists();
    const [newest, older] = loans;
    const id = newest?.id ?? 0;
    acceptLoan(await server.as(token).updateLoan(id, { status: 'approved' }));
    expect(kept('/api/admin/loans')).toMatchObject([
      { id, status: 'approved' },
      { id: older?.id, status: 'pending' },
    ]);
    dropRow(api.listLoans, id);
    expect(kept('/api/admin/loans')).toMatchObject([{ id: older?.id }]);
  });

  it('a change made while a list is refetched twice survives', async () => {
    const { id } = await server.registerBorrower();
    await openPanel();
    queryClient.clear();
    const list = runHook(
      () => useStaffRows(api.listMembers, { failure: 'of no matter' }),
      (children) => createElement(QueryProvider, null, children),
    );
    await expect.poll(() => list.now()).toMatchObject({ isFetching: false, data: [{ id }] });
    let answers = 0;
    const { open: letThrough, passed: held } = gate();
    browser.setNetwork(async (forward, { address }) => {
      const answer = await forward();
      if (!address.startsWith('/api/admin/users')) return answer;
      answers += 1;
      await held;
      return answer;
    });
    list.now().refetch();
    list.now().refetch();
    await expect.poll(() => answers).toBe(1);
    acceptMember(await server.main.updateMember(id, { fullName: 'Maria Reyes' }));
    letThrough();
    await expect.poll(() => list.now().isFetching).toBe(false);
    expect(list.now().data).toMatchObject([{ id, fullName: 'Maria Reyes' }]);
  });

  it('a new member comes first, once', async () => {
    await server.registerBorrower();
    const { token } = await keepLists();
    const body = await server.as(token).createMember({ phone: '09170001111', fullName: 'At The Desk' });
    addAccount(api.listMembers, body.user);
    addAccount(api.listMembers, body.user);
    expect(kept<Member>('/api/admin/users')?.map(({ fullName }) => fullName)).toEqual([
      'At The Desk',
      'Maria Clara Santos',
    ]);
  });

  it('reading one member does not reveal the password', async () => {
    const { id, phone } = await server.registerBorrower();
    await keepLists();
    await server.fund(id, 900);
    expect(await findMemberRow({ id, phone })).toMatchObject({ id, balance: '900.00', plainPassword: null });
    expect(kept('/api/admin/users')).toMatchObject([{ id, balance: '900.00' }]);
    expect(browser.theRequest().address).toBe(`/api/admin/users?search=${phone}`);
    expect(await findMemberRow({ id: id + 1, phone })).toBeUndefined();
  });
});
