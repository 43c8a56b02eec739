import { Mat } from '#web/ui/mat-drawing.tsx';

type TileListProps = { lines: readonly string[]; tiles: readonly ('paid' | 'next' | 'bare')[] };

/** Sentences in order, each beside a tile of the mat; the last tile goes for the rest of them. */
export function TileList({ lines, tiles }: TileListProps) {
  return (
    <ol className="flex flex-col gap-6">
      {lines.map((line, index) => (
        <li key={line} className="flex items-center gap-3.5 text-balance">
          <Mat tiles={[tiles[index] ?? tiles.at(-1)]} className="w-8 shrink-0" />
          {line}
        </li>
      ))}
    </ol>
  );
}
