import { navigate } from 'wouter/use-browser-location';
import type { Sent } from '#contract/endpoint.ts';
import type { User } from '#contract/profile.ts';
import { paths } from '#contract/routes.ts';
import * as api from '#contract/session-endpoints.ts';
import { createSignal } from '#web/ui/signal.ts';
import { call } from './call.ts';
import { CallError, codeOf, lossOf, refusesToken } from './call-error.ts';
import { currentWords } from './language.tsx';
import { endSilence, lastToast, type ToastMessage, toast } from './toast-store.ts';
import {
  forgetTyped,
  readToken,
  removeToken,
  sessionEnded,
  type TokenLoss,
  tokenKey,
  tokenLost,
  writeToken,
} from './token.ts';

export type SessionState =
  /** A token is stored and its profile is being read; `problem` is why that has failed so far. */
  | { state: 'starting'; problem: unknown }
  /** `lost`: why the server ended the session. */
  | { state: 'signedOut'; lost?: TokenLoss }
  /** `lost`: a staff session ended mid-work; the page stays and a dialog asks to sign in again. */
  | { state: 'signedIn'; user: User; lost?: TokenLoss };

/**
 * The token is already stored; `enter` updates the app, so that a form can announce it first, with `note` if there is
 * something to know about the session (§storage).
 */
export type OpenedSession = { user: User; note: string | undefined; enter: () => void };

export type SessionStore = ReturnType<typeof createSessionStore>;

const addressNotice = (): ToastMessage => {
  const { accessDenied, errors } = currentWords();
  return { tone: 'bad', title: accessDenied.title, description: errors.ip_not_allowed };
};

/** Session states and transitions (§start-of-a-visit), outside React. */
export function createSessionStore() {
  let current: SessionState =
    readToken() === undefined ? { state: 'signedOut' } : { state: 'starting', problem: undefined };
  const changed = createSignal<void>();
  /** Replies carrying the profile that are under way, and whether two overlapped. */
  let repliesUnderWay = 0;
  let repliesMet = false;

  function set(next: SessionState) {
    current = next;
    changed.tell();
  }

  /** However a session ends, its notice is the last toast (§end-of-a-session). */
  function end(notice?: ToastMessage, lost?: TokenLoss) {
    sessionEnded.tell();
    lastToast(notice);
    set({ state: 'signedOut', lost });
  }

  function enter(user: User) {
    endSilence();
    if (current.state === 'signedIn' && current.user.id !== user.id) sessionEnded.tell();
    forgetTyped(user.id);
    set({ state: 'signedIn', user });
  }

  /**
   * Reads the profile of the stored token. Only an answer that refuses the token ends the session, never a network failure.
   */
  async function restore() {
    const token = readToken();
    if (token === undefined) return end();
    try {
      const user: User | null = await call(api.readProfile);
      if (token !== readToken()) return;
      if (user?.id) return enter(user);
      removeToken();
      end();
    } catch (error) {
      if (token !== readToken()) return;
      if (error instanceof CallError && refusesToken(error)) {
        removeToken();
        return error.code === 'ip_not_allowed'
          ? end(addressNotice(), 'address')
          : end(undefined, lossOf(error));
      }
      if (current.state === 'starting') set({ state: 'starting', problem: error });
    }
  }

  /** Adopts the user in a reply (after saving the profile) and passes it on. */
  async function accept(reply: Promise<User>): Promise<User> {
    if (repliesUnderWay > 0) repliesMet = true;
    repliesUnderWay += 1;
    try {
      const user = await reply;
      if (current.state === 'signedIn' && current.user.id === user.id) set({ ...current, user });
      return user;
    } finally {
      repliesUnderWay -= 1;
      if (repliesUnderWay === 0 && repliesMet) {
        // If two uploads run in parallel, the last reply to arrive may have been produced first
        // and lack the other photo.
        repliesMet = false;
        if (current.state === 'signedIn') void refresh();
      }
    }
  }

  async function refresh(): Promise<boolean> {
    try {
      await accept(call(api.readProfile, { fresh: true }));
      return true;
    } catch (error) {
      console.warn('The profile could not be refreshed', error);
      if (codeOf(error) === 'ip_not_allowed') toast(addressNotice());
      return false;
    }
  }

  function retry() {
    if (current.state !== 'starting') return;
    set({ state: 'starting', problem: undefined });
    void restore();
  }

  function onTokenLost(loss: TokenLoss) {
    const { session, errors } = currentWords();
    removeToken();
    if (loss === 'suspended') {
      // Report it once, though every call under way is refused.
      if (current.state === 'signedOut' && current.lost === loss) return;
      end({ tone: 'bad', title: session.suspendedTitle, description: errors.account_suspended }, loss);
      navigate(paths.signIn);
    } else if (current.state !== 'signedIn') end(undefined, loss);
    else if (current.user.isAdmin) {
      // The dialog says so.
      lastToast();
      set({ ...current, lost: loss });
    } else end({ tone: 'bad', title: session.endedTitle, description: errors.not_signed_in }, loss);
  }

  /** Follows sign-ins and sign-outs of other tabs. A null key means storage was cleared. */
  function onStorage(event: StorageEvent) {
    if (event.key !== null && event.key !== tokenKey) return;
    const token = readToken();
    // Signed out there, or everything was cleared.
    if (token === undefined && (event.newValue === '' || event.key === null)) forgetTyped();
    // A token that only this tab has is nobody else's to change.
    if (token !== (event.newValue ?? undefined)) return;
    if (token === undefined) return end();
    // Staff who sign in again in another tab keep this tab's page.
    if (!(current.state === 'signedIn' && current.lost)) {
      sessionEnded.tell();
      set({ state: 'starting', problem: undefined });
    }
    void restore();
  }

  /** A page restored from the back/forward cache may have missed a sign-out in another tab. */
  function onPageShow({ persisted }: PageTransitionEvent) {
    if (persisted && current.state === 'signedIn') void restore();
  }

  const open = async (reply: Promise<{ token: string; user: User }>): Promise<OpenedSession> => {
    endSilence();
    const { token, user } = await reply;
    const note = writeToken(token) ? undefined : currentWords().session.untilTabCloses;
    return { user, note, enter: () => enter(user) };
  };

  return {
    read: (): SessionState => current,
    subscribe: changed.listen,

    start(): () => void {
      const stopListening = tokenLost.listen(onTokenLost);
      addEventListener('storage', onStorage);
      addEventListener('online', retry);
      addEventListener('pageshow', onPageShow);
      if (current.state === 'starting') void restore();
      return () => {
        stopListening();
        removeEventListener('storage', onStorage);
        removeEventListener('online', retry);
        removeEventListener('pageshow', onPageShow);
      };
    },

    retry,

    /** Signs in a borrower (`phone`) or staff (`username`); the token is stored before this resolves. */
    signIn: (body: Sent<typeof api.signIn, 'body'>) => open(call(api.signIn, { body })),

    register: (body: Sent<typeof api.register, 'body'>) => open(call(api.register, { body })),

    /**
     * Signs out here at once and tells the server without waiting for its reply, then shows a toast and the sign-in
     * screen for that kind of account.
     */
    signOut() {
      const wasStaff = current.state === 'signedIn' && current.user.isAdmin;
      if (readToken() !== undefined) {
        // The call reads the token synchronously, before it is removed; its failure changes nothing here.
        call(api.signOut).catch((error: unknown) =>
          console.warn('The server was not told of the sign-out', error),
        );
      }
      // Empty first: it tells other tabs that this is no session's end.
      writeToken('');
      removeToken();
      forgetTyped();
      end({ title: currentWords().done.signedOut });
      navigate(wasStaff ? paths.adminLogin : paths.signIn);
    },

    /**
     * Reloads the profile past every cache. Failures are only logged (§start-of-a-visit), though a suspended account is
     * signed out as usual. Resolves to whether it worked.
     */
    refresh,

    accept,
  };
}
