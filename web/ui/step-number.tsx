import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type StepNumberProps = { isPresent?: boolean; children: ReactNode };

export const StepNumber = ({ isPresent = false, children }: StepNumberProps) => (
  <span
    aria-hidden="true"
    className={classNames(
      'flex size-8 shrink-0 items-center justify-center rounded-full font-heading text-16 font-bold',
      isPresent ? 'bg-leaf text-on-leaf' : 'border-2 border-leaf text-leaf',
    )}
  >
    {children}
  </span>
);

type NumberedTitleProps = { number: ReactNode; isPresent: boolean; children: ReactNode };

/** The heading of a part, which may be a step. */
export const NumberedTitle = ({ number, isPresent, children }: NumberedTitleProps) => (
  <span className="flex items-center gap-2.5">
    {number && <StepNumber isPresent={isPresent}>{number}</StepNumber>}
    {children}
  </span>
);
