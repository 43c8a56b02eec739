import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type StepNumberProps = { isPresent?: boolean | undefined; children: ReactNode };

export const StepNumber = ({ isPresent = false, children }: StepNumberProps) => (
  <span
    aria-hidden="true"
    className={classNames(
      'flex size-8 shrink-0 items-center justify-center rounded-full font-heading text-16 font-bold',
      isPresent ? 'bg-leaf text-on-leaf' : 'bg-leaf-tint text-leaf',
    )}
  >
    {children}
  </span>
);

/** The heading of a part that is a step. */
export const NumberedTitle = ({ number, isPresent, children }: StepNumberProps & { number: number }) => (
  <span className="flex items-center gap-2.5">
    <StepNumber isPresent={isPresent}>{number}</StepNumber>
    {children}
  </span>
);
