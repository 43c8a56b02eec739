import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { keepFocusInList } from './active-row.ts';
import { useCoreWords } from './language.tsx';

type Props = {
  /** What would be done, and to whom: 'Delete Maria Santos?' */
  title: string;
  /** What follows from it. */
  text: ReactNode;
  confirmLabel: string;
  /** What happens while it is being done, should it take long. */
  note?: ReactNode;
  look?: 'danger' | 'primary';
  /** Does it. The dialog waits for it and then asks to be closed, whatever came of it. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks once before something that hurts when it was not meant. The focus starts on the way back. */
export function AskDialog({ title, text, confirmLabel, note, look = 'danger', onConfirm, onClose }: Props) {
  const { shell } = useCoreWords();
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog open role="alertdialog" size="small" title={title} description={text} onClose={close}>
      {note && (
        <p role="status" className="text-14 text-ink-soft">
          {note}
        </p>
      )}
      <DialogActions>
        <Button look="secondary" data-autofocus disabled={busy} onClick={close}>
          {shell.cancel}
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
