import { Link } from 'wouter';
import { stepPath } from '#contract/routes.ts';
import { isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Shown instead of the application while profile or documents are incomplete (§verified-account). */
export function VerificationRequiredDialog({ onClose }: { onClose: () => void }) {
  const { verification, errors, shell } = useWords();
  const missing = missingPieces(useUser());
  return (
    <Dialog
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
              <li key={piece} className="rounded-full border border-transparent bg-sunken px-3 py-1 text-14">
                {verification.pieces[piece]}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions cancel={{ onClick: onClose, children: shell.cancel }}>
        <Link href={stepPath(missing.every(isDocumentPiece) ? 'photos' : 'about')} className={buttonStyle()}>
          {verification.verifyNow}
        </Link>
      </DialogActions>
    </Dialog>
  );
}
