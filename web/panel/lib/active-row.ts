import { createContext, type KeyboardEvent, useContext, useEffect, useMemo, useRef, useState } from 'react';

export const ActiveRowContext = createContext(true);

/** Whether the row around it is the one the keyboard is on: only its buttons are steps of the Tab key. */
export const useIsActiveRow = (): boolean => useContext(ActiveRowContext);

/** Puts the focus on a row, when it is drawn: after its details were closed. */
export function focusListRow(id: number): void {
  document.querySelector<HTMLElement>(`[data-row-id="${id}"]`)?.focus();
}

/** How many frames a list may take to be drawn without a row: two seconds of them. Counted, since a stall has none. */
const framesToDraw = 120;

/**
 * Gives the focus to the row in the place of one that is going, as soon as nothing else has it: the dialog over the row,
 * its details and its buttons go with it, each in its own time.
 */
export function keepFocusInList(framesLeft = framesToDraw): void {
  requestAnimationFrame(() => {
    const isGone = document.activeElement === document.body && !document.querySelector('dialog[open]');
    if (isGone) document.querySelector<HTMLElement>('[data-row-id][tabindex="0"]')?.focus();
    else if (framesLeft > 1) keepFocusInList(framesLeft - 1);
  });
}

/** The row that the keyboard is on, by its id, so that it stays the same row when the list is sorted anew. */
export function useActiveRow<Item extends { id: number }>(rows: readonly Item[], openId: number | undefined) {
  const [activeId, activate] = useState<number | undefined>(openId);
  const wantsFocus = useRef(false);
  const found = useMemo(() => rows.findIndex(({ id }) => id === activeId), [rows, activeId]);
  // Where its row is gone, the one that took its place.
  const lastIndex = useRef(0);
  const activeIndex = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, rows.length - 1));
  useEffect(() => {
    if (found >= 0) lastIndex.current = found;
  }, [found]);

  useEffect(() => {
    if (!wantsFocus.current || activeId === undefined) return;
    wantsFocus.current = false;
    focusListRow(activeId);
  }, [activeId]);

  /** Answers the index of the row that a key leads to; undefined when the key is none of the list's. */
  function walk({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent, rowsInSight: number) {
    if (altKey || ctrlKey || metaKey || !(target instanceof Element) || !target.closest('[data-row-id]'))
      return;
    const steps: Record<string, number> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + rowsInSight,
      PageUp: activeIndex - rowsInSight,
      Home: 0,
      End: rows.length - 1,
    };
    const step = steps[key];
    if (step === undefined) return;
    const next = Math.min(Math.max(step, 0), rows.length - 1);
    const item = rows[next];
    if (!item) return;
    wantsFocus.current = true;
    activate(item.id);
    if (item.id === activeId) focusListRow(item.id);
    return next;
  }

  return { activeIndex, activate, walk };
}
