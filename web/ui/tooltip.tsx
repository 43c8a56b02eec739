import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';

export interface TooltipProviderProps {
  delayMs: number;
  skipDelayMs: number;
  children: ReactNode;
}

/** Once, around everything that has tooltips. */
export function TooltipProvider({ delayMs, skipDelayMs, children }: TooltipProviderProps) {
  return (
    <RadixTooltip.Provider delayDuration={delayMs} skipDelayDuration={skipDelayMs}>
      {children}
    </RadixTooltip.Provider>
  );
}

/** A few words beside a control that already has a name. The child must take a ref and props (our buttons do). */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-xs rounded-small bg-night px-2.5 py-1.5 text-12 font-medium text-on-night shadow-soft dark:border dark:border-line"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
