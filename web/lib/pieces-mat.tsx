import { demandedPieces, isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { Mat } from '#web/ui/mat.tsx';
import { useUser } from './session.tsx';

/** A tile for each answer that makes an account verified and, apart, one for each photo; the name came with the registration. */
export function PiecesMat() {
  const missing = missingPieces(useUser());
  const asked = demandedPieces.filter((piece) => piece !== 'fullName');
  const parts = [asked.filter((piece) => !isDocumentPiece(piece)), asked.filter(isDocumentPiece)];
  return (
    <div className="flex max-w-96 gap-4">
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
