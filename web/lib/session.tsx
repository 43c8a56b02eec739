import { useMemo, useSyncExternalStore } from 'react';
import type { User } from '#contract/profile.ts';
import { loadCurrentWords } from './language.tsx';
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts';

const store = createSessionStore();

/** Once, before anything is drawn. Resolves to what has become of the stored session. */
export async function startSession(): Promise<SessionState> {
  await loadCurrentWords();
  store.start();
  return new Promise((resolve) => {
    if (store.read().state !== 'starting') resolve(store.read());
    store.subscribe(() => resolve(store.read()));
  });
}

/** The state with the store's actions, which have a stable identity. */
export function useSession(): SessionState & SessionStore {
  const state = useSyncExternalStore(store.subscribe, store.read);
  return useMemo(() => ({ ...state, ...store }), [state]);
}

/** Returns the user of a page behind the sign-in. Throws elsewhere. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('this page is for the signed in');
  return session.user;
}
