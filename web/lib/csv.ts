import { type CsvColumn, csvPieces } from '#contract/csv.ts';

/** Saves the rows as a file, made in the browser from what is already here. `name` without its ending. */
export function downloadCsv<Item>(
  name: string,
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
): void {
  const blob = new Blob([...csvPieces(columns, items)], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  // Not at once: some browsers read the address only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
