import { useLayoutEffect, useMemo, useState } from 'react';

export type RankedColumn = { widthPx: number; wantPx?: number; rank?: number };

/**
 * The columns that fit at their wanted width: while they do not, the one with the highest rank is dropped. Columns
 * without a rank always stay. All of them while the width is unknown.
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
