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

/** The peso sign is drawn, not set, so that no font is needed. */
export function Coin({ x, y, radius }: { x: number; y: number; radius: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${radius / 15})`}>
      <circle r="15" className="fill-mango" />
      <path
        d="M-3.5 7.5V-7.5H1.5a4.5 4.5 0 0 1 0 9h-5M-6.5-4.5h14M-6.5-1.5h14"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-mango"
      />
    </g>
  );
}

export function CheckMark({ x, y, radius }: { x: number; y: number; radius: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${radius / 10})`}>
      <circle r="10" className="fill-leaf" />
      <path
        d="M-4.5.3l3.2 3.2 6-6.6"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-leaf"
      />
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
