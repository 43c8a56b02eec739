import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';

// A worker's next file starts with Node's own globals, once React has done what it had put off.
afterAll(async () => {
  for (let turns = 0; turns < 10; turns += 1) await turn();
  vi.unstubAllGlobals();
});
