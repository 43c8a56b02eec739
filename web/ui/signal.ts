export function createSignal<News>() {
  const listeners = new Set<(news: News) => void>();
  return {
    tell(news: News): void {
      for (const listener of [...listeners]) listener(news);
    },
    listen(listener: (news: News) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
