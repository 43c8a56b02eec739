// Shared parts of the illustrations, drawn in theme colours so that they follow the dark theme.

import type { ReactNode } from 'react';

type WeaveProps = Record<'x' | 'y' | 'columns' | 'rows' | 'cell', number> & {
  hole?: readonly [column: number, row: number];
};

/** A piece of woven mat. `hole` leaves out one cell. */
export function Weave({ x, y, columns, rows, cell, hole }: WeaveProps) {
  const strip = cell * 0.43;
  const gap = cell * 0.03;
  const long = cell - 2 * gap;
  const cells = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (hole && hole[0] === column && hole[1] === row) continue;
      const left = x + column * cell;
      const top = y + row * cell;
      const lying = (row + column) % 2 === 0;
      const near = gap * 1.5;
      const far = cell - strip - gap * 1.5;
      cells.push(
        <g key={`${row}-${column}`} className={lying ? 'fill-leaf' : 'fill-mango'}>
          {[near, far].map((offset) =>
            lying ? (
              <rect key={offset} x={left + gap} y={top + offset} width={long} height={strip} rx={strip / 6} />
            ) : (
              <rect key={offset} x={left + offset} y={top + gap} width={strip} height={long} rx={strip / 6} />
            ),
          )}
        </g>,
      );
    }
  }
  return <>{cells}</>;
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
