import * as api from '#contract/borrower-endpoints.ts';
import * as servicing from '#contract/servicing-endpoints.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Reads again what shows a loan and what was paid on it. */
export function readAfterPaying(): void {
  const rows = [
    ...[api.listOwnLoans, api.listNotifications],
    ...[servicing.readLoanAccount, servicing.readSettlement],
  ];
  for (const row of rows) void refreshReads(row);
}

type DoneProps = { title: string; text: string; onClose: () => void };

/** What happened, and what comes next. */
export function DoneDialog({ title, text, onClose }: DoneProps) {
  const { pay } = useAccountWords();
  return (
    <Dialog size="small" title={title} description={text} onClose={onClose}>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {pay.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
