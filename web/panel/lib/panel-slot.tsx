import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';

const SlotContext = createContext<HTMLElement | null>(null);

/** Gives pages a place beside their list. `frame` draws the layout around the slot it is handed. */
export function PanelSlotProvider({ frame }: { frame: (slot: ReactNode) => ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return <SlotContext value={slot}>{frame(<div ref={setSlot} className="contents" />)}</SlotContext>;
}

/** Draws its children (a `SidePanel`) beside the page's list instead of inside the page. */
export function BesideList({ children }: { children: ReactNode }) {
  const slot = useContext(SlotContext);
  return slot && createPortal(children, slot);
}
