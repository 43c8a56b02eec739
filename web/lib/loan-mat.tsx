import { useEffect, useState } from 'react';
import type { MatTile } from '#domain/mat.ts';
import { Mat } from '#web/ui/mat-drawing.tsx';
import { useWords } from './home-words.ts';
import { readStored, writeStored } from './stored-value.ts';
import { seenKeys } from './token.ts';

type LoanMatProps = {
  loanId: number;
  tiles: readonly MatTile[];
  /** Writes below the mat what it shows; a string is added to that. */
  words?: true | string;
  className?: string;
};

/** A loan's instalments as a mat. Instalments paid since it was last seen on this phone weave in, once. */
export function LoanMat({ loanId, tiles, words, className }: LoanMatProps) {
  const { dashboard } = useWords();
  const count = (wanted: MatTile) => tiles.filter((tile) => tile === wanted).length;
  const paid = count('paid');
  const freshFrom = useFreshFrom(loanId, paid);
  const late = count('late') > 0 && dashboard.lateTiles(count('late'));
  const sent = count('sent') > 0 && dashboard.sentTiles(count('sent'));
  const woven = dashboard.woven({ paid, count: tiles.length });
  const label = [woven, late, sent].filter(Boolean).join(', ');
  return (
    <div className={className}>
      <Mat tiles={tiles} label={label} freshFrom={freshFrom} />
      {words && (
        <p aria-hidden="true" className="mt-2.5 text-14 font-bold">
          {woven}
          {late && (
            <>
              , <span className="text-bad">{late}</span>
            </>
          )}
          {sent && `, ${sent}`}
          {words !== true && `, ${words}`}
        </p>
      )}
    </div>
  );
}

const [, seenKey] = seenKeys;

function useFreshFrom(loanId: number, paid: number): number {
  const [seen, setSeen] = useState(() => {
    const [id, count] = readStored(seenKey)?.split(':').map(Number) ?? [];
    return { from: id === loanId && count !== undefined ? count : paid, paid };
  });
  // Paid while the page is open: from what was seen until then.
  if (seen.paid !== paid) setSeen({ from: seen.paid, paid });
  useEffect(() => void writeStored(seenKey, `${loanId}:${paid}`), [loanId, paid]);
  return seen.from;
}
