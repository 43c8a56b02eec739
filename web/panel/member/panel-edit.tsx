import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { Button } from '#web/ui/button.tsx';
import { PanelRow } from '#web/ui/side-panel.tsx';

type PanelEditProps = {
  label: string;
  value: ReactNode;
  /** What the button that starts the edit says, and, for those who hear it apart from its row, of what. */
  action: string;
  actionOf: string;
  /** Buttons before it: show, copy. */
  before?: ReactNode;
  /** The editor in place of the row. `close` ends it. */
  children: (close: () => void) => ReactNode;
};

/** One fact of the details that is changed in its own place. The focus comes back to where the edit started. */
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

type QuietButtonProps = {
  children: string;
  /** Read out after it: 'Show' ' the OTP code'. */
  of: string;
  busy?: boolean;
  onClick: () => void;
  ref?: { current: HTMLButtonElement | null };
};

/** A small button at the end of a fact. */
export function QuietButton({ children, of, busy, onClick, ref }: QuietButtonProps) {
  return (
    <Button ref={ref} look="quiet" size="small" className="-my-1.5 px-2" busy={busy} onClick={onClick}>
      <span>
        {children}
        <span className="sr-only">{of}</span>
      </span>
    </Button>
  );
}

type PanelFormProps = {
  saveLabel: string;
  busy?: boolean;
  onSubmit: (event: FormEvent) => unknown;
  onCancel: () => void;
  children: ReactNode;
};

/** The form that stands in a fact's place. Esc gives the edit up and leaves the details open. */
export function PanelForm({ saveLabel, busy = false, onSubmit, onCancel, children }: PanelFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Every time it is drawn: a hint or an error under a field makes it longer.
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
