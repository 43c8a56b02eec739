import { createContext, type KeyboardEvent, useContext, useEffect, useMemo, useRef, useState } from 'react';

export const ActiveRowContext = createContext(true);

/** Only the active row's buttons are tab stops (roving tabindex). */
export const useIsActiveRow = (): boolean => useContext(ActiveRowContext);

export function focusListRow(id: number): void {
  document.querySelector<HTMLElement>(`[data-row-id="${id}"]`)?.focus();
}

/**
 * Two seconds' worth of frames for a list to render without a row. Frames rather than time, since none pass during a
 * stall.
 */
const framesToDraw = 120;

/**
 * Focuses the row replacing one that is going away, as soon as nothing else has the focus: the dialog, details and
 * buttons of the old row disappear each in its own time.
 */
export function keepFocusInList(framesLeft = framesToDraw): void {
  requestAnimationFrame(() => {
    const isGone = document.activeElement === document.body && !document.querySelector('dialog[open]');
    if (isGone) document.querySelector<HTMLElement>('[data-row-id][tabindex="0"]')?.focus();
    else if (framesLeft > 1) keepFocusInList(framesLeft - 1);
  });
}

/** The active row by id, so that it stays the same row when the list is re-sorted. */
export function useActiveRow<Item extends { id: number }>(rows: readonly Item[], openId: number | undefined) {
  const [activeId, activate] = useState<number | undefined>(openId);
  const wantsFocus = useRef(false);
  const found = useMemo(() => rows.findIndex(({ id }) => id === activeId), [rows, activeId]);
  // If its row is gone, the one that took its place.
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

  /** Returns the index of the row a key leads to; undefined for keys the list does not handle. */
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
