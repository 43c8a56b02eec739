import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { User } from '#contract/account.ts';
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts';

const SessionContext = createContext<SessionStore | undefined>(undefined);

/** Restores the session of this browser and keeps it for the app. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createSessionStore);
  // Before the first paint: everything waits for the answer.
  useLayoutEffect(() => store.start(), [store]);
  return <SessionContext value={store}>{children}</SessionContext>;
}

type SessionActions = Pick<SessionStore, 'signIn' | 'register' | 'signOut' | 'refresh' | 'accept' | 'retry'>;

/** Who is signed in, and what can be done about it. The actions keep their identity. */
export function useSession(): SessionState & SessionActions {
  const store = useContext(SessionContext);
  if (!store) throw new Error('useSession needs a SessionProvider above it');
  const state = useSyncExternalStore(store.subscribe, store.read);
  return useMemo(() => {
    const { signIn, register, signOut, refresh, accept, retry } = store;
    return { ...state, signIn, register, signOut, refresh, accept, retry };
  }, [state, store]);
}

/** The signed-in account, for pages that the router shows to nobody else. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('this page is for the signed in');
  return session.user;
}
