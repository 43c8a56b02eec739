import { useEffect, useRef, useState } from 'react';
import type { Loan } from '#contract/loan.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { limits } from '#domain/limits.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import type { ApplicationDraft } from './apply-form.tsx';

/** What the form starts with (§applying). */
const nothingTyped: ApplicationDraft = {
  amount: String(limits.loanAmountDefaultCentavos / 100),
  purpose: '',
  termMonths: limits.loanTermDefaultMonths,
};

const fetchForm = () => import('./apply-form.tsx');

type ApplyDialogProps = {
  open: boolean;
  onClose: () => void;
  onVerificationRequired: () => void;
};

/**
 * The 'Apply for a Loan' dialog. It stays mounted while closed, so the draft survives until it is submitted. Then the
 * form resets.
 */
export function ApplyDialog({ open, onClose, onVerificationRequired }: ApplyDialogProps) {
  const { shell } = useWords();
  const { apply } = useWordsOf(below);
  const draft = useRef(nothingTyped);
  const sending = useRef(false);
  const [made, setMade] = useState<Loan>();

  useEffect(ApplyForm.preload, []);

  if (!open) return null;
  if (made) {
    const leave = () => {
      setMade(undefined);
      onClose();
    };
    return <Applied loan={made} onClose={leave} />;
  }
  return (
    <Dialog
      onClose={() => {
        if (!sending.current) onClose();
      }}
      title={apply.title}
      size="large"
      closeLabel={shell.close}
      closeOnBackdrop={false}
    >
      <PageBoundary>
        <ApplyForm
          shape={
            <Loading label={apply.loading}>
              <Skeleton className="h-134" />
            </Loading>
          }
          draft={draft}
          sending={sending}
          onSubmitted={(loan) => {
            draft.current = nothingTyped;
            setMade(loan);
          }}
          onVerificationRequired={onVerificationRequired}
        />
      </PageBoundary>
    </Dialog>
  );
}

const ApplyForm = lazyPart(fetchForm, 'ApplyForm');

const Applied = lazyPart(fetchForm, 'Applied');
