import { type CsvColumn, csvPieces } from '#contract/csv.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { createYielder } from './yielder.ts';

/**
 * Saves the rows as a file, made in the browser from what is already here, piece by piece, so that the page goes on
 * answering however many there are. `name` without its ending.
 */
export async function downloadCsv<Item>(
  name: string,
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
): Promise<void> {
  const yieldNow = createYielder();
  const pieces: Blob[] = [];
  for (const piece of csvPieces(columns, items)) {
    // Each is encoded at once: all together would hold the page up at the end.
    pieces.push(new Blob([piece]));
    await yieldNow();
  }
  saveFile(new Blob(pieces, { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
}
