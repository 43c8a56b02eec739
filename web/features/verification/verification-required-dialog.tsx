import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { missingPieces } from '#domain/profile.ts';
import { useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Shown instead of the application while profile or documents are incomplete (§verified-account). */
export default function VerificationRequiredDialog({ onClose }: { onClose: () => void }) {
  const { verification, errors, shell } = useWords();
  const missing = missingPieces(useUser());
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={verification.requiredTitle}
      description={errors.verification_required}
    >
      {missing.length > 0 && (
        <>
          <h3 id="missing-title" className="text-14 font-semibold">
            {verification.stillMissing}
          </h3>
          <ul aria-labelledby="missing-title" className="mt-2 flex flex-wrap gap-2">
            {missing.map((piece) => (
              <li
                key={piece}
                className="rounded-full border border-transparent bg-warn-tint px-3 py-1 text-14 font-medium text-warn"
              >
                {verification.pieces[piece]}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Link href={paths.profile} className={buttonStyle()}>
          {verification.verifyNow}
        </Link>
      </DialogActions>
    </Dialog>
  );
}
