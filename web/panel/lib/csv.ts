import { type CsvColumn, csvPieces } from '#contract/csv.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { createYielder } from './yielder.ts';

/** Saves the loaded rows as CSV, built in chunks so that the page stays responsive. `name` has no extension. */
export async function downloadCsv<Item>(
  name: string,
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
): Promise<void> {
  const yieldNow = createYielder();
  const pieces: Blob[] = [];
  for (const piece of csvPieces(columns, items)) {
    // Encoded per chunk: encoding everything at the end would block the page.
    pieces.push(new Blob([piece]));
    await yieldNow();
  }
  saveFile(new Blob(pieces, { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
}
