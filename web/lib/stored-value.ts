// Browsers that block storage throw on the first touch of localStorage. The app then works for as long as the tab
// lives, which is better than a blank page.
const kept = new Map<string, string>();

/** Reads a text of this browser's local storage; undefined when there is none. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return kept.get(key);
  }
}

/** Keeps a text in this browser's local storage, or takes it away when undefined. */
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
