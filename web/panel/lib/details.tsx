import { XIcon } from 'lucide-react';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import * as panel from '#contract/wording/panel-words.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { focusListRow } from './list-table.tsx';
import type { ListView } from './list-view.ts';
import { DetailsButton } from './secret.tsx';
import { unbroken } from './unbroken.tsx';

/** The element in which pages render beside their list. */
export const DetailsSlot = createContext<HTMLElement | null>(null);

type RowDetailsProps<Item> = {
  view: ListView;
  rows: readonly Item[] | undefined;
  details: (item: Item, close: () => void) => ReactNode;
};

/** The open row's details beside the list, fresh for every row. */
export function RowDetails<Item extends { id: number }>({ view, rows, details }: RowDetailsProps<Item>) {
  const slot = useContext(DetailsSlot);
  const item = rows?.find(({ id }) => id === view.open);
  if (!slot || !item) return null;
  const close = () => {
    view.show({ open: undefined });
    focusListRow(item.id);
  };
  return createPortal(details(item, close), slot, String(item.id));
}

type SidePanelProps = {
  overline: string;
  title: string;
  onClose: () => void;
  actions?: ReactNode;
  children: ReactNode;
};

/** Details beside a list that stays usable, so not modal. Esc inside closes it. */
export function SidePanel({ overline, title, onClose, actions, children }: SidePanelProps) {
  const id = useId();
  return (
    <aside
      aria-labelledby={id}
      className="side-panel flex w-[clamp(20rem,25vw-1.5rem,30rem)] shrink-0 flex-col border-l border-line bg-card"
      onKeyDown={(event) => {
        // Fields being edited and dialogs opened from here handle Esc themselves.
        const own =
          event.defaultPrevented || (event.target instanceof Element && event.target.closest('dialog'));
        if (event.key === 'Escape' && !own) onClose();
      }}
    >
      <div className="flex items-start justify-between gap-2 px-5.5 pb-3 pt-5">
        <div className="min-w-0">
          <p className="text-12 text-ink-soft">{unbroken(overline)}</p>
          <h2 id={id} className="font-heading text-24 font-bold wrap-anywhere">
            {unbroken(title)}
          </h2>
        </div>
        <IconButton size="small" label={panel.list.close} onClick={onClose} className="-mr-2">
          <XIcon />
        </IconButton>
      </div>
      {/* Positioned, or visually hidden content far down would make the page taller than the screen. */}
      <div className="relative min-h-0 flex-1 overflow-y-auto px-5.5 pb-5">{children}</div>
      {actions && (
        <div className="grid auto-cols-fr grid-flow-col gap-2.5 border-t border-line px-5.5 py-4">
          {actions}
        </div>
      )}
    </aside>
  );
}

type PanelRowProps = { label: string; value: ReactNode; action?: ReactNode };

/** A fact and its button, on one line where both fit, as on a form of paper. */
export const PanelRow = ({ label, value, action }: PanelRowProps) => (
  <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-t border-line py-2 text-14">
    <p className="text-ink-soft">{label}</p>
    <div className="ml-auto flex min-w-0 items-center gap-1 text-right font-semibold tabular-nums wrap-anywhere">
      <div className="min-w-0">{value}</div>
      {action}
    </div>
  </div>
);

type PanelLinkProps = { href: string; look?: 'quiet' | 'secondary'; wide?: boolean; children: ReactNode };

export const PanelLink = ({ href, look = 'quiet', wide = true, children }: PanelLinkProps) => (
  <GoLink href={href} size="small" {...{ look, wide }}>
    {children}
  </GoLink>
);

type PanelEditProps = {
  label: string;
  value: ReactNode;
  /** The edit button. `actionOf` is read out after it, since a screen reader may not read the row. */
  action: string;
  actionOf: string;
  /** Buttons before it: show, copy. */
  before?: ReactNode;
  children: (close: () => void) => ReactNode;
};

/** A row of the details that is edited in place. The focus returns to the edit button. */
export function PanelEdit({ label, value, action, actionOf, before, children }: PanelEditProps) {
  // Undefined until it is edited first.
  const [editing, setEditing] = useState<boolean>();
  if (editing) return children(() => setEditing(false));
  return (
    <PanelRow
      label={label}
      value={value}
      action={
        <span className="flex shrink-0 items-center">
          {before}
          <DetailsButton autoFocus={editing === false} onClick={() => setEditing(true)} of={actionOf}>
            {action}
          </DetailsButton>
        </span>
      }
    />
  );
}

type PanelFormProps = {
  saveLabel: string;
  form: { busy?: boolean; banner?: ReactNode; fields?: ReactNode; onSubmit: (event: FormEvent) => unknown };
  onCancel: () => void;
  children?: ReactNode;
};

/** The form in place of a row, its first field focused. Esc cancels the edit and leaves the details open. */
export function PanelForm({ saveLabel, form, onCancel, children }: PanelFormProps) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = element.current?.querySelector('input');
    first?.focus();
    first?.select();
  }, []);
  // The effect runs on every render: a hint or an error makes the form longer.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <form
      ref={element}
      noValidate
      onSubmit={form.onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.target instanceof HTMLSelectElement) return;
        event.preventDefault();
        if (!form.busy) onCancel();
      }}
      className="flex flex-col gap-3 border-t border-line py-3"
    >
      {form.banner}
      {children ?? form.fields}
      <div className="flex gap-2">
        <Button look="secondary" disabled={form.busy} onClick={onCancel}>
          {panel.list.cancel}
        </Button>
        <Button type="submit" busy={form.busy} className="flex-1">
          {saveLabel}
        </Button>
      </div>
    </form>
  );
}

type WarningProps = {
  /** It is read out as it appears: in a form, the focus is in a field by then. */
  isSaid?: boolean;
  children: ReactNode;
};

/** Says what speaks against a step, or who has to take it instead. */
export const Warning = ({ isSaid = false, children }: WarningProps) => (
  <p
    role={isSaid ? 'alert' : undefined}
    className="rounded-control bg-warn-tint px-3.5 py-2.5 text-14 text-warn"
  >
    {children}
  </p>
);
