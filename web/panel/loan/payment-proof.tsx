import { useState } from 'react';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { useStoredImage } from '#web/lib/stored-image.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function PaymentProof({ url = null }: { url: string | null | undefined }) {
  const { proof } = panel.loanStep;
  const image = useStoredImage(url);
  const [isOpen, setOpen] = useState(false);
  if (!url) return <p className="text-14 text-ink-soft">{panel.payments.noProof}</p>;
  if (image.state === 'failed') {
    return (
      <p role="alert" className="text-14 text-bad">
        {panel.memberPhotos.failed}{' '}
        <Button look="quiet" onClick={image.retry}>
          {home.shell.retry}
        </Button>
      </p>
    );
  }
  if (image.state !== 'ready') return <Skeleton className="h-40 w-full" />;
  return (
    <>
      <button
        type="button"
        aria-label={panel.payments.proofOpen}
        onClick={() => setOpen(true)}
        className="block w-full overflow-hidden rounded-control border border-line"
      >
        <img src={image.src} alt={proof} className="max-h-56 w-full object-contain" />
      </button>
      {isOpen && (
        <Dialog size="large" title={proof} closeLabel={home.shell.close} onClose={() => setOpen(false)}>
          <img src={image.src} alt={proof} className="mx-auto max-h-[75dvh] max-w-full rounded-control" />
        </Dialog>
      )}
    </>
  );
}
