import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { QuietButton } from '#web/panel/lib/secret.tsx';
import { Button } from '#web/ui/button.tsx';
import { PanelRow } from '#web/ui/side-panel.tsx';

type PanelEditProps = {
  label: string;
  value: ReactNode;
  /** The edit button. `actionOf` is read out after it, since a screen reader may not read the row. */
  action: string;
  actionOf: string;
  /** Buttons before it: show, copy. */
  before?: ReactNode;
  /** The editor in place of the row. */
  children: (close: () => void) => ReactNode;
};

/** A row of the details that is edited in place. The focus returns to the edit button. */
export function PanelEdit({ label, value, action, actionOf, before, children }: PanelEditProps) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) button.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  if (editing) return children(() => setEditing(false));
  return (
    <PanelRow
      label={label}
      value={value}
      action={
        <span className="flex shrink-0 items-center">
          {before}
          <QuietButton ref={button} onClick={() => setEditing(true)} of={actionOf}>
            {action}
          </QuietButton>
        </span>
      }
    />
  );
}

type PanelFormProps = {
  saveLabel: string;
  busy?: boolean;
  onSubmit: (event: FormEvent) => unknown;
  onCancel: () => void;
  children: ReactNode;
};

/** The form in place of a row, its first field focused. Esc cancels the edit and leaves the details open. */
export function PanelForm({ saveLabel, busy = false, onSubmit, onCancel, children }: PanelFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = form.current?.querySelector('input');
    first?.focus();
    first?.select();
  }, []);
  // On every render: a hint or an error makes it longer.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <form
      ref={form}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.target instanceof HTMLSelectElement) return;
        if (event.target instanceof Element && event.target.closest('dialog')) return;
        event.preventDefault();
        if (!busy) onCancel();
      }}
      className="flex flex-col gap-3 border-t border-line py-3"
    >
      {children}
      <div className="flex gap-2">
        <Button look="secondary" size="small" disabled={busy} onClick={onCancel}>
          {panel.list.cancel}
        </Button>
        <Button type="submit" size="small" busy={busy} className="flex-1">
          {saveLabel}
        </Button>
      </div>
    </form>
  );
}
