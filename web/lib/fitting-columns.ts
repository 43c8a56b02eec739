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
