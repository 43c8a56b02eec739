import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { call } from '#web/lib/call.ts';
import { createSessionStore } from '#web/lib/session-store.ts';
import { readStored, writeStored } from '#web/lib/stored-value.ts';
import { readToken, removeToken, writeToken } from '#web/lib/token.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

const refuse = (name: string) => () => {
  throw new DOMException('not here', name);
};

/** A browser's storage, of which a part does not work. */
const storage = (broken: Partial<Storage> = {}, holds: Record<string, string> = {}) => {
  const values = new Map(Object.entries(holds));
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    ...broken,
  };
};

const full = () => storage({ setItem: refuse('QuotaExceededError') });
const denied = () =>
  storage({
    getItem: refuse('SecurityError'),
    setItem: refuse('SecurityError'),
    removeItem: refuse('SecurityError'),
  });

/** Replaces a storage until the test is over. Some web views have null. */
function have(areas: { localStorage: unknown; sessionStorage?: unknown }) {
  const before = Object.fromEntries(Object.keys(areas).map((name) => [name, Reflect.get(globalThis, name)]));
  for (const [name, area] of Object.entries(areas)) vi.stubGlobal(name, area);
  onTestFinished(() => {
    for (const name of ['token', 'language', 'typed']) writeStored(name, undefined);
    for (const [name, area] of Object.entries(before)) vi.stubGlobal(name, area);
  });
}

beforeEach(() => vi.stubGlobal('sessionStorage', storage()));

describe('a token that cannot be stored', () => {
  it.each([
    { why: 'no room is left', localStorage: full() },
    {
      why: 'storage takes nothing, and does not say so',
      localStorage: storage({ setItem: () => undefined }),
    },
    { why: 'storage is denied', localStorage: denied() },
    { why: 'there is no storage', localStorage: null },
  ])('is sent with every call where $why', async ({ localStorage }) => {
    for (const sessionStorage of [storage(), full(), denied(), null]) {
      have({ localStorage, sessionStorage });
      expect(writeToken('of this tab')).toBe(false);
      await call(api.readProfile).catch(() => undefined);
      expect(browser.requests.at(-1)?.headers.Authorization).toBe('Bearer of this tab');
      removeToken();
      expect(readToken()).toBeUndefined();
    }
  });

  it('takes the place of an older one, which no later page finds', () => {
    const older = storage({ setItem: refuse('QuotaExceededError') }, { token: 'an older one' });
    have({ localStorage: older });
    writeToken('of this tab');
    expect(readToken()).toBe('of this tab');
    expect(older.getItem('token')).toBeNull();
  });

  it('outlives a reload where the tab has storage of its own', () => {
    const sessionStorage = storage();
    have({ localStorage: full(), sessionStorage });
    writeToken('of this tab');
    expect(sessionStorage.getItem('token')).toBe('of this tab');
    removeToken();
    expect(sessionStorage.getItem('token')).toBeNull();
  });

  it('is told with the sign-in, and goes on when another tab signs out', async () => {
    const { phone, password } = await server.registerBorrower();
    have({ localStorage: full() });
    const session = createSessionStore();
    onTestFinished(session.start());
    const opened = await session.signIn({ phone, password });
    expect(opened.note).toBe(en.session.untilTabCloses);
    opened.enter();
    browser.tell('storage', { key: 'token', newValue: null });
    browser.tell('storage', { key: 'token', newValue: 'of somebody else' });
    expect(session.read().state).toBe('signedIn');
    expect(await session.refresh()).toBe(true);
  });
});

it('a sign-in that is stored says nothing more', async () => {
  const { phone, password } = await server.registerBorrower();
  const opened = await createSessionStore().signIn({ phone, password });
  expect(opened.note).toBeUndefined();
  expect(browser.stored.has('token')).toBe(true);
});

it('a value that could not be removed is forgotten all the same', () => {
  have({ localStorage: storage({ removeItem: refuse('SecurityError') }, { token: 'signed out' }) });
  removeToken();
  expect(readToken()).toBeUndefined();
});

it('what belongs to the tab stays in it', () => {
  for (const sessionStorage of [storage(), full(), denied(), null]) {
    have({ localStorage: storage(), sessionStorage });
    writeStored('typed', 'Luningning', 'sessionStorage');
    expect(readStored('typed', 'sessionStorage')).toBe('Luningning');
    expect(browser.stored.has('typed')).toBe(false);
    writeStored('typed', undefined, 'sessionStorage');
    expect(readStored('typed', 'sessionStorage')).toBeUndefined();
  }
});
