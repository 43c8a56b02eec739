import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useFormats } from '#web/lib/format.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ClockIcon } from '#web/ui/icons.tsx';
import { keepRequest } from './kept-request.ts';

/** That the request has arrived, what comes of it, and the way back. */
export function OpenRequest({ requestedAt }: { requestedAt: string }) {
  const { done, notices, privacy, shell } = useAccountWords();
  const { date } = useFormats();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);

  async function takeBack() {
    setBusy(true);
    try {
      await call(api.withdrawDeletion);
      toast({ title: done.requestTakenBack });
      keepRequest({ requestedAt: null });
      void refreshReads(api.listNotifications);
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', title: shell.requestFailed, description: errorText(error) });
    }
  }

  const { title, message } = notices.deletion_requested;
  return (
    <Banner
      tone="warn"
      icon={<ClockIcon />}
      title={title}
      action={
        <Button look="secondary" size="compact" busy={busy} onClick={() => void takeBack()}>
          {privacy.takeBack}
        </Button>
      }
    >
      {privacy.sentOn(date(requestedAt))} {message()}
    </Banner>
  );
}
