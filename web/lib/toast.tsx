import { useEffect, useSyncExternalStore } from 'react';
import { limits } from '#domain/limits.ts';
import { Toast, ToastProvider, ToastViewport } from '#web/ui/toast.tsx';
import { countOpenDialogs, subscribeToDialogs } from '#web/ui/use-modal.ts';
import { useCoreWords } from './language.tsx';
import { dismissToast, toastStore } from './toast-store.ts';

const hotkey = 'F8';

/** Opening a dialog starts something new, so earlier failures go. */
function dismissFailuresBeforeDialogs(): () => void {
  let countBefore = countOpenDialogs();
  return subscribeToDialogs(() => {
    const isOpening = countOpenDialogs() > countBefore;
    countBefore = countOpenDialogs();
    for (const { id, open, tone } of isOpening ? toastStore.read() : []) {
      if (open && tone === 'bad') dismissToast(id);
    }
  });
}

/** Renders the toasts, once in the app. Raise one with `toast()` from `toast-store.ts`. */
export function Toaster() {
  const { shell } = useCoreWords();
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  useEffect(dismissFailuresBeforeDialogs, []);
  return (
    <ToastProvider
      label={shell.notification}
      durationMs={limits.toastMs}
      swipeThresholdPx={limits.toastSwipePx}
    >
      {toasts.map(({ id, open, tone = 'good', title, description }) => (
        <Toast
          key={id}
          open={open}
          onOpenChange={(stays) => {
            if (!stays) dismissToast(id);
          }}
          tone={tone}
          title={title}
          description={description}
          closeLabel={shell.dismiss}
        />
      ))}
      <ToastViewport label={`${shell.notifications} (${hotkey})`} hotkey={hotkey} />
    </ToastProvider>
  );
}
