import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { useIsActiveRow } from './active-row.ts';

type Props = {
  /** Its name, and what the tooltip says. */
  label: string;
  tone?: 'plain' | 'bad';
  onPress: () => void;
  disabled?: boolean;
  children: ReactNode;
};

/** A button of a row, as an icon. The Tab key stops at it only in the row that the keyboard is on. */
export function RowAction({ label, tone, onPress, disabled, children }: Props) {
  const active = useIsActiveRow();
  return (
    <Tooltip text={label}>
      <IconButton
        size="small"
        label={label}
        tone={tone}
        disabled={disabled}
        tabIndex={active ? 0 : -1}
        onClick={onPress}
      >
        {children}
      </IconButton>
    </Tooltip>
  );
}

/** The buttons of a row, side by side. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className="flex justify-end gap-0.5">{children}</span>;
}
