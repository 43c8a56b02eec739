import { ChevronRightIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, type ButtonProps, buttonStyle } from './button.tsx';

/** For a link that looks like one of these rows. */
export const rowStyle = buttonStyle({ look: 'row', size: 'large', wide: true });

/** One of several actions in a list. */
export const RowButton = ({ children, ...rest }: Omit<ButtonProps, 'look' | 'size' | 'wide'>) => (
  <Button {...rest} look="row" size="large" wide>
    <RowText>{children}</RowText>
  </Button>
);

export const RowText = ({ children }: { children: ReactNode }) => (
  <>
    <span className="min-w-0 flex-1 text-left">{children}</span>
    <ChevronRightIcon className="text-ink-soft" />
  </>
);
