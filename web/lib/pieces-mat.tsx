import type { MatTile } from '#domain/mat.ts';
import { demandedPieces, isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { Mat } from '#web/ui/mat.tsx';
import { useUser } from './session.tsx';

/** A tile for each answer that makes an account verified, then one for each photo; the name came with the registration. */
export function PiecesMat() {
  const missing = missingPieces(useUser());
  const tiles: (MatTile | undefined)[] = demandedPieces
    .filter((piece) => piece !== 'fullName')
    .map((piece) => (missing.includes(piece) ? (piece === missing[0] ? 'next' : 'bare') : 'paid'));
  const photos = demandedPieces.filter(isDocumentPiece).length;
  return <Mat tiles={tiles.toSpliced(-photos, 0, undefined)} columns={tiles.length + 1} />;
}
