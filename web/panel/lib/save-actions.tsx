import { panel } from '#contract/wording/panel.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

type Props = {
  busy: boolean;
  onCancel: () => void;
  /** Gives up looking for an answer that was lost; there while that goes on, in place of the way back. */
  onStop?: (() => void) | undefined;
  /** What the button that sends the form says: 'Save' unless told otherwise. */
  label?: string;
  className?: string;
};

/** The foot of a form in one of the panel's dialogs. */
export function SaveActions({ busy, onCancel, onStop, label = panel.list.save, className = 'mt-0!' }: Props) {
  return (
    <DialogActions className={className}>
      <Button look="secondary" disabled={busy && !onStop} onClick={onStop ?? onCancel}>
        {onStop ? panel.list.stopWaiting : panel.list.cancel}
      </Button>
      <Button type="submit" busy={busy} busyLabel={panel.list.saving}>
        {label}
      </Button>
    </DialogActions>
  );
}
