import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

const tones: Record<Tone, string> = {
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  neutral: 'bg-leaf-tint text-leaf',
};

type Props = {
  tone: Tone;
  dot?: boolean;
  /** Lets staff-defined statuses of up to 40 letters without a space wrap. */
  wraps?: boolean;
  children: ReactNode;
};

/** A status in words with a coloured dot: never colour alone. */
export function StatusChip({ tone, dot = true, wraps = false, children }: Props) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-[0.8125rem] border border-transparent px-2.5 in-[.on-deep]:dark:border-current py-1 text-12 font-bold',
        wraps ? 'min-w-0 wrap-anywhere' : 'whitespace-nowrap',
        tones[tone],
      )}
    >
      {dot && <span aria-hidden="true" className="mark size-2 shrink-0 rounded-full bg-current" />}
      {children}
    </span>
  );
}
