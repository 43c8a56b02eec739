import { useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Met by who asks for a contract or a schedule without a loan. */
export function NoLoanDialog({ onClose }: { onClose: () => void }) {
  const { papers, shell } = useAccountWords();
  const [, navigate] = useLocation();
  return (
    <Dialog open onClose={onClose} size="small" title={papers.noLoanTitle} description={papers.noLoanText}>
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Button onClick={() => navigate(paths.dashboard)} data-autofocus>
          {papers.applyNow}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
