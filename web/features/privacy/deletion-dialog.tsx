import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { keepRequest } from './kept-request.ts';

export default function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { notices, privacy, session, shell } = useAccountWords();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) onClose();
  };

  async function send() {
    setBusy(true);
    try {
      const request = await call(api.requestDeletion);
      toast({ title: notices.deletion_requested.title });
      onClose();
      keepRequest(request);
      void refreshReads(api.listNotifications);
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', title: shell.requestFailed, description: errorText(error) });
    }
  }

  return (
    <Dialog open onClose={close} title={privacy.askTitle} description={privacy.askText}>
      <ul className="flex list-disc flex-col gap-2 pl-4.5 text-14">
        {privacy.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <DialogActions>
        <Button look="secondary" disabled={busy} onClick={close}>
          {shell.cancel}
        </Button>
        <Button look="danger" busy={busy} busyLabel={session.pleaseWait} onClick={() => void send()}>
          {privacy.send}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
