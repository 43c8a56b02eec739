import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { gate } from '#tests/setup/gate.ts';
import { call } from '#web/lib/call.ts';
import { queryClient, readKey } from '#web/lib/query.tsx';
import { createSessionStore } from '#web/lib/session-store.ts';
import { dismissToast, toast, toastStore } from '#web/lib/toast-store.ts';
import { noAnswer } from './browser-stand-in.ts';
import { failureOf, refusalOf } from './failing.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

beforeEach(() => {
  dismissToast(toast({ title: 'of an earlier test' }));
  queryClient.clear();
});

/** A page that is opened with what this browser has stored. */
function openPage() {
  const session = createSessionStore();
  onTestFinished(session.start());
  const state = () => session.read().state;
  return { session, state, settled: (wanted: string) => expect.poll(state).toBe(wanted) };
}

/** A borrower whose token this browser has stored. */
async function storedBorrower() {
  const borrower = await server.registerBorrower();
  browser.stored.set('token', borrower.token);
  return borrower;
}

/** A page where that borrower is signed in. */
async function signedInPage() {
  const borrower = await storedBorrower();
  const page = openPage();
  await page.settled('signedIn');
  return { ...page, borrower };
}

/** The toast on the screen. */
function shownToast() {
  const [shown] = toastStore.read().filter(({ open }) => open);
  return shown && { title: shown.title, description: shown.description, tone: shown.tone };
}

async function suspend(id: number) {
  await server.main.updateMember(id, { status: 'suspended' });
}

/** Something of the reader's in the cache, and whether it is still there. */
function keepInCache() {
  queryClient.setQueryData(readKey(api.listOwnLoans), []);
  return () => queryClient.getQueryData(readKey(api.listOwnLoans)) !== undefined;
}

const suspendedToast = {
  tone: 'bad',
  title: 'Account Suspended',
  description: 'Your account has been suspended. Please contact support.',
};

const addressToast = {
  tone: 'bad',
  title: en.accessDenied.title,
  description: en.errors.ip_not_allowed,
};

describe('at the start of a visit', () => {
  it('without a token: signed out, and nothing is asked', async () => {
    const { state } = openPage();
    expect(state()).toBe('signedOut');
    expect(browser.requests).toEqual([]);
  });

  it('with a good token: the profile is read and the user signed in', async () => {
    const { id, token } = await storedBorrower();
    const { session, state, settled } = openPage();
    expect(state()).toBe('starting');
    await settled('signedIn');
    expect(session.read()).toMatchObject({ user: { id, accountStatus: 'active' } });
    expect(session.read()).not.toHaveProperty('lost');
    expect(browser.theRequest()).toMatchObject({ method: 'GET', address: '/api/user/profile' });
    expect(browser.stored.get('token')).toBe(token);
    expect(shownToast()).toBeUndefined();
  });

  it('with an invalid token: signed out silently, and the token is gone', async () => {
    browser.stored.set('token', 'no such token');
    const { settled } = openPage();
    await settled('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    expect(shownToast()).toBeUndefined();
    expect(browser.visited).toEqual([]);
  });

  it.each(['null', '{}', '{"id":0}'])('with a profile that has no id (%s): signed out', async (profile) => {
    browser.stored.set('token', 'whatever');
    browser.answer(profile);
    const { settled } = openPage();
    await settled('signedOut');
    expect(browser.stored.has('token')).toBe(false);
  });

  it('with the token of a suspended account: signed out', async () => {
    const { id } = await storedBorrower();
    await suspend(id);
    const { settled } = openPage();
    await settled('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    expect(shownToast()).toEqual(suspendedToast);
    expect(browser.visited).toEqual(['/app-login']);
  });

  it('from an address not allowed to staff: signed out, and told why', async () => {
    await storedBorrower();
    browser.answer('{"message":"m","code":"ip_not_allowed"}', { status: 403 });
    const { settled } = openPage();
    await settled('signedOut');
    expect(shownToast()).toEqual(addressToast);
  });

  it.each([
    { why: 'offline', network: async () => Promise.reject(noAnswer()) },
    { why: 'a server in trouble', network: async () => new Response('', { status: 503 }) },
    { why: 'too many tries', network: async () => new Response('{}', { status: 429 }) },
    { why: 'a page of some hotel', network: async () => new Response('<h1>Welcome</h1>') },
    { why: 'a page that forbids it', network: async () => new Response('<h1>No</h1>', { status: 403 }) },
    { why: 'a proxy that asks who it is', network: async () => new Response('', { status: 401 }) },
    { why: 'a proxy that finds nothing', network: async () => new Response('{}', { status: 404 }) },
  ])('$why ends no session; it resumes with the connection', async ({ network }) => {
    const { id, token } = await storedBorrower();
    browser.setNetwork(network);
    const { session, state, settled } = openPage();
    await expect.poll(() => session.read()).toMatchObject({ state: 'starting', problem: expect.any(Error) });
    expect(browser.stored.get('token')).toBe(token);
    browser.setNetwork((forward) => forward());
    browser.tell('online');
    expect(state()).toBe('starting');
    expect(session.read()).toMatchObject({ problem: undefined });
    await settled('signedIn');
    expect(session.read()).toMatchObject({ user: { id } });
  });

  it('an answer for a replaced token changes nothing', async () => {
    const { token } = await storedBorrower();
    browser.stored.set('token', 'the old one');
    browser.setNetwork(async (forward) => {
      const answer = await forward();
      browser.stored.set('token', token);
      return answer;
    });
    const { state } = openPage();
    await expect.poll(() => browser.stored.get('token')).toBe(token);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(state()).toBe('starting');
    expect(browser.stored.get('token')).toBe(token);
  });
});

describe('signing in and registering', () => {
  it('stores the token first and shows the user when told to', async () => {
    const { id, phone, password } = await server.registerBorrower();
    const { session, state } = openPage();
    const opened = await session.signIn({ phone, password });
    expect(opened.user).toMatchObject({ id, phone });
    expect(browser.stored.get('token')).toMatch(/^[\w-]{40,}$/);
    expect(state()).toBe('signedOut');
    opened.enter();
    expect(session.read()).toMatchObject({ state: 'signedIn', user: { id } });
    expect(await call(api.readProfile)).toMatchObject({ id });
  });

  it('registers, and the account is signed in', async () => {
    const { session } = openPage();
    const body = { fullName: 'Juan Cruz', phone: '09171234567', password: 'a password', email: '' };
    const opened = await session.register(body);
    opened.enter();
    const user = { fullName: 'Juan Cruz', phone: '09171234567', status: 'pending', creditScore: 500 };
    expect(session.read()).toMatchObject({ state: 'signedIn', user });
  });

  it('a refusal stores nothing and shows nothing by itself', async () => {
    const { phone } = await server.registerBorrower();
    const { session, state } = openPage();
    expect(await refusalOf(session.signIn({ phone, password: 'not this one' }))).toMatchObject({
      status: 401,
    });
    const registration = { fullName: 'Juan Cruz', phone, password: 'a password' };
    expect(await refusalOf(session.register(registration))).toMatchObject({ status: 409 });
    expect(state()).toBe('signedOut');
    expect(browser.stored.size).toBe(0);
    expect(shownToast()).toBeUndefined();
  });

  it('tells a suspended account so at sign-in, in the exact words', async () => {
    const { id, phone, password } = await server.registerBorrower();
    await suspend(id);
    const { session } = openPage();
    const refusal = await refusalOf(session.signIn({ phone, password }));
    expect(refusal.message).toBe(suspendedToast.description);
    expect(browser.stored.size).toBe(0);
  });

  it('another account in the same tab finds nothing of the previous one', async () => {
    const { session } = await signedInPage();
    const isKept = keepInCache();
    const other = await server.registerBorrower();
    const opened = await session.signIn({ phone: other.phone, password: other.password });
    opened.enter();
    expect(session.read()).toMatchObject({ user: { id: other.id } });
    expect(isKept()).toBe(false);
  });
});

describe('signing out', () => {
  it('ends the session here and on the server', async () => {
    const { session, state, borrower } = await signedInPage();
    const isKept = keepInCache();
    session.signOut();
    expect(state()).toBe('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    expect(isKept()).toBe(false);
    expect(shownToast()).toEqual({
      title: 'You have been logged out successfully',
      description: undefined,
      tone: undefined,
    });
    expect(browser.visited).toEqual(['/app-login']);
    const statusOf = async () => (await borrower.readProfile().answer()).status;
    await expect.poll(statusOf).toBe(401);
  });

  it('works offline too', async () => {
    const { session, state } = await signedInPage();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    browser.setNetwork(async () => Promise.reject(noAnswer()));
    session.signOut();
    expect(state()).toBe('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    warn.mockRestore();
  });

  it('a suspended account is still told so', async () => {
    const { session, borrower } = await signedInPage();
    await suspend(borrower.id);
    session.signOut();
    await expect.poll(shownToast).toEqual(suspendedToast);
    expect(browser.visited).toEqual(['/app-login', '/app-login']);
  });

  it('takes staff to their own sign-in', async () => {
    const admin = await server.createAdmin();
    browser.stored.set('token', admin.token);
    const { session, settled } = openPage();
    await settled('signedIn');
    session.signOut();
    expect(browser.visited).toEqual(['/admin-login']);
    await expect.poll(async () => (await admin.readProfile().answer()).status).toBe(401);
  });
});

describe('a session that ends in the middle', () => {
  it('a suspended borrower is signed out by the next call', async () => {
    const { state, borrower } = await signedInPage();
    const isKept = keepInCache();
    await suspend(borrower.id);
    await refusalOf(call(api.listNotifications));
    expect(state()).toBe('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    expect(isKept()).toBe(false);
    expect(shownToast()).toEqual(suspendedToast);
    expect(browser.visited).toEqual(['/app-login']);
  });

  it('a borrower whose token expired is signed out and told, on the same page', async () => {
    const { state, borrower } = await signedInPage();
    await borrower.signOut();
    await refusalOf(call(api.listNotifications));
    expect(state()).toBe('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    const { endedTitle } = en.session;
    expect(shownToast()).toEqual({ tone: 'bad', title: endedTitle, description: en.errors.not_signed_in });
    expect(browser.visited).toEqual([]);
  });

  it('is announced once, though every running call is refused, and nothing covers it', async () => {
    const { borrower } = await signedInPage();
    await suspend(borrower.id);
    const reads = [api.listNotifications, api.listOwnLoans, api.listOwnWithdrawals] as const;
    await Promise.all(reads.map((row) => refusalOf(call(row))));
    const [{ id } = { id: 0 }] = toastStore.read();
    toast({ tone: 'bad', title: 'Insufficient funds' });
    expect(toastStore.read()).toMatchObject([{ id, title: 'Account Suspended' }]);
    expect(browser.visited).toEqual(['/app-login']);
  });

  it('a later sign-in is announced again', async () => {
    const { session, borrower } = await signedInPage();
    await borrower.signOut();
    await refusalOf(call(api.listNotifications));
    await refusalOf(session.signIn({ phone: borrower.phone, password: 'not this one' }));
    toast({ tone: 'bad', title: 'Login failed' });
    expect(shownToast()).toMatchObject({ title: 'Login failed' });
  });

  it('staff keep their page and are asked to sign in again over it', async () => {
    const admin = await server.createAdmin();
    browser.stored.set('token', admin.token);
    const { session, settled } = openPage();
    await settled('signedIn');
    await admin.signOut();
    await refusalOf(call(api.readStats));
    expect(session.read()).toMatchObject({ state: 'signedIn', lost: 'expired', user: { id: admin.id } });
    expect(browser.stored.has('token')).toBe(false);
    expect(shownToast()).toBeUndefined();

    const opened = await session.signIn({ username: admin.email, password: admin.password });
    opened.enter();
    expect(session.read()).toMatchObject({ state: 'signedIn' });
    expect(session.read()).not.toHaveProperty('lost');
    expect(await call(api.readStats)).toMatchObject({ members: { total: 0 } });
  });
});

describe('refreshing the profile', () => {
  it('shows what staff changed, bypassing every cache', async () => {
    const { session, borrower } = await signedInPage();
    await server.fund(borrower.id, 2500);
    expect(await session.refresh()).toBe(true);
    expect(session.read()).toMatchObject({ user: { balance: '2500.00' } });
    expect(browser.requests.at(-1)).toMatchObject({
      cache: 'no-store',
      headers: { 'Cache-Control': 'no-cache' },
    });
  });

  it('signs a suspended account out', async () => {
    const { session, state, borrower } = await signedInPage();
    await suspend(borrower.id);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await session.refresh()).toBe(false);
    warn.mockRestore();
    expect(state()).toBe('signedOut');
    expect(shownToast()).toEqual(suspendedToast);
  });

  it('a failure is logged and nothing else', async () => {
    const { session, state } = await signedInPage();
    browser.setNetwork(async () => Promise.reject(noAnswer()));
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await session.refresh()).toBe(false);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    expect(state()).toBe('signedIn');
    expect(shownToast()).toBeUndefined();
  });

  it('staff at a forbidden address are told', async () => {
    const { session, state } = await signedInPage();
    browser.answer('{"message":"m","code":"ip_not_allowed"}', { status: 403 });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await session.refresh()).toBe(false);
    warn.mockRestore();
    expect(state()).toBe('signedIn');
    expect(shownToast()).toEqual(addressToast);
  });

  it('an answer that carries the user is applied, another person’s is not', async () => {
    const { session } = await signedInPage();
    const changed = await call(api.updateProfile, { body: { fullName: 'Maria Reyes' } });
    await session.accept(Promise.resolve(changed));
    expect(session.read()).toMatchObject({ user: { fullName: 'Maria Reyes' } });
    await session.accept(Promise.resolve({ ...changed, id: changed.id + 1, fullName: 'Somebody else' }));
    expect(session.read()).toMatchObject({ user: { fullName: 'Maria Reyes' } });
  });

  it('two simultaneous changes are both shown, though the older answer arrives last', async () => {
    const { session } = await signedInPage();
    const { open: letThrough, passed: held } = gate();
    browser.setNetwork(async (forward, { body }) => {
      const answer = await forward();
      if (String(body).includes('bankName')) await held;
      return answer;
    });
    const older = session.accept(call(api.updateProfile, { body: { bankName: 'Bank Z' } }));
    await expect.poll(async () => (await call(api.readProfile)).bankName).toBe('Bank Z');
    await session.accept(call(api.updateProfile, { body: { address: '9 Rizal Street, Vigan City' } }));
    letThrough();
    await older;
    await expect
      .poll(() => session.read())
      .toMatchObject({ user: { bankName: 'Bank Z', address: '9 Rizal Street, Vigan City' } });
  });
});

describe('another tab of the same browser', () => {
  it('signs out: this one follows', async () => {
    const { state } = await signedInPage();
    const isKept = keepInCache();
    browser.storedElsewhere('token');
    expect(state()).toBe('signedOut');
    expect(isKept()).toBe(false);
  });

  it('empties the storage: this one follows', async () => {
    const { state } = await signedInPage();
    browser.storedElsewhere(null);
    expect(state()).toBe('signedOut');
  });

  it('signs somebody else in: this one follows, with nothing of the first', async () => {
    const { session, state, settled } = await signedInPage();
    const isKept = keepInCache();
    const other = await server.registerBorrower();
    browser.storedElsewhere('token', other.token);
    expect(state()).toBe('starting');
    expect(isKept()).toBe(false);
    await settled('signedIn');
    expect(session.read()).toMatchObject({ user: { id: other.id } });
  });

  it('changes something else: nothing happens', async () => {
    const { state } = await signedInPage();
    browser.storedElsewhere('language', 'fil');
    expect(state()).toBe('signedIn');
    expect(browser.requests).toHaveLength(1);
  });
});

describe('a page that was closed', () => {
  it('hears nothing more', async () => {
    const { token } = await storedBorrower();
    const session = createSessionStore();
    const stop = session.start();
    await expect.poll(() => session.read().state).toBe('signedIn');
    stop();
    await server.as(token).signOut();
    await failureOf(call(api.listNotifications));
    browser.storedElsewhere('token');
    expect(session.read().state).toBe('signedIn');
  });
});
