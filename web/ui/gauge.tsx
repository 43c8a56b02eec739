import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import { classNames } from './class-names.ts';

export interface GaugeBand {
  /** Upper bound; the band starts where the previous one ends. */
  to: number;
  tone: 'bad' | 'warn' | 'good';
}

export interface GaugeProps {
  value: number;
  max: number;
  bands: readonly GaugeBand[];
  /** Score and band in words: 'Credit score 640 of 1000, Good Credit'. */
  label: string;
  children?: ReactNode;
}

const tones: Record<GaugeBand['tone'], string> = {
  bad: 'stroke-late',
  warn: 'stroke-mango',
  good: 'stroke-woven',
};

export function Gauge({ value, max, bands, label, children }: GaugeProps) {
  const part = Math.min(1, Math.max(0, value / max));
  const gap = 0.008;
  const dashes = bands.flatMap(({ to }, index) => [(to - (bands[index - 1]?.to ?? 0)) / max - gap, gap]);
  const arc = { d: 'M22 104A88 88 0 0 1 198 104', pathLength: 1, fill: 'none', strokeWidth: 18 };
  const { tone } = bands.find(({ to }) => part < to / max) ?? bands.at(-1) ?? { tone: 'bad' };
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <div className="relative w-full max-w-36 text-center">
        <svg viewBox="0 0 220 122" role="img" aria-label={label} className="w-full">
          <path {...arc} strokeDasharray={dashes.join(' ')} className="stroke-loom" />
          <path {...arc} strokeDasharray={`${part} 1`} className={tones[tone]} />
          <circle
            cx="198"
            cy="104"
            r="10"
            transform={`rotate(${180 * part - 180} 110 104)`}
            strokeWidth="5"
            className="fill-card stroke-ink"
          />
        </svg>
        <p aria-hidden="true" className="absolute inset-x-0 -bottom-1">
          <Amount size={32}>{value}</Amount>
        </p>
      </div>
      <div className="min-w-0 flex-[1_1_9rem]">{children}</div>
    </div>
  );
}

export function Stars({ count, outOf, label }: { count: number; outOf: number; label: string }) {
  return (
    <span role="img" aria-label={label} className="inline-flex gap-0.5">
      {Array.from({ length: outOf }, (_, index) => (
        <svg
          // biome-ignore lint/suspicious/noArrayIndexKey: stars have no other identity
          key={index}
          viewBox="0 0 24 24"
          aria-hidden="true"
          className={classNames(
            'size-5',
            index < count ? 'fill-mango stroke-warn' : 'fill-none stroke-loom-next',
          )}
          strokeWidth="1.5"
          strokeLinejoin="round"
        >
          <path d="m12 3 2.7 5.7 6.2.8-4.5 4.3 1.1 6.2-5.5-3-5.5 3 1.1-6.2L3.1 9.5l6.2-.8z" />
        </svg>
      ))}
    </span>
  );
}
