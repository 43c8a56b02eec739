import { useLayoutEffect, useMemo, useState } from 'react';
import { fittingColumns, type RankedColumn } from './fitting-columns.ts';

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
