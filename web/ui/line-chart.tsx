import type { ReactNode } from 'react';

type ChartPoint = { label: string; value: number };

interface ChartProps {
  points: readonly ChartPoint[];
  label: string;
  note?: ReactNode;
}

// The drawing (100×100 units) stretches to its box while strokes do not, so it needs no measuring.
const inset = 6;

/** Scales points to drawing units; a flat series runs through the middle. */
function scale(points: readonly ChartPoint[]) {
  const values = points.map((point) => point.value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const last = Math.max(1, points.length - 1);
  return points.map((point, index) => ({
    x: (index / last) * 100,
    y: span === 0 ? 50 : 100 - inset - ((point.value - low) / span) * (100 - 2 * inset),
  }));
}

export function LineChart({ points, label, note }: ChartProps) {
  const spots = scale(points);
  const end = spots.at(-1);
  const line = spots
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`)
    .join('');
  return (
    <figure className="flex grow flex-col">
      <div role="img" aria-label={label} className="relative mr-1.5 min-h-10 grow">
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute size-full"
        >
          <path d={`${line}V100H0Z`} className="fill-leaf-tint opacity-70" />
          <path
            d={line}
            fill="none"
            strokeWidth="2.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-leaf"
          />
        </svg>
        {end && (
          <span
            aria-hidden="true"
            className="mark absolute size-3 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-card bg-leaf ring-2 ring-leaf"
            style={{ left: `${end.x}%`, top: `${end.y}%` }}
          />
        )}
      </div>
      <figcaption className="@container mt-1.5 flex flex-wrap justify-between gap-x-3 text-12 text-ink-soft">
        <span className="whitespace-nowrap">{points[0]?.label}</span>
        {note !== undefined && <span className="text-center @max-[13rem]:order-1">{note}</span>}
        <span className="whitespace-nowrap">{points.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}
