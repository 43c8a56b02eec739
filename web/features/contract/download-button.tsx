import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { fetchReply } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { DownloadIcon } from '#web/ui/icons.tsx';

/** Long enough for any browser to have taken the file over. */
const keptMs = 60_000;

/** Saves the contract as a PDF. It is fetched with the token, which a plain link could not send. */
export function DownloadButton({ loanId, fileName }: { loanId: number; fileName: string }) {
  const { papers } = useAccountWords();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      const response = await fetchReply(api.readLoanContractPdf, { params: { id: loanId } });
      save(await response.blob(), fileName);
    } catch (error) {
      toast({ tone: 'bad', title: papers.downloadFailed, description: errorText(error) });
    }
    setBusy(false);
  }

  return (
    <Button
      busy={busy}
      busyLabel={papers.downloading}
      icon={<DownloadIcon className="size-4.5 shrink-0" />}
      onClick={() => void download()}
    >
      {papers.download}
    </Button>
  );
}

function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
