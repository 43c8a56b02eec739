import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Contract } from '#contract/loan.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useFormats } from '#web/lib/format.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';

type Props = { contract: Contract; loanId: number };

/** Says that the borrower has not agreed to this version, or when they accepted what staff had issued. */
export function AgreementMark({ contract: { agreedAt, issuedAt } }: Pick<Props, 'contract'>) {
  const { papers } = useAccountWords();
  const { dateTime } = useFormats();
  if (agreedAt === null) {
    return (
      <p className="rounded-control bg-warn-tint px-4 py-3 text-14 text-warn print:p-0">
        <strong className="block print:inline">{papers.notAgreed}</strong>{' '}
        {papers.notAgreedText(dateTime(issuedAt))}
      </p>
    );
  }
  if (agreedAt === issuedAt) return null;
  return <p className="text-14 text-ink-soft">{papers.acceptedOn(dateTime(agreedAt))}</p>;
}

/** Accepts the version that is on the screen; at the contract's end, where it has been read. */
export function AcceptVersion({ contract: { version, agreedAt, replacedAt }, loanId }: Props) {
  const { papers, session } = useAccountWords();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  if (agreedAt !== null || replacedAt !== null) return null;

  async function accept() {
    setBusy(true);
    try {
      await call(api.acceptContract, { params: { id: loanId }, body: { version } });
      toast({ title: papers.accepted, description: papers.acceptedText(version) });
    } catch (error) {
      toast({ tone: 'bad', title: papers.acceptFailed, description: errorText(error) });
    }
    // Also where it was refused: staff may have made another version meanwhile.
    await refreshReads(api.readLoanContract);
    setBusy(false);
  }

  return (
    <div className="mt-5 rounded-card bg-sunken p-4 print:hidden">
      <p className="mb-3 text-14">{papers.acceptText}</p>
      <Button wide busy={busy} busyLabel={session.pleaseWait} onClick={() => void accept()}>
        {papers.accept(version)}
      </Button>
    </div>
  );
}
