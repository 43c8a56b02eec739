/** The parser: the server's reads buffers faster, the browser's brings no Node.js along. */
type Parse = (text: string, options: object) => unknown;

export type CsvRecord = { record: string[]; line: number };

/**
 * The records of a CSV text as spreadsheets and banks write them: quotes within cells, lines of other lengths, either line
 * end. `line` is a record's last one. Throws what the parser throws for quotes that do not close.
 */
export function csvRecords(parse: Parse, text: string, delimiter: string): CsvRecord[] {
  // One line end: the parser counts two in a quoted cell with both.
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const records = parse(text.replace(/\r\n?/g, '\n'), {
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: '\n',
  }) as { record: string[]; info: { lines: number } }[];
  return records.map(({ record, info }) => ({
    record: record.map((cell) => cell.replaceAll('\n', lineEnd)),
    line: info.lines,
  }));
}

/** A trimmed cell. `="0012"` is how a text is kept from becoming a number. */
export function readCell(cell: string): string {
  const [, text] = /^="(.*)"$/s.exec(cell.trim()) ?? [];
  return (text?.replaceAll('""', '"') ?? cell).trim();
}
