import type { ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** The heading of a page of the panel. */
export const PanelTitle = ({ className, children }: { className?: string; children: ReactNode }) => (
  <h1 className={classNames('font-heading text-32 font-bold tracking-[-0.01em]', className)}>{children}</h1>
);
