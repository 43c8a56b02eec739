import { useEffect, useState } from 'react';
import { readFile } from '#contract/borrower-endpoints.ts';
import { fetchReply } from './call.ts';
import { isAbort } from './call-error.ts';

/** `src` once it is ready. */
type StoredImage = { state: 'none' | 'loading' | 'ready' | 'failed'; src?: string };

/**
 * Loads an uploaded image with the token, which an `<img src>` cannot send (§reading-a-photo). `url` comes from `POST
 * /api/upload`; null or undefined if there is no document.
 */
export function useStoredImage(url: string | null | undefined): StoredImage & { retry: () => void } {
  const [image, setImage] = useState<StoredImage>({ state: url ? 'loading' : 'none' });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    if (!url) return setImage({ state: 'none' });
    const controller = new AbortController();
    let src: string | undefined;
    setImage({ state: 'loading' });
    fetchReply(readFile, { params: { id: url.slice(url.lastIndexOf('/') + 1) }, signal: controller.signal })
      .then((response) => response.blob())
      .then((blob) => {
        if (controller.signal.aborted) return;
        src = URL.createObjectURL(blob);
        setImage({ state: 'ready', src });
      })
      .catch((error: unknown) => {
        if (!isAbort(error) && !controller.signal.aborted) setImage({ state: 'failed' });
      });
    return () => {
      controller.abort();
      if (src !== undefined) URL.revokeObjectURL(src);
    };
  }, [url, tries]);

  return { ...image, retry: () => setTries(tries + 1) };
}
