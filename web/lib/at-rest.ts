/** By then a page has shown itself and asked for what it needs, on most phones. */
const restMs = 2_000;

/** Calls back a while after the page was shown, for what is worth having but not worth waiting for; unless stopped before. */
export function whenAtRest(callback: () => void): () => void {
  const timeout = setTimeout(callback, restMs);
  return () => clearTimeout(timeout);
}
