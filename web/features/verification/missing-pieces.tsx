import { ChevronRightIcon, CircleCheckIcon } from 'lucide-react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { type DemandedPiece, documentPieces, missingPieces } from '#domain/profile.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

const isDocument = (piece: DemandedPiece) => (documentPieces as readonly string[]).includes(piece);

export function MissingSteps() {
  const { documents, profile } = useAccountWords();
  const missing = missingPieces(useUser());
  return (
    <ul aria-label={profile.checklist} className="divide-y divide-line px-4.5 py-1">
      <Step to="personal" title={profile.personal} missing={missing.filter((piece) => !isDocument(piece))} />
      <Step to="documents" title={documents.title} missing={missing.filter(isDocument)} />
    </ul>
  );
}

type StepProps = { to: 'personal' | 'documents'; title: string; missing: readonly DemandedPiece[] };

function Step({ to, title, missing }: StepProps) {
  const { profile, verification } = useAccountWords();
  if (missing.length === 0) {
    return (
      <li className="flex items-center gap-2.5 py-3 text-14 text-ink-soft">
        <CircleCheckIcon className="size-5 shrink-0 text-good" />
        {title}
        <span className="sr-only"> ({profile.pieceThere})</span>
      </li>
    );
  }
  return (
    <li>
      <Link
        href={`${paths.profile}#${to}`}
        className="-mx-2 flex items-center gap-2.5 rounded-control px-2 py-3 text-14 hover:bg-leaf-tint"
      >
        <span
          aria-hidden="true"
          className="mx-0.5 size-4 shrink-0 self-start rounded-full border-2 border-dashed border-warn mt-0.5"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-2 font-semibold">
            {title}
            <span className="text-12 font-bold whitespace-nowrap text-warn">
              {missing.length} {profile.pieceMissing}
            </span>
          </span>
          <span className="block text-12 text-ink-soft">
            {missing.map((piece) => verification.pieces[piece]).join(', ')}
          </span>
        </span>
        <ChevronRightIcon className="size-4 shrink-0 text-ink-soft" />
      </Link>
    </li>
  );
}

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
      <DialogActions cancel={{ onClick: onClose, children: shell.cancel }}>
        <Link href={paths.profile} className={buttonStyle()}>
          {verification.verifyNow}
        </Link>
      </DialogActions>
    </Dialog>
  );
}
