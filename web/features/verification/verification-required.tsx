import { Link } from 'wouter';
import { stepPath } from '#contract/routes.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Shown instead of the application while profile or documents are incomplete (§verified-account). */
export function VerificationRequiredDialog({ onClose }: { onClose: () => void }) {
  const { verification, errors, shell } = useWords();
  const { verification: words } = useWordsOf(below);
  const missing = missingPieces(useUser());
  const photos = missing.filter(isDocumentPiece).length;
  const answers = missing.length - photos;
  const parts = [
    [verification.aboutYou, answers, verification.answers(answers)],
    [verification.photos, photos, verification.photosText],
  ] as const;
  return (
    <Dialog
      onClose={onClose}
      size="small"
      title={words.requiredTitle}
      description={errors.verification_required}
    >
      <ul className="divide-y divide-line font-semibold">
        {parts.map(
          ([title, count, text]) =>
            count > 0 && (
              <li key={title} className="py-2.5">
                {title}
                <span className="block text-14 font-normal text-ink-soft">{text}</span>
              </li>
            ),
        )}
      </ul>
      <DialogActions cancel={{ onClick: onClose, children: shell.cancel }}>
        <Link href={stepPath(answers === 0 ? 'photos' : 'about')} className={buttonStyle()}>
          {words.verifyNow}
        </Link>
      </DialogActions>
    </Dialog>
  );
}
