import { useEffect, useRef, useState } from 'react';
import type { Loan } from '#contract/loan.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const fetchForm = () => import('./apply-form.tsx');

type ApplyDialogProps = {
  open: boolean;
  onClose: () => void;
  onReopen: () => void;
  onVerificationRequired: () => void;
};

/**
 * The 'Apply for a Loan' dialog. The typed values survive closing until they are submitted.
 */
export function ApplyDialog({ open, onClose, onReopen, onVerificationRequired }: ApplyDialogProps) {
  const { shell } = useWords();
  const { apply } = useWordsOf(below);
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
      onReopen={onReopen}
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
          onClose={onClose}
          sending={sending}
          onSubmitted={setMade}
          onVerificationRequired={onVerificationRequired}
        />
      </PageBoundary>
    </Dialog>
  );
}

const ApplyForm = lazyPart(fetchForm, 'ApplyForm');

const Applied = lazyPart(fetchForm, 'Applied');
