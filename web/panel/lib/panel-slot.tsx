import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';

const SlotContext = createContext<HTMLElement | null>(null);

/** Lets pages render beside their list. `frame` renders the layout around the given slot. */
export function PanelSlotProvider({ frame }: { frame: (slot: ReactNode) => ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return <SlotContext value={slot}>{frame(<div ref={setSlot} className="contents" />)}</SlotContext>;
}

/** Portals its children (a `SidePanel`) to beside the page's list. */
export function BesideList({ children }: { children: ReactNode }) {
  const slot = useContext(SlotContext);
  return slot && createPortal(children, slot);
}
