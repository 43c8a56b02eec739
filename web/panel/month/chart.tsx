import type { ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';

// Pictures as our own SVG: a drawing of 100×100 units stretches to its box while strokes do not, and text stands beside it
// as HTML, so that nothing is measured and everything prints.

type Scale = { top: number; ticks: readonly number[] };

const niceSteps = [1, 2, 2.5, 5, 10];

/** A scale from nothing to a round number above the highest value, with up to four lines. */
export function scaleUpTo(highest: number): Scale {
  if (highest <= 0) return { top: 1, ticks: [0] };
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (niceSteps.find((nice) => nice * power >= rough) ?? 10) * power;
  const lines = Math.ceil(highest / step);
  return { top: lines * step, ticks: Array.from({ length: lines + 1 }, (_, line) => line * step) };
}

/** `₱5.38 M` of centavos: three digits that count, for pictures and headings beside the exact figures. */
export function shortPeso(centavos: number, sign = '₱'): string {
  const pesos = Math.abs(centavos) / 100;
  const [unit, by] =
    pesos >= 999.5e6 ? [' B', 1e9] : pesos >= 999_500 ? [' M', 1e6] : pesos >= 10_000 ? [' k', 1e3] : ['', 1];
  const digits = unit === '' ? Math.round(pesos) : Number((pesos / by).toPrecision(3));
  return `${centavos < 0 ? '−' : ''}${sign}${digits.toLocaleString('en')}${unit}`;
}

const percentOf = (value: number, top: number) => Math.max(0, (value / top) * 100);

/** Bars of one series, the figures in centavos; `titles` say each whole. */
export type Bars = { values: readonly number[]; titles: readonly string[]; look: 'solid' | 'outline' };

type ColumnsProps = {
  label: string;
  series: readonly Bars[];
  /** Under each column; empty for none. */
  names: readonly string[];
  /** Groups under the names, such as the months of weeks. */
  groups?: readonly { from: number; name: string }[];
  /** The column that the sentence is about. */
  marked: number;
  note?: { at: number; text: string };
  children?: ReactNode;
};

/** Columns over a line of names. Everything in it is one image to a screen reader. */
export function ColumnChart({ label, series, names, groups, marked, note, children }: ColumnsProps) {
  const highest = Math.max(0, ...series.flatMap(({ values }) => values));
  const { top, ticks } = scaleUpTo(highest);
  const slot = 100 / Math.max(1, names.length);
  const width = (slot * 0.76) / series.length;
  const middle = (index: number) => slot * (index + 0.5);
  return (
    <div role="img" aria-label={label} className="flex grow flex-col">
      {children}
      <div className="relative ml-11 mt-6 min-h-40 grow">
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible"
        >
          {ticks.map((tick) => (
            <path
              key={tick}
              d={`M0 ${100 - percentOf(tick, top)}H100`}
              vectorEffect="non-scaling-stroke"
              className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
            />
          ))}
          {series.flatMap(({ values, titles, look }, row) =>
            values.map((value, column) => {
              const height = percentOf(value, top);
              const x = slot * column + slot * 0.12 + width * row;
              return (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                  key={`${row} ${column}`}
                  x={x}
                  y={100 - height}
                  width={width}
                  height={height}
                  vectorEffect="non-scaling-stroke"
                  className={
                    look === 'outline'
                      ? 'fill-card stroke-edge'
                      : column === marked
                        ? 'fill-leaf'
                        : 'fill-leaf/65'
                  }
                >
                  <title>{titles[column]}</title>
                </rect>
              );
            }),
          )}
        </svg>
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute right-full mr-2 translate-y-1/2 whitespace-nowrap text-12 text-ink-soft"
            style={{ bottom: `${percentOf(tick, top)}%` }}
          >
            {shortPeso(tick, '')}
          </span>
        ))}
        {note && (
          <span
            className={classNames(
              'absolute whitespace-nowrap pb-1 text-12 font-bold',
              middle(note.at) > 80 ? '-translate-x-full' : middle(note.at) > 20 && '-translate-x-1/2',
            )}
            style={{
              left: `${middle(note.at) > 80 ? slot * (note.at + 1) : middle(note.at) > 20 ? middle(note.at) : slot * note.at}%`,
              bottom: `${percentOf(Math.max(...series.map(({ values }) => values[note.at] ?? 0)), top)}%`,
            }}
          >
            {note.text}
          </span>
        )}
      </div>
      <div className="relative ml-11 h-5">
        {names.map((name, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
            key={index}
            className={classNames(
              'absolute top-1 -translate-x-1/2 text-12',
              index === marked ? 'font-bold' : 'text-ink-soft',
            )}
            style={{ left: `${middle(index)}%` }}
          >
            {name}
          </span>
        ))}
      </div>
      {groups && (
        <div className="relative ml-11 h-5">
          {groups.map(({ from, name }, index) => (
            <span
              key={from}
              className="absolute top-1 overflow-visible whitespace-nowrap border-t border-line text-12 text-ink-soft"
              style={{
                left: `${slot * (from + 0.12)}%`,
                width: `${slot * ((groups[index + 1]?.from ?? names.length) - from - 0.24)}%`,
              }}
            >
              {name}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

type LineProps = {
  values: readonly number[];
  /** The points that say their value, by index. */
  said: Readonly<Record<number, string>>;
};

/** A line over the columns of the chart below it, in the tone of what is at risk. */
export function RiskLine({ values, said }: LineProps) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slot = 100 / Math.max(1, values.length);
  const spots = values.map((value, index) => ({
    x: slot * (index + 0.5),
    y: high === low ? 50 : 90 - ((value - low) / (high - low)) * 80,
  }));
  const path = spots
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`)
    .join('');
  return (
    <div className="relative ml-11 mt-5 h-14">
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="absolute inset-0 size-full overflow-visible"
      >
        <path
          d={path}
          fill="none"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="stroke-bad"
        />
        {/* A point as long as nothing is round however the drawing is stretched. */}
        {Object.keys(said).map((index) => {
          const spot = spots[Number(index)];
          return (
            spot && (
              <path
                key={index}
                d={`M${spot.x} ${spot.y}h0`}
                strokeWidth="8"
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
                className="stroke-bad"
              />
            )
          );
        })}
      </svg>
      {Object.entries(said).map(([index, text]) => {
        const spot = spots[Number(index)];
        return (
          spot && (
            <span
              key={index}
              className="absolute -translate-x-1/2 pb-1.5 text-12 font-bold text-bad"
              style={{ left: `${spot.x}%`, bottom: `${100 - spot.y}%` }}
            >
              {text}
            </span>
          )
        );
      })}
    </div>
  );
}

export type Part = { name: string; value: number; look: string; label?: string };

/** One bar of parts, each as long as its share; parts of nothing are left out. */
export function PartsBar({ parts }: { parts: readonly Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  let from = 0;
  return (
    <div className="relative h-7">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className="size-full">
        {parts.map(({ name, value, look }) => {
          const width = total === 0 ? 0 : (value / total) * 100;
          const x = from;
          from += width;
          return (
            width > 0 && (
              <rect
                key={name}
                x={x}
                y={0}
                width={width}
                height={10}
                vectorEffect="non-scaling-stroke"
                className={classNames('stroke-card', look)}
              >
                <title>{name}</title>
              </rect>
            )
          );
        })}
      </svg>
    </div>
  );
}
