import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Two of `Column`, or cards in two columns, stacked on narrow screens. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div data-wide className="grid gap-5 wide:grid-cols-2 wide:items-start wide:gap-6">
      {children}
    </div>
  );
}

export function Column({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('flex min-w-0 flex-col gap-5', className)}>{children}</div>;
}

export function SkipLink({ label }: { label: string }) {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-control bg-card px-4 py-3 font-semibold text-leaf shadow-soft focus:not-sr-only focus:fixed focus:left-3 focus:top-3"
    >
      {label}
    </a>
  );
}
