import { CheckIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type StepState = 'done' | 'current' | 'ahead' | 'failed';

export interface Step {
  id: string;
  title: ReactNode;
  note?: ReactNode;
  state: StepState;
}

export interface StepsProps {
  steps: readonly Step[];
  label: string;
  stateLabels: Record<StepState, string>;
}

const marks: Record<StepState, string> = {
  done: 'bg-leaf text-on-leaf',
  current: 'bg-mango ring-4 ring-mango-tint',
  ahead: 'border-2 border-edge bg-card',
  failed: 'bg-bad ring-4 ring-bad-tint',
};

export function Steps({ steps, label, stateLabels }: StepsProps) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={step.id}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className="relative flex gap-4 pb-4 last:pb-0 forced-colors:outline-none!"
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={classNames(
                'absolute bottom-0.5 left-2 top-6.5 w-0.5 -translate-x-1/2 rounded-full',
                step.state === 'done' ? 'bg-leaf' : 'bg-line',
              )}
            />
          )}
          <span
            aria-hidden="true"
            className={classNames(
              'mt-1 flex size-4 shrink-0 items-center justify-center rounded-full',
              step.state !== 'ahead' && 'mark',
              marks[step.state],
            )}
          >
            {step.state === 'done' && <CheckIcon className="size-3" strokeWidth={3.5} />}
          </span>
          <div className="min-w-0">
            <p className={classNames('text-14', step.state === 'ahead' ? 'text-ink-soft' : 'font-semibold')}>
              {step.title}
              <span className="sr-only"> ({stateLabels[step.state]})</span>
            </p>
            {step.note !== undefined && <p className="text-12 text-ink-soft">{step.note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
