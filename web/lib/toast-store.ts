import { limits } from '#domain/limits.ts';

/** One message to the reader. A `bad` one interrupts a screen reader, a `good` one waits for its turn. */
export type ToastMessage = { title: string; description?: string; tone?: 'good' | 'bad' };

export type ShownToast = ToastMessage & { id: number; open: boolean };

const toastLimit = 1;

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly ShownToast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Until when `lastToast` is the last one, by `performance.now()`. */
let silentUntilMs = 0;

/** Shows a toast, in place of the one on screen (spec section 9). Works outside React too. Answers its id. */
export function toast(message: ToastMessage): number {
  if (performance.now() < silentUntilMs) return lastId;
  lastId += 1;
  setToasts([{ ...message, id: lastId, open: true }, ...toasts].slice(0, toastLimit));
  return lastId;
}

/**
 * Tells how a session ended, where there is something to tell, as the last toast: whatever that session had under way
 * fails too, and for as long as a call may take nothing of it is said any more. A sign-in ends the silence.
 */
export function lastToast(message?: ToastMessage): void {
  endSilence();
  if (message) toast(message);
  silentUntilMs = performance.now() + limits.callTimeoutMs;
}

export function endSilence(): void {
  silentUntilMs = 0;
}

/** Closes a toast; it is forgotten a while later, once it has surely left the screen. */
export function dismissToast(id: number): void {
  setToasts(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => setToasts(toasts.filter((shown) => shown.id !== id)), limits.toastRemoveMs);
}

export const toastStore = {
  read: () => toasts,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
