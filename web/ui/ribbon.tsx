import type { ReactNode } from 'react';

/** The slim line above every page while the sample lender is configured. */
export function Ribbon({ children }: { children: ReactNode }) {
  return (
    <p className="on-deep bg-night px-4 py-1.5 pt-[calc(0.375rem+env(safe-area-inset-top))] text-center text-12 text-on-night">
      {children}
    </p>
  );
}
