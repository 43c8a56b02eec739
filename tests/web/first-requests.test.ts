import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import { noAnswer } from './browser-stand-in.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

// Taken in anew with the page, the router would look for a window to listen to.
vi.mock('wouter/use-browser-location', () => ({
  navigate: (to: string) => history.pushState(undefined, '', to),
}));

/** A page that has just been opened: its first script runs before anything else of the app is here. */
async function openPage() {
  vi.resetModules();
  return import('#web/lib/first-requests.ts');
}

/** The rest of the app, which comes later. */
async function startSession() {
  const { createSessionStore } = await import('#web/lib/session-store.ts');
  const { toastStore } = await import('#web/lib/toast-store.ts');
  const session = createSessionStore();
  onTestFinished(session.start());
  return {
    session,
    settled: (wanted: string) => expect.poll(() => session.read().state).toBe(wanted),
    toastStore,
  };
}

describe('the first script of a page', () => {
  it('asks nothing when nobody is signed in', async () => {
    const { isStaffSession, takeFirstReply } = await openPage();
    expect(await isStaffSession).toBe(false);
    expect(takeFirstReply(api.readProfile.path, 'no token', new AbortController().signal)).toBeUndefined();
    expect(browser.requests).toEqual([]);
  });

  it('asks for the profile, and the session takes that answer', async () => {
    const { id, token } = await server.registerBorrower();
    browser.stored.set('token', token);
    const { isStaffSession } = await openPage();
    expect(browser.theRequest()).toMatchObject({
      address: api.readProfile.path,
      credentials: 'include',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await isStaffSession).toBe(false);
    const { session, settled } = await startSession();
    await settled('signedIn');
    expect(session.read()).toMatchObject({ user: { id } });
    expect(browser.requests).toHaveLength(1);
    await session.refresh();
    expect(browser.requests).toHaveLength(2);
  });

  it('asks next for what the page reads, once the profile says that it is a borrower’s', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    browser.location.pathname = '/wallet';
    const { isStaffSession, takeFirstReply } = await openPage();
    await isStaffSession;
    const reads = [api.listNotifications.path, api.listOwnLoans.path, api.listOwnWithdrawals.path];
    expect(browser.requests.map(({ address }) => address)).toEqual([api.readProfile.path, ...reads]);
    const loans = await takeFirstReply(api.listOwnLoans.path, token, new AbortController().signal);
    expect(await loans?.json()).toEqual([]);
  });

  it('leaves the page’s reads to the app where that is here first', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    browser.location.pathname = '/wallet';
    const { isStaffSession } = await openPage();
    const { settled } = await startSession();
    await settled('signedIn');
    await isStaffSession;
    expect(browser.requests.map(({ address }) => address)).toEqual([api.readProfile.path]);
  });

  it('has nothing old for a page that comes late', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    browser.location.pathname = '/wallet';
    const { isStaffSession, takeFirstReply } = await openPage();
    await isStaffSession;
    const later = performance.now() + 10_001;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    onTestFinished(() => clock.mockRestore());
    const { signal } = new AbortController();
    expect(takeFirstReply(api.listOwnLoans.path, token, signal)).toBeUndefined();
    expect(takeFirstReply(api.readProfile.path, token, signal)).toBeDefined();
  });

  it('asks for nothing but the profile with a token that is refused, or staff’s', async () => {
    browser.location.pathname = '/wallet';
    for (const token of ['no such token', await server.signInMainAdmin()]) {
      browser.stored.set('token', token);
      const { isStaffSession } = await openPage();
      await isStaffSession;
    }
    expect(browser.requests.map(({ address }) => address)).toEqual([
      api.readProfile.path,
      api.readProfile.path,
    ]);
  });

  it('says when the caller is staff', async () => {
    browser.stored.set('token', await server.signInMainAdmin());
    const { isStaffSession } = await openPage();
    expect(await isStaffSession).toBe(true);
  });

  it('treats an unknown token as signed out, and so does the session', async () => {
    browser.stored.set('token', 'no such token');
    const { isStaffSession } = await openPage();
    expect(await isStaffSession).toBe(false);
    const { settled } = await startSession();
    await settled('signedOut');
    expect(browser.stored.has('token')).toBe(false);
    expect(browser.requests).toHaveLength(1);
  });

  it('leaves the notice of a suspension to the session, though its answer came first', async () => {
    const { id, token } = await server.registerBorrower();
    await server.main.updateMember(id, { status: 'suspended' });
    browser.stored.set('token', token);
    const { isStaffSession } = await openPage();
    await isStaffSession;
    const { settled, toastStore } = await startSession();
    await settled('signedOut');
    expect(toastStore.read().filter(({ open }) => open)).toMatchObject([{ title: 'Account Suspended' }]);
    expect(browser.visited).toEqual(['/app-login']);
  });

  it('counts only for the token it asked with', async () => {
    const [first, second] = [await server.registerBorrower(), await server.registerBorrower()];
    browser.stored.set('token', first.token);
    await openPage();
    browser.stored.set('token', second.token);
    const { session, settled } = await startSession();
    await settled('signedIn');
    expect(session.read()).toMatchObject({ user: { id: second.id } });
    expect(browser.requests).toHaveLength(2);
  });

  it('is retried when it got no answer', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    browser.setNetwork(() => Promise.reject(noAnswer()));
    const { isStaffSession } = await openPage();
    expect(await isStaffSession).toBe(false);
    const { session, settled } = await startSession();
    await expect.poll(() => session.read()).toMatchObject({ state: 'starting', problem: expect.anything() });
    expect(browser.requests).toHaveLength(1);
    browser.setNetwork((forward) => forward());
    session.retry();
    await settled('signedIn');
  });

  it('is cancelled when the session gives up waiting', async () => {
    const { token } = await server.registerBorrower();
    browser.stored.set('token', token);
    const { takeFirstReply } = await openPage();
    const giveUp = new AbortController();
    expect(takeFirstReply(api.readProfile.path, token, giveUp.signal)).toBeDefined();
    expect(takeFirstReply(api.readProfile.path, token, giveUp.signal)).toBeUndefined();
    expect(browser.theRequest().signal?.aborted).toBe(false);
    giveUp.abort();
    expect(browser.theRequest().signal?.aborted).toBe(true);
  });
});
