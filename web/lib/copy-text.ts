import { type ToastMessage, toast } from './toast-store.ts';

/** Copies a text, and says so or what to do instead. */
export async function copyText(text: string, done: ToastMessage, failed: ToastMessage): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    // No permission, or the page is not served over HTTPS.
    toast({ tone: 'bad', ...failed });
  }
}
