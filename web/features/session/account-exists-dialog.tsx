import { useCoreWords } from '#web/lib/language.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

type Props = { onClose: () => void; onGoToLogin: () => void };

/** For registration with a phone that already has an account (§registering). */
export default function AccountExistsDialog({ onClose, onGoToLogin }: Props) {
  const { session, shell } = useCoreWords();
  return (
    <Dialog open onClose={onClose} size="small" title={session.existsTitle} description={session.existsText}>
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Button onClick={onGoToLogin} data-autofocus>
          {session.goToLogin}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
