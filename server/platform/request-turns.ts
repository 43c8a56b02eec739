import { setImmediate as afterTheOthers } from 'node:timers/promises';

const heldMs = 10;

/** Divides long work of one request: awaited often, it lets other requests run after some milliseconds. */
export function takingTurns(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < heldMs) return;
    await afterTheOthers();
    sinceMs = performance.now();
  };
}
