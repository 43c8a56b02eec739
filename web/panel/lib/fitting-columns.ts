import { useLayoutEffect, useMemo, useState } from 'react';

/** As much of a column as decides whether there is room for it. */
export type RankedColumn = { widthPx: number; wantPx?: number; rank?: number };

/**
 * The columns that fit side by side in the width they want, in their order: as long as they do not, the one with the
 * highest rank goes. Those without a rank stay, whatever the width. All of them while the width is not known.
 */
export function fittingColumns<Column extends RankedColumn>(
  columns: readonly Column[],
  widthPx: number | undefined,
): readonly Column[] {
  let left = columns;
  while (
    widthPx !== undefined &&
    left.reduce((sum, column) => sum + (column.wantPx ?? column.widthPx), 0) > widthPx
  ) {
    const last = left.reduce<Column | undefined>(
      (worst, column) =>
        column.rank !== undefined && column.rank > (worst?.rank ?? Number.NEGATIVE_INFINITY) ? column : worst,
      undefined,
    );
    if (!last) break;
    left = left.filter((column) => column !== last);
  }
  return left;
}

/** Leaves out what does not fit, as the table grows and shrinks beside its panel. */
export function useFittingColumns<Column extends RankedColumn>(
  scroller: { current: HTMLElement | null },
  columns: readonly Column[],
): readonly Column[] {
  const [widthPx, setWidthPx] = useState<number>();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => setWidthPx(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return useMemo(() => fittingColumns(columns, widthPx), [columns, widthPx]);
}
