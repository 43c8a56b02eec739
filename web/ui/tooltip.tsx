import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactElement } from 'react';

export const TooltipProvider = RadixTooltip.Provider;

/** Around an already named control. */
export const Tooltip = ({ text, children }: { text: string; children: ReactElement }) => (
  <RadixTooltip.Root>
    <RadixTooltip.Trigger
      asChild
      onFocus={(event) => {
        // A dialog that was opened by a press gives the focus back without opening the tooltip.
        if (!event.currentTarget.matches(':focus-visible')) event.preventDefault();
      }}
    >
      {children}
    </RadixTooltip.Trigger>
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
