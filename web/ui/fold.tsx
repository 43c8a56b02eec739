import type { ReactNode } from 'react';

/** Details that open at the press of their title. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="text-14">
      <summary className="cursor-pointer rounded-control py-3 font-semibold text-leaf">{title}</summary>
      {children}
    </details>
  );
}
