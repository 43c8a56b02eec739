import { useState } from 'react';
import { useErrorText } from './error-text.ts';
import { toast } from './toast-store.ts';

/** Runs the work of a button and tells whether it is under way. A failure is a toast. */
export function useAction() {
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  async function run(
    failedTitle: string,
    work: () => Promise<unknown>,
    /** Does more about a failure than the toast, with the sentence shown there. */
    onFailure?: (error: unknown, description: string) => unknown,
  ) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const description = errorText(error);
      // The two may be the same if the server sent no words.
      toast({ tone: 'bad', title: failedTitle, ...(description !== failedTitle && { description }) });
      await onFailure?.(error, description);
    }
    setBusy(false);
  }
  return [busy, run] as const;
}
