// A browser may deny its storage, have none, or have no room left. Values that should outlast the tab then live in the tab's own storage, and
// what no storage takes lives in memory (§storage).

type Area = 'localStorage' | 'sessionStorage';

/** Values that no storage took. Undefined means removed, though a storage still has it. */
const inMemory = new Map<string, string | undefined>();

function readFrom(area: Area, key: string): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeTo(area: Area, key: string, value: string | undefined): void {
  try {
    if (value === undefined) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
  } catch {
    // An older value would be taken for this one.
    if (value !== undefined) writeTo(area, key, undefined);
  }
}

/** A key belongs to one area. */
export function readStored(key: string, area: Area = 'localStorage'): string | undefined {
  if (inMemory.has(key)) return inMemory.get(key);
  return readFrom('sessionStorage', key) ?? readFrom(area, key);
}

/** Returns whether the area has it now; if not, `readStored` still finds it until the tab closes. */
export function writeStored(key: string, value: string | undefined, area: Area = 'localStorage'): boolean {
  inMemory.delete(key);
  writeTo(area, key, value);
  const isStored = readFrom(area, key) === value;
  if (area === 'localStorage') writeTo('sessionStorage', key, isStored ? undefined : value);
  if (readStored(key, area) !== value) inMemory.set(key, value);
  return isStored;
}

/** The language that the reader chose. */
export const languageKey = 'language';

/** The reader's choice decides, else the browser's first language (§language). */
export const readsFilipino = (): boolean =>
  /^(fil|tl)(?![a-z])/i.test(readStored(languageKey) ?? globalThis.navigator?.language ?? '');
