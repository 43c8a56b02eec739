import { WifiOffIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** The slim line above every page while the sample lender is configured. */
export function Ribbon({ children }: { children: ReactNode }) {
  return (
    <p className="on-deep bg-night px-4 py-1.5 pt-[calc(0.375rem+env(safe-area-inset-top))] text-center text-12 text-on-night">
      {children}
    </p>
  );
}

export function OfflineBanner({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 border-b border-line bg-mango-tint px-4 py-2 text-14 font-medium text-ink"
    >
      <WifiOffIcon className="size-4 shrink-0" />
      <span>{children}</span>
    </div>
  );
}
