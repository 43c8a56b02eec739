import { demandedPieces, missingPieces } from '#domain/profile.ts';
import { Mat } from '#web/ui/mat.tsx';
import { useUser } from './session.tsx';

/** A tile for each answer and photo that makes an account verified; the name was given with the registration. */
export function PiecesMat(props: { columns: number; className?: string }) {
  const missing = missingPieces(useUser());
  const tiles = demandedPieces
    .filter((piece) => piece !== 'fullName')
    .map((piece) => (missing.includes(piece) ? (piece === missing[0] ? 'next' : 'bare') : 'paid'));
  return <Mat {...props} tiles={tiles} />;
}
