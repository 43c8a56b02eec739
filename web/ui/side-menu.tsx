import { type ReactNode, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { useModal } from './use-modal.ts';

export interface SideMenuProps {
  onClose: () => void;
  title: string;
  closeLabel: string;
  /** Styled with `sideMenuItemStyle`, usually inside a `<nav>`. */
  children: ReactNode;
  note?: ReactNode;
}

/** A modal drawer from the right. The parent closes it when an item is chosen. */
export function SideMenu({ onClose, title, closeLabel, children, note }: SideMenuProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModal(dialog, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it from the keyboard, see useModal
    <dialog
      ref={dialog}
      className="dialog"
      data-side="right"
      aria-labelledby={id}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="panel" tabIndex={-1}>
        <div className="flex items-center justify-between py-3 pl-5 pr-3">
          <h2 id={id} className="font-heading text-20 font-bold">
            {title}
          </h2>
          <IconButton label={closeLabel} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        <div className="flex-1 overflow-y-auto px-3 pb-5">{children}</div>
        {note !== undefined && (
          <div className="border-t border-line px-5 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-14 text-ink-soft">
            {note}
          </div>
        )}
      </div>
    </dialog>
  );
}

/** For a link or button in the menu; `aria-current="page"` marks the current one. */
export const sideMenuItemStyle =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-left font-semibold transition-colors hover:bg-leaf-tint aria-[current=page]:bg-leaf-tint aria-[current=page]:text-leaf [&_svg]:size-5 [&_svg]:text-ink-soft aria-[current=page]:[&_svg]:text-leaf';
