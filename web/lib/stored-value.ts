// Browsers that block storage throw on any access to localStorage. The app then remembers values until the tab closes.
const kept = new Map<string, string>();

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return kept.get(key);
  }
}

export function writeStored(key: string, value: string | undefined): void {
  if (value === undefined) kept.delete(key);
  else kept.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept in memory above.
  }
}

/** The reader's language. */
export const languageKey = 'language';
