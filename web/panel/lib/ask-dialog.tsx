import { type ReactNode, useState } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { keepFocusInList } from './list-table.tsx';

type Props = {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  look?: 'danger' | 'primary';
  /** The dialog awaits it, then asks to be closed whatever the outcome. */
  onConfirm: () => Promise<unknown>;
  /** Gives up looking for a lost reply; present while that runs. */
  onStop?: (() => void) | undefined;
  onClose: () => void;
};

/** Confirms an action that hurts if it was not meant. The focus starts on Cancel. */
export function AskDialog({ title, text, confirmLabel, look = 'danger', onConfirm, onStop, onClose }: Props) {
  const { shell } = useCoreWords();
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (onStop) onStop();
    else if (!busy) onClose();
  };
  return (
    <Dialog open role="alertdialog" size="small" title={title} description={text} onClose={close}>
      <p role="status" className="text-14 text-ink-soft empty:hidden">
        {onStop && shell.checking}
      </p>
      <DialogActions>
        <Button look="secondary" data-autofocus disabled={busy && !onStop} onClick={close}>
          {onStop ? panel.list.stopWaiting : shell.cancel}
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
