import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

// Open modal dialogs, topmost last. A modal makes the rest of the page inert, so whatever must stay reachable (toasts)
// moves into the top one.
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

/** The topmost modal dialog, null if the page itself is reachable. */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(
    subscribeToDialogs,
    () => openDialogs.at(-1) ?? null,
    () => null,
  );
}

/**
 * Shows a mounted `<dialog>` as a modal and closes it on unmount; the browser traps focus and returns it to the opener.
 * Initial focus is on `data-autofocus`, else on the panel, so that the title is read first. `requestClose` handles Esc
 * and Android's back gesture; whether to close is up to the parent.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, requestClose: () => void): void {
  const onRequestClose = useEffectEvent(requestClose);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;

    // Esc asks first. A second Esc without user activation in between closes natively regardless; if the parent kept
    // the dialog, it is shown again.
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
