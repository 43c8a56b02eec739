import type { ReactNode } from 'react';

/** Two of `Column`, stacked on narrow screens. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div data-wide className="grid gap-5 wide:grid-cols-2 wide:items-start wide:gap-6">
      {children}
    </div>
  );
}

export function Column({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-5">{children}</div>;
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
