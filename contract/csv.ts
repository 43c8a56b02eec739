export type CsvColumn<Item> = { head: string; value: (item: Item) => string | number | null };

const chunkRows = 250;

const negativeAmount = /^-\d+\.\d{2}$/;

/** A start that a spreadsheet takes for a formula, also in full-width forms or after spaces. */
const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * A quoted cell. Text that a spreadsheet would run as a formula gets a leading apostrophe, which marks it as text: a
 * member's name must not execute on a staff member's computer (CSV injection).
 */
export function csvCell(value: string | number | null): string {
  const text = typeof value === 'number' ? decimalText(value) : (value ?? '');
  const isFormula = typeof value !== 'number' && formulaStart.test(text) && !negativeAmount.test(text);
  const safe = isFormula ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Numbers are exact to fifteen digits; rounding removes the float error behind them (0.1 + 0.2). */
const decimalText = (value: number) =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));

/** CSV (RFC 4180) in chunks, with a BOM so that spreadsheets read it as UTF-8. */
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
