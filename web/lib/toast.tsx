import { useSyncExternalStore } from 'react';
import { limits } from '#domain/limits.ts';
import { Toast, ToastProvider, ToastViewport } from '#web/ui/toast.tsx';
import { useCoreWords } from './language.tsx';
import { dismissToast, toastStore } from './toast-store.ts';

const hotkey = 'F8';

/** Draws the toasts, once in the app. Raise one with `toast()` of `toast-store.ts`, from anywhere. */
export function Toaster() {
  const { shell } = useCoreWords();
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
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
