import { panel } from '#contract/wording/panel.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

type Props = {
  busy: boolean;
  onCancel: () => void;
  /** What the button that sends the form says: 'Save' unless told otherwise. */
  label?: string;
  className?: string;
};

/** The foot of a form in one of the panel's dialogs. */
export function SaveActions({ busy, onCancel, label = panel.list.save, className = 'mt-0!' }: Props) {
  return (
    <DialogActions className={className}>
      <Button look="secondary" disabled={busy} onClick={onCancel}>
        {panel.list.cancel}
      </Button>
      <Button type="submit" busy={busy} busyLabel={panel.list.saving}>
        {label}
      </Button>
    </DialogActions>
  );
}
