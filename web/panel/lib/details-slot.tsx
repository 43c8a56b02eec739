import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';
import { focusListRow } from './list-table.tsx';
import type { ListViewControl } from './list-view.ts';

const SlotContext = createContext<HTMLElement | null>(null);

/** Lets pages render beside their list. `frame` renders the layout around the given slot. */
export function DetailsSlotProvider({ frame }: { frame: (slot: ReactNode) => ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return <SlotContext value={slot}>{frame(<div ref={setSlot} className="contents" />)}</SlotContext>;
}

type Props<Item> = {
  view: ListViewControl;
  rows: readonly Item[] | undefined;
  /** Renders the open row's `SidePanel`. `close` returns the focus to the row. */
  children: (item: Item, close: () => void) => ReactNode;
};

/** The open row's details beside the list, fresh for every row. */
export function RowDetails<Item extends { id: number }>({ view, rows, children }: Props<Item>) {
  const slot = useContext(SlotContext);
  const item = rows?.find(({ id }) => id === view.open);
  if (!slot || !item) return null;
  const close = () => {
    view.show({ open: undefined });
    focusListRow(item.id);
  };
  return createPortal(children(item, close), slot, String(item.id));
}
