import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import type { User } from '#contract/profile.ts';
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts';

const store = createSessionStore();

/** Once, at the root of the app. Before the first paint: everything waits for it. */
export function useSessionStart(): void {
  useLayoutEffect(() => store.start(), []);
}

/** The state with the store's actions, which have a stable identity. */
export function useSession(): SessionState & SessionStore {
  const state = useSyncExternalStore(store.subscribe, store.read);
  return useMemo(() => ({ ...state, ...store }), [state]);
}

/** For pages behind the sign-in. Throws elsewhere. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('this page is for the signed in');
  return session.user;
}
