import { type ReactNode, type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { classNames } from './class-names.ts';
import { Dense } from './field.tsx';
import { stepBack, stepOut, useHistoryStep } from './history-steps.ts';
import { createSignal } from './signal.ts';

// Open modal dialogs, topmost last. A modal makes the rest of the page inert, so whatever must stay reachable (toasts)
// moves into the top one.
let openDialogs: readonly HTMLDialogElement[] = [];
const changed = createSignal<void>();

/** Fires as a dialog opens. */
export const modalOpened = createSignal<void>();

function setOpenDialogs(next: readonly HTMLDialogElement[]) {
  openDialogs = next;
  changed.tell();
}

/** The topmost modal dialog, null if the page itself is reachable. */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(
    changed.listen,
    () => openDialogs.at(-1) ?? null,
    () => null,
  );
}

const sheet = 'max-h-[calc(100dvh-1.5rem)] rounded-t-sheet';

const sizes = {
  small: `${sheet} sm:max-w-104`,
  medium: `${sheet} sm:max-w-120`,
  large: `${sheet} sm:max-w-184`,
  wide: `${sheet} sm:max-w-288`,
  /** A document fills a phone's screen; otherwise it is a sheet of reading width. It prints alone. */
  paper: classNames(
    'max-sm:h-dvh max-sm:pt-[env(safe-area-inset-top)] sm:max-w-176 sm:[--panel-side:3.5rem]',
    'print:block print:h-auto print:max-h-none print:max-w-none print:shadow-none print:[--panel-side:0px]',
  ),
} as const;

export type ModalProps = {
  /** Called for Back, Esc, the close button and clicks beside the panel. To refuse, leave it in place. */
  onClose: () => void;
  /** Opens it anew, for Forward. Without it Forward does nothing. */
  onReopen?: (() => void) | undefined;
  /** The id of the title's element. */
  labelledBy: string;
  describedBy?: string;
  /** `alertdialog` for a question that must be answered first. */
  role?: 'dialog' | 'alertdialog';
  /** Makes it a sheet or card of this width; without one it is a drawer at the right edge. */
  size?: keyof typeof sizes;
  /** False if losing it would hurt: clicks beside the panel do nothing. */
  closeOnBackdrop?: boolean;
  children: ReactNode;
};

/**
 * A native modal `<dialog>`, open while rendered: a bottom sheet on phones, a centred card from 640 px, or a drawer. The
 * dialog itself fills the screen transparently; its panel is what one sees. A click beside the panel thus hits the
 * dialog, and toasts moved into it are not clipped.
 */
export function Modal(props: ModalProps) {
  const { onClose, onReopen, labelledBy, describedBy, role, size, closeOnBackdrop = true, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  useHistoryStep(true, onClose, { reopen: onReopen });
  useModal(dialog);
  return (
    // A press that starts inside and ends beside the panel (selecting text) does not count.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it from the keyboard, see useModal
    <dialog
      ref={dialog}
      role={role}
      data-size={size}
      data-side={size === undefined ? 'right' : undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className={classNames(
        'dialog fixed inset-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-transparent text-inherit open:flex',
        'backdrop:animate-[fade_150ms_ease-out] backdrop:bg-veil',
        size
          ? 'items-end justify-center sm:items-center sm:p-6'
          : 'items-stretch justify-end wide:items-start',
        size === 'paper' &&
          'print:absolute print:block print:h-auto print:overflow-visible print:p-0 print:backdrop:hidden',
      )}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (closeOnBackdrop && pressedBeside.current && event.target === event.currentTarget) onClose();
      }}
    >
      <div
        tabIndex={-1}
        className={classNames(
          'panel flex flex-col bg-card text-ink outline -outline-offset-1 outline-transparent [--panel-side:1.25rem] shadow-soft',
          size
            ? 'w-full animate-[rise_180ms_ease-out] sm:max-h-[calc(100dvh-3rem)] sm:rounded-sheet'
            : 'w-[min(20rem,88vw)] animate-[slide_180ms_ease-out] overflow-hidden rounded-l-sheet wide:mt-20 wide:mr-[calc(50vw-var(--half-column)+1.25rem)] wide:max-h-[calc(100dvh-6rem)] wide:animate-[fade_150ms_ease-out] wide:rounded-card',
          size && sizes[size],
        )}
      >
        <Dense value={false}>{children}</Dense>
      </div>
    </dialog>
  );
}

/**
 * Shows a mounted `<dialog>` as a modal and closes it on unmount; the browser traps focus and returns it to the opener.
 * Initial focus is on `data-autofocus`, else on the panel, so that the title is read first. Whether Esc and Android's
 * back gesture close it is up to the parent.
 */
function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;

    // Esc asks first. A second Esc without user activation in between closes natively regardless; if the parent kept
    // the dialog, it is shown again.
    // Android's back gesture comes as a cancel too, only without the key.
    let isEscape = false;
    const onKey = ({ type, key }: KeyboardEvent) => {
      isEscape = type === 'keydown' && key === 'Escape';
    };
    const askToClose = () => (isEscape ? stepOut() : stepBack());
    const onCancel = (event: Event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      askToClose();
    };
    const onClose = (event: Event) => {
      if (event.target !== dialog || dialog.open) return;
      askToClose();
      requestAnimationFrame(() => {
        if (dialog.isConnected && !dialog.open) dialog.showModal();
      });
    };

    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onClose);
    for (const key of ['keydown', 'keyup'] as const) addEventListener(key, onKey, true);
    if (openDialogs.length === 0) {
      const root = document.documentElement;
      root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`);
    }
    dialog.showModal();
    (
      dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>('.panel')
    )?.focus();
    setOpenDialogs([...openDialogs, dialog]);
    modalOpened.tell();

    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onClose);
      for (const key of ['keydown', 'keyup'] as const) removeEventListener(key, onKey, true);
      dialog.close();
      setOpenDialogs(openDialogs.filter((other) => other !== dialog));
    };
  }, [ref]);
}
