import { demandedPieces, isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { leadTitle, stripTitle } from '#web/ui/card.tsx';
import { Mat } from '#web/ui/mat-drawing.tsx';
import { useWords } from './home-words.ts';
import { useUser } from './session.tsx';

/** The two steps to a verified account, and what each still lacks (§verified-account). */
export function useVerificationSteps() {
  const { verification: words } = useWords();
  const missing = missingPieces(useUser());
  const photos = missing.filter(isDocumentPiece).length;
  const answers = missing.length - photos;
  return [
    { step: 'about', title: words.aboutYou, text: words.answers(answers), missing: answers },
    { step: 'photos', title: words.photos, text: words.photosText, missing: photos },
  ] as const;
}

/** Shows how far somebody new has come (§verified-account), on leaf-deep; without the mat in a strip. */
export function VerificationLead({ id, isStrip = false }: { id?: string; isStrip?: boolean }) {
  const { verification: words } = useWords();
  const left = useVerificationSteps().filter(({ missing }) => missing > 0).length;
  return (
    <>
      <p className="mb-2 text-14 text-on-deep-soft">{words.notVerified}</p>
      <h2 id={id} className={isStrip ? stripTitle : leadTitle}>
        {words.twoSteps}
      </h2>
      <p className="mt-1 text-on-deep-soft">
        {words.stepsDone(2 - left)}. {left > 1 ? words.stepsLead : words.stepLead}
      </p>
      {!isStrip && (
        <div className="mt-4 max-w-96">
          <PiecesMat />
        </div>
      )}
    </>
  );
}

/** A tile for each answer that makes an account verified and, apart, one for each photo; the name came with the registration. */
export function PiecesMat() {
  const missing = missingPieces(useUser());
  const asked = demandedPieces.filter((piece) => piece !== 'fullName');
  const parts = [asked.filter((piece) => !isDocumentPiece(piece)), asked.filter(isDocumentPiece)];
  return (
    <div className="flex gap-4">
      {parts.map((pieces) => (
        <div key={pieces[0]} style={{ flex: pieces.length }}>
          <Mat
            tiles={pieces.map((piece) =>
              missing.includes(piece) ? (piece === missing[0] ? 'next' : 'bare') : 'paid',
            )}
          />
        </div>
      ))}
    </div>
  );
}
