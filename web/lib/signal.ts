/** A list of listeners that something is told to. */
export function createSignal<News>() {
  const listeners = new Set<(news: News) => void>();
  return {
    tell(news: News): void {
      for (const listener of [...listeners]) listener(news);
    },
    /** Listens until the returned function is called. */
    listen(listener: (news: News) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
