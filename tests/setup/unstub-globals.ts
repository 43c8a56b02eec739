import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';
import { languageKey, writeStored } from '#web/lib/stored-value.ts';

// The first script of a page marks the root element, by the page's path, as soon as anything imports it.
vi.stubGlobal('document', { documentElement: { dataset: {} }, getElementById: () => null });
vi.stubGlobal('location', { pathname: '/' });

// A worker's next file starts with Node's own globals and the language of a first visit, once React has done what it had
// put off.
afterAll(async () => {
  for (let turns = 0; turns < 10; turns += 1) await turn();
  vi.unstubAllGlobals();
  writeStored(languageKey, undefined);
});
