import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { User } from '#contract/profile.ts';
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts';

const SessionContext = createContext<SessionStore | undefined>(undefined);

export function SessionProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createSessionStore);
  // Before the first paint: everything waits for it.
  useLayoutEffect(() => store.start(), [store]);
  return <SessionContext value={store}>{children}</SessionContext>;
}

/** The state with the store's actions, which have a stable identity. */
export function useSession(): SessionState & SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('useSession needs a SessionProvider above it');
  const state = useSyncExternalStore(store.subscribe, store.read);
  return useMemo(() => ({ ...state, ...store }), [state, store]);
}

/** For pages behind the sign-in. Throws elsewhere. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('this page is for the signed in');
  return session.user;
}
