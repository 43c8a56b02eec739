import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** `deep` is for a label on leaf-deep; the others are statuses. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'deep';

const tones: Record<Tone, string> = {
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  neutral: 'bg-leaf-tint text-leaf',
  deep: 'bg-on-deep/15 text-on-deep',
};

/** A status in its own word, with a dot of its tone: never colour alone. */
export function StatusChip({
  tone,
  dot = true,
  children,
}: {
  tone: Tone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border border-transparent px-2.5 py-1 text-12 font-bold',
        tones[tone],
      )}
    >
      {dot && <span aria-hidden="true" className="mark size-2 rounded-full bg-current" />}
      {children}
    </span>
  );
}
