import { useSyncExternalStore } from 'react';
import { createSignal } from '#web/lib/signal.ts';
import { sessionEnded } from '#web/lib/token.ts';

// Statuses that staff made up, kept for the visit (§loan-status): they outlive the dialog and the page, and end with
// the session.
let statuses: readonly string[] = [];
const changed = createSignal<void>();

function set(next: readonly string[]) {
  statuses = next;
  changed.tell();
}

sessionEnded.listen(() => set([]));

/** Keeps a status, in its stored form, for the rest of the visit. */
export function addCustomStatus(status: string): void {
  if (!statuses.includes(status)) set([...statuses, status]);
}

/** The statuses added during this visit, in their order. */
export const useCustomStatuses = (): readonly string[] =>
  useSyncExternalStore(changed.listen, () => statuses);
