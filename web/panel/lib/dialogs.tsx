import { type FormEvent, type ReactNode, useState } from 'react';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { keepFocusInList } from './list-table.tsx';
import { useStaffAction, type Words } from './staff-action.ts';
import { dropRow } from './staff-rows.ts';
import { unbroken } from './unbroken.tsx';

type ConfirmProps = {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  look?: 'danger' | 'primary';
  /** The dialog awaits it, then asks to be closed whatever the outcome. */
  onConfirm: () => Promise<unknown>;
  /** Gives up looking for a lost reply; present while that runs. */
  onStop?: () => void;
  onClose: () => void;
};

/** Confirms an action that hurts if it was not meant. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, text, confirmLabel, look = 'danger', onConfirm, onStop, onClose } = props;
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (onStop) onStop();
    else if (!busy) onClose();
  };
  return (
    <Dialog role="alertdialog" size="small" title={unbroken(title)} description={text} onClose={close}>
      <p role="status" className="text-14 text-ink-soft empty:hidden">
        {onStop && home.shell.checking}
      </p>
      <DialogActions>
        <Button look="secondary" data-autofocus disabled={busy && !onStop} onClick={close}>
          {onStop ? panel.list.stopWaiting : panel.list.cancel}
        </Button>
        <Button
          look={look}
          busy={busy}
          onClick={async () => {
            setBusy(true);
            await onConfirm();
            onClose();
            keepFocusInList();
          }}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type RemoveProps = Pick<ConfirmProps, 'title' | 'text' | 'confirmLabel' | 'onClose'> &
  Words<unknown> & {
    send: () => Promise<unknown>;
    /** Called after a failure too. */
    onAnswered?: () => unknown;
  };

/** Confirms before something goes for good, says that it did, and takes its row out of the list. */
export function RemoveDialog({ send, onAnswered, ...rest }: RemoveProps) {
  const act = useStaffAction();
  async function remove() {
    const { ok } = await act(send(), rest);
    if (ok && rest.row) dropRow(rest.row.list, rest.row.id);
    await onAnswered?.();
  }
  return <ConfirmDialog {...rest} onConfirm={remove} />;
}

type FormDialogProps = {
  title: string;
  description: string;
  size?: 'medium' | 'large';
  /** `stop` gives up looking for a lost reply; while present, it replaces Cancel. */
  form: {
    busy: boolean;
    stop?: (() => void) | undefined;
    banner?: ReactNode;
    keptLine?: ReactNode;
    fields?: ReactNode;
    onSubmit: (event: FormEvent) => unknown;
  };
  saveLabel?: string;
  look?: 'danger' | undefined;
  /** Says what saving does; while a lost reply is looked for, the dialog says that instead. */
  note?: string;
  /** It cannot be saved, which the form says. */
  disabled?: boolean;
  onClose: () => void;
  /** The content, if it is more than the form's fields. */
  children?: ReactNode;
};

/** A form in a dialog, which stays open while its submit runs. */
export function FormDialog({ form, note, title, onClose, children, ...rest }: FormDialogProps) {
  const { busy, stop, banner, keptLine } = form;
  const { saveLabel = panel.list.save, look, disabled, ...dialog } = rest;
  const close = () => {
    if (!busy || stop) onClose();
  };
  return (
    <Dialog
      {...dialog}
      title={unbroken(title)}
      closeOnBackdrop={false}
      closeLabel={home.shell.close}
      onClose={close}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.onSubmit(event);
        }}
        className={`flex flex-col ${dialog.size === 'large' ? 'gap-6' : 'gap-4'}`}
      >
        {banner}
        {keptLine}
        {children ?? form.fields}
        {note !== undefined && (
          <p className="text-12 text-ink-soft" role={stop ? 'status' : undefined}>
            {stop ? home.shell.checking : note}
          </p>
        )}
        <DialogActions className={dialog.size === 'large' ? '-mt-3!' : 'mt-0!'}>
          <Button look="secondary" disabled={busy && !stop} onClick={stop ?? close}>
            {stop ? panel.list.stopWaiting : panel.list.cancel}
          </Button>
          <Button type="submit" look={look} busy={busy} disabled={disabled} busyLabel={panel.list.saving}>
            {saveLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Replaces another button while a lost reply is being recovered: stops waiting for it. */
export const StopOr = ({ stop, children }: { stop: (() => void) | undefined; children: ReactNode }) =>
  stop ? (
    <Button look="secondary" onClick={stop}>
      {panel.list.stopWaiting}
    </Button>
  ) : (
    children
  );
