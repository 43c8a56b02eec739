import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether the browser has a connection at all. It may still not reach the server: that a failed call tells. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
