import { Button } from '#web/ui/button.tsx';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { useAccountWords } from './all-words.ts';

type DoneProps = { title: string; text: string; rows?: readonly DefinitionRow[]; onClose: () => void };

/** What happened, and what comes next. */
export function DoneDialog({ title, text, rows = [], onClose }: DoneProps) {
  const { pay } = useAccountWords();
  return (
    <Dialog size="small" title={title} description={text} onClose={onClose}>
      <DefinitionRows ruled rows={rows} />
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {pay.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
