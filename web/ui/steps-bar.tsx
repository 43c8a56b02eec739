import { classNames } from './class-names.ts';
import type { StepsProps } from './steps.tsx';

/**
 * The stages of `Steps` as one row of bars, for the deep loan card. Where the labels do not fit, only the current one
 * is shown.
 */
export function StepsBar({ steps, label, stateLabels }: StepsProps) {
  return (
    <div className="@container">
      <ol
        aria-label={label}
        className="relative grid auto-cols-[minmax(max-content,1fr)] grid-flow-col gap-1.5 @max-[17.5rem]:pb-5.5"
      >
        {steps.map((step) => {
          const present = step.state === 'current' || step.state === 'failed';
          return (
            <li
              key={step.id}
              aria-current={step.state === 'current' ? 'step' : undefined}
              className="min-w-0 forced-colors:outline-none!"
            >
              <span
                aria-hidden="true"
                className={classNames(
                  'mark block h-1.5 rounded-full',
                  step.state === 'ahead' ? 'bg-on-deep/25 forced-colors:opacity-30' : 'bg-mango',
                )}
              />
              <span
                className={classNames(
                  'mt-1.5 block text-12 tracking-[-0.01em]',
                  present
                    ? 'font-bold @max-[17.5rem]:absolute @max-[17.5rem]:inset-x-0 @max-[17.5rem]:bottom-0'
                    : 'text-on-deep-soft @max-[17.5rem]:sr-only',
                )}
              >
                {step.title}
                <span className="sr-only"> ({stateLabels[step.state]})</span>
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
