import { ChevronDownIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type DisclosureProps = {
  title: string;
  isOpen?: boolean;
  onOpen?: (isOpen: boolean) => void;
  children: ReactNode;
};

/** Details that open at the press of their title. */
export function Disclosure({ title, isOpen, onOpen, children }: DisclosureProps) {
  return (
    <details
      open={isOpen}
      className="group text-14"
      onToggle={onOpen && ((event) => onOpen(event.currentTarget.open))}
    >
      <summary className="flex cursor-pointer list-none items-center justify-between gap-1.5 rounded-control py-3 font-semibold">
        {title}
        <ChevronDownIcon className="size-4 shrink-0 text-ink-soft group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}
