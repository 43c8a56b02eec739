// Shared parts of the illustrations, drawn in theme colours so that they follow the dark theme.

import type { ReactNode } from 'react';
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

/** The 160×120 frame of an empty-state illustration, with its ground shadow. */
export function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 160 120" strokeLinecap="round" aria-hidden="true">
      <ellipse cx="80" cy="106" rx="62" ry="7" className="fill-leaf-tint" />
      {children}
    </svg>
  );
}
