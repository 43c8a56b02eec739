import * as RadixToast from '@radix-ui/react-toast';
import { CircleAlertIcon, CircleCheckIcon, XIcon } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { limits } from '#domain/limits.ts';
import { classNames } from '#web/ui/class-names.ts';
import { modalOpened, useTopDialog } from '#web/ui/modal.tsx';
import { useCoreWords } from './language.tsx';
import { dismissToast, type ShownToast, toastStore, useToasts } from './toast-store.ts';
import '#web/ui/toast.css';

const hotkey = 'F8';

/** Opening a dialog starts something new, so earlier failures go. */
function dismissFailures() {
  for (const { id, open, tone } of toastStore.read()) {
    if (open && tone === 'bad') dismissToast(id);
  }
}

/**
 * Renders the toasts, once in the app; raise one with `toast()` from `toast-store.ts`. Above the tab bar on phones, bottom
 * right on larger screens. An open modal dialog makes the page inert, so the toasts move into it, above its buttons.
 */
export function Toaster() {
  const { shell } = useCoreWords();
  const dialog = useTopDialog();
  const toasts = useToasts();
  useEffect(() => modalOpened.listen(dismissFailures), []);
  const viewport = (
    <RadixToast.Viewport
      label={`${shell.notifications} (${hotkey})`}
      hotkey={[hotkey]}
      className="toasts pointer-events-none print:hidden fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-60 flex flex-col gap-2 p-4 outline-none sm:inset-x-auto sm:right-0 sm:bottom-0 sm:w-full sm:max-w-[26.25rem]"
    />
  );
  return (
    <RadixToast.Provider
      label={shell.notification}
      duration={limits.toastMs}
      swipeDirection="right"
      swipeThreshold={limits.toastSwipePx}
      announcerContainer={dialog ?? undefined}
    >
      {toasts.map((shown) => (
        <Toast key={shown.id} {...shown} />
      ))}
      {dialog ? createPortal(viewport, dialog) : viewport}
    </RadixToast.Provider>
  );
}

/** A failure interrupts a screen reader; a success waits its turn. */
function Toast({ id, open, tone, title, description }: ShownToast) {
  const { shell } = useCoreWords();
  const isBad = tone === 'bad';
  return (
    <RadixToast.Root
      open={open}
      onOpenChange={(stays) => {
        if (!stays) dismissToast(id);
      }}
      type={isBad ? 'foreground' : 'background'}
      className={classNames(
        'toast pointer-events-auto @container flex items-start gap-3 rounded-card border bg-card p-4 pr-2 text-ink shadow-soft',
        isBad ? 'border-bad' : 'border-line',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'flex size-8 shrink-0 items-center justify-center rounded-full @max-[14rem]:hidden',
          isBad ? 'bg-bad-tint text-bad' : 'bg-good-tint text-good',
        )}
      >
        {isBad ? <CircleAlertIcon className="size-4.5" /> : <CircleCheckIcon className="size-4.5" />}
      </span>
      <div className="min-w-0 flex-1 self-center">
        <RadixToast.Title className="text-14 font-semibold">{title}</RadixToast.Title>
        {description !== undefined && (
          <RadixToast.Description className="text-14 text-ink-soft">{description}</RadixToast.Description>
        )}
      </div>
      <RadixToast.Close
        aria-label={shell.dismiss}
        className="-my-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-leaf-tint"
      >
        <XIcon className="size-4.5" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
