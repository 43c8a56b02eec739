import { weaveMat } from '#domain/mat.ts';
import { MatPaths } from './mat.tsx';

type WeaveProps = Record<'x' | 'y' | 'columns' | 'rows' | 'cell', number> & { hole?: number };

/** A piece of woven mat. `hole` leaves out one tile. */
export function Weave({ x, y, columns, rows, cell, hole }: WeaveProps) {
  const tiles = Array.from({ length: columns * rows }, (_, index) => (index === hole ? undefined : 'paid'));
  const { paths, pitch } = weaveMat(tiles, { columns });
  return (
    <g transform={`translate(${x} ${y}) scale(${cell / pitch})`}>
      <MatPaths paths={paths} />
    </g>
  );
}
