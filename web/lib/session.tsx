import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import type { User } from '#contract/profile.ts';
import { useCoreWords } from './language.tsx';
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

/** Why the server ended the session, for the pages that staff meet then. Undefined while nothing ended one. */
export function useLossText(): string | undefined {
  const session = useSession();
  const { errors, session: words } = useCoreWords();
  if (session.state !== 'signedOut' || session.lost === undefined) return undefined;
  return {
    expired: `${words.endedTitle}. ${errors.not_signed_in}.`,
    suspended: errors.account_suspended,
    address: `${errors.ip_not_allowed}.`,
    idle: `${errors.session_idle}.`,
  }[session.lost];
}

/** For pages behind the sign-in. Throws elsewhere. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('this page is for the signed in');
  return session.user;
}
