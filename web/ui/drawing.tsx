// Parts the illustrations share. Their colours are the theme's, so every picture follows the dark theme by itself.

import type { ReactNode } from 'react';

/** A woven piece of mat: pairs of strips, lying and standing by turns. `hole` leaves one cell out. */
export function Weave({
  x,
  y,
  columns,
  rows,
  cell,
  hole,
}: {
  x: number;
  y: number;
  columns: number;
  rows: number;
  cell: number;
  hole?: readonly [number, number];
}) {
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

/** A coin with the peso sign, drawn rather than set, so that no font is needed. */
export function Coin({ x, y, radius }: { x: number; y: number; radius: number }) {
  const scale = radius / 15;
  return (
    <g>
      <circle cx={x} cy={y} r={radius} className="fill-mango" />
      <g
        transform={`translate(${x - 12 * scale} ${y - 12 * scale}) scale(${scale})`}
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-mango"
      >
        <path d="M8.5 19.5V4.5H13.5a4.5 4.5 0 0 1 0 9h-5" />
        <path d="M5.5 7.5h14M5.5 10.5h14" />
      </g>
    </g>
  );
}

/** A round check mark. */
export function CheckMark({ x, y, radius }: { x: number; y: number; radius: number }) {
  const unit = radius / 10;
  return (
    <g>
      <circle cx={x} cy={y} r={radius} className="fill-leaf" />
      <path
        d={`M${x - 4.5 * unit} ${y + 0.3 * unit}l${3.2 * unit} ${3.2 * unit} ${6 * unit} ${-6.6 * unit}`}
        fill="none"
        strokeWidth={2.2 * unit}
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-leaf"
      />
    </g>
  );
}

/** The frame of a picture for a place that has nothing yet, 160 by 120, with the shade that things in it stand on. */
export function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 160 120" aria-hidden="true">
      <ellipse cx="80" cy="106" rx="62" ry="7" className="fill-leaf-tint" />
      {children}
    </svg>
  );
}
