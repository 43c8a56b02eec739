import { useSyncExternalStore } from 'react';
import { limits } from '#domain/limits.ts';
import { createSignal } from '#web/ui/signal.ts';

/** `bad` interrupts a screen reader, `good` waits its turn. */
export type ToastMessage = { title: string; description?: string | undefined; tone?: 'good' | 'bad' };

export type ShownToast = ToastMessage & { id: number; open: boolean };

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const changed = createSignal<void>();

function setToasts(next: readonly ShownToast[]) {
  toasts = next;
  changed.tell();
}

/** `toast` is muted until then, by `performance.now()`. */
let silentUntilMs = 0;

/** Shows a toast in place of the current one (§toasts). Usable outside React. Returns its id. */
export function toast(message: ToastMessage): number {
  if (performance.now() < silentUntilMs) return lastId;
  lastId += 1;
  setToasts([{ ...message, id: lastId, open: true }]);
  return lastId;
}

/**
 * Announces the end of a session, if there is anything to say, and mutes further toasts until that session's pending
 * calls, which all fail now, have timed out. Signing in unmutes.
 */
export function lastToast(message?: ToastMessage): void {
  endSilence();
  if (message) toast(message);
  silentUntilMs = performance.now() + limits.callTimeoutMs;
}

export function endSilence(): void {
  silentUntilMs = 0;
}

/** Closes a toast; it is removed after a delay, once its exit animation is surely over. */
export function dismissToast(id: number): void {
  setToasts(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => setToasts(toasts.filter((shown) => shown.id !== id)), limits.toastRemoveMs);
}

export const toastStore = { read: () => toasts, subscribe: changed.listen };

export const useToasts = (): readonly ShownToast[] =>
  useSyncExternalStore(toastStore.subscribe, toastStore.read);
