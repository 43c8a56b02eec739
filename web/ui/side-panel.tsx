import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';

export interface SidePanelProps {
  overline?: ReactNode;
  title: ReactNode;
  closeLabel: string;
  onClose: () => void;
  actions?: ReactNode;
  children: ReactNode;
}

/** Details beside a list that stays usable, so not modal. Esc inside closes it. */
export function SidePanel({ overline, title, closeLabel, onClose, actions, children }: SidePanelProps) {
  const id = useId();
  return (
    <aside
      aria-labelledby={id}
      className="side-panel flex w-80 shrink-0 flex-col border-l border-line bg-card"
      onKeyDown={(event) => {
        // Fields being edited and dialogs opened from here handle Esc themselves.
        const own =
          event.defaultPrevented || (event.target instanceof Element && event.target.closest('dialog'));
        if (event.key === 'Escape' && !own) onClose();
      }}
    >
      <div className="flex items-start justify-between gap-2 px-5.5 pb-3 pt-5">
        <div className="min-w-0">
          {overline !== undefined && <p className="text-12 text-ink-soft">{overline}</p>}
          <h2 id={id} className="font-heading text-24 font-bold wrap-anywhere">
            {title}
          </h2>
        </div>
        <IconButton size="small" label={closeLabel} onClick={onClose} className="-mr-2">
          <CloseIcon />
        </IconButton>
      </div>
      {/* Positioned, or visually hidden content far down would make the page taller than the screen. */}
      <div className="relative min-h-0 flex-1 overflow-y-auto px-5.5 pb-5">{children}</div>
      {actions !== undefined && (
        <div className="grid auto-cols-fr grid-flow-col gap-2.5 border-t border-line px-5.5 py-4">
          {actions}
        </div>
      )}
    </aside>
  );
}

export interface PanelRowProps {
  label: ReactNode;
  value: ReactNode;
  action?: ReactNode;
}

export function PanelRow({ label, value, action }: PanelRowProps) {
  return (
    <div className="flex items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0">
        <p className="text-12 text-ink-soft">{label}</p>
        <div className="text-14 font-semibold tabular-nums wrap-anywhere">{value}</div>
      </div>
      {action}
    </div>
  );
}
