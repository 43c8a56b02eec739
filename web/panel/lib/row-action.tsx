import type { LucideIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Button, type ButtonProps, IconButton, Spinner } from '#web/ui/button.tsx';
import { createSignal } from '#web/ui/signal.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { keepFocusInList, useIsActiveRow } from './list-table.tsx';
import type { ListEndpoint } from './row-stream.ts';

type Row = { list: ListEndpoint; id: number };

type RowWork = {
  /** Gives up looking for its lost reply; set once that was lost. */
  stop?: () => void;
};

const underWay = new Map<string, RowWork>();
const changed = createSignal<void>();

const keyOf = ({ list, id }: Row) => `${list.path} ${id}`;

function show(row: Row, work: RowWork | undefined): void {
  if (work) underWay.set(keyOf(row), work);
  else underWay.delete(keyOf(row));
  changed.tell();
}

/** A row's pending action, wherever it was started: list, details or dialog. */
export const useRowWork = (row: Row): RowWork | undefined =>
  useSyncExternalStore(changed.listen, () => underWay.get(keyOf(row)));

/** One action per row at a time: while another is pending it does nothing and resolves to undefined. */
export async function workOnRow<Answer>(
  row: Row,
  work: (onChecking: (stop: () => void) => void) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (underWay.has(keyOf(row))) return undefined;
  show(row, {});
  try {
    return await work((stop) => show(row, { stop }));
  } finally {
    show(row, undefined);
    keepFocusInList();
  }
}

type Action = { label: string; Icon: LucideIcon; onPress: () => void; busy?: boolean; isDangerous?: boolean };

/** `false` keeps the place of an action that is missing, so that React keeps the buttons after it, and their focus. */
export const RowActions = ({ actions }: { actions: readonly (Action | false)[] }) => (
  <span className="flex justify-end gap-0.5">
    {actions.map(
      (action, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pressing a button may change its label, and it keeps the focus
        action && <RowAction key={index} {...action} />,
    )}
  </span>
);

/** A tab stop only in the active row. A dangerous one is faint until a pointer or the focus is near. */
function RowAction({ label, Icon, onPress, busy = false, isDangerous = false }: Action) {
  const active = useIsActiveRow();
  return (
    <Tooltip text={label}>
      <IconButton
        size="small"
        label={label}
        disabled={busy}
        aria-busy={busy || undefined}
        tabIndex={active ? 0 : -1}
        className={isDangerous ? `${faint} [@media(hover:hover)]:opacity-30` : undefined}
        onClick={onPress}
      >
        {busy ? <Spinner /> : <Icon />}
      </IconButton>
    </Tooltip>
  );
}

const faint = 'transition-opacity group-focus-within/row:opacity-100! group-hover/row:opacity-100!';

/** A row's button in words, for what cannot be taken back; one that is not seen unless a pointer or the focus is near. */
export function RowButton({ isHidden = false, ...props }: ButtonProps & { isHidden?: boolean }) {
  const active = useIsActiveRow();
  const className = isHidden ? `px-2.5 ${faint} [@media(hover:hover)]:opacity-0` : 'px-2.5';
  return <Button {...props} className={className} tabIndex={active ? 0 : -1} />;
}
