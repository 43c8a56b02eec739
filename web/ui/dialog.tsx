import { XIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Modal, type ModalSize } from './modal.tsx';

interface DialogProps {
  /** Called for Esc, the close button and clicks beside the panel. To refuse, leave the dialog in place. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The close button's name. Without it there is no button, so the dialog's own buttons must offer a way out. */
  closeLabel?: string;
  /** False if losing the dialog would hurt: clicks beside the panel do nothing. */
  closeOnBackdrop?: boolean;
  /** `alertdialog` for a question that must be answered first. */
  role?: 'dialog' | 'alertdialog';
  /** `paper` is for documents: full screen on phones, otherwise a sheet of reading width; prints alone. */
  size?: ModalSize;
  /** For content without controls: it becomes focusable itself, so that arrow keys scroll it. */
  onlyRead?: boolean;
  children?: ReactNode;
}

export function Dialog({
  onClose,
  title,
  description,
  closeLabel,
  closeOnBackdrop,
  role,
  size = 'medium',
  onlyRead = false,
  children,
}: DialogProps) {
  const id = useId();
  return (
    <Modal
      onClose={onClose}
      closeOnBackdrop={closeOnBackdrop}
      role={role}
      size={size}
      labelledBy={`${id}-title`}
      describedBy={description !== undefined ? `${id}-description` : undefined}
    >
      {size !== 'paper' && (
        <div aria-hidden="true" className="mx-auto mt-2.5 h-1 w-10 rounded-[0.125rem] bg-line sm:hidden" />
      )}
      <div className="panel-head flex items-start gap-3 px-(--panel-side) pb-3 pt-4">
        <div className="min-w-0 flex-1">
          <h2 id={`${id}-title`} className="font-heading text-24 font-bold">
            {title}
          </h2>
          {description !== undefined && (
            <p id={`${id}-description`} className="mt-1 text-14 text-ink-soft">
              {description}
            </p>
          )}
        </div>
        {closeLabel !== undefined && (
          <IconButton label={closeLabel} onClick={onClose} className="-mr-2.5 -mt-1.5">
            <XIcon />
          </IconButton>
        )}
      </div>
      {onlyRead ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region without controls must be focusable
        <section className="panel-body" aria-labelledby={`${id}-title`} tabIndex={0}>
          {children}
        </section>
      ) : (
        <div className="panel-body">{children}</div>
      )}
    </Modal>
  );
}

/** The dialog's buttons, sticky under the scrolling content: cancel first, the main action last and wider. */
export function DialogActions({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames(
        'panel-actions sticky -bottom-(--panel-foot) -mb-(--panel-foot) mt-3 pb-(--panel-foot) pt-3',
        // To the panel's edges: nothing that scrolls under it may stick out beside it.
        '-mx-(--panel-side) px-(--panel-side)',
        'grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-3 bg-card *:px-3',
        'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-3',
        'before:bg-linear-to-t before:from-card',
        'has-[>:nth-child(2)]:grid-cols-[minmax(min-content,2fr)_minmax(0,3fr)]',
        className,
      )}
    >
      {children}
    </div>
  );
}
