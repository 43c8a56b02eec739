import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Mat } from './mat-drawing.tsx';

export type StepState = 'done' | 'current' | 'ahead' | 'failed';

export interface Step {
  id: string;
  title: ReactNode;
  note?: ReactNode;
  state: StepState;
}

interface StepsProps {
  steps: readonly Step[];
  label: string;
  stateLabels: Record<StepState, string>;
  /** Side by side on phones too; for short notes only. */
  isStrip?: boolean;
}

const tiles = { done: 'paid', current: 'next', ahead: 'bare', failed: 'late' } as const;

/** The stages of an application, a tile each; side by side in a container that is wide enough. */
export function Steps({ steps, label, stateLabels, isStrip }: StepsProps) {
  return (
    <ol
      aria-label={label}
      className={classNames(
        'flex flex-col gap-1.5 @3xl:grid @3xl:grid-cols-4 @3xl:gap-4',
        isStrip &&
          '@xs:grid @xs:grid-cols-4 @xs:gap-2 @xs:*:flex-col @xs:*:gap-1 @3xl:*:flex-row @3xl:*:gap-3.5 @3xl:[&>:not(:last-child)]:after:mt-3 @3xl:[&>:not(:last-child)]:after:h-0.5 @3xl:[&>:not(:last-child)]:after:grow @3xl:[&>:not(:last-child)]:after:bg-line',
      )}
    >
      {steps.map((step) => (
        <li
          key={step.id}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className="flex min-h-10 gap-3.5 forced-colors:outline-none!"
        >
          <Mat tiles={[tiles[step.state]]} className="size-6 shrink-0" />
          <div className="min-w-0 pb-1">
            <p
              className={classNames(
                'pt-0.5 text-14',
                step.state === 'ahead' ? 'opacity-80' : step.state !== 'done' && 'font-semibold',
              )}
            >
              {step.title}
              <span className="sr-only"> ({stateLabels[step.state]})</span>
            </p>
            {step.note !== undefined && <p className="text-14 opacity-80">{step.note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
