import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

// Open modal dialogs, the last on top. While one is open the browser makes the rest of the page inert, so what must
// stay reachable (toasts) moves into the top one: see `useTopDialog`.
let openDialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function setOpenDialogs(next: readonly HTMLDialogElement[]) {
  openDialogs = next;
  for (const listener of listeners) listener();
}

export const countOpenDialogs = (): number => openDialogs.length;

export function subscribeToDialogs(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The modal dialog on top, or null when the page itself can be reached. */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(
    subscribeToDialogs,
    () => openDialogs.at(-1) ?? null,
    () => null,
  );
}

/**
 * Shows a mounted `<dialog>` as a modal and closes it on unmount; the platform traps focus and gives it back to the
 * opener. Focus starts at the element with `data-autofocus`, else at the panel, so that the title is read first.
 * `requestClose` answers Esc and the phone's back gesture; whether the dialog then goes away is its parent's decision.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, requestClose: () => void): void {
  const onRequestClose = useEffectEvent(requestClose);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;

    // Esc asks first. A second Esc without a gesture in between closes natively all the same: if the parent kept the
    // dialog, it comes back.
    const onCancel = (event: Event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      onRequestClose();
    };
    const onClose = (event: Event) => {
      if (event.target !== dialog || dialog.open) return;
      onRequestClose();
      requestAnimationFrame(() => {
        if (dialog.isConnected && !dialog.open) dialog.showModal();
      });
    };

    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onClose);
    if (openDialogs.length === 0) {
      const root = document.documentElement;
      root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`);
    }
    dialog.showModal();
    (
      dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>('.panel')
    )?.focus();
    setOpenDialogs([...openDialogs, dialog]);

    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onClose);
      dialog.close();
      setOpenDialogs(openDialogs.filter((other) => other !== dialog));
    };
  }, [ref]);
}
