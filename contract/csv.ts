/** One column of a table that is exported, by the server or in a browser. */
export type CsvColumn<Item> = { head: string; value: (item: Item) => string | number | null };

/** Rows that go into one piece of the file: made in a few milliseconds, whoever makes it. */
const chunkRows = 250;

/** What a spreadsheet takes for the start of a formula, in its wide forms too, also after spaces. */
const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * One cell, always quoted. A text that a spreadsheet would run as a formula gets an apostrophe in front, which the
 * spreadsheet reads as "text": a member's name must not be able to do anything on a staff member's computer.
 */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  const safe = !isNumber && formulaStart.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A table as CSV (RFC 4180), piece by piece, with the mark that tells spreadsheets it is UTF-8. */
export function* csvPieces<Item>(
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
): Generator<string> {
  const line = (cells: string[]) => `${cells.join(',')}\r\n`;
  yield `\uFEFF${line(columns.map(({ head }) => csvCell(head)))}`;
  for (let start = 0; start < items.length; start += chunkRows) {
    const rows = items.slice(start, start + chunkRows);
    yield rows.map((item) => line(columns.map(({ value }) => csvCell(value(item))))).join('');
  }
}
