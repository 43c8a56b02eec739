import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface GaugeBand {
  id: string;
  /** Upper bound; the band starts where the previous one ends. */
  to: number;
  tone: 'bad' | 'warn' | 'fair' | 'good';
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
  bad: 'stroke-bad',
  warn: 'stroke-mango',
  fair: 'stroke-leaf',
  good: 'stroke-leaf',
};

export function Gauge({ value, max, bands, label, children }: GaugeProps) {
  const part = Math.min(1, Math.max(0, value / max));
  const gap = 0.008;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <div className="relative w-full max-w-36 text-center">
        <svg viewBox="0 0 220 122" role="img" aria-label={label} className="w-full">
          {bands.map((band, index) => {
            const from = (bands[index - 1]?.to ?? 0) / max;
            const reached = part >= from && (part < band.to / max || index === bands.length - 1);
            const start = from + (index === 0 ? 0 : gap);
            const end = band.to / max - (index === bands.length - 1 ? 0 : gap);
            return (
              <path
                key={band.id}
                d="M22 104A88 88 0 0 1 198 104"
                pathLength={1}
                strokeDasharray={`0 ${start} ${end - start} 1`}
                fill="none"
                strokeWidth="18"
                className={classNames(tones[band.tone], !reached && 'opacity-25')}
              />
            );
          })}
          <circle
            cx="198"
            cy="104"
            r="10"
            transform={`rotate(${180 * part - 180} 110 104)`}
            strokeWidth="5"
            className="fill-card stroke-ink"
          />
        </svg>
        <p aria-hidden="true" className="absolute inset-x-0 -bottom-1 font-heading text-32 font-bold">
          {value}
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
          className={classNames('size-5', index < count ? 'fill-mango stroke-warn' : 'fill-none stroke-edge')}
          strokeWidth="1.5"
          strokeLinejoin="round"
        >
          <path d="m12 3 2.7 5.7 6.2.8-4.5 4.3 1.1 6.2-5.5-3-5.5 3 1.1-6.2L3.1 9.5l6.2-.8z" />
        </svg>
      ))}
    </span>
  );
}
